package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeFreezePeriod is testdata/freeze_periods/freeze_period.json.
func wholeFreezePeriod(t *testing.T) *serviceapi.FreezePeriod {
	return &serviceapi.FreezePeriod{
		ID: 19, FreezeStart: "0 23 * * 5", FreezeEnd: "0 7 * * 1", CronTimezone: "Europe/Berlin",
		CreatedAt: *at(t, "2026-01-05T17:01:02.167Z"), UpdatedAt: *at(t, "2026-01-06T17:06:41.566Z"),
	}
}

func TestFreezePeriods(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/freeze_periods", "freeze_periods/freeze_period.json"
	app, want := serviceapi.ProjectPath("acme/app"), wholeFreezePeriod(t)
	type c = serviceapi.Client
	assertPlainList(t, path, whole, want,
		func(c *c, ctx context.Context, o *serviceapi.ListOptions) (
			[]*serviceapi.FreezePeriod, *serviceapi.Response, error,
		) {
			return c.FreezePeriods.List(ctx, app, o)
		}, func(c *c, ctx context.Context, o *serviceapi.ListOptions) iter.Seq2[*serviceapi.FreezePeriod, error] {
			return c.FreezePeriods.All(ctx, app, o)
		})
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/19", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"freeze_start":"a","freeze_end":"b","cron_timezone":"c"}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"freeze_start":"a","freeze_end":"b"}`},
		exchange{Method: "PUT", Path: path + "/19", Fixture: whole,
			JSON: `{"freeze_start":"d","freeze_end":"e","cron_timezone":"f"}`},
		exchange{Method: "PUT", Path: path + "/19", Fixture: whole, JSON: `{}`},
		exchange{Method: "DELETE", Path: path + "/19", Status: 204})
	s, ctx := client.FreezePeriods, t.Context()
	got, _, err := s.Get(ctx, app, 19)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	for _, options := range []serviceapi.CreateFreezePeriodOptions{
		{FreezeStart: "a", FreezeEnd: "b", CronTimezone: new("c")}, {FreezeStart: "a", FreezeEnd: "b"},
	} {
		got, _, err = s.Create(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, options := range []serviceapi.UpdateFreezePeriodOptions{
		{FreezeStart: new("d"), FreezeEnd: new("e"), CronTimezone: new("f")}, {},
	} {
		got, _, err = s.Update(ctx, app, 19, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	resp, err := s.Delete(ctx, app, 19)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	assertRefused(t, "FreezeStart", errorOf(s.Create(ctx, app, serviceapi.CreateFreezePeriodOptions{FreezeEnd: "b"})))
	assertRefused(t, "FreezeEnd", errorOf(s.Create(ctx, app, serviceapi.CreateFreezePeriodOptions{FreezeStart: "a"})))
	assertRefused(t, "freeze_period_id", errorOf(s.Get(ctx, app, 0)))
	assertRefused(t, "freeze_period_id", errorOf(s.Update(ctx, app, -1, serviceapi.UpdateFreezePeriodOptions{})))
	assertRefused(t, "freeze_period_id", second(s.Delete(ctx, app, 0)))
}
