package servicetest

import (
	"cmp"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// maxSearch is the maximum length of a search string, in characters.
const maxSearch = 4096

// advancedScopes are the scopes that basic search has only in a single project.
// Elsewhere they need advanced search.
var advancedScopes = []string{"wiki_blobs", "commits", "blobs", "notes"}

// A search says what a call looks for, and where.
type search struct {
	*call

	scope, text, kind string
	ref, state        string
	regex             bool
	confidential      bool
	archived, noForks bool
	ascending         bool
	onlyTitles        bool
	project           *Project // nil for the instance or a group
	group             *Group   // nil for the instance
}

func searchInstance(c *call) *reply {
	return c.searchFor(&search{}, "projects", "issues", "merge_requests", "milestones", "snippet_titles", "users")
}

func searchGroup(c *call, group *Group) *reply {
	return c.searchFor(&search{group: group}, "projects", "issues", "merge_requests", "milestones", "users")
}

func searchProject(c *call, project *Project) *reply {
	return c.searchFor(&search{project: project}, "issues", "merge_requests", "milestones", "users")
}

// searchFor serves a search for the scopes of a level and for the advanced scopes.
func (c *call) searchFor(s *search, scopes ...string) *reply {
	c.Require("scope", "search")
	s.call, s.text = c, strings.TrimSpace(c.String("search"))
	s.scope = c.StringIn("scope", slices.Concat(scopes, advancedScopes)...)
	s.kind = c.StringIn("search_type", "basic", "advanced", "zoekt")
	s.regex = c.Bool("regex")
	s.state = c.StringIn("state", "all", "opened", "closed", "merged")
	s.confidential = c.Bool("confidential")
	s.archived, s.noForks = c.Bool("include_archived"), c.Bool("exclude_forks")
	frame.AcceptIn(c.StringIn, "order_by", "created_at")
	s.ascending = c.StringIn("sort", "asc", "desc") == "asc"
	if s.project != nil {
		s.ref = c.String("ref")
	}
	s.onlyTitles = len(c.StringsIn("fields", "title")) > 0
	if refusal := cmp.Or(c.Refusal(), s.refuse()); refusal != nil {
		return refusal
	}
	found := s.find()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return found.Set("X-Search-Type", s.kind)
}

// refuse refuses an invalid string, or a scope that needs another kind of search.
func (s *search) refuse() *reply {
	problem := ""
	advanced := s.project == nil && slices.Contains(advancedScopes, s.scope)
	switch {
	case s.text == "":
		return frame.JSONReply(http.StatusBadRequest, object{"error": "search is empty"})
	case utf8.RuneCountInString(s.text) > maxSearch:
		problem = "Search query is too long (maximum is 4096 characters)"
	case advanced && (s.svc.settings.tier < Premium || s.kind == "basic"):
		problem = "Scope supported only with advanced search"
		if s.scope == "blobs" {
			problem += " or exact code search"
		}
	}
	if problem != "" {
		return frame.JSONReply(http.StatusBadRequest, object{"message": object{"error": problem}})
	}
	s.kind = either(s.kind, map[bool]string{true: "advanced", false: "basic"}[advanced])
	return nil
}

// find returns a page of results.
func (s *search) find() *reply {
	switch s.scope {
	case "projects":
		return s.projects()
	case "issues":
		return s.issues()
	case "merge_requests":
		return s.mergeRequests()
	case "milestones":
		return s.milestones()
	case "snippet_titles":
		return s.snippetTitles()
	case "users":
		return s.users()
	case "notes":
		return s.notes()
	case "commits":
		return s.commits()
	}
	return s.blobs()
}

// places returns the projects to search: all that the caller can see, but archived ones
// only on request.
func (s *search) places() []*Project {
	if s.project != nil {
		return []*Project{s.project}
	}
	return s.svc.projects.all(func(p *Project) bool {
		return s.svc.canSeeProject(s.user, p) && (s.group == nil || p.within(s.group)) && (s.archived || !p.archived) &&
			!(s.noForks && s.scope == "blobs" && p.forkedFrom != nil)
	})
}

// parts returns the searched projects in which the caller may see a part.
func (s *search) parts(part string) []*Project {
	return slices.DeleteFunc(s.places(), func(p *Project) bool { return !p.serves(s.user, part) })
}

// matches reports whether one of the fields contains the search string.
func (s *search) matches(fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return frame.ContainsFold(field, s.text) })
}

