package servicetest

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func getProject(c *call, project *Project) *reply { return c.projectReply(project, c.OK) }

// projectReply responds with a single project.
func (c *call) projectReply(p *Project, answer func(any) *reply) *reply {
	form := c.projectForm(p, false)
	if c.Bool("license") {
		form = &encoded{Data: joined(form.Data, p.license())}
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return answer(form)
}

func listProjects(c *call) *reply {
	return c.projectList(func(p *Project) bool { return c.svc.canSeeProject(c.user, p) })
}

// listUserProjects lists the projects in a user's own namespace.
func listUserProjects(c *call) *reply {
	user := c.svc.findUser(c.PathString("user_id"))
	if user == nil {
		return frame.NotFound("User")
	}
	return c.projectList(func(p *Project) bool { return p.owner == user && c.svc.canSeeProject(c.user, p) })
}

// listGroupProjects lists the projects in a group, and those that are shared with it.
func listGroupProjects(c *call, group *Group) *reply {
	below, shared, reports := c.Bool("include_subgroups"), c.BoolOr("with_shared", true),
		c.Bool("with_security_reports")
	above := c.Bool("include_ancestor_groups")
	return c.projectList(func(p *Project) bool {
		inside := p.group == group || below && p.within(group) || above && p.group != nil && group.within(p.group)
		return (inside || shared && p.sharedWith(group)) && !reports && c.svc.canSeeProject(c.user, p)
	})
}

// projectList returns one page of the projects that the call selects.
func (c *call) projectList(within func(*Project) bool) *reply {
	wanted := c.projectFilters()
	if refusal := c.premiumFilters("repository_checksum_failed", "wiki_checksum_failed"); refusal != nil {
		return refusal
	}
	simple := c.Bool("simple")
	frame.Accept(c.Bool, "statistics", "with_custom_attributes")
	found := c.svc.projects.all(func(p *Project) bool { return within(p) && wanted(p) })
	form := func(p *Project) *encoded { return c.projectForm(p, simple) }
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Project]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: found, JSON: form,
			Key: func(p *Project) string { return strconv.FormatInt(p.id, 10) },
		})
	}
	if refusal := sortProjects(c, found); refusal != nil {
		return refusal
	}
	return frame.CachedListOf(c, found, form)
}

