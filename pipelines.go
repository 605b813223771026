package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json/jsontext"
)

// PipelinesService starts, reads and waits for CI/CD pipelines.
// [JobsService.AllForPipeline] lists their jobs, and [JobsService.AllBridges] leads to their
// child pipelines.
//
// Its options are [CreatePipelineOptions], [LatestPipelineOptions], [ListOptions],
// [ListPipelinesOptions] and [UpdatePipelineMetadataOptions]. See recipe 26 of
// docs/cookbook.md, the example RunPipeline of [example.com/serviceapi/examples/recipes].
type PipelinesService service

// List returns one page of a project's pipelines, the newest first by default.
//
//	GET /projects/:id/pipelines
func (s *PipelinesService) List(
	ctx context.Context, project ProjectRef, options *ListPipelinesOptions, opts ...RequestOption,
) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, using(s), Route("/projects/:id/pipelines", project), queryOf(options), opts)
}

// All returns every pipeline of a project that the options select, the newest first by
// default.
//
//	GET /projects/:id/pipelines
func (s *PipelinesService) All(
	ctx context.Context, project ProjectRef, options *ListPipelinesOptions, opts ...RequestOption,
) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, using(s), Route("/projects/:id/pipelines", project), queryOf(options), opts)
}

// Latest returns the latest pipeline for the newest commit of a branch or tag. [ErrForbidden]
// means that there is no such ref, that its newest commit has no pipeline, or that the caller
// may not see pipelines. Only in the last case is [PipelinesService.List] refused, too: call it
// with the same Ref and a PerPage of 1 to tell them apart. An older commit may have a pipeline,
// which that list has.
//
//	GET /projects/:id/pipelines/latest
func (s *PipelinesService) Latest(
	ctx context.Context, project ProjectRef, options *LatestPipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodGet,
		Route("/projects/:id/pipelines/latest", project), queryOf(options), opts)
}

// Get returns one pipeline.
//
//	GET /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Get(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodGet,
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts)
}

// Create starts a pipeline for a branch or tag and returns it. It requires the
// Developer role. [ErrBadRequest] means that there is no such ref, that the
// configuration is missing or invalid, or that it has no job for this ref: the
// entry "base" of [Error.Fields] says which. [ErrForbidden] can also mean that
// the ref is protected.
//
//	POST /projects/:id/pipeline
func (s *PipelinesService) Create(
	ctx context.Context, project ProjectRef, options CreatePipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/pipeline", project), jsonOf(options), opts)
}

// Retry runs the failed and canceled jobs of a pipeline again, as new jobs, and
// returns the pipeline. If there are no such jobs, nothing happens. It requires
// the Developer role.
//
//	POST /projects/:id/pipelines/:pipeline_id/retry
func (s *PipelinesService) Retry(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/pipelines/:pipeline_id/retry", project, pipelineID), nil, opts)
}

// Cancel cancels the jobs of a pipeline that have not finished, and returns the
// pipeline, whatever its state was. It requires the Developer role.
//
//	POST /projects/:id/pipelines/:pipeline_id/cancel
func (s *PipelinesService) Cancel(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/pipelines/:pipeline_id/cancel", project, pipelineID), nil, opts)
}

// Delete deletes a pipeline with its jobs, their logs and artifacts, but not
// its child pipelines. It requires the Owner role. [ErrConflict] means that the
// service is recalculating the size of artifacts: try again later.
//
//	DELETE /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Delete(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts)
}

// ListVariables returns the variables that a pipeline was started with. The
// service does not divide them into pages, and ignores the options.
//
//	GET /projects/:id/pipelines/:pipeline_id/variables
func (s *PipelinesService) ListVariables(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListOptions, opts ...RequestOption,
) ([]*PipelineVariable, *Response, error) {
	return list[*PipelineVariable](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/variables", project, pipelineID),
		queryOf(options), opts)
}

// AllVariables returns the variables that a pipeline was started with.
//
//	GET /projects/:id/pipelines/:pipeline_id/variables
func (s *PipelinesService) AllVariables(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PipelineVariable, error] {
	return all[*PipelineVariable](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/variables", project, pipelineID),
		queryOf(options), opts)
}

// TestReport returns what the tests of a pipeline's jobs reported. It is empty
// if no job has a report.
//
//	GET /projects/:id/pipelines/:pipeline_id/test_report
func (s *PipelinesService) TestReport(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*TestReport, *Response, error) {
	return do[TestReport](ctx, using(s), http.MethodGet,
		Route("/projects/:id/pipelines/:pipeline_id/test_report", project, pipelineID), nil, opts)
}

