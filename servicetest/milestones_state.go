package servicetest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// newMilestone returns a milestone of a project or a group that is not stored yet.
func (s *Service) newMilestone(home any) *Milestone {
	m := &Milestone{svc: s}
	m.project, _ = home.(*Project)
	m.group, _ = home.(*Group)
	return m
}

// number gives a new milestone its number in the project or the group.
func (m *Milestone) number() {
	all := state[milestoneState](m.svc)
	if m.project != nil {
		m.iid = nextIID(&all.iids, m.project)
		return
	}
	m.iid = nextIID(&all.groupIIDs, m.group)
}

// findMilestone returns the milestone of the path, which must belong to the home
// itself.
func (c *call) findMilestone(home any) (*Milestone, *reply) {
	m, ok := state[milestoneState](c.svc).milestones.get(c.PathInt64("milestone_id"))
	if !ok || m.project != home && m.group != home {
		return nil, frame.NotFound("")
	}
	c.found(m)
	return m, nil
}

func updateMilestone(c *call, _ any, _ *Milestone) *reply {
	if refusal := c.changesNothing("title", "description", "due_date", "start_date", "state_event"); refusal != nil {
		return refusal
	}
	return milestones.Update(c)
}

// readMilestone reads the new state of a milestone.
func (c *call) readMilestone(_ any, draft *Milestone, making bool) {
	if making {
		return
	}
	if event := c.StringIn("state_event", "close", "activate"); event != "" {
		draft.closed = event == "close"
	}
}

// checkMilestone refuses a title that is taken, and dates in the wrong order.
func (c *call) checkMilestone(_ any, draft, before *Milestone) *reply {
	field, problem := "", ""
	switch {
	case draft.titleTaken(func(m *Milestone) bool { return m == before }):
		field, problem = "title", "already being used for another group or project milestone."
	case !draft.dueDate.IsZero() && draft.dueDate.Before(draft.startDate):
		field, problem = "due_date", "must be greater than start date"
	default:
		return nil
	}
	verb := "update"
	if before == nil {
		verb = "create"
	}
	return frame.Message(http.StatusBadRequest, fmt.Sprintf("Failed to %s milestone {:%s=>[%q]}", verb, field, problem))
}

// titleTaken reports whether another milestone nearby has the same title: in the same
// project or group, in a group above, or anywhere below.
func (m *Milestone) titleTaken(except func(*Milestone) bool) bool {
	near := func(other *Milestone) bool {
		switch {
		case m.project != nil:
			return other.project == m.project || other.group != nil && m.project.within(other.group)
		case other.project != nil:
			return other.project.within(m.group)
		}
		return m.group.within(other.group) || other.group.within(m.group)
	}
	return len(state[milestoneState](m.svc).milestones.all(func(other *Milestone) bool {
		return other.title == m.title && !except(other) && near(other)
	})) > 0
}

// remove deletes the milestone, and removes it from its issues, merge requests and
// releases.
func (m *Milestone) remove(by *User) {
	m.svc.silently(func() { m.leaveReleases() })
	for _, i := range m.issues() {
		before := *i
		i.milestone, i.updatedAt = nil, m.svc.now()
		m.svc.touch(i)
		i.tellChanges(before, by)
	}
	for _, r := range m.requests() {
		before := *r
		r.milestone = nil
		r.change()
		r.tellChanges(before, by)
	}
	m.svc.relist(m, nil)
	m.replaceInEvents(nil)
	state[milestoneState](m.svc).milestones.remove(m.id)
	m.svc.touch(m)
}

func (m *Milestone) leaveReleases() {
	for _, all := range state[releases](m.svc).of {
		for _, r := range all {
			r.milestones = slices.DeleteFunc(slices.Clone(r.milestones), func(of *Milestone) bool { return of == m })
			m.svc.touch(r)
		}
	}
}

func (m *Milestone) issues() []*Issue {
	return state[issueState](m.svc).issues.all(func(i *Issue) bool { return i.milestone == m })
}

func (m *Milestone) requests() []*MergeRequest {
	return state[mergeRequestState](m.svc).requests.all(func(r *MergeRequest) bool { return r.milestone == m })
}

// promoteMilestone turns the milestone of a project into a milestone of its group.
func promoteMilestone(c *call, home any, m *Milestone) *reply {
	group := home.(*Project).group
	if group == nil {
		return frame.Message(http.StatusBadRequest, "Promotion failed - Project does not belong to a group.")
	}
	if c.svc.groupLevel(c.user, group) < Reporter {
		return frame.Forbidden("")
	}
	made := c.svc.newMilestone(group)
	made.title, made.description, made.dueDate, made.startDate = m.title, m.description, m.dueDate, m.startDate
	same := func(m *Milestone) bool {
		return m.title == made.title && m.project != nil && m.project.group == group
	}
	if made.titleTaken(same) {
		return frame.Message(http.StatusBadRequest,
			"Promotion failed - Title already being used for another group or project milestone.")
	}
	c.svc.silently(func() {
		made.number()
		made.store(nil)
		for _, old := range state[milestoneState](c.svc).milestones.all(same) {
			made.replace(old)
		}
	})
	return &reply{Status: http.StatusOK}
}

// replace takes over the issues and merge requests of another milestone, and deletes
// it.
func (m *Milestone) replace(old *Milestone) {
	for _, i := range old.issues() {
		i.milestone = m
		m.svc.touch(i)
	}
	for _, r := range old.requests() {
		r.milestone = m
		m.svc.touch(r)
	}
	old.replaceInEvents(m)
	old.leaveReleases()
	state[milestoneState](m.svc).milestones.remove(old.id)
	m.svc.touch(old)
}

// holds returns a function that reports whether the lists of this milestone include
// objects of a project with another milestone. Equal titles are enough.
func (m *Milestone) holds() func(p *Project, of *Milestone) bool {
	return func(p *Project, of *Milestone) bool {
		within := p == m.project || m.group != nil && p.group == m.group
		return within && of != nil && of.title == m.title
	}
}

// milestoneIssue is the JSON of an issue in the list of a milestone, which has fewer
// members.
type milestoneIssue struct {
	*issueJSON

	References *object `json:"references,omitempty"`
	Links      *object `json:"_links,omitempty"`
	Severity   *string `json:"severity,omitempty"`
}

func listMilestoneIssues(c *call, _ any, m *Milestone) *reply {
	holds := m.holds()
	found := state[issueState](c.svc).issues.all(func(i *Issue) bool {
		return holds(i.project, i.milestone) && c.seesIssuesOf(i.project) && i.visibleTo(c.user)
	})
	slices.SortFunc(found, func(a, b *Issue) int {
		return cmp.Or(cmp.Compare(a.labelPriority(), b.labelPriority()), cmp.Compare(a.id, b.id))
	})
	return frame.ListOf(c, found, func(i *Issue) milestoneIssue { return milestoneIssue{issueJSON: i.json(false)} })
}

func listMilestoneRequests(c *call, _ any, m *Milestone) *reply {
	holds := m.holds()
	found := slices.DeleteFunc(c.visibleRequests(func(*Project) bool { return true }), func(r *MergeRequest) bool {
		return !holds(r.project, r.milestone)
	})
	slices.SortFunc(found, func(a, b *MergeRequest) int {
		return cmp.Or(cmp.Compare(a.project.topPriority(a.labels), b.project.topPriority(b.labels)),
			cmp.Compare(a.id, b.id))
	})
	return frame.ListOf(c, found, func(r *MergeRequest) any { return r.json(false) })
}
