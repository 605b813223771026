package servicetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// Hooks get events about what has changed. When the lock is released after a call, a
// timer or a method of a handle, the records in the change set are compared with what
// hooks know of them. So areas do not know of hooks, and indirect changes count, too,
// such as a merge that closes issues. When the first hook is added, all records become
// known. Without hooks, nothing is kept.

// A hookWatch is the state that hooks know.
type hookWatch struct {
	svc     *Service
	quiet   bool // hooks get nothing, because there were none before
	changed changeSet
	known   map[any]any
	made    map[*Project]bool // projects made by the changes it looks at
	gone    []func()          // report removals
	due     time.Time         // when the clock next changes something; zero if never
	chain   string
	before  map[*Hook]bool // hooks that the chain has already reached
	chains  map[string]map[*Hook]bool
}

// Keys of state that is not a record.
type (
	membersOf   struct{ home any }
	reactionsTo struct{ given *awards }
)

// observe sends hooks the events about what has changed.
func (s *Service) observe() {
	if state[hookState](s).hooks.len() == 0 && s.guard == nil {
		s.watch = nil
		return
	}
	if s.watch == nil {
		s.watch = &hookWatch{svc: s, quiet: true, known: make(map[any]any), chains: make(map[string]map[*Hook]bool)}
		s.touchAll()
	}
	s.watch.look()
	s.watch.quiet = false
	if s.guard != nil {
		s.guard(s.watch)
	}
}

// silently makes a change without telling hooks.
func (s *Service) silently(change func()) {
	s.observe()
	change()
	if s.watch != nil {
		s.watch.quiet = true
		s.observe()
	}
}

// chainOfCall returns the UUID of the chain that the current call belongs to.
func (s *Service) chainOfCall() string {
	if s.chain == "" {
		return s.newUUID()
	}
	return s.chain
}

// saw stores the state of something, and returns the state before.
func (w *hookWatch) saw(key, now any) (before any, known bool) {
	before, known = w.known[key]
	w.known[key] = now
	return before, known
}

// look compares the records that have changed, in the order of the events of one call.
func (w *hookWatch) look() {
	if !w.due.IsZero() && !w.svc.now().Before(w.due) {
		w.due, w.changed.all = time.Time{}, true
	}
	if w.changed.empty() {
		return
	}
	w.chain, w.made = "", make(map[*Project]bool)
	w.derive()
	w.lookAtPlaces()
	w.lookAtRefs()
	requests := lookAt(w, (*MergeRequest).ID, w.lookAtMergeRequest, nil)
	w.lookAtNotes(lookAt(w, (*Issue).ID, w.lookAtIssue, nil), requests)
	lookAt(w, func(r *Release) int64 { return r.id }, w.lookAtRelease, func(r *Release) {
		if w.svc.hasProject(r.project) {
			w.tellRelease(r, "delete")
		}
	})
	lookAt(w, func(p *WikiPage) int64 { return p.id }, w.lookAtWikiPage, func(p *WikiPage) {
		if p.wikiHome.exists() {
			w.tellWikiPage(p, "delete")
		}
	})
	w.lookAtPipelines()
	lookAt(w, (*Deployment).ID, w.lookAtDeployment, nil)
	lookAt(w, (*Milestone).ID, w.lookAtMilestone, func(m *Milestone) {
		if w.svc.exists(m.project) || w.svc.exists(m.group) {
			w.tellMilestone(m, "delete")
		}
	})
	for _, t := range take(&w.changed, (*token).number) {
		w.lookAtToken(t)
	}
	w.tellOfRemovals()
}

// lookAt looks at the records of a kind that have changed, and returns them. After the
// others, it reports known records that are gone.
func lookAt[T comparable](w *hookWatch, number func(T) int64, look, gone func(T)) (seen []T) {
	for _, record := range take(&w.changed, number) {
		if w.svc.exists(record) {
			look(record)
			seen = append(seen, record)
			continue
		}
		if _, known := w.known[record]; known && gone != nil {
			w.gone = append(w.gone, func() { gone(record) })
		}
		delete(w.known, record)
	}
	return seen
}

