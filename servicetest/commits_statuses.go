package servicetest

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// An externalStatus has the fields of a reported status that jobs do not have.
type externalStatus struct{ targetURL, description string }

// commitStatus returns the JSON of a job or a reported status as the status of a commit.
func (j *Job) commitStatus() *collection.Form {
	var reported externalStatus
	if j.external != nil {
		reported = *j.external
	}
	return inOrder("id", j.id, "sha", j.pipeline.commit.SHA, "ref", j.pipeline.ref, "status", j.status,
		"name", j.name, "target_url", jsonText(reported.targetURL), "description", jsonText(reported.description),
		"created_at", jsonTime(j.createdAt), "started_at", jsonTime(j.startedAt),
		"finished_at", jsonTime(j.finishedAt), "allow_failure", j.allowFailure, "coverage", j.coverage,
		"author", j.user.summary(), "pipeline_id", j.pipeline.id)
}

func listCommitStatuses(c *call, r *repository, commit *gitrepo.Commit) *reply {
	ref, stage, name, pipeline := c.String("ref"), c.String("stage"), c.String("name"), c.Int64("pipeline_id")
	earlier := c.Bool("all")
	var found []*Job
	for _, p := range r.project.pipelines {
		if p.commit.SHA != commit.SHA || ref != "" && p.ref != ref || pipeline != 0 && p.id != pipeline {
			continue
		}
		found = append(found, only(p.all(), func(job *Job) bool {
			return (stage == "" || job.stage == stage) && (name == "" || job.name == name)
		})...)
	}
	if !earlier {
		found = newestOfEach(found)
	}
	collection.Sort(c.Fields, found, "asc", (*Job).ID, []collection.Order[Job]{
		collection.By("id", (*Job).ID),
		collection.By("pipeline_id", func(j *Job) int64 { return j.pipeline.id }),
	})
	return frame.ListOf(c, found, (*Job).commitStatus)
}

// newestOfEach keeps the newest status of each name in each ref.
func newestOfEach(statuses []*Job) []*Job {
	check := func(job *Job) string { return job.pipeline.ref + "\x00" + job.name }
	newest := make(map[string]*Job)
	for _, job := range statuses {
		if other := newest[check(job)]; other == nil || other.id < job.id {
			newest[check(job)] = job
		}
	}
	return slices.DeleteFunc(statuses, func(job *Job) bool { return newest[check(job)] != job })
}

// maxStatusText is the maximum length of a status's strings, in characters.
const maxStatusText = 255

// A statusReport is a status that a caller reports.
type statusReport struct {
	state, name            string
	targetURL, description *string
	coverage               *float64
}

func (c *call) statusReport() statusReport {
	c.Require("state")
	s := statusReport{
		state: c.StringIn("state", "pending", "running", "success", "failed", "canceled", "skipped"),
		name:  either(either(c.String("name"), c.String("context")), "default"),
	}
	for name, field := range map[string]**string{"target_url": &s.targetURL, "description": &s.description} {
		if text := c.String(name); c.Has(name) {
			*field = &text
		}
	}
	if c.Given("coverage") {
		s.coverage = new(c.Float64("coverage"))
	}
	return s
}

// tooLong returns the name of a field that is too long, or "" if none is.
func (s statusReport) tooLong() string {
	long := func(text *string) bool { return text != nil && utf8.RuneCountInString(*text) > maxStatusText }
	switch {
	case long(&s.name):
		return "name"
	case long(s.targetURL):
		return "target_url"
	case long(s.description):
		return "description"
	}
	return ""
}

func setCommitStatus(c *call, project *Project) *reply {
	report, ref, pipelineID := c.statusReport(), c.String("ref"), c.Int64("pipeline_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if field := report.tooLong(); field != "" {
		return frame.FieldErrors(field, "is too long (maximum is 255 characters)")
	}
	r := project.repository()
	commit := r.Commit(c.PathString("sha"))
	if commit == nil {
		return frame.NotFound("Commit")
	}
	if ref == "" {
		ref = r.branchWith(commit)
	}
	if ref == "" {
		return frame.NotFound("References for commit")
	}
	if !project.mayRun(c.user, ref) {
		return frame.Forbidden("")
	}
	pipeline := project.pipelineFor(commit, ref, pipelineID)
	if pipeline == nil && pipelineID != 0 {
		return frame.NotFound("Pipeline")
	}
	if pipeline == nil {
		pipeline = project.externalPipeline(commit, ref, c.user)
	}
	return c.report(pipeline, report)
}

