package wiretests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeController is testdata/runner_controllers/controller.json.
func wholeController(t *testing.T) *serviceapi.RunnerController {
	return &serviceapi.RunnerController{
		ID: 7, Description: "Only signed images", State: serviceapi.RunnerControllerStateDryRun,
		CreatedAt: *at(t, "2026-01-14T09:00:00Z"), UpdatedAt: *at(t, "2026-01-15T10:30:00Z"), Connected: new(true),
	}
}

// wholeControllerToken is testdata/runner_controllers/token.json.
func wholeControllerToken(t *testing.T) *serviceapi.RunnerControllerToken {
	return &serviceapi.RunnerControllerToken{
		ID: 5, RunnerControllerID: 7, Description: "cluster east", LastUsedAt: at(t, "2026-01-15T11:00:00Z"),
		CreatedAt: *at(t, "2026-01-14T09:30:00Z"), UpdatedAt: *at(t, "2026-01-14T09:31:00Z"),
	}
}

func TestRunnerControllersLists(t *testing.T) {
	controllers := "[" + fixture(t, "runner_controllers/controller.json") + "]"
	tokens := "[" + fixture(t, "runner_controllers/token.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/runner_controllers", Query: "page=2&per_page=5", Body: controllers},
		exchange{Method: "GET", Path: "/runner_controllers", Query: "per_page=100", Body: controllers},
		exchange{Method: "GET", Path: "/runner_controllers/7/tokens", Query: "page=2&per_page=5", Body: tokens},
		exchange{Method: "GET", Path: "/runner_controllers/7/tokens", Query: "per_page=100", Body: tokens})
	s, ctx, second := client.RunnerControllers, t.Context(), &serviceapi.ListOptions{Page: 2, PerPage: 5}
	listed, _, err := s.List(ctx, second)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerController{wholeController(t)}, listed)
	listed, err = serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerController{wholeController(t)}, listed)
	issued, _, err := s.ListTokens(ctx, 7, second)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerControllerToken{wholeControllerToken(t)}, issued)
	issued, err = serviceapi.Collect(s.AllTokens(ctx, 7, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerControllerToken{wholeControllerToken(t)}, issued)
}

