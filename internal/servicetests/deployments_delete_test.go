package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceDeletesDeployments(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	live := project.Environment("live")
	first := live.Deployment()
	running := live.Deployment(servicetest.DeploymentStatus("running"))
	last := live.Deployment()
	client, ctx := asRoot(t, svc).Deployments, t.Context()
	_, err := as(t, svc, ada).Deployments.Delete(ctx, app, first.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	for _, d := range []*servicetest.Deployment{running, last} {
		_, err = client.Delete(ctx, app, d.ID())
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, d)
	}
	resp, err := client.Delete(ctx, app, first.ID())
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, _, err = client.Get(ctx, app, first.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	svc.After(time.Minute, func() { running.SetStatus("failed") })
	svc.Advance(time.Hour)
	ended, err := client.Wait(ctx, app, running.ID())
	require.NoError(t, err)
	assert.Equal(t, serviceapi.DeploymentStatusFailed, ended.Status)
}
