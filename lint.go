package serviceapi

import (
	"context"
	"encoding/json"
	"net/http"
)

// LintService checks CI/CD configurations.
//
// An invalid configuration is not an error of these calls: check [LintResult.Valid].
//
// Its options are [GlobalLintOptions], [LintOptions] and [LintStoredOptions]. See the
// example LintCheck in starting_test.go of [example.com/serviceapi/examples/recipes].
type LintService service

const lintPath = "/projects/:id/ci/lint"

// CheckStored checks the configuration in the repository of a project. The call returns
// [ErrNotFound] if the repository is empty or does not have the commit.
//
//	GET /projects/:id/ci/lint
func (s *LintService) CheckStored(
	ctx context.Context, project ProjectRef, options *LintStoredOptions, opts ...RequestOption,
) (*LintResult, *Response, error) {
	return do[LintResult](ctx, using(s), http.MethodGet, Route(lintPath, project), queryOf(options), opts)
}

// Check checks a configuration as if it were the project's own. It requires the Developer
// role.
//
//	POST /projects/:id/ci/lint
func (s *LintService) Check(
	ctx context.Context, project ProjectRef, options LintOptions, opts ...RequestOption,
) (*LintResult, *Response, error) {
	return do[LintResult](ctx, using(s), http.MethodPost, Route(lintPath, project), jsonOf(options), opts)
}

// CheckGlobal checks a configuration without a project. Removed in 16.0: see
// [LintService.Check].
//
//	POST /ci/lint
func (s *LintService) CheckGlobal(
	ctx context.Context, options GlobalLintOptions, opts ...RequestOption,
) (*GlobalLintResult, *Response, error) {
	return do[GlobalLintResult](ctx, using(s), http.MethodPost, Route("/ci/lint"), jsonOf(options), opts)
}

// LintResult is the result of checking a configuration.
type LintResult struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	// MergedYAML is the configuration together with all that it includes and extends. It
	// is empty if the configuration cannot be read.
	MergedYAML string `json:"merged_yaml"`
	// Includes are the files that the configuration includes. Since about 15.0.
	Includes []*LintInclude `json:"includes"`
	// Jobs are set only with IncludeJobs.
	Jobs []*LintJob `json:"jobs"`
}

// GlobalLintResult is the result of checking a configuration without a project.
type GlobalLintResult struct {
	Status   LintStatus `json:"status"`
	Errors   []string   `json:"errors"`
	Warnings []string   `json:"warnings"`
	// MergedYAML is set only with IncludeMergedYAML.
	MergedYAML string `json:"merged_yaml"`
	// Jobs are set only with IncludeJobs.
	Jobs []*LintJob `json:"jobs"`
}

// LintStatus says whether a configuration is valid.
type LintStatus string

// States of a configuration.
const (
	LintStatusValid   LintStatus = "valid"
	LintStatusInvalid LintStatus = "invalid"
)

// LintInclude is a file that a configuration includes.
type LintInclude struct {
	Type LintIncludeType `json:"type"`
	// Location is a path or a URL, as it is written in the configuration.
	Location string `json:"location"`
	// Blob and Raw are the addresses of the file in the web application, if it has one.
	Blob string `json:"blob"`
	Raw  string `json:"raw"`
	// Extra is an object with the details of some types, such as the project of a file. It
	// is nil if the service did not send it.
	Extra json.RawMessage `json:"extra,omitzero"`
	// ContextProject is the path of the project whose configuration includes the file, and
	// ContextSHA the hash of its commit.
	ContextProject string `json:"context_project"`
	ContextSHA     string `json:"context_sha"`
}

// LintIncludeType says where an included file is.
type LintIncludeType string

// Places of included files: in the same repository, in the repository of another project,
// at a URL, in the instance itself, or in a catalog.
const (
	LintIncludeTypeLocal     LintIncludeType = "local"
	LintIncludeTypeFile      LintIncludeType = "file"
	LintIncludeTypeRemote    LintIncludeType = "remote"
	LintIncludeTypeTemplate  LintIncludeType = "template"
	LintIncludeTypeComponent LintIncludeType = "component"
)

