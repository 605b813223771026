package servicetest

import (
	"math"
	"strconv"
	"time"
)

// jobCore is what jobs and bridges have in common.
type jobCore struct {
	ID             int64         `json:"id"`
	Status         string        `json:"status"`
	Stage          string        `json:"stage"`
	Name           string        `json:"name"`
	Ref            string        `json:"ref"`
	Tag            bool          `json:"tag"`
	Coverage       *float64      `json:"coverage"`
	AllowFailure   bool          `json:"allow_failure"`
	CreatedAt      jsonTime      `json:"created_at"`
	StartedAt      jsonTime      `json:"started_at"`
	FinishedAt     jsonTime      `json:"finished_at"`
	Duration       *float64      `json:"duration"`
	QueuedDuration *float64      `json:"queued_duration"`
	ErasedAt       jsonTime      `json:"erased_at"`
	FailureReason  string        `json:"failure_reason,omitempty"`
	User           *userExtended `json:"user"`
	Commit         *commitObject `json:"commit"`
	WebURL         string        `json:"web_url"`
}

type jobObject struct {
	jobCore

	Pipeline          pipelineSummary  `json:"pipeline"`
	ArtifactsFile     *artifactsFile   `json:"artifacts_file,omitempty"`
	Artifacts         []artifactObject `json:"artifacts"`
	ArtifactsExpireAt jsonTime         `json:"artifacts_expire_at"`
	TagList           []string         `json:"tag_list"`
	Runner            *runnerSummary   `json:"runner"`
}

type artifactsFile struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

type artifactObject struct {
	FileType   string   `json:"file_type"`
	Size       int64    `json:"size"`
	Filename   string   `json:"filename"`
	FileFormat jsonText `json:"file_format"`
}

// keptJob is the response to keeping artifacts.
type keptJob struct {
	jobObject

	DownloadURL jsonText `json:"download_url"`
}

// runnerJob is a job in the list of a runner's jobs.
type runnerJob struct {
	jobObject

	IPAddress string          `json:"ip_address"`
	Project   *projectSummary `json:"project"`
}

type bridgeObject struct {
	jobCore

	Pipeline           *pipelineDetails `json:"pipeline"`
	DownstreamPipeline *pipelineDetails `json:"downstream_pipeline"`
}

// json returns the encoding of the job, cached until anything in it changes.
func (j *Job) json() *encoded {
	j.expire()
	j.pipeline.settle()
	if now := j.svc.now(); j.status == "running" && !now.Equal(j.shown) {
		j.shown = now
		j.svc.touch(&j.stamp)
	}
	changed := max(j.Changed, j.pipeline.Changed, j.pipeline.project.changedAt(), j.user.changedAt(), j.runner.changedAt())
	return j.cache.Get(changed, func() any { return j.object() })
}

func (j *Job) object() *jobObject {
	o := &jobObject{
		jobCore: j.core(), Pipeline: j.pipeline.summary(), Artifacts: j.artifacts(),
		ArtifactsExpireAt: jsonTime(j.expireAt), TagList: append([]string{}, j.tags...),
		Runner: j.runner.summary(),
	}
	if j.archive != nil {
		o.ArtifactsFile = &artifactsFile{archiveName, j.archive.size}
	}
	return o
}

func (j *Job) core() jobCore {
	return jobCore{
		ID: j.id, Status: j.status, Stage: j.stage, Name: j.name,
		Ref: j.pipeline.ref, Tag: j.pipeline.tag, Coverage: j.coverage, AllowFailure: j.allowFailure,
		CreatedAt: jsonTime(j.createdAt), StartedAt: jsonTime(j.startedAt), FinishedAt: jsonTime(j.finishedAt),
		Duration: j.duration(), QueuedDuration: seconds(j.waitsSince(), j.startedAt),
		ErasedAt: jsonTime(j.erasedAt), FailureReason: j.failureReason, User: j.user.extended(), Commit: j.pipeline.project.repository().commitObject(j.pipeline.commit),
		WebURL: j.pipeline.project.webURL("-/jobs", strconv.FormatInt(j.id, 10)),
	}
}

// waitsSince returns when the job started to wait for a runner.
func (j *Job) waitsSince() time.Time {
	if j.queuedAt.IsZero() {
		return j.createdAt
	}
	return j.queuedAt
}

// duration returns how long the job has run, or null if it has not started.
func (j *Job) duration() *float64 {
	if j.status == "running" {
		return seconds(j.startedAt, j.svc.now())
	}
	return seconds(j.startedAt, j.finishedAt)
}

// seconds returns the number of seconds between two times, or null if one is
// unknown.
func seconds(from, to time.Time) *float64 {
	if from.IsZero() || to.IsZero() {
		return nil
	}
	return new(math.Round(to.Sub(from).Seconds()*1000) / 1000)
}

// artifacts lists the files that the job produced.
func (j *Job) artifacts() []artifactObject {
	list := []artifactObject{}
	if j.archive != nil {
		list = append(list,
			artifactObject{"archive", j.archive.size, archiveName, "zip"},
			artifactObject{"metadata", 149, "metadata.gz", "gzip"})
	}
	if j.trace != nil {
		list = append(list, artifactObject{"trace", j.trace.size, "job.log", "raw"})
	}
	if j.junit != nil {
		list = append(list, artifactObject{"junit", j.junit.size, "junit.xml.gz", "gzip"})
	}
	return list
}

// forRunner returns the JSON for the list of a runner's jobs.
func (j *Job) forRunner() *runnerJob {
	j.expire()
	ip := ""
	if j.runner != nil {
		ip = j.runner.ipAddress
	}
	return &runnerJob{jobObject: *j.object(), IPAddress: ip, Project: j.pipeline.project.summary()}
}

// bridgeJSON returns the JSON of a bridge.
func (j *Job) bridgeJSON() *bridgeObject {
	return &bridgeObject{
		jobCore: j.core(), Pipeline: j.pipeline.details(),
		DownstreamPipeline: j.downstream.details(),
	}
}
