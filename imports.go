package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// FromGitHub starts the import of a repository of GitHub, with its issues and pull requests, as a
// project. The service performs it later: [ProjectImportService.Wait] waits for the project with the
// ID of the result. The caller needs the Maintainer role in the namespace. The call returns
// [ErrForbidden] if the instance does not import from there, and [ErrUnprocessable] if GitHub refuses
// the token, or if there is no such namespace. At most six calls a minute.
//
//	POST /import/github
func (s *ProjectImportService) FromGitHub(
	ctx context.Context, options ImportFromGitHubOptions, opts ...RequestOption,
) (*ImportedProject, *Response, error) {
	return do[ImportedProject](ctx, using(s), http.MethodPost, Route("/import/github"), jsonOf(options), opts)
}

// CancelFromGitHub cancels an import of FromGitHub. The call returns [ErrBadRequest] if it has
// finished, and [ErrForbidden] below the Owner role.
//
//	POST /import/github/cancel
func (s *ProjectImportService) CancelFromGitHub(
	ctx context.Context, options CancelFromGitHubOptions, opts ...RequestOption,
) (*ImportedProject, *Response, error) {
	return do[ImportedProject](ctx, using(s), http.MethodPost, Route("/import/github/cancel"), jsonOf(options), opts)
}

// GistsFromGitHub starts the import of the gists of a user of GitHub as snippets of the caller (202).
// The call returns [ErrUnprocessable] while one is in progress, and [ErrUnauthorized] if GitHub
// refuses the token. Since 15.8.
//
//	POST /import/github/gists
func (s *ProjectImportService) GistsFromGitHub(
	ctx context.Context, options ImportGistsOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/import/github/gists").forbiddenBy401(), jsonOf(options), opts)
}

// FromBitbucket starts the import of a repository of Bitbucket Cloud. It is like
// [ProjectImportService.FromGitHub]. Since 17.0.
//
//	POST /import/bitbucket
func (s *ProjectImportService) FromBitbucket(
	ctx context.Context, options ImportFromBitbucketOptions, opts ...RequestOption,
) (*ImportedProject, *Response, error) {
	return do[ImportedProject](ctx, using(s), http.MethodPost,
		Route("/import/bitbucket").forbiddenBy401(), jsonOf(options), opts)
}

// FromBitbucketServer starts the import of a repository of a Bitbucket Server. It is like
// [ProjectImportService.FromGitHub].
//
//	POST /import/bitbucket_server
func (s *ProjectImportService) FromBitbucketServer(
	ctx context.Context, options ImportFromBitbucketServerOptions, opts ...RequestOption,
) (*ImportedProject, *Response, error) {
	return do[ImportedProject](ctx, using(s), http.MethodPost,
		Route("/import/bitbucket_server").forbiddenBy401(), jsonOf(options), opts)
}

// ImportFromGitHubOptions describes an import from GitHub.
type ImportFromGitHubOptions struct {
	// PersonalAccessToken is a token of GitHub. It is required.
	PersonalAccessToken Secret `json:"personal_access_token" required:"true"`
	// RepoID is the ID of the repository at GitHub. It is required.
	RepoID int64 `json:"repo_id" required:"true"`
	// TargetNamespace is the full path of the group or the user to import into. It is required.
	TargetNamespace string `json:"target_namespace" required:"true"`
	// NewName is the name of the project. Nil means that of the repository.
	NewName *string `json:"new_name,omitzero"`
	// GitHubHostname is the address of a server of GitHub. Nil means the hosted one.
	GitHubHostname *string `json:"github_hostname,omitzero"`
	// OptionalStages are parts that take long. Nil means none.
	OptionalStages *GitHubImportStages `json:"optional_stages,omitzero"`
	// TimeoutStrategy says what happens after the time limit. Nil means
	// [ImportTimeoutStrategyPessimistic]. Since 16.5.
	TimeoutStrategy *ImportTimeoutStrategy `json:"timeout_strategy,omitzero"`
	// PaginationLimit is how many objects to ask for at once, 1 to 100. In newer releases.
	PaginationLimit *int `json:"pagination_limit,omitzero"`
}

// GitHubImportStages are optional parts of an import from GitHub. Nil means false.
type GitHubImportStages struct {
	// SingleEndpointNotesImport reads comments one issue at a time, which finds all of them.
	SingleEndpointNotesImport *bool `json:"single_endpoint_notes_import,omitzero"`
	// AttachmentsImport also imports the files in texts, and CollaboratorsImport the members.
	AttachmentsImport   *bool `json:"attachments_import,omitzero"`
	CollaboratorsImport *bool `json:"collaborators_import,omitzero"`
}

// ImportTimeoutStrategy says what happens to an import that takes too long.
type ImportTimeoutStrategy string

// Strategies. With ImportTimeoutStrategyPessimistic, the import fails. With
// ImportTimeoutStrategyOptimistic, it goes on with the next part.
const (
	ImportTimeoutStrategyPessimistic ImportTimeoutStrategy = "pessimistic"
	ImportTimeoutStrategyOptimistic  ImportTimeoutStrategy = "optimistic"
)

// CancelFromGitHubOptions says which import to cancel. ProjectID is required: [ImportedProject.ID].
type CancelFromGitHubOptions struct {
	ProjectID int64 `json:"project_id" required:"true"`
}

// ImportGistsOptions says whose gists to import. PersonalAccessToken is required: a token of GitHub.
type ImportGistsOptions struct {
	PersonalAccessToken Secret `json:"personal_access_token" required:"true"`
}

