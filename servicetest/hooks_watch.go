package servicetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// Hooks are told of what has changed since they were last told: after each call, each
// timer and each method of a handle, the state is compared with that of before. So no
// area has to know of hooks, and whatever changes the state is seen, such as a merge
// that closes issues. Without hooks, nothing is compared.

// A hookWatch is the state that hooks were told of.
type hookWatch struct {
	svc    *Service
	quiet  bool // hooks are not told, because there were none before
	known  map[any]any
	next   map[any]any
	order  []any // the keys of next
	was    []any // those of known
	chain  string
	before map[*Hook]bool // those that the chain has reached before
	chains map[string]map[*Hook]bool
}

// These are the keys of what is not a record.
type (
	watchedRef struct {
		project *Project
		name    string
	}
	watchedMember struct {
		home any
		user *User
	}
	watchedRequest watchedMember // for access
)

// observe tells hooks of what has changed.
func (s *Service) observe() {
	if state[hookState](s).hooks.len() == 0 {
		s.watch = nil
		return
	}
	w := s.watch
	if w == nil {
		w = &hookWatch{svc: s, chains: make(map[string]map[*Hook]bool)}
		s.watch = w
	}
	w.quiet, w.chain = w.known == nil, ""
	w.next, w.order, w.was = make(map[any]any, len(w.known)), nil, w.order
	w.look()
	w.known, w.next = w.next, nil
}

