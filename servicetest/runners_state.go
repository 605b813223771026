package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

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
	online      *bool  // nil if unknown
	status      string // online, offline, stale or never_contacted

	architecture, platform string
	revision, version      string
	accessLevel            string // not_protected or ref_protected
	runUntagged, locked    bool
	maximumTimeout         int64 // in seconds; 0 means none
	maintenanceNote        string
	tags                   []string
	createdAt, contactedAt time.Time
	groups                 []*Group
	projects               []*Project
	token                  string // the authentication token
	systemID               string // system ID of its only manager
}

// A RunnerOption sets a property of a runner. ID, Name and Tags are
// RunnerOptions, too.
type RunnerOption interface{ applyRunner(r *Runner) }

type runnerOption func(*Runner)

func (f runnerOption) applyRunner(r *Runner) { f(r) }

func (o NameOption) applyRunner(r *Runner) { r.name = string(o) }

// ForGroup makes a runner that belongs to a group and serves its projects.
func ForGroup(group *Group) RunnerOption {
	return runnerOption(func(r *Runner) { r.kind, r.groups = "group_type", []*Group{group} })
}

// ForProjects makes a runner that serves these projects and no others.
func ForProjects(projects ...*Project) RunnerOption {
	return runnerOption(func(r *Runner) { r.kind, r.projects = "project_type", slices.Clone(projects) })
}

// RunnerStatus sets a runner's status: online (the default), offline, stale or
// never_contacted.
func RunnerStatus(status string) RunnerOption {
	return runnerOption(func(r *Runner) { r.become(status) })
}

// RunnerVersion sets the version of the runner program. The default is 16.5.0.
func RunnerVersion(version string) RunnerOption {
	return runnerOption(func(r *Runner) { r.version = version })
}

// RunnerSystemID sets the system ID of a runner's only process, for the filter
// system_id of its jobs. The default is s_000000000001.
func RunnerSystemID(id string) RunnerOption {
	return runnerOption(func(r *Runner) { r.systemID = id })
}

// RunnerPaused makes a runner that takes no jobs.
func RunnerPaused() RunnerOption { return runnerOption(func(r *Runner) { r.paused = true }) }

// RunnerLocked makes a runner that cannot be enabled in other projects.
func RunnerLocked() RunnerOption { return runnerOption(func(r *Runner) { r.locked = true }) }

// RunnerRefProtected makes a runner that takes only jobs of protected refs.
func RunnerRefProtected() RunnerOption {
	return runnerOption(func(r *Runner) { r.accessLevel = "ref_protected" })
}

// RunnerTimeout sets the maximum time of jobs on a runner, in whole seconds.
func RunnerTimeout(d time.Duration) RunnerOption {
	return runnerOption(func(r *Runner) { r.maximumTimeout = int64(d / time.Second) })
}

// WithoutSharedRunnersOption is the option that WithoutSharedRunners returns.
type WithoutSharedRunnersOption struct{}

// WithoutSharedRunners makes a project or group that does not use the runners of the
// instance. The setting of a group also applies to its projects.
func WithoutSharedRunners() WithoutSharedRunnersOption { return WithoutSharedRunnersOption{} }

func (WithoutSharedRunnersOption) applyProject(p *Project) { state[runnerState](p.svc).forbid(p) }

func (WithoutSharedRunnersOption) applyGroup(g *Group) { state[runnerState](g.svc).forbid(g) }

// runnerState keeps the runners of a service.
type runnerState struct {
	runners table[*Runner]
	// unshared has the projects and groups that do not allow runners of the instance.
	unshared map[any]bool
	// registration maps registration tokens to the owners of their runners: a
	// *Project, a *Group or the *Service.
	registration map[string]any
}

func (s *runnerState) forbid(owner any) {
	put(&s.unshared, owner, true)
}

// share sets whether a project may use the runners of the instance.
func (s *runnerState) share(p *Project, on bool) {
	if !on {
		s.forbid(p)
		return
	}
	delete(s.unshared, p)
}

// forbids reports whether the setting of a project or group itself forbids runners of
// the instance.
func (s *runnerState) forbids(owner any) bool { return s.unshared[owner] }

// Runner makes a runner. By default, it belongs to the instance and is online.
func (s *Service) Runner(description string, opts ...RunnerOption) *Runner {
	defer s.lock()()
	return s.newRunner(description, opts)
}

func (s *Service) newRunner(description string, opts []RunnerOption) *Runner {
	r := &Runner{
		svc: s, description: description, name: "service-runner", ipAddress: "203.0.113.17",
		kind: "instance_type", online: new(true), status: "online",
		architecture: "amd64", platform: "linux", revision: "91a27b2a", version: "16.5.0",
		accessLevel: "not_protected", runUntagged: true, contactedAt: s.now(),
	}
	apply(r, opts, RunnerOption.applyRunner)
	r.systemID, r.createdAt = either(r.systemID, "s_000000000001"), s.now()
	seed(s, &state[runnerState](s).runners, &r.id, r, "a runner")
	r.token = "runner-" + frame.SHA("runner", frame.Itoa(r.id))[:20]
	s.touch(r)
	return r
}

