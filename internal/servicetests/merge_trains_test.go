package servicetests

import (
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// trainTeam is a team whose project has merge trains, and merge requests for them.
type trainTeam struct {
	*reviewTeam
	t        *testing.T
	trains   *serviceapi.MergeTrainsService
	requests []*servicetest.MergeRequest
	branches []string
}

func newTrainTeam(t *testing.T, branches ...string) *trainTeam {
	r := &trainTeam{reviewTeam: newReviewTeam(t), t: t, branches: branches}
	r.app.Set("merge_trains_enabled", true)
	r.trains = as(t, r.svc, r.ada).MergeTrains
	for _, branch := range branches {
		r.requests = append(r.requests, r.app.MergeRequest(branch, servicetest.By(r.bob)))
	}
	return r
}

func (r *trainTeam) ref(i int) serviceapi.MergeRequestRef {
	return mergeApp.MergeRequest(r.requests[i].IID())
}

// add adds merge requests to the train, one after the other.
func (r *trainTeam) add(which ...int) {
	r.t.Helper()
	for _, i := range which {
		_, _, err := r.trains.Add(r.t.Context(), r.ref(i), serviceapi.AddToMergeTrainOptions{})
		require.NoError(r.t, err)
	}
}

// states returns the cars of the project as "1 fresh", oldest first.
func (r *trainTeam) states() (states []string) {
	r.t.Helper()
	options := &serviceapi.ListMergeTrainCarsOptions{Sort: serviceapi.SortAscending}
	for car, err := range r.trains.All(r.t.Context(), mergeApp, options) {
		require.NoError(r.t, err)
		states = append(states, fmt.Sprint(car.MergeRequest.IID, " ", car.Status))
	}
	return states
}

// finish ends the pipeline of a car, with jobs that end so.
func (r *trainTeam) finish(i int, end func(*servicetest.Job)) {
	r.t.Helper()
	pipelines := r.app.Pipelines()
	for at := len(pipelines) - 1; at >= 0; at-- {
		if pipelines[at].Ref() == r.branches[i] {
			end(pipelines[at].Jobs()[0])
			return
		}
	}
	require.Fail(r.t, "there is no pipeline")
}

func succeed(j *servicetest.Job) { j.Succeed() }
func fail(j *servicetest.Job)    { j.Fail("script_failure") }

// TestServiceMovesMergeTrains checks that a train merges in order, when its pipelines succeed.
func TestServiceMovesMergeTrains(t *testing.T) {
	r := newTrainTeam(t, "one", "two", "three")
	r.app.Branch("stable", "main")
	r.requests = append(r.requests, r.app.MergeRequest("four", servicetest.Into("stable")))
	ctx := t.Context()
	added, resp, err := r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{SHA: new(r.requests[0].SHA())})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.False(t, added.Waits)
	require.Len(t, added.Cars, 1)
	assert.Equal(t, serviceapi.MergeTrainCarStatusIdle, added.Cars[0].Status)
	assert.Nil(t, added.Cars[0].Pipeline)
	r.add(3, 1, 2)
	assert.Equal(t, []string{"1 fresh", "4 fresh", "2 fresh", "3 fresh"}, r.states())
	assert.True(t, r.requests[0].WaitsForPipeline())

	r.svc.Advance(10 * time.Second)
	r.finish(1, succeed)
	assert.Equal(t, []string{"1 fresh", "4 fresh", "2 fresh", "3 fresh"}, r.states(), "two waits for one")
	assert.Equal(t, "opened", r.requests[1].State())
	r.svc.Advance(20 * time.Second)
	r.finish(0, succeed)
	assert.Equal(t, []string{"1 merged", "4 fresh", "2 merged", "3 fresh"}, r.states())
	assert.Equal(t, "merged", r.requests[0].State())
	r.finish(2, succeed)
	assert.Equal(t, []string{"1 merged", "4 fresh", "2 merged", "3 merged"}, r.states())

	car, _, err := r.trains.Get(ctx, r.ref(1))
	require.NoError(t, err)
	assert.Equal(t, []any{"Two", "ada", "main", serviceapi.PipelineStatusSuccess, "two", new(int64(30)),
		serviceapi.MergeRequestStateMerged, r.requests[1].ID(), r.app.ID()},
		[]any{car.MergeRequest.Title, car.User.Username, car.TargetBranch, car.Pipeline.Status, car.Pipeline.Ref,
			car.Duration, car.MergeRequest.State, car.MergeRequest.ID, car.MergeRequest.ProjectID})
	assert.Equal(t, r.svc.Now(), *car.MergedAt)
	assert.Equal(t, car.UpdatedAt, *car.MergedAt)

	for _, test := range []struct {
		branch string
		scope  serviceapi.MergeTrainScope
		want   []int64
	}{
		{"main", "", []int64{3, 2, 1}}, {"stable", "", []int64{4}}, {"none", "", nil},
		{"main", serviceapi.MergeTrainScopeActive, nil}, {"main", serviceapi.MergeTrainScopeComplete, []int64{3, 2, 1}},
		{"stable", serviceapi.MergeTrainScopeActive, []int64{4}}, {"stable", serviceapi.MergeTrainScopeComplete, nil},
	} {
		var found []int64
		options := &serviceapi.ListMergeTrainCarsOptions{TargetBranch: test.branch, Scope: test.scope}
		for car, err := range r.trains.All(ctx, mergeApp, options) {
			require.NoError(t, err)
			found = append(found, car.MergeRequest.IID)
		}
		assert.Equal(t, test.want, found, test)
	}
}

