package servicetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Events and to-do items are derived from changes. Before and after each call that may
// change something, follow compares the records in the change set with what it last
// knew of them. So areas do not create events themselves, and indirect changes count,
// too, such as a merge that closes issues. The comparison before the call finds what
// tests have seeded and what the clock has caused. The one after it finds what the
// caller did.

// activity is the state that events and to-do items already cover.
type activity struct {
	topics     map[any]*seenTopic // by *Issue, *MergeRequest, *Epic, *Snippet and *commitDiscussion
	requests   map[*MergeRequest]*seenRequest
	milestones map[*Milestone]bool // whether it is closed
	projects   map[*Project]*knownProject
	pipelines  map[*Pipeline]string // their status
	awards     int64                // ID of the last reaction
	due        time.Time            // when the next membership expires; zero: never
}

// A seenTopic is what follow last knew of an issue, a merge request, an epic or a
// snippet.
type seenTopic struct {
	state       string
	description string
	assignees   []*User
	labels      []string
	last        *Note // nil if none
}

// A seenRequest is what else follow last knew of a merge request.
type seenRequest struct {
	reviewers, approved []*User
	head                string
	conflicts           bool
}

// A knownProject is what follow last knew of a project.
type knownProject struct {
	members map[*User]bool // whether the membership has expired
	refs    map[string]string
}

// A follower turns changes into steps.
type follower struct {
	*activity

	svc     *Service
	changed changeSet
	by      *User // the caller; nil outside calls
	steps   []step
}

// A step adds an event or a to-do item, or marks to-do items as done.
type step struct {
	at   time.Time
	take func()
}

// served serves a call and turns its changes into events and to-do items.
func (c *call) served() *reply {
	if !c.route.writes() || c.user == nil {
		return c.route.handle(c)
	}
	if p := c.pathProject(); p != nil {
		p.repository() // so that it does not look new after the call
	}
	c.svc.follow(nil)
	defer c.svc.follow(c.user)
	return c.route.handle(c)
}

// follow turns changes into events and to-do items.
func (s *Service) follow(by *User) {
	a := state[activity](s)
	if a.topics == nil {
		a.topics, a.requests = make(map[any]*seenTopic), make(map[*MergeRequest]*seenRequest)
		a.milestones, a.projects = make(map[*Milestone]bool), make(map[*Project]*knownProject)
		a.pipelines = make(map[*Pipeline]string)
	}
	changed := s.unfollowed
	s.unfollowed = changeSet{}
	if !a.due.IsZero() && !s.now().Before(a.due) {
		a.due, changed.all = time.Time{}, true
	}
	if !changed.empty() {
		f := &follower{activity: a, svc: s, by: by, changed: changed}
		f.look()
		slices.SortStableFunc(f.steps, func(a, b step) int { return a.at.Compare(b.at) })
		for _, s := range f.steps {
			s.take()
		}
	}
	if s.guard != nil {
		s.guard(a)
	}
}

// look compares the records that have changed.
func (f *follower) look() {
	f.derive()
	f.lookAtProjects()
	f.lookAtMilestones()
	f.lookAtTopics()
	f.lookAtPipelines()
}

// derive adds records that need a look because others have changed.
func (f *follower) derive() {
	if f.changed.all {
		f.svc.everything(f.changed.add)
		for m := range f.milestones {
			f.changed.add(m)
		}
		for p, seen := range f.projects {
			for ref := range seen.refs {
				f.changed.add(gitRef{p, ref})
			}
		}
	}
	moved := false
	for _, record := range f.changed.records {
		switch r := record.(type) {
		case *Note:
			f.changed.add(r.on)
		case gitRef:
			moved = true
		}
	}
	requests := &state[mergeRequestState](f.svc).requests
	for i := 0; moved && i < requests.len(); i++ {
		if m := requests.at(i); f.changed.has(gitRef{m.source, "refs/heads/" + m.sourceBranch}) {
			f.changed.add(m)
		}
	}
}

