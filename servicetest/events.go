package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// eventState keeps the events of a service.
type eventState struct{ events table[*event] }

// An event is something that a user did. See follow.
type event struct {
	id       int64
	project  *Project
	author   *User
	action   string // as in the filter
	at       time.Time
	target   any   // nil for pushes and members
	note     *Note // on the target
	push     *push
	imported bool
}

// A push describes a change of a branch or a tag.
type push struct {
	kind, name string // branch or tag
	from, to   string // hashes, or ""
	title      string
	commits    int
	refs       int // number of refs, if one push stands for several; nothing else is known of them
}

// pushOf describes the change of a branch or a tag.
func (p *Project) pushOf(ref, before, after string) *push {
	made := &push{kind: "tag", name: strings.TrimPrefix(ref, "refs/tags/"), from: before, to: after}
	if name, isBranch := strings.CutPrefix(ref, "refs/heads/"); isBranch {
		made.kind, made.name = "branch", name
		_, made.commits = p.pushedCommits(p.repository(), ref, before, after)
	}
	if head := p.repository().Commit(after); head != nil {
		made.title = head.Title()
	}
	return made
}

func (p *push) action() string {
	switch {
	case p.from == "":
		return "created"
	case p.to == "":
		return "removed"
	}
	return "pushed"
}

// joinedPushes joins many pushes of a kind into one.
func joinedPushes(pushes []*push) []*push {
	if len(pushes) <= maxPushed {
		return pushes
	}
	var joined []*push
	for _, p := range pushes {
		at := slices.IndexFunc(joined, func(j *push) bool { return j.kind == p.kind && j.action() == p.action() })
		if at < 0 {
			at = len(joined)
			joined = append(joined, &push{kind: p.kind, from: p.from, to: p.to})
		}
		joined[at].refs++
	}
	return joined
}

func (p *push) json() object {
	o := object{
		"commit_count": p.commits, "action": p.action(), "ref_type": p.kind, "commit_from": jsonText(p.from),
		"commit_to": jsonText(p.to), "ref": jsonText(p.name), "commit_title": jsonText(p.title), "ref_count": nil,
	}
	if p.refs > 0 {
		o["commit_from"], o["commit_to"], o["ref_count"] = nil, nil, p.refs
	}
	return o
}

// name returns what the user did, as the API names it.
func (e *event) name() string {
	_, isProject := e.target.(*Project)
	switch {
	case e.push != nil:
		return map[string]string{"created": "pushed new", "removed": "deleted", "pushed": "pushed to"}[e.push.action()]
	case isProject && e.imported:
		return "imported"
	case isProject:
		return "created"
	}
	switch e.action {
	case "merged":
		return "accepted"
	case "expired":
		return "removed due to membership expiration from"
	case "commented":
		return "commented on"
	case "created", "reopened":
		return "opened"
	}
	return e.action
}

// kind returns the kind of the target, as the filter names it.
func (e *event) kind() string {
	if e.note != nil {
		return "note"
	}
	switch e.target.(type) {
	case *Issue:
		return "issue"
	case *MergeRequest:
		return "merge_request"
	case *Milestone:
		return "milestone"
	case *Project:
		return "project"
	}
	return ""
}

func (e *event) json() object {
	o := object{
		"id": e.id, "project_id": e.project.id, "action_name": e.name(), "target_id": nil, "target_iid": nil,
		"target_type": nil, "target_title": nil, "created_at": jsonTime(e.at), "imported": e.imported,
		"imported_from": "none",
	}
	author := e.author.summary()
	o["author_id"], o["author"], o["author_username"] = author.ID, author, author.Username
	if e.push != nil {
		o["push_data"] = e.push.json()
	}
	e.showTarget(o)
	return o
}

// showTarget adds what an event is about.
func (e *event) showTarget(o object) {
	show := func(kind string, id, iid int64, title string) {
		o["target_type"], o["target_id"], o["target_iid"], o["target_title"] = kind, id, iid, title
	}
	switch t := e.target.(type) {
	case *Issue:
		show("Issue", t.id, t.iid, t.title)
	case *MergeRequest:
		show("MergeRequest", t.id, t.iid, t.title)
	case *Snippet:
		show("Snippet", t.id, t.id, t.title)
	case *Project:
		show("Project", t.id, t.id, t.name)
	case *Milestone:
		show("Milestone", t.id, t.iid, t.title)
		if _, still := state[milestoneState](t.svc).milestones.get(t.id); !still {
			o["target_id"], o["target_iid"], o["target_title"] = nil, nil, nil
		}
	case *commitDiscussion:
		o["target_title"] = t.commit.Title()
	}
	if n := e.note; n != nil {
		show(either(string(n.kind()), "Note"), n.id, n.id, o["target_title"].(string))
		o["note"] = n.json(noteableOf(e.target))
	}
}

