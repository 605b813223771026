package wiretests

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const pipelinesPath = "/projects/acme%2Fapp/pipelines"

// nightlyEntry is pipelines/entry.json.
func nightlyEntry(t testing.TB) serviceapi.Pipeline {
	return serviceapi.Pipeline{
		ID: 46, IID: 11, ProjectID: 1, Status: serviceapi.PipelineStatusFailed, Source: serviceapi.PipelineSourcePush,
		Ref:       "main",
		SHA:       commitSHA,
		WebURL:    "https://service.test/acme/app/-/pipelines/46",
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:02:08.120Z"),
		Name: "Nightly build",
	}
}

// nightlyPipeline is pipelines/pipeline.json.
func nightlyPipeline(t testing.TB) *serviceapi.PipelineDetails {
	return &serviceapi.PipelineDetails{
		Pipeline: serviceapi.Pipeline{
			ID: 46, IID: 11, ProjectID: 1, Status: serviceapi.PipelineStatusFailed,
			Source: serviceapi.PipelineSourcePush, Ref: "main",
			SHA:       commitSHA,
			WebURL:    "https://service.test/acme/app/-/pipelines/46",
			CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:02:08.120Z"),
			Name: "Nightly build",
		},
		BeforeSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba", Tag: true,
		YAMLErrors: "jobs config should contain at least one visible job", User: &adaWithPicture,
		StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
		CommittedAt: at(t, "2026-03-01T09:59:00Z"),
		Duration:    new(int64(122)), QueuedDuration: new(4.0), Coverage: new(serviceapi.Coverage(87.25)),
		DetailedStatus: &serviceapi.DetailedStatus{
			Icon: "status_failed", Text: "failed", Label: "failed", Group: "failed", Tooltip: "failed",
			HasDetails:  true,
			DetailsPath: "/acme/app/-/pipelines/46", Favicon: "/assets/favicon_failed.png",
			Action: &serviceapi.StatusAction{
				Icon: "retry", Title: "Run again", Path: "/acme/app/-/pipelines/46/retry", Method: "post",
				ButtonTitle: "Run this again", ConfirmationMessage: "Are you sure?",
			},
		},
		Archived: true,
	}
}

// createdPipeline is pipelines/pipeline_created.json, in which everything that
// can be null is.
func createdPipeline(t testing.TB) *serviceapi.PipelineDetails {
	nightly := nightlyPipeline(t)
	return &serviceapi.PipelineDetails{
		Pipeline: serviceapi.Pipeline{
			ID: 47, IID: 12, ProjectID: 1, Status: serviceapi.PipelineStatusCreated,
			Source: serviceapi.PipelineSourceAPI, Ref: "main",
			SHA:    commitSHA,
			WebURL: nightly.WebURL, CreatedAt: nightly.CreatedAt, UpdatedAt: nightly.UpdatedAt,
		},
		BeforeSHA: "0000000000000000000000000000000000000000",
		DetailedStatus: &serviceapi.DetailedStatus{
			Icon: "status_created", Text: "created", Label: "created", Group: "created", Tooltip: "created",
			Favicon: "/assets/favicon_created.png",
		},
	}
}

// assertPipeline compares pipelines. The illustration is compared as JSON.
func assertPipeline(
	t *testing.T,
	want *serviceapi.PipelineDetails,
	illustration string,
	got *serviceapi.PipelineDetails,
) {
	t.Helper()
	require.NotNil(t, got)
	require.NotNil(t, got.DetailedStatus)
	assert.JSONEq(t, illustration, string(got.DetailedStatus.Illustration))
	got.DetailedStatus.Illustration = nil
	assert.Equal(t, want, got)
}

