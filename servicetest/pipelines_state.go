package servicetest

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A Pipeline is a run of jobs for one ref. Make one with Project.Pipeline.
type Pipeline struct {
	stamp

	svc       *Service
	project   *Project
	id        int64
	ref       string
	tag       bool
	commit    *gitrepo.Commit
	user      *User
	createdAt time.Time
	updatedAt time.Time
	parent    *Pipeline // of a child pipeline
	jobs      []*Job    // ascending by id, without bridges
	bridges   []*Job    // ascending by id

	status string
	fixed  bool // the status does not follow the jobs
	stale  bool // the status is to be found out again
}

// A PipelineOption sets a property of a pipeline. By, CreatedAt and ID are
// PipelineOptions, too.
type PipelineOption interface{ applyPipeline(p *Pipeline) }

type pipelineOption func(*Pipeline)

func (f pipelineOption) applyPipeline(p *Pipeline) { f(p) }

// ForTag makes a pipeline whose ref is a tag.
func ForTag() PipelineOption {
	return pipelineOption(func(p *Pipeline) {
		p.tag = true
		p.project.repository().makeTag(p.ref)
	})
}

// PipelineStatus sets a pipeline's status, which otherwise follows from its
// jobs.
func PipelineStatus(status string) PipelineOption {
	return pipelineOption(func(p *Pipeline) { p.status, p.fixed = status, true })
}

// Commit makes a pipeline run for a commit with this hash and message. The
// default is the last commit of the ref.
func Commit(sha, message string) PipelineOption {
	return pipelineOption(func(p *Pipeline) {
		made := *p.commit
		made.SHA, made.Message = sha, message
		p.commit = &made
	})
}

// pipelineState keeps the pipelines of a service.
type pipelineState struct{ pipelines table[*Pipeline] }

// Pipeline makes a pipeline for a branch, or a tag with ForTag. It was created
// five minutes ago by Root, unless CreatedAt and By say otherwise, and its
// status follows its jobs.
func (p *Project) Pipeline(ref string, opts ...PipelineOption) *Pipeline {
	defer p.svc.lock()()
	return p.newPipeline(ref, opts)
}

func (p *Project) newPipeline(ref string, opts []PipelineOption) *Pipeline {
	made := &Pipeline{
		svc: p.svc, project: p, ref: ref, commit: p.head(ref), user: p.svc.admin,
		createdAt: p.svc.now().Add(-5 * time.Minute), status: "created",
	}
	for _, opt := range opts {
		opt.applyPipeline(made)
	}
	made.updatedAt = made.createdAt
	seed(p.svc, &state[pipelineState](p.svc).pipelines, &made.id, made, "a pipeline")
	at, _ := slices.BinarySearchFunc(p.pipelines, made.id, func(other *Pipeline, id int64) int {
		return cmp.Compare(other.id, id)
	})
	p.pipelines = slices.Insert(p.pipelines, at, made)
	p.svc.touch(&made.stamp)
	return made
}

// Child makes a child pipeline for the same commit, and the bridge that
// started it.
func (p *Pipeline) Child(bridge string, opts ...PipelineOption) *Pipeline {
	defer p.svc.lock()()
	child := p.project.newPipeline(p.ref, opts)
	child.parent, child.tag, child.commit = p, p.tag, p.commit
	p.newBridge(bridge, child, nil)
	return child
}

// Bridge makes a bridge: a job that started a pipeline, often one of another
// project. The downstream pipeline may be nil if it has not been started yet.
func (p *Pipeline) Bridge(name string, downstream *Pipeline, opts ...JobOption) *Job {
	defer p.svc.lock()()
	return p.newBridge(name, downstream, opts)
}

func (p *Pipeline) newBridge(name string, downstream *Pipeline, opts []JobOption) *Job {
	bridge := p.newJob(name, true, opts)
	bridge.downstream = downstream
	return bridge
}

// ID returns the pipeline's id.
func (p *Pipeline) ID() int64 { return p.id }

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

// SetStatus sets the pipeline's status, whatever its jobs do.
func (p *Pipeline) SetStatus(status string) {
	defer p.svc.lock()()
	p.fixed = true
	p.become(status)
}

// Jobs returns the pipeline's jobs, oldest first, without bridges and those of
// child pipelines.
func (p *Pipeline) Jobs() []*Job {
	defer p.svc.lock()()
	return slices.Clone(p.jobs)
}

// settle brings the status up to date with the jobs.
func (p *Pipeline) settle() {
	if p.fixed || !p.stale {
		return
	}
	p.stale = false
	p.become(statusOf(append(slices.Clone(p.jobs), p.bridges...)))
}

func (p *Pipeline) become(status string) {
	if status != p.status {
		p.status = status
		p.updatedAt = p.svc.now()
		p.svc.touch(&p.stamp)
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
		case job.status == "failed" && job.allowFailure, job.status == "manual" && job.allowFailure:
			count["success"]++
		default:
			count[job.status]++
		}
		if job.finished() {
			done++
		}
	}
	switch {
	case count["running"] > 0, done > 0 && count["pending"]+count["created"] > 0:
		return "running"
	case count["pending"] > 0:
		return "pending"
	case count["failed"] > 0:
		return "failed"
	case count["canceled"] > 0:
		return "canceled"
	case count["manual"] > 0:
		return "manual"
	case count["success"] > 0:
		return "success"
	case count["skipped"] > 0:
		return "skipped"
	}
	return "created"
}

// root returns the pipeline that a child pipeline stems from.
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

// family returns the pipeline and all that stem from it, parents first.
func (p *Pipeline) family() []*Pipeline {
	family := []*Pipeline{p}
	for i := 0; i < len(family); i++ {
		family = append(family, family[i].children()...)
	}
	return family
}

// pipelineSummary is the form of a pipeline in jobs.
type pipelineSummary struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"project_id"`
	Ref       string `json:"ref"`
	SHA       string `json:"sha"`
	Status    string `json:"status"`
}

func (p *Pipeline) summary() pipelineSummary {
	p.settle()
	return pipelineSummary{p.id, p.project.id, p.ref, p.commit.SHA, p.status}
}

// pipelineDetails is the form of a pipeline in bridges and job-token lookups.
type pipelineDetails struct {
	pipelineSummary

	CreatedAt jsonTime `json:"created_at"`
	UpdatedAt jsonTime `json:"updated_at"`
	WebURL    string   `json:"web_url"`
}

func (p *Pipeline) details() *pipelineDetails {
	if p == nil {
		return nil
	}
	return &pipelineDetails{
		pipelineSummary: p.summary(), CreatedAt: jsonTime(p.createdAt), UpdatedAt: jsonTime(p.updatedAt),
		WebURL: p.project.webURL("-/pipelines", strconv.FormatInt(p.id, 10)),
	}
}
