package servicetest

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
)

// projectFilters returns the filter that a call asks for.
func (c *call) projectFilters() func(*Project) bool {
	filters := []func(*Project) bool{
		c.projectsByText(), c.projectsByRole(), c.projectsByTime(), c.projectsByTopic(), c.projectsByLanguage(),
		c.projectsByStanding(),
	}
	flag := func(name string, keep func(*Project) bool) {
		if c.Bool(name, false) {
			filters = append(filters, keep)
		}
	}
	if c.Has("archived") {
		archived := c.Bool("archived", false)
		filters = append(filters, func(p *Project) bool { return p.archived == archived })
	}
	flag("starred", func(p *Project) bool { return p.stars[c.user] })
	flag("with_issues_enabled", func(p *Project) bool { return p.has("issues") })
	flag("with_merge_requests_enabled", func(p *Project) bool { return p.has("merge_requests") })
	storage, visibility := c.Str("repository_storage"), c.OneOf("visibility", "private", "internal", "public")
	after, before := c.Int64("id_after"), c.Int64("id_before")
	return func(p *Project) bool {
		if storage != "" && c.admin() && p.storage != storage || visibility != "" && p.visibility != visibility {
			return false
		}
		if p.id <= after || p.id >= before && before != 0 {
			return false
		}
		for _, keep := range filters {
			if !keep(p) {
				return false
			}
		}
		return true
	}
}

func (c *call) projectsByText() func(*Project) bool {
	search, namespaces := strings.ToLower(c.Str("search")), c.Bool("search_namespaces", false)
	return func(p *Project) bool {
		words := p.name + "\n" + p.path + "\n" + p.description
		if namespaces {
			words += "\n" + p.fullPath() + "\n" + p.fullName()
		}
		return strings.Contains(strings.ToLower(words), search)
	}
}

// projectsByRole filters by the projects that the caller is a member of. The
// rights of an administrator do not count.
func (c *call) projectsByRole() func(*Project) bool {
	least := AccessLevel(c.Int64("min_access_level"))
	if !least.valid() {
		c.Problem("min_access_level does not have a valid value")
	}
	if c.Bool("membership", false) {
		least = max(least, MinimalAccess)
	}
	if c.Bool("owned", false) {
		least = max(least, Owner)
	}
	return func(p *Project) bool { return least == NoAccess || c.svc.projectMembership(c.user, p) >= least }
}

func (c *call) projectsByTime() func(*Project) bool {
	after, before := c.Time("last_activity_after"), c.Time("last_activity_before")
	since, until := c.Time("updated_after"), c.Time("updated_before")
	if (c.Has("updated_after") || c.Has("updated_before")) && c.Str("order_by") != "updated_at" {
		c.Problem("updated_after and updated_before require order_by updated_at")
	}
	return func(p *Project) bool {
		return between(p.lastActivity(), after, before) && between(p.lastActivity(), since, until)
	}
}

// projectsByStanding filters by what newer releases know of projects. No
// repository has failed a check, none is hidden, deletions are over at once, and
// topics have no ids.
func (c *call) projectsByStanding() func(*Project) bool {
	active, marked, imported := c.Bool("active", true), c.Time("marked_for_deletion_on"), c.Bool("imported", false)
	nowhere := c.Bool("repository_checksum_failed", false) || c.Int64("topic_id") != 0
	c.Bool("include_pending_delete", false)
	c.Bool("include_hidden", false)
	return func(p *Project) bool {
		return !nowhere && (!c.Has("active") || (!p.archived && p.marked.IsZero()) == active) &&
			(marked.IsZero() || sameDay(p.marked, marked)) &&
			(!imported || state[imports](c.svc).of[p] != nil && p.creator == c.user)
	}
}

// between reports whether a time is in a span, which may have no beginning or
// no end.
func between(at, after, before time.Time) bool {
	return (after.IsZero() || !at.Before(after)) && (before.IsZero() || !at.After(before))
}

func (c *call) projectsByTopic() func(*Project) bool {
	topics := c.List("topic")
	return func(p *Project) bool {
		for _, topic := range topics {
			if !slices.ContainsFunc(p.topics, func(has string) bool { return strings.EqualFold(has, topic) }) {
				return false
			}
		}
		return true
	}
}

// languages are the languages by file name extension.
var languages = map[string]string{
	".go": "go", ".rb": "ruby", ".py": "python", ".js": "javascript", ".ts": "typescript", ".java": "java",
	".c": "c", ".rs": "rust", ".sh": "shell", ".html": "html", ".css": "css",
}

func (c *call) projectsByLanguage() func(*Project) bool {
	language := strings.ToLower(c.Str("with_programming_language"))
	return func(p *Project) bool {
		if language == "" {
			return true
		}
		head := p.repository().Branch(p.defaultBranch)
		return head != nil && slices.ContainsFunc(head.Tree.Paths(), func(name string) bool { return languages[path.Ext(name)] == language })
	}
}

// sortProjects sorts projects in the order that the call asks for, by default
// the newest first.
func sortProjects(c *call, projects []*Project) *reply {
	orders := []string{"id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count"}
	if c.admin() {
		orders = append(orders, "repository_size", "storage_size", "packages_size", "wiki_size")
	}
	by := c.OneOf("order_by", orders...)
	sort := c.OneOf("sort", "asc", "desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	search := strings.ToLower(c.Str("search"))
	slices.SortStableFunc(projects, func(a, b *Project) int {
		return cmp.Or(compareProjects(a, b, by, search), cmp.Compare(a.id, b.id))
	})
	if sort != "asc" {
		slices.Reverse(projects)
	}
	return nil
}

func compareProjects(a, b *Project, by, search string) int {
	switch by {
	case "name":
		return cmp.Compare(a.name, b.name)
	case "path":
		return cmp.Compare(a.path, b.path)
	case "created_at", "":
		return a.createdAt.Compare(b.createdAt)
	case "updated_at", "last_activity_at":
		return a.lastActivity().Compare(b.lastActivity())
	case "star_count":
		return cmp.Compare(len(a.stars), len(b.stars))
	case "similarity":
		return cmp.Compare(similarTo(a.name, search), similarTo(b.name, search))
	case "repository_size", "storage_size":
		return cmp.Compare(a.statistics().StorageSize, b.statistics().StorageSize)
	}
	return 0
}

// similarTo returns the share of a name that a search consists of.
func similarTo(name, search string) float64 {
	if search == "" || !strings.Contains(strings.ToLower(name), search) {
		return 0
	}
	return float64(len(search)) / float64(len(name))
}
