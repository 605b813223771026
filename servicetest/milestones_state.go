package servicetest

import (
	"strconv"
	"time"
)

// A Milestone is a goal of a project. Make one with Project.Milestone.
type Milestone struct {
	project     *Project
	id          int64
	iid         int64
	title       string
	description string
	createdAt   time.Time
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

// Between sets the days on which a milestone begins and is due. A zero time
// means that there is no such day.
func Between(start, due time.Time) MilestoneOption {
	return milestoneOption(func(m *Milestone) { m.startDate, m.dueDate = start, due })
}

// milestoneState keeps the milestones of a service.
type milestoneState struct {
	milestones table[*Milestone]
	iids       map[*Project]int64
}

// Milestone makes a milestone of the project.
func (p *Project) Milestone(title string, opts ...MilestoneOption) *Milestone {
	defer p.svc.lock()()
	all := state[milestoneState](p.svc)
	m := &Milestone{project: p, title: title, createdAt: p.svc.now()}
	for _, opt := range opts {
		opt.applyMilestone(m)
	}
	seed(p.svc, &all.milestones, &m.id, m, "a milestone")
	m.iid = nextIID(&all.iids, p)
	return m
}

// nextIID numbers the records of one kind in a project.
func nextIID(last *map[*Project]int64, p *Project) int64 {
	if *last == nil {
		*last = make(map[*Project]int64)
	}
	(*last)[p]++
	return (*last)[p]
}

// ID returns the milestone's id.
func (m *Milestone) ID() int64 { return m.id }

// Title returns the milestone's title.
func (m *Milestone) Title() string { return m.title }

// milestoneJSON is the form of a milestone in issues and merge requests.
type milestoneJSON struct {
	ID          int64    `json:"id"`
	IID         int64    `json:"iid"`
	ProjectID   int64    `json:"project_id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	State       string   `json:"state"`
	CreatedAt   jsonTime `json:"created_at"`
	UpdatedAt   jsonTime `json:"updated_at"`
	DueDate     jsonDate `json:"due_date"`
	StartDate   jsonDate `json:"start_date"`
	WebURL      string   `json:"web_url"`
}

// json returns the milestone's form; nil, which is null, for no milestone.
func (m *Milestone) json() *milestoneJSON {
	if m == nil {
		return nil
	}
	return &milestoneJSON{
		ID: m.id, IID: m.iid, ProjectID: m.project.id, Title: m.title, Description: m.description, State: "active",
		CreatedAt: jsonTime(m.createdAt), UpdatedAt: jsonTime(m.createdAt),
		DueDate: jsonDate(m.dueDate), StartDate: jsonDate(m.startDate),
		WebURL: m.project.webURL("-/milestones", strconv.FormatInt(m.iid, 10)),
	}
}