// silently makes a change that hooks are not told of.
func (s *Service) silently(change func()) {
	s.observe()
	change()
	if s.watch != nil {
		s.watch.known, s.watch.order = nil, nil
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

// saw notes the state of something, and returns what it was before.
func (w *hookWatch) saw(key, now any) (before any, known bool) {
	before, known = w.known[key]
	w.next[key] = now
	w.order = append(w.order, key)
	return before, known
}

// look compares the state, in the order in which one call causes events.
func (w *hookWatch) look() {
	w.lookAtPlaces()
	for i := range w.svc.projects.len() {
		w.lookAtRefs(w.svc.projects.at(i))
	}
	for _, m := range state[mergeRequestState](w.svc).requests.all(nil) {
		w.lookAtMergeRequest(m)
	}
	for _, i := range state[issueState](w.svc).issues.all(nil) {
		w.lookAtIssue(i)
	}
	w.lookAtNotes()
	w.lookAtReleases()
	w.lookAtWikis()
	for _, p := range state[pipelineState](w.svc).pipelines.all(nil) {
		w.lookAtPipeline(p)
	}
	for _, d := range state[deploymentState](w.svc).deployments.all(nil) {
		w.lookAtDeployment(d)
	}
	for _, m := range state[milestoneState](w.svc).milestones.all(nil) {
		w.lookAtMilestone(m)
	}
	w.lookAtTokens()
	w.lookForRemovals()
}

// by returns the user who made the call, or another one if the service did it itself.
func (w *hookWatch) by(otherwise *User) *User {
	if w.svc.actor != nil {
		return w.svc.actor
	}
	return otherwise
}

// A hookEvent is what hooks are told of.
type hookEvent struct {
	header string // for hooks of projects and groups; "" if only system hooks get it
	on     string // the switch of these
	system string // that of system hooks; "always", or "" if they do not get it
	branch string // that the filter of a hook must fit

	project *Project // that it is about; nil for one about a group
	group   *Group
	body    object
}

// tell sends an event to all hooks that want it.
func (w *hookWatch) tell(e hookEvent) {
	if w.quiet {
		return
	}
	payload := frame.Encode(e.body)
	for _, h := range state[hookState](w.svc).hooks.all(nil) {
		if w.reaches(h, e) {
			header := e.header
			if h.home() == any(w.svc) {
				header = "System Hook"
			}
			h.enqueue(&sending{event: header, chain: w.chain, key: w.svc.newUUID(), payload: payload})
		}
	}
}

// reaches reports whether a hook gets an event, and notes that its chain has reached
// the hook.
func (w *hookWatch) reaches(h *Hook, e hookEvent) bool {
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
	if !wanted || e.branch != "" && !h.wants(e.branch) {
		return false
	}
	return w.joins(h)
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

// lookAtRefs tells of pushes.
func (w *hookWatch) lookAtRefs(p *Project) {
	r := p.repository()
	var changed []object
	push := func(ref, before, after string) {
		changed = append(changed, object{"before": either(before, noHash), "after": either(after, noHash), "ref": ref})
		w.push(p, ref, before, after)
	}
	_, old := w.known[p]
	look := func(ref, sha string) {
		before, _ := w.saw(watchedRef{p, ref}, sha)
		if was, _ := before.(string); old && was != sha {
			push(ref, was, sha)
		}
	}
	for _, name := range r.Branches() {
		look("refs/heads/"+name, r.Branch(name).SHA)
	}
	for _, name := range r.Tags() {
		look("refs/tags/"+name, r.Tag(name).ID)
	}
	for _, key := range w.was {
		if ref, ok := key.(watchedRef); ok && ref.project == p && w.next[ref] == nil {
			push(ref.name, w.known[ref].(string), "")
		}
	}
	if len(changed) > 0 {
		w.tellRepositoryUpdate(p, changed)
	}
}

// push tells of one branch or tag. System hooks get no commits.
func (w *hookWatch) push(p *Project, ref, before, after string) {
	e := hookEvent{header: "Push Hook", on: "push_events", project: p}
	e.branch, _ = strings.CutPrefix(ref, "refs/heads/")
	if strings.HasPrefix(ref, "refs/tags/") {
		e.header, e.on, e.branch = "Tag Push Hook", "tag_push_events", ""
	}
	e.body = p.pushBody(w.by(p.creatorOrRoot()), ref, before, after)
	w.tell(e)
	body := maps.Clone(e.body)
	body["commits"] = []any{}
	w.tell(hookEvent{system: e.on, branch: e.branch, project: p, body: body})
}

// creatorOrRoot is who pushes if nobody makes a call.
func (p *Project) creatorOrRoot() *User {
	if p.creator != nil {
		return p.creator
	}
	return p.svc.admin
}

func (w *hookWatch) tellRepositoryUpdate(p *Project, changes []object) {
	by := w.by(p.creatorOrRoot()).shown()
	refs := []string{}
	for _, c := range changes {
		refs = append(refs, c["ref"].(string))
	}
	body := object{
		"event_name": "repository_update", "user_id": idOf(by), "user_name": "", "user_email": "", "user_avatar": "",
		"project_id": p.id, "project": p.hookProject(true), "changes": changes, "refs": refs,
	}
	if by != nil {
		body["user_name"], body["user_email"], body["user_avatar"] = by.name, by.email, by.summary().AvatarURL
	}
	w.tell(hookEvent{system: "repository_update_events", project: p, body: body})
}

// A seenMergeRequest is what was known of a merge request.
type seenMergeRequest struct {
	form     object
	head     string
	approved []*User
	whole    bool // it had the approvals that it needs
}

// mergeRequestMembers are the members whose change is an update.
var mergeRequestMembers = []string{
	"title", "description", "labels", "assignee_ids", "reviewer_ids", "milestone_id", "draft", "target_branch",
	"time_estimate", "total_time_spent",
}

func (w *hookWatch) lookAtMergeRequest(m *MergeRequest) {
	if m.preparing {
		return // open is sent when the diff is ready
	}
	now := seenMergeRequest{m.hookState(m.hookForm()), m.headSHA(), slices.Clone(m.approvals()), m.isApproved()}
	seen, known := w.saw(m, now)
	before, _ := seen.(seenMergeRequest)
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
		w.tell(hookEvent{
			header: "Merge Request Hook", on: "merge_requests_events", system: "merge_requests_events",
			project: m.project,
			body:    body,
		})
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

// action says what happened to a merge request, "" if it was nothing that hooks are
// told of.
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
	form := i.hookState(i.hookForm())
	seen, known := w.saw(i, form)
	before, _ := seen.(object)
	changes := changesBetween(before, form)
	action := ""
	switch {
	case !known:
		action = "open"
	case changes["state"] != nil:
		action = map[string]string{"closed": "close", "opened": "reopen"}[i.state]
	case slices.ContainsFunc(issueMembers, func(name string) bool { return changes[name] != nil }):
		action = "update"
	default:
		return
	}
	e := hookEvent{header: "Issue Hook", on: "issues_events", project: i.project,
		body: i.issueBody(w.by(i.author), action, before)}
	if i.confidential {
		e.header, e.on = "Confidential Issue Hook", "confidential_issues_events"
	}
	w.tell(e)
}

// lookAtPipeline tells of a pipeline, and then of its jobs.
func (w *hookWatch) lookAtPipeline(p *Pipeline) {
	p.settle()
	before, _ := w.saw(p, p.status)
	if before != p.status && p.status != "created" && !p.user.isBlocked() {
		w.tell(hookEvent{header: "Pipeline Hook", on: "pipeline_events", project: p.project, body: p.pipelineBody()})
	}
	for _, j := range p.jobs {
		if j.external == nil {
			w.lookAtJob(j)
		}
	}
}

func (w *hookWatch) lookAtJob(j *Job) {
	before, known := w.saw(j, j.status)
	if before == j.status || j.user.isBlocked() {
		return
	}
	statuses := []string{j.status}
	if !known && j.status != "created" && j.plan != nil {
		statuses = []string{"created", j.status} // it was made and started in one call
	}
	for _, status := range statuses {
		w.tell(hookEvent{header: "Job Hook", on: "job_events", project: j.pipeline.project, body: j.jobBody(status)})
	}
}

// isBlocked reports whether a user is blocked.
func (u *User) isBlocked() bool { return u != nil && strings.HasSuffix(u.state, "blocked") }

func (w *hookWatch) lookAtDeployment(d *Deployment) {
	before, _ := w.saw(d, d.status)
	if before != d.status && slices.Contains([]string{"running", "success", "failed", "canceled"}, d.status) {
		w.tell(hookEvent{header: "Deployment Hook", on: "deployment_events", project: d.environment.project,
			body: d.deploymentBody()})
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

// lookForRemovals tells of what is gone, but not of all that was in a project.
func (w *hookWatch) lookForRemovals() {
	for _, key := range w.was {
		if _, still := w.next[key]; still {
			continue
		}
		switch gone := key.(type) {
		case *award:
			w.revoked(gone)
		case *Milestone:
			if w.next[gone.project] != nil || w.next[gone.group] != nil {
				w.tellMilestone(gone, "delete")
			}
		}
	}
}

func (w *hookWatch) tellMilestone(m *Milestone, action string) {
	w.tell(hookEvent{header: "Milestone Hook", on: "milestone_events", project: m.project, group: m.group,
		body: m.milestoneBody(action)})
}

// lookAtTokens tells of the tokens of projects and groups that end in a week.
func (w *hookWatch) lookAtTokens() {
	for _, t := range w.svc.tokens {
		if t.home == nil || !w.endsSoon(t) {
			continue
		}
		e := hookEvent{header: "Resource Access Token Hook", on: "resource_access_token_events", body: t.tokenBody()}
		e.project, _ = t.home.(*Project)
		e.group, _ = t.home.(*Group)
		w.tell(e)
	}
	for _, t := range w.svc.deployTokens(nil) {
		if project, ok := t.home.(*Project); ok && w.endsSoon(t.token) { // hooks of groups cannot ask for them
			w.tell(hookEvent{header: "Resource Deploy Token Hook", on: "resource_deploy_token_events",
				body: t.deployTokenBody(), project: project})
		}
	}
}

// endsSoon reports whether a token ends in a week, the first time that it is asked.
func (w *hookWatch) endsSoon(t *token) bool {
	left := t.expires.Sub(w.svc.now())
	if t.revoked || t.expires.IsZero() || left > 7*24*time.Hour || left <= 0 {
		return false
	}
	_, told := w.saw(t, true)
	return !told
}
