package servicetests

import (
	"context"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// open opens a merge request of a new branch with one file.
func (r *reviewTeam) open(
	t *testing.T, branch string, options serviceapi.CreateMergeRequestOptions,
) (*serviceapi.MergeRequestDetails, *serviceapi.Response, error) {
	t.Helper()
	r.app.Commit(branch, "Work on "+branch, servicetest.Write(branch+".txt", "one\ntwo\n"))
	options.SourceBranch = branch
	if options.TargetBranch == "" {
		options.TargetBranch = "main"
	}
	if options.Title == "" {
		options.Title = "Work on " + branch
	}
	return r.requests(t, r.bob).Create(t.Context(), mergeApp, options)
}

func TestServiceOpensMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	milestone := r.app.Milestone("v1")
	mr, resp, err := r.open(t, "feature", serviceapi.CreateMergeRequestOptions{
		Title: "Draft: Do it", Description: new("- [ ] look"), AssigneeID: new(r.ada.ID()),
		ReviewerIDs: []int64{r.ada.ID(), r.eve.ID()},
		MilestoneID: new(milestone.ID()), Labels: serviceapi.LabelNames{"new", "bug"}, RemoveSourceBranch: new(true),
		Squash:               new(true),
		ApprovalsBeforeMerge: new(1), MergeAfter: new(servicetest.Epoch.Add(time.Hour)),
	})
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
	assert.Equal(t, serviceapi.MergeRequestStateOpened, mr.State)
	assert.Equal(t, serviceapi.DetailedMergeStatusPreparing, mr.DetailedMergeStatus)
	assert.Nil(t, mr.PreparedAt)
	assert.Empty(t, mr.SHA)
	assert.Empty(t, mr.ChangesCount)
	assert.Empty(t, mr.DiffRefs.HeadSHA)
	assert.Equal(t, r.app.Head("main"), mr.DiffRefs.StartSHA)
	assert.Equal(t, []any{true, "bob", "ada", "v1", true, true}, []any{
		mr.Draft, mr.Author.Username, mr.Assignee.Username, mr.Milestone.Title, *mr.ForceRemoveSourceBranch, mr.Squash,
	})
	assert.Len(t, mr.Reviewers, 2)
	assert.Equal(t, []string{"bug", "new"}, r.app.LabelNames(), "labels that did not exist are made")

	s := r.requests(t, r.bob)
	mr, err = s.WaitUntilPrepared(t.Context(), mergeApp.MergeRequest(mr.IID))
	require.NoError(t, err)
	assert.Equal(t, r.app.Head("feature"), mr.SHA)
	assert.Equal(t, serviceapi.ChangesCount("1"), mr.ChangesCount)
	assert.Equal(t, serviceapi.DetailedMergeStatusDraft, mr.DetailedMergeStatus)
	assert.True(t, mr.User.CanMerge)

	_, _, err = r.open(t, "feature", serviceapi.CreateMergeRequestOptions{})
	var exists *serviceapi.MergeRequestExistsError
	require.ErrorAs(t, err, &exists)
	assert.Equal(t, mr.IID, exists.MergeRequest.IID())
}

func TestServiceRefusesMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	other := r.svc.Project("other/thing", servicetest.Member(r.bob, servicetest.Owner))
	for name, test := range map[string]struct {
		options serviceapi.CreateMergeRequestOptions
		is      error
		field   string
	}{
		"same branch": {serviceapi.CreateMergeRequestOptions{TargetBranch: "same branch"},
			serviceapi.ErrUnprocessable, ""},
		"no fork": {serviceapi.CreateMergeRequestOptions{TargetProjectID: new(other.ID())},
			serviceapi.ErrUnprocessable, ""},
		"out of reach": {serviceapi.CreateMergeRequestOptions{TargetProjectID: new(int64(99))},
			serviceapi.ErrUnprocessable, ""},
		"no target": {serviceapi.CreateMergeRequestOptions{TargetBranch: "gone"}, serviceapi.ErrBadRequest,
			"target_branch"},
		"unknown milestone": {serviceapi.CreateMergeRequestOptions{MilestoneID: new(int64(99))},
			serviceapi.ErrBadRequest, "milestone_id"},
	} {
		_, _, err := r.open(t, name, test.options)
		require.ErrorIs(t, err, test.is, name)
		var answer *serviceapi.Error
		require.ErrorAs(t, err, &answer)
		if test.field != "" {
			assert.Contains(t, answer.Fields, test.field, name)
		}
	}
	s := r.requests(t, r.bob)
	_, _, err := s.Create(t.Context(), mergeApp, serviceapi.CreateMergeRequestOptions{SourceBranch: "nowhere",
		TargetBranch: "main", Title: "t"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = r.requests(t, r.eve).Create(t.Context(), mergeApp,
		serviceapi.CreateMergeRequestOptions{SourceBranch: "a", TargetBranch: "main", Title: "t"})
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a reporter opens none")
	assert.Empty(t, r.app.MergeRequests())
}

func TestServiceUpdatesMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.eve), servicetest.Labels("old", "keep"),
		servicetest.AssignedTo(r.ada))
	r.app.Branch("next", "main")
	s := r.requests(t, r.eve)
	mr, _, err := s.Update(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.UpdateMergeRequestOptions{
		Title: new("Better"), Description: new("Why"), TargetBranch: new("next"), AssigneeIDs: []int64{},
		ReviewerIDs: []int64{r.bob.ID()},
		AddLabels:   serviceapi.LabelNames{"new"}, RemoveLabels: serviceapi.LabelNames{"old"},
		DiscussionLocked: new(true), Squash: new(true),
	})
	require.NoError(t, err, "the author may")
	assert.Equal(t, []any{"Better", "Why", "next", true}, []any{mr.Title, mr.Description, mr.TargetBranch,
		*mr.DiscussionLocked})
	assert.Nil(t, mr.Assignee)
	assert.Equal(t, "bob", mr.Reviewers[0].Username)
	assert.Equal(t, []string{"keep", "new"}, seeded.LabelNames())

	mr, _, err = s.Update(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.UpdateMergeRequestOptions{StateEvent: new(serviceapi.StateEventClose)})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateClosed, mr.State)
	assert.Equal(t, "eve", mr.ClosedBy.Username)
	mr, _, err = s.Update(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.UpdateMergeRequestOptions{StateEvent: new(serviceapi.StateEventReopen),
			Labels: serviceapi.LabelNames{}})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateOpened, mr.State)
	assert.Empty(t, mr.Labels)

	_, _, err = s.Update(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.UpdateMergeRequestOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "nothing to change")
	_, _, err = s.Update(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.UpdateMergeRequestOptions{Title: new(" ")})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	second := r.app.MergeRequest("feature", servicetest.By(r.eve))
	_, _, err = s.Update(t.Context(), mergeApp.MergeRequest(second.IID()),
		serviceapi.UpdateMergeRequestOptions{TargetBranch: new("next")})
	var exists *serviceapi.MergeRequestExistsError
	require.ErrorAs(t, err, &exists)
	assert.Equal(t, seeded.IID(), exists.MergeRequest.IID())
	others := r.app.MergeRequest("others")
	_, _, err = s.Update(t.Context(), mergeApp.MergeRequest(others.IID()),
		serviceapi.UpdateMergeRequestOptions{Title: new("Mine")})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceDeletesMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature")
	_, err := r.requests(t, r.ada).Delete(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer may not")
	s := asRoot(t, r.svc).MergeRequests
	resp, err := s.Delete(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, http.StatusNoContent, resp.StatusCode)
	_, _, err = s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Empty(t, r.app.MergeRequests())
}

