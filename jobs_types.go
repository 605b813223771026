package serviceapi

import (
	"encoding/json"
	"time"
)

// JobStatus is the state of a job.
type JobStatus string

// States of a job. The service may send others.
const (
	JobStatusCreated  JobStatus = "created"
	JobStatusPending  JobStatus = "pending"
	JobStatusRunning  JobStatus = "running"
	JobStatusFailed   JobStatus = "failed"
	JobStatusSuccess  JobStatus = "success"
	JobStatusCanceled JobStatus = "canceled"
	JobStatusSkipped  JobStatus = "skipped"
	JobStatusManual   JobStatus = "manual"
	// The following states exist in newer releases. A canceling job is still
	// running its cleanup.
	JobStatusWaitingForResource JobStatus = "waiting_for_resource"
	JobStatusPreparing          JobStatus = "preparing"
	JobStatusScheduled          JobStatus = "scheduled"
	JobStatusCanceling          JobStatus = "canceling"
)

// Finished reports whether this is a final state, which a job leaves only if a
// user retries or starts it.
func (s JobStatus) Finished() bool {
	switch s {
	case JobStatusFailed, JobStatusSuccess, JobStatusCanceled, JobStatusSkipped:
		return true
	}
	return false
}

// JobFailureReason says why a job failed.
type JobFailureReason string

// Failure reasons. The service may send others.
const (
	JobFailureReasonScript         JobFailureReason = "script_failure"
	JobFailureReasonStuckOrTimeout JobFailureReason = "stuck_or_timeout_failure"
)

// Job is a CI job.
type Job struct {
	ID     int64     `json:"id"`
	Name   string    `json:"name"`
	Stage  string    `json:"stage"`
	Status JobStatus `json:"status"`
	// FailureReason is empty unless the job failed.
	FailureReason JobFailureReason `json:"failure_reason"`
	// Ref is the branch or tag that the job ran for. Tag reports whether it is a
	// tag.
	Ref string `json:"ref"`
	Tag bool   `json:"tag"`
	// Coverage is in percent, nil if none was measured.
	Coverage *float64 `json:"coverage"`
	// AllowFailure reports whether the pipeline continues when the job fails.
	AllowFailure bool `json:"allow_failure"`
	// CreatedAt is nil if the service does not say.
	CreatedAt *time.Time `json:"created_at"`
	// StartedAt is nil until the job starts.
	StartedAt *time.Time `json:"started_at"`
	// FinishedAt is nil until the job finishes.
	FinishedAt *time.Time `json:"finished_at"`
	// Duration is the running time in seconds, nil until the job starts.
	Duration *float64 `json:"duration"`
	// QueuedDuration is the time in the queue in seconds, nil if unknown.
	QueuedDuration *float64 `json:"queued_duration"`
	// ArtifactsExpireAt is when the artifacts expire, nil if they are kept.
	ArtifactsExpireAt *time.Time `json:"artifacts_expire_at"`
	// ArtifactsFile is the archive, nil if there is none.
	ArtifactsFile *ArtifactsFile `json:"artifacts_file"`
	// Artifacts are all files that the job produced, including the archive and the
	// log.
	Artifacts []*JobArtifact `json:"artifacts"`
	TagList   []string       `json:"tag_list"`
	// Runner is nil until a runner has picked up the job.
	Runner *Runner `json:"runner"`
	// RunnerManager is the process of the runner that runs the job, nil until one
	// has picked up the job. Since about 16.x.
	RunnerManager *RunnerManager `json:"runner_manager"`
	// Source says what created the job. It is empty if the service does not say.
	// Since about 17.x.
	Source string `json:"source"`
	// Pipeline is the pipeline that the job is part of, nil only if the service
	// does not send it.
	Pipeline *PipelineSummary `json:"pipeline"`
	// Commit is the commit that the job runs for, nil if it no longer exists.
	Commit *CommitSummary `json:"commit"`
	// User is the user who started the job, nil if the account no longer exists.
	User   *User  `json:"user"`
	WebURL string `json:"web_url"`
	// DownloadURL is set only by [JobArtifactsService.Keep], and empty if there is
	// nothing to download.
	DownloadURL string `json:"download_url"`
	// ErasedAt is when the log and the artifacts were deleted, nil if they were
	// not. Since about 15.x.
	ErasedAt *time.Time `json:"erased_at"`
	// Archived reports whether the job is too old to be run again. Since about
	// 16.x.
	Archived bool `json:"archived"`

	// IPAddress is set only in the list of a runner's jobs.
	IPAddress string `json:"ip_address"`
	// Project has all of its fields in the list of a runner's jobs. Elsewhere it
	// is nil, or has only CIJobTokenScopeEnabled.
	Project *JobProject `json:"project"`
}

