package serviceapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunnersCreate(t *testing.T) {
	const token = "glrt-S3cr3t-t0ken"
	client := onWire(t,
		exchange{Method: "POST", Path: "/user/runners", JSON: `{"runner_type":"instance_type"}`, Status: 201, Body: `{"id":12,"token":"` + token + `","token_expires_at":null}`},
		exchange{
			Method: "POST", Path: "/user/runners", Status: 201, Body: `{"id":13,"token":"` + token + `","token_expires_at":"2026-04-01T10:00:00Z"}`,
			JSON: `{"runner_type":"project_type","project_id":7,"description":"build","paused":false,"locked":true,"run_untagged":true,
				"tag_list":["go","linux"],"access_level":"ref_protected","maximum_timeout":3600,"maintenance_note":"rack 4"}`,
		},
		exchange{Method: "POST", Path: "/user/runners", JSON: `{"runner_type":"group_type","group_id":5}`, Status: 201, Body: `{"id":13,"token":["` + token + `"]}`},
	)
	runner, _, err := client.Runners.Create(t.Context(), Instance, CreateRunnerOptions{})
	require.NoError(t, err)
	assert.Equal(t, &RegisteredRunner{ID: 12, Token: NewSecret(token)}, runner)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", runner, runner, runner), token)
	runner, _, err = client.Runners.Create(t.Context(), ProjectID(7), CreateRunnerOptions{
		Description: new("build"), Paused: new(false), Locked: new(true),
		RunUntagged: new(true), TagList: []string{"go", "linux"}, AccessLevel: new(RunnerAccessLevelRefProtected), MaximumTimeout: new(int64(3600)), MaintenanceNote: new("rack 4"),
	})
	require.NoError(t, err)
	assert.Equal(t, &RegisteredRunner{ID: 13, Token: NewSecret(token), TokenExpiresAt: at(t, "2026-04-01T10:00:00Z")}, runner)
	_, _, err = client.Runners.Create(t.Context(), GroupID(5), CreateRunnerOptions{})
	var wrong *DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, wrong), token, "no error quotes a response with a token")
}

// TestRunnersCreateRefuseBeforeSending checks that a runner always has an owner,
// and that the owner is one that the API can identify.
func TestRunnersCreateRefuseBeforeSending(t *testing.T) {
	s, ctx := onWire(t).Runners, t.Context()
	for _, owner := range []NewRunnerOwner{
		nil, GroupRef{}, ProjectRef{}, GroupID(0), ProjectID(-1), GroupPath("acme"), ProjectPath("acme/app"), new(GroupID(5)),
	} {
		assertRefused(t, "owner", errorOf(s.Create(ctx, owner, CreateRunnerOptions{})))
	}
}

func TestRunnersDeleteAndReset(t *testing.T) {
	const token = "glrt-an0ther"
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/runners/12", Status: 204},
		exchange{Method: "DELETE", Path: "/runners/12", Status: 403, Body: `{"message":"403 Forbidden"}`},
		exchange{Method: "POST", Path: "/runners/12/reset_authentication_token", Status: 201, Body: `{"token":"` + token + `","token_expires_at":"2026-04-01T10:00:00Z"}`},
		exchange{Method: "POST", Path: "/runners/12/reset_authentication_token", Status: 201, Body: `{"token":["` + token + `"]}`},
	)
	resp, err := client.Runners.Delete(t.Context(), 12)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Runners.Delete(t.Context(), 12)
	assert.ErrorIs(t, err, ErrForbidden)
	reset, _, err := client.Runners.ResetAuthenticationToken(t.Context(), 12)
	require.NoError(t, err)
	assert.Equal(t, &RunnerToken{Token: NewSecret(token), TokenExpiresAt: at(t, "2026-04-01T10:00:00Z")}, reset)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", reset, reset, reset), token)
	_, _, err = client.Runners.ResetAuthenticationToken(t.Context(), 12)
	require.Error(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), token)

	_, err = client.Runners.Delete(t.Context(), 0)
	assertRefused(t, "id", err)
	_, _, err = client.Runners.ResetAuthenticationToken(t.Context(), -1)
	assertRefused(t, "id", err)
}