// What is opened through the API can be approved, discussed and merged.
func TestServiceMergesWhatWasOpened(t *testing.T) {
	r := newReviewTeam(t, servicetest.PreparingTakes(time.Second), servicetest.WithTick(400*time.Millisecond))
	mr, _, err := r.open(t, "feature", serviceapi.CreateMergeRequestOptions{ApprovalsBeforeMerge: new(1)})
	require.NoError(t, err)
	bob, ada := as(t, r.svc, r.bob), as(t, r.svc, r.ada)
	quick := serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)
	mr, err = bob.MergeRequests.WaitUntilMergeable(t.Context(), mergeApp.MergeRequest(mr.IID), quick)
	var stuck *serviceapi.NotMergeableError
	require.ErrorAs(t, err, &stuck)
	assert.Equal(t, "not_approved", stuck.Status)
	_, _, err = bob.MergeRequests.Merge(t.Context(), mergeApp.MergeRequest(mr.IID), serviceapi.MergeOptions{})
	wantRefusal(t, err, serviceapi.MergeRefusalNotReady, serviceapi.ErrMethodNotAllowed)

	_, _, err = ada.Approvals.Approve(t.Context(), mergeApp.MergeRequest(mr.IID),
		serviceapi.ApproveOptions{SHA: &mr.SHA})
	require.NoError(t, err)
	thread, _, err := ada.Discussions.Create(t.Context(), mergeApp.MergeRequest(mr.IID),
		serviceapi.CreateDiscussionOptions{Body: "Why?"})
	require.NoError(t, err)
	_, _, err = bob.Discussions.Resolve(t.Context(), mergeApp.MergeRequest(mr.IID), thread.ID)
	require.NoError(t, err)
	mr, err = bob.MergeRequests.WaitUntilMergeable(t.Context(), mergeApp.MergeRequest(mr.IID), quick)
	require.NoError(t, err)
	merged, _, err := bob.MergeRequests.Merge(t.Context(), mergeApp.MergeRequest(mr.IID),
		serviceapi.MergeOptions{SHA: &mr.SHA})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, merged.State)
	content, _ := r.app.File("main", "feature.txt")
	assert.Equal(t, "one\ntwo\n", content)
}

func TestServiceWaitsForWhatStandsInTheWay(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Set("only_allow_merge_if_pipeline_succeeds", true)
	seeded := r.app.MergeRequest("feature", servicetest.MergeAfter(servicetest.Epoch.Add(time.Minute)))
	pipeline := r.app.Pipeline("feature", servicetest.PipelineStatus("running"))
	s := r.requests(t, r.bob)
	var states []string
	step := map[int]func(){1: func() { r.svc.Advance(2 * time.Minute) }, 2: func() { pipeline.SetStatus("success") }}
	mr, err := s.WaitUntilMergeable(t.Context(), mergeApp.MergeRequest(seeded.IID()),
		serviceapi.WithPollInterval(time.Millisecond,
			time.Millisecond),
		serviceapi.WithPollObserver(func(p serviceapi.Poll) {
			states = append(states, p.State)
			if next := step[p.Count]; next != nil {
				next()
			}
		}))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.DetailedMergeStatusMergeable, mr.DetailedMergeStatus)
	assert.Equal(t, []string{"merge_time", "ci_still_running", "mergeable"}, states)

	pipeline.SetStatus("failed")
	_, err = s.WaitUntilMergeable(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	var stuck *serviceapi.NotMergeableError
	require.ErrorAs(t, err, &stuck)
	assert.Equal(t, "ci_must_pass", stuck.Status)
	r.app.Set("only_allow_merge_if_pipeline_succeeds", false)
	r.app.Commit("ours", "Ours", servicetest.Write("README.md", "ours\n"))
	clash := r.app.MergeRequest("ours")
	r.app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	_, err = s.WaitUntilMergeable(t.Context(), mergeApp.MergeRequest(clash.IID()))
	require.ErrorAs(t, err, &stuck)
	assert.Equal(t, "conflict", stuck.Status)
}