// TestServiceDropsFromMergeTrains checks what becomes of those behind a merge request that leaves
// the train.
func TestServiceDropsFromMergeTrains(t *testing.T) {
	r := newTrainTeam(t, "one", "two", "three")
	ctx := t.Context()
	r.add(0, 1, 2)
	before, _, err := r.trains.Get(ctx, r.ref(2))
	require.NoError(t, err)
	r.finish(1, fail)
	assert.Equal(t, []string{"1 fresh", "3 stale"}, r.states())
	assert.Equal(t, "opened", r.requests[1].State())
	assert.False(t, r.requests[1].WaitsForPipeline())
	notes := r.requests[1].Notes()
	assert.Equal(t, "removed this merge request from the merge train because its pipeline has not succeeded",
		notes[len(notes)-1].Body())
	_, _, err = r.trains.Get(ctx, r.ref(1))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "Merge Train Merge Request")
	r.svc.Advance(time.Second)
	assert.Equal(t, []string{"1 fresh", "3 fresh"}, r.states())
	after, _, err := r.trains.Get(ctx, r.ref(2))
	require.NoError(t, err)
	assert.Greater(t, after.Pipeline.ID, before.Pipeline.ID, "it began anew")

	s := as(t, r.svc, r.ada).MergeRequests
	_, _, err = s.CancelMergeWhenPipelineSucceeds(ctx, r.ref(0))
	require.NoError(t, err)
	assert.Equal(t, []string{"3 stale"}, r.states())
	r.finish(2, succeed)
	assert.Equal(t, []string{"3 stale"}, r.states(), "its pipeline was without the changes of today")
	r.svc.Advance(time.Second)
	r.add(0)
	r.app.Commit("three", "More", servicetest.Write("more.txt", "more"))
	r.finish(0, succeed)
	assert.Equal(t, []string{"1 fresh"}, r.states(), "the source branch of three has changed")
	r.requests[0].Close()
	assert.Empty(t, r.states())
}