// tellOfRemovals reports removals.
func (w *hookWatch) tellOfRemovals() {
	for _, tell := range w.gone {
		tell()
	}
	w.gone = nil
}

// derive adds the records whose events depend on those that have changed: on names,
// addresses, branches, pipelines and settings. It removes records that hooks get no
// events about.
func (w *hookWatch) derive() {
	s, all := w.svc, w.changed.all
	if w.changed.all = false; all {
		s.everything(w.changed.add)
		for record := range w.known {
			w.changed.add(record)
		}
	}
	people, places, refs, hooks := false, false, false, false
	var changed changeSet
	for _, record := range w.changed.records {
		switch r := record.(type) {
		case *User:
			_, known := w.known[r]
			people = people || known
		case *Project:
			before, known := w.known[r].(seenProject)
			places = places || known && before.version != r.Changed
		case *Group:
			before, known := w.known[r].(seenGroup)
			places = places || known && before.version != r.Changed
		case gitRef, *Pipeline:
			refs = true
		case *Hook:
			hooks = true
			continue
		case *Note:
			changed.add(r.on)
		case *sshKey, *MergeRequest, *Issue, *Snippet, *commitDiscussion, *Release, *WikiPage, *Job, *Deployment,
			*Milestone, *token:
		default:
			continue
		}
		changed.add(record)
	}
	w.changed = changed
	if all || !people && !places && !refs && !hooks {
		return
	}
	moved := func(g *Group) bool {
		for ; g != nil && places; g = g.parent {
			if changed.has(g) {
				return true
			}
		}
		return false
	}
	in := func(p *Project) bool {
		return places && changed.has(p) || people && changed.has(p.owner) || moved(p.group)
	}
	each(s.groups.all(moved), w.changed.add)
	each(s.projects.all(in), w.changed.add)
	requests := &state[mergeRequestState](s).requests
	for i := range requests.len() {
		m := requests.at(i)
		if hooks || in(m.project) || in(m.source) || refs && changed.moves(m) || people &&
			slices.ContainsFunc(slices.Concat(m.assignees, m.reviewers), func(u *User) bool { return changed.has(u) }) {
			w.changed.add(m)
		}
	}
}

// moves reports whether a branch of a merge request, or a pipeline of its source
// branch, has changed.
func (c *changeSet) moves(m *MergeRequest) bool {
	return slices.ContainsFunc(c.records, func(record any) bool {
		switch r := record.(type) {
		case gitRef:
			return r == gitRef{m.source, "refs/heads/" + m.sourceBranch} ||
				r == gitRef{m.project, "refs/heads/" + m.targetBranch}
		case *Pipeline:
			return r.project == m.source && r.ref == m.sourceBranch
		}
		return false
	})
}

// by returns the user who made the call, or the other user if the service acted by
// itself.
func (w *hookWatch) by(otherwise *User) *User {
	if w.svc.actor != nil {
		return w.svc.actor
	}
	return otherwise
}

// A hookEvent is an event to send.
type hookEvent struct {
	header string // for hooks of projects and groups; "" if only system hooks get it
	on     string // the switch of these hooks
	system string // the switch of system hooks: "always", or "" for no event
	branch string // that the filter of a hook must match

	project *Project // nil for an event about a group
	group   *Group
	body    func() object
}

// tell sends an event to all hooks that want it.
func (w *hookWatch) tell(e hookEvent) {
	if w.quiet {
		return
	}
	var payload []byte
	for _, h := range state[hookState](w.svc).hooks.all(nil) {
		if w.wants(h, e) && w.joins(h) {
			if payload == nil {
				payload = frame.Encode(e.body())
			}
			header := e.header
			if h.home() == any(w.svc) {
				header = "System Hook"
			}
			h.enqueue(&sending{event: header, chain: w.chain, key: w.svc.newUUID(), payload: payload})
		}
	}
}

