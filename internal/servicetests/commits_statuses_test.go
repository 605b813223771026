package servicetests

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceSetsCommitStatuses(t *testing.T) {
	svc := servicetest.New(t)
	ada, eve := svc.User("ada"), svc.User("eve")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer),
		servicetest.Member(eve, servicetest.Reporter))
	head := project.Commit("main", "Begin", servicetest.Write("a", "b"))
	client, ctx := as(t, svc, ada), t.Context()
	set := func(options serviceapi.SetCommitStatusOptions) (*serviceapi.CommitStatus, error) {
		status, _, err := client.Commits.SetStatus(ctx, app, head, options)
		return status, err
	}
	first, err := set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStatePending, Name: new("scan"),
		TargetURL: new("https://ci.example.com/1")})
	require.NoError(t, err)
	assert.Equal(t, []any{head, "main", serviceapi.CommitStatusStatePending, "scan", "https://ci.example.com/1", "ada"},
		[]any{first.SHA, first.Ref, first.Status, first.Name, first.TargetURL, first.Author.Username})
	pipeline, _, err := client.Pipelines.Get(ctx, app, first.PipelineID)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.PipelineSourceExternal, serviceapi.PipelineStatusPending},
		[]any{pipeline.Source, pipeline.Status})

	_, err = set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStatePending, Name: new("scan")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it has this state")
	svc.Advance(time.Minute)
	running, err := set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateRunning,
		Name: new("scan")})
	require.NoError(t, err)
	assert.Equal(t, []any{first.ID, svc.Now()}, []any{running.ID, *running.StartedAt})
	_, err = set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStatePending, Name: new("scan")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it does not go back")
	svc.Advance(time.Minute)
	failed, err := set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateFailed, Name: new("scan"),
		Description: new("2 findings"), Coverage: new(12.5)})
	require.NoError(t, err)
	assert.Equal(t, []any{first.ID, "2 findings", 12.5, svc.Now()},
		[]any{failed.ID, failed.Description, *failed.Coverage, *failed.FinishedAt})
	fixed, err := set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess, Name: new("scan")})
	require.NoError(t, err)
	assert.NotEqual(t, first.ID, fixed.ID, "what has finished is replaced")
	other, err := set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess})
	require.NoError(t, err)
	assert.Equal(t, []any{"default", first.PipelineID}, []any{other.Name, other.PipelineID})
	pipeline, _, err = client.Pipelines.Get(ctx, app, first.PipelineID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusSuccess, pipeline.Status)

	_, _, err = client.Jobs.Get(ctx, app, first.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is no job")
	_, _, err = as(t, svc, eve).Commits.SetStatus(ctx, app, head,
		serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Commits.SetStatus(ctx, app, strings.Repeat("0", 40),
		serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	for _, options := range []serviceapi.SetCommitStatusOptions{
		{State: "odd"}, {State: serviceapi.CommitStatusStateSuccess, Description: new(strings.Repeat("é", 256))},
	} {
		_, err = set(options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	}
	_, err = set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess,
		PipelineID: new(int64(99))})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	project.Branch("side", "main")
	lost := project.Commit("side", "Lost", servicetest.Write("c", "d"))
	_, err = client.Branches.Delete(ctx, app, "side")
	require.NoError(t, err)
	_, _, err = client.Commits.SetStatus(ctx, app, lost,
		serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is on no branch")
	project.ProtectBranch("main")
	_, err = set(serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateCanceled})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceListsCommitStatuses(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	head := project.Head("main")
	pipe := project.Pipeline("main")
	build := pipe.Job("build", servicetest.Stage("build"))
	test := pipe.Job("test", servicetest.Failed("script_failure"))
	again := test.Retry()
	second := project.Pipeline("main")
	later := second.Job("test")
	client, ctx := asRoot(t, svc), t.Context()
	set, _, err := client.Commits.SetStatus(ctx, app, head,
		serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateSuccess, Ref: new("main"),
			PipelineID: new(pipe.ID())})
	require.NoError(t, err)
	assert.Equal(t, pipe.ID(), set.PipelineID)
	for name, c := range map[string]struct {
		options serviceapi.ListCommitStatusesOptions
		want    []int64
	}{
		"newest": {serviceapi.ListCommitStatusesOptions{}, []int64{build.ID(), later.ID(), set.ID}},
		"all": {serviceapi.ListCommitStatusesOptions{All: true}, []int64{build.ID(), test.ID(), again.ID(),
			later.ID(), set.ID}},
		"name": {serviceapi.ListCommitStatusesOptions{All: true, Name: "test", Sort: serviceapi.SortDescending},
			[]int64{later.ID(), again.ID(), test.ID()}},
		"stage": {serviceapi.ListCommitStatusesOptions{Stage: "build"}, []int64{build.ID()}},
		"ref":   {serviceapi.ListCommitStatusesOptions{Ref: "gone"}, nil},
		"pipeline": {serviceapi.ListCommitStatusesOptions{PipelineID: pipe.ID()},
			[]int64{build.ID(), again.ID(), set.ID}},
		"ordered": {serviceapi.ListCommitStatusesOptions{OrderBy: serviceapi.CommitStatusOrderByPipelineID, All: true},
			[]int64{build.ID(), test.ID(), again.ID(), set.ID, later.ID()}},
	} {
		c.options.PerPage = 2
		var ids []int64
		for status, err := range client.Commits.AllStatuses(ctx, app, "main", &c.options) {
			require.NoError(t, err, name)
			ids = append(ids, status.ID)
		}
		assert.Equal(t, c.want, ids, name)
	}
}

func TestServiceListsMergeRequestsOfACommit(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	request := project.MergeRequest("feature")
	project.MergeRequest("other")
	head := project.Head("feature")
	client, ctx := asRoot(t, svc), t.Context()
	iids := func(sha string, options *serviceapi.ListCommitMergeRequestsOptions) (iids []int64) {
		t.Helper()
		for m, err := range client.Commits.AllMergeRequests(ctx, app, sha, options) {
			require.NoError(t, err)
			iids = append(iids, m.IID)
		}
		return iids
	}
	assert.Equal(t, []int64{request.IID()}, iids(head, nil))
	assert.Empty(t, iids(project.Head("main"), nil))
	merged, _, err := client.MergeRequests.Merge(ctx, app.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	require.NoError(t, err)
	assert.Equal(t, []int64{request.IID()},
		iids(head, &serviceapi.ListCommitMergeRequestsOptions{State: serviceapi.MergeRequestStateMerged}))
	assert.Equal(t, []int64{request.IID()}, iids(merged.MergeCommitSHA, nil))
	assert.Empty(t, iids(head, &serviceapi.ListCommitMergeRequestsOptions{State: serviceapi.MergeRequestStateOpened}))
}

// TestServiceStatusesThatAreSo checks how a program tells that a status is already as it
// should be.
func TestServiceStatusesThatAreSo(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	set := func(state serviceapi.CommitStatusState) error {
		_, _, err := asRoot(t, svc).Commits.SetStatus(t.Context(), serviceapi.ProjectPath("acme/app"), app.Head("main"),
			serviceapi.SetCommitStatusOptions{State: state})
		return err
	}
	require.NoError(t, set(serviceapi.CommitStatusStateRunning))
	for _, state := range []serviceapi.CommitStatusState{serviceapi.CommitStatusStateRunning,
		serviceapi.CommitStatusStatePending} {
		var refused *serviceapi.StatusTransitionError
		require.ErrorAs(t, set(state), &refused)
		assert.Equal(t, state, refused.State)
		assert.Equal(t, serviceapi.CommitStatusStateRunning, refused.From)
	}
	require.NoError(t, set(serviceapi.CommitStatusStateSuccess))
	require.NoError(t, set(serviceapi.CommitStatusStateSuccess), "a new status takes the place of a finished one")
}