// when returns the time of a change: now if a call made it, otherwise the seeded time.
func (f *follower) when(seeded time.Time) time.Time {
	if f.by != nil || seeded.IsZero() {
		return f.svc.now()
	}
	return seeded
}

// who returns the caller or, outside calls, the first of the other users that is not
// nil.
func (f *follower) who(otherwise ...*User) *User {
	return cmp.Or(append([]*User{f.by}, otherwise...)...)
}

// event adds an event.
func (f *follower) event(at time.Time, e event) {
	if e.author == nil || e.author.gone {
		return
	}
	f.steps = append(f.steps, step{at, func() {
		e.at = at
		e.id, _ = state[eventState](f.svc).events.add(0, &e)
	}})
}

// touch marks to-do items of a user for a target as done: those of one thread, or all.
func (f *follower) touch(at time.Time, by *User, target any, thread string) {
	if by != nil {
		f.steps = append(f.steps, step{at, func() { f.svc.finishTodos(by, target, thread) }})
	}
}

// todo adds a to-do item.
func (f *follower) todo(at time.Time, t todo) {
	f.steps = append(f.steps, step{at, func() {
		t.createdAt = at
		f.svc.addTodo(&t)
	}})
}

// lookAtProjects looks for new projects, members and pushes.
func (f *follower) lookAtProjects() {
	refs := make(map[*Project][]string)
	for _, ref := range take(&f.changed, func(ref gitRef) int64 { return ref.project.id }) {
		refs[ref.project] = append(refs[ref.project], ref.name)
		f.changed.add(ref.project)
	}
	for _, p := range take(&f.changed, (*Project).ID) {
		if f.svc.hasProject(p) {
			f.project(p, refs[p])
		} else {
			delete(f.projects, p)
		}
	}
}

func (f *follower) project(p *Project, refs []string) {
	seen := f.projects[p]
	if seen == nil {
		seen = &knownProject{members: make(map[*User]bool)}
		f.projects[p] = seen
		for i := range p.members.len() {
			seen.members[p.members.at(i).user] = p.members.at(i).ended(f.svc.now())
		}
		imported := state[imports](f.svc).of[p] != nil
		f.event(f.when(p.createdAt), event{project: p, author: p.creator, action: "created", target: p,
			imported: imported})
	}
	f.members(p, seen)
	if state[repositories](f.svc).of[p] != nil {
		f.pushes(p, seen, refs)
	}
}

func (f *follower) members(p *Project, seen *knownProject) {
	now := f.svc.now()
	for i := range p.members.len() {
		m := p.members.at(i)
		ended, known := seen.members[m.user]
		seen.members[m.user] = m.ended(now)
		if m.expiresAt.After(now) && (f.due.IsZero() || m.expiresAt.Before(f.due)) {
			f.due = m.expiresAt
		}
		switch {
		case !known:
			f.event(f.when(m.createdAt), event{project: p, author: m.user, action: "joined"})
		case !ended && m.ended(now):
			f.event(now, event{project: p, author: m.user, action: "expired"})
		}
	}
	maps.DeleteFunc(seen.members, func(u *User, ended bool) bool {
		_, still := p.members.get(u.id)
		if !still && !ended {
			f.event(now, event{project: p, author: u, action: "left"})
		}
		return !still
	})
}

// maxPushed is how many branches and tags of one push get their own events.
const maxPushed = 3

