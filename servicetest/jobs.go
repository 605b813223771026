package servicetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// jobStatuses are the values of scope. The last four exist in newer releases. Of them, jobs
// here only wait for a resource.
var jobStatuses = []string{
	"created", "pending", "running", "failed", "success", "canceled", "skipped", "manual",
	"waiting_for_resource", "preparing", "scheduled", "canceling",
}

// findJob returns the job of the path.
func (c *call) findJob() (*Job, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	job, ok := state[jobState](c.svc).jobs.get(c.PathInt64("job_id"))
	if !ok || job.bridge || job.external != nil || job.pipeline.project != project {
		return nil, frame.NotFound("")
	}
	job.expire()
	c.found(job)
	return job, nil
}

// findPipeline returns the pipeline of the path.
func (c *call) findPipeline() (*Pipeline, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	pipeline, ok := state[pipelineState](c.svc).pipelines.get(c.PathInt64("pipeline_id"))
	if !ok || pipeline.project != project {
		return nil, frame.NotFound("")
	}
	c.found(pipeline)
	return pipeline, nil
}

func listProjectJobs(c *call, project *Project) *reply {
	jobs := project.jobs
	if ref := c.String("ref"); ref != "" {
		jobs = slices.DeleteFunc(slices.Clone(jobs), func(j *Job) bool { return j.pipeline.ref != ref })
	}
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Job]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: c.inScope(jobs, true),
			Key: func(j *Job) string { return frame.Itoa(j.id) }, JSON: (*Job).json,
		})
	}
	return c.jobPage(jobs, true)
}

func listPipelineJobs(c *call, pipeline *Pipeline) *reply {
	jobs := pipeline.jobs
	if family := pipeline.family(); len(family) > 1 {
		jobs = nil
		for _, p := range family {
			jobs = append(jobs, p.jobs...)
		}
		sortJobs(jobs)
	}
	return c.jobPage(jobs, c.Bool("include_retried"))
}

// jobPage returns a page of jobs. The jobs must be in ascending order of ID.
func (c *call) jobPage(jobs []*Job, retried bool) *reply {
	jobs = c.inScope(jobs, retried)
	last := len(jobs) - 1
	return c.Page(len(jobs), func(i int) *encoded { return jobs[last-i].json() })
}

// inScope returns the jobs whose status the parameter scope names.
func (c *call) inScope(jobs []*Job, retried bool) []*Job {
	scope := c.StringsIn("scope", jobStatuses...)
	if len(scope) == 0 && retried {
		return jobs
	}
	return only(jobs, func(job *Job) bool {
		return (retried || !job.retried) && (len(scope) == 0 || slices.Contains(scope, job.status))
	})
}

func sortJobs(jobs []*Job) {
	slices.SortFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.id, b.id) })
}

func listBridges(c *call, pipeline *Pipeline) *reply {
	bridges := slices.Clone(c.inScope(pipeline.bridges, true))
	slices.Reverse(bridges)
	return frame.ListOf(c, bridges, (*Job).bridgeJSON)
}

func getJob(c *call, job *Job) *reply { return c.OK(job.json()) }

func getTrace(c *call, job *Job) *reply {
	if job.trace == nil {
		return frame.NotFound("")
	}
	return job.trace.reply(c, "job.log", "text/plain; charset=utf-8")
}

func cancelJob(c *call, job *Job) *reply {
	force := c.Bool("force")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if force && c.svc.projectLevel(c.user, job.pipeline.project) < Maintainer {
		return frame.Forbidden("")
	}
	job.cancel()
	return c.Created(job.json())
}

func retryJob(c *call, job *Job) *reply {
	inputs := c.Sub("inputs").Values
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if len(inputs) > 0 { // which need a feature that is off by default
		return frame.Forbidden("The inputs parameter is not available")
	}
	if !job.retryable() {
		return frame.Forbidden("Job is not retryable")
	}
	if !job.mayDeploy(c.user) {
		return frame.Forbidden("")
	}
	return c.Created(job.retry(c.user).json())
}

// playJob starts a manual job, which runs by the service's clock.
func playJob(c *call, job *Job) *reply {
	variables, inputs := c.pipelineVariables("job_variables_attributes"), c.Sub("job_inputs").Values
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !job.pipeline.project.mayRun(c.user, job.pipeline.ref) || !job.mayDeploy(c.user) {
		return frame.Forbidden("")
	}
	if job.status != "manual" {
		return frame.BadRequest("Unplayable Job")
	}
	job.user, job.variables, job.inputs, job.played = c.user, variables, inputs, true
	job.queue()
	return c.OK(job.json())
}

// eraseJob deletes the artifacts and the log of a finished job.
func eraseJob(c *call, job *Job) *reply {
	if job.user != c.user && c.svc.projectLevel(c.user, job.pipeline.project) < Maintainer {
		return frame.Forbidden("")
	}
	if !job.finished() || !job.erasedAt.IsZero() {
		return frame.Forbidden("Job is not erasable!")
	}
	job.erasedAt, job.trace, job.expireAt = c.now(), nil, time.Time{}
	job.erase()
	return c.Created(job.json())
}