// JobProject is the project of a job. It has a [ProjectSummary] in it.
type JobProject struct {
	ProjectSummary

	// CIJobTokenScopeEnabled reports whether the tokens of the project's jobs give
	// access only to selected projects. Since about 15.x.
	CIJobTokenScopeEnabled bool `json:"ci_job_token_scope_enabled"`
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *JobProject) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// RunnerManager is one of the processes that serve a runner. A string is empty
// if the process has not reported it.
type RunnerManager struct {
	ID int64 `json:"id"`
	// SystemID distinguishes the processes of a runner.
	SystemID     string       `json:"system_id"`
	Version      string       `json:"version"`
	Revision     string       `json:"revision"`
	Platform     string       `json:"platform"`
	Architecture string       `json:"architecture"`
	IPAddress    string       `json:"ip_address"`
	Status       RunnerStatus `json:"status"`
	// JobExecutionStatus says whether the process runs jobs. Only in later releases.
	JobExecutionStatus JobExecutionStatus `json:"job_execution_status"`
	CreatedAt          time.Time          `json:"created_at"`
	// ContactedAt is when the process last contacted the service, nil if it never
	// did.
	ContactedAt *time.Time `json:"contacted_at"`
}

// ArtifactsFile is the archive of a job's artifacts.
type ArtifactsFile struct {
	Filename string `json:"filename"`
	// Size is in bytes.
	Size int64 `json:"size"`
}

// ArtifactEntry is a file or a directory in the archive of a job's artifacts.
type ArtifactEntry struct {
	Name string `json:"name"`
	// Path begins at the root; that of a directory ends with a slash. That of a file is what
	// [JobArtifactsService.DownloadFile] takes.
	Path string            `json:"path"`
	Type ArtifactEntryType `json:"type"`
	// Size is in bytes, nil for a directory.
	Size *int64 `json:"size"`
	// Mode is in octal, such as "100644", empty if the archive does not say.
	Mode string `json:"mode"`
}

// ArtifactEntryType says whether an entry is a file.
type ArtifactEntryType string

// Types of entries.
const (
	ArtifactEntryTypeFile      ArtifactEntryType = "file"
	ArtifactEntryTypeDirectory ArtifactEntryType = "directory"
)

// ArtifactFileType is the kind of a job's artifact file.
type ArtifactFileType string

// Types of artifact files. The service may send others.
const (
	ArtifactFileTypeArchive  ArtifactFileType = "archive"
	ArtifactFileTypeMetadata ArtifactFileType = "metadata"
	ArtifactFileTypeTrace    ArtifactFileType = "trace"
	ArtifactFileTypeJUnit    ArtifactFileType = "junit"
)

// ArtifactFileFormat is the format in which an artifact file is stored.
type ArtifactFileFormat string

// Formats of artifact files. The service may send others.
const (
	ArtifactFileFormatZip  ArtifactFileFormat = "zip"
	ArtifactFileFormatGzip ArtifactFileFormat = "gzip"
	ArtifactFileFormatRaw  ArtifactFileFormat = "raw"
)

// JobArtifact is one file that a job produced.
type JobArtifact struct {
	FileType ArtifactFileType `json:"file_type"`
	// Size is in bytes.
	Size     int64  `json:"size"`
	Filename string `json:"filename"`
	// FileFormat is empty if the service does not say.
	FileFormat ArtifactFileFormat `json:"file_format"`
}

