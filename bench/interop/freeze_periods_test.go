package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestFreezePeriods(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	s := e.admin.FreezePeriods
	made := got(s.CreateFreezePeriodOptions(app, &clientgo.CreateFreezePeriodOptions{
		FreezeStart: new("0 23 * * 5"), FreezeEnd: new("0 7 * * 1"), CronTimezone: new("Berlin"),
	})).ok(e, 201)
	assert.Equal(t, []any{"0 23 * * 5", "0 7 * * 1", "Berlin", e.svc.Now()},
		[]any{made.FreezeStart, made.FreezeEnd, made.CronTimezone, *made.CreatedAt})
	assert.Equal(t, made, got(s.GetFreezePeriod(app, made.ID)).ok(e, 200))
	assert.Equal(t, []*clientgo.FreezePeriod{made}, got(s.ListFreezePeriods(app, nil)).ok(e, 200))
	changed := got(s.UpdateFreezePeriodOptions(app, made.ID, &clientgo.UpdateFreezePeriodOptions{
		FreezeEnd: new("0 8 * * 1"),
	})).ok(e, 200)
	assert.Equal(t, []any{"0 23 * * 5", "0 8 * * 1"}, []any{changed.FreezeStart, changed.FreezeEnd})
	got(s.CreateFreezePeriodOptions(app, &clientgo.CreateFreezePeriodOptions{
		FreezeStart: new("x"), FreezeEnd: new("x"),
	})).refused(e, 400)
	wanted := []int64{made.ID, project.FreezePeriod("0 0 * * *", "0 1 * * *", ""),
		project.FreezePeriod("0 2 * * *", "0 3 * * *", "")}
	assert.Equal(t, wanted, each(walk1(e, s.ListFreezePeriods, app, nil),
		func(f *clientgo.FreezePeriod) int64 { return f.ID }))
	done(s.DeleteFreezePeriod(app, made.ID)).ok(e, 204)
	got(s.GetFreezePeriod(app, made.ID)).refused(e, 404)
}