// TestReportSummary returns the counts of a pipeline's test report, without the tests. They
// are zero if no job has a report.
//
//	GET /projects/:id/pipelines/:pipeline_id/test_report_summary
func (s *PipelinesService) TestReportSummary(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*TestReportSummary, *Response, error) {
	return do[TestReportSummary](ctx, using(s), http.MethodGet,
		Route("/projects/:id/pipelines/:pipeline_id/test_report_summary", project, pipelineID), nil, opts)
}

// Wait polls a pipeline, at growing intervals, until it will not continue by
// itself, and returns it. This is the case if it has succeeded, failed, been
// canceled or skipped, and also if it is manual, because then it waits for a
// user to start a job. Check the pipeline's status: a failed pipeline is not an
// error of this call. On error, Wait also returns the pipeline as last seen, or
// nil.
//
//	GET /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Wait(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, error) {
	return wait(ctx, using(s), "pipeline "+strconv.FormatInt(pipelineID, 10),
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts,
		func(p *PipelineDetails) (string, bool) {
			return string(p.Status), p.Status.Finished() || p.Status == PipelineStatusManual
		})
}

// UpdateMetadata names a pipeline and returns it. [ListPipelinesOptions.Name] finds it by this
// name. It requires the Developer role. [ErrBadRequest] means that the name is longer than 255
// characters, or blank. Since 16.6.
//
//	PUT /projects/:id/pipelines/:pipeline_id/metadata
func (s *PipelinesService) UpdateMetadata(
	ctx context.Context, project ProjectRef, pipelineID int64, options UpdatePipelineMetadataOptions,
	opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodPut,
		Route("/projects/:id/pipelines/:pipeline_id/metadata", project, pipelineID), jsonOf(options), opts)
}

