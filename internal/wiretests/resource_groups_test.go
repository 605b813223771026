package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const groupsOfApp = "/projects/acme%2Fapp/resource_groups"

// wholeResourceGroup is testdata/resource_groups/resource_group.json.
func wholeResourceGroup(t *testing.T) *serviceapi.ResourceGroup {
	return &serviceapi.ResourceGroup{
		ID: 3, Key: "deploy/eu", ProcessMode: serviceapi.ResourceGroupProcessModeNewestFirst,
		CreatedAt: *at(t, "2026-01-05T08:04:59.455Z"), UpdatedAt: *at(t, "2026-01-06T08:04:59.455Z"),
	}
}

// waitingJob is testdata/resource_groups/job.json.
func waitingJob(t *testing.T) *serviceapi.Job {
	return &serviceapi.Job{
		ID: 1154, Name: "deploy_to_eu", Stage: "deploy", Status: serviceapi.JobStatusWaitingForResource,
		FailureReason: serviceapi.JobFailureReasonScript, Ref: "main", Tag: true, Coverage: new(71.5),
		AllowFailure: true, CreatedAt: at(t, "2026-01-05T08:05:00Z"), StartedAt: at(t, "2026-01-05T08:06:00Z"),
		FinishedAt: at(t, "2026-01-05T08:07:00Z"), Duration: new(60.5), QueuedDuration: new(2.25),
		ErasedAt: at(t, "2026-01-06T08:07:00Z"), Archived: true,
		User: &serviceapi.User{UserSummary: serviceapi.UserSummary{
			ID: 7, Name: "Ada Lovelace", Username: "ada", State: "active",
		}},
		Commit:   &serviceapi.CommitSummary{ID: "2beba1a1cf3e3dc77ff49ea0f8c8d55d7919c033", Title: "Begin"},
		WebURL:   "https://service.example.com/acme/app/-/jobs/1154",
		Pipeline: &serviceapi.PipelineSummary{ID: 77, ProjectID: 4, Ref: "main", Status: "running"},
		Project:  &serviceapi.JobProject{CIJobTokenScopeEnabled: true},
	}
}

func TestResourceGroupsLists(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	app := serviceapi.ProjectPath("acme/app")
	assertPlainList(t, groupsOfApp, "resource_groups/resource_group.json", wholeResourceGroup(t),
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.ResourceGroup, *serviceapi.Response, error) {
			return c.ResourceGroups.List(ctx, app, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.ResourceGroup, error] {
			return c.ResourceGroups.All(ctx, app, o)
		})
	page := "[" + fixture(t, "resource_groups/job.json") + "]"
	const path = groupsOfApp + "/deploy%2Feu/upcoming_jobs"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: page},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: page})
	got, _, err := client.ResourceGroups.ListUpcomingJobs(t.Context(), app, "deploy/eu", &o{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Job{waitingJob(t)}, got)
	got, err = serviceapi.Collect(client.ResourceGroups.AllUpcomingJobs(t.Context(), app, "deploy/eu", nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Job{waitingJob(t)}, got)
}

func TestResourceGroups(t *testing.T) {
	const path, whole = groupsOfApp + "/deploy%2Feu", "resource_groups/resource_group.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "PUT", Path: path, JSON: `{"process_mode":"oldest_first"}`, Fixture: whole},
		exchange{Method: "PUT", Path: path, JSON: `{}`, Fixture: whole},
		exchange{Method: "GET", Path: path + "/current_job", Fixture: "resource_groups/job.json"},
		exchange{Method: "GET", Path: path + "/current_job", Body: "null"},
		exchange{Method: "GET", Path: path + "/current_job", Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.ResourceGroups, t.Context(), serviceapi.ProjectPath("acme/app")
	group, _, err := s.Get(ctx, app, "deploy/eu")
	require.NoError(t, err)
	assert.Equal(t, wholeResourceGroup(t), group)
	for _, options := range []serviceapi.UpdateResourceGroupOptions{
		{ProcessMode: new(serviceapi.ResourceGroupProcessModeOldestFirst)}, {},
	} {
		group, _, err = s.Update(ctx, app, "deploy/eu", options)
		require.NoError(t, err)
		assert.Equal(t, wholeResourceGroup(t), group)
	}
	job, _, err := s.CurrentJob(ctx, app, "deploy/eu")
	require.NoError(t, err)
	assert.Equal(t, waitingJob(t), job)
	job, resp, err := s.CurrentJob(ctx, app, "deploy/eu")
	require.NoError(t, err, "no job has the group")
	assert.Nil(t, job)
	assert.Equal(t, 200, resp.StatusCode)
	_, _, err = s.CurrentJob(ctx, app, "deploy/eu")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	assertRefused(t, "key", errorOf(s.Get(ctx, app, "")))
	assertRefused(t, "key", errorOf(s.CurrentJob(ctx, app, "")))
	assertRefused(t, "key", errorOf(s.Update(ctx, app, "", serviceapi.UpdateResourceGroupOptions{})))
	assertRefused(t, "key", errorOf(s.ListUpcomingJobs(ctx, app, "", nil)))
}