// wanted reports whether any hook wants an event.
func (w *hookWatch) wanted(e hookEvent) bool {
	hooks := &state[hookState](w.svc).hooks
	for i := range hooks.len() {
		if w.wants(hooks.at(i), e) {
			return true
		}
	}
	return w.svc.guard != nil
}

// wants reports whether a hook wants an event.
func (w *hookWatch) wants(h *Hook, e hookEvent) bool {
	wanted := false
	switch home := h.home().(type) {
	case *Project:
		wanted = e.header != "" && e.project == home && h.on(e.on)
	case *Group:
		within := e.project != nil && e.project.within(home) || e.group != nil && e.group.within(home)
		wanted = e.header != "" && within && h.on(e.on) && w.svc.settings.tier >= Premium
	default:
		wanted = e.system == "always" || e.system != "" && h.on(e.system)
	}
	return wanted && (e.branch == "" || h.wants(e.branch))
}

// maxChain is the number of hooks after which a chain ends.
const maxChain = 100

// joins adds a hook to the chain, unless an earlier event of the chain has reached it.
func (w *hookWatch) joins(h *Hook) bool {
	if w.chain == "" {
		w.chain = w.svc.chainOfCall()
		w.before = maps.Clone(w.chains[w.chain])
	}
	if w.before[h] || len(w.before) >= maxChain {
		return false
	}
	if w.chains[w.chain] == nil {
		w.chains[w.chain] = make(map[*Hook]bool)
	}
	w.chains[w.chain][h] = true
	return true
}

// lookAtRefs reports pushes in alphabetical order: to branches, then to tags, then
// removals. The first commits of a new project are not a push.
func (w *hookWatch) lookAtRefs() {
	of := make(map[*Project][]string)
	for _, ref := range take(&w.changed, func(ref gitRef) int64 { return ref.project.id }) {
		of[ref.project] = append(of[ref.project], ref.name)
	}
	for _, p := range slices.SortedFunc(maps.Keys(of), func(a, b *Project) int { return cmp.Compare(a.id, b.id) }) {
		w.lookAtRefsOf(p, of[p])
	}
}

func (w *hookWatch) lookAtRefsOf(p *Project, names []string) {
	if !w.svc.hasProject(p) {
		return
	}
	r, now := p.repository(), make(map[string]string)
	for _, name := range names {
		if c := r.Branch(strings.TrimPrefix(name, "refs/heads/")); strings.HasPrefix(name, "refs/heads/") {
			now[name] = shaOf(c)
		} else if tag := r.Tag(strings.TrimPrefix(name, "refs/tags/")); tag != nil {
			now[name] = tag.ID
		}
	}
	slices.Sort(names)
	names = slices.Concat(
		slices.DeleteFunc(slices.Clone(names), func(name string) bool { return now[name] == "" }),
		slices.DeleteFunc(names, func(name string) bool { return now[name] != "" }))
	var changed []object
	for _, name := range names {
		before, _ := w.saw(gitRef{p, name}, now[name])
		was, _ := before.(string)
		if was == now[name] || w.made[p] {
			continue
		}
		changed = append(changed,
			object{"before": either(was, noHash), "after": either(now[name], noHash), "ref": name})
		w.push(p, name, was, now[name])
	}
	if len(changed) > 0 {
		w.tellRepositoryUpdate(p, changed)
	}
}

// push reports a push to one branch or tag. System hooks get no commits.
func (w *hookWatch) push(p *Project, ref, before, after string) {
	e := hookEvent{header: "Push Hook", on: "push_events", project: p}
	e.branch, _ = strings.CutPrefix(ref, "refs/heads/")
	if strings.HasPrefix(ref, "refs/tags/") {
		e.header, e.on, e.branch = "Tag Push Hook", "tag_push_events", ""
	}
	e.body = func() object { return p.pushBody(w.by(p.creatorOrRoot()), ref, before, after) }
	w.tell(e)
	w.tell(hookEvent{system: e.on, branch: e.branch, project: p, body: func() object {
		body := e.body()
		body["commits"] = []any{}
		return body
	}})
}

