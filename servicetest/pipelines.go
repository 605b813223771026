package servicetest

import (
	"fmt"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A pipelineVariable is a variable that a pipeline or job was started with.
type pipelineVariable struct {
	Key          string `json:"key"`
	Value        string `json:"value"`
	VariableType string `json:"variable_type"`
}

// valuesOf returns the values of variables by key; the last one counts.
func valuesOf(variables []pipelineVariable) map[string]string {
	values := make(map[string]string, len(variables))
	for _, v := range variables {
		values[v.Key] = v.Value
	}
	return values
}

// pipelineVariables reads a parameter that is an array of variables.
func (c *call) pipelineVariables(name string) []pipelineVariable {
	variables := []pipelineVariable{}
	for i, f := range c.Subs(name) {
		if f.Str("key") == "" || !f.Has("value") || f.Null("value") {
			c.Problem(fmt.Sprintf("%s[%d] needs a key and a value", name, i))
		}
		kind := either(f.OneOf("variable_type", "env_var", "file"), "env_var")
		variables = append(variables, pipelineVariable{f.Str("key"), f.Str("value"), kind})
	}
	return variables
}

func listPipelines(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	found := c.choosePipelines(project)
	return frame.ListOf(c, found, (*Pipeline).entry)
}

// getLatestPipeline returns 403 if the newest commit has no pipeline or the ref
// does not exist, as the real service does.
func getLatestPipeline(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	ref := either(c.Str("ref"), project.defaultBranch)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	head := project.repository().Resolve(ref)
	for _, p := range slices.Backward(project.pipelines) {
		if head != nil && p.ref == ref && p.commit.SHA == head.SHA && p.source != "parent_pipeline" {
			return c.OK(p.object())
		}
	}
	return frame.Forbidden("")
}

func getPipeline(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	return c.OK(pipeline.object())
}

func createPipeline(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	ref, variables := c.Required("ref"), c.pipelineVariables("variables")
	c.Sub("inputs")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	switch {
	case r.Branch(ref) == nil && r.Tag(ref) == nil:
		return frame.FieldErrors("base", "Reference not found")
	case !project.mayPush(c.user, ref):
		return frame.Forbidden("")
	case project.plan().problem != "":
		return frame.FieldErrors("base", project.plan().problem)
	}
	return c.Created(project.startPipeline(ref, "api", c.user, variables).object())
}

// retryPipeline runs the jobs again that failed or were canceled. Seeded jobs
// succeed this time.
func retryPipeline(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	for _, job := range slices.Clone(pipeline.jobs) {
		if !job.retried && (job.status == "failed" || job.status == "canceled") {
			if again := job.retry(c.user); !pipeline.runs {
				again.queue()
			}
		}
	}
	pipeline.fixed = false
	pipeline.stale = true
	return c.Created(pipeline.object())
}

func cancelPipeline(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	pipeline.cancel()
	return c.OK(pipeline.object())
}

// cancel cancels the jobs that have not finished. A pipeline without jobs is
// canceled itself unless it has finished.
func (p *Pipeline) cancel() {
	p.settle()
	if p.fixed || len(p.all()) == 0 {
		if p.unfinished() {
			p.fixed = true
			p.become("canceled")
		}
		return
	}
	for _, job := range slices.Backward(p.all()) { // so that none starts meanwhile
		if !job.finished() && !job.retried {
			job.finish("canceled", "")
		}
	}
	p.settle()
}

func deletePipeline(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(pipeline.updatedAt); refusal != nil {
		return refusal
	}
	pipeline.remove()
	return c.NoContent()
}

// remove removes the pipeline with its jobs. Child pipelines are kept.
func (p *Pipeline) remove() {
	jobs := &state[jobState](p.svc).jobs
	p.runs = false
	for _, child := range p.children() {
		child.parent = nil
	}
	for _, job := range p.all() {
		jobs.remove(job.id)
		if job.token != nil {
			job.token.revoked = true
		}
	}
	for _, bridge := range jobs.all(func(j *Job) bool { return j.downstream == p }) {
		bridge.downstream = nil
		bridge.change()
	}
	for _, d := range state[deploymentState](p.svc).deployments.all(func(d *Deployment) bool { return d.job != nil && d.job.pipeline == p }) {
		d.job = nil
	}
	p.project.jobs = slices.DeleteFunc(p.project.jobs, func(j *Job) bool { return j.pipeline == p })
	p.project.pipelines = slices.DeleteFunc(p.project.pipelines, func(other *Pipeline) bool { return other == p })
	state[pipelineState](p.svc).pipelines.remove(p.id)
}

// listPipelineVariables returns all variables in one page.
func listPipelineVariables(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	return c.OK(append([]pipelineVariable{}, pipeline.variables...))
}

func getTestReport(c *call) *reply {
	pipeline, refusal := c.findPipeline()
	if refusal != nil {
		return refusal
	}
	return c.OK(pipeline.testReport())
}