func TestPipelinesLists(t *testing.T) {
	reply := "[" + fixture(t, "pipelines/entry.json") + "]"
	const every = "created_after=2026-01-02T03%3A04%3A05Z&created_before=2026-01-03T03%3A04%3A05Z&name=Nightly" +
		"&order_by=user_id" +
		"&page=2&per_page=5&ref=feature%2Fx&scope=finished&sha=61049424&sort=asc&source=parent_pipeline&status=failed" +
		"&updated_after=2026-01-04T03%3A04%3A05.5Z&updated_before=2026-01-05T03%3A04%3A05Z&username=ada" +
		"&yaml_errors=false"
	client := onWire(t,
		exchange{Method: "GET", Path: pipelinesPath, Body: reply},
		exchange{Method: "GET", Path: pipelinesPath, Query: every, Body: reply},
		exchange{Method: "GET", Path: pipelinesPath, Query: "per_page=100", Body: reply},
	)
	day := func(n int) time.Time { return time.Date(2026, 1, n, 3, 4, 5, 0, time.UTC) }
	options := &serviceapi.ListPipelinesOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 5,
		}, Scope: serviceapi.PipelineScopeFinished, Status: serviceapi.PipelineStatusFailed,
		Ref: "feature/x",
		SHA: "61049424", Username: "ada", Source: serviceapi.PipelineSourceParentPipeline, YAMLErrors: new(false),
		UpdatedAfter: day(4).Add(time.Second / 2), UpdatedBefore: day(5), CreatedAfter: day(2), CreatedBefore: day(3),
		Name: "Nightly", OrderBy: serviceapi.PipelineOrderByUserID, Sort: serviceapi.SortAscending,
	}
	want := []*serviceapi.Pipeline{new(nightlyEntry(t))}
	s, ctx, app := client.Pipelines, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []*serviceapi.ListPipelinesOptions{nil, options} {
		pipelines, _, err := s.List(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, pipelines)
	}
	pipelines, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, pipelines)
}