// creatorOrRoot returns the user for pushes outside calls.
func (p *Project) creatorOrRoot() *User {
	if p.creator != nil {
		return p.creator
	}
	return p.svc.admin
}

func (w *hookWatch) tellRepositoryUpdate(p *Project, changes []object) {
	w.tell(hookEvent{system: "repository_update_events", project: p, body: func() object {
		by := w.by(p.creatorOrRoot()).shown()
		refs := mapped(changes, func(change object) any { return change["ref"] })
		body := object{
			"event_name": "repository_update", "user_id": idOf(by), "user_name": "", "user_email": "",
			"user_avatar": "", "project_id": p.id, "project": p.hookProject(true), "changes": changes, "refs": refs,
		}
		if by != nil {
			body["user_name"], body["user_email"], body["user_avatar"] = by.name, by.email, by.summary().AvatarURL
		}
		return body
	}})
}

// A seenMergeRequest is what hooks know of a merge request. It is empty if no hook
// wants its events.
type seenMergeRequest struct {
	form     object
	head     string
	approved []*User
	whole    bool // it has the approvals that it needs
}

// mergeRequestMembers are the members that make an update when they change.
var mergeRequestMembers = []string{
	"title", "description", "labels", "assignee_ids", "reviewer_ids", "milestone_id", "draft", "target_branch",
	"time_estimate", "total_time_spent",
}

func (w *hookWatch) lookAtMergeRequest(m *MergeRequest) {
	if m.preparing {
		return // the open event is sent when the diff is ready
	}
	w.wake(m.mergeAfter)
	e := hookEvent{header: "Merge Request Hook", on: "merge_requests_events", system: "merge_requests_events",
		project: m.project}
	if !w.wanted(e) {
		w.saw(m, seenMergeRequest{})
		return
	}
	now := seenMergeRequest{m.hookState(m.hookForm()), m.headSHA(), slices.Clone(m.approvals()), m.isApproved()}
	seen, known := w.saw(m, now)
	before, _ := seen.(seenMergeRequest)
	if known && before.form == nil {
		return
	}
	action, oldrev := "open", ""
	if known {
		action, oldrev = before.action(m, now)
	}
	if action == "" {
		return
	}
	by := m.author
	if action == "merge" {
		by = m.mergeUser
	}
	tell := func(body object) {
		e.body = func() object { return body }
		w.tell(e)
	}
	body := m.mergeRequestBody(w.by(by), action, before.form, oldrev)
	if before.pushed(m, now) && len(now.approved) < len(before.approved) {
		tell(m.mergeRequestBody(w.by(by), "update", before.form, before.head))
		form := body["object_attributes"].(object)
		form["system"], form["system_action"] = true, "approvals_reset_on_push"
	}
	tell(body)
}

// pushed reports whether there are new commits.
func (before seenMergeRequest) pushed(m *MergeRequest, now seenMergeRequest) bool {
	return m.state == "opened" && before.head != "" && now.head != "" && before.head != now.head
}

// action says what happened to a merge request, or returns "" if hooks get no event
// about it.
func (before seenMergeRequest) action(m *MergeRequest, now seenMergeRequest) (action, oldrev string) {
	changes := changesBetween(before.form, now.form)
	more := len(now.approved) - len(before.approved)
	switch {
	case changes["state"] != nil:
		return map[string]string{"merged": "merge", "closed": "close", "opened": "reopen"}[m.state], ""
	case more > 0 && now.whole:
		return "approved", ""
	case more > 0:
		return "approval", ""
	case more < 0 && before.whole && !now.whole:
		return "unapproved", ""
	case more < 0:
		return "unapproval", ""
	case before.pushed(m, now):
		return "update", before.head
	case changes["blocking_discussions_resolved"] != nil && m.discussionsResolved():
		return "update", ""
	case slices.ContainsFunc(mergeRequestMembers, func(name string) bool { return changes[name] != nil }):
		return "update", ""
	}
	return "", ""
}