// getTokenJob returns the job whose token the caller uses.
func getTokenJob(c *call) *reply {
	job := c.job()
	if job == nil {
		return frame.NotFound("Job")
	}
	return c.OK(job.json())
}

func getAllowedAgents(c *call) *reply {
	job := c.job()
	if job == nil {
		return frame.NotFound("Job")
	}
	// The configuration is what the agent's configuration says beside who may use it.
	project := job.pipeline.project
	list := mapped(state[agentAccess](c.svc).allowed[project], func(a *agent) *collection.Form {
		return inOrder("id", a.id, "config_project", a.home.summary(), "configuration", object{})
	})
	if c.svc.settings.vendor != "" {
		return c.OK(c.newerAgents(job, list))
	}
	return c.OK(inOrder("allowed_agents", list, "job", inOrder("id", job.id, "name", job.name, "stage", job.stage,
		"project_id", project.id, "project_name", project.name), "pipeline", job.pipeline.details(),
		"project", project.summary(), "user", job.user.summary()))
}

// A Job is a job of a pipeline, or a bridge. Make one with Pipeline.Job. It is
// an io.Writer that appends to its log.
type Job struct {
	stamp

	svc           *Service
	pipeline      *Pipeline
	id            int64
	name          string
	stage         string
	status        string
	failureReason string
	allowFailure  bool
	retried       bool
	coverage      *float64
	tags          []string
	user          *User
	runner        *Runner

	createdAt, startedAt, finishedAt time.Time
	queuedAt                         time.Time     // start of the wait for a runner, if later than createdAt
	queued, took                     time.Duration // as seeded
	keeps                            bool          // artifacts do not expire

	trace      *content
	archive    *content
	junit      *content
	expireAt   time.Time // when the artifacts expire; zero means never
	token      *token
	variables  []pipelineVariable // passed when it was played
	inputs     map[string]any     // likewise
	plan       *jobPlan           // only of jobs that follow the clock
	group      *resourceGroup     // nil for most
	flaky      bool               // a retry succeeds
	played     bool               // a manual job that was played
	waits      int                // number of times it was queued
	erasedAt   time.Time
	external   *externalStatus // only of a reported status
	bridge     bool
	downstream *Pipeline // only of a bridge

	cache encoded
	shown time.Time // time of the cached duration while running
}

// jobState keeps the jobs and bridges of a service.
type jobState struct{ jobs table[*Job] }

// Job makes a job. By default, it is in the stage test and succeeded after a
// minute.
func (p *Pipeline) Job(name string, opts ...JobOption) *Job {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	return p.newJob(name, false, opts)
}

func (p *Pipeline) newJob(name string, bridge bool, opts []JobOption) *Job {
	j := p.draftJob(name, bridge, opts)
	j.date()
	j.dateArtifacts()
	j.store()
	return j
}

// draftJob returns a job that is not stored yet, with its options applied.
func (p *Pipeline) draftJob(name string, bridge bool, opts []JobOption) *Job {
	j := &Job{
		svc: p.svc, pipeline: p, name: name, stage: "test", status: "success",
		user: p.user, createdAt: p.createdAt, bridge: bridge,
		queued: 2250 * time.Millisecond, took: 61500 * time.Millisecond,
	}
	if !bridge {
		j.runner = p.svc.defaultRunner()
	}
	apply(j, opts, JobOption.applyJob)
	return j
}

// date computes when the job started and finished. A finished job ended in the past,
// however long it took.
func (j *Job) date() {
	now := j.svc.now()
	switch {
	case j.finished() && j.status != "skipped":
		if j.createdAt.Add(j.queued + j.took).After(now) {
			j.createdAt = now.Add(-j.queued - j.took)
		}
		j.startedAt = j.createdAt.Add(j.queued)
		j.finishedAt = j.startedAt.Add(j.took)
	case j.status == "running":
		if j.createdAt.Add(j.queued).After(now) {
			j.createdAt = now.Add(-j.queued)
		}
		j.startedAt = j.createdAt.Add(j.queued)
	default:
		j.runner = nil
	}
}

// store stores the job by its ID, in its pipeline and in its project.
func (j *Job) store() {
	seed(j.svc, &state[jobState](j.svc).jobs, &j.id, j, "a job")
	switch {
	case j.external != nil:
		j.pipeline.externals = insertJob(j.pipeline.externals, j)
	case j.bridge:
		j.pipeline.bridges = insertJob(j.pipeline.bridges, j)
	default:
		j.pipeline.jobs = insertJob(j.pipeline.jobs, j)
		j.pipeline.project.jobs = insertJob(j.pipeline.project.jobs, j)
	}
	j.change()
}