// ListPipelinesOptions selects pipelines. Empty fields do not filter.
type ListPipelinesOptions struct {
	ListOptions
	// Scope selects pipelines by a group of states, or by their kind of ref.
	Scope PipelineScope `url:"scope,omitempty"`
	// Status selects the pipelines in this state.
	Status PipelineStatus `url:"status,omitempty"`
	// Ref selects the pipelines of this branch or tag.
	Ref string `url:"ref,omitempty"`
	// SHA selects the pipelines for the commit with this full hash.
	SHA string `url:"sha,omitempty"`
	// Username selects the pipelines that this user started.
	Username string `url:"username,omitempty"`
	// Source selects the pipelines with this source. Without it, child pipelines
	// are not listed.
	Source PipelineSource `url:"source,omitempty"`
	// YAMLErrors selects the pipelines with an invalid configuration, or those
	// without.
	YAMLErrors *bool `url:"yaml_errors,omitempty"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// CreatedAfter and CreatedBefore limit the time of creation. Since about 17.0.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Name selects the pipelines with this name. Since 16.9.
	Name string `url:"name,omitempty"`
	// OrderBy is PipelineOrderByID if it is empty.
	OrderBy PipelineOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
}

// PipelineScope is a filter for pipelines.
type PipelineScope string

// Scopes of pipelines. The first three are groups of states; the last two
// select the latest pipeline of each branch or tag.
const (
	PipelineScopeRunning  PipelineScope = "running"
	PipelineScopePending  PipelineScope = "pending"
	PipelineScopeFinished PipelineScope = "finished"
	PipelineScopeBranches PipelineScope = "branches"
	PipelineScopeTags     PipelineScope = "tags"
)

// PipelineOrderBy is the order of a list of pipelines.
type PipelineOrderBy string

// Orders of pipelines. PipelineOrderByID is the default.
const (
	PipelineOrderByID        PipelineOrderBy = "id"
	PipelineOrderByStatus    PipelineOrderBy = "status"
	PipelineOrderByRef       PipelineOrderBy = "ref"
	PipelineOrderByUpdatedAt PipelineOrderBy = "updated_at"
	PipelineOrderByUserID    PipelineOrderBy = "user_id"
)

// LatestPipelineOptions selects the ref whose latest pipeline is returned.
type LatestPipelineOptions struct {
	// Ref is a branch or a tag. Empty means the default branch.
	Ref string `url:"ref,omitempty"`
}

// CreatePipelineOptions describes a pipeline to start. Ref is required.
type CreatePipelineOptions struct {
	// Ref is a branch or a tag.
	Ref string `json:"ref" required:"true"`
	// Variables are passed to the jobs, in addition to those of the project.
	Variables []PipelineVariable `json:"variables,omitzero"`
	// Inputs are the values of the configuration's inputs by name: strings,
	// numbers, booleans or slices. Since 17.10.
	Inputs map[string]any `json:"inputs,omitzero"`
}

func (CreatePipelineOptions) holdsValues() {}

// PipelineStatus is the state of a pipeline.
type PipelineStatus string

// States of a pipeline. The service may send others.
const (
	PipelineStatusCreated PipelineStatus = "created"
	// PipelineStatusWaitingForResource means that the pipeline waits for a resource that
	// another pipeline holds.
	PipelineStatusWaitingForResource PipelineStatus = "waiting_for_resource"
	PipelineStatusPreparing          PipelineStatus = "preparing"
	PipelineStatusPending            PipelineStatus = "pending"
	PipelineStatusRunning            PipelineStatus = "running"
	PipelineStatusSuccess            PipelineStatus = "success"
	PipelineStatusFailed             PipelineStatus = "failed"
	PipelineStatusCanceled           PipelineStatus = "canceled"
	PipelineStatusSkipped            PipelineStatus = "skipped"
	// PipelineStatusManual means that the pipeline waits for a user to start a job.
	PipelineStatusManual PipelineStatus = "manual"
	// PipelineStatusScheduled means that the pipeline waits for the time of a delayed job.
	PipelineStatusScheduled PipelineStatus = "scheduled"
	// PipelineStatusCanceling is sent by later releases while jobs are being
	// canceled.
	PipelineStatusCanceling PipelineStatus = "canceling"
	// PipelineStatusWaitingForCallback is sent by later releases.
	PipelineStatusWaitingForCallback PipelineStatus = "waiting_for_callback"
)

// Finished reports whether this is a final state, which a pipeline leaves only
// if a user retries it or starts one of its jobs. A pipeline whose next jobs are manual has not
// finished, although [PipelinesService.Wait] returns it.
func (s PipelineStatus) Finished() bool {
	switch s {
	case PipelineStatusSuccess, PipelineStatusFailed, PipelineStatusCanceled, PipelineStatusSkipped:
		return true
	}
	return false
}

// PipelineSource says what started a pipeline.
type PipelineSource string

// Sources of pipelines. The service may send others.
const (
	PipelineSourcePush     PipelineSource = "push"
	PipelineSourceWeb      PipelineSource = "web"
	PipelineSourceTrigger  PipelineSource = "trigger"
	PipelineSourceSchedule PipelineSource = "schedule"
	PipelineSourceAPI      PipelineSource = "api"
	// PipelineSourceExternal means that the pipeline consists of statuses that were set
	// with [CommitsService.SetStatus].
	PipelineSourceExternal PipelineSource = "external"
	// PipelineSourcePipeline means that a pipeline of another project started this one.
	PipelineSourcePipeline                 PipelineSource = "pipeline"
	PipelineSourceChat                     PipelineSource = "chat"
	PipelineSourceWebIDE                   PipelineSource = "webide"
	PipelineSourceMergeRequestEvent        PipelineSource = "merge_request_event"
	PipelineSourceExternalPullRequestEvent PipelineSource = "external_pull_request_event"
	// PipelineSourceParentPipeline means that the pipeline is a child pipeline. Lists
	// include child pipelines only if they filter by this source. Since 17.0.
	PipelineSourceParentPipeline PipelineSource = "parent_pipeline"
)

// Pipeline is a run of the jobs that a repository's configuration defines, as lists return
// it. Get and other calls for one pipeline return [PipelineDetails], and other objects have
// a [PipelineSummary].
type Pipeline struct {
	ID int64 `json:"id"`
	// IID is the number of the pipeline in its project. All methods identify the
	// pipeline by ID.
	IID       int64          `json:"iid"`
	ProjectID int64          `json:"project_id"`
	Status    PipelineStatus `json:"status"`
	Source    PipelineSource `json:"source"`
	// Ref is the branch or tag that the pipeline ran for.
	Ref string `json:"ref"`
	// SHA is the full hash of the commit.
	SHA       string    `json:"sha"`
	WebURL    string    `json:"web_url"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Name is empty if the configuration does not name the pipeline. Since 16.3.
	Name string `json:"name"`
}

