package serviceapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRequiredFieldsAreRefusedByName leaves one required field empty in calls of every kind: a
// body in JSON, in a form and with a file, a query, a path, and structs within options.
func TestRequiredFieldsAreRefusedByName(t *testing.T) {
	client, ctx, app := onWire(t), t.Context(), ProjectPath("acme/app")
	issue, mergeRequest := app.Issue(7), app.MergeRequest(7)
	name, secret := "x", NewSecret("x")
	file := Upload{Filename: "x", Content: strings.NewReader("x")}
	place := &DiffPosition{BaseSHA: "a", StartSHA: "b", PositionType: PositionTypeText}
	ends := &DiffLineRange{Start: &DiffLineRangeEnd{LineCode: "a", Type: LineTypeNew}, End: &DiffLineRangeEnd{}}
	onRange := &DiffPosition{BaseSHA: "a", StartSHA: "b", HeadSHA: "c", PositionType: PositionTypeText, LineRange: ends}
	for want, err := range map[string]error{
		"Title":         errorOf(client.Issues.Create(ctx, app, CreateIssueOptions{Description: &name})),
		"Body":          errorOf(client.Notes.CreateForIssue(ctx, issue, CreateIssueNoteOptions{})),
		"SourceBranch":  errorOf(client.MergeRequests.Create(ctx, app, CreateMergeRequestOptions{Title: name})),
		"CommitMessage": errorOf(client.Commits.Create(ctx, app, CreateCommitOptions{Branch: name})),
		"Actions": errorOf(client.Commits.Create(ctx, app,
			CreateCommitOptions{Branch: name, CommitMessage: name, Actions: []CommitAction{}})),
		"Actions[1].FilePath": errorOf(client.Commits.Create(ctx, app, CreateCommitOptions{
			Branch: name, CommitMessage: name, Actions: []CommitAction{DeleteFileAction("a"), DeleteFileAction("")},
		})),
		"TagName": errorOf(client.Releases.Create(ctx, app, CreateReleaseOptions{Ref: &name})),
		"Assets.Links[0].URL": errorOf(client.Releases.Create(ctx, app, CreateReleaseOptions{
			TagName: name, Assets: &CreateReleaseAssets{Links: []CreateReleaseLinkOptions{{Name: name}}},
		})),
		"Key":      errorOf(client.Variables.Create(ctx, app, CreateVariableOptions{Value: secret})),
		"Username": errorOf(client.Users.Create(ctx, CreateUserOptions{Email: name, Name: name, Avatar: &file})),
		"Status": errorOf(client.Deployments.Create(ctx, app,
			CreateDeploymentOptions{Environment: name, SHA: name, Ref: name})),
		"URL":   errorOf(client.ProjectImport.FromURL(ctx, ImportFromURLOptions{Path: name})),
		"Token": errorOf(client.Runners.Register(ctx, RegisterRunnerOptions{})),
		"Name":  errorOf(client.SecureFiles.Create(ctx, app, CreateSecureFileOptions{File: file})),
		"File":  errorOf(client.Uploads.Create(ctx, app, CreateUploadOptions{})),
		"Path":  errorOf(client.ProjectImport.FromFile(ctx, ImportFromFileOptions{File: file})),
		"Position.HeadSHA": errorOf(client.DraftNotes.Create(ctx, mergeRequest,
			CreateDraftNoteOptions{Note: name, Position: place})),
		"Position.LineRange.End.LineCode": errorOf(client.Discussions.Create(ctx, mergeRequest,
			CreateDiscussionOptions{Body: name, Position: onRange})),
		"Variables[0].Key": errorOf(client.Pipelines.Create(ctx, app,
			CreatePipelineOptions{Ref: name, Variables: []PipelineVariable{{Value: secret}}})),
		"Upload.URL": second(client.ProjectExport.Schedule(ctx, app, ScheduleExportOptions{Upload: &ExportUpload{}})),
		"Range.Start": errorOf(client.RepositoryFiles.ListBlame(ctx, app, "a",
			&ListBlameOptions{Ref: name, Range: &LineRange{}})),
		"To":     errorOf(client.Repository.Compare(ctx, app, &CompareOptions{From: name})),
		"Search": errorOf(client.Search.ListProjects(ctx, Instance, nil)),
		"Ref": errorOf(client.JobArtifacts.DownloadLatest(ctx, app,
			&DownloadLatestArtifactsOptions{Job: name})),
		"Branch":    second(client.Commits.RevertDryRun(ctx, app, "a", RevertOptions{})),
		"Files":     errorOf(client.Snippets.Create(ctx, app, CreateSnippetOptions{Title: name})),
		"Query":     second(client.GraphQL.Query(ctx, GraphQLRequest{}, nil)),
		"Emails":    errorOf(client.SCIM.Create(ctx, GroupPath("acme"), CreateSCIMUserOptions{UserName: name})),
		"Namespace": errorOf(client.Projects.Transfer(ctx, app, TransferProjectOptions{})),
	} {
		assertRefused(t, want, err)
	}
	_, err := client.ProjectExport.ScheduleAndWait(ctx, app, ScheduleExportOptions{Upload: &ExportUpload{}})
	assertRefused(t, "Upload.URL", err)
	assert.ErrorContains(t, err, "/projects/:id/export")
}

