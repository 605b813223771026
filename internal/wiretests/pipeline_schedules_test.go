package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const schedulesOfApp = "/projects/acme%2Fapp/pipeline_schedules"

// nightlySchedule is pipeline_schedules/schedule.json.
func nightlySchedule(t *testing.T) *serviceapi.PipelineSchedule {
	return &serviceapi.PipelineSchedule{
		ID: 13, Description: "Nightly build", Ref: "refs/heads/main", Cron: "0 4 * * 1-5",
		CronTimezone: "Europe/Berlin",
		NextRunAt:    at(t, "2026-03-02T03:00:00Z"), Active: true, CreatedAt: *at(t, "2026-01-07T09:53:58.235Z"),
		UpdatedAt: *at(t, "2026-02-27T03:00:04.5Z"), Owner: &adaWithPicture,
		Inputs: []*serviceapi.PipelineScheduleInput{{Name: "zones", Value: json.RawMessage(`["eu", "us"]`)}},
	}
}

// assertNightlySchedule compares a schedule with pipeline_schedules/schedule_details.json.
func assertNightlySchedule(t *testing.T, got *serviceapi.PipelineScheduleDetails, err error) {
	t.Helper()
	require.NoError(t, err)
	require.Len(t, got.Inputs, 1)
	assert.JSONEq(t, `["eu","us"]`, string(got.Inputs[0].Value))
	list, entry := nightlySchedule(t), nightlyEntry(t)
	want := &serviceapi.PipelineScheduleDetails{
		PipelineSchedule: serviceapi.PipelineSchedule{
			ID: list.ID, Description: list.Description, Ref: list.Ref, Cron: list.Cron, CronTimezone: list.CronTimezone,
			NextRunAt: list.NextRunAt, Active: true, CreatedAt: list.CreatedAt, UpdatedAt: list.UpdatedAt,
			Owner:  list.Owner,
			Inputs: []*serviceapi.PipelineScheduleInput{{Name: "zones", Value: got.Inputs[0].Value}},
		},
		LastPipeline: &serviceapi.PipelineSummary{
			ID: entry.ID, IID: entry.IID, ProjectID: entry.ProjectID, Source: entry.Source, Ref: entry.Ref,
			SHA:    entry.SHA,
			Status: entry.Status, CreatedAt: &entry.CreatedAt, UpdatedAt: &entry.UpdatedAt, WebURL: entry.WebURL,
			Name: entry.Name,
		},
		Variables: []*serviceapi.PipelineVariable{
			{Key: "TARGET", Value: serviceapi.NewSecret("live"), VariableType: serviceapi.VariableTypeFile,
				Raw: true},
		},
	}
	assert.Equal(t, want, got)
}

func TestPipelineSchedulesLists(t *testing.T) {
	page := "[" + fixture(t, "pipeline_schedules/schedule.json") + `,{"id":14,"next_run_at":null,"owner":null}]`
	pipelines := "[" + fixture(t, "pipelines/entry.json") + "]"
	const every = "created_after=2026-01-02T03%3A04%3A05Z&created_before=2026-01-03T03%3A04%3A05Z&page=2&per_page=5" +
		"&scope=finished&sort=desc&status=failed" +
		"&updated_after=2026-01-04T03%3A04%3A05.5Z&updated_before=2026-01-05T03%3A04%3A05Z"
	client := onWire(t,
		exchange{Method: "GET", Path: schedulesOfApp, Query: "page=2&per_page=5&scope=active", Body: page},
		exchange{Method: "GET", Path: schedulesOfApp, Query: "per_page=100", Body: page},
		exchange{Method: "GET", Path: schedulesOfApp + "/13/pipelines", Query: every, Body: pipelines},
		exchange{Method: "GET", Path: schedulesOfApp + "/13/pipelines", Query: "per_page=100", Body: pipelines})
	s, ctx, app := client.PipelineSchedules, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.PipelineSchedule{nightlySchedule(t), {ID: 14}}
	got, _, err := s.List(ctx, app, &serviceapi.ListPipelineSchedulesOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Scope: serviceapi.PipelineScheduleScopeActive,
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)

	entry := nightlyEntry(t)
	started, _, err := s.ListPipelines(ctx, app, 13, &serviceapi.ListScheduledPipelinesOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 5,
		}, Sort: serviceapi.SortDescending, Scope: serviceapi.PipelineScopeFinished,
		Status:       serviceapi.PipelineStatusFailed,
		UpdatedAfter: *at(t, "2026-01-04T03:04:05.5Z"), UpdatedBefore: *at(t, "2026-01-05T03:04:05Z"),
		CreatedAfter: *at(t, "2026-01-02T03:04:05Z"), CreatedBefore: *at(t, "2026-01-03T03:04:05Z"),
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Pipeline{&entry}, started)
	started, err = serviceapi.Collect(s.AllPipelines(ctx, app, 13, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Pipeline{&entry}, started)
}