// matchesTopic reports whether the search finds an issue or a merge request: by its
// texts or, after the sign, by its number.
func (s *search) matchesTopic(t *topic, sign string, iid int64) bool {
	if strings.TrimPrefix(s.text, sign) == strconv.FormatInt(iid, 10) || s.matches(t.title) {
		return true
	}
	return !s.onlyTitles && s.matches(t.description)
}

// ordered sorts results by the time of creation.
func ordered[T any](s *search, found []T, at func(T) (time.Time, int64)) []T {
	slices.SortFunc(found, func(a, b T) int {
		if !s.ascending {
			a, b = b, a
		}
		timeA, idA := at(a)
		timeB, idB := at(b)
		return cmp.Or(timeA.Compare(timeB), cmp.Compare(idA, idB))
	})
	return found
}

// wants reports whether the search includes issues or merge requests in a state.
func (s *search) wants(state string) bool {
	return s.state == "" || s.state == "all" || s.state == state
}

func (s *search) projects() *reply {
	found := slices.DeleteFunc(s.places(), func(p *Project) bool { return !s.matches(p.name, p.path, p.description) })
	ordered(s, found, func(p *Project) (time.Time, int64) { return p.createdAt, p.id })
	return frame.CachedListOf(s.call, found, func(p *Project) *encoded { return s.projectForm(p, true) })
}

func (s *search) issues() *reply {
	asked := s.Has("confidential")
	var found []*Issue
	for _, p := range s.parts("issues") {
		found = append(found, p.issues().all(func(i *Issue) bool {
			return i.visibleTo(s.user) && s.wants(i.state) &&
				(!asked || i.confidential == s.confidential) && s.matchesTopic(&i.topic, "#", i.iid)
		})...)
	}
	ordered(s, found, func(i *Issue) (time.Time, int64) { return i.createdAt, i.id })
	return frame.ListOf(s.call, found, func(i *Issue) *issueJSON { return i.json(false) })
}

func (s *search) mergeRequests() *reply {
	var found []*MergeRequest
	for _, p := range s.parts("merge_requests") {
		found = append(found, p.mergeRequests().all(func(m *MergeRequest) bool {
			return s.wants(m.state) && s.matchesTopic(&m.topic, "!", m.iid)
		})...)
	}
	ordered(s, found, func(m *MergeRequest) (time.Time, int64) { return m.createdAt, m.id })
	return frame.ListOf(s.call, found, func(m *MergeRequest) any { return m.json(false) })
}

func (s *search) milestones() *reply {
	var found []*Milestone
	for _, p := range s.places() {
		if p.serves(s.user, "issues") || p.serves(s.user, "merge_requests") {
			found = append(found, state[milestoneState](s.svc).milestones.all(func(m *Milestone) bool {
				return m.project == p && s.matches(m.title, m.description)
			})...)
		}
	}
	ordered(s, found, func(m *Milestone) (time.Time, int64) { return m.createdAt, m.id })
	return frame.ListOf(s.call, found, func(m *Milestone) any { return m.json() })
}

func (s *search) snippetTitles() *reply {
	found := state[snippetState](s.svc).snippets.all(func(n *Snippet) bool {
		return s.canRead(n) && s.matches(n.title)
	})
	ordered(s, found, func(n *Snippet) (time.Time, int64) { return n.createdAt, n.id })
	return frame.ListOf(s.call, found, func(n *Snippet) any { return snippets.Form(s.call, n.project, n) })
}

// users finds users of the instance, or the members of a project, or of a group and
// everything below it.
func (s *search) users() *reply {
	found := s.svc.users.all(func(u *User) bool {
		if u.internal || u.gone || !s.matches(u.name, u.username, u.publicEmail) {
			return false
		}
		switch {
		case s.project != nil:
			return s.svc.projectMembership(u, s.project) > NoAccess
		case s.group != nil:
			return s.svc.groupMembership(u, s.group) > NoAccess || len(s.svc.membershipsBelow(s.group, u.id)) > 0
		}
		return true
	})
	ordered(s, found, func(u *User) (time.Time, int64) { return u.createdAt, u.id })
	return frame.ListOf(s.call, found, (*User).summary)
}

// A foundNote is a comment and its object.
type foundNote struct {
	*Note

	on *noteable
}

