package servicetest

import (
	"io"
	"time"
)

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

// Skipped makes a job that was not run.
func Skipped() JobOption { return jobStatus("skipped") }

// Manual makes a job that waits for somebody to start it.
func Manual() JobOption { return jobStatus("manual") }

// Failed makes a job that failed, for a reason such as script_failure or
// stuck_or_timeout_failure.
func Failed(reason string) JobOption {
	return jobOption(func(j *Job) { j.status, j.failureReason = "failed", reason })
}

// Flaky makes a job that failed, for a reason such as script_failure, and that
// succeeds when it is retried in a pipeline that was started through the API.
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
func Tags(tags ...string) TagsOption { return TagsOption(tags) }

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
// something is written to the job.
func Trace(text string) JobOption {
	return jobOption(func(j *Job) { j.trace = textContent([]byte(text), j.svc.now()) })
}

// TraceFrom sets a log of any size, which is not kept in memory. The source
// must not change and must allow concurrent reads.
func TraceFrom(size int64, source io.ReaderAt) JobOption {
	return jobOption(func(j *Job) { j.trace = sourceContent(size, source, j.svc.now()) })
}

// Archive gives a job an artifacts archive: a zip file of files, a map of names
// to content. It expires in 30 days unless ExpireIn sets another time.
func Archive(files map[string]string) JobOption {
	return jobOption(func(j *Job) { j.archive = zipped(files, j.svc.now()) })
}

// ArchiveFrom gives a job an artifacts archive of any size, which is not kept
// in memory. The source must not change and must allow concurrent reads. Single
// files can be read from it only if it is a zip file.
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

// agents are the cluster agents that a project's jobs may use.
type agents struct {
	last    int64
	allowed map[*Project][]agent
}

type agent struct {
	id     int64
	config *Project
}

// AllowAgent lets the project's jobs use a cluster agent that is configured in
// a project, and returns the agent's ID.
func (p *Project) AllowAgent(config *Project) int64 {
	defer p.svc.lock()()
	all := state[agents](p.svc)
	if all.allowed == nil {
		all.allowed = make(map[*Project][]agent)
	}
	all.last++
	all.allowed[p] = append(all.allowed[p], agent{all.last, config})
	return all.last
}
