package wiretests

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRequiredFieldsAreRefusedByName leaves one required field empty in calls of every kind: a
// body in JSON, in a form and with a file, a query, a path, and structs within options.
func TestRequiredFieldsAreRefusedByName(t *testing.T) {
	client, ctx, app := onWire(t), t.Context(), serviceapi.ProjectPath("acme/app")
	issue, mergeRequest := app.Issue(7), app.MergeRequest(7)
	name, secret := "x", serviceapi.NewSecret("x")
	file := serviceapi.Upload{Filename: "x", Content: strings.NewReader("x")}
	place := &serviceapi.DiffPosition{BaseSHA: "a", StartSHA: "b", PositionType: serviceapi.PositionTypeText}
	ends := &serviceapi.DiffLineRange{
		Start: &serviceapi.DiffLineRangeEnd{LineCode: "a", Type: serviceapi.LineTypeNew},
		End:   &serviceapi.DiffLineRangeEnd{},
	}
	onRange := &serviceapi.DiffPosition{
		BaseSHA:      "a",
		StartSHA:     "b",
		HeadSHA:      "c",
		PositionType: serviceapi.PositionTypeText,
		LineRange:    ends,
	}
	for want, err := range map[string]error{
		"Title": errorOf(client.Issues.Create(ctx, app, serviceapi.CreateIssueOptions{Description: &name})),
		"Body":  errorOf(client.Notes.CreateForIssue(ctx, issue, serviceapi.CreateIssueNoteOptions{})),
		"SourceBranch": errorOf(client.MergeRequests.Create(ctx, app,
			serviceapi.CreateMergeRequestOptions{Title: name})),
		"CommitMessage": errorOf(client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{Branch: name})),
		"Actions": errorOf(client.Commits.Create(ctx, app,
			serviceapi.CreateCommitOptions{Branch: name, CommitMessage: name, Actions: []serviceapi.CommitAction{}})),
		"Actions[1].FilePath": errorOf(client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
			Branch: name, CommitMessage: name,
			Actions: []serviceapi.CommitAction{serviceapi.DeleteFileAction("a"), serviceapi.DeleteFileAction("")},
		})),
		"TagName": errorOf(client.Releases.Create(ctx, app, serviceapi.CreateReleaseOptions{Ref: &name})),
		"Assets.Links[0].URL": errorOf(client.Releases.Create(ctx, app, serviceapi.CreateReleaseOptions{
			TagName: name,
			Assets:  &serviceapi.CreateReleaseAssets{Links: []serviceapi.CreateReleaseLinkOptions{{Name: name}}},
		})),
		"Key": errorOf(client.Variables.Create(ctx, app, serviceapi.CreateVariableOptions{Value: secret})),
		"Username": errorOf(client.Users.Create(ctx,
			serviceapi.CreateUserOptions{Email: name, Name: name, Avatar: &file})),
		"Status": errorOf(client.Deployments.Create(ctx, app,
			serviceapi.CreateDeploymentOptions{Environment: name, SHA: name, Ref: name})),
		"URL":   errorOf(client.ProjectImport.FromURL(ctx, serviceapi.ImportFromURLOptions{Path: name})),
		"Token": errorOf(client.Runners.Register(ctx, serviceapi.RegisterRunnerOptions{})),
		"Name":  errorOf(client.SecureFiles.Create(ctx, app, serviceapi.CreateSecureFileOptions{File: file})),
		"File":  errorOf(client.Uploads.Create(ctx, app, serviceapi.CreateUploadOptions{})),
		"Path":  errorOf(client.ProjectImport.FromFile(ctx, serviceapi.ImportFromFileOptions{File: file})),
		"Position.HeadSHA": errorOf(client.DraftNotes.Create(ctx, mergeRequest,
			serviceapi.CreateDraftNoteOptions{Note: name, Position: place})),
		"Position.LineRange.End.LineCode": errorOf(client.Discussions.Create(ctx, mergeRequest,
			serviceapi.CreateDiscussionOptions{Body: name, Position: onRange})),
		"Variables[0].Key": errorOf(client.Pipelines.Create(ctx, app,
			serviceapi.CreatePipelineOptions{Ref: name, Variables: []serviceapi.PipelineVariable{{Value: secret}}})),
		"Upload.URL": second(client.ProjectExport.Schedule(ctx, app,
			serviceapi.ScheduleExportOptions{Upload: &serviceapi.ExportUpload{}})),
		"Range.Start": errorOf(client.RepositoryFiles.ListBlame(ctx, app, "a",
			&serviceapi.ListBlameOptions{Ref: name, Range: &serviceapi.LineRange{}})),
		"To":     errorOf(client.Repository.Compare(ctx, app, &serviceapi.CompareOptions{From: name})),
		"Search": errorOf(client.Search.ListProjects(ctx, serviceapi.Instance, nil)),
		"Ref": errorOf(client.JobArtifacts.DownloadLatest(ctx, app,
			&serviceapi.DownloadLatestArtifactsOptions{Job: name})),
		"Branch": second(client.Commits.RevertDryRun(ctx, app, "a", serviceapi.RevertOptions{})),
		"Files":  errorOf(client.Snippets.Create(ctx, app, serviceapi.CreateSnippetOptions{Title: name})),
		"Query":  second(client.GraphQL.Query(ctx, serviceapi.GraphQLRequest{}, nil)),
		"Emails": errorOf(client.SCIM.Create(ctx, serviceapi.GroupPath("acme"),
			serviceapi.CreateSCIMUserOptions{UserName: name})),
		"Namespace": errorOf(client.Projects.Transfer(ctx, app, serviceapi.TransferProjectOptions{})),
	} {
		assertRefused(t, want, err)
	}
	_, err := client.ProjectExport.ScheduleAndWait(
		ctx,
		app,
		serviceapi.ScheduleExportOptions{Upload: &serviceapi.ExportUpload{}},
	)
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
	ctx, app := t.Context(), serviceapi.ProjectID(4)
	for _, err := range []error{
		errorOf(client.Variables.Create(ctx, app, serviceapi.CreateVariableOptions{Key: "K"})),
		errorOf(client.RepositoryFiles.Create(ctx, app, "a",
			serviceapi.CreateRepositoryFileOptions{Branch: "main", CommitMessage: "m"})),
		errorOf(client.RepositoryFiles.Update(ctx, app, "a",
			serviceapi.UpdateRepositoryFileOptions{Branch: "main", CommitMessage: "m", Content: []byte{}})),
		second(client.Hooks.SetCustomHeader(ctx, app, 1, "X", serviceapi.SetHookCustomHeaderOptions{})),
		errorOf(client.Lint.Check(ctx, app, serviceapi.LintOptions{})),
		second(client.JobTokenScope.Update(ctx, app, serviceapi.UpdateJobTokenScopeOptions{})),
		errorOf(client.Approvals.CreateRule(ctx, app, serviceapi.CreateApprovalRuleOptions{Name: "n"})),
		errorOf(client.Issues.Create(ctx, app,
			serviceapi.CreateIssueOptions{MergeRequestToResolveDiscussionsOf: new(int64(7))})),
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
	ctx, path := t.Context(), serviceapi.Route("/projects/:id/issues", serviceapi.ProjectID(4))
	_, err := client.Do(ctx, "POST", path, serviceapi.MoveIssueOptions{}, nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, &serviceapi.MoveIssueOptions{}, nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, (*serviceapi.MoveIssueOptions)(nil), nil)
	assertRefused(t, "ToProjectID", err)
	_, err = client.Do(ctx, "POST", path, (*serviceapi.UpdateDiscussionNoteOptions)(nil), nil)
	assertRefused(t, "options", err)
	_, err = client.Do(ctx, "POST", path, struct {
		Title string `json:"title" required:"true"`
		Extra int    `json:"extra"`
	}{Extra: 1}, nil)
	require.NoError(t, err, "a tag of the caller's is not ours")
	_, err = client.Do(
		ctx,
		"POST",
		serviceapi.Route("/projects/:id/labels", serviceapi.ProjectID(4)),
		json.RawMessage("null"),
		nil,
	)
	require.NoError(t, err)
}
