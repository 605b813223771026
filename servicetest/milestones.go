package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A Milestone is a milestone of a project or a group. Make one with
// Project.Milestone or Group.Milestone.
type Milestone struct {
	svc         *Service
	project     *Project // nil for a milestone of a group
	group       *Group   // nil for a milestone of a project
	id          int64
	iid         int64
	title       string
	description string
	closed      bool
	createdAt   time.Time
	updatedAt   time.Time
	dueDate     time.Time // zero if none
	startDate   time.Time
}

// milestoneFields are the fields of a milestone, including those in other objects.
var milestoneFields = []collection.Field[Milestone]{
	collection.Shown("id", func(m *Milestone) int64 { return m.id }),
	collection.Shown("iid", func(m *Milestone) int64 { return m.iid }),
	collection.Shown("project_id", (*Milestone).projectID).Omitted(),
	collection.Shown("group_id", (*Milestone).groupID).Omitted(),
	collection.Text("title", func(m *Milestone) *string { return &m.title }).Required(),
	collection.Text("description", func(m *Milestone) *string { return &m.description }),
	collection.Shown("state", (*Milestone).state),
	collection.Moment("created_at", func(m *Milestone) *time.Time { return &m.createdAt }).ReadOnly(),
	collection.Moment("updated_at", func(m *Milestone) *time.Time { return &m.updatedAt }).ReadOnly(),
	collection.Day("due_date", func(m *Milestone) *time.Time { return &m.dueDate }),
	collection.Day("start_date", func(m *Milestone) *time.Time { return &m.startDate }),
	collection.Shown("expired", (*Milestone).expired),
	collection.Shown("web_url", (*Milestone).webURL),
}

var milestones = collection.Table[*call, any, Milestone]{
	Home:    (*call).tokenHome,
	Records: (*call).milestonesOf,
	Find:    (*call).findMilestone,
	Fields:  milestoneFields,
	Filters: []collection.Filter[Milestone]{
		func(f frame.Fields) func(*Milestone) bool {
			state := f.StringIn("state", "active", "closed", "all")
			if state == "" || state == "all" {
				return nil
			}
			return func(m *Milestone) bool { return m.state() == state }
		},
		collection.Equal("title", func(m *Milestone) string { return m.title }),
		collection.Search("search",
			func(m *Milestone) string { return m.title }, func(m *Milestone) string { return m.description }),
		collection.Span("updated_after", "updated_before", func(m *Milestone) time.Time { return m.updatedAt }),
	},
	New:    func(c *call, home any) *Milestone { return c.svc.newMilestone(home) },
	Read:   (*call).readMilestone,
	Check:  (*call).checkMilestone,
	Add:    func(_ *call, _ any, m *Milestone) { m.number(); m.store(nil) },
	Saved:  func(c *call, _ any, m *Milestone) { m.updatedAt = c.now() },
	Remove: func(c *call, _ any, m *Milestone) { m.remove(c.user) },
}

// milestonesOf returns the milestones that the list of a project or a group shows, by
// due date.
func (c *call) milestonesOf(home any) []*Milestone {
	above := c.Bool("include_parent_milestones") || c.Bool("include_ancestors")
	iids := c.Int64s("iids")
	of := func(m *Milestone) bool { return false }
	switch home := home.(type) {
	case *Project:
		of = func(m *Milestone) bool { return m.project == home || above && m.group != nil && home.within(m.group) }
	case *Group:
		of = c.groupMilestones(home, above)
	}
	found := state[milestoneState](c.svc).milestones.all(func(m *Milestone) bool {
		return of(m) && (above || len(iids) == 0 || slices.Contains(iids, m.iid))
	})
	slices.SortFunc(found, func(a, b *Milestone) int {
		if a.dueDate.IsZero() != b.dueDate.IsZero() {
			return map[bool]int{true: 1, false: -1}[a.dueDate.IsZero()]
		}
		return cmp.Or(a.dueDate.Compare(b.dueDate), cmp.Compare(a.id, b.id))
	})
	return found
}

// groupMilestones reads the parameters that only the list of a group has.
func (c *call) groupMilestones(group *Group, above bool) func(*Milestone) bool {
	below, spans, title := c.Bool("include_descendants"), c.milestoneSpans(), c.String("search_title")
	return func(m *Milestone) bool {
		if !spans(m) || !frame.ContainsFold(m.title, title) {
			return false
		}
		if m.project != nil {
			return below && m.project.within(group) && c.svc.canSeeProject(c.user, m.project)
		}
		return m.group == group || above && group.within(m.group) || below && m.group.within(group)
	}
}