// become sets the status, and the members that depend on it.
func (r *Runner) become(status string) {
	r.status, r.online = status, new(status == "online")
	if status == "never_contacted" {
		r.online, r.contactedAt = nil, time.Time{}
	}
}

// Runners returns all runners, oldest first, including those that were
// registered through the API.
func (s *Service) Runners() []*Runner {
	defer s.lock()()
	return state[runnerState](s).runners.all(nil)
}

// ID returns the runner's ID.
func (r *Runner) ID() int64 { return r.id }

// Token returns the runner's authentication token.
func (r *Runner) Token() string { return read(r.svc, &r.token) }

// Description returns the runner's description.
func (r *Runner) Description() string { return read(r.svc, &r.description) }

// Paused reports whether the runner is paused and takes no jobs.
func (r *Runner) Paused() bool { return read(r.svc, &r.paused) }

// Locked reports whether the runner cannot be enabled in other projects.
func (r *Runner) Locked() bool { return read(r.svc, &r.locked) }

// RunUntagged reports whether the runner takes jobs without tags.
func (r *Runner) RunUntagged() bool { return read(r.svc, &r.runUntagged) }

// MaintenanceNote returns the note for the maintainers of the runner.
func (r *Runner) MaintenanceNote() string { return read(r.svc, &r.maintenanceNote) }

// Projects returns the projects that a project runner serves.
func (r *Runner) Projects() []*Project { return copied(r.svc, &r.projects) }

// RegistrationToken returns the token for registering runners of the instance.
func (s *Service) RegistrationToken() string { return s.registrationToken(s) }

// RegistrationToken returns the token for registering runners of the group.
func (g *Group) RegistrationToken() string { return g.svc.registrationToken(g) }

// RegistrationToken returns the token for registering runners of the project.
func (p *Project) RegistrationToken() string { return p.svc.registrationToken(p) }

func (s *Service) registrationToken(owner any) string {
	defer s.lock()()
	return s.registrationTokenOf(owner)
}

// registrationTokenOf returns the registration token of a *Project, a *Group or the *Service.
func (s *Service) registrationTokenOf(owner any) string {
	runners := state[runnerState](s)
	for token, of := range runners.registration {
		if of == owner {
			return token
		}
	}
	name := "instance"
	switch owner := owner.(type) {
	case *Group:
		name = "group " + frame.Itoa(owner.id)
	case *Project:
		name = "project " + frame.Itoa(owner.id)
	}
	return runners.register("registration-"+frame.SHA("registration", name)[:20], owner)
}

// renewRegistrationToken replaces the registration token of an owner.
func (s *Service) renewRegistrationToken(owner any) string {
	old := s.registrationTokenOf(owner)
	runners := state[runnerState](s)
	delete(runners.registration, old)
	s.touch(owner)
	return runners.register("registration-"+frame.SHA("registration", old)[:20], owner)
}

func (s *runnerState) register(token string, owner any) string {
	put(&s.registration, token, owner)
	return token
}

// changedAt returns the stamp of a runner that may be nil.
func (r *Runner) changedAt() uint64 {
	if r == nil {
		return 0
	}
	return r.Changed
}

// runnerSummary is the JSON of a runner in lists and jobs.
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

// runnerFields are the fields of a runner beside those in its summary. read reads those that
// callers can set.
var runnerFields = []collection.Field[Runner]{
	collection.Note("architecture", func(r *Runner) *string { return &r.architecture }),
	collection.Note("platform", func(r *Runner) *string { return &r.platform }),
	collection.Note("revision", func(r *Runner) *string { return &r.revision }),
	collection.Note("version", func(r *Runner) *string { return &r.version }),
	collection.Moment("contacted_at", func(r *Runner) *time.Time { return &r.contactedAt }),
	collection.Shown("projects", func(r *Runner) []jsonBytes {
		return mapped(r.projects, func(p *Project) jsonBytes { return joined(p.object(), p.content()) })
	}),
	collection.Shown("tag_list", func(r *Runner) []string { return texts(r.tags) }),
	collection.Shown("access_level", func(r *Runner) string { return r.accessLevel }),
	collection.Shown("maximum_timeout", func(r *Runner) any {
		if r.maximumTimeout <= 0 {
			return nil
		}
		return r.maximumTimeout
	}),
	collection.Flag("run_untagged", func(r *Runner) *bool { return &r.runUntagged }),
	collection.Flag("locked", func(r *Runner) *bool { return &r.locked }),
	collection.Shown("groups", func(r *Runner) []*collection.Form {
		return mapped(r.groups, func(g *Group) *collection.Form {
			return inOrder("id", g.id, "name", g.name, "web_url", g.webURL())
		})
	}),
}

// summary returns the JSON for lists and jobs. Without a runner it is nil, which means
// null.
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

// runnerDetails returns the full JSON of a runner as the caller sees it. Only callers who may
// change the runner see the note.
func (c *call) runnerDetails(r *Runner) jsonBytes {
	form := collection.Show(runnerFields, r)
	if c.manages(r) {
		form.Add("maintenance_note", jsonText(r.maintenanceNote))
	}
	return joined(r.summary(), form)
}
