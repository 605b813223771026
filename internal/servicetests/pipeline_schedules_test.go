package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceRunsSchedules checks that schedules start pipelines by the service's clock,
// with their variables and inputs, in the names of their owners.
func TestServiceRunsSchedules(t *testing.T) {
	svc := servicetest.New(t) // on a Thursday at 9 UTC
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	s, ctx := as(t, svc, ada).PipelineSchedules, t.Context()
	made, resp, err := s.Create(ctx, app, serviceapi.CreatePipelineScheduleOptions{
		Description: "Nightly", Ref: "main", Cron: "0 4 * * mon-fri", CronTimezone: new("Europe/Berlin"),
		Inputs: []serviceapi.NewPipelineScheduleInput{{Name: "zones", Value: []string{"eu"}}},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	friday := time.Date(2026, 1, 16, 3, 0, 0, 0, time.UTC)
	assert.Equal(t, []any{friday, "main", true, "ada"},
		[]any{*made.NextRunAt, made.Ref, made.Active, made.Owner.Username})
	assert.Nil(t, made.LastPipeline)
	assert.Empty(t, made.Variables)
	variable, _, err := s.CreateVariable(ctx, app, made.ID,
		serviceapi.CreatePipelineScheduleVariableOptions{Key: "TARGET", Value: serviceapi.NewSecret("live")})
	require.NoError(t, err)

	svc.Advance(5 * 24 * time.Hour) // past Friday, Monday and Tuesday
	started, err := serviceapi.Collect(s.AllPipelines(ctx, app, made.ID, nil))
	require.NoError(t, err)
	require.Len(t, started, 3)
	for i, after := range []time.Duration{0, 3 * 24 * time.Hour, 4 * 24 * time.Hour} {
		assert.Equal(t,
			[]any{friday.Add(after), serviceapi.PipelineSourceSchedule, "main", serviceapi.PipelineStatusSuccess},
			[]any{started[i].CreatedAt, started[i].Source, started[i].Ref, started[i].Status})
	}
	last := project.Pipelines()[2]
	assert.Equal(t, map[string]string{"TARGET": "live"}, last.Variables())
	assert.Equal(t, map[string]any{"zones": []any{"eu"}}, last.Inputs())
	pipeline, _, err := as(t, svc, ada).Pipelines.Get(ctx, app, last.ID())
	require.NoError(t, err)
	assert.Equal(t, "ada", pipeline.User.Username)
	got, _, err := s.Get(ctx, app, made.ID)
	require.NoError(t, err)
	assert.Equal(t, []any{last.ID(), friday.Add(5 * 24 * time.Hour)}, []any{got.LastPipeline.ID, *got.NextRunAt})
	assert.Equal(t, []*serviceapi.PipelineVariable{variable}, got.Variables)
	assert.JSONEq(t, `["eu"]`, string(got.Inputs[0].Value))

	paused, _, err := s.Update(ctx, app, made.ID, serviceapi.UpdatePipelineScheduleOptions{
		Active: new(false), Inputs: []serviceapi.PipelineScheduleInputChange{{Name: "zones", Destroy: true}},
	})
	require.NoError(t, err)
	assert.Empty(t, paused.Inputs)
	assert.NotNil(t, paused.NextRunAt, "also set while the schedule is not active")
	svc.Advance(7 * 24 * time.Hour)
	assert.Len(t, project.Pipelines(), 3, "the schedule is not active")
	inactive, err := serviceapi.Collect(s.All(ctx, app,
		&serviceapi.ListPipelineSchedulesOptions{Scope: serviceapi.PipelineScheduleScopeInactive}))
	require.NoError(t, err)
	require.Len(t, inactive, 1)
	assert.Equal(t, paused.NextRunAt, inactive[0].NextRunAt)

	_, err = s.Play(ctx, app, made.ID)
	require.NoError(t, err)
	newest, _, err := s.ListPipelines(ctx, app, made.ID,
		&serviceapi.ListScheduledPipelinesOptions{Sort: serviceapi.SortDescending})
	require.NoError(t, err)
	require.Len(t, newest, 4)
	assert.Equal(t, svc.Now(), newest[0].CreatedAt)
	_, err = s.Delete(ctx, app, made.ID)
	require.NoError(t, err)
	assert.Len(t, project.Pipelines(), 4, "pipelines stay")
	_, _, err = s.Get(ctx, app, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceKeepsSchedulesOfOwners checks who may change a schedule.
func TestServiceKeepsSchedulesOfOwners(t *testing.T) {
	svc := servicetest.New(t)
	ada, eve := svc.User("ada"), svc.User("eve")
	project := svc.Project("acme/app",
		servicetest.Member(ada, servicetest.Developer), servicetest.Member(eve, servicetest.Maintainer))
	schedule := project.PipelineSchedule("hourly", "@hourly", servicetest.By(ada), servicetest.ScheduledRef("side"),
		servicetest.ScheduleVariable("A", "1"), servicetest.ScheduledIn("UTC"))
	project.Commit("side", "Begin", servicetest.Write("a", "a\n"))
	own, other, ctx := as(t, svc, ada).PipelineSchedules, as(t, svc, eve).PipelineSchedules, t.Context()
	rename := serviceapi.UpdatePipelineScheduleOptions{Description: new("each hour")}
	_, _, err := other.Update(ctx, app, schedule.ID(), rename)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = own.TakeOwnership(ctx, app, schedule.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a Developer, even the owner")
	changed, _, err := own.UpdateVariable(ctx, app, schedule.ID(), "A",
		serviceapi.UpdatePipelineScheduleVariableOptions{Value: new(serviceapi.NewSecret("2"))})
	require.NoError(t, err)
	read, _, err := other.GetVariable(ctx, app, schedule.ID(), "A")
	require.NoError(t, err)
	assert.Equal(t, changed, read)

	taken, resp, err := other.TakeOwnership(ctx, app, schedule.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{201, "eve"}, []any{resp.StatusCode, taken.Owner.Username})
	_, resp, err = other.TakeOwnership(ctx, app, schedule.ID())
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode, "it is the caller's already")
	_, _, err = other.Update(ctx, app, schedule.ID(), rename)
	require.NoError(t, err)
	hidden, _, err := own.Get(ctx, app, schedule.ID())
	require.NoError(t, err)
	assert.Nil(t, hidden.Variables, "those of somebody else")
	_, _, err = own.DeleteVariable(ctx, app, schedule.ID(), "A")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	deleted, _, err := other.DeleteVariable(ctx, app, schedule.ID(), "A")
	require.NoError(t, err)
	assert.Equal(t, changed, deleted)

	svc.Advance(2 * time.Hour)
	require.Len(t, schedule.Pipelines(), 2)
	_, err = asRoot(t, svc).Users.Block(ctx, serviceapi.UserID(eve.ID()))
	require.NoError(t, err)
	svc.Advance(2 * time.Hour)
	assert.Len(t, schedule.Pipelines(), 2, "the owner may not run pipelines")
	assert.Equal(t, svc.Now().Add(time.Hour), schedule.NextRunAt())
}