func TestServiceShowsWhatAMergeRequestChanges(t *testing.T) {
	r := newReviewTeam(t)
	base := r.app.Head("main")
	r.app.Commit("work", "One", servicetest.Write("one.txt", "1\n"))
	seeded := r.app.MergeRequest("work")
	first := r.app.Head("work")
	s := r.requests(t, r.eve)
	ctx := t.Context()
	versions, _, err := s.ListVersions(ctx, mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	require.Len(t, versions, 1)
	r.app.Commit("work", "Two", servicetest.Write("two.txt", "2\n"), servicetest.Remove("README.md"))
	head := r.app.Head("work")

	commits, err := serviceapi.Collect(s.AllCommits(ctx, mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.ListOptions{PerPage: 1}))
	require.NoError(t, err)
	require.Len(t, commits, 2)
	assert.Equal(t, []string{head, first}, []string{commits[0].ID, commits[1].ID}, "the newest first")

	diffs, err := serviceapi.Collect(s.AllDiffs(ctx, mergeApp.MergeRequest(seeded.IID()), nil))
	require.NoError(t, err)
	paths := map[string][]bool{}
	for _, d := range diffs {
		paths[d.NewPath] = []bool{d.NewFile, d.DeletedFile}
	}
	assert.Equal(t, map[string][]bool{"one.txt": {true, false}, "two.txt": {true, false}, "README.md": {false, true}},
		paths)
	diffs, _, err = s.ListDiffs(ctx, mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.ListMergeRequestDiffsOptions{Unidiff: true})
	require.NoError(t, err)
	assert.Contains(t, diffs[0].Diff+diffs[1].Diff+diffs[2].Diff, "+++ b/one.txt\n@@")

	changes, _, err := s.Changes(ctx, mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.GetMergeRequestChangesOptions{AccessRawDiffs: true})
	require.NoError(t, err)
	assert.Equal(t, seeded.IID(), changes.IID)
	assert.Len(t, changes.Changes, 3)
	assert.Equal(t, new(false), changes.Overflow)

	versions, err = serviceapi.Collect(s.AllVersions(ctx, mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.ListOptions{PerPage: 1}))
	require.NoError(t, err)
	require.Len(t, versions, 2)
	assert.Equal(t, []string{head, first}, []string{versions[0].HeadCommitSHA, versions[1].HeadCommitSHA},
		"the newest first")
	assert.Equal(t, base, versions[0].BaseCommitSHA)
	assert.Equal(t, serviceapi.DiffVersionStateCollected, versions[0].State)
	assert.NotEqual(t, versions[0].PatchIDSHA, versions[1].PatchIDSHA)
}

func TestServiceListsMergeRequestsOfAGroup(t *testing.T) {
	r := newReviewTeam(t)
	mine := r.app.MergeRequest("one", servicetest.By(r.bob))
	deep := r.svc.Project("acme/platform/tool", servicetest.Public()).MergeRequest("two")
	r.svc.Project("acme/secret").MergeRequest("three")
	r.svc.Project("elsewhere/app", servicetest.Public()).MergeRequest("four")
	old := r.svc.Project("acme/old", servicetest.Public(), servicetest.Archived()).MergeRequest("five")
	s := r.requests(t, r.bob)
	ids := func(options *serviceapi.ListMergeRequestsOptions) []int64 {
		t.Helper()
		mrs, err := serviceapi.Collect(s.All(t.Context(), serviceapi.GroupPath("acme"), options))
		require.NoError(t, err)
		var found []int64
		for _, mr := range mrs {
			found = append(found, mr.ID)
		}
		return found
	}
	assert.ElementsMatch(t, []int64{mine.ID(), deep.ID()}, ids(nil), "all that are visible, by everybody")
	assert.ElementsMatch(t, []int64{mine.ID(), deep.ID(), old.ID()},
		ids(&serviceapi.ListMergeRequestsOptions{NonArchived: new(false)}))
	assert.Equal(t, []int64{mine.ID()},
		ids(&serviceapi.ListMergeRequestsOptions{Scope: serviceapi.MergeRequestScopeCreatedByMe}))
	assert.Equal(t, []int64{deep.ID()}, ids(&serviceapi.ListMergeRequestsOptions{Search: "two",
		In: []serviceapi.SearchField{serviceapi.SearchFieldTitle}}))
}

// A fork's branch goes into the project that it was forked from.
func TestServiceMergesFromForks(t *testing.T) {
	r := newReviewTeam(t)
	fork := r.svc.Project("eve/app")
	r.app.MergeRequest("seed", servicetest.FromFork(fork)) // makes the histories meet
	fork.Branch("work", "seed")
	mr, _, err := r.requests(t, r.eve).Create(t.Context(), serviceapi.ProjectID(fork.ID()),
		serviceapi.CreateMergeRequestOptions{
			SourceBranch: "work", TargetBranch: "main", Title: "From afar", TargetProjectID: new(r.app.ID()),
			AllowCollaboration: new(true),
		})
	require.NoError(t, err)
	assert.Equal(t, new(fork.ID()), mr.SourceProjectID)
	assert.Equal(t, []int64{r.app.ID(), r.app.ID()}, []int64{mr.TargetProjectID, mr.ProjectID})
	assert.True(t, *mr.AllowCollaboration)
	listed, _, err := r.requests(t, r.eve).List(t.Context(), mergeApp,
		&serviceapi.ListMergeRequestsOptions{IIDs: []int64{mr.IID}})
	require.NoError(t, err)
	assert.Equal(t, new(true), listed[0].AllowCollaboration, "also in lists")
	merged, _, err := r.requests(t, r.bob).Merge(context.Background(), mergeApp.MergeRequest(mr.IID),
		serviceapi.MergeOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, merged.State)
}

func TestServicePipelinesOfMergeRequests(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTick(time.Minute))
	r.app.CI(servicetest.PlanJob("build", servicetest.Stage("build")), servicetest.PlanJob("test"))
	r.app.Set("only_allow_merge_if_pipeline_succeeds", true)
	seeded := r.app.MergeRequest("feature")
	r.app.Pipeline("main")
	s, ctx := r.requests(t, r.bob), t.Context()
	pipeline, resp, err := s.CreatePipeline(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.CreateMergeRequestPipelineOptions{})
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, []any{serviceapi.PipelineSourceMergeRequestEvent, seeded.SHA(), "bob"},
		[]any{pipeline.Source, pipeline.SHA, pipeline.User.Username})
	mr, err := s.WaitUntilMergeable(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.WithPollInterval(time.Millisecond,
			time.Millisecond))
	require.NoError(t, err, "the pipeline runs by the service's clock")
	assert.Equal(t, []any{pipeline.ID, pipeline.ID, serviceapi.PipelineStatusSuccess},
		[]any{mr.Pipeline.ID, mr.HeadPipeline.ID, mr.HeadPipeline.Status})

	pipeline, resp, err = s.CreatePipeline(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.CreateMergeRequestPipelineOptions{Async: new(true)})
	require.NoError(t, err)
	assert.Nil(t, pipeline)
	assert.Equal(t, http.StatusAccepted, resp.StatusCode)
	pipelines, err := serviceapi.Collect(s.AllPipelines(ctx, mergeApp.MergeRequest(seeded.IID()),
		&serviceapi.ListOptions{PerPage: 1}))
	require.NoError(t, err)
	require.Len(t, pipelines, 2)
	assert.Greater(t, pipelines[0].ID, pipelines[1].ID, "the newest first")

	_, _, err = r.requests(t, r.eve).CreatePipeline(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.CreateMergeRequestPipelineOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	r.app.BreakCI("jobs config should contain at least one visible job")
	_, _, err = s.CreatePipeline(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.CreateMergeRequestPipelineOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "visible job")
	seeded.Close()
	_, _, err = s.CreatePipeline(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.CreateMergeRequestPipelineOptions{})
	require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
}