// pushes looks for changed branches and tags. The first ones of a new repository do not
// count.
func (f *follower) pushes(p *Project, seen *knownProject, refs []string) {
	r := p.repository()
	begins := seen.refs == nil
	if begins {
		seen.refs, refs = make(map[string]string), nil
		for _, ref := range p.refs() {
			refs = append(refs, ref.name)
		}
	}
	slices.Sort(refs)
	var changed []*push
	for _, ref := range refs {
		before, now := seen.refs[ref], ""
		if name, isTag := strings.CutPrefix(ref, "refs/tags/"); !isTag {
			now = shaOf(r.Branch(strings.TrimPrefix(ref, "refs/heads/")))
		} else if tag := r.Tag(name); tag != nil {
			now = tag.Commit.SHA
		}
		if seen.refs[ref] = now; before != now && !begins {
			changed = append(changed, p.pushOf(ref, before, now))
		}
	}
	for _, made := range joinedPushes(changed) {
		pusher := f.who(f.committer(r, made.to), p.creatorOrRoot())
		f.event(f.svc.now(), event{project: p, author: pusher, action: "pushed", push: made})
	}
}

// committer returns the user who made a commit, or nil if unknown.
func (f *follower) committer(r *repository, sha string) *User {
	found := r.Commit(sha)
	for i := range f.svc.users.len() {
		if u := f.svc.users.at(i); found != nil && u.commitEmail == found.Committer.Email {
			return u
		}
	}
	return nil
}

func (f *follower) lookAtMilestones() {
	for _, m := range take(&f.changed, (*Milestone).ID) {
		closed, known := f.milestones[m]
		e := event{project: m.project, author: f.who(f.svc.admin), target: m}
		if m.project == nil {
			continue
		}
		if !f.svc.exists(m) {
			if e.action = "destroyed"; known {
				f.event(f.svc.now(), e)
			}
			delete(f.milestones, m)
			continue
		}
		f.milestones[m] = m.closed
		if !known {
			e.action = "created"
			f.event(f.when(m.createdAt), e)
		}
		if m.closed != closed {
			e.action = map[bool]string{true: "closed", false: "reopened"}[m.closed]
			f.event(f.when(m.updatedAt), e)
		}
	}
}

func (f *follower) lookAtTopics() {
	issues := lookFor(f, (*Issue).ID, func(i *Issue) {
		t := f.topic(i, &i.topic, i.project, i.state)
		f.states(t, i.closedBy, i.closedAt)
		f.notes(t, i.notes)
	})
	requests := lookFor(f, (*MergeRequest).ID, f.request)
	lookFor(f, (*Epic).ID, func(e *Epic) { f.notes(f.topic(e, &e.topic, nil, e.state), e.notes) })
	lookFor(f, (*Snippet).ID, func(n *Snippet) { f.commented(n, n.project, n.notes) })
	discussions := state[commitDiscussions](f.svc).on
	lookFor(f, func(d *commitDiscussion) int64 { return int64(slices.Index(discussions, d)) },
		func(d *commitDiscussion) { f.commented(d, d.project, d.notes) })
	for _, i := range issues {
		f.reactions(i, &i.awards)
	}
	for _, m := range requests {
		f.reactions(m, &m.awards)
	}
	for _, n := range take(&f.changed, (*Note).ID) {
		switch n.on.(type) {
		case *Issue, *MergeRequest:
			f.reactions(n.on, &n.awards)
		}
	}
	f.awards = state[noteState](f.svc).awards
}

// lookFor looks at the changed records of a kind that still exist, and returns them.
func lookFor[T comparable](f *follower, number func(T) int64, look func(T)) (seen []T) {
	for _, record := range take(&f.changed, number) {
		if f.svc.exists(record) {
			look(record)
			seen = append(seen, record)
		} else {
			delete(f.topics, any(record))
		}
	}
	return seen
}

// commented looks for new comments on a snippet or a commit.
func (f *follower) commented(target any, p *Project, notes []*Note) {
	seen := f.topics[target]
	if seen == nil {
		seen = new(seenTopic)
		f.topics[target] = seen
	}
	f.notes(&topicChange{target: target, project: p, was: *seen, now: seen}, notes)
}

// A topicChange is a topic and its known state before the change.
type topicChange struct {
	target  any
	topic   *topic // nil for a snippet or a commit
	project *Project
	known   bool
	was     seenTopic
	now     *seenTopic
	by      *User // who has changed it
}

