package servicetest

import "time"

// A Runner executes jobs. Make one with Service.Runner.
type Runner struct {
	stamp

	svc         *Service
	id          int64
	description string
	name        string
	ipAddress   string
	kind        string // instance_type, group_type or project_type
	paused      bool
	online      *bool  // nil: not known
	status      string // online, offline, stale or never_contacted

	architecture, platform string
	revision, version      string
	accessLevel            string // not_protected or ref_protected
	runUntagged, locked    bool
	maximumTimeout         int64 // seconds; 0: none
	maintenanceNote        string
	tags                   []string
	contactedAt            time.Time
	groups                 []*Group
	projects               []*Project
	token                  string
}

// A RunnerOption says what is special about a runner.
type RunnerOption interface{ applyRunner(r *Runner) }

// Runner makes a runner; without options one that is shared by the instance
// and online.
func (s *Service) Runner(description string, opts ...RunnerOption) *Runner {
	defer s.lock()()
	return s.newRunner(description, opts)
}

// runnerState keeps the runners of a service.
type runnerState struct{ runners table[*Runner] }

func (s *Service) newRunner(description string, opts []RunnerOption) *Runner {
	r := &Runner{
		svc: s, description: description, name: "service-runner", ipAddress: "203.0.113.17",
		kind: "instance_type", online: new(true), status: "online",
		architecture: "amd64", platform: "linux", revision: "91a27b2a", version: "16.5.0",
		accessLevel: "not_protected", runUntagged: true, contactedAt: s.now(),
	}
	for _, opt := range opts {
		opt.applyRunner(r)
	}
	var free bool
	if r.id, free = state[runnerState](s).runners.add(r.id, r); !free {
		s.fail("a runner with id %d exists already", r.id)
	}
	s.touch(&r.stamp)
	return r
}

// ID returns the runner's id.
func (r *Runner) ID() int64 { return r.id }

// runnerSummary is the form of a runner in lists and jobs.
type runnerSummary struct {
	ID          int64    `json:"id"`
	Description string   `json:"description"`
	IPAddress   string   `json:"ip_address"`
	Active      bool     `json:"active"`
	Paused      bool     `json:"paused"`
	IsShared    bool     `json:"is_shared"`
	RunnerType  string   `json:"runner_type"`
	Name        jsonText `json:"name"`
	Online      *bool    `json:"online"`
	Status      string   `json:"status"`
}

// summary returns the form in lists and jobs; nil, which is null, for no
// runner.
func (r *Runner) summary() *runnerSummary {
	if r == nil {
		return nil
	}
	return &runnerSummary{
		ID: r.id, Description: r.description, IPAddress: r.ipAddress,
		Active: !r.paused, Paused: r.paused, IsShared: r.kind == "instance_type",
		RunnerType: r.kind, Name: jsonText(r.name), Online: r.online, Status: r.status,
	}
}

// changedAt returns the stamp of a runner that may be nil.
func (r *Runner) changedAt() uint64 {
	if r == nil {
		return 0
	}
	return r.changed
}
