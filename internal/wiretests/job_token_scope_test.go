package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const scopePath = "/projects/acme%2Fapp/job_token_scope"

func TestJobTokenScope(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: scopePath, Fixture: "job_token_scope/scope.json"},
		exchange{Method: "GET", Path: scopePath, Body: `{"inbound_enabled":false}`},
		exchange{Method: "PATCH", Path: scopePath, JSON: `{"enabled":true}`, Status: 204},
		exchange{Method: "PATCH", Path: scopePath, JSON: `{"enabled":false}`, Status: 204})
	s, ctx, app := client.JobTokenScope, t.Context(), serviceapi.ProjectPath("acme/app")
	scope, _, err := s.Get(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.JobTokenScope{InboundEnabled: true, OutboundEnabled: new(true)}, scope)
	scope, _, err = s.Get(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.JobTokenScope{}, scope, "18.0 has no other limit")
	for _, enabled := range []bool{true, false} {
		resp, err := s.Update(ctx, app, serviceapi.UpdateJobTokenScopeOptions{Enabled: enabled})
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
	assertRefused(t, "id", errorOf(s.Get(ctx, serviceapi.ProjectRef{})))
}

func TestJobTokenScopeProjects(t *testing.T) {
	const path = scopePath + "/allowlist"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: `[{"id":9,"path":"tool"}]`},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: `[{"id":9,"path":"tool"}]`},
		exchange{Method: "POST", Path: path, JSON: `{"target_project_id":9}`, Status: 201,
			Fixture: "job_token_scope/allowed_project.json"},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx, app := client.JobTokenScope, t.Context(), serviceapi.ProjectPath("acme/app")
	projects, _, err := s.ListProjects(ctx, app, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{{ID: 9, Path: "tool"}}, projects)
	projects, err = serviceapi.Collect(s.AllProjects(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{{ID: 9, Path: "tool"}}, projects)
	allowed, _, err := s.AddProject(ctx, app, serviceapi.AddAllowedProjectOptions{TargetProjectID: 9})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AllowedProject{SourceProjectID: 4, TargetProjectID: 9}, allowed)
	resp, err := s.RemoveProject(ctx, app, serviceapi.ProjectID(9))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	assertRefused(t, "TargetProjectID", errorOf(s.AddProject(ctx, app, serviceapi.AddAllowedProjectOptions{})))
	_, err = s.RemoveProject(ctx, app, serviceapi.ProjectPath("acme/tool"))
	assertRefused(t, "project", err)
	_, err = s.RemoveProject(ctx, app, serviceapi.ProjectRef{})
	assertRefused(t, "target_project_id", err)
	assertRefused(t, "PerPage", errorOf(s.ListProjects(ctx, app, &serviceapi.ListOptions{PerPage: -1})))
}

func TestJobTokenScopeGroups(t *testing.T) {
	const path = scopePath + "/groups_allowlist"
	whole := "[" + fixture(t, "job_token_scope/group.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "POST", Path: path, JSON: `{"target_group_id":7}`, Status: 201,
			Fixture: "job_token_scope/allowed_group.json"},
		exchange{Method: "DELETE", Path: path + "/7", Status: 204})
	s, ctx, app := client.JobTokenScope, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.GroupSummary{{ID: 7, Name: "Acme", WebURL: "https://service.test/groups/acme"}}
	groups, _, err := s.ListGroups(ctx, app, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, want, groups)
	groups, err = serviceapi.Collect(s.AllGroups(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, groups)
	allowed, _, err := s.AddGroup(ctx, app, serviceapi.AddAllowedGroupOptions{TargetGroupID: 7})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AllowedGroup{SourceProjectID: 4, TargetGroupID: 7}, allowed)
	resp, err := s.RemoveGroup(ctx, app, serviceapi.GroupID(7))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	assertRefused(
		t,
		"TargetGroupID",
		errorOf(s.AddGroup(ctx, app, serviceapi.AddAllowedGroupOptions{TargetGroupID: -7})),
	)
	_, err = s.RemoveGroup(ctx, app, serviceapi.GroupPath("acme"))
	assertRefused(t, "group", err)
}
