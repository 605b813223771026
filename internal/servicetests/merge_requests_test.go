package servicetests

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var mergeApp = serviceapi.ProjectPath("acme/app")

// reviewTeam is a service with a project and people of several roles in it.
type reviewTeam struct {
	svc           *servicetest.Service
	app           *servicetest.Project
	ada, bob, eve *servicetest.User // Maintainer, Developer, Reporter
}

func newReviewTeam(t *testing.T, opts ...servicetest.Option) *reviewTeam {
	svc := servicetest.New(t, opts...)
	r := &reviewTeam{svc: svc, ada: svc.User("ada"), bob: svc.User("bob"), eve: svc.User("eve")}
	r.app = svc.Project("acme/app", servicetest.Member(r.ada, servicetest.Maintainer),
		servicetest.Member(r.bob, servicetest.Developer), servicetest.Member(r.eve, servicetest.Reporter))
	return r
}

func (r *reviewTeam) requests(t *testing.T, user *servicetest.User) *serviceapi.MergeRequestsService {
	return as(t, r.svc, user).MergeRequests
}

// wantRefusal checks that an error is a MergeError for this reason.
func wantRefusal(t *testing.T, err error, reason serviceapi.MergeRefusal, sentinel error) {
	t.Helper()
	var refused *serviceapi.MergeError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, reason, refused.Reason)
	assert.ErrorIs(t, err, sentinel)
}

func TestServiceMerges(t *testing.T) {
	r := newReviewTeam(t)
	before := r.app.Head("main")
	seeded := r.app.MergeRequest("greeting", servicetest.By(r.bob), servicetest.Title("Greet"))
	s := r.requests(t, r.ada)
	mr, _, err := s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateOpened, mr.State)
	assert.Equal(t, r.app.Head("greeting"), mr.SHA)
	assert.Equal(t, &serviceapi.DiffRefs{BaseSHA: before, StartSHA: before, HeadSHA: mr.SHA}, mr.DiffRefs)
	assert.Equal(t, serviceapi.ChangesCount("1"), mr.ChangesCount)

	mr, _, err = s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{
		MergeCommitMessage: new("Welcome it"), ShouldRemoveSourceBranch: new(true), SHA: &mr.SHA,
	})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, mr.State)
	assert.Equal(t, "ada", mr.MergeUser.Username)
	assert.Equal(t, servicetest.Epoch, *mr.MergedAt)
	assert.True(t, *mr.ShouldRemoveSourceBranch)
	assert.Empty(t, mr.SquashCommitSHA)
	assert.Equal(t, r.app.Head("main"), mr.MergeCommitSHA)
	assert.Equal(t, seeded.MergeCommitSHA(), mr.MergeCommitSHA)
	assert.Equal(t, []string{"main"}, r.app.Branches(), "the source branch is gone")
	_, there := r.app.File("main", "greeting.md")
	assert.True(t, there, "the file has come to the target branch")

	_, _, err = s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{})
	wantRefusal(t, err, serviceapi.MergeRefusalNotReady, serviceapi.ErrMethodNotAllowed)
}

func TestServiceSquashes(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("work", "One", servicetest.Write("one.txt", "1\n"))
	r.app.Commit("work", "Two", servicetest.Write("two.txt", "2\n"))
	seeded := r.app.MergeRequest("work")
	mr, _, err := r.requests(t, r.bob).Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{
		Squash: new(true), SquashCommitMessage: new("One and two"),
	})
	require.NoError(t, err)
	require.NotNil(t, mr.SquashCommitSHA)
	assert.NotEqual(t, mr.SquashCommitSHA, mr.MergeCommitSHA)
	content, _ := r.app.File(mr.SquashCommitSHA, "two.txt")
	assert.Equal(t, "2\n", content)
	assert.Equal(t, []string{"main", "work"}, r.app.Branches(), "the source branch stays")
}