var issueMembers = []string{
	"title", "description", "labels", "assignee_ids", "milestone_id", "confidential", "discussion_locked", "due_date",
	"weight", "type", "time_estimate", "total_time_spent",
}

func (w *hookWatch) lookAtIssue(i *Issue) {
	e := hookEvent{header: "Issue Hook", on: "issues_events", project: i.project}
	if i.confidential {
		e.header, e.on = "Confidential Issue Hook", "confidential_issues_events"
	}
	seen, known := w.saw(i, *i)
	if !w.wanted(e) {
		return
	}
	action, before := "open", object(nil)
	if was, _ := seen.(Issue); known {
		before = was.hookState(was.hookForm())
		changes := changesBetween(before, i.hookState(i.hookForm()))
		switch {
		case changes["state"] != nil:
			action = map[string]string{"closed": "close", "opened": "reopen"}[i.state]
		case slices.ContainsFunc(issueMembers, func(name string) bool { return changes[name] != nil }):
			action = "update"
		default:
			return
		}
	}
	e.body = func() object { return i.issueBody(w.by(i.author), action, before) }
	w.tell(e)
}

// lookAtPipelines reports each pipeline, and then its jobs.
func (w *hookWatch) lookAtPipelines() {
	jobs := make(map[*Pipeline][]*Job)
	for _, j := range take(&w.changed, (*Job).ID) {
		if !j.bridge && j.external == nil {
			jobs[j.pipeline] = append(jobs[j.pipeline], j)
			w.changed.add(j.pipeline)
		}
	}
	lookAt(w, (*Pipeline).ID, func(p *Pipeline) {
		p.settle()
		before, _ := w.saw(p, p.status)
		if before != p.status && p.status != "created" && !p.user.isBlocked() {
			w.tell(hookEvent{header: "Pipeline Hook", on: "pipeline_events", project: p.project, body: p.pipelineBody})
		}
		for _, j := range jobs[p] {
			w.lookAtJob(j)
		}
	}, nil)
}

func (w *hookWatch) lookAtJob(j *Job) {
	before, known := w.saw(j, j.status)
	if before == j.status || j.user.isBlocked() {
		return
	}
	statuses := []string{j.status}
	if !known && j.status != "created" && j.plan != nil {
		statuses = []string{"created", j.status} // made and started in one call
	}
	for _, status := range statuses {
		w.tell(hookEvent{header: "Job Hook", on: "job_events", project: j.pipeline.project,
			body: func() object { return j.jobBody(status) }})
	}
}

// isBlocked reports whether a user is blocked.
func (u *User) isBlocked() bool { return u != nil && strings.HasSuffix(u.state, "blocked") }

func (w *hookWatch) lookAtDeployment(d *Deployment) {
	before, _ := w.saw(d, d.status)
	if before != d.status && slices.Contains([]string{"running", "success", "failed", "canceled"}, d.status) {
		w.tell(hookEvent{header: "Deployment Hook", on: "deployment_events", project: d.environment.project,
			body: d.deploymentBody})
	}
}

func (w *hookWatch) lookAtMilestone(m *Milestone) {
	before, known := w.saw(m, m.closed)
	action := map[bool]string{true: "close", false: "reopen"}[m.closed]
	if !known {
		action = "create"
	}
	if before != m.closed {
		w.tellMilestone(m, action)
	}
}

func (w *hookWatch) tellMilestone(m *Milestone, action string) {
	w.tell(hookEvent{header: "Milestone Hook", on: "milestone_events", project: m.project, group: m.group,
		body: func() object { return m.milestoneBody(action) }})
}

// wake makes hooks look at everything when the clock reaches a time.
func (w *hookWatch) wake(at time.Time) {
	if at.After(w.svc.now()) && (w.due.IsZero() || at.Before(w.due)) {
		w.due = at
	}
}
