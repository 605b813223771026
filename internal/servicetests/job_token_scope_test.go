package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceJobTokenScope limits who may reach a project with the tokens of jobs.
func TestServiceJobTokenScope(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Maintainer))
	project := svc.Project("acme/app")
	project.Release("v1", "The first.")
	tool := svc.Project("acme/team/tool")
	client, ctx := as(t, svc, ada), t.Context()
	s := client.JobTokenScope
	job := tool.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.Running())
	own := project.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.Running())
	reach := func(job *servicetest.Job) error {
		_, _, err := with(t, svc, serviceapi.JobToken(job.Token())).Releases.Get(ctx, app, "v1", nil)
		return err
	}
	trigger := func() error {
		_, _, err := client.Triggers.Run(ctx, app,
			serviceapi.RunTriggerOptions{Token: serviceapi.NewSecret(job.Token()), Ref: "main"})
		return err
	}
	project.Commit("main", "Begin", servicetest.Write("a.txt", "a\n"))
	scope, _, err := s.Get(ctx, app)
	require.NoError(t, err)
	assert.False(t, scope.InboundEnabled)
	require.NoError(t, reach(job))
	require.NoError(t, trigger())

	_, err = s.Update(ctx, app, serviceapi.UpdateJobTokenScopeOptions{Enabled: true})
	require.NoError(t, err)
	scope, _, err = s.Get(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.JobTokenScope{InboundEnabled: true, OutboundEnabled: new(false)}, scope)
	require.ErrorIs(t, reach(job), serviceapi.ErrNotFound)
	require.ErrorIs(t, trigger(), serviceapi.ErrNotFound)
	require.NoError(t, reach(own), "a project always reaches itself")

	allowed, _, err := s.AddProject(ctx, app, serviceapi.AddAllowedProjectOptions{TargetProjectID: tool.ID()})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AllowedProject{SourceProjectID: project.ID(), TargetProjectID: tool.ID()}, allowed)
	require.NoError(t, reach(job))
	require.NoError(t, trigger())
	_, _, err = s.AddProject(ctx, app, serviceapi.AddAllowedProjectOptions{TargetProjectID: tool.ID()})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	projects, err := serviceapi.Collect(s.AllProjects(ctx, app, nil))
	require.NoError(t, err)
	require.Len(t, projects, 1)
	assert.Equal(t, "acme/team/tool", projects[0].PathWithNamespace)
	_, err = s.RemoveProject(ctx, app, projects[0].Ref())
	require.NoError(t, err)
	require.ErrorIs(t, reach(job), serviceapi.ErrNotFound)

	made, _, err := s.AddGroup(ctx, app, serviceapi.AddAllowedGroupOptions{TargetGroupID: group.ID()})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AllowedGroup{SourceProjectID: project.ID(), TargetGroupID: group.ID()}, made)
	require.NoError(t, reach(job), "of a group below")
	groups, err := serviceapi.Collect(s.AllGroups(ctx, app, nil))
	require.NoError(t, err)
	require.Len(t, groups, 1)
	assert.Equal(t, "Acme", groups[0].Name)
	_, err = s.RemoveGroup(ctx, app, groups[0].Ref())
	require.NoError(t, err)
	_, err = s.RemoveGroup(ctx, app, groups[0].Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	require.ErrorIs(t, reach(job), serviceapi.ErrNotFound)

	_, err = s.Update(ctx, app, serviceapi.UpdateJobTokenScopeOptions{})
	require.NoError(t, err)
	require.NoError(t, reach(job))
	secret := svc.Project("other/secret")
	_, _, err = s.AddProject(ctx, app, serviceapi.AddAllowedProjectOptions{TargetProjectID: secret.ID()})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "ada cannot see it")
	_, _, err = as(t, svc, svc.User("bob")).JobTokenScope.Get(ctx, app)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceJobTokenScopeForgets checks that what is gone is no longer allowed.
func TestServiceJobTokenScopeForgets(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	tool := svc.Project("acme/tool")
	admin, ctx := asRoot(t, svc), t.Context()
	_, _, err := admin.JobTokenScope.AddProject(ctx, app,
		serviceapi.AddAllowedProjectOptions{TargetProjectID: tool.ID()})
	require.NoError(t, err)
	_, err = admin.Projects.Delete(ctx, serviceapi.ProjectID(tool.ID()), nil)
	require.NoError(t, err)
	projects, _, err := admin.JobTokenScope.ListProjects(ctx, app, nil)
	require.NoError(t, err)
	assert.Empty(t, projects)
}
