package servicetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Events and to-do items come from what has changed: before and after each call that may
// change something, the state is compared with what it was. So no area has to know of
// them, and a merge that closes issues is seen, too. Before the call, it is what tests
// have seeded and what happened by the clock; after it, what the caller did.

// activity is the state that events and to-do items were made of.
type activity struct {
	topics     map[any]*seenTopic // by *Issue, *MergeRequest, *Epic, *Snippet and *commitDiscussion
	requests   map[*MergeRequest]*seenRequest
	milestones map[*Milestone]bool // whether it is closed
	projects   map[*Project]*knownProject
	pipelines  map[*Pipeline]string // their status
	awards     int64                // ID of the last reaction
}

// A seenTopic is what was known of an issue, a merge request, an epic or a snippet.
type seenTopic struct {
	state       string
	description string
	assignees   []*User
	labels      []string
	last        *Note // nil for none
}

// A seenRequest is what else was known of a merge request.
type seenRequest struct {
	reviewers, approved []*User
	head                string
	conflicts           bool
}

// A knownProject is what was known of a project.
type knownProject struct {
	members map[*User]bool // whether the membership has expired
	refs    map[string]string
}

// A follower makes steps of what has changed.
type follower struct {
	*activity

	svc   *Service
	by    *User // who made the call; nil for what nobody called
	steps []step
}

// A step adds an event or a to-do item, or marks to-do items as done.
type step struct {
	at   time.Time
	take func()
}

// served serves a call. What it changes becomes events and to-do items of the caller.
func (c *call) served() *reply {
	if !c.route.writes() || c.user == nil {
		return c.route.handle(c)
	}
	if p := c.pathProject(); p != nil {
		p.repository() // so that it is not taken for new after the call
	}
	c.svc.follow(nil)
	defer c.svc.follow(c.user)
	return c.route.handle(c)
}

// follow makes events and to-do items of what has changed.
func (s *Service) follow(by *User) {
	a := state[activity](s)
	if a.topics == nil {
		a.topics, a.requests = make(map[any]*seenTopic), make(map[*MergeRequest]*seenRequest)
		a.milestones, a.projects = make(map[*Milestone]bool), make(map[*Project]*knownProject)
		a.pipelines = make(map[*Pipeline]string)
	}
	f := &follower{activity: a, svc: s, by: by}
	for i := range s.projects.len() {
		f.project(s.projects.at(i))
	}
	f.allMilestones()
	f.allTopics()
	f.reactions()
	f.allPipelines()
	slices.SortStableFunc(f.steps, func(a, b step) int { return a.at.Compare(b.at) })
	for _, s := range f.steps {
		s.take()
	}
}

// when returns the time of something that happened now if a call did it.
func (f *follower) when(seeded time.Time) time.Time {
	if f.by != nil || seeded.IsZero() {
		return f.svc.now()
	}
	return seeded
}

// who returns the caller, or who did it if nobody has called.
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

// touch marks the to-do items of a user for a target as done: those of a thread, or all.
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

// project looks for new projects, members and pushes.
func (f *follower) project(p *Project) {
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
		f.pushes(p, seen)
	}
}

