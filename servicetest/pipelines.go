package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A pipelineVariable is a variable that a pipeline or job was started with.
type pipelineVariable struct {
	Key          string `json:"key"`
	Value        string `json:"value"`
	VariableType string `json:"variable_type"`
	Raw          bool   `json:"raw"`
}

// valuesOf returns the values of variables by key. The last one counts.
func valuesOf(variables []pipelineVariable) map[string]string {
	values := make(map[string]string, len(variables))
	for _, v := range variables {
		values[v.Key] = v.Value
	}
	return values
}

// pipelineVariables reads an array of variables from a parameter.
func (c *call) pipelineVariables(name string) []pipelineVariable {
	variables := []pipelineVariable{}
	for i, f := range c.Subs(name) {
		if f.String("key") == "" || !f.Given("value") {
			c.Problem(fmt.Sprintf("%s[%d] needs a key and a value", name, i))
		}
		kind := either(f.StringIn("variable_type", "env_var", "file"), "env_var")
		variables = append(variables, pipelineVariable{
			Key: f.String("key"), Value: f.String("value"), VariableType: kind,
		})
	}
	return variables
}

func listPipelines(c *call, project *Project) *reply {
	found := c.choosePipelines(project)
	return frame.ListOf(c, found, (*Pipeline).entry)
}

