package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const appTrains = "/projects/acme%2Fapp/merge_trains"

// mergedCar is merge_trains/car.json.
func mergedCar(t *testing.T) *serviceapi.MergeTrainCar {
	return &serviceapi.MergeTrainCar{
		ID: 110, MergeRequest: &serviceapi.MergeRequest{
			ID: 126, IID: 59, ProjectID: 20, Title: "Test MR 1580978354", Description: "Adds a test.",
			State: serviceapi.MergeRequestStateMerged, CreatedAt: at(t, "2026-02-06T08:39:14.883Z"),
			UpdatedAt: at(t, "2026-02-06T08:40:57.038Z"), WebURL: "https://service.test/acme/app/-/merge_requests/59",
		},
		User: &serviceapi.UserSummary{
			ID: 8, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
			PublicEmail: "ada@example.com", Locked: true,
			AvatarURL: "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
		},
		Pipeline: &serviceapi.Pipeline{
			ID: 246, IID: 3, ProjectID: 20, SHA: "bcc17a8ffd51be1afe45605e714085df28b80b13",
			Ref: "refs/merge-requests/59/train", Status: serviceapi.PipelineStatusSuccess, Name: "Train",
			Source: serviceapi.PipelineSourceMergeRequestEvent, CreatedAt: *at(t, "2026-02-06T08:40:42.410Z"),
			UpdatedAt: *at(t, "2026-02-06T08:40:46.912Z"), WebURL: "https://service.test/acme/app/-/pipelines/246",
		},
		CreatedAt: *at(t, "2026-02-06T08:39:47.217Z"), UpdatedAt: *at(t, "2026-02-06T08:40:57.720Z"),
		TargetBranch: "feature/1580973432", Status: serviceapi.MergeTrainCarStatusMerged,
		MergedAt: at(t, "2026-02-06T08:40:57.719Z"), Duration: new(int64(70)),
	}
}

func TestMergeTrainsLists(t *testing.T) {
	const train = appTrains + "/release%2F1"
	body := "[" + fixture(t, "merge_trains/car.json") + `,{"id":111,"pipeline":null,"merged_at":null,"duration":null}]`
	const query, every = "page=2&scope=active&sort=asc", "per_page=100"
	client := onWire(t,
		exchange{Method: "GET", Path: appTrains, Query: query, Body: body},
		exchange{Method: "GET", Path: appTrains, Query: every, Body: body},
		exchange{Method: "GET", Path: train, Query: query, Body: body},
		exchange{Method: "GET", Path: train, Query: every, Body: body})
	s, ctx, app := client.MergeTrains, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.MergeTrainCar{mergedCar(t), {ID: 111}}
	wants := func(cars []*serviceapi.MergeTrainCar, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, cars)
	}
	options := &serviceapi.ListMergeTrainCarsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, Scope: serviceapi.MergeTrainScopeActive,
		Sort: serviceapi.SortAscending,
	}
	cars, _, err := s.List(ctx, app, options)
	wants(cars, err)
	wants(serviceapi.Collect(s.All(ctx, app, nil)))
	options.TargetBranch = "release/1"
	cars, _, err = s.List(ctx, app, options)
	wants(cars, err)
	wants(serviceapi.Collect(s.All(ctx, app, &serviceapi.ListMergeTrainCarsOptions{TargetBranch: "release/1"})))
	options.TargetBranch = ".."
	assertRefused(t, "TargetBranch", errorOf(s.List(ctx, app, options)))
}

// TestMergeTrainsAdd checks that a merge request on the train is told apart from one that waits.
func TestMergeTrainsAdd(t *testing.T) {
	const path = appTrains + "/merge_requests/59"
	car := fixture(t, "merge_trains/car.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "merge_trains/car.json"},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Merge Train Merge Request Not Found"}`},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 201, Body: "[" + car + "]"},
		exchange{Method: "POST", Path: path, Status: 202, Body: "[]",
			JSON: `{"auto_merge":true,"squash":false,"sha":"abc","when_pipeline_succeeds":true}`},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 409,
			Body: `{"message":"Merge request is already set to Auto-Merge"}`},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 201, Body: `[{"id":"x","status":"idle"}]`})
	s, ctx, mr := client.MergeTrains, t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(59)
	got, _, err := s.Get(ctx, mr)
	require.NoError(t, err)
	assert.Equal(t, mergedCar(t), got)
	assert.ErrorIs(t, errorOf(s.Get(ctx, mr)), serviceapi.ErrNotFound)
	added, _, err := s.Add(ctx, mr, serviceapi.AddToMergeTrainOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeTrainAddition{Cars: []*serviceapi.MergeTrainCar{mergedCar(t)}}, added)
	added, resp, err := s.Add(ctx, mr, serviceapi.AddToMergeTrainOptions{
		AutoMerge: new(true), Squash: new(false), SHA: new("abc"), WhenPipelineSucceeds: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeTrainAddition{Cars: []*serviceapi.MergeTrainCar{}, Waits: true}, added)
	assert.Equal(t, 202, resp.StatusCode)
	added, resp, err = s.Add(ctx, mr, serviceapi.AddToMergeTrainOptions{})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.Nil(t, added)
	assert.Equal(t, 409, resp.StatusCode)
	added, _, err = s.Add(ctx, mr, serviceapi.AddToMergeTrainOptions{})
	var partial *serviceapi.DecodeError
	require.ErrorAs(t, err, &partial)
	require.NotNil(t, added, "it was added, whatever the service says of it")
	assert.Equal(t, serviceapi.MergeTrainCarStatusIdle, added.Cars[0].Status)
	mr = serviceapi.MergeRequestRef{}
	assertRefused(t, "merge request", errorOf(s.Add(ctx, mr, serviceapi.AddToMergeTrainOptions{})))
}
