package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceDeletesEverythingBelow checks that nothing that belonged to a
// deleted project or group can be found in any list.
func TestServiceDeletesEverythingBelow(t *testing.T) {
	for name, remove := range map[string]func(*serviceapi.Client) error{
		"project": func(c *serviceapi.Client) error {
			_, err := c.Projects.Delete(t.Context(), serviceapi.ProjectPath("acme/team/app"), nil)
			return err
		},
		"group": func(c *serviceapi.Client) error {
			_, err := c.Groups.Delete(t.Context(), serviceapi.GroupPath("acme"), nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			svc := servicetest.New(t)
			app := svc.Project("acme/team/app")
			other := svc.Project("other/lib")
			other.Issue("Stays")
			pipeline := app.Pipeline("main")
			token := pipeline.Job("test", servicetest.Running()).Token()
			app.Issue("Goes")
			app.MergeRequest("greeting")
			app.DeployKey("machine")
			image := app.RegistryRepository("web")
			runner := svc.Runner("own", servicetest.ForProjects(app))
			app.Variable("KEY", "value")
			access := app.AccessToken(servicetest.Maintainer)
			app.Environment("production").Deployment()
			root, ctx := asRoot(t, svc), t.Context()

			require.NoError(t, remove(root))
			assert.False(t, app.Exists())
			assert.True(t, other.Exists())
			for what, err := range map[string]error{
				"project":    errorOf(root.Projects.Get(ctx, serviceapi.ProjectID(app.ID()), nil)),
				"variables":  errorOf(root.Variables.List(ctx, serviceapi.ProjectID(app.ID()), nil)),
				"repository": errorOf(root.Registry.GetRepository(ctx, image.ID(), nil)),
				"runner":     errorOf(root.Runners.Get(ctx, runner.ID())),
			} {
				assert.ErrorIs(t, err, serviceapi.ErrNotFound, what)
			}
			requests, err := serviceapi.Collect(root.MergeRequests.All(ctx, serviceapi.Instance,
				&serviceapi.ListMergeRequestsOptions{Scope: "all"}))
			require.NoError(t, err)
			assert.Empty(t, requests)
			keys, err := serviceapi.Collect(root.DeployKeys.All(ctx, serviceapi.Instance, nil))
			require.NoError(t, err)
			assert.Empty(t, keys)
			_, _, err = with(t, svc, serviceapi.JobToken(token)).Jobs.Current(ctx)
			assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "job tokens")
			assert.False(t, svc.TokenWorks(access), "access tokens")
			assert.Equal(t, []string{"other/lib"}, pathsOf(t, root, serviceapi.Instance, nil))

			again := svc.Project("acme/team/app")
			assert.NotEqual(t, app.ID(), again.ID())
			assert.Empty(t, again.Jobs(), "a project in the same place begins anew")
			_, found := again.VariableValue("KEY", "*")
			assert.False(t, found)
		})
	}
}

func TestServiceDeletesGroups(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	team := svc.Group("acme/team")
	elsewhere := svc.Project("other/lib")
	elsewhere.ShareWith(team, servicetest.Developer)
	bob := svc.User("bob")
	team.AddMember(bob, servicetest.Developer)
	root, ctx := asRoot(t, svc), t.Context()

	_, err := as(t, svc, bob).Groups.Delete(ctx, serviceapi.GroupPath("acme/team"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	resp, err := root.Groups.Delete(ctx, serviceapi.GroupPath("acme"), nil)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.False(t, acme.Exists() || team.Exists())
	_, _, err = as(t, svc, bob).Projects.Get(ctx, serviceapi.ProjectID(elsewhere.ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "what was shared with the group")
}

func TestServiceDelaysDeletion(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(7*24*time.Hour))
	app, team := svc.Project("acme/app"), svc.Group("acme/team")
	root, ctx := asRoot(t, svc), t.Context()
	byPath := serviceapi.ProjectPath("acme/app")

	_, err := root.Projects.Delete(ctx, byPath, &serviceapi.DeleteProjectOptions{PermanentlyRemove: true,
		FullPath: "acme/app"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is not marked yet")
	_, err = root.Projects.Delete(ctx, byPath, nil)
	require.NoError(t, err)
	marked, _, err := root.Projects.Get(ctx, byPath, nil)
	require.NoError(t, err)
	assert.Equal(t, "2026-01-15", marked.MarkedForDeletionOn.String())
	_, err = root.Projects.Delete(ctx, byPath, &serviceapi.DeleteProjectOptions{PermanentlyRemove: true,
		FullPath: "acme/other"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "the path confirms it")
	_, err = root.Projects.Delete(ctx, byPath, &serviceapi.DeleteProjectOptions{PermanentlyRemove: true,
		FullPath: "acme/app"})
	require.NoError(t, err)
	assert.False(t, app.Exists())

	_, err = root.Groups.Delete(ctx, serviceapi.GroupPath("acme/team"), nil)
	require.NoError(t, err)
	assert.True(t, team.Exists())
	svc.Advance(7 * 24 * time.Hour)
	assert.False(t, team.Exists())
	_, err = root.Groups.Delete(ctx, serviceapi.GroupPath("acme"),
		&serviceapi.DeleteGroupOptions{PermanentlyRemove: true, FullPath: "acme"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "not a top-level group")
}

// errorOf is the error of a call.
func errorOf[T any](_ T, _ *serviceapi.Response, err error) error { return err }