// TestWhatMayBeEmptyIsSent sends content, values and switches that are empty, which say
// something.
func TestWhatMayBeEmptyIsSent(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/4/variables", Status: 201, Body: `{"key":"K"}`,
			JSON: `{"key":"K","value":""}`},
		exchange{Method: "POST", Path: "/projects/4/repository/files/a", Status: 201, Body: `{"id":1}`,
			JSON: `{"branch":"main","commit_message":"m","content":""}`},
		exchange{Method: "PUT", Path: "/projects/4/repository/files/a", Body: `{"id":1}`,
			JSON: `{"branch":"main","commit_message":"m","content":""}`},
		exchange{Method: "PUT", Path: "/projects/4/hooks/1/custom_headers/X", JSON: `{"value":""}`, Status: 204},
		exchange{Method: "POST", Path: "/projects/4/ci/lint", JSON: `{"content":""}`, Body: `{"id":1}`},
		exchange{Method: "PATCH", Path: "/projects/4/job_token_scope", JSON: `{"enabled":false}`, Status: 204},
		exchange{Method: "POST", Path: "/projects/4/approval_rules", Status: 201, Body: `{"id":1}`,
			JSON: `{"name":"n","approvals_required":0}`},
		exchange{Method: "POST", Path: "/projects/4/issues", Status: 201, Body: `{"id":1}`,
			JSON: `{"merge_request_to_resolve_discussions_of":7}`},
	)
	ctx, app := t.Context(), ProjectID(4)
	for _, err := range []error{
		errorOf(client.Variables.Create(ctx, app, CreateVariableOptions{Key: "K"})),
		errorOf(client.RepositoryFiles.Create(ctx, app, "a",
			CreateRepositoryFileOptions{Branch: "main", CommitMessage: "m"})),
		errorOf(client.RepositoryFiles.Update(ctx, app, "a",
			UpdateRepositoryFileOptions{Branch: "main", CommitMessage: "m", Content: []byte{}})),
		second(client.Hooks.SetCustomHeader(ctx, app, 1, "X", SetHookCustomHeaderOptions{})),
		errorOf(client.Lint.Check(ctx, app, LintOptions{})),
		second(client.JobTokenScope.Update(ctx, app, UpdateJobTokenScopeOptions{})),
		errorOf(client.Approvals.CreateRule(ctx, app, CreateApprovalRuleOptions{Name: "n"})),
		errorOf(client.Issues.Create(ctx, app,
			CreateIssueOptions{MergeRequestToResolveDiscussionsOf: new(int64(7))})),
	} {
		require.NoError(t, err)
	}
}

// TestRequiredFieldsInGenericCalls makes calls of a path with the library's own options, which
// are checked as in its methods, and with a caller's struct, which is not.
func TestRequiredFieldsInGenericCalls(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/4/issues", JSON: `{"title":"","extra":1}`, Body: `{}`},
		exchange{Method: "POST", Path: "/projects/4/labels", JSON: `null`, Body: `{}`})
	ctx, path := t.Context(), Route("/projects/:id/issues", ProjectID(4))
	_, err := client.Do(ctx, "POST", path, MoveIssueOptions{}, nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, &MoveIssueOptions{}, nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, (*MoveIssueOptions)(nil), nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, (*UpdateDiscussionNoteOptions)(nil), nil)
	assertRefused(t, "options", err)
	_, err = client.Do(ctx, "POST", path, struct {
		Title string `json:"title" required:"true"`
		Extra int    `json:"extra"`
	}{Extra: 1}, nil)
	require.NoError(t, err, "a tag of the caller's is not ours")
	_, err = client.Do(ctx, "POST", Route("/projects/:id/labels", ProjectID(4)), json.RawMessage("null"), nil)
	require.NoError(t, err)
}