// topic looks for new assignees, and for users who are mentioned in the description.
func (f *follower) topic(target any, t *topic, p *Project, state string) *topicChange {
	seen, known := f.topics[target]
	if !known {
		seen = new(seenTopic)
		f.topics[target] = seen
	}
	change := &topicChange{target: target, topic: t, project: p, known: known, was: *seen, now: seen}
	at := f.when(t.createdAt)
	change.by = f.who(t.author)
	if known {
		at, change.by = f.svc.now(), f.who(t.updatedBy, t.author)
	}
	seen.state = state
	reassigned := !slices.Equal(seen.assignees, t.assignees)
	if reassigned {
		seen.assignees = slices.Clone(t.assignees)
	}
	relabeled := !slices.Equal(seen.labels, t.labels)
	if relabeled {
		seen.labels = slices.Clone(t.labels)
	}
	if known && (reassigned || relabeled) {
		f.touch(at, change.by, target, "")
	}
	for _, u := range added(change.was.assignees, t.assignees) {
		f.ask(at, change, u, "assigned")
	}
	if seen.description != t.description {
		seen.description = t.description
		f.mentions(at, change, change.by, t.description, change.was.description, todo{})
	}
	return change
}

// added returns the users who are new in a list.
func added(before, after []*User) (more []*User) {
	for _, u := range after {
		if !slices.Contains(before, u) {
			more = append(more, u)
		}
	}
	return more
}

// ask adds a to-do item for a user, unless that user made the change.
func (f *follower) ask(at time.Time, change *topicChange, u *User, action string) {
	if u != change.by {
		f.todo(at, todo{user: u, author: change.by, action: action, target: change.target, project: change.project})
	}
}

// mentions adds to-do items for the users whom the new text mentions and the old one
// did not.
func (f *follower) mentions(at time.Time, change *topicChange, by *User, text, old string, t todo) {
	before, _ := f.svc.mentionedIn(old)
	names, direct := f.svc.mentionedIn(text)
	for i, u := range names {
		if u == by || slices.Contains(before, u) || !f.svc.canReadTarget(u, change.target) {
			continue
		}
		if t.note != nil && t.note.confidential && !f.svc.seesInternal(u, change) {
			continue
		}
		t.user, t.author, t.action, t.target, t.project = u, by, "mentioned", change.target, change.project
		if i < direct {
			t.action = "directly_addressed"
		}
		f.todo(at, t)
	}
}

// states looks for topics that were opened, closed, merged or reopened.
func (f *follower) states(t *topicChange, by *User, at time.Time) {
	if !t.known {
		e := event{project: t.project, author: t.topic.author, action: "created", target: t.target}
		f.event(f.when(t.topic.createdAt), e)
		t.was.state = "opened"
	}
	now := t.now.state
	if t.was.state == now {
		return
	}
	e := event{project: t.project, author: f.who(by, t.by), target: t.target, action: now}
	switch now {
	case "opened":
		e.action, at = "reopened", f.svc.now()
	default:
		f.touch(f.when(at), e.author, t.target, "")
	}
	f.event(f.when(at), e)
}

func (f *follower) request(m *MergeRequest) {
	t := f.topic(m, &m.topic, m.project, m.state)
	at, by := m.closedAt, m.closedBy
	if m.state == "merged" {
		at, by = m.mergedAt, m.mergeUser
	}
	f.states(t, by, at)
	seen := f.requests[m]
	if seen == nil {
		seen = &seenRequest{head: m.headSHA()}
		f.requests[m] = seen
		f.approvers(t, m)
	}
	asked := f.svc.now()
	if !t.known {
		asked = f.when(m.createdAt)
	}
	for _, u := range added(seen.reviewers, m.reviewers) {
		f.ask(asked, t, u, "review_requested")
	}
	for _, u := range added(seen.approved, m.approvedBy) {
		f.event(f.when(m.approvedAt[u]), event{project: m.project, author: u, action: "approved", target: m})
		f.touch(f.when(m.approvedAt[u]), u, m, "")
	}
	f.commits(t, m, seen)
	seen.reviewers, seen.approved = slices.Clone(m.reviewers), slices.Clone(m.approvedBy)
	f.notes(t, m.notes)
}