func (f *follower) members(p *Project, seen *knownProject) {
	now := f.svc.now()
	for i := range p.members.len() {
		m := p.members.at(i)
		ended, known := seen.members[m.user]
		seen.members[m.user] = m.ended(now)
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

// maxPushed is how many branches and tags of one push have an event of their own.
const maxPushed = 3

// pushes looks for changes of branches and tags. Those that a new repository begins with
// are none.
func (f *follower) pushes(p *Project, seen *knownProject) {
	r := p.repository()
	refs := make(map[string]string)
	for _, name := range r.Branches() {
		refs["refs/heads/"+name] = r.Branch(name).SHA
	}
	for _, name := range r.Tags() {
		refs["refs/tags/"+name] = r.Tag(name).Commit.SHA
	}
	before := seen.refs
	seen.refs = refs
	if before == nil || maps.Equal(before, refs) {
		return
	}
	all := maps.Clone(before)
	maps.Copy(all, refs)
	var changed []*push
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		if before[ref] != refs[ref] {
			changed = append(changed, p.pushOf(ref, before[ref], refs[ref]))
		}
	}
	for _, made := range joinedPushes(changed) {
		pusher := f.who(f.committer(r, made.to), p.creatorOrRoot())
		f.event(f.svc.now(), event{project: p, author: pusher, action: "pushed", push: made})
	}
}

// committer returns the user who made a commit, nil if nobody is known.
func (f *follower) committer(r *repository, sha string) *User {
	found := r.Commit(sha)
	for i := range f.svc.users.len() {
		if u := f.svc.users.at(i); found != nil && u.commitEmail == found.Committer.Email {
			return u
		}
	}
	return nil
}

func (f *follower) allMilestones() {
	all := &state[milestoneState](f.svc).milestones
	for i := range all.len() {
		m := all.at(i)
		closed, known := f.milestones[m]
		f.milestones[m] = m.closed
		e := event{project: m.project, author: f.who(f.svc.admin), target: m}
		if m.project == nil {
			continue
		}
		if !known {
			e.action = "created"
			f.event(f.when(m.createdAt), e)
		}
		if m.closed != closed {
			e.action = map[bool]string{true: "closed", false: "reopened"}[m.closed]
			f.event(f.when(m.updatedAt), e)
		}
	}
	maps.DeleteFunc(f.milestones, func(m *Milestone, _ bool) bool {
		_, still := all.get(m.id)
		if !still && m.project != nil {
			f.event(f.svc.now(), event{project: m.project, author: f.who(f.svc.admin), action: "destroyed", target: m})
		}
		return !still
	})
}

func (f *follower) allTopics() {
	for _, i := range state[issueState](f.svc).issues.all(nil) {
		t := f.topic(i, &i.topic, i.project, i.state)
		f.states(t, i.closedBy, i.closedAt)
		f.notes(t, i.notes)
	}
	for _, m := range state[mergeRequestState](f.svc).requests.all(nil) {
		f.request(m)
	}
	for _, e := range state[epicState](f.svc).epics.all(nil) {
		f.notes(f.topic(e, &e.topic, nil, e.state), e.notes)
	}
	for _, n := range state[snippetState](f.svc).snippets.all(nil) {
		f.commented(n, n.project, n.notes)
	}
	for _, c := range state[commitDiscussions](f.svc).on {
		f.commented(c, c.project, c.notes)
	}
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

// A topicChange is a topic with what was known of it before.
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

// ask adds a to-do item for another user than the one who acts.
func (f *follower) ask(at time.Time, change *topicChange, u *User, action string) {
	if u != change.by {
		f.todo(at, todo{user: u, author: change.by, action: action, target: change.target, project: change.project})
	}
}

// mentions adds to-do items for the users whom a text mentions and the old one did not.
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

// seesInternal reports whether a user may see notes that are internal.
func (s *Service) seesInternal(u *User, change *topicChange) bool {
	if change.project == nil {
		return s.groupLevel(u, change.target.(*Epic).group) >= Reporter
	}
	return s.projectLevel(u, change.project) >= Reporter
}

// states looks for what was opened, closed, merged or reopened.
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
		old = slices.IndexFunc(notes, func(n *Note) bool { return n == last }) + 1
		if old == 0 { // it was deleted
			old = len(slices.DeleteFunc(slices.Clone(notes), func(n *Note) bool { return n.id > last.id }))
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
	if n.thread != "" && slices.ContainsFunc(before, func(other *Note) bool { // a note of its own is in no other thread
		return !other.system && other.threadID() == n.thread
	}) {
		thread = n.threadID()
	}
	f.touch(at, n.author, t.target, thread)
	f.mentions(at, t, n.author, n.body, "", todo{note: n})
}

// reactions looks for those of users to issues, merge requests and the comments on them.
func (f *follower) reactions() {
	last := state[noteState](f.svc).awards
	if last == f.awards {
		return
	}
	look := func(target any, d *discussion) {
		for _, given := range append([]*awards{&d.awards}, awardsOf(d.notes)...) {
			for _, r := range given.reactions {
				if r.id > f.activity.awards {
					f.touch(f.when(r.createdAt), r.user, target, "")
				}
			}
		}
	}
	for _, i := range state[issueState](f.svc).issues.all(nil) {
		look(i, &i.discussion)
	}
	for _, m := range state[mergeRequestState](f.svc).requests.all(nil) {
		look(m, &m.discussion)
	}
	f.activity.awards = last
}

func awardsOf(notes []*Note) (all []*awards) {
	for _, n := range notes {
		all = append(all, &n.awards)
	}
	return all
}

// allPipelines looks for pipelines of merge requests that have failed.
func (f *follower) allPipelines() {
	for _, p := range state[pipelineState](f.svc).pipelines.all(nil) {
		before, now := f.pipelines[p], p.status
		if p.stale && !p.fixed {
			now = statusOf(p.all())
		}
		if before == now {
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

// mentionedIn returns the users whose names are in a text, outside of code, and how many
// of them it addresses: those it begins with.
func (s *Service) mentionedIn(text string) (users []*User, direct int) {
	if !strings.Contains(text, "@") {
		return nil, 0
	}
	text = code.ReplaceAllString(text, "`")
	begins := len(addressed.FindString(text))
	for _, at := range mention.FindAllStringSubmatchIndex(text, -1) {
		u := s.findUser(strings.TrimRight(text[at[2]:at[3]], ".-"))
		if u == nil || u.gone || slices.Contains(users, u) {
			continue
		}
		users = append(users, u)
		if at[3] <= begins {
			direct = len(users)
		}
	}
	return users, direct
}