func TestPipelinesGetAndLatest(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: pipelinesPath + "/46", Fixture: "pipelines/pipeline.json"},
		exchange{Method: "GET", Path: pipelinesPath + "/latest", Fixture: "pipelines/pipeline_created.json"},
		exchange{Method: "GET", Path: pipelinesPath + "/latest", Query: "ref=feature%2Fx", Status: 403,
			Body: `{"message":"403 Forbidden"}`},
	)
	s, ctx, app := client.Pipelines, t.Context(), serviceapi.ProjectPath("acme/app")
	pipeline, _, err := s.Get(ctx, app, 46)
	require.NoError(t, err)
	assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, pipeline)
	pipeline, _, err = s.Latest(ctx, app, nil)
	require.NoError(t, err)
	assertPipeline(t, createdPipeline(t), `null`, pipeline)
	_, _, err = s.Latest(ctx, app, &serviceapi.LatestPipelineOptions{Ref: "feature/x"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestPipelinesQueuedDuration reads whole seconds, which the service sends, and fractions.
func TestPipelinesQueuedDuration(t *testing.T) {
	for body, want := range map[string]*float64{"4": new(4.0), "4.243": new(4.243), "null": nil} {
		client := onWire(t, exchange{Method: "GET", Path: pipelinesPath + "/46",
			Body: `{"id":46,"duration":122,"queued_duration":` + body + `}`})
		pipeline, _, err := client.Pipelines.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 46)
		require.NoError(t, err)
		assert.Equal(t, new(int64(122)), pipeline.Duration)
		assert.Equal(t, want, pipeline.QueuedDuration, body)
	}
}

func TestPipelinesCreate(t *testing.T) {
	const path = "/projects/acme%2Fapp/pipeline"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"ref":"main"}`, Status: 201,
			Fixture: "pipelines/pipeline_created.json"},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "pipelines/pipeline_created.json",
			JSON: `{"ref":"main","variables":[{"key":"A","value":""},{"key":"B","value":"x",` +
				`"variable_type":"file"}],"inputs":{"env":"live","hosts":["a","b"],"n":3,"dry":false}}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{"ref":"gone"}`, Status: 400,
			Body: `{"message":{"base":["Reference not found"]}}`},
	)
	s, ctx, app := client.Pipelines, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []serviceapi.CreatePipelineOptions{{Ref: "main"}, {
		Ref: "main",
		Variables: []serviceapi.PipelineVariable{{Key: "A"},
			{Key: "B", Value: serviceapi.NewSecret("x"), VariableType: serviceapi.VariableTypeFile}},
		Inputs: map[string]any{"env": "live", "hosts": []string{"a", "b"}, "n": 3, "dry": false},
	}} {
		pipeline, resp, err := s.Create(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assertPipeline(t, createdPipeline(t), `null`, pipeline)
	}
	_, _, err := s.Create(ctx, app, serviceapi.CreatePipelineOptions{Ref: "gone"})
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Equal(t, map[string][]string{"base": {"Reference not found"}}, refused.Fields)
	_, _, err = s.Create(
		ctx,
		app,
		serviceapi.CreatePipelineOptions{Ref: "main", Inputs: map[string]any{"f": func() {}}},
	)
	assertRefused(t, "options", err)
}

func TestPipelinesActions(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: pipelinesPath + "/46/retry", Status: 201, Fixture: "pipelines/pipeline.json"},
		exchange{Method: "POST", Path: pipelinesPath + "/46/cancel", Status: 200, Fixture: "pipelines/pipeline.json"},
		exchange{Method: "DELETE", Path: pipelinesPath + "/46", Status: 204},
		exchange{Method: "DELETE", Path: pipelinesPath + "/46", Status: 409, Body: `{"message":"409 Conflict"}`},
	)
	s, ctx, app := client.Pipelines, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, act := range []func(context.Context, serviceapi.ProjectRef, int64,
		...serviceapi.RequestOption) (*serviceapi.PipelineDetails, *serviceapi.Response,
		error){s.Retry, s.Cancel} {
		pipeline, _, err := act(ctx, app, 46)
		require.NoError(t, err)
		assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, pipeline)
	}
	resp, err := s.Delete(ctx, app, 46)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = s.Delete(ctx, app, 46)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
}

func TestPipelinesVariables(t *testing.T) {
	const reply = `[{"key":"A","value":"s3cr3t-1","variable_type":"env_var"},` +
		`{"key":"B","value":"x\ny","variable_type":"file","raw":true}]`
	client := onWire(t,
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Body: reply},
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Query: "per_page=100", Body: reply},
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Body: `[{"key":5,"value":"s3cr3t-1"}]`},
	)
	want := []*serviceapi.PipelineVariable{
		{Key: "A", Value: serviceapi.NewSecret("s3cr3t-1"), VariableType: serviceapi.VariableTypeEnv},
		{Key: "B", Value: serviceapi.NewSecret("x\ny"), VariableType: serviceapi.VariableTypeFile, Raw: true},
	}
	variables, _, err := client.Pipelines.ListVariables(t.Context(), serviceapi.ProjectPath("acme/app"), 46, nil)
	require.NoError(t, err)
	assert.Equal(t, want, variables)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", variables, *variables[0], variables[0]), "s3cr3t-1")
	variables, err = serviceapi.Collect(
		client.Pipelines.AllVariables(t.Context(), serviceapi.ProjectPath("acme/app"), 46, nil),
	)
	require.NoError(t, err)
	assert.Equal(t, want, variables)
	_, _, err = client.Pipelines.ListVariables(t.Context(), serviceapi.ProjectPath("acme/app"), 46, nil)
	var wrong *serviceapi.DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, wrong), "s3cr3t-1", "no error quotes a response with secrets")
}

func TestPipelinesTestReport(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: pipelinesPath + "/46/test_report",
		Fixture: "pipelines/test_report.json"})
	report, _, err := client.Pipelines.TestReport(t.Context(), serviceapi.ProjectPath("acme/app"), 46)
	require.NoError(t, err)
	var outputs []string
	for i := range report.TestSuites[0].TestCases {
		testCase := report.TestSuites[0].TestCases[i]
		outputs = append(outputs, testCase.Output())
		testCase.SystemOutput = nil
	}
	require.Len(t, outputs, 3)
	assert.Equal(t, "expected 4\ngot 5", outputs[0])
	assert.JSONEq(t, `{"message":"by zero"}`, outputs[1])
	assert.Empty(t, outputs[2])
	assert.Empty(t, new(serviceapi.TestCase).Output())
	assert.Equal(t, &serviceapi.TestReport{
		TotalTime: 5.25, TotalCount: 4, SuccessCount: 1, FailedCount: 1, SkippedCount: 1, ErrorCount: 1,
		TestSuites: []*serviceapi.TestSuite{{
			Name: "rspec", TotalTime: 5.25, TotalCount: 4, SuccessCount: 1, FailedCount: 1, SkippedCount: 1,
			ErrorCount: 1,
			SuiteError: "JUnit XML parsing failed",
			TestCases: []*serviceapi.TestCase{
				{
					Status: serviceapi.TestCaseStatusFailed, Name: "adds", Classname: "calc.Sum", ExecutionTime: 0.125,
					StackTrace: "sum_test.rb:4",
					File:       "sum_test.rb", AttachmentURL: "https://service.test/acme/app/shot.png",
					RecentFailures: &serviceapi.RecentFailures{Count: 3, BaseBranch: "main"},
				},
				{Status: serviceapi.TestCaseStatusError, Name: "divides", Classname: "calc.Quotient", ExecutionTime: 5},
				{Status: serviceapi.TestCaseStatusSkipped, Name: "powers", Classname: "calc.Power"},
			},
		}},
	}, report)
}

func TestCoverage(t *testing.T) {
	for text, want := range map[string]*serviceapi.Coverage{
		`30`: new(serviceapi.Coverage(30)), `"30.0"`: new(serviceapi.Coverage(30)),
		` 12.5 `: new(serviceapi.Coverage(12.5)), `"0"`: new(serviceapi.Coverage(0)),
		`null`: nil,
	} {
		var got struct{ C *serviceapi.Coverage }
		require.NoError(t, json.Unmarshal([]byte(`{"C":`+text+`}`), &got), text)
		assert.Equal(t, want, got.C, text)
	}
	for _, text := range []string{`"much"`, `""`, `{}`, `[1]`, `true`} {
		assert.Error(t, new(serviceapi.Coverage).UnmarshalJSON([]byte(text)), text)
	}
}

func TestPipelinesWait(t *testing.T) {
	is := func(s serviceapi.PipelineStatus) func(*http.Request) (*http.Response, error) {
		return status(200, `{"id":46,"status":"`+string(s)+`"}`)
	}
	for _, end := range []serviceapi.PipelineStatus{serviceapi.PipelineStatusSuccess, serviceapi.PipelineStatusFailed,
		serviceapi.PipelineStatusCanceled,
		serviceapi.PipelineStatusSkipped, serviceapi.PipelineStatusManual} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(
				t,
				serviceapi.RetryPolicy{MaxAttempts: 1},
				is(
					serviceapi.PipelineStatusCreated,
				),
				is(serviceapi.PipelineStatusWaitingForResource),
				is(serviceapi.PipelineStatusScheduled),
				is(serviceapi.PipelineStatusCanceling),
				is("unknown"),
				is(end),
			)
			var polls []serviceapi.Poll
			pipeline, err := client.Pipelines.Wait(t.Context(), serviceapi.ProjectID(4), 46,
				serviceapi.WithPollObserver(func(p serviceapi.Poll) { polls = append(polls, p) }))
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.PipelineDetails{Pipeline: serviceapi.Pipeline{ID: 46, Status: end}}, pipeline)
			assert.Len(t, s.Times, 6)
			require.Len(t, polls, 6)
			assert.Equal(t, []any{"pipeline 46", string(end), true, 6},
				[]any{polls[5].Target, polls[5].State, polls[5].Done, polls[5].Count})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, is(serviceapi.PipelineStatusRunning))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		pipeline, err := client.Pipelines.Wait(ctx, serviceapi.ProjectID(4), 46)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, pipeline)
		assert.Equal(t, serviceapi.PipelineStatusRunning, pipeline.Status)
	})
}

func TestPipelinesArguments(t *testing.T) {
	s, ctx := onWire(t).Pipelines, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(s.All(ctx, serviceapi.ProjectPath("a/../b"), nil))
	_, variables := serviceapi.Collect(s.AllVariables(ctx, serviceapi.ProjectID(1), 0, nil))
	_, deleted := s.Delete(ctx, serviceapi.ProjectID(1), -46)
	_, waited := s.Wait(ctx, serviceapi.ProjectID(1), 0)
	for name, err := range map[string]error{
		"list": failed(s.List(ctx, serviceapi.ProjectRef{}, nil)),
		"page": failed(s.List(ctx, serviceapi.ProjectID(1),
			&serviceapi.ListPipelinesOptions{ListOptions: serviceapi.ListOptions{Page: -1}})),
		"all":    all,
		"latest": failed(s.Latest(ctx, serviceapi.ProjectPath(""), nil)),
		"get":    failed(s.Get(ctx, serviceapi.ProjectID(1), 0)),
		"create": failed(s.Create(ctx, serviceapi.ProjectID(-1),
			serviceapi.CreatePipelineOptions{Ref: "main"})),
		"retry":          failed(s.Retry(ctx, serviceapi.ProjectID(1), 0)),
		"cancel":         failed(s.Cancel(ctx, serviceapi.ProjectID(1), 0)),
		"delete":         deleted,
		"list variables": failed(s.ListVariables(ctx, serviceapi.ProjectID(1), 0, nil)),
		"all variables":  variables,
		"test report":    failed(s.TestReport(ctx, serviceapi.ProjectID(1), 0)),
		"wait":           waited,
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestPipelinesUpdateMetadata(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "PUT", Path: "/projects/acme%2Fapp/pipelines/8/metadata",
			JSON:    `{"name":"Nightly build"}`,
			Fixture: "pipelines/pipeline.json",
		},
	)
	got, _, err := client.Pipelines.UpdateMetadata(t.Context(), serviceapi.ProjectPath("acme/app"), 8,
		serviceapi.UpdatePipelineMetadataOptions{Name: "Nightly build"})
	require.NoError(t, err)
	assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, got)
}
