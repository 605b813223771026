package serviceapi

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeploymentsDelete(t *testing.T) {
	const path = "/projects/acme%2Fapp/deployments/42"
	client := onWire(t,
		exchange{Method: "DELETE", Path: path, Status: 204},
		exchange{Method: "DELETE", Path: path, Status: 400, Body: `{"message":"Cannot destroy running deployment"}`},
	)
	resp, err := client.Deployments.Delete(t.Context(), ProjectPath("acme/app"), 42)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Deployments.Delete(t.Context(), ProjectPath("acme/app"), 42)
	assert.ErrorIs(t, err, ErrBadRequest)
	_, err = client.Deployments.Delete(t.Context(), ProjectID(1), 0)
	assertRefused(t, "deployment_id", err)
}

func TestDeploymentsWait(t *testing.T) {
	for _, end := range []DeploymentStatus{DeploymentStatusSuccess, DeploymentStatusFailed, DeploymentStatusCanceled, DeploymentStatusBlocked} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
				status(200, `{"id":42,"status":"created"}`), status(200, `{"id":42,"status":"running"}`), status(200, `{"id":42,"status":"`+string(end)+`"}`))
			deployment, err := client.Deployments.Wait(t.Context(), ProjectID(4), 42)
			require.NoError(t, err)
			assert.Equal(t, &Deployment{ID: 42, Status: end}, deployment)
			assert.Len(t, s.times, 3)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `{"id":42,"status":"running"}`), status(404, `{"message":"404 Not found"}`))
		deployment, err := client.Deployments.Wait(t.Context(), ProjectID(4), 42)
		require.ErrorIs(t, err, ErrNotFound)
		assert.Equal(t, &Deployment{ID: 42, Status: DeploymentStatusRunning}, deployment)
	})
	_, err := onWire(t).Deployments.Wait(t.Context(), ProjectID(4), 0)
	assertRefused(t, "deployment_id", err)
}