// updateProject changes a project.
func updateProject(c *call, project *Project) *reply {
	if len(c.Values) == len(c.Path) && len(c.Files) == 0 {
		return frame.JSONReply(400, object{"error": "at least one parameter must be provided"})
	}
	draft := c.readProject(false)
	if draft.branch != "" && !slices.Contains(project.repository().Branches(), draft.branch) {
		c.Problem("default_branch does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if draft.path != "" && !validProjectPath.MatchString(draft.path) {
		return invalidPath()
	}
	name, path := either(draft.name, project.name), either(draft.path, project.path)
	if refusal := c.freeIn(project.home(), name, path, project); refusal != nil {
		return refusal
	}
	if refusal := visibilityIn(project.group, draft.visibility); refusal != nil {
		return refusal
	}
	if draft.visibility != project.visibility {
		if refusal := c.restricted(draft.visibility); refusal != nil {
			return refusal
		}
	}
	if path != project.path {
		project.leave()
	}
	project.name, project.path = name, path
	draft.apply(c, project)
	return c.projectReply(project, c.OK)
}

// projectFilters returns the filter that a call selects.
func (c *call) projectFilters() func(*Project) bool {
	filters := []func(*Project) bool{
		c.projectsByText(), c.projectsByRole(), c.projectsByTime(), c.projectsByTopic(), c.projectsByLanguage(),
		c.projectsByStanding(),
	}
	flag := func(name string, keep func(*Project) bool) {
		if c.Bool(name) {
			filters = append(filters, keep)
		}
	}
	if c.Has("archived") {
		archived := c.Bool("archived")
		filters = append(filters, func(p *Project) bool { return p.archived == archived })
	}
	flag("starred", func(p *Project) bool { return p.starredBy(c.user) })
	flag("with_issues_enabled", func(p *Project) bool { return p.has("issues") })
	flag("with_merge_requests_enabled", func(p *Project) bool { return p.has("merge_requests") })
	attributes := c.byAttributes()
	filters = append(filters, func(p *Project) bool { return !c.admin() || attributes(p.attributes) })
	storage, visibility := c.String("repository_storage"), c.StringIn("visibility", "private", "internal", "public")
	after, before := c.Int64("id_after"), c.Int64("id_before")
	return func(p *Project) bool {
		if storage != "" && c.admin() && p.storage != storage || visibility != "" && p.visibility != visibility {
			return false
		}
		if p.id <= after || p.id >= before && before != 0 {
			return false
		}
		return !slices.ContainsFunc(filters, func(keep func(*Project) bool) bool { return !keep(p) })
	}
}

func (c *call) projectsByText() func(*Project) bool {
	search, namespaces := strings.ToLower(c.String("search")), c.Bool("search_namespaces")
	return func(p *Project) bool {
		words := p.name + "\n" + p.path + "\n" + p.description
		if namespaces {
			words += "\n" + p.fullPath() + "\n" + p.fullName()
		}
		return strings.Contains(strings.ToLower(words), search)
	}
}

// projectsByRole filters by the caller's memberships. An administrator's rights do not
// count.
func (c *call) projectsByRole() func(*Project) bool {
	least := AccessLevel(c.Int64("min_access_level"))
	if !least.valid() {
		c.Problem("min_access_level does not have a valid value")
	}
	if c.Bool("membership") {
		least = max(least, MinimalAccess)
	}
	if c.Bool("owned") {
		least = max(least, Owner)
	}
	return func(p *Project) bool { return least == NoAccess || c.svc.projectMembership(c.user, p) >= least }
}

func (c *call) projectsByTime() func(*Project) bool {
	after, before := c.Time("last_activity_after"), c.Time("last_activity_before")
	since, until := c.Time("updated_after"), c.Time("updated_before")
	if (c.Has("updated_after") || c.Has("updated_before")) && c.String("order_by") != "updated_at" {
		c.Problem("updated_after and updated_before require order_by updated_at")
	}
	return func(p *Project) bool {
		return between(p.lastActivity(), after, before) && between(p.lastActivity(), since, until)
	}
}

// projectsByStanding returns the filter of newer releases. Here, no repository has
// failed a check, no project is hidden, deletions are immediate, and topics have no
// IDs.
func (c *call) projectsByStanding() func(*Project) bool {
	active, marked, imported := c.BoolOr("active", true), c.Time("marked_for_deletion_on"), c.Bool("imported")
	nowhere := c.Bool("repository_checksum_failed") || c.Bool("wiki_checksum_failed") || c.Int64("topic_id") != 0
	frame.Accept(c.Bool, "include_pending_delete", "include_hidden")
	return func(p *Project) bool {
		return !nowhere && (!c.Has("active") || (!p.archived && p.marked.IsZero()) == active) &&
			(marked.IsZero() || sameDay(p.marked, marked)) &&
			(!imported || state[imports](c.svc).of[p] != nil && p.creator == c.user)
	}
}

// between reports whether a time is in a span. A zero beginning or end means no limit.
func between(at, after, before time.Time) bool {
	return (after.IsZero() || !at.Before(after)) && (before.IsZero() || !at.After(before))
}

func (c *call) projectsByTopic() func(*Project) bool {
	topics := c.SplitStrings("topic")
	return func(p *Project) bool {
		for _, topic := range topics {
			if !slices.ContainsFunc(p.topics, func(has string) bool { return strings.EqualFold(has, topic) }) {
				return false
			}
		}
		return true
	}
}

// languages maps extensions of file names to programming languages.
var languages = map[string]string{
	".go": "Go", ".rb": "Ruby", ".py": "Python", ".js": "JavaScript", ".ts": "TypeScript", ".java": "Java",
	".c": "C", ".rs": "Rust", ".sh": "Shell", ".html": "HTML", ".css": "CSS",
}

func (c *call) projectsByLanguage() func(*Project) bool {
	language := c.String("with_programming_language")
	return func(p *Project) bool {
		if language == "" {
			return true
		}
		head := p.repository().Branch(p.defaultBranch)
		return head != nil && slices.ContainsFunc(head.Tree.Paths(), func(name string) bool {
			return strings.EqualFold(languages[path.Ext(name)], language)
		})
	}
}

// sortProjects sorts projects in the order that the call selects, by default newest
// first.
func sortProjects(c *call, projects []*Project) *reply {
	orders := []string{"id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count"}
	if c.admin() {
		orders = append(orders, "repository_size", "storage_size", "packages_size", "wiki_size")
	}
	by := c.StringIn("order_by", orders...)
	sort := c.StringIn("sort", "asc", "desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	search := strings.ToLower(c.String("search"))
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

// similarTo returns how much of a name a search covers.
func similarTo(name, search string) float64 {
	if search == "" || !strings.Contains(strings.ToLower(name), search) {
		return 0
	}
	return float64(len(search)) / float64(len(name))
}

// projectStatistics has sizes in bytes.
type projectStatistics struct {
	CommitCount       int   `json:"commit_count"`
	StorageSize       int64 `json:"storage_size"`
	RepositorySize    int64 `json:"repository_size"`
	WikiSize          int64 `json:"wiki_size"`
	LFSObjectsSize    int64 `json:"lfs_objects_size"`
	JobArtifactsSize  int64 `json:"job_artifacts_size"`
	PipelineArtifacts int64 `json:"pipeline_artifacts_size"`
	PackagesSize      int64 `json:"packages_size"`
	SnippetsSize      int64 `json:"snippets_size"`
	UploadsSize       int64 `json:"uploads_size"`
	RegistrySize      int64 `json:"container_registry_size"`
}

func (p *Project) statistics() *projectStatistics {
	s := new(projectStatistics)
	if head := p.repository().Branch(p.defaultBranch); head != nil {
		s.CommitCount = len(p.repository().Reachable(head))
		for _, entry := range head.Tree {
			s.RepositorySize += int64(len(entry.Blob.Data))
		}
	}
	for _, job := range p.jobs {
		if job.archive != nil {
			s.JobArtifactsSize += job.archive.size
		}
	}
	s.StorageSize = s.RepositorySize + s.JobArtifactsSize
	return s
}

// add adds sizes of another project, for groups.
func (s *projectStatistics) add(other *projectStatistics) {
	s.CommitCount += other.CommitCount
	s.StorageSize += other.StorageSize
	s.RepositorySize += other.RepositorySize
	s.JobArtifactsSize += other.JobArtifactsSize
}

// formerPaths maps the paths that projects had before a rename or a move to the
// projects.
type formerPaths struct{ of map[string]*Project }

// leave records that the project is about to lose its path. It must be called before
// the path changes.
func (p *Project) leave() {
	put(&state[formerPaths](p.svc).of, strings.ToLower(p.fullPath()), p)
}

// leave is like Project.leave, for all projects in the group.
func (g *Group) leave() {
	for i := range g.svc.projects.len() {
		if p := g.svc.projects.at(i); p.within(g) {
			p.leave()
		}
	}
}

// projectNotMoved redirects reads from a former path of a project, and refuses
// everything else there. A new project at that path takes precedence.
func (c *call) projectNotMoved() *reply {
	if !strings.Contains(c.route.template, " /projects/:") || c.pathProject() != nil {
		return nil
	}
	project := state[formerPaths](c.svc).of[strings.ToLower(c.projectName())]
	if project == nil || !c.seesProject(project) {
		return nil
	}
	if c.route.writes() {
		return frame.Message(http.StatusMethodNotAllowed, "Non GET methods are not allowed for moved projects")
	}
	before, after, _ := strings.Cut(c.Self(nil), "/projects/")
	rest := after[strings.IndexAny(after, "/?"):] // the rest after the old path
	address := strings.TrimSuffix(before+"/projects/"+frame.Itoa(project.id)+rest, "?")
	return frame.Message(http.StatusFound, "This resource has been moved temporarily to "+address+".").Set("Location",
		address)
}