// PipelineDetails has a [Pipeline] in it, and all of its details.
type PipelineDetails struct {
	Pipeline

	// BeforeSHA is the full hash of the commit that the branch was at before the push. It
	// is all zeros if it is unknown.
	BeforeSHA string `json:"before_sha"`
	// Tag reports whether Ref is a tag.
	Tag bool `json:"tag"`
	// YAMLErrors says what is wrong with the configuration, empty if it is valid.
	YAMLErrors string `json:"yaml_errors"`
	// User is the user who started the pipeline, nil if the account no longer
	// exists.
	User *UserSummary `json:"user"`
	// StartedAt is nil until the pipeline starts.
	StartedAt *time.Time `json:"started_at"`
	// FinishedAt is nil until the pipeline finishes.
	FinishedAt *time.Time `json:"finished_at"`
	// CommittedAt is nil if the service does not say.
	CommittedAt *time.Time `json:"committed_at"`
	// Duration is the running time in seconds, nil until the pipeline has run.
	Duration *int64 `json:"duration"`
	// QueuedDuration is the time in the queue in whole seconds, nil before the start and if
	// it is less than one.
	QueuedDuration *float64 `json:"queued_duration"`
	// Coverage is nil if no job measured it.
	Coverage *Coverage `json:"coverage"`
	// DetailedStatus describes how the web application shows the status. It is nil
	// only if the service does not send it.
	DetailedStatus *DetailedStatus `json:"detailed_status"`
	// Archived reports whether the pipeline is too old to be run again. Since 18.5.
	Archived bool `json:"archived"`
}

// Coverage is the percentage of the code that the tests covered. The service sends the
// coverage of a pipeline as a string, so Coverage is encoded as a string. A number can be
// decoded, too.
type Coverage float64

// MarshalJSON encodes the number as a string.
func (c Coverage) MarshalJSON() ([]byte, error) {
	return []byte(strconv.Quote(strconv.FormatFloat(float64(c), 'f', -1, 64))), nil
}

// UnmarshalJSON decodes a number or a string that contains one.
func (c *Coverage) UnmarshalJSON(data []byte) error {
	digits := string(data)
	if digits == "null" {
		return nil
	}
	if strings.HasPrefix(digits, `"`) {
		unquoted, err := jsontext.AppendUnquote(nil, digits)
		if err != nil {
			return err
		}
		digits = string(unquoted)
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text.Excerpt(digits, 40))
	}
	*c = Coverage(f)
	return nil
}

// DetailedStatus describes how the web application shows a status.
type DetailedStatus struct {
	// Icon is the name of an icon.
	Icon    string `json:"icon"`
	Text    string `json:"text"`
	Label   string `json:"label"`
	Group   string `json:"group"`
	Tooltip string `json:"tooltip"`
	// HasDetails reports whether the caller may see the page at DetailsPath.
	HasDetails bool `json:"has_details"`
	// DetailsPath is relative to the base URL. It is empty if there is no page.
	DetailsPath string `json:"details_path"`
	// Illustration is an undocumented object or null, as the service sent it. It is
	// nil if the service did not send it.
	Illustration json.RawMessage `json:"illustration,omitzero"`
	// Favicon is a path relative to the base URL.
	Favicon string `json:"favicon"`
	// Action is what the caller can do, as the web application offers it. It is nil if there
	// is nothing to do.
	Action *StatusAction `json:"action,omitzero"`
}

// StatusAction is what the web application offers beside the status of a job, such as
// running it again.
type StatusAction struct {
	// Icon is the name of an icon.
	Icon  string `json:"icon"`
	Title string `json:"title"`
	// Path is relative to the base URL, and Method the HTTP method of the request.
	Path        string `json:"path"`
	Method      string `json:"method"`
	ButtonTitle string `json:"button_title"`
	// ConfirmationMessage is what the user is asked first, empty if nothing is asked.
	ConfirmationMessage string `json:"confirmation_message"`
}

// PipelineVariable is a variable that a pipeline or a job is started with. Key is required.
type PipelineVariable struct {
	Key string `json:"key" required:"true"`
	// Value is a [Secret], because variables often contain credentials.
	Value Secret `json:"value"`
	// VariableType is VariableTypeEnv if it is empty in a request.
	VariableType VariableType `json:"variable_type,omitzero"`
	// Raw reports whether references to other variables in the value are left unexpanded.
	// Requests cannot set it. Since 15.7.
	Raw bool `json:"raw,omitzero"`
}

// TestReport is what the tests of a pipeline's jobs reported.
type TestReport struct {
	// TotalTime is in seconds.
	TotalTime    float64 `json:"total_time"`
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	// ErrorCount is the number of tests that ended with an error rather than a
	// failure.
	ErrorCount int          `json:"error_count"`
	TestSuites []*TestSuite `json:"test_suites"`
}

