package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceStopsStaleEnvironments(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	old := project.Environment("review/old")
	guarded := project.Environment("review/guarded", servicetest.EnvironmentProtected())
	busy := project.Environment("review/busy")
	svc.Advance(30 * 24 * time.Hour)
	busy.Deployment()
	recent := project.Environment("review/recent")
	client, ctx := asRoot(t, svc).Environments, t.Context()
	day := func(days int) serviceapi.StopStaleEnvironmentsOptions {
		return serviceapi.StopStaleEnvironmentsOptions{Before: serviceapi.Date{Time: svc.Now().AddDate(0, 0, -days)}}
	}
	for _, days := range []int{0, 6, 3660} {
		_, err := client.StopStale(ctx, app, day(days))
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, days)
	}
	resp, err := client.StopStale(ctx, app, day(8))
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []string{"stopped", "available", "available", "available"},
		[]string{old.State(), guarded.State(), busy.State(), recent.State()})
}
