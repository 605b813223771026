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