// TestServiceMergesBesideTrains checks a merge that does not wait for the train.
func TestServiceMergesBesideTrains(t *testing.T) {
	r := newTrainTeam(t, "one", "two", "three", "four")
	ctx := t.Context()
	r.add(0, 1, 2, 3)
	s := as(t, r.svc, r.ada).MergeRequests
	_, _, err := s.Merge(ctx, r.ref(0), serviceapi.MergeOptions{SkipMergeTrain: new(true)})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 skip_merged", "2 fresh", "3 fresh", "4 fresh"}, r.states())
	_, _, err = s.Merge(ctx, r.ref(2), serviceapi.MergeOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 skip_merged", "2 fresh", "3 skip_merged", "4 stale"}, r.states())
	car, _, err := r.trains.Get(ctx, r.ref(2))
	require.NoError(t, err)
	assert.Equal(t, r.svc.Now(), *car.MergedAt)
	_, err = as(t, r.svc, r.svc.Root()).MergeRequests.Delete(ctx, r.ref(2))
	require.NoError(t, err)
	r.svc.Advance(time.Second)
	assert.Equal(t, []string{"1 skip_merged", "2 fresh", "4 fresh"}, r.states())
}

// TestServiceWaitsForMergeTrains checks that a merge request can wait for its own pipeline first.
func TestServiceWaitsForMergeTrains(t *testing.T) {
	r := newTrainTeam(t, "one", "two")
	r.app.Set("only_allow_merge_if_pipeline_succeeds", true)
	ctx := t.Context()
	own := r.app.Pipeline("one").Job("test", servicetest.Running())
	_, _, err := r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorContains(t, err, "400 Bad request - Failed to merge")
	for _, options := range []serviceapi.AddToMergeTrainOptions{
		{AutoMerge: new(true), Squash: new(true)}, {WhenPipelineSucceeds: new(true), Squash: new(true)},
	} {
		added, resp, err := r.trains.Add(ctx, r.ref(0), options)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
		assert.True(t, added.Waits)
		assert.Empty(t, added.Cars)
		_, _, err = as(t, r.svc, r.ada).MergeRequests.CancelMergeWhenPipelineSucceeds(ctx, r.ref(0))
		require.NoError(t, err)
	}
	_, _, err = r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{
		AutoMerge: new(true), Squash: new(true),
	})
	require.NoError(t, err)
	_, _, err = r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{AutoMerge: new(true)})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.ErrorContains(t, err, "Merge request is already set to Auto-Merge")
	_, _, err = r.trains.Get(ctx, r.ref(0))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	own.Succeed()
	assert.Equal(t, []string{"1 fresh"}, r.states(), "now it is on the train")
	r.finish(0, succeed)
	assert.Equal(t, []string{"1 merged"}, r.states())
	merged, _, err := as(t, r.svc, r.ada).MergeRequests.Get(ctx, r.ref(0), nil)
	require.NoError(t, err)
	assert.NotEmpty(t, merged.SquashCommitSHA)
	assert.Equal(t, "ada", merged.MergeUser.Username)
}

func TestServiceRefusesMergeTrains(t *testing.T) {
	r := newTrainTeam(t, "one", "two")
	ctx := t.Context()
	_, _, err := r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{SHA: new("abc")})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.ErrorContains(t, err, "SHA does not match HEAD of source branch: "+r.requests[0].SHA())
	r.add(0)
	_, _, err = r.trains.Add(ctx, r.ref(0), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrConflict, "it has an active car")
	_, _, err = as(t, r.svc, r.eve).MergeTrains.Add(ctx, r.ref(1), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)
	_, _, err = as(t, r.svc, guest).MergeTrains.List(ctx, mergeApp, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = as(t, r.svc, guest).MergeTrains.Add(ctx, r.ref(1), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	r.requests[1].SetDraft(true)
	_, _, err = r.trains.Add(ctx, r.ref(1), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "a draft")
	r.requests[1].SetDraft(false)
	r.app.Set("merge_trains_enabled", false)
	_, _, err = r.trains.Add(ctx, r.ref(1), serviceapi.AddToMergeTrainOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "without trains")
}

// TestServiceMergeTrainsWithoutPipelines checks that a car without a pipeline stays where it is.
func TestServiceMergeTrainsWithoutPipelines(t *testing.T) {
	r := newTrainTeam(t, "one", "two")
	r.app.CI()
	r.add(0, 1)
	assert.Equal(t, []string{"1 idle", "2 idle"}, r.states())
	r.app.CI(servicetest.PlanJob("test", servicetest.Running()))
	r.requests[0].Close()
	assert.Equal(t, []string{"2 stale"}, r.states())
	r.svc.Advance(time.Second)
	assert.Equal(t, []string{"2 fresh"}, r.states())
}

// TestServiceStartsNoPipelineOffTheTrain checks that only a car that is still on its train gets a
// pipeline.
func TestServiceStartsNoPipelineOffTheTrain(t *testing.T) {
	r := newTrainTeam(t, "one", "two")
	r.add(0)
	r.requests[0].Close()
	assert.Empty(t, r.states())
	assert.Empty(t, r.app.Pipelines())
	r.add(1)
	r.requests[1].Merge()
	assert.Equal(t, []string{"2 skip_merged"}, r.states())
	assert.Empty(t, r.app.Pipelines())
}
