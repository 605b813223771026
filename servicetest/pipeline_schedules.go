package servicetest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/cron"
	"example.com/serviceapi/servicetest/internal/frame"
)

// maxSchedules is the maximum number of schedules in a project.
const maxSchedules = 10

var pipelineSchedules = collection.Table[*call, *Project, PipelineSchedule]{
	Name: "Pipeline Schedule", Param: "pipeline_schedule_id",
	ID:      func(s *PipelineSchedule) int64 { return s.id },
	Home:    (*call).project,
	Records: (*call).schedulesOf,
	Filters: []collection.Filter[PipelineSchedule]{
		collection.Equal("scope", func(s *PipelineSchedule) string {
			if s.active {
				return "active"
			}
			return "inactive"
		}, "active", "inactive"),
	},
	Fields: []collection.Field[PipelineSchedule]{
		collection.Shown("id", func(s *PipelineSchedule) int64 { return s.id }),
		collection.Text("description", func(s *PipelineSchedule) *string { return &s.description }).Required(),
		collection.Text("ref", func(s *PipelineSchedule) *string { return &s.ref }).Required(),
		collection.Text("cron", func(s *PipelineSchedule) *string { return &s.cron }).Required(),
		collection.Text("cron_timezone", func(s *PipelineSchedule) *string { return &s.zone }),
		collection.Moment("next_run_at", func(s *PipelineSchedule) *time.Time { return &s.nextRunAt }).ReadOnly(),
		collection.Flag("active", func(s *PipelineSchedule) *bool { return &s.active }),
		collection.Moment("created_at", func(s *PipelineSchedule) *time.Time { return &s.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(s *PipelineSchedule) *time.Time { return &s.updatedAt }).ReadOnly(),
		collection.Shown("owner", func(s *PipelineSchedule) *userSummary { return s.owner.summary() }),
		collection.Shown("inputs", (*PipelineSchedule).shownInputs),
	},
	New:     func(c *call, p *Project) *PipelineSchedule { return c.svc.draftSchedule(p, c.user) },
	Read:    func(c *call, _ *Project, s *PipelineSchedule, _ bool) { s.readInputs(c.Fields) },
	Check:   (*call).checkSchedule,
	Add:     func(_ *call, _ *Project, s *PipelineSchedule) { s.file() },
	Saved:   func(c *call, _ *Project, s *PipelineSchedule) { s.updatedAt = c.now(); s.wait() },
	Changed: func(s *PipelineSchedule) time.Time { return s.updatedAt },
	Remove: func(c *call, _ *Project, s *PipelineSchedule) {
		state[scheduleState](c.svc).schedules.remove(s.id)
	},
	Extra: func(c *call, p *Project, s *PipelineSchedule, form *collection.Form) {
		if c.Request.Method == http.MethodGet && c.PathString("pipeline_schedule_id") == "" {
			return // a list
		}
		form.Add("last_pipeline", s.lastPipeline())
		if c.seesVariablesOf(s) {
			form.Add("variables", append([]*pipelineVariable{}, s.variables...))
		}
	},
}

// scheduleVariables are the variables of a schedule. They belong to its owner.
var scheduleVariables = collection.Table[*call, *PipelineSchedule, pipelineVariable]{
	Name: "Pipeline Schedule Variable", Param: "key", Key: func(v *pipelineVariable) string { return v.Key },
	Home: func(c *call) (*PipelineSchedule, *reply) {
		s, refusal := pipelineSchedules.Record(c)
		if refusal == nil && !c.mayUse(s) {
			return nil, frame.Forbidden("")
		}
		return s, refusal
	},
	Records: func(_ *call, s *PipelineSchedule) []*pipelineVariable { return s.variables },
	Fields: []collection.Field[pipelineVariable]{
		collection.Text("key", func(v *pipelineVariable) *string { return &v.Key }).Required().Once().Unique().
			Match(variableKey, "can contain only letters, digits and '_'."),
		collection.Text("value", func(v *pipelineVariable) *string { return &v.Value }).Present(),
		collection.Choice("variable_type", func(v *pipelineVariable) *string { return &v.VariableType },
			"env_var", "file"),
		collection.Flag("raw", func(v *pipelineVariable) *bool { return &v.Raw }).ReadOnly(),
	},
	New: func(*call, *PipelineSchedule) *pipelineVariable { return &pipelineVariable{VariableType: "env_var"} },
	Add: func(_ *call, s *PipelineSchedule, v *pipelineVariable) { s.variables = append(s.variables, v) },
}

// deleteScheduleVariable responds with the variable.
func deleteScheduleVariable(c *call, s *PipelineSchedule, v *pipelineVariable) *reply {
	s.variables = without(s.variables, v)
	return c.Accepted(v)
}

func (c *call) schedulesOf(p *Project) []*PipelineSchedule {
	return state[scheduleState](c.svc).schedules.all(func(s *PipelineSchedule) bool { return s.project == p })
}

// mayUse reports whether the caller may do with the schedule what the request is for.
// The owner may change it. A Maintainer may also delete it and see its variables.
func (c *call) mayUse(s *PipelineSchedule) bool {
	reads := c.Request.Method == http.MethodGet
	deletes := c.Request.Method == http.MethodDelete && c.PathString("key") == ""
	return s.owner == c.user || (reads || deletes) && c.seesVariablesOf(s)
}

// seesVariablesOf reports whether the caller is the owner of the schedule or a
// Maintainer.
func (c *call) seesVariablesOf(s *PipelineSchedule) bool {
	return s.owner == c.user || c.svc.projectLevel(c.user, s.project) >= Maintainer
}

// ofSchedule makes a handler for callers who may change or delete the schedule of the
// path.
func ofSchedule(handle func(*call) *reply) handler {
	return with(pipelineSchedules.Record, func(c *call, s *PipelineSchedule) *reply {
		if !c.mayUse(s) {
			return frame.Forbidden("")
		}
		return handle(c)
	})
}

// checkSchedule refuses invalid times, and computes the next one if the times have
// changed.
func (c *call) checkSchedule(p *Project, draft, before *PipelineSchedule) *reply {
	switch {
	case before == nil && len(c.schedulesOf(p)) >= maxSchedules:
		return frame.FieldErrors("base",
			"Maximum number of pipeline schedules ("+frame.Itoa(maxSchedules)+") exceeded")
	case before != nil && draft.cron == before.cron && draft.zone == before.zone && draft.active == before.active:
		return nil
	}
	if field := draft.setNext(c.now()); field != "" {
		return frame.FieldErrors(field, "is invalid syntax")
	}
	return nil
}

// setNext computes when the schedule runs next. It returns the name of a wrong field,
// or "".
func (s *PipelineSchedule) setNext(now time.Time) (wrong string) {
	zone, ok := cron.Zone(s.zone)
	if !ok {
		return "cron_timezone"
	}
	times, err := cron.Parse(s.cron, zone)
	if err != nil {
		return "cron"
	}
	s.nextRunAt = time.Time{}
	if next := times.Next(now); !next.IsZero() {
		s.nextRunAt = next.UTC()
	}
	return ""
}

// wait makes the schedule run at its next time, unless it has changed by then.
func (s *PipelineSchedule) wait() {
	due := s.nextRunAt
	if !s.active || due.IsZero() {
		return
	}
	s.svc.later(due.Sub(s.svc.now()), func() {
		_, exists := state[scheduleState](s.svc).schedules.get(s.id)
		if !exists || !s.active || !s.nextRunAt.Equal(due) {
			return
		}
		s.run(s.owner)
		s.setNext(due)
		s.wait()
	})
}

// run starts a pipeline for a user. Nobody learns why it cannot start.
func (s *PipelineSchedule) run(user *User) {
	variables := mapped(s.variables, func(v *pipelineVariable) pipelineVariable { return *v })
	made, refusal := s.project.tryPipeline(s.shortRef(), "schedule", user, variables)
	if refusal == nil {
		made.inputs = maps.Clone(s.inputs)
		s.pipelines = append(s.pipelines, made)
	}
}

// shortRef returns the name of the branch or tag.
func (s *PipelineSchedule) shortRef() string {
	return strings.TrimPrefix(strings.TrimPrefix(s.ref, "refs/heads/"), "refs/tags/")
}

// takeSchedule makes the caller the owner.
func takeSchedule(c *call, project *Project, s *PipelineSchedule) *reply {
	if s.owner == c.user {
		return c.OK(pipelineSchedules.Form(c, project, s))
	}
	s.owner, s.updatedAt = c.user, c.now()
	return c.Created(pipelineSchedules.Form(c, project, s))
}

// playSchedule starts a pipeline now. The response does not say whether it could start.
func playSchedule(c *call, project *Project, s *PipelineSchedule) *reply {
	if !project.mayPush(c.user, s.shortRef()) {
		return frame.Forbidden("")
	}
	s.run(c.user)
	return frame.Message(http.StatusCreated, "201 Created")
}

// listScheduledPipelines lists the pipelines that the schedule has started, oldest
// first.
func listScheduledPipelines(c *call, _ *Project, s *PipelineSchedule) *reply {
	scope := c.StringIn("scope", "running", "pending", "finished", "branches", "tags")
	status := c.StringIn("status", pipelineStatuses...)
	updated, created := c.during("updated"), c.during("created")
	descending := c.StringIn("sort", "asc", "desc") == "desc"
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := slices.DeleteFunc(s.existing(), func(p *Pipeline) bool {
		p.settle()
		return status != "" && p.status != status || !p.inScope(scope) ||
			!updated.includes(p.updatedAt) || !created.includes(p.createdAt)
	})
	if scope == "branches" || scope == "tags" {
		found = latestOfEach(found)
	}
	if descending {
		slices.Reverse(found)
	}
	return frame.ListOf(c, found, (*Pipeline).entry)
}

// existing returns the pipelines of the schedule that were not deleted, oldest first.
func (s *PipelineSchedule) existing() []*Pipeline {
	all := &state[pipelineState](s.svc).pipelines
	return slices.DeleteFunc(slices.Clone(s.pipelines), func(p *Pipeline) bool {
		_, exists := all.get(p.id)
		return !exists
	})
}

func (s *PipelineSchedule) lastPipeline() *pipelineEntry {
	if all := s.existing(); len(all) > 0 {
		return new(all[len(all)-1].entry())
	}
	return nil
}

// readInputs reads the values of inputs, and adds them to the existing ones.
func (s *PipelineSchedule) readInputs(f fields) {
	inputs := maps.Clone(s.inputs)
	if inputs == nil {
		inputs = map[string]any{}
	}
	for _, item := range f.Subs("inputs") {
		name := item.RequiredString("name")
		if item.Bool("destroy") {
			delete(inputs, name)
			continue
		}
		item.RequireGiven("value")
		inputs[name] = item.Values["value"]
	}
	s.inputs = inputs
}

// A scheduleInput is an input of a schedule and its value.
type scheduleInput struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

func (s *PipelineSchedule) shownInputs() []scheduleInput {
	return mapped(slices.Sorted(maps.Keys(s.inputs)), func(name string) scheduleInput {
		return scheduleInput{name, s.inputs[name]}
	})
}

// A PipelineSchedule starts pipelines of a project by the service's clock. Make one with
// Project.PipelineSchedule.
type PipelineSchedule struct {
	svc         *Service
	project     *Project
	owner       *User
	id          int64
	description string
	ref         string
	cron, zone  string
	active      bool
	createdAt   time.Time
	updatedAt   time.Time
	nextRunAt   time.Time // zero means never
	variables   []*pipelineVariable
	inputs      map[string]any
	pipelines   []*Pipeline // oldest first, including deleted ones
}

// scheduleState keeps the schedules of a service.
type scheduleState struct{ schedules table[*PipelineSchedule] }

// A PipelineScheduleOption sets a property of a schedule. By, CreatedAt and ID are
// PipelineScheduleOptions, too.
type PipelineScheduleOption interface {
	applyPipelineSchedule(s *PipelineSchedule)
}

type scheduleOption func(*PipelineSchedule)

func (f scheduleOption) applyPipelineSchedule(s *PipelineSchedule) { f(s) }

func (o IDOption) applyPipelineSchedule(s *PipelineSchedule)        { s.id = int64(o) }
func (o ByOption) applyPipelineSchedule(s *PipelineSchedule)        { s.owner = o.user }
func (o CreatedAtOption) applyPipelineSchedule(s *PipelineSchedule) { s.createdAt = time.Time(o) }

// ScheduledRef sets the branch or tag for the pipelines of a schedule. The default is
// the default branch.
func ScheduledRef(ref string) PipelineScheduleOption {
	return scheduleOption(func(s *PipelineSchedule) { s.ref = ref })
}

// ScheduledIn sets the time zone of a schedule, such as "Europe/Berlin". The default is
// "UTC".
func ScheduledIn(zone string) PipelineScheduleOption {
	return scheduleOption(func(s *PipelineSchedule) { s.zone = zone })
}

// InactiveSchedule makes an inactive schedule, which starts no pipelines by itself.
func InactiveSchedule() PipelineScheduleOption {
	return scheduleOption(func(s *PipelineSchedule) { s.active = false })
}

// ScheduleVariable gives a schedule a variable for its pipelines.
func ScheduleVariable(key, value string) PipelineScheduleOption {
	return scheduleOption(func(s *PipelineSchedule) {
		s.variables = append(s.variables, &pipelineVariable{Key: key, Value: value, VariableType: "env_var"})
	})
}

// ScheduleInput gives a schedule the value of an input for its pipelines.
func ScheduleInput(name string, value any) PipelineScheduleOption {
	return scheduleOption(func(s *PipelineSchedule) {
		put(&s.inputs, name, value)
	})
}

// PipelineSchedule makes a schedule. It starts a pipeline when the clock advances past
// a time of its cron expression, which has five fields, such as "0 4 * * mon-fri". By
// default, Root created the schedule now.
func (p *Project) PipelineSchedule(description, times string, opts ...PipelineScheduleOption) *PipelineSchedule {
	defer p.svc.lock()()
	s := p.svc.draftSchedule(p, p.svc.admin)
	s.description, s.cron, s.ref = description, times, p.defaultBranch
	apply(s, opts, PipelineScheduleOption.applyPipelineSchedule)
	s.updatedAt = s.createdAt
	if field := s.setNext(p.svc.now()); field != "" {
		p.svc.fail("the %s of a schedule is wrong: %q in %q", field, s.cron, s.zone)
		return s
	}
	if _, err := json.Marshal(s.inputs); err != nil {
		p.svc.fail("an input of a schedule is wrong: %v", err)
	}
	s.file()
	return s
}

func (s *Service) draftSchedule(p *Project, owner *User) *PipelineSchedule {
	return &PipelineSchedule{
		svc: s, project: p, owner: owner, zone: "UTC", active: true, createdAt: s.now(), updatedAt: s.now(),
	}
}

// file stores the schedule and makes it run when it is due.
func (s *PipelineSchedule) file() {
	seed(s.svc, &state[scheduleState](s.svc).schedules, &s.id, s, "a pipeline schedule")
	s.wait()
}

// ID returns the schedule's ID.
func (s *PipelineSchedule) ID() int64 { return s.id }

// NextRunAt returns the next time of the schedule, or the zero time if there is none.
func (s *PipelineSchedule) NextRunAt() time.Time { return read(s.svc, &s.nextRunAt) }

// Pipelines returns the pipelines that the schedule started, oldest first.
func (s *PipelineSchedule) Pipelines() []*Pipeline { return locked(s.svc, s.existing) }

func (s *PipelineSchedule) key() int64 { return s.id }
