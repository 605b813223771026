package serviceapi

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestForgottenArguments checks that nothing is sent for an argument that is
// part of the body or the query and refers to nothing.
func TestForgottenArguments(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return okJob(r)
	})
	ctx, app := t.Context(), ProjectPath("acme/app")
	for want, calls := range map[string][]error{
		"RunnerID": {errorOf(client.Runners.Enable(ctx, app, EnableRunnerOptions{})),
			errorOf(client.Runners.Enable(ctx, app, EnableRunnerOptions{RunnerID: -1}))},
		"ToProjectID": {
			errorOf(client.Issues.Move(ctx, app, 1, MoveIssueOptions{})),
			errorOf(client.Issues.Move(ctx, app, 1, MoveIssueOptions{ToProjectID: -1})),
		},
		"GroupID":     {errorOf(client.Projects.Share(ctx, app, ShareProjectOptions{GroupAccess: AccessLevelGuest}))},
		"AccessLevel": {errorOf(client.Registry.SetAccessLevel(ctx, app, SetRegistryAccessLevelOptions{}))},
		"Before":      {second(client.Environments.StopStale(ctx, app, StopStaleEnvironmentsOptions{}))},
		"user": {
			errorOf(client.Members.Add(ctx, app, UserID(-1), AccessLevelNone, AddMemberOptions{})),
			errorOf(client.Members.AddSeveral(ctx, app, []UserRef{UserID(1), UserID(0)}, AccessLevelNone,
				AddMemberOptions{})),
		},
		"user name": {
			errorOf(client.Members.Add(ctx, app, Username("ada,eve"), AccessLevelNone, AddMemberOptions{})),
			errorOf(client.Members.AddSeveral(ctx, app, []UserRef{Username("ada"), Username("bob,eve")},
				AccessLevelNone, AddMemberOptions{})),
		},
		"TagList": {errorOf(client.Runners.List(ctx, Own, &ListRunnersOptions{TagList: []string{"a", "b,c"}}))},
		"ExcludePaths": {errorOf(client.Repository.DownloadArchive(ctx, app, ArchiveFormatZip,
			&DownloadArchiveOptions{ExcludePaths: []string{"b,c"}}))},
		"Namespace": {
			errorOf(client.ProjectImport.FromFile(ctx, ImportFromFileOptions{Path: "x", Namespace: NamespaceID(0)})),
			errorOf(client.ProjectImport.FromURL(ctx,
				ImportFromURLOptions{URL: NewSecret("https://x.test"), Path: "x", Namespace: NamespacePath("")})),
			errorOf(client.ProjectImport.FromObjectStore(ctx,
				ImportFromObjectStoreOptions{Path: "x", Namespace: NamespacePath("https://x.test/acme")})),
		},
		"options": {
			errorOf(client.Issues.List(ctx, app, &ListIssuesOptions{Labels: LabelsAre("a,b")})),
			errorOf(client.MergeRequests.List(ctx, app,
				&ListMergeRequestsOptions{Not: MergeRequestExclusions{Labels: LabelNames{"a,b"}}})),
			errorOf(client.Epics.List(ctx, GroupID(1), &ListEpicsOptions{Labels: LabelsAre("a,b")})),
			errorOf(client.Commits.Create(ctx, app, CreateCommitOptions{StartProject: ProjectID(-4)})),
		},
	} {
		for _, err := range calls {
			assertRefused(t, want, err)
		}
	}
}

func second(_ *Response, err error) error { return err }

// TestReferencesToNothing checks that only a reference that can be that of an
// object is encoded.
func TestReferencesToNothing(t *testing.T) {
	for _, r := range []interface {
		MarshalJSON() ([]byte, error)
		EncodeValues(string, *url.Values) error
	}{ProjectID(0), ProjectID(-1), GroupPath(""), GroupPath("/acme"), GroupPath("a%2Fb"), Username("."),
		Username("a\n")} {
		_, err := r.MarshalJSON()
		assertRefused(t, "reference", err)
		values := url.Values{}
		assertRefused(t, "reference", r.EncodeValues("x", &values))
		assert.Empty(t, values)
	}
	values := url.Values{}
	require.NoError(t, GroupPath("acme/sub").EncodeValues("path", &values))
	require.NoError(t, UserID(3).EncodeValues("id", &values))
	require.NoError(t, GroupRef{}.EncodeValues("none", &values))
	assert.Equal(t, url.Values{"path": {"acme/sub"}, "id": {"3"}}, values)
}

// TestLabelNamesInQueries checks that names are sent as one value.
func TestLabelNamesInQueries(t *testing.T) {
	values, err := queryValues(&ListIssuesOptions{Labels: LabelsAre("a", "b c"),
		Not: IssueExclusions{Labels: LabelNames{"Any"}}})
	require.NoError(t, err)
	assert.Equal(t, url.Values{"labels": {"a,b c"}, "not[labels]": {"Any"}}, values)
}
