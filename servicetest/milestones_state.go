package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Milestone is a milestone of a project or a group. Make one with
// Project.Milestone or Group.Milestone.
type Milestone struct {
	svc         *Service
	project     *Project // nil for a label or milestone of a group
	group       *Group   // nil for a label or milestone of a project
	id          int64
	iid         int64
	title       string
	description string
	closed      bool
	createdAt   time.Time
	updatedAt   time.Time
	dueDate     time.Time // zero: none
	startDate   time.Time
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

// ClosedMilestone makes a milestone that is closed.
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
	defer p.svc.lock()()
	m := &Milestone{svc: p.svc, project: p, title: title}
	m.iid = nextIID(&state[milestoneState](p.svc).iids, p)
	return m.store(opts)
}

// Milestone makes a milestone of the group, which all projects below it can use.
func (g *Group) Milestone(title string, opts ...MilestoneOption) *Milestone {
	defer g.svc.lock()()
	m := &Milestone{svc: g.svc, group: g, title: title}
	m.iid = nextIID(&state[milestoneState](g.svc).groupIIDs, g)
	return m.store(opts)
}

func (m *Milestone) store(opts []MilestoneOption) *Milestone {
	m.createdAt = m.svc.now()
	for _, opt := range opts {
		opt.applyMilestone(m)
	}
	m.updatedAt = m.createdAt
	seed(m.svc, &state[milestoneState](m.svc).milestones, &m.id, m, "a milestone")
	return m
}

// nextIID returns the next number of a kind of records in a project or a group.
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
}

func (m *Milestone) state() string {
	if m.closed {
		return "closed"
	}
	return "active"
}

// milestoneJSON is the JSON of a milestone.
type milestoneJSON struct {
	ID          int64    `json:"id"`
	IID         int64    `json:"iid"`
	ProjectID   int64    `json:"project_id,omitempty"`
	GroupID     int64    `json:"group_id,omitempty"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	State       string   `json:"state"`
	CreatedAt   jsonTime `json:"created_at"`
	UpdatedAt   jsonTime `json:"updated_at"`
	DueDate     jsonDate `json:"due_date"`
	StartDate   jsonDate `json:"start_date"`
	Expired     bool     `json:"expired"`
	WebURL      string   `json:"web_url"`
}

// json returns the milestone's JSON. It is nil, that is null, for no milestone.
func (m *Milestone) json() *milestoneJSON {
	if m == nil {
		return nil
	}
	form := &milestoneJSON{
		ID: m.id, IID: m.iid, Title: m.title, Description: m.description, State: m.state(),
		CreatedAt: jsonTime(m.createdAt), UpdatedAt: jsonTime(m.updatedAt),
		DueDate: jsonDate(m.dueDate), StartDate: jsonDate(m.startDate),
		Expired: !m.dueDate.IsZero() && !m.svc.now().Before(m.dueDate.Truncate(24*time.Hour).AddDate(0, 0, 1)),
	}
	if m.group != nil {
		form.GroupID, form.WebURL = m.group.id, m.group.svc.webURL("groups", m.group.fullPath(), "-/milestones", frame.Itoa(m.iid))
	} else {
		form.ProjectID, form.WebURL = m.project.id, m.project.webURL("-/milestones", frame.Itoa(m.iid))
	}
	return form
}