// branchWith returns a branch that contains a commit: the default branch or
// else the first one. It returns "" if none does.
func (r *repository) branchWith(commit *gitrepo.Commit) string {
	for _, name := range append([]string{r.project.defaultBranch}, r.Branches()...) {
		if head := r.Branch(name); head != nil && r.Contains(head, commit) {
			return name
		}
	}
	return ""
}

// pipelineFor returns the newest pipeline of a commit and a ref. With an ID, it returns
// that pipeline if it belongs to them. It returns nil if there is none.
func (p *Project) pipelineFor(commit *gitrepo.Commit, ref string, id int64) *Pipeline {
	for _, pipeline := range slices.Backward(p.pipelines) {
		fits := pipeline.commit.SHA == commit.SHA && pipeline.ref == ref && pipeline.parent == nil
		if fits && (id == 0 || id == pipeline.id) {
			return pipeline
		}
	}
	return nil
}

func (p *Project) externalPipeline(commit *gitrepo.Commit, ref string, user *User) *Pipeline {
	made := &Pipeline{
		svc: p.svc, project: p, source: "external", ref: ref, tag: p.repository().Branch(ref) == nil, commit: commit,
		user:      user,
		createdAt: p.svc.now(), status: "created", stale: true,
	}
	made.file()
	return made
}

// statusEvents are what changes a status to a state.
var statusEvents = map[string]string{"pending": "enqueue", "running": "run", "success": "success", "failed": "drop",
	"canceled": "cancel", "skipped": "skip"}

// report stores a status. A new status replaces a finished one, unless the state is the
// same.
func (c *call) report(pipeline *Pipeline, report statusReport) *reply {
	var last *Job
	for _, job := range pipeline.externals {
		if job.name == report.name && !job.retried {
			last = job
		}
	}
	if last != nil && !last.finished() &&
		(last.status == report.state || last.status == "running" && report.state == "pending") {
		event := statusEvents[report.state]
		return frame.Message(http.StatusBadRequest, "Cannot transition status via :"+event+" from :"+last.status+
			` (Reason(s): Status cannot transition via "`+event+`")`)
	}
	if last == nil || last.finished() {
		made := &Job{
			svc: c.svc, pipeline: pipeline, name: report.name, stage: "external", status: "pending", user: c.user,
			createdAt: c.now(), external: new(externalStatus),
		}
		if last != nil {
			last.retried = true
			c.svc.touch(last)
		}
		made.store()
		last = made
	}
	last.take(report)
	return c.Created(last.commitStatus())
}

// take updates a reported status.
func (j *Job) take(report statusReport) {
	if report.targetURL != nil {
		j.external.targetURL = *report.targetURL
	}
	if report.description != nil {
		j.external.description = *report.description
	}
	if report.coverage != nil {
		j.coverage = report.coverage
	}
	now := j.svc.now()
	j.status = report.state
	if j.startedAt.IsZero() && report.state != "pending" && report.state != "skipped" {
		j.startedAt = now
	}
	j.finishedAt = time.Time{}
	if j.finished() {
		j.finishedAt = now
	}
	j.change()
}

// listCommitRequests lists the merge requests that merge a commit into their
// target branch, or have merged it.
func listCommitRequests(c *call, r *repository, commit *gitrepo.Commit) *reply {
	wanted := c.StringIn("state", "opened", "closed", "locked", "merged")
	found := r.project.mergeRequests().all(func(m *MergeRequest) bool {
		return (wanted == "" || m.state == wanted) && m.brings(commit)
	})
	slices.Reverse(found)
	return frame.ListOf(c, found, func(m *MergeRequest) mergeRequestJSON { return m.json(false) })
}

// brings reports whether a commit belongs to the merge request, or was made by
// merging it.
func (m *MergeRequest) brings(commit *gitrepo.Commit) bool {
	if m.landed == commit || m.squashCommit == commit {
		return true
	}
	refs := m.refs()
	return refs.head != nil && slices.Contains(m.project.repository().Between(refs.base, refs.head), commit)
}