// Bridge is a job that triggers a downstream pipeline and follows it. It uses
// no runner and produces no artifacts, so it lacks those fields of a [Job].
type Bridge struct {
	ID     int64     `json:"id"`
	Name   string    `json:"name"`
	Stage  string    `json:"stage"`
	Status JobStatus `json:"status"`
	// FailureReason is empty unless the job failed. Since about 15.x.
	FailureReason JobFailureReason `json:"failure_reason"`
	// Ref is the branch or tag that the job ran for. Tag reports whether it is a
	// tag.
	Ref string `json:"ref"`
	Tag bool   `json:"tag"`
	// Coverage is in percent, nil if none was measured.
	Coverage *float64 `json:"coverage"`
	// AllowFailure reports whether the pipeline continues when the job fails.
	AllowFailure bool `json:"allow_failure"`
	// CreatedAt is nil if the service does not say.
	CreatedAt *time.Time `json:"created_at"`
	// StartedAt is nil until the job starts.
	StartedAt *time.Time `json:"started_at"`
	// FinishedAt is nil until the job finishes.
	FinishedAt *time.Time `json:"finished_at"`
	// Duration is the running time in seconds, nil until the job starts.
	Duration *float64 `json:"duration"`
	// QueuedDuration is the time in the queue in seconds, nil if unknown. Since
	// about 15.x.
	QueuedDuration *float64 `json:"queued_duration"`
	// Pipeline is the pipeline that the job is part of, nil only if the service
	// does not send it.
	Pipeline *PipelineSummary `json:"pipeline"`
	// Commit is the commit of the pipeline, nil if it no longer exists.
	Commit *CommitSummary `json:"commit"`
	// User is the user who started the job, nil if the account no longer exists.
	User   *User  `json:"user"`
	WebURL string `json:"web_url"`
	// DownstreamPipeline is the pipeline that the job triggered, nil until it is
	// created.
	DownstreamPipeline *PipelineSummary `json:"downstream_pipeline"`
	// ErasedAt, Archived and Project are as in [Job]. ErasedAt is nil if the log
	// was not deleted.
	ErasedAt *time.Time  `json:"erased_at"`
	Archived bool        `json:"archived"`
	Project  *JobProject `json:"project"`
}

// JobTokenAllowedAgents says what the token of a running job gives access to. Which
// fields are set depends on the release. Newer ones (since about 15.x) send only
// the ID of Job, Pipeline and Project, the ID and username of User, and the fields
// whose comments say "Since about 15.x". Older ones send everything else.
type JobTokenAllowedAgents struct {
	AllowedAgents []*AllowedAgent `json:"allowed_agents"`
	// Job is the job that the token belongs to, nil only if the service does not
	// send it.
	Job *JobTokenJob `json:"job"`
	// Pipeline is the pipeline of the job, nil only if the service does not send
	// it.
	Pipeline *PipelineSummary `json:"pipeline"`
	// Project is the project of the job, nil only if the service does not send it.
	Project *JobTokenProject `json:"project"`
	// User is the user who started the job, nil if the account no longer exists.
	User *JobTokenUser `json:"user"`
	// Environment is the environment that the job deploys to, nil if it does not
	// deploy. Since about 15.x.
	Environment *JobTokenEnvironment `json:"environment"`
}

// AllowedAgent is an agent that a job may use.
type AllowedAgent struct {
	ID int64 `json:"id"`
	// ConfigProject is the project that holds the configuration of the agent, nil
	// only if the service does not send it.
	ConfigProject *ProjectSummary `json:"config_project"`
	// Configuration is the rest of what the configuration of the agent says about the projects
	// that may use it, a JSON object. It is nil if the service does not send it.
	Configuration json.RawMessage `json:"configuration,omitzero"`
}

// JobTokenJob is the job that a token belongs to.
type JobTokenJob struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Stage       string `json:"stage"`
	ProjectID   int64  `json:"project_id"`
	ProjectName string `json:"project_name"`
}

// JobTokenProject is the project of the job that a token belongs to. It has a
// [ProjectSummary] in it.
type JobTokenProject struct {
	ProjectSummary

	// Groups are the groups that the project is in, of which only the ID is set.
	// Since about 15.x.
	Groups []*GroupSummary `json:"groups"`
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *JobTokenProject) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// JobTokenUser is the user who started the job that a token belongs to. It has a [UserSummary]
// in it.
type JobTokenUser struct {
	UserSummary

	// RolesInProject are the names of the user's roles in the project. Since about
	// 15.x.
	RolesInProject []string `json:"roles_in_project"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (u *JobTokenUser) Ref() UserRef { return UserID(orZero(u).ID) }

// JobTokenEnvironment is the environment that a job deploys to.
type JobTokenEnvironment struct {
	Tier EnvironmentTier `json:"tier"`
	Slug string          `json:"slug"`
}