func TestServiceRefusesToMerge(t *testing.T) {
	r := newReviewTeam(t)
	merge := func(user *servicetest.User, m *servicetest.MergeRequest, options serviceapi.MergeOptions) error {
		_, _, err := r.requests(t, user).Merge(t.Context(), mergeApp.MergeRequest(m.IID()), options)
		return err
	}
	draft := r.app.MergeRequest("draft", servicetest.Draft())
	wantRefusal(t, merge(r.eve, draft, serviceapi.MergeOptions{}), serviceapi.MergeRefusalUnauthorized,
		serviceapi.ErrUnauthorized)
	wantRefusal(t, merge(r.bob, draft, serviceapi.MergeOptions{}), serviceapi.MergeRefusalNotReady,
		serviceapi.ErrMethodNotAllowed)
	draft.SetDraft(false)
	wantRefusal(t, merge(r.bob, draft, serviceapi.MergeOptions{SHA: new(r.app.Head("main"))}),
		serviceapi.MergeRefusalSHAMismatch, serviceapi.ErrConflict)
	draft.Close()
	wantRefusal(t, merge(r.bob, draft, serviceapi.MergeOptions{}), serviceapi.MergeRefusalNotReady,
		serviceapi.ErrMethodNotAllowed)
	draft.Reopen()

	r.app.Set("only_allow_merge_if_pipeline_succeeds", true)
	for _, status := range []string{"pending", "running", "failed"} {
		pipeline := r.app.Pipeline("draft", servicetest.PipelineStatus(status))
		err := merge(r.bob, draft, serviceapi.MergeOptions{})
		wantRefusal(t, err, serviceapi.MergeRefusalNotReady, serviceapi.ErrMethodNotAllowed)
		pipeline.SetStatus("success")
	}
	r.app.Set("only_allow_merge_if_pipeline_succeeds", false)

	r.app.Commit("ours", "Ours", servicetest.Write("README.md", "ours\n"))
	clash := r.app.MergeRequest("ours")
	r.app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	wantRefusal(t, merge(r.bob, clash, serviceapi.MergeOptions{}), serviceapi.MergeRefusalImpossible,
		serviceapi.ErrNotAcceptable)
	_, _, err := r.requests(t, r.bob).MergeRef(t.Context(), mergeApp.MergeRequest(clash.IID()))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "conflict in README.md")

	require.NoError(t, merge(r.bob, draft, serviceapi.MergeOptions{}))
	_, _, err = r.requests(t, r.bob).MergeRef(t.Context(), mergeApp.MergeRequest(draft.IID()))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceMergesWhenThePipelineSucceeds(t *testing.T) {
	r := newReviewTeam(t)
	later := serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)}
	seeded := r.app.MergeRequest("slow")
	job := r.app.Pipeline("slow").Job("test", servicetest.Running())
	s := r.requests(t, r.bob)
	cancel := func(user *servicetest.User) error {
		_, _, err := r.requests(t, user).CancelMergeWhenPipelineSucceeds(t.Context(),
			mergeApp.MergeRequest(seeded.IID()))
		return err
	}
	wantRefusal(t, cancel(r.bob), serviceapi.MergeRefusalNotScheduled, serviceapi.ErrNotAcceptable)

	mr, _, err := s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), later)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateOpened, mr.State)
	assert.True(t, mr.MergeWhenPipelineSucceeds)
	assert.Equal(t, serviceapi.PipelineStatusRunning, mr.Pipeline.Status)
	wantRefusal(t, cancel(r.eve), serviceapi.MergeRefusalUnauthorized, serviceapi.ErrUnauthorized)
	require.NoError(t, cancel(r.bob))
	assert.False(t, seeded.WaitsForPipeline())

	_, _, err = s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), later)
	require.NoError(t, err)
	r.svc.Advance(time.Minute)
	job.Succeed()
	mr, _, err = s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, mr.State)
	assert.False(t, mr.MergeWhenPipelineSucceeds)
	assert.Equal(t, "bob", mr.MergeUser.Username)
	assert.Equal(t, servicetest.Epoch.Add(time.Minute), *mr.MergedAt)
	assert.Equal(t, mr.MergedAt, mr.LatestBuildFinishedAt)
	wantRefusal(t, cancel(r.bob), serviceapi.MergeRefusalOver, serviceapi.ErrMethodNotAllowed)
}

