package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatusChecks(t *testing.T) {
	const path = "/projects/acme%2Fapp/external_status_checks"
	body := "[" + fixture(t, "status_checks/status_check.json") + `,{"id":2,"protected_branches":[]}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path, Status: 401, Body: `{"message":"401 Unauthorized"}`})
	s, ctx, app := client.StatusChecks, t.Context(), serviceapi.ProjectPath("acme/app")
	branch := wholeProtection(6, "main")
	branch.ProjectID = new(int64(4))
	branch.CreatedAt, branch.UpdatedAt = at(t, "2026-03-01T08:46:00Z"), at(t, "2026-03-02T08:46:00Z")
	want := []*serviceapi.StatusCheck{{
		ID: 1, Name: "Compliance", ProjectID: 4, ExternalURL: "https://check.example/asked", HMAC: true,
		ProtectedBranches: []*serviceapi.ProtectedBranch{branch},
	}, {ID: 2, ProtectedBranches: []*serviceapi.ProtectedBranch{}}}
	checks, _, err := s.List(ctx, app, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, checks)
	assertFilled(t, checks[0])
	checks, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, checks)
	_, _, err = s.List(ctx, app, nil)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestStatusChecksChange(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/external_status_checks", "status_checks/status_check.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"name":"Compliance",
			"external_url":"https://check.example/asked","shared_secret":"s3cr3t-s3cr3t","protected_branch_ids":[6]}`},
		exchange{Method: "PUT", Path: path + "/1", Fixture: whole, JSON: `{"name":"Compliance",
			"external_url":"https://check.example/asked","shared_secret":"","protected_branch_ids":[]}`},
		exchange{Method: "PUT", Path: path + "/1", JSON: `{}`, Status: 401, Body: `{"message":["Not allowed"]}`},
		exchange{Method: "DELETE", Path: path + "/1", Status: 204},
		exchange{Method: "POST", Path: path, Status: 422, Body: `{"message":["Name has already been taken"]}`,
			JSON: `{"name":"a","external_url":"b"}`})
	s, ctx, app := client.StatusChecks, t.Context(), serviceapi.ProjectPath("acme/app")
	check, _, err := s.Create(ctx, app, serviceapi.CreateStatusCheckOptions{
		Name: "Compliance", ExternalURL: "https://check.example/asked",
		SharedSecret: serviceapi.NewSecret("s3cr3t-s3cr3t"), ProtectedBranchIDs: []int64{6},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{int64(1), "Compliance", int64(4), true, "main"},
		[]any{check.ID, check.Name, check.ProjectID, check.HMAC, check.ProtectedBranches[0].Name})
	check, _, err = s.Update(ctx, app, 1, serviceapi.UpdateStatusCheckOptions{
		Name: new("Compliance"), ExternalURL: new("https://check.example/asked"),
		SharedSecret: new(serviceapi.NewSecret("")), ProtectedBranchIDs: []int64{},
	})
	require.NoError(t, err)
	assert.Equal(t, "https://check.example/asked", check.ExternalURL)
	_, _, err = s.Update(ctx, app, 1, serviceapi.UpdateStatusCheckOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assert.ErrorContains(t, err, "Not allowed")
	_, err = s.Delete(ctx, app, 1)
	require.NoError(t, err)
	_, _, err = s.Create(ctx, app, serviceapi.CreateStatusCheckOptions{Name: "a", ExternalURL: "b"})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assertRefused(t, "ExternalURL", errorOf(s.Create(ctx, app, serviceapi.CreateStatusCheckOptions{Name: "a"})))
}

func TestStatusChecksOfMergeRequests(t *testing.T) {
	const path = "/projects/acme%2Fapp/merge_requests/7"
	listed := "[" + fixture(t, "status_checks/merge_request_status_check.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/status_checks", Query: "page=2", Body: listed},
		exchange{Method: "GET", Path: path + "/status_checks", Query: "per_page=100", Body: listed},
		exchange{Method: "POST", Path: path + "/status_check_responses", Status: 201,
			Fixture: "status_checks/response.json",
			JSON:    `{"sha":"6f1c","external_status_check_id":1,"status":"passed"}`},
		exchange{Method: "POST", Path: path + "/status_checks/1/retry", Status: 202,
			Body: `{"message":"202 Accepted"}`})
	s, ctx := client.StatusChecks, t.Context()
	request := serviceapi.ProjectPath("acme/app").MergeRequest(7)
	want := []*serviceapi.MergeRequestStatusCheck{{
		ID: 1, Name: "Compliance", ExternalURL: "https://check.example/asked",
		Status: serviceapi.StatusCheckStatusPassed,
	}}
	assertFilled(t, want[0])
	checks, _, err := s.ListForMergeRequest(ctx, request, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, checks)
	checks, err = serviceapi.Collect(s.AllForMergeRequest(ctx, request, nil))
	require.NoError(t, err)
	assert.Equal(t, want, checks)
	passed := serviceapi.SetStatusCheckStatusOptions{
		SHA: "6f1c", ExternalStatusCheckID: 1, Status: serviceapi.StatusCheckStatusPassed,
	}
	response, _, err := s.SetStatus(ctx, request, passed)
	require.NoError(t, err)
	assert.Equal(t, []any{int64(9), int64(7), "Greet", int64(1), "Compliance", true}, []any{response.ID,
		response.MergeRequest.IID, response.MergeRequest.Title, response.ExternalStatusCheck.ID,
		response.ExternalStatusCheck.Name, response.ExternalStatusCheck.HMAC})
	resp, err := s.Retry(ctx, request, 1)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	for field, options := range map[string]serviceapi.SetStatusCheckStatusOptions{
		"SHA":                   {ExternalStatusCheckID: 1, Status: serviceapi.StatusCheckStatusPassed},
		"ExternalStatusCheckID": {SHA: "6f1c", Status: serviceapi.StatusCheckStatusPassed},
		"Status":                {SHA: "6f1c", ExternalStatusCheckID: 1},
	} {
		assertRefused(t, field, errorOf(s.SetStatus(ctx, request, options)))
	}
}
