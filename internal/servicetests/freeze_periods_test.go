package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceFreezePeriods goes through the life of a freeze period, and asks at its bounds
// whether the project is frozen. The service's clock begins on a Thursday, at nine.
func TestServiceFreezePeriods(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	c, ctx := asRoot(t, svc).FreezePeriods, t.Context()
	made, resp, err := c.Create(ctx, app, serviceapi.CreateFreezePeriodOptions{
		FreezeStart: "0 23 * * 4", FreezeEnd: "0 7 * * 5", CronTimezone: new("Europe/Berlin"),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.FreezePeriod{
		ID: 1, FreezeStart: "0 23 * * 4", FreezeEnd: "0 7 * * 5", CronTimezone: "Europe/Berlin",
		CreatedAt: svc.Now(), UpdatedAt: svc.Now(),
	}, made)
	frozen := []bool{project.Frozen()}
	for _, hours := range []time.Duration{12, 1, 7, 1} { // 21, 22, 5 and 6 o'clock UTC
		svc.Advance(hours * time.Hour)
		frozen = append(frozen, project.Frozen())
	}
	assert.Equal(t, []bool{false, false, true, true, false}, frozen)

	changed, _, err := c.Update(ctx, app, 1, serviceapi.UpdateFreezePeriodOptions{FreezeEnd: new("0 8 * * 5")})
	require.NoError(t, err)
	assert.Equal(t, []any{"0 8 * * 5", svc.Now()}, []any{changed.FreezeEnd, changed.UpdatedAt})
	assert.True(t, project.Frozen(), "it lasts an hour longer")
	_, _, err = c.Update(ctx, app, 1, serviceapi.UpdateFreezePeriodOptions{CronTimezone: new("Nowhere")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, []string{"syntax is invalid"}, refused.Fields["cron_timezone"])

	seeded := project.FreezePeriod("0 0 24 12 *", "0 0 27 12 *", "")
	all, err := serviceapi.Collect(c.All(ctx, app, nil))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, []any{changed, seeded, "UTC"}, []any{all[0], all[1].ID, all[1].CronTimezone})
	_, err = c.Delete(ctx, app, 1)
	require.NoError(t, err)
	assert.False(t, project.Frozen())
	_, _, err = c.Get(ctx, app, 1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceFreezePeriodsInATimeZone compares what lasts at 9 o'clock UTC.
func TestServiceFreezePeriodsInATimeZone(t *testing.T) {
	for zone, lasts := range map[string]bool{"Asia/Tokyo": true, "": false} {
		project := servicetest.New(t).Project("acme/app")
		project.FreezePeriod("0 18 * * *", "0 19 * * *", zone)
		assert.Equal(t, lasts, project.Frozen(), zone)
	}
}