// LintJob is a job of a configuration, including what it inherits from the defaults.
type LintJob struct {
	Name         string   `json:"name"`
	Stage        string   `json:"stage"`
	BeforeScript []string `json:"before_script"`
	Script       []string `json:"script"`
	AfterScript  []string `json:"after_script"`
	// TagList are the tags that a runner must have.
	TagList []string `json:"tag_list"`
	// Environment is empty if the job deploys nothing.
	Environment  string      `json:"environment"`
	When         LintJobWhen `json:"when"`
	AllowFailure bool        `json:"allow_failure"`
	// Only and Except are objects, such as {"refs":["main"]}, or null. They are nil if the
	// service did not send them.
	Only   json.RawMessage `json:"only,omitzero"`
	Except json.RawMessage `json:"except,omitzero"`
	// Needs is an array of the jobs that the job waits for. Only later releases send it.
	Needs json.RawMessage `json:"needs,omitzero"`
}

// LintJobWhen says when a job runs. The constants are the values of the keyword when in
// a configuration; the API does not list those that it sends.
type LintJobWhen string

// When a job runs: if all earlier jobs have succeeded, if one has failed, in any case, if
// somebody starts it, after a delay, or never.
const (
	LintJobWhenOnSuccess LintJobWhen = "on_success"
	LintJobWhenOnFailure LintJobWhen = "on_failure"
	LintJobWhenAlways    LintJobWhen = "always"
	LintJobWhenManual    LintJobWhen = "manual"
	LintJobWhenDelayed   LintJobWhen = "delayed"
	LintJobWhenNever     LintJobWhen = "never"
)

// LintStoredOptions says which configuration to check, and how. The service refuses
// ContentRef together with SHA, and DryRunRef together with Ref.
type LintStoredOptions struct {
	// ContentRef is the commit, branch or tag to read the configuration from. The default
	// is the head of the default branch. Since about 16.6.
	ContentRef string `url:"content_ref,omitempty"`
	// SHA is the older, deprecated form of ContentRef. Since 16.5.
	SHA string `url:"sha,omitempty"`
	// DryRun simulates the creation of a pipeline, which finds more errors.
	DryRun bool `url:"dry_run,omitempty"`
	// DryRunRef is the branch or tag of that pipeline. The default is the default branch.
	// Since about 16.6.
	DryRunRef string `url:"dry_run_ref,omitempty"`
	// Ref is the older, deprecated form of DryRunRef.
	Ref string `url:"ref,omitempty"`
	// IncludeJobs adds the jobs to the result.
	IncludeJobs bool `url:"include_jobs,omitempty"`
}

// LintOptions describes a check of a configuration. Content may be empty:
// the result says that it is wrong.
type LintOptions struct {
	// Content is the configuration, as YAML.
	Content string `json:"content"`
	// DryRun simulates the creation of a pipeline, which finds more errors.
	DryRun *bool `json:"dry_run,omitzero"`
	// IncludeJobs adds the jobs to the result.
	IncludeJobs *bool `json:"include_jobs,omitzero"`
	// Ref is the branch or tag of the pipeline that DryRun simulates. The default is the
	// default branch.
	Ref *string `json:"ref,omitzero"`
}

// GlobalLintOptions describes a check of a configuration without a project. Content
// may be empty: the result says that it is wrong.
type GlobalLintOptions struct {
	// Content is the configuration, as YAML.
	Content string `json:"content"`
	// IncludeMergedYAML adds the merged configuration to the result.
	IncludeMergedYAML *bool `json:"include_merged_yaml,omitzero"`
	// IncludeJobs adds the jobs to the result.
	IncludeJobs *bool `json:"include_jobs,omitzero"`
}
