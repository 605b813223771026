package servicetest

import (
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// pipelineSummary is the JSON of a pipeline in jobs.
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

// pipelineDetails is the JSON of a pipeline in bridges and job-token lookups.
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

// pipelineBrief is the JSON of a pipeline in commits.
type pipelineBrief struct {
	ID        int64    `json:"id"`
	IID       int64    `json:"iid"`
	ProjectID int64    `json:"project_id"`
	Status    string   `json:"status"`
	Source    string   `json:"source"`
	Ref       string   `json:"ref"`
	SHA       string   `json:"sha"`
	WebURL    string   `json:"web_url"`
	CreatedAt jsonTime `json:"created_at"`
	UpdatedAt jsonTime `json:"updated_at"`
}

// pipelineEntry is the JSON of a pipeline in lists.
type pipelineEntry struct {
	pipelineBrief

	Name jsonText `json:"name"`
}

func (p *Pipeline) entry() pipelineEntry {
	d := p.details()
	return pipelineEntry{
		pipelineBrief: pipelineBrief{
			ID: p.id, IID: p.iid, ProjectID: p.project.id, Status: p.status, Source: p.source, Ref: p.ref, SHA: p.commit.SHA,
			WebURL: d.WebURL, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		},
		Name: jsonText(p.name),
	}
}

// pipelineObject is the JSON of a single pipeline.
type pipelineObject struct {
	pipelineEntry

	BeforeSHA      string         `json:"before_sha"`
	Tag            bool           `json:"tag"`
	YAMLErrors     jsonText       `json:"yaml_errors"`
	User           *userSummary   `json:"user"`
	StartedAt      jsonTime       `json:"started_at"`
	FinishedAt     jsonTime       `json:"finished_at"`
	CommittedAt    jsonTime       `json:"committed_at"`
	Duration       *int64         `json:"duration"`
	QueuedDuration *float64       `json:"queued_duration"`
	Coverage       jsonText       `json:"coverage"`
	DetailedStatus detailedStatus `json:"detailed_status"`
}

// detailedStatus is the status as the web interface shows it.
type detailedStatus struct {
	Icon         string `json:"icon"`
	Text         string `json:"text"`
	Label        string `json:"label"`
	Group        string `json:"group"`
	Tooltip      string `json:"tooltip"`
	HasDetails   bool   `json:"has_details"`
	DetailsPath  string `json:"details_path"`
	Illustration any    `json:"illustration"`
	Favicon      string `json:"favicon"`
}

// noCommit is the hash that means no commit.
const noCommit = "0000000000000000000000000000000000000000"

func (p *Pipeline) object() *pipelineObject {
	o := &pipelineObject{
		pipelineEntry: p.entry(), BeforeSHA: noCommit, Tag: p.tag, YAMLErrors: jsonText(p.yamlErrors),
		User: p.user.summary(), Coverage: p.coverage(), DetailedStatus: p.detailedStatus(),
	}
	started, finished := p.period()
	o.StartedAt, o.FinishedAt = jsonTime(started), jsonTime(finished)
	o.QueuedDuration = seconds(p.createdAt, started)
	if !started.IsZero() && !finished.IsZero() {
		o.Duration = new(int64(finished.Sub(started) / time.Second))
	}
	return o
}

// coverage returns the mean of the coverage of the jobs, or "" if no job
// measured it.
func (p *Pipeline) coverage() jsonText {
	sum, n := 0.0, 0
	for _, job := range p.all() {
		if job.coverage != nil && !job.retried {
			sum, n = sum+*job.coverage, n+1
		}
	}
	if n == 0 {
		return ""
	}
	return jsonText(strconv.FormatFloat(sum/float64(n), 'f', 2, 64))
}

func (p *Pipeline) detailedStatus() detailedStatus {
	text := map[string]string{"success": "passed"}[p.status]
	if text == "" {
		text = p.status
	}
	return detailedStatus{
		Icon: "status_" + p.status, Text: text, Label: text, Group: p.status, Tooltip: text, HasDetails: true,
		DetailsPath: "/" + p.project.fullPath() + "/-/pipelines/" + frame.Itoa(p.id), Favicon: "/assets/favicon_status_" + p.status + ".png",
	}
}

// period returns when the pipeline's jobs started and ended. The times are zero
// if they have not.
func (p *Pipeline) period() (started, finished time.Time) {
	p.settle()
	for _, job := range p.all() {
		if !job.startedAt.IsZero() && (started.IsZero() || job.startedAt.Before(started)) {
			started = job.startedAt
		}
		if job.finishedAt.After(finished) {
			finished = job.finishedAt
		}
	}
	if p.unfinished() || p.status == "manual" {
		finished = time.Time{}
	}
	return started, finished
}
