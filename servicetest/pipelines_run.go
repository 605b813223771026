package servicetest

import (
	"slices"
	"time"
)

// A pipelinePlan has the jobs of pipelines that are started through the API in a
// project.
type pipelinePlan struct {
	jobs    []PlannedJob
	problem string // why no pipeline can start
	broken  bool   // because the configuration is invalid
}

// A PlannedJob is a job of a project's configuration. Make one with PlanJob.
type PlannedJob struct {
	name string
	opts []JobOption
}

// PlanJob describes a job of the pipelines that are started through the API.
// The options say how the job ends, how long it waits for a runner, how long it
// runs, and what it produces:
//
//	servicetest.PlanJob("test",
//		servicetest.Failed("script_failure"), servicetest.Took(time.Minute))
//
// By default, it is in the stage test and succeeds after a minute. With Running
// it does not end by itself, with Pending it does not start, and with Manual it
// waits to be played. Job.Succeed and Job.Fail end it earlier.
//
// Artifacts, reports and coverage are there when the job ends, and so is the log, of
// one that ends by itself. With Running, or with Pending once Job.Start has started it,
// the log of Trace is there while the job runs, and Job.Write appends to it.
func PlanJob(name string, opts ...JobOption) PlannedJob { return PlannedJob{name, opts} }

// CI sets the jobs of pipelines that are started through the API in the project. They
// run by the service's clock, stage by stage. The order of the stages is that of their
// first jobs. By default, there is one job, test. Without jobs, the API refuses to
// start a pipeline.
func (p *Project) CI(jobs ...PlannedJob) {
	defer p.svc.lock()()
	p.setPlan(&pipelinePlan{jobs: jobs})
	if len(jobs) == 0 {
		p.plan().problem = "The pipeline would have no jobs"
	}
}

// BreakCI makes the project's configuration invalid. The API then refuses to start a
// pipeline and reports the problem, as a check of the configuration does.
func (p *Project) BreakCI(problem string) {
	defer p.svc.lock()()
	p.setPlan(&pipelinePlan{problem: problem, broken: true})
}

func (p *Project) setPlan(plan *pipelinePlan) {
	all := state[pipelineState](p.svc)
	put(&all.plans, p, plan)
}

// plan returns the plan of the project's pipelines.
func (p *Project) plan() *pipelinePlan {
	if plan := state[pipelineState](p.svc).plans[p]; plan != nil {
		return plan
	}
	return &pipelinePlan{jobs: []PlannedJob{PlanJob("test")}}
}

// startPipeline starts a pipeline for an existing branch or tag. The plan of the
// project must have no problem.
func (p *Project) startPipeline(ref, source string, user *User, variables []pipelineVariable) *Pipeline {
	r := p.repository()
	made := &Pipeline{
		svc: p.svc, project: p, source: source, ref: ref, tag: r.Branch(ref) == nil, commit: r.Resolve(ref), user: user,
		variables: variables, createdAt: p.svc.now(), status: "created", stale: true,
	}
	made.file()
	for _, planned := range p.plan().jobs {
		made.newPlannedJob(planned)
	}
	made.runs = true
	made.proceed()
	made.settle()
	return made
}

// A jobPlan says how a job ends, and what it produces.
type jobPlan struct {
	status, reason          string
	flaky                   bool
	runner                  *Runner
	coverage                *float64
	trace, archive, reports *content
	expires                 time.Duration // counted from the end; 0 means the default
}

// newPlannedJob makes a job that has not run yet.
func (p *Pipeline) newPlannedJob(planned PlannedJob) {
	j := p.draftJob(planned.name, false, planned.opts)
	j.plan = &jobPlan{
		status: j.status, reason: j.failureReason, flaky: j.flaky, runner: j.runner,
		coverage: j.coverage, trace: j.trace, archive: j.archive, reports: j.junit,
	}
	if !j.expireAt.IsZero() {
		j.plan.expires = j.expireAt.Sub(p.svc.now())
	}
	j.status, j.failureReason, j.runner, j.coverage = "created", "", nil, nil
	j.trace, j.archive, j.junit, j.expireAt = nil, nil, nil, time.Time{}
	j.store()
}