// ImportFromBitbucketOptions describes an import from Bitbucket Cloud. RepoPath, TargetNamespace and
// one of the two pairs of credentials are required. The last two fields are as in [ImportFromGitHubOptions].
type ImportFromBitbucketOptions struct {
	// BitbucketEmail and BitbucketAPIToken are credentials. Since 18.9.
	BitbucketEmail    *string `json:"bitbucket_email,omitzero"`
	BitbucketAPIToken Secret  `json:"bitbucket_api_token,omitzero"`
	// BitbucketUsername and BitbucketAppPassword are credentials that Bitbucket replaces by the others.
	BitbucketUsername    *string `json:"bitbucket_username,omitzero"`
	BitbucketAppPassword Secret  `json:"bitbucket_app_password,omitzero"`
	// RepoPath is the path of the repository at Bitbucket.
	RepoPath        string  `json:"repo_path" required:"true"`
	TargetNamespace string  `json:"target_namespace" required:"true"`
	NewName         *string `json:"new_name,omitzero"`
}

func (o ImportFromBitbucketOptions) check() error {
	newer := *orZero(o.BitbucketEmail) != "" && !o.BitbucketAPIToken.IsEmpty()
	older := *orZero(o.BitbucketUsername) != "" && !o.BitbucketAppPassword.IsEmpty()
	return missing("BitbucketEmail with BitbucketAPIToken", !newer && !older)
}

// ImportFromBitbucketServerOptions describes an import from a Bitbucket Server. The first five fields
// are required. NewName and TimeoutStrategy are as in [ImportFromGitHubOptions].
type ImportFromBitbucketServerOptions struct {
	BitbucketServerURL      string `json:"bitbucket_server_url" required:"true"`
	BitbucketServerUsername string `json:"bitbucket_server_username" required:"true"`
	// PersonalAccessToken is a token or a password of the Bitbucket Server.
	PersonalAccessToken    Secret  `json:"personal_access_token" required:"true"`
	BitbucketServerProject string  `json:"bitbucket_server_project" required:"true"`
	BitbucketServerRepo    string  `json:"bitbucket_server_repo" required:"true"`
	NewName                *string `json:"new_name,omitzero"`
	// NewNamespace is the full path of the group or the user to import into. Nil means the caller's.
	NewNamespace    *string                `json:"new_namespace,omitzero"`
	TimeoutStrategy *ImportTimeoutStrategy `json:"timeout_strategy,omitzero"`
}

// ImportedProject is a project whose import has begun. Older releases send nothing after FullName.
type ImportedProject struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// FullPath begins with a slash.
	FullPath string `json:"full_path"`
	FullName string `json:"full_name"`
	RefsURL  string `json:"refs_url"`
	Forked   bool   `json:"forked"`
	// ImportSource is the path of the repository at the other product, and ProviderLink its address.
	ImportSource          string      `json:"import_source"`
	ProviderLink          string      `json:"provider_link"`
	ImportStatus          ImportState `json:"import_status"`
	HumanImportStatusName string      `json:"human_import_status_name"`
	// ImportError and ImportWarning are empty if nothing went wrong.
	ImportError   string `json:"import_error"`
	ImportWarning string `json:"import_warning"`
	RelationType  string `json:"relation_type"`
}

// ImportRelation imports one relation again into an existing project, from a file of an export of the
// whole project, which is streamed. What the project has already stays. The call returns
// [ErrConflict] while another one is in progress. It requires the Maintainer role. Since 16.11.
//
//	POST /projects/import-relation
func (s *ProjectImportService) ImportRelation(
	ctx context.Context, options ImportRelationOptions, opts ...RequestOption,
) (*RelationImport, *Response, error) {
	return do[RelationImport](ctx, using(s), http.MethodPost,
		Route("/projects/import-relation"), multipartOf(options, "file", options.File), opts)
}

// ListRelationImports returns the imports of relations into a project, all at once. It requires the
// Maintainer role. Since 16.11.
//
//	GET /projects/:id/relation-imports
func (s *ProjectImportService) ListRelationImports(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*RelationImport, *Response, error) {
	return list[*RelationImport](ctx, using(s),
		Route("/projects/:id/relation-imports", project), queryOf(options), opts)
}

// AllRelationImports returns the imports of relations into a project, as a sequence.
//
//	GET /projects/:id/relation-imports
func (s *ProjectImportService) AllRelationImports(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RelationImport, error] {
	return all[*RelationImport](ctx, using(s), Route("/projects/:id/relation-imports", project), queryOf(options), opts)
}

// ImportRelationOptions describes the import of a relation. All fields are required.
type ImportRelationOptions struct {
	// File is an archive such as [ProjectExportService.Download] returns.
	File Upload `json:"-" url:"file" required:"true"`
	// Path is the full path of the project.
	Path     string           `json:"path" required:"true"`
	Relation ImportedRelation `json:"relation" required:"true"`
}

// ImportedRelation is a relation that can be imported again.
type ImportedRelation string

// Relations that can be imported again.
const (
	ImportedRelationIssues        ImportedRelation = "issues"
	ImportedRelationMergeRequests ImportedRelation = "merge_requests"
	ImportedRelationMilestones    ImportedRelation = "milestones"
	ImportedRelationPipelines     ImportedRelation = "ci_pipelines"
)

// RelationImport is the import of a relation.
type RelationImport struct {
	ID          int64            `json:"id"`
	ProjectPath string           `json:"project_path"`
	Relation    ImportedRelation `json:"relation"`
	// Status is "created", [ImportStateStarted], [ImportStateFinished] or [ImportStateFailed].
	Status    ImportState `json:"status"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
}
