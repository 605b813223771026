package webhook

import (
	"encoding/json"
	"strings"
	"time"

	"example.com/serviceapi"
)

// PushEvent is sent when a branch is changed, created or deleted. A system hook gets it
// without commits.
type PushEvent struct {
	Delivery `json:"-"`

	ObjectKind string `json:"object_kind"`
	EventName  string `json:"event_name"`
	// Before and After are hashes. All digits are 0 if the branch did not exist before, or
	// no longer exists.
	Before       string `json:"before"`
	After        string `json:"after"`
	Ref          string `json:"ref"` // "refs/heads/main"
	RefProtected *bool  `json:"ref_protected"`
	CheckoutSHA  string `json:"checkout_sha"` // "" if the branch was deleted
	Message      string `json:"message"`
	// UserID and the following fields describe the user who pushed.
	UserID            int64      `json:"user_id"`
	UserName          string     `json:"user_name"`
	UserUsername      string     `json:"user_username"`
	UserEmail         string     `json:"user_email"` // "" if it is not public
	UserAvatar        string     `json:"user_avatar"`
	ProjectID         int64      `json:"project_id"`
	Project           Project    `json:"project"`
	Repository        Repository `json:"repository"`
	Commits           []Commit   `json:"commits"`             // the newest 20, oldest first
	TotalCommitsCount int        `json:"total_commits_count"` // of all commits
	// PushOptions may hold nested objects, strings and booleans.
	PushOptions json.RawMessage `json:"push_options,omitzero"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Branch returns the name of the branch.
func (e *PushEvent) Branch() string { return strings.TrimPrefix(e.Ref, "refs/heads/") }

// Created reports whether the branch did not exist before.
func (e *PushEvent) Created() bool { return isZeroHash(e.Before) }

// Deleted reports whether the branch no longer exists.
func (e *PushEvent) Deleted() bool { return isZeroHash(e.After) }

// CommitRef identifies the newest commit. It is the zero reference if the branch was
// deleted.
func (e *PushEvent) CommitRef() serviceapi.CommitRef { return commitIn(e.Project.Ref(), e.CheckoutSHA) }

// TagPushEvent is sent when a tag is created, moved or deleted.
type TagPushEvent struct {
	Delivery `json:"-"`

	ObjectKind string `json:"object_kind"`
	EventName  string `json:"event_name"`
	// Before and After are hashes. All digits are 0 if the tag did not exist before, or no
	// longer exists. For an annotated tag, After is the tag object.
	Before       string `json:"before"`
	After        string `json:"after"`
	Ref          string `json:"ref"` // "refs/tags/v1.0"
	RefProtected *bool  `json:"ref_protected"`
	CheckoutSHA  string `json:"checkout_sha"` // the commit; "" if the tag was deleted
	Message      string `json:"message"`      // of an annotated tag
	// UserID and the following fields describe the user who pushed.
	UserID            int64           `json:"user_id"`
	UserName          string          `json:"user_name"`
	UserUsername      string          `json:"user_username"`
	UserEmail         string          `json:"user_email"` // "" if it is not public
	UserAvatar        string          `json:"user_avatar"`
	ProjectID         int64           `json:"project_id"`
	Project           Project         `json:"project"`
	Repository        Repository      `json:"repository"`
	Commits           []Commit        `json:"commits"`
	TotalCommitsCount int             `json:"total_commits_count"`
	PushOptions       json.RawMessage `json:"push_options,omitzero"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Tag returns the name of the tag.
func (e *TagPushEvent) Tag() string { return strings.TrimPrefix(e.Ref, "refs/tags/") }

// Created reports whether the tag did not exist before.
func (e *TagPushEvent) Created() bool { return isZeroHash(e.Before) }

// Deleted reports whether the tag no longer exists.
func (e *TagPushEvent) Deleted() bool { return isZeroHash(e.After) }

// CommitRef identifies the commit of the tag. It is the zero reference if the tag was
// deleted.
func (e *TagPushEvent) CommitRef() serviceapi.CommitRef {
	return commitIn(e.Project.Ref(), e.CheckoutSHA)
}

// isZeroHash reports whether a hash is all zeros, which stands for no commit.
func isZeroHash(hash string) bool { return hash != "" && strings.Trim(hash, "0") == "" }

func commitIn(project serviceapi.ProjectRef, sha string) serviceapi.CommitRef {
	if sha == "" {
		return serviceapi.CommitRef{}
	}
	return project.Commit(sha)
}

// PipelineEvent is sent when the status of a pipeline changes.
type PipelineEvent struct {
	Delivery `json:"-"`

	ObjectKind       string                `json:"object_kind"`
	ObjectAttributes Pipeline              `json:"object_attributes"`
	User             *User                 `json:"user"` // nil if nobody started it
	Project          Project               `json:"project"`
	Commit           *Commit               `json:"commit"`
	MergeRequest     *PipelineMergeRequest `json:"merge_request"`   // nil without one
	SourcePipeline   *SourcePipeline       `json:"source_pipeline"` // nil unless another pipeline started it
	// Builds are the jobs, without those that were retried.
	Builds []Build `json:"builds"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// MergeRequestRef identifies the merge request of the pipeline. It is the zero
// reference if there is none.
func (e *PipelineEvent) MergeRequestRef() serviceapi.MergeRequestRef {
	m := e.MergeRequest
	if m == nil {
		return serviceapi.MergeRequestRef{}
	}
	return serviceapi.ProjectID(m.TargetProjectID).MergeRequest(m.IID)
}

// CommitRef identifies the commit that the pipeline runs for.
func (e *PipelineEvent) CommitRef() serviceapi.CommitRef {
	return commitIn(e.Project.Ref(), e.ObjectAttributes.SHA)
}

// Pipeline is the pipeline of a [PipelineEvent].
type Pipeline struct {
	ID             int64                     `json:"id"`
	IID            *int64                    `json:"iid"` // since 15.x
	Name           string                    `json:"name"`
	Ref            string                    `json:"ref"` // "main"
	Tag            bool                      `json:"tag"`
	SHA            string                    `json:"sha"`
	BeforeSHA      string                    `json:"before_sha"`
	Source         serviceapi.PipelineSource `json:"source"`
	Status         serviceapi.PipelineStatus `json:"status"`
	DetailedStatus string                    `json:"detailed_status"` // a label, such as "passed"
	Stages         []string                  `json:"stages"`
	CreatedAt      time.Time                 `json:"created_at"`
	FinishedAt     *time.Time                `json:"finished_at"`     // nil until it ends
	Duration       *float64                  `json:"duration"`        // seconds
	QueuedDuration *float64                  `json:"queued_duration"` // seconds
	ProtectedRef   *bool                     `json:"protected_ref"`
	Variables      []Variable                `json:"variables"`
	URL            string                    `json:"url"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Variable is a variable that a pipeline was started with.
type Variable struct {
	Key   string            `json:"key"`
	Value serviceapi.Secret `json:"value"`
}

// PipelineMergeRequest is the merge request of a [PipelineEvent].
type PipelineMergeRequest struct {
	ID                  int64                          `json:"id"`
	IID                 int64                          `json:"iid"`
	Title               string                         `json:"title"`
	SourceBranch        string                         `json:"source_branch"`
	SourceProjectID     *int64                         `json:"source_project_id"` // nil if the fork was deleted
	TargetBranch        string                         `json:"target_branch"`
	TargetProjectID     int64                          `json:"target_project_id"`
	State               serviceapi.MergeRequestState   `json:"state"`
	MergeStatus         serviceapi.MergeStatus         `json:"merge_status"`
	DetailedMergeStatus serviceapi.DetailedMergeStatus `json:"detailed_merge_status"`
	URL                 string                         `json:"url"`
}

// Build is a job of a [PipelineEvent].
type Build struct {
	ID             int64                       `json:"id"`
	Stage          string                      `json:"stage"`
	Name           string                      `json:"name"`
	Status         serviceapi.JobStatus        `json:"status"`
	CreatedAt      time.Time                   `json:"created_at"`
	StartedAt      *time.Time                  `json:"started_at"`      // nil until it starts
	FinishedAt     *time.Time                  `json:"finished_at"`     // nil until it ends
	Duration       *float64                    `json:"duration"`        // seconds
	QueuedDuration *float64                    `json:"queued_duration"` // seconds
	FailureReason  serviceapi.JobFailureReason `json:"failure_reason"`
	When           string                      `json:"when"` // "on_success", "manual" and others
	Manual         bool                        `json:"manual"`
	AllowFailure   bool                        `json:"allow_failure"`
	User           *User                       `json:"user"`
	Runner         *Runner                     `json:"runner"` // nil until one takes it
	ArtifactsFile  *ArtifactsFile              `json:"artifacts_file"`
	Environment    *Environment                `json:"environment"`
}

// ArtifactsFile is the archive of a job.
type ArtifactsFile struct {
	Filename string `json:"filename"` // "" without an archive
	Size     *int64 `json:"size"`     // nil without an archive
}

// JobEvent is sent when the status of a job changes.
type JobEvent struct {
	Delivery `json:"-"`

	ObjectKind          string                      `json:"object_kind"` // "build"
	Ref                 string                      `json:"ref"`         // "main"
	Tag                 bool                        `json:"tag"`
	BeforeSHA           string                      `json:"before_sha"`
	SHA                 string                      `json:"sha"`
	BuildID             int64                       `json:"build_id"`
	BuildName           string                      `json:"build_name"`
	BuildStage          string                      `json:"build_stage"`
	BuildStatus         serviceapi.JobStatus        `json:"build_status"`
	BuildCreatedAt      time.Time                   `json:"build_created_at"`
	BuildStartedAt      *time.Time                  `json:"build_started_at"`  // nil until it starts
	BuildFinishedAt     *time.Time                  `json:"build_finished_at"` // nil until it ends
	BuildCreatedAtISO   *time.Time                  `json:"build_created_at_iso"`
	BuildStartedAtISO   *time.Time                  `json:"build_started_at_iso"`
	BuildFinishedAtISO  *time.Time                  `json:"build_finished_at_iso"`
	BuildDuration       *float64                    `json:"build_duration"`        // seconds
	BuildQueuedDuration *float64                    `json:"build_queued_duration"` // seconds
	BuildAllowFailure   bool                        `json:"build_allow_failure"`
	BuildFailureReason  serviceapi.JobFailureReason `json:"build_failure_reason"` // unknown_failure if it did not fail
	RetriesCount        *int                        `json:"retries_count"`        // since 15.6
	PipelineID          int64                       `json:"pipeline_id"`
	ProjectID           int64                       `json:"project_id"`
	ProjectName         string                      `json:"project_name"` // "Acme / Shop"
	User                *User                       `json:"user"`
	// Commit describes the pipeline and its commit.
	Commit         JobCommit       `json:"commit"`
	Repository     Repository      `json:"repository"`
	Project        *Project        `json:"project"` // since 16.x
	Runner         *Runner         `json:"runner"`  // nil until one takes it
	Environment    *Environment    `json:"environment"`
	SourcePipeline *SourcePipeline `json:"source_pipeline"` // nil unless another pipeline started it
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// ProjectRef identifies the project of the job.
func (e *JobEvent) ProjectRef() serviceapi.ProjectRef { return serviceapi.ProjectID(e.ProjectID) }

// CommitRef identifies the commit that the job runs for.
func (e *JobEvent) CommitRef() serviceapi.CommitRef { return commitIn(e.ProjectRef(), e.SHA) }

// JobCommit is the commit of a [JobEvent].
type JobCommit struct {
	ID            int64                     `json:"id"` // of the pipeline
	Name          string                    `json:"name"`
	SHA           string                    `json:"sha"`
	Message       string                    `json:"message"`
	AuthorName    string                    `json:"author_name"`
	AuthorEmail   string                    `json:"author_email"`
	AuthorURL     string                    `json:"author_url"`
	Status        serviceapi.PipelineStatus `json:"status"`
	Duration      *float64                  `json:"duration"` // seconds
	StartedAt     *time.Time                `json:"started_at"`
	FinishedAt    *time.Time                `json:"finished_at"`
	StartedAtISO  *time.Time                `json:"started_at_iso"`
	FinishedAtISO *time.Time                `json:"finished_at_iso"`
}

// DeploymentEvent is sent when a deployment starts or ends.
type DeploymentEvent struct {
	Delivery `json:"-"`

	ObjectKind             string                      `json:"object_kind"`
	Status                 serviceapi.DeploymentStatus `json:"status"`
	StatusChangedAt        time.Time                   `json:"status_changed_at"`
	DeploymentID           int64                       `json:"deployment_id"`
	DeployableID           *int64                      `json:"deployable_id"` // the job; nil if there is none
	DeployableURL          string                      `json:"deployable_url"`
	Environment            string                      `json:"environment"` // the name
	EnvironmentTier        serviceapi.EnvironmentTier  `json:"environment_tier"`
	EnvironmentSlug        string                      `json:"environment_slug"`
	EnvironmentExternalURL string                      `json:"environment_external_url"`
	Project                Project                     `json:"project"`
	Ref                    string                      `json:"ref"` // "main"
	ShortSHA               string                      `json:"short_sha"`
	User                   *User                       `json:"user"`
	UserURL                string                      `json:"user_url"`
	CommitURL              string                      `json:"commit_url"`
	CommitTitle            string                      `json:"commit_title"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// ReleaseEvent is sent when a release is created, changed or deleted.
type ReleaseEvent struct {
	Delivery `json:"-"`

	ObjectKind  string        `json:"object_kind"`
	ID          int64         `json:"id"`
	Action      ReleaseAction `json:"action"`
	Name        string        `json:"name"`
	Tag         string        `json:"tag"`
	Description string        `json:"description"`
	CreatedAt   time.Time     `json:"created_at"`
	ReleasedAt  time.Time     `json:"released_at"`
	URL         string        `json:"url"`
	Project     Project       `json:"project"`
	Commit      *Commit       `json:"commit"`
	Assets      ReleaseAssets `json:"assets"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// CommitRef identifies the commit of the release. It is the zero reference if the event does not
// name it.
func (e *ReleaseEvent) CommitRef() serviceapi.CommitRef { return e.Commit.ref(&e.Project) }

// A ReleaseAction says what happened to a release.
type ReleaseAction string

// Actions on releases.
const (
	ReleaseActionCreate ReleaseAction = "create"
	ReleaseActionUpdate ReleaseAction = "update"
	ReleaseActionDelete ReleaseAction = "delete" // since 16.5
)

// ReleaseAssets are the files of a release.
type ReleaseAssets struct {
	Count   int             `json:"count"`
	Links   []ReleaseLink   `json:"links"`
	Sources []ReleaseSource `json:"sources"`
}

// ReleaseLink is a link of a release.
type ReleaseLink struct {
	ID       int64           `json:"id"`
	External *bool           `json:"external"` // until 16.0
	LinkType ReleaseLinkType `json:"link_type"`
	Name     string          `json:"name"`
	URL      string          `json:"url"`
}

// A ReleaseLinkType says what a link of a release leads to.
type ReleaseLinkType string

// Types of links.
const (
	ReleaseLinkTypeOther   ReleaseLinkType = "other"
	ReleaseLinkTypeRunbook ReleaseLinkType = "runbook"
	ReleaseLinkTypeImage   ReleaseLinkType = "image"
	ReleaseLinkTypePackage ReleaseLinkType = "package"
)

// ReleaseSource is an archive of the source of a release.
type ReleaseSource struct {
	Format string `json:"format"` // "zip", "tar.gz", "tar.bz2", "tar"
	URL    string `json:"url"`
}

// FeatureFlagEvent is sent when a feature flag is turned on or off.
type FeatureFlagEvent struct {
	Delivery `json:"-"`

	ObjectKind       string      `json:"object_kind"`
	Project          Project     `json:"project"`
	User             User        `json:"user"`
	UserURL          string      `json:"user_url"`
	ObjectAttributes FeatureFlag `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// FeatureFlag is the flag of a [FeatureFlagEvent].
type FeatureFlag struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Active      bool   `json:"active"`
}