// milestoneSpans reads the parameters for the dates of a milestone.
func (c *call) milestoneSpans() func(*Milestone) bool {
	containing, start, end := c.Time("containing_date"), c.Time("start_date"), c.Time("end_date")
	if start.IsZero() != end.IsZero() {
		c.Problem("start_date, end_date provide all or none of parameters")
	}
	if !containing.IsZero() {
		start, end = containing, containing
	}
	return func(m *Milestone) bool {
		begun := m.startDate.IsZero() || !m.startDate.After(end)
		over := !m.dueDate.IsZero() && m.dueDate.Before(start.Truncate(24*time.Hour))
		return end.IsZero() || begun && !over
	}
}

// A MilestoneOption sets a property of a milestone. CreatedAt, Description and
// ID are MilestoneOptions, too.
type MilestoneOption interface{ applyMilestone(m *Milestone) }

type milestoneOption func(*Milestone)

func (f milestoneOption) applyMilestone(m *Milestone) { f(m) }

func (o IDOption) applyMilestone(m *Milestone)          { m.id = int64(o) }
func (o DescriptionOption) applyMilestone(m *Milestone) { m.description = string(o) }
func (o CreatedAtOption) applyMilestone(m *Milestone)   { m.createdAt = time.Time(o) }

// Between sets the start date and the due date of a milestone or an epic. A
// zero time means that there is no such date.
func Between(start, due time.Time) BetweenOption { return BetweenOption{start, due} }

// BetweenOption is the option that Between returns.
type BetweenOption struct{ start, due time.Time }

func (o BetweenOption) applyMilestone(m *Milestone) { m.startDate, m.dueDate = o.start, o.due }
func (o BetweenOption) applyEpic(e *Epic)           { e.startDate, e.dueDate = o.start, o.due }

// ClosedMilestone makes a closed milestone.
func ClosedMilestone() MilestoneOption {
	return milestoneOption(func(m *Milestone) { m.closed = true })
}

// milestoneState keeps the milestones of a service.
type milestoneState struct {
	milestones table[*Milestone]
	iids       map[*Project]int64
	groupIIDs  map[*Group]int64
}

// Milestone makes a milestone of the project.
func (p *Project) Milestone(title string, opts ...MilestoneOption) *Milestone {
	return p.svc.seedMilestone(p, title, opts)
}

// Milestone makes a milestone of the group, for all projects below it.
func (g *Group) Milestone(title string, opts ...MilestoneOption) *Milestone {
	return g.svc.seedMilestone(g, title, opts)
}

func (s *Service) seedMilestone(home any, title string, opts []MilestoneOption) *Milestone {
	defer s.lock()()
	m := s.newMilestone(home)
	m.title = title
	m.number()
	return m.store(opts)
}

func (m *Milestone) store(opts []MilestoneOption) *Milestone {
	m.createdAt = m.svc.now()
	apply(m, opts, MilestoneOption.applyMilestone)
	m.updatedAt = m.createdAt
	seed(m.svc, &state[milestoneState](m.svc).milestones, &m.id, m, "a milestone")
	m.svc.touch(m)
	return m
}

// nextIID returns the next number for a kind of record in a project or a group.
func nextIID[T comparable](last *map[T]int64, in T) int64 {
	if *last == nil {
		*last = make(map[T]int64)
	}
	(*last)[in]++
	return (*last)[in]
}

// milestoneWith returns the milestone with an ID that a project can use, or nil
// if there is none.
func (p *Project) milestoneWith(id int64) *Milestone {
	m, ok := state[milestoneState](p.svc).milestones.get(id)
	if !ok || m.project != p && (m.group == nil || !p.within(m.group)) {
		return nil
	}
	return m
}

// ID returns the milestone's ID.
func (m *Milestone) ID() int64 { return m.id }

// IID returns the milestone's number in its project or group.
func (m *Milestone) IID() int64 { return m.iid }

// Title returns the milestone's title.
func (m *Milestone) Title() string { return m.title }

// Close closes the milestone.
func (m *Milestone) Close() {
	defer m.svc.lock()()
	m.closed, m.updatedAt = true, m.svc.now()
	m.svc.touch(m)
}

func (m *Milestone) state() string {
	if m.closed {
		return "closed"
	}
	return "active"
}

// projectID returns the ID of the milestone's project, or nil.
func (m *Milestone) projectID() any {
	if m.project == nil {
		return nil
	}
	return m.project.id
}

// groupID returns the ID of the milestone's group, or nil.
func (m *Milestone) groupID() any {
	if m.group == nil {
		return nil
	}
	return m.group.id
}

// expired reports whether the due date has passed.
func (m *Milestone) expired() bool {
	return !m.dueDate.IsZero() && !m.svc.now().Before(m.dueDate.Truncate(24*time.Hour).AddDate(0, 0, 1))
}

func (m *Milestone) webURL() string {
	if m.group != nil {
		return m.svc.webURL("groups", m.group.fullPath(), "-/milestones", frame.Itoa(m.iid))
	}
	return m.project.webURL("-/milestones", frame.Itoa(m.iid))
}

// json returns the milestone's JSON. Without a milestone it is nil, which means null.
func (m *Milestone) json() *collection.Form { return collection.Show(milestoneFields, m) }