// getLatestPipeline returns 403 if the newest commit has no pipeline or the ref
// does not exist, as the real service does.
func getLatestPipeline(c *call, project *Project) *reply {
	ref := either(c.String("ref"), project.defaultBranch)
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

func getPipeline(c *call, pipeline *Pipeline) *reply { return c.OK(pipeline.object()) }

func createPipeline(c *call, project *Project) *reply {
	ref, variables := c.RequiredString("ref"), c.pipelineVariables("variables")
	inputs := c.Sub("inputs").Values
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	switch {
	case r.Branch(ref) == nil && r.Tag(ref) == nil:
		return frame.FieldErrors("base", "Reference not found")
	case !project.mayRun(c.user, ref):
		return frame.Forbidden("")
	case project.plan().problem != "":
		return frame.FieldErrors("base", project.plan().problem)
	}
	made := project.startPipeline(ref, "api", c.user, variables)
	made.inputs = inputs
	return c.Created(made.object())
}

// retryPipeline runs failed and canceled jobs again. Seeded jobs succeed this time.
func retryPipeline(c *call, pipeline *Pipeline) *reply {
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

func cancelPipeline(c *call, pipeline *Pipeline) *reply {
	pipeline.cancel()
	return c.OK(pipeline.object())
}

// cancel cancels the jobs that have not finished. Without jobs, it cancels the pipeline
// itself unless it has finished.
func (p *Pipeline) cancel() {
	p.settle()
	if p.fixed || len(p.all()) == 0 {
		if p.unfinished() {
			p.fixed = true
			p.become("canceled")
		}
		return
	}
	for _, job := range slices.Backward(p.all()) { // so that no job starts meanwhile
		if !job.finished() && !job.retried {
			job.finish("canceled", "")
		}
	}
	p.settle()
}

func deletePipeline(c *call, pipeline *Pipeline) *reply {
	if refusal := c.Unchanged(pipeline.updatedAt); refusal != nil {
		return refusal
	}
	pipeline.remove()
	return c.NoContent()
}

// remove removes the pipeline with its jobs. It keeps child pipelines.
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
	for _, d := range state[deploymentState](p.svc).deployments.all(func(d *Deployment) bool {
		return d.job != nil &&
			d.job.pipeline == p
	}) {
		d.job = nil
	}
	p.project.jobs = slices.DeleteFunc(p.project.jobs, func(j *Job) bool { return j.pipeline == p })
	p.project.pipelines = without(p.project.pipelines, p)
	state[pipelineState](p.svc).pipelines.remove(p.id)
	for _, job := range p.jobs {
		job.group.hand()
	}
}

// listPipelineVariables returns all variables in one page.
func listPipelineVariables(c *call, pipeline *Pipeline) *reply {
	return c.OK(append([]pipelineVariable{}, pipeline.variables...))
}

func getTestReport(c *call, pipeline *Pipeline) *reply { return c.OK(pipeline.testReport()) }

func getTestReportSummary(c *call, pipeline *Pipeline) *reply {
	report, suites, problem := pipeline.testReport(), []object{}, jsonText("")
	for _, s := range report.TestSuites {
		suites = append(suites, object{
			"name": s.Name, "total_time": s.TotalTime, "total_count": s.TotalCount, "success_count": s.SuccessCount,
			"failed_count": s.FailedCount, "skipped_count": s.SkippedCount, "error_count": s.ErrorCount,
			"build_ids": []int64{s.job}, "suite_error": s.SuiteError,
		})
		problem = max(problem, s.SuiteError)
	}
	return c.OK(object{"test_suites": suites, "total": object{
		"time": report.TotalTime, "count": report.TotalCount, "success": report.SuccessCount,
		"failed": report.FailedCount, "skipped": report.SkippedCount, "error": report.ErrorCount,
		"suite_error": problem,
	}})
}

// A Pipeline is a run of jobs for one ref. Make one with Project.Pipeline.
type Pipeline struct {
	stamp

	svc       *Service
	project   *Project
	id        int64
	iid       int64
	name      string
	source    string // push, web, api and so on
	ref       string
	tag       bool
	commit    *gitrepo.Commit
	user      *User
	variables []pipelineVariable
	inputs    map[string]any
	createdAt time.Time
	updatedAt time.Time
	parent    *Pipeline // only for a child pipeline
	jobs      []*Job    // ascending by ID, without bridges
	bridges   []*Job    // ascending by ID
	externals []*Job    // reported statuses, ascending by ID

	status     string
	fixed      bool   // the status does not depend on the jobs
	stale      bool   // the status must be computed again
	yamlErrors string // problems of the configuration
	runs       bool   // its jobs follow the clock
	proceeding bool   // its jobs are being started
}

// A PipelineOption sets a property of a pipeline. By, CreatedAt and ID are
// PipelineOptions, too.
type PipelineOption interface{ applyPipeline(p *Pipeline) }

type pipelineOption func(*Pipeline)

func (f pipelineOption) applyPipeline(p *Pipeline) { f(p) }

// ForTag makes a pipeline for a tag.
func ForTag() PipelineOption {
	return pipelineOption(func(p *Pipeline) {
		p.tag = true
		p.project.repository().makeTag(p.ref)
	})
}

// PipelineStatus sets a pipeline's status. By default, it follows from the
// status of its jobs.
func PipelineStatus(status string) PipelineOption {
	return pipelineOption(func(p *Pipeline) { p.status, p.fixed = status, true })
}

// Commit makes a pipeline for a commit with this hash and message. The default is the
// last commit of the ref.
func Commit(sha, message string) PipelineOption {
	return pipelineOption(func(p *Pipeline) {
		made := *p.commit
		made.SHA, made.Message = sha, message
		p.commit = &made
	})
}

// PipelineSource sets what started a pipeline: push (the default), web,
// schedule, trigger, merge_request_event and so on.
func PipelineSource(source string) PipelineOption {
	return pipelineOption(func(p *Pipeline) { p.source = source })
}

// PipelineName gives a pipeline a name.
func PipelineName(name string) PipelineOption {
	return pipelineOption(func(p *Pipeline) { p.name = name })
}

// PipelineVariable sets a variable that a pipeline was started with.
func PipelineVariable(key, value string) PipelineOption {
	return pipelineOption(func(p *Pipeline) {
		p.variables = append(p.variables, pipelineVariable{Key: key, Value: value, VariableType: "env_var"})
	})
}

// YAMLErrors makes a pipeline that failed because of an invalid configuration.
func YAMLErrors(text string) PipelineOption {
	return pipelineOption(func(p *Pipeline) { p.yamlErrors, p.status, p.fixed = text, "failed", true })
}

// pipelineState keeps the pipelines of a service.
type pipelineState struct {
	pipelines table[*Pipeline]
	iids      map[*Project]int64
	plans     map[*Project]*pipelinePlan
}

// Pipeline makes a pipeline for a branch, or with ForTag for a tag. By default, Root
// created it five minutes ago. Its status follows from its jobs.
func (p *Project) Pipeline(ref string, opts ...PipelineOption) *Pipeline {
	defer p.svc.lock()()
	return p.newPipeline(ref, opts)
}

// Pipelines returns the project's pipelines, oldest first.
func (p *Project) Pipelines() []*Pipeline { return copied(p.svc, &p.pipelines) }

func (p *Project) newPipeline(ref string, opts []PipelineOption) *Pipeline {
	made := &Pipeline{
		svc: p.svc, project: p, ref: ref, commit: p.head(ref), user: p.svc.admin, source: "push",
		createdAt: p.svc.now().Add(-5 * time.Minute), status: "created",
	}
	apply(made, opts, PipelineOption.applyPipeline)
	made.file()
	return made
}

// file stores a pipeline by ID and in its project.
func (p *Pipeline) file() {
	all := state[pipelineState](p.svc)
	p.updatedAt = p.createdAt
	seed(p.svc, &all.pipelines, &p.id, p, "a pipeline")
	p.iid = nextIID(&all.iids, p.project)
	at, _ := slices.BinarySearchFunc(p.project.pipelines, p.id, func(other *Pipeline, id int64) int {
		return cmp.Compare(other.id, id)
	})
	p.project.pipelines = slices.Insert(p.project.pipelines, at, p)
	p.svc.touch(p)
}

// Child makes a child pipeline for the same commit, and the bridge that
// started it.
func (p *Pipeline) Child(bridge string, opts ...PipelineOption) *Pipeline {
	defer p.svc.lock()()
	child := p.project.newPipeline(p.ref, opts)
	child.parent, child.tag, child.commit, child.source = p, p.tag, p.commit, "parent_pipeline"
	p.newBridge(bridge, child, nil)
	return child
}

// Bridge makes a bridge, a job that starts another pipeline, often in another project.
// downstream is nil if that pipeline has not started yet.
func (p *Pipeline) Bridge(name string, downstream *Pipeline, opts ...JobOption) *Job {
	defer p.svc.lock()()
	return p.newBridge(name, downstream, opts)
}

func (p *Pipeline) newBridge(name string, downstream *Pipeline, opts []JobOption) *Job {
	bridge := p.newJob(name, true, opts)
	bridge.downstream = downstream
	return bridge
}

// ID returns the pipeline's ID.
func (p *Pipeline) ID() int64 { return p.id }

// IID returns the pipeline's number in its project.
func (p *Pipeline) IID() int64 { return p.iid }

// Ref returns the branch or tag of the pipeline.
func (p *Pipeline) Ref() string { return p.ref }

// Source says what started the pipeline, for example api.
func (p *Pipeline) Source() string { return p.source }

// Variables returns the variables that the pipeline was started with.
func (p *Pipeline) Variables() map[string]string {
	defer p.svc.lock()()
	return valuesOf(p.variables)
}

// Inputs returns the inputs that the pipeline was started with: strings, booleans, numbers
// as json.Number, and slices of these.
func (p *Pipeline) Inputs() map[string]any {
	defer p.svc.lock()()
	return maps.Clone(p.inputs)
}

// SHA returns the hash of the pipeline's commit.
func (p *Pipeline) SHA() string { return p.commit.SHA }

// Project returns the pipeline's project.
func (p *Pipeline) Project() *Project { return p.project }

// Status returns the pipeline's status, for example success.
func (p *Pipeline) Status() string {
	defer p.svc.lock()()
	p.settle()
	return p.status
}

// SetStatus sets the pipeline's status, regardless of its jobs.
func (p *Pipeline) SetStatus(status string) {
	defer p.svc.lock()()
	p.fixed = true
	p.become(status)
}

// Jobs returns the pipeline's jobs, oldest first, without bridges and without
// the jobs of child pipelines.
func (p *Pipeline) Jobs() []*Job { return copied(p.svc, &p.jobs) }

// settle updates the status from the jobs.
func (p *Pipeline) settle() {
	if p.fixed || !p.stale {
		return
	}
	p.stale = false
	p.become(statusOf(p.all()))
}

// all returns everything that the status depends on: jobs, bridges and reported
// statuses.
func (p *Pipeline) all() []*Job { return slices.Concat(p.jobs, p.bridges, p.externals) }

func (p *Pipeline) become(status string) {
	if status != p.status {
		p.status = status
		p.updatedAt = p.svc.now()
		p.svc.touch(p)
		p.mergeWaiting()
	}
}

// statusOf returns the status of a pipeline with these jobs.
func statusOf(jobs []*Job) string {
	count := make(map[string]int)
	done := 0
	for _, job := range jobs {
		switch {
		case job.retried:
			continue
		case job.allowFailure && (job.status == "failed" || job.status == "manual"):
			count["success"]++
		default:
			count[job.status]++
		}
		if job.finished() {
			done++
		}
	}
	switch {
	case count["waiting_for_resource"] > 0 && count["running"]+count["pending"] == 0:
		return "waiting_for_resource"
	case count["manual"] > 0 && count["running"]+count["pending"]+count["failed"]+count["canceled"] == 0:
		return "manual"
	case count["running"] > 0, done > 0 && count["pending"]+count["created"] > 0:
		return "running"
	case count["pending"] > 0:
		return "pending"
	case count["failed"] > 0:
		return "failed"
	case count["canceled"] > 0:
		return "canceled"
	case count["success"] > 0:
		return "success"
	case count["skipped"] > 0:
		return "skipped"
	}
	return "created"
}

// root returns the pipeline that a child pipeline descends from.
func (p *Pipeline) root() *Pipeline {
	for p.parent != nil {
		p = p.parent
	}
	return p
}

// children returns the child pipelines, oldest first.
func (p *Pipeline) children() []*Pipeline {
	var children []*Pipeline
	for _, bridge := range p.bridges {
		if d := bridge.downstream; d != nil && d.parent == p {
			children = append(children, d)
		}
	}
	return children
}

// family returns the pipeline and its descendants, parents first.
func (p *Pipeline) family() []*Pipeline {
	family := []*Pipeline{p}
	for i := 0; i < len(family); i++ {
		family = append(family, family[i].children()...)
	}
	return family
}

// updatePipelineMetadata sets the name of a pipeline. The time of the last change
// stays, because the name is stored elsewhere.
func updatePipelineMetadata(c *call, pipeline *Pipeline) *reply {
	c.RequireGiven("name")
	name := strings.TrimSpace(c.String("name"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	const failed = "Failed to update pipeline - Name is too "
	switch length := utf8.RuneCountInString(name); {
	case length > 255:
		return frame.Message(400, failed+"long (maximum is 255 characters)")
	case length == 0:
		return frame.Message(400, failed+"short (minimum is 1 character)")
	}
	pipeline.name = name
	c.svc.touch(&pipeline.stamp)
	return c.OK(pipeline.object())
}