func (s *search) notes() *reply {
	var found []foundNote
	add := func(target any) {
		if !s.svc.canReadTarget(s.user, target) {
			return
		}
		on := noteableOf(target)
		on.level = s.svc.projectLevel(s.user, on.project())
		for _, n := range on.notes {
			if !n.system && on.shows(n, s.user) && s.matches(n.body) {
				found = append(found, foundNote{n, on})
			}
		}
	}
	for _, p := range s.places() {
		for _, i := range p.issues().all(nil) {
			add(i)
		}
		for _, m := range p.mergeRequests().all(nil) {
			add(m)
		}
		for _, n := range state[snippetState](s.svc).snippets.all(func(n *Snippet) bool { return n.project == p }) {
			add(n)
		}
	}
	ordered(s, found, func(n foundNote) (time.Time, int64) { return n.createdAt, n.id })
	return frame.ListOf(s.call, found, func(n foundNote) any { return n.json(n.on) })
}

// A foundCommit is a commit and its repository.
type foundCommit struct {
	*gitrepo.Commit

	in *repository
}

func (s *search) commits() *reply {
	var found []foundCommit
	for _, p := range s.parts("repository") {
		r := p.repository()
		commits, _ := r.Range(either(s.ref, "HEAD"))
		for _, c := range commits {
			if s.matches(c.Message) {
				found = append(found, foundCommit{c, r})
			}
		}
	}
	ordered(s, found, func(c foundCommit) (time.Time, int64) { return c.Committer.At, 0 })
	return frame.ListOf(s.call, found, func(c foundCommit) *commitObject {
		o := c.in.commitObject(c.Commit)
		o.withStatus(c.in, c.Commit)
		o.withLastPipeline(c.in, c.Commit)
		return o
	})
}

// blobs finds places in the files of repositories, or of wikis.
func (s *search) blobs() *reply {
	words, only := blobFilters(s.text)
	pattern := regexp.QuoteMeta(words)
	if s.regex {
		pattern = words
	}
	expression, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		problem := object{"error": "The regular expression is not valid"}
		return frame.JSONReply(http.StatusBadRequest, object{"message": problem})
	}
	found := []object{}
	if s.scope == "wiki_blobs" {
		for _, p := range s.parts("wiki") {
			found = append(found, placesIn(p, p.wiki().tree(s.ref), either(s.ref, wikiBranch), expression, only)...)
		}
		return frame.ListOf(s.call, found, func(o object) object { return o })
	}
	for _, p := range s.parts("repository") {
		ref := either(s.ref, p.defaultBranch)
		if head := p.repository().Resolve(ref); head != nil {
			found = append(found, placesIn(p, head.Tree, ref, expression, only)...)
		}
	}
	return frame.ListOf(s.call, found, func(o object) object { return o })
}

// filterWord matches filters such as extension:go.
var filterWord = regexp.MustCompile(`(?:^|\s)(filename|path|extension):(\S+)`)

// blobFilters removes the filters from a search string, and returns a condition for
// paths.
func blobFilters(text string) (words string, only func(string) bool) {
	filters := filterWord.FindAllStringSubmatch(text, -1)
	return strings.TrimSpace(filterWord.ReplaceAllString(text, "")), func(name string) bool {
		for _, f := range filters {
			value := strings.ToLower(map[string]string{
				"filename": path.Base(name), "path": name, "extension": strings.TrimPrefix(path.Ext(name), "."),
			}[f[1]])
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.ToLower(f[2])), `\*`, ".*")
			if f[1] == "extension" {
				pattern = "^" + pattern + "$"
			}
			if !regexp.MustCompile(pattern).MatchString(value) {
				return false
			}
		}
		return true
	}
}

// around is how many lines a result shows before and after the match.
const around = 2

// placesIn returns the files whose names match, and then the lines that match, with the
// lines around them.
func placesIn(p *Project, tree gitrepo.Tree, ref string, text *regexp.Regexp, only func(string) bool) []object {
	var names, places []object
	for _, name := range tree.Paths() {
		if !only(name) || !tree[name].IsText() {
			continue
		}
		lines := tree[name].Lines()
		show := func(from, to int) object {
			return object{
				"basename": strings.TrimSuffix(name, path.Ext(name)), "data": strings.Join(lines[from:to], ""),
				"path":     name,
				"filename": name, "id": nil, "ref": ref, "startline": from + 1, "project_id": p.id, "group_id": nil,
			}
		}
		if text.MatchString(name) {
			names = append(names, show(0, min(1+around, len(lines))))
		}
		for from := 0; from < len(lines); from++ {
			if !text.MatchString(lines[from]) {
				continue
			}
			to := min(from+1+around, len(lines))
			places = append(places, show(max(0, from-around), to))
			from = to - 1
		}
	}
	return append(names, places...)
}