func TestRunnerControllersLifeCycle(t *testing.T) {
	const whole = "runner_controllers/controller.json"
	client := onWire(t,
		exchange{Method: "POST", Path: "/runner_controllers", Status: 201, Fixture: whole, JSON: `{}`},
		exchange{Method: "POST", Path: "/runner_controllers", Status: 201, Fixture: whole,
			JSON: `{"description":"Only signed images","state":"dry_run"}`},
		exchange{Method: "GET", Path: "/runner_controllers/7", Fixture: whole},
		exchange{Method: "PUT", Path: "/runner_controllers/7", Fixture: whole,
			JSON: `{"description":"","state":"enabled"}`},
		exchange{Method: "DELETE", Path: "/runner_controllers/7", Status: 204})
	s, ctx := client.RunnerControllers, t.Context()
	whichIs := func(got *serviceapi.RunnerController, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeController(t), got)
		assertFilled(t, got)
	}
	whichIs(s.Create(ctx, serviceapi.CreateRunnerControllerOptions{}))
	whichIs(s.Create(ctx, serviceapi.CreateRunnerControllerOptions{
		Description: new("Only signed images"), State: new(serviceapi.RunnerControllerStateDryRun),
	}))
	whichIs(s.Get(ctx, 7))
	whichIs(s.Update(ctx, 7, serviceapi.UpdateRunnerControllerOptions{
		Description: new(""), State: new(serviceapi.RunnerControllerStateEnabled),
	}))
	resp, err := s.Delete(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestRunnerControllersScopes(t *testing.T) {
	const path = "/runner_controllers/7/scopes"
	const ofRunner = `{"runner_id":33,"created_at":"2026-01-14T09:20:00.000Z","updated_at":"2026-01-14T09:21:00.000Z"}`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "runner_controllers/scopes.json"},
		exchange{Method: "POST", Path: path + "/instance", Status: 201,
			Body: `{"created_at":"2026-01-14T09:10:00.000Z","updated_at":"2026-01-14T09:11:00.000Z"}`},
		exchange{Method: "DELETE", Path: path + "/instance", Status: 204},
		exchange{Method: "POST", Path: path + "/runners/33", Status: 201, Body: ofRunner},
		exchange{Method: "DELETE", Path: path + "/runners/33", Status: 204})
	s, ctx := client.RunnerControllers, t.Context()
	want := &serviceapi.RunnerControllerScopes{
		InstanceLevelScopings: []*serviceapi.RunnerControllerScope{
			{CreatedAt: *at(t, "2026-01-14T09:10:00Z"), UpdatedAt: *at(t, "2026-01-14T09:11:00Z")},
		},
		RunnerLevelScopings: []*serviceapi.RunnerControllerScope{{
			RunnerID: new(int64(33)), CreatedAt: *at(t, "2026-01-14T09:20:00Z"),
			UpdatedAt: *at(t, "2026-01-14T09:21:00Z"),
		}},
	}
	scopes, _, err := s.GetScopes(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, want, scopes)
	added, _, err := s.AddInstanceScope(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, want.InstanceLevelScopings[0], added)
	resp, err := s.RemoveInstanceScope(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	added, _, err = s.AddRunnerScope(ctx, 7, 33)
	require.NoError(t, err)
	assert.Equal(t, want.RunnerLevelScopings[0], added)
	resp, err = s.RemoveRunnerScope(ctx, 7, 33)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestRunnerControllersTokens(t *testing.T) {
	const path, issued = "/runner_controllers/7/tokens", "runner_controllers/issued.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/5", Fixture: "runner_controllers/token.json"},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: issued, JSON: `{"description":"cluster east"}`},
		exchange{Method: "POST", Path: path + "/4/rotate", Fixture: issued},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204})
	s, ctx := client.RunnerControllers, t.Context()
	got, _, err := s.GetToken(ctx, 7, 5)
	require.NoError(t, err)
	assert.Equal(t, wholeControllerToken(t), got)
	want := wholeControllerToken(t)
	want.LastUsedAt, want.Token = nil, serviceapi.NewSecret("controller-S3cr3t")
	isIssued := func(got *serviceapi.RunnerControllerToken, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.NotContains(t, fmt.Sprintf("%+v", *got), "S3cr3t")
	}
	isIssued(s.CreateToken(ctx, 7, serviceapi.CreateRunnerControllerTokenOptions{Description: new("cluster east")}))
	isIssued(s.RotateToken(ctx, 7, 4))
	resp, err := s.RevokeToken(ctx, 7, 5)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

// A rotation whose response is lost or cannot be read is not repeated: a second one would revoke the
// token that nobody has seen. Nothing of the token is quoted.
func TestRunnerControllersRotationIsNotRepeated(t *testing.T) {
	const path = "/runner_controllers/7/tokens/5/rotate"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Body: `{"token":["s3cr3t"]}`},
		exchange{Method: "POST", Path: path, Status: 502})
	for range 2 {
		_, _, err := client.RunnerControllers.RotateToken(t.Context(), 7, 5)
		require.Error(t, err)
		assert.NotContains(t, fmt.Sprintf("%+v", err), "s3cr3t")
	}
}

func TestRunnerControllersArguments(t *testing.T) {
	s, ctx := onWire(t).RunnerControllers, t.Context()
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "runner_id", errorOf(s.AddRunnerScope(ctx, 7, -1)))
	assertRefused(t, "token_id", errorOf(s.RotateToken(ctx, 7, 0)))
	assertRefused(t, "token_id", second(s.RevokeToken(ctx, 7, 0)))
}