// commits looks for pushes to the source branch, and for conflicts.
func (f *follower) commits(t *topicChange, m *MergeRequest, seen *seenRequest) {
	if head := m.headSHA(); m.state == "opened" && head != seen.head {
		seen.head = head
		f.touch(f.svc.now(), f.who(f.committer(m.source.repository(), head)), m, "")
	}
	if m.conflicts && !seen.conflicts && t.known && m.state == "opened" {
		by := f.who(m.author)
		f.todo(f.svc.now(), todo{user: m.author, author: by, action: "unmergeable", target: m, project: m.project})
	}
	seen.conflicts = m.conflicts
}

// approvers asks the users whom the rules name for their approval.
func (f *follower) approvers(t *topicChange, m *MergeRequest) {
	if f.svc.settings.tier < Premium {
		return
	}
	for _, r := range m.rules {
		for _, u := range r.users {
			if r.required > 0 {
				f.ask(f.when(m.createdAt), t, u, "approval_required")
			}
		}
	}
}

// notes looks for new comments.
func (f *follower) notes(t *topicChange, notes []*Note) {
	old := 0
	if last := t.was.last; last != nil {
		for old = len(notes); old > 0 && notes[old-1] != last && (!last.deleted || notes[old-1].id > last.id); {
			old--
		}
	}
	if len(notes) > 0 {
		t.now.last = notes[len(notes)-1]
	}
	if t.topic != nil && !t.known && f.by != nil {
		return // they were copied with an issue
	}
	for i, n := range notes[old:] {
		if !n.system {
			f.note(t, n, notes[:old+i])
		}
	}
}

func (f *follower) note(t *topicChange, n *Note, before []*Note) {
	at := f.when(n.createdAt)
	if t.project != nil {
		f.event(at, event{project: t.project, author: n.author, action: "commented", target: t.target, note: n})
	}
	thread := ""
	if n.thread != "" && slices.ContainsFunc(before, func(other *Note) bool { // a new thread has no earlier notes
		return !other.system && other.thread == n.thread
	}) {
		thread = n.threadID()
	}
	f.touch(at, n.author, t.target, thread)
	f.mentions(at, t, n.author, n.body, "", todo{note: n})
}

// reactions looks for new reactions to issues, merge requests and the comments on them.
func (f *follower) reactions(target any, given *awards) {
	for _, r := range given.reactions {
		if r.id > f.awards {
			f.touch(f.when(r.createdAt), r.user, target, "")
		}
	}
}

// lookAtPipelines looks for pipelines of merge requests that have failed.
func (f *follower) lookAtPipelines() {
	for _, p := range take(&f.changed, (*Pipeline).ID) {
		before, now := f.pipelines[p], p.status
		if p.stale && !p.fixed {
			now = statusOf(p.all())
		}
		if before == now || !f.svc.exists(p) {
			continue
		}
		f.pipelines[p] = now
		if now == "failed" && !p.tag && p.parent == nil {
			f.buildFailed(p)
		}
	}
}

func (f *follower) buildFailed(p *Pipeline) {
	for _, m := range state[mergeRequestState](f.svc).requests.all(nil) {
		if m.state != "opened" || m.source != p.project || m.sourceBranch != p.ref || m.headSHA() != p.commit.SHA {
			continue
		}
		for _, u := range slices.Compact([]*User{m.author, m.mergeUser}) {
			if u != nil {
				by := cmp.Or(p.user, u)
				f.todo(f.svc.now(), todo{user: u, author: by, action: "build_failed", target: m, project: m.project})
			}
		}
	}
}