// TestServiceWaitsForAPipelineThatIsStillToCome checks that a merge request
// that is set to merge later stays open even if no pipeline is running.
func TestServiceWaitsForAPipelineThatIsStillToCome(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("early")
	s := r.requests(t, r.bob)
	mr, _, err := s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateOpened, mr.State)
	assert.True(t, mr.MergeWhenPipelineSucceeds)
	r.app.Pipeline("early").Job("test", servicetest.Running()).Succeed()
	mr, _, err = s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, mr.State)
}

func TestServiceMergesFromAFork(t *testing.T) {
	r := newReviewTeam(t)
	fork := r.svc.Project("bob/app")
	seeded := r.app.MergeRequest("patch", servicetest.FromFork(fork), servicetest.By(r.bob))
	s := r.requests(t, r.ada)
	mr, _, err := s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{r.app.ID(), r.app.ID()}, []int64{mr.ProjectID, mr.TargetProjectID})
	assert.Equal(t, new(fork.ID()), mr.SourceProjectID)
	_, _, err = s.Rebase(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.RebaseOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "ada may not push to the fork")
	_, _, err = s.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{})
	require.NoError(t, err)
	_, there := r.app.File("main", "patch.md")
	assert.True(t, there)
}

func TestServiceMergeRef(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("trial")
	before := r.app.Head("main")
	ref, _, err := r.requests(t, r.eve).MergeRef(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, before, r.app.Head("main"))
	for _, name := range []string{ref.CommitID, "refs/merge-requests/1/merge"} {
		_, there := r.app.File(name, "trial.md")
		assert.True(t, there, name)
	}

	r.app.Branch("empty", "main")
	empty := r.app.MergeRequest("empty")
	_, _, err = r.requests(t, r.eve).MergeRef(t.Context(), mergeApp.MergeRequest(empty.IID()))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "no changes")
}

func TestServiceRebases(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTick(time.Second))
	seeded := r.app.MergeRequest("work", servicetest.RebaseTakes(2*time.Second))
	r.app.Pipeline("work", servicetest.PipelineStatus("success"))
	r.app.Commit("main", "Meanwhile", servicetest.Write("meanwhile.txt", "x\n"))
	old := seeded.SHA()
	s := r.requests(t, r.bob)
	mr, err := s.RebaseAndWait(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.RebaseOptions{})
	require.NoError(t, err)
	assert.False(t, *mr.RebaseInProgress)
	assert.Empty(t, mr.MergeError)
	assert.NotEqual(t, old, mr.SHA)
	assert.Equal(t, mr.DiffRefs.BaseSHA, r.app.Head("main"))
	assert.Zero(t, mr.DivergedCommitsCount)
	require.NotNil(t, mr.Pipeline, "the new head gets a pipeline, as the old one had one")
	assert.Equal(t, mr.SHA, mr.Pipeline.SHA)
	assert.Len(t, r.svc.Requests("PUT /projects/:id/merge_requests/:merge_request_iid/rebase"), 1)

	_, err = r.requests(t, r.eve).RebaseAndWait(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.RebaseOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceRebaseSkipsCI(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("work")
	r.app.Pipeline("work", servicetest.PipelineStatus("success"))
	r.app.Commit("main", "Meanwhile", servicetest.Write("meanwhile.txt", "x\n"))
	mr, err := r.requests(t, r.bob).RebaseAndWait(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.RebaseOptions{SkipCI: new(true)})
	require.NoError(t, err)
	assert.Nil(t, mr.Pipeline)
}

func TestServiceRebaseFails(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("ours", "Ours", servicetest.Write("README.md", "ours\n"))
	seeded := r.app.MergeRequest("ours")
	r.app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	mr, err := r.requests(t, r.bob).RebaseAndWait(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.RebaseOptions{})
	var failed *serviceapi.RebaseError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, seeded.MergeError(), failed.Message)
	assert.Equal(t, failed.Message, mr.MergeError)
}

