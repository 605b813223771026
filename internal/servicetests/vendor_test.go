package servicetests

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestSessionUnderAnotherName checks a cookie with the vendor's name, and that
// the session is kept out of errors and dumps like every other secret.
func TestSessionUnderAnotherName(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"))
	ada := svc.User("ada")
	session := svc.SessionCookie(ada)
	var dumped bytes.Buffer
	client := with(t, svc, serviceapi.SessionCookieNamed("_acme_session", session),
		serviceapi.WithDump(&dumped, serviceapi.DumpOptions{}))
	user, _, err := client.Users.Current(t.Context())
	require.NoError(t, err)
	assert.Equal(t, ada.ID(), user.ID)
	assert.Contains(t, dumped.String(), "Cookie: [redacted]")
	assert.NotContains(t, dumped.String()+fmt.Sprintf("%+v", client), session)

	_, _, err = with(t, svc, serviceapi.SessionCookie(session)).Users.Current(t.Context())
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized, "the name of the specification is unknown here")
	_, _, err = with(t, servicetest.New(t), serviceapi.SessionCookieNamed("_acme_session", session)).Users.Current(
		t.Context())
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

// TestServiceUnderAnotherName makes the calls in which current deployments
// differ.
func TestServiceUnderAnotherName(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"), servicetest.WithoutJobTotals(),
		servicetest.WithTick(servicetest.ImportStartedFor))
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	head := app.Commit("main", "Begin", servicetest.Write("a.txt", "one\n"))
	pipeline := app.Pipeline("main", servicetest.By(ada))
	for range 45 {
		pipeline.Job("test")
	}
	deploy := pipeline.Job("deploy")
	app.Environment("production").Deployment(servicetest.DeployedBy(deploy))
	client, ctx, project := as(t, svc, ada), t.Context(), serviceapi.ProjectPath("acme/app")

	file, resp, err := client.RepositoryFiles.Metadata(ctx, project, "a.txt",
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, []any{int64(4), head, "a.txt"}, []any{int64(file.Size), file.CommitID, file.FilePath})
	assert.Contains(t, resp.Header.Get("X-Acme-Meta"), resp.RequestID)

	page, resp, err := client.Jobs.List(ctx, project, nil)
	require.NoError(t, err)
	assert.Len(t, page, 20)
	assert.Equal(t, 2, resp.NextPage)
	assert.False(t, resp.HasTotal())
	for name, opts := range map[string][]serviceapi.RequestOption{"one after the other": nil,
		"at once": {serviceapi.WithConcurrentPages(4)}} {
		all, err := serviceapi.Collect(client.Jobs.All(ctx, project, nil, opts...))
		require.NoError(t, err, name)
		assert.Len(t, all, 46, name)
	}

	agents, _, err := client.Jobs.AllowedAgents(ctx, serviceapi.WithCredential(serviceapi.JobToken(deploy.Token())))
	require.NoError(t, err)
	assert.Equal(t, []string{"guest", "reporter", "developer", "maintainer"}, agents.User.RolesInProject)
	assert.Equal(t, "production", agents.Environment.Slug)
	assert.Len(t, agents.Project.Groups, 1)

	issue := app.Issue("Crash", servicetest.By(ada))
	closed, resp, err := client.Notes.CreateForIssue(ctx, project.Issue(issue.IID()),
		serviceapi.CreateIssueNoteOptions{Body: "/close"})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Nil(t, closed.Note)
	assert.Equal(t, []string{"Closed this issue."}, closed.Summary)

	svc.StoredObject("r1", "bucket", "app.tar.gz", "AK", "SK", app.ExportedArchive())
	options := serviceapi.ImportFromObjectStoreOptions{
		Path: "copy", Region: "r1", BucketName: "bucket", FileKey: "app.tar.gz",
		AccessKeyID: serviceapi.NewSecret("AK"), SecretAccessKey: serviceapi.NewSecret("SK"),
	}
	_, _, err = client.ProjectImport.FromObjectStore(ctx, options)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "it has another path here")
	options.RemoteImportS3 = true
	started, _, err := client.ProjectImport.FromObjectStore(ctx, options)
	require.NoError(t, err)
	_, err = client.ProjectImport.Wait(ctx, serviceapi.ProjectID(started.ID),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
}
