package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// jobStatuses are the values of scope. The last four are those of newer
// releases; no job here has one of them.
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
	job, ok := state[jobState](c.svc).jobs.get(c.PathID("job_id"))
	if !ok || job.bridge || job.external != nil || job.pipeline.project != project {
		return nil, frame.NotFound("")
	}
	job.expire()
	return job, nil
}

// findPipeline returns the pipeline of the path.
func (c *call) findPipeline() (*Pipeline, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	pipeline, ok := state[pipelineState](c.svc).pipelines.get(c.PathID("pipeline_id"))
	if !ok || pipeline.project != project {
		return nil, frame.NotFound("")
	}
	return pipeline, nil
}

func listProjectJobs(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Job]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: c.inScope(project.jobs, true),
			Key: func(j *Job) string { return frame.Itoa(j.id) }, JSON: (*Job).json,
		})
	}
	return c.jobPage(project.jobs, true)
}

func listPipelineJobs(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	jobs := pipeline.jobs
	if family := pipeline.family(); len(family) > 1 {
		jobs = nil
		for _, p := range family {
			jobs = append(jobs, p.jobs...)
		}
		sortJobs(jobs)
	}
	return c.jobPage(jobs, c.Bool("include_retried", false))
}

// jobPage returns a page of jobs, which come in ascending order of ID.
func (c *call) jobPage(jobs []*Job, retried bool) *reply {
	jobs = c.inScope(jobs, retried)
	last := len(jobs) - 1
	return c.Page(len(jobs), func(i int) *encoded { return jobs[last-i].json() })
}

// inScope returns the jobs whose status the parameter scope names.
func (c *call) inScope(jobs []*Job, retried bool) []*Job {
	scope := c.ManyOf("scope", jobStatuses...)
	if len(scope) == 0 && retried {
		return jobs
	}
	var kept []*Job
	for _, job := range jobs {
		if (retried || !job.retried) && (len(scope) == 0 || slices.Contains(scope, job.status)) {
			kept = append(kept, job)
		}
	}
	return kept
}

func sortJobs(jobs []*Job) {
	slices.SortFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.id, b.id) })
}

func listBridges(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	bridges := slices.Clone(c.inScope(pipeline.bridges, true))
	slices.Reverse(bridges)
	return frame.ListOf(c, bridges, (*Job).bridgeJSON)
}

func getJob(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
	return c.OK(job.json())
}

func getTrace(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
	if job.trace == nil {
		return frame.NotFound("")
	}
	return job.trace.reply(c, "job.log", "text/plain; charset=utf-8")
}

func cancelJob(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
	force := c.Bool("force", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if force && c.svc.projectLevel(c.user, job.pipeline.project) < Maintainer {
		return frame.Forbidden("")
	}
	job.cancel()
	return c.Created(job.json())
}

func retryJob(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
	if !job.retryable() {
		return frame.Forbidden("Job is not retryable")
	}
	return c.Created(job.retry(c.user).json())
}

// playJob starts a manual job, which runs by the service's clock.
func playJob(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
	variables := c.pipelineVariables("job_variables_attributes")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !job.pipeline.project.mayPush(c.user, job.pipeline.ref) {
		return frame.Forbidden("")
	}
	if job.status != "manual" {
		return frame.BadRequest("Unplayable Job")
	}
	job.user, job.variables, job.played = c.user, variables, true
	job.queue()
	return c.OK(job.json())
}

// eraseJob deletes the artifacts and the log of a finished job.
func eraseJob(c *call) *reply {
	job, refusal := c.findJob()
	if refusal != nil {
		return refusal
	}
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

type allowedAgents struct {
	AllowedAgents []allowedAgent   `json:"allowed_agents"`
	Job           agentJob         `json:"job"`
	Pipeline      *pipelineDetails `json:"pipeline"`
	Project       *projectSummary  `json:"project"`
	User          *userSummary     `json:"user"`
}

type allowedAgent struct {
	ID            int64           `json:"id"`
	ConfigProject *projectSummary `json:"config_project"`
}

type agentJob struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Stage       string `json:"stage"`
	ProjectID   int64  `json:"project_id"`
	ProjectName string `json:"project_name"`
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
	project := job.pipeline.project
	list := []allowedAgent{}
	for _, a := range state[agents](c.svc).allowed[project] {
		list = append(list, allowedAgent{a.id, a.config.summary()})
	}
	if c.svc.settings.vendor != "" {
		return c.OK(c.newerAgents(job, list))
	}
	return c.OK(allowedAgents{
		AllowedAgents: list,
		Job:           agentJob{job.id, job.name, job.stage, project.id, project.name},
		Pipeline:      job.pipeline.details(),
		Project:       project.summary(),
		User:          job.user.summary(),
	})
}