// TestReportSummary is the summary of a test report.
type TestReportSummary struct {
	// Total is nil only if the service does not send it.
	Total *TestReportTotal `json:"total"`
	// TestSuites have no TestCases.
	TestSuites []*TestSuite `json:"test_suites"`
}

// TestReportTotal counts the tests of all jobs.
type TestReportTotal struct {
	// Time is in seconds.
	Time    float64 `json:"time"`
	Count   int     `json:"count"`
	Success int     `json:"success"`
	Failed  int     `json:"failed"`
	Skipped int     `json:"skipped"`
	Error   int     `json:"error"`
	// SuiteError says why a report could not be read, empty if all could be read.
	SuiteError string `json:"suite_error"`
}

// TestSuite is what the tests of one job reported.
type TestSuite struct {
	// Name is the name of the job.
	Name string `json:"name"`
	// TotalTime is in seconds.
	TotalTime    float64 `json:"total_time"`
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	ErrorCount   int     `json:"error_count"`
	// SuiteError says why the report of the job could not be read, empty if it
	// could be read.
	SuiteError string      `json:"suite_error"`
	TestCases  []*TestCase `json:"test_cases"`
	// BuildIDs are the IDs of the job's runs. Only summaries have them.
	BuildIDs []int64 `json:"build_ids"`
}

// TestCaseStatus is the outcome of a test.
type TestCaseStatus string

// Outcomes of a test. The service may send others.
const (
	TestCaseStatusSuccess TestCaseStatus = "success"
	TestCaseStatusFailed  TestCaseStatus = "failed"
	TestCaseStatusSkipped TestCaseStatus = "skipped"
	TestCaseStatusError   TestCaseStatus = "error"
)

// TestCase is one test.
type TestCase struct {
	Status    TestCaseStatus `json:"status"`
	Name      string         `json:"name"`
	Classname string         `json:"classname"`
	// ExecutionTime is in seconds.
	ExecutionTime float64 `json:"execution_time"`
	// SystemOutput is a JSON string, an object or null: what the test wrote, or
	// why it failed. It is nil if the service did not send it. [TestCase.Output]
	// returns it as a Go string.
	SystemOutput json.RawMessage `json:"system_output,omitzero"`
	// StackTrace, File and AttachmentURL are empty if the report has none.
	StackTrace    string `json:"stack_trace"`
	File          string `json:"file"`
	AttachmentURL string `json:"attachment_url"`
	// RecentFailures is nil if the service does not know.
	RecentFailures *RecentFailures `json:"recent_failures"`
}

// Output returns what the test wrote, or why it failed. It returns the JSON if
// the service sent an object, and "" if it sent null.
func (c *TestCase) Output() string {
	data := bytes.TrimSpace(c.SystemOutput)
	switch {
	case jsonx.IsNull(data):
		return ""
	case len(data) > 0 && data[0] == '"':
		return jsonx.Text(jsontext.Value(data))
	}
	return string(data)
}

// RecentFailures says how often a test has failed recently.
type RecentFailures struct {
	// Count is the number of recent failures of the test on BaseBranch.
	Count      int    `json:"count"`
	BaseBranch string `json:"base_branch"`
}

// PipelineSummary is the short form of a pipeline in other objects. Some
// objects leave out IID, ProjectID, Source, CreatedAt, UpdatedAt and WebURL,
// which are then 0, empty or nil.
type PipelineSummary struct {
	ID int64 `json:"id"`
	// IID is the number of the pipeline in its project.
	IID       int64 `json:"iid"`
	ProjectID int64 `json:"project_id"`
	// Source is what started the pipeline.
	Source PipelineSource `json:"source"`
	Ref    string         `json:"ref"`
	SHA    string         `json:"sha"`
	Status PipelineStatus `json:"status"`
	// CreatedAt is nil in objects that leave it out.
	CreatedAt *time.Time `json:"created_at"`
	// UpdatedAt is nil in objects that leave it out.
	UpdatedAt *time.Time `json:"updated_at"`
	WebURL    string     `json:"web_url"`
	// Name is set only in schedules. Since 16.3.
	Name string `json:"name"`
}

// UpdatePipelineMetadataOptions is the new name of a pipeline.
type UpdatePipelineMetadataOptions struct {
	// Name is required: a name can be replaced, but not removed. It has up to 255 characters;
	// the service cuts blanks around it.
	Name string `json:"name" required:"true"`
}