// exists reports whether the event still has its target. Events of issues, merge
// requests, comments and projects go with them.
func (e *event) exists(s *Service) bool {
	if !s.hasProject(e.project) || e.author.shown() == nil {
		return false
	}
	return s.hasTarget(e.target) && (e.note == nil || !e.note.deleted)
}

// hasTarget reports whether what an event or a to-do item is about exists.
func (s *Service) hasTarget(target any) bool {
	still := true
	switch t := target.(type) {
	case *Issue:
		_, still = state[issueState](s).issues.get(t.id)
	case *MergeRequest:
		_, still = state[mergeRequestState](s).requests.get(t.id)
	case *Snippet:
		_, still = state[snippetState](s).snippets.get(t.id)
	case *Epic:
		_, still = state[epicState](s).epics.get(t.id)
	}
	return still
}

// canReadTarget reports whether a user may read what an event or a to-do item is about.
func (s *Service) canReadTarget(user *User, target any) bool {
	in := func(p *Project, part string) bool {
		return s.hasProject(p) && s.canSeeProject(user, p) && p.serves(user, part)
	}
	switch t := target.(type) {
	case *Issue:
		return in(t.project, "issues") && t.visibleTo(user)
	case *MergeRequest:
		return in(t.project, "merge_requests")
	case *Snippet:
		return (t.project == nil || in(t.project, "snippets")) && t.visibleTo(user)
	case *commitDiscussion:
		return in(t.project, "repository")
	case *Milestone:
		return in(t.project, "issues") || in(t.project, "merge_requests")
	case *Epic:
		return s.canSeeGroup(user, t.group) && t.visibleTo(user)
	}
	return true
}

// visibleTo reports whether a user may see an event.
func (e *event) visibleTo(user *User) bool {
	s := e.project.svc
	switch {
	case !s.canSeeProject(user, e.project), !s.canReadTarget(user, e.target):
		return false
	case e.push != nil && !e.project.serves(user, "repository"):
		return false
	}
	return e.note == nil || !e.note.confidential || e.note.author == user || s.projectLevel(user, e.project) >= Reporter
}

var (
	eventActions = []string{
		"created", "updated", "closed", "reopened", "pushed", "commented", "merged", "joined", "left", "destroyed",
		"expired",
		"approved",
	}
	eventTargets = strings.Fields("issue milestone merge_request note project snippet user wiki design epic")
)

// eventList returns a page of the events that a function accepts. Events that the
// caller may not see are removed from the page.
func (c *call) eventList(of func(*event) bool) *reply {
	c.svc.follow(nil)
	action, kind := c.StringIn("action", eventActions...), c.StringIn("target_type", eventTargets...)
	before, after := c.Time("before"), c.Time("after")
	ascending := c.StringIn("sort", "asc", "desc") == "asc"
	found := state[eventState](c.svc).events.all(func(e *event) bool {
		day := e.at.UTC().Truncate(24 * time.Hour)
		return e.exists(c.svc) && of(e) && (action == "" || e.action == action) && (kind == "" || e.kind() == kind) &&
			(before.IsZero() || day.Before(before)) && (after.IsZero() || day.After(after))
	})
	if !ascending {
		slices.Reverse(found)
	}
	return listVisible(c, found, func(e *event) bool { return e.visibleTo(c.user) }, (*event).json)
}

// listVisible returns a page of a list without the items that are not visible. So the
// page may not be full.
func listVisible[T any](c *call, items []T, visible func(T) bool, form func(T) object) *reply {
	whole := frame.ListOf(c, items, func(T) object { return nil })
	if whole.Status != 200 {
		return whole
	}
	page, perPage := c.PageNumbers()
	from := min((page-1)*perPage, len(items))
	shown := []object{}
	for _, item := range items[from:min(from+perPage, len(items))] {
		if visible(item) {
			shown = append(shown, form(item))
		}
	}
	answer := c.OK(shown)
	answer.Header = whole.Header
	return answer
}

func listOwnEvents(c *call) *reply {
	if c.StringIn("scope", "all") == "all" {
		return c.eventList(func(e *event) bool {
			return e.author == c.user || c.svc.projectMembership(c.user, e.project) > NoAccess
		})
	}
	return c.eventList(func(e *event) bool { return e.author == c.user })
}

func listUserEvents(c *call) *reply {
	user := c.svc.findUser(c.PathString("id_or_username"))
	if user == nil {
		return frame.NotFound("User")
	}
	hidden := user.privateProfile && user != c.user && !c.admin()
	return c.eventList(func(e *event) bool { return e.author == user && !hidden })
}

func listProjectEvents(c *call, project *Project) *reply {
	return c.eventList(func(e *event) bool { return e.project == project })
}