func insertJob(jobs []*Job, job *Job) []*Job {
	at, _ := slices.BinarySearchFunc(jobs, job.id, func(other *Job, id int64) int {
		return cmp.Compare(other.id, id)
	})
	return slices.Insert(jobs, at, job)
}

// change records that the job has changed.
func (j *Job) change() {
	j.svc.touch(j)
	j.svc.suspect(j.pipeline)
	j.pipeline.stale = true
	j.pipeline.proceed()
	j.pipeline.mergeWaiting()
	j.group.hand()
}

// finished reports whether the job will no longer run.
func (j *Job) finished() bool {
	switch j.status {
	case "success", "failed", "canceled", "skipped":
		return true
	}
	return false
}

// ID returns the job's ID.
func (j *Job) ID() int64 { return j.id }

// Name returns the job's name.
func (j *Job) Name() string { return j.name }

// Pipeline returns the job's pipeline.
func (j *Job) Pipeline() *Pipeline { return j.pipeline }

// Status returns the job's status, for example running.
func (j *Job) Status() string { return read(j.svc, &j.status) }

// Retried reports whether a newer job has replaced this one.
func (j *Job) Retried() bool { return read(j.svc, &j.retried) }

// Token returns the job's token, the one in CI_JOB_TOKEN in its scripts. It remains
// valid after the job ends.
func (j *Job) Token() string {
	defer j.svc.lock()()
	if j.token == nil {
		j.token = j.svc.issue(jobToken, j.user, nil)
		j.token.job = j
	}
	return j.token.secret
}

// Start starts the job now.
func (j *Job) Start() {
	defer j.svc.lock()()
	j.start()
}

func (j *Job) start() {
	j.status, j.startedAt, j.finishedAt = "running", j.svc.now(), time.Time{}
	if j.runner == nil {
		j.runner = j.svc.defaultRunner()
	}
	if j.plan.endsByHand() && j.trace == nil {
		j.trace = j.plan.trace
	}
	j.change()
}

// Succeed ends the job now. A planned job then has what it was to produce.
func (j *Job) Succeed() {
	defer j.svc.lock()()
	j.end("success", "")
}

// Fail ends the job now, for a reason such as script_failure. A planned job then has what it was
// to produce.
func (j *Job) Fail(reason string) {
	defer j.svc.lock()()
	j.end("failed", reason)
}

// end ends the job, whatever its plan says of its state.
func (j *Job) end(status, reason string) {
	j.produce()
	j.finish(status, reason)
}

// Cancel cancels the job now, as the API does.
func (j *Job) Cancel() {
	defer j.svc.lock()()
	j.cancel()
}

// cancel cancels the job. It changes nothing if the job has ended.
func (j *Job) cancel() {
	if !j.finished() {
		j.finish("canceled", "")
	}
}

// finish ends the job. A job that has already ended keeps its time.
func (j *Job) finish(status, reason string) {
	j.status, j.failureReason = status, reason
	if j.finishedAt.IsZero() {
		j.finishedAt = j.svc.now()
	}
	j.change()
}

// Retry replaces the job with a new one, as the API does, and returns the new
// one.
func (j *Job) Retry() *Job { return locked(j.svc, func() *Job { return j.retry(j.user) }) }

func (j *Job) retry(user *User) *Job {
	again := &Job{
		svc: j.svc, pipeline: j.pipeline, name: j.name, stage: j.stage, status: "pending",
		allowFailure: j.allowFailure, tags: j.tags, user: user, createdAt: j.svc.now(),
		plan: j.plan, group: j.group, queued: j.queued, took: j.took, keeps: j.keeps, played: true,
	}
	j.retried = true
	j.svc.touch(j)
	if j.pipeline.runs {
		again.status = "created" // until its stage starts
		j.pipeline.unskip(j.stage)
	}
	again.store()
	return again
}

// retryable reports whether the job has run and has not been retried.
func (j *Job) retryable() bool {
	return !j.retried && (j.status == "success" || j.status == "failed" || j.status == "canceled")
}

// Variables returns the variables that were passed when the job was played.
func (j *Job) Variables() map[string]string {
	defer j.svc.lock()()
	return valuesOf(j.variables)
}

// Write appends to the job's log. It never fails.
func (j *Job) Write(p []byte) (int, error) {
	defer j.svc.lock()()
	j.trace = j.trace.append(p, j.svc.now())
	j.change()
	return len(p), nil
}

// Trace returns the job's log. It is empty if the job has no log, or one set by
// TraceFrom.
func (j *Job) Trace() string {
	defer j.svc.lock()()
	if j.trace == nil {
		return ""
	}
	return string(j.trace.text)
}

// defaultRunner returns the runner for jobs without a runner of their own.
func (s *Service) defaultRunner() *Runner {
	runners := &state[runnerState](s).runners
	if runners.len() == 0 {
		return s.newRunner("shared-runner-1", nil)
	}
	return runners.at(0)
}

// String returns the job's name and ID, for messages in tests.
func (j *Job) String() string { return fmt.Sprintf("job %d %q", j.id, j.name) }