func TestServiceRebaseTakesLongerThanTheContext(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("work", servicetest.RebaseTakes(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	mr, err := r.requests(t, r.bob).RebaseAndWait(ctx, mergeApp.MergeRequest(seeded.IID()), serviceapi.RebaseOptions{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.True(t, *mr.RebaseInProgress)
	assert.True(t, seeded.RebaseInProgress())
	r.svc.Advance(time.Hour)
	assert.False(t, seeded.RebaseInProgress())
}

func TestServiceMergeIsSentOnce(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("once")
	const route = "PUT /projects/:id/merge_requests/:merge_request_iid/merge"
	r.svc.Fault(route, servicetest.DropResponse(), servicetest.Times(1))
	client := as(t, r.svc, r.bob, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 4, MinWait: time.Millisecond,
		RetryIdempotent: true}))
	_, _, err := client.MergeRequests.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{})
	var transport *serviceapi.TransportError
	require.ErrorAs(t, err, &transport)
	assert.Len(t, r.svc.Requests(route), 1)
	assert.Equal(t, "merged", seeded.State(), "the caller can find out")
}

func TestServiceSubscribes(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("news")
	s := r.requests(t, r.bob)
	first, resp, err := s.Subscribe(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
	assert.False(t, first.Unchanged)
	assert.True(t, first.MergeRequest.Subscribed)
	assert.True(t, seeded.Subscribed(r.bob))
	again, resp, err := s.Subscribe(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotModified, resp.StatusCode)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{Unchanged: true}, again)
	_, _, err = s.Subscribe(t.Context(), mergeApp.MergeRequest(99))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceClosedIssues(t *testing.T) {
	r := newReviewTeam(t)
	wrong := r.app.Issue("Wrong numbers", servicetest.Labels("bug"), servicetest.AssignedTo(r.bob))
	r.app.Issue("Slow", servicetest.By(r.eve))
	secret := r.app.Issue("Secret", servicetest.Confidential())
	other := r.app.Issue("Untouched")
	r.app.Commit("fix", "Be quick\n\nFixes #2", servicetest.Write("fast.txt", "x\n"))
	seeded := r.app.MergeRequest("fix", servicetest.Description("Closes #1, #3 and #77. See #4."))
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)

	issues, _, err := r.requests(t, r.ada).ListClosedIssues(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	require.Len(t, issues, 3)
	assert.Equal(t, serviceapi.IssueID{Number: wrong.ID()}, issues[0].ID)
	assert.Equal(t, "Wrong numbers", issues[0].Title)
	assert.Equal(t, []*serviceapi.LabelSummary{{Name: "bug"}}, issues[0].Labels)
	assert.Equal(t, "bob", issues[0].Assignee.Username)
	assert.Equal(t, serviceapi.ChangesCount("1"), issues[0].ChangesCount)
	assert.Equal(t, secret.IID(), *issues[1].IID)
	assert.Equal(t, "Slow", issues[2].Title)
	seen, err := serviceapi.Collect(r.requests(t, guest).AllClosedIssues(t.Context(),
		mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.ListOptions{PerPage: 1}))
	require.NoError(t, err)
	assert.Len(t, seen, 2, "a guest does not see the confidential one")

	seeded.Merge()
	assert.Equal(t, []string{"closed", "closed", "opened"}, []string{wrong.State(), secret.State(), other.State()})
}

func TestServiceClosedIssuesOfAnExternalTracker(t *testing.T) {
	r := newReviewTeam(t)
	r.app.ExternalIssue("PROJECT-123", "Title of this issue")
	seeded := r.app.MergeRequest("fix", servicetest.Description("Resolves PROJECT-123 and PROJECT-9"))
	issues, _, err := r.requests(t, r.eve).ListClosedIssues(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelatedIssue{{ID: serviceapi.IssueID{Key: "PROJECT-123"},
		Title: "Title of this issue"}}, issues)
	assert.True(t, issues[0].ID.External())
}

func TestServiceMergeRequestsAreHidden(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("secret")
	stranger := r.requests(t, r.svc.User("stranger"))
	_, _, err := stranger.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = stranger.Merge(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.MergeOptions{})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	var refused *serviceapi.MergeError
	assert.False(t, errors.As(err, &refused))
	mrs, _, err := stranger.List(t.Context(), serviceapi.Instance,
		&serviceapi.ListMergeRequestsOptions{Scope: serviceapi.MergeRequestScopeAll})
	require.NoError(t, err)
	assert.Empty(t, mrs)
}
