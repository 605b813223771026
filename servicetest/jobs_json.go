package servicetest

import (
	"io"
	"maps"
	"math"
	"slices"
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

// json returns the cached encoding of the job. Any change renews it.
func (j *Job) json() *encoded {
	j.expire()
	j.pipeline.settle()
	if now := j.svc.now(); j.status == "running" && !now.Equal(j.shown) {
		j.shown = now
		j.svc.stamp(j)
	}
	changed := max(j.Changed, j.pipeline.Changed, j.pipeline.project.changedAt(), j.user.changedAt(),
		j.runner.changedAt())
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
		ErasedAt: jsonTime(j.erasedAt), FailureReason: j.failureReason, User: j.user.extended(),
		Commit: j.pipeline.project.repository().commitObject(j.pipeline.commit),
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

// seconds returns the number of seconds between two times, or null if either is
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
func (j *Job) forRunner() jsonBytes {
	j.expire()
	ip := ""
	if j.runner != nil {
		ip = j.runner.ipAddress
	}
	return joined(j.object(), inOrder("ip_address", ip, "project", j.pipeline.project.summary()))
}

// bridgeJSON returns the JSON of a bridge.
func (j *Job) bridgeJSON() jsonBytes {
	return joined(j.core(), inOrder("pipeline", j.pipeline.details(), "downstream_pipeline", j.downstream.details()))
}

// A JobOption sets a property of a job. By, CreatedAt, ID and Tags are
// JobOptions, too.
type JobOption interface{ applyJob(j *Job) }

type jobOption func(*Job)

func (f jobOption) applyJob(j *Job) { f(j) }

func jobStatus(status string) JobOption {
	return jobOption(func(j *Job) { j.status = status })
}

// Created makes a job that waits for earlier stages.
func Created() JobOption { return jobStatus("created") }

// Pending makes a job that waits for a runner.
func Pending() JobOption { return jobStatus("pending") }

// Running makes a job that is running.
func Running() JobOption { return jobStatus("running") }

// Canceled makes a job that was canceled while it ran.
func Canceled() JobOption { return jobStatus("canceled") }

// Skipped makes a job that never ran.
func Skipped() JobOption { return jobStatus("skipped") }

// Manual makes a job that waits for somebody to start it.
func Manual() JobOption { return jobStatus("manual") }

// Failed makes a job that failed for a reason such as script_failure or
// stuck_or_timeout_failure.
func Failed(reason string) JobOption {
	return jobOption(func(j *Job) { j.status, j.failureReason = "failed", reason })
}

// Flaky makes a job that failed for a reason such as script_failure. In pipelines
// started through the API, it succeeds when it is retried.
func Flaky(reason string) JobOption {
	return jobOption(func(j *Job) { j.status, j.failureReason, j.flaky = "failed", reason, true })
}

// Stage sets a job's stage. The default is test.
func Stage(name string) JobOption { return jobOption(func(j *Job) { j.stage = name }) }

// AllowFailure makes a job whose failure does not fail the pipeline.
func AllowFailure() JobOption { return jobOption(func(j *Job) { j.allowFailure = true }) }

// Coverage sets the test coverage that a job measured, in percent.
func Coverage(percent float64) JobOption {
	return jobOption(func(j *Job) { j.coverage = &percent })
}

// Took sets how long a job ran.
func Took(d time.Duration) JobOption { return jobOption(func(j *Job) { j.took = d }) }

// Queued sets how long a job waited for a runner.
func Queued(d time.Duration) JobOption { return jobOption(func(j *Job) { j.queued = d }) }

// Tags sets the tags of a job or a runner.
func Tags(tags ...string) TagsOption { return slices.Clone(tags) }

// TagsOption is the option that Tags returns.
type TagsOption []string

func (o TagsOption) applyJob(j *Job) { j.tags = o }

func (o TagsOption) applyRunner(r *Runner) { r.tags = o }

// RunOn sets the runner that executed a job; nil means none.
func RunOn(runner *Runner) JobOption { return jobOption(func(j *Job) { j.runner = runner }) }

// By sets the user who started a pipeline or job; nil means none.
func By(user *User) ByOption { return ByOption{user} }

// ByOption is the option that By returns.
type ByOption struct{ user *User }

func (o ByOption) applyPipeline(p *Pipeline) { p.user = o.user }

func (o ByOption) applyJob(j *Job) { j.user = o.user }

// Trace sets a job's log. A job has no log until this option sets one or
// something is written to the job. [PlanJob] says when a planned job has it.
func Trace(text string) JobOption {
	return jobOption(func(j *Job) { j.trace = textContent([]byte(text), j.svc.now()) })
}

// TraceFrom sets a job's log of any size without keeping it in memory. The source must
// not change and must allow concurrent reads.
func TraceFrom(size int64, source io.ReaderAt) JobOption {
	return jobOption(func(j *Job) { j.trace = sourceContent(size, source, j.svc.now()) })
}

// Archive gives a job an artifacts archive, a zip file. files maps the names of files
// to their content. The archive expires in 30 days unless ExpireIn sets another time.
func Archive(files map[string]string) JobOption {
	return jobOption(func(j *Job) { j.archive = zipped(files, j.svc.now()) })
}

// ArchiveFrom gives a job an artifacts archive of any size without keeping it in
// memory. The source must not change and must allow concurrent reads. Single files can
// be read only if it is a zip file.
func ArchiveFrom(size int64, source io.ReaderAt) JobOption {
	return jobOption(func(j *Job) { j.archive = sourceContent(size, source, j.svc.now()) })
}

// JUnit gives a job a test report, which appears in its list of artifacts.
func JUnit(xml string) JobOption {
	return jobOption(func(j *Job) { j.junit = textContent([]byte(xml), j.svc.now()) })
}

// ExpireIn sets how long from now a job's artifacts expire; 0 means never.
func ExpireIn(d time.Duration) JobOption {
	return jobOption(func(j *Job) {
		j.keeps, j.expireAt = d == 0, time.Time{}
		if d > 0 {
			j.expireAt = j.svc.now().Add(d)
		}
	})
}

// Inputs returns the inputs that were passed when the job was played: strings,
// booleans, numbers as json.Number, and slices of these.
func (j *Job) Inputs() map[string]any {
	defer j.svc.lock()()
	return maps.Clone(j.inputs)
}