// proceed starts the jobs of the next stage of a running pipeline, if the
// stages before it have ended.
func (p *Pipeline) proceed() {
	if !p.runs || p.proceeding {
		return
	}
	p.proceeding = true
	defer func() { p.proceeding = false }()
	ended, broken := true, false // in the stages so far
	for _, name := range p.stageNames() {
		stage := p.inStage(name)
		for _, job := range stage {
			if ended && job.status == "created" {
				job.begin(broken)
			}
		}
		for _, job := range stage {
			if job.status == "manual" && job.allowFailure {
				continue
			}
			ended = ended && job.finished()
			broken = broken || job.status == "canceled" || job.status == "failed" && !job.allowFailure
		}
	}
}

// stageNames returns the stages in the order in which the jobs name them.
func (p *Pipeline) stageNames() []string {
	var names []string
	for _, job := range p.jobs {
		if !slices.Contains(names, job.stage) {
			names = append(names, job.stage)
		}
	}
	return names
}

// inStage returns the jobs of a stage that have not been retried.
func (p *Pipeline) inStage(name string) []*Job {
	return only(p.jobs, func(job *Job) bool { return job.stage == name && !job.retried })
}

// unskip lets jobs run that were skipped because of an earlier stage.
func (p *Pipeline) unskip(stage string) {
	behind := false
	for _, name := range p.stageNames() {
		for _, job := range p.jobs {
			if behind && job.stage == name && job.status == "skipped" && !job.retried && !job.plan.skips() {
				job.status, job.finishedAt = "created", time.Time{}
				p.svc.touch(job)
			}
		}
		behind = behind || name == stage
	}
}

// endsByHand reports whether a job does not end by itself, even if it starts.
func (p *jobPlan) endsByHand() bool {
	return p != nil && (p.status == "running" || p.status == "pending")
}

// skips reports whether a job is always skipped.
func (p *jobPlan) skips() bool { return p != nil && p.status == "skipped" }

// begin starts a job as its plan says, when the stages before it have ended.
func (j *Job) begin(broken bool) {
	planned := ""
	if j.plan != nil {
		planned = j.plan.status
	}
	switch {
	case broken || planned == "skipped":
		j.status = "skipped"
		j.change()
	case planned == "manual" && !j.played:
		j.status = "manual"
		j.change()
	default:
		j.queue()
	}
}

// queue makes a job wait for its resource group, if it has one, and then for a runner.
func (j *Job) queue() {
	if j.group == nil {
		j.enqueue()
		return
	}
	j.status = "waiting_for_resource"
	j.waits++
	j.change() // hands the group over, perhaps to this job
}

// enqueue makes a job wait for a runner and then run, by the service's clock, unless its
// status changes meanwhile.
func (j *Job) enqueue() {
	j.status, j.queuedAt = "pending", j.svc.now()
	j.waits++
	j.change()
	if j.plan == nil || j.plan.status != "pending" {
		j.later(j.queued, "pending", j.run)
	}
}

func (j *Job) run() {
	if j.plan != nil {
		j.runner = j.plan.runner
	}
	j.start()
	if j.plan == nil || j.plan.status != "running" {
		j.later(j.took, "running", j.conclude)
	}
}

// later calls a function after a time if the job still has this status then.
func (j *Job) later(after time.Duration, status string, do func()) {
	waits := j.waits
	j.svc.later(after, func() {
		if j.status == status && j.waits == waits {
			do()
		}
	})
}

// conclude ends the job as its plan says.
func (j *Job) conclude() {
	plan := j.plan
	if plan != nil && (plan.status == "failed" || plan.status == "canceled") && (!plan.flaky || !j.played) {
		j.end(plan.status, plan.reason)
		return
	}
	j.end("success", "")
}

// produce gives a job that has not ended the log, the artifacts and the coverage of its plan.
func (j *Job) produce() {
	plan := j.plan
	if plan == nil || j.finished() {
		return
	}
	if j.trace == nil {
		j.trace = plan.trace
	}
	j.coverage, j.archive, j.junit = plan.coverage, plan.archive, plan.reports
	if plan.expires > 0 {
		j.expireAt = j.svc.now().Add(plan.expires)
	}
	j.dateArtifacts()
}
