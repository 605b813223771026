package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorTracking(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	const settings, keys = "/projects/4/error_tracking/settings", "/projects/4/error_tracking/client_keys"
	const whole, wholeKey = "error_tracking/settings.json", "error_tracking/client_key.json"
	key := &serviceapi.ErrorTrackingClientKey{
		ID: 3, Active: true, PublicKey: "glet_aa77551d849c083f76d0bc545ed053a3",
		SentryDSN: "https://glet_aa77551d849c083f76d0bc545ed053a3@errors.example/api/v4/error_tracking/collector/4",
	}
	assertPlainList(t, keys, wholeKey, key,
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.ErrorTrackingClientKey, *serviceapi.Response, error) {
			return c.ErrorTracking.ListClientKeys(ctx, somewhere, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.ErrorTrackingClientKey, error] {
			return c.ErrorTracking.AllClientKeys(ctx, somewhere, o)
		})
	client := onWire(t,
		exchange{Method: "GET", Path: settings, Fixture: whole},
		exchange{Method: "PUT", Path: settings, Fixture: whole, JSON: `{"active":true,"integrated":false}`},
		exchange{Method: "PATCH", Path: settings, Fixture: whole, JSON: `{"active":false}`},
		exchange{Method: "PATCH", Path: settings, Fixture: whole, JSON: `{"active":true,"integrated":true}`},
		exchange{Method: "GET", Path: settings, Status: 404,
			Body: `{"message":"404 Error Tracking Setting Not Found"}`},
		exchange{Method: "POST", Path: keys, Status: 201, Fixture: wholeKey},
		exchange{Method: "DELETE", Path: keys + "/3", Fixture: wholeKey})
	s, ctx := client.ErrorTracking, t.Context()
	isWhole := func(got *serviceapi.ErrorTrackingSettings, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.ErrorTrackingSettings{Active: true, Integrated: true, ProjectName: "app",
			SentryExternalURL: "https://errors.example/app",
			APIURL:            "https://errors.example/api/0/projects/acme/app"}, got)
	}
	isWhole(s.Get(ctx, somewhere))
	isWhole(s.Set(ctx, somewhere, serviceapi.SetErrorTrackingOptions{Active: true}))
	isWhole(s.Update(ctx, somewhere, serviceapi.UpdateErrorTrackingOptions{}))
	isWhole(s.Update(ctx, somewhere, serviceapi.UpdateErrorTrackingOptions{Active: true, Integrated: new(true)}))
	assert.ErrorIs(t, errorOf(s.Get(ctx, somewhere)), serviceapi.ErrNotFound)
	made, resp, err := s.CreateClientKey(ctx, somewhere)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, key, made)
	gone, _, err := s.DeleteClientKey(ctx, somewhere, 3)
	require.NoError(t, err)
	assert.Equal(t, key, gone)
	assertRefused(t, "key_id", errorOf(s.DeleteClientKey(ctx, somewhere, 0)))
}

func TestGroupActivity(t *testing.T) {
	const path, query = "/analytics/group_activity/", "group_path=acme%2Fteam"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "issues_count", Query: query, Fixture: "group_activity/issues_count.json"},
		exchange{Method: "GET", Path: path + "merge_requests_count", Query: query,
			Fixture: "group_activity/merge_requests_count.json"},
		exchange{Method: "GET", Path: path + "new_members_count", Query: query,
			Fixture: "group_activity/new_members_count.json"},
		exchange{Method: "GET", Path: path + "issues_count", Query: query, Status: 404,
			Body: `{"message":"404 Group Not Found"}`})
	s, ctx, team := client.GroupActivity, t.Context(), serviceapi.GroupPath("acme/team")
	issues, _, err := s.CountIssues(ctx, team)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupIssuesCount{IssuesCount: 10}, issues)
	requests, _, err := s.CountMergeRequests(ctx, team)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupMergeRequestsCount{MergeRequestsCount: 11}, requests)
	people, _, err := s.CountNewMembers(ctx, team)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupNewMembersCount{NewMembersCount: 12}, people)
	assert.ErrorContains(t, errorOf(s.CountIssues(ctx, team)), "404 Group Not Found")
	for _, group := range []serviceapi.GroupRef{{}, serviceapi.GroupID(7)} {
		assertRefused(t, "group_path", errorOf(s.CountIssues(ctx, group)))
		assertRefused(t, "group_path", errorOf(s.CountMergeRequests(ctx, group)))
		assertRefused(t, "group_path", errorOf(s.CountNewMembers(ctx, group)))
	}
}