func TestPipelineSchedules(t *testing.T) {
	const whole, one = "pipeline_schedules/schedule_details.json", schedulesOfApp + "/13"
	client := onWire(t,
		exchange{Method: "GET", Path: one, Fixture: whole},
		exchange{
			Method: "POST", Path: schedulesOfApp, Status: 201, Fixture: whole,
			JSON: `{"description":"Nightly","ref":"main","cron":"0 4 * * *"}`,
		},
		exchange{
			Method: "POST", Path: schedulesOfApp, Status: 201, Fixture: whole,
			JSON: `{"description":"Nightly","ref":"main","cron":"0 4 * * *","cron_timezone":"Europe/Berlin",
				"active":false,
				"inputs":[{"name":"zones","value":["eu","us"]},{"name":"dry","value":false}]}`,
		},
		exchange{Method: "PUT", Path: one, JSON: `{}`, Fixture: whole},
		exchange{
			Method: "PUT", Path: one, Fixture: whole,
			JSON: `{"description":"","ref":"v1","cron":"@daily","cron_timezone":"UTC","active":true,
				"inputs":[{"name":"zones","destroy":true},{"name":"n","value":1.5}]}`,
		},
		exchange{Method: "POST", Path: one + "/take_ownership", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: one + "/play", Status: 201, Body: `{"message":"201 Created"}`},
		exchange{Method: "DELETE", Path: one, Status: 204})
	s, ctx, app := client.PipelineSchedules, t.Context(), serviceapi.ProjectPath("acme/app")
	wantWhole := func(got *serviceapi.PipelineScheduleDetails, _ *serviceapi.Response, err error) {
		t.Helper()
		assertNightlySchedule(t, got, err)
	}
	wantWhole(s.Get(ctx, app, 13))
	options := serviceapi.CreatePipelineScheduleOptions{Description: "Nightly", Ref: "main", Cron: "0 4 * * *"}
	wantWhole(s.Create(ctx, app, options))
	options.CronTimezone, options.Active = new("Europe/Berlin"), new(false)
	options.Inputs = []serviceapi.NewPipelineScheduleInput{{Name: "zones", Value: []string{"eu", "us"}},
		{Name: "dry", Value: false}}
	wantWhole(s.Create(ctx, app, options))
	wantWhole(s.Update(ctx, app, 13, serviceapi.UpdatePipelineScheduleOptions{}))
	wantWhole(s.Update(ctx, app, 13, serviceapi.UpdatePipelineScheduleOptions{
		Description: new(""), Ref: new("v1"), Cron: new("@daily"), CronTimezone: new("UTC"), Active: new(true),
		Inputs: []serviceapi.PipelineScheduleInputChange{{Name: "zones", Destroy: true}, {Name: "n", Value: 1.5}},
	}))
	wantWhole(s.TakeOwnership(ctx, app, 13))
	resp, err := s.Play(ctx, app, 13)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	resp, err = s.Delete(ctx, app, 13)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestPipelineScheduleVariables(t *testing.T) {
	const path = schedulesOfApp + "/13/variables"
	const body = `{"key":"TARGET","value":"live","variable_type":"file","raw":true}`
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"key":"TARGET","value":"live"}`, Status: 201, Body: body},
		exchange{
			Method: "POST", Path: path, JSON: `{"key":"TARGET","value":"","variable_type":"env_var"}`, Status: 201,
			Body: body,
		},
		exchange{Method: "GET", Path: path + "/TARGET", Body: body},
		exchange{Method: "PUT", Path: path + "/TARGET", JSON: `{}`, Body: body},
		exchange{Method: "PUT", Path: path + "/TARGET", JSON: `{"value":"","variable_type":"file"}`, Body: body},
		exchange{Method: "DELETE", Path: path + "/TARGET", Status: 202, Body: body})
	s, ctx, app := client.PipelineSchedules, t.Context(), serviceapi.ProjectPath("acme/app")
	want := &serviceapi.PipelineVariable{
		Key:          "TARGET",
		Value:        serviceapi.NewSecret("live"),
		VariableType: serviceapi.VariableTypeFile,
		Raw:          true,
	}
	wantWhole := func(got *serviceapi.PipelineVariable, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	options := serviceapi.CreatePipelineScheduleVariableOptions{Key: "TARGET", Value: serviceapi.NewSecret("live")}
	wantWhole(s.CreateVariable(ctx, app, 13, options))
	options.Value, options.VariableType = serviceapi.Secret{}, new(serviceapi.VariableTypeEnv)
	wantWhole(s.CreateVariable(ctx, app, 13, options))
	wantWhole(s.GetVariable(ctx, app, 13, "TARGET"))
	wantWhole(s.UpdateVariable(ctx, app, 13, "TARGET", serviceapi.UpdatePipelineScheduleVariableOptions{}))
	wantWhole(s.UpdateVariable(
		ctx,
		app,
		13,
		"TARGET",
		serviceapi.UpdatePipelineScheduleVariableOptions{
			Value:        new(serviceapi.Secret{}),
			VariableType: new(serviceapi.VariableTypeFile),
		},
	))
	wantWhole(s.DeleteVariable(ctx, app, 13, "TARGET"))
	_, _, err := s.GetVariable(ctx, app, 13, "")
	assertRefused(t, "key", err)
	_, err = s.Play(ctx, app, 0)
	assertRefused(t, "pipeline_schedule_id", err)
}
