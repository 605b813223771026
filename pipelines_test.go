package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const pipelinesPath = "/projects/acme%2Fapp/pipelines"

// nightlyEntry is pipelines/entry.json.
func nightlyEntry(t testing.TB) Pipeline {
	return Pipeline{
		ID: 46, IID: 11, ProjectID: 1, Status: PipelineStatusFailed, Source: PipelineSourcePush, Ref: "main",
		SHA:       commitSHA,
		WebURL:    "https://service.test/acme/app/-/pipelines/46",
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:02:08.120Z"),
		Name: "Nightly build",
	}
}

// nightlyPipeline is pipelines/pipeline.json.
func nightlyPipeline(t testing.TB) *PipelineDetails {
	return &PipelineDetails{
		Pipeline: Pipeline{
			ID: 46, IID: 11, ProjectID: 1, Status: PipelineStatusFailed, Source: PipelineSourcePush, Ref: "main",
			SHA:       commitSHA,
			WebURL:    "https://service.test/acme/app/-/pipelines/46",
			CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:02:08.120Z"),
			Name: "Nightly build",
		},
		BeforeSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba", Tag: true,
		YAMLErrors: "jobs config should contain at least one visible job", User: &adaWithPicture,
		StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
		CommittedAt: at(t, "2026-03-01T09:59:00Z"),
		Duration:    new(int64(122)), QueuedDuration: new(4.243), Coverage: new(Coverage(87.25)),
		DetailedStatus: &DetailedStatus{
			Icon: "status_failed", Text: "failed", Label: "failed", Group: "failed", Tooltip: "failed",
			HasDetails:  true,
			DetailsPath: "/acme/app/-/pipelines/46", Favicon: "/assets/favicon_failed.png",
		},
	}
}

// createdPipeline is pipelines/pipeline_created.json, in which everything that
// can be null is.
func createdPipeline(t testing.TB) *PipelineDetails {
	nightly := nightlyPipeline(t)
	return &PipelineDetails{
		Pipeline: Pipeline{
			ID: 47, IID: 12, ProjectID: 1, Status: PipelineStatusCreated, Source: PipelineSourceAPI, Ref: "main",
			SHA:    commitSHA,
			WebURL: nightly.WebURL, CreatedAt: nightly.CreatedAt, UpdatedAt: nightly.UpdatedAt,
		},
		BeforeSHA: "0000000000000000000000000000000000000000",
		DetailedStatus: &DetailedStatus{
			Icon: "status_created", Text: "created", Label: "created", Group: "created", Tooltip: "created",
			Favicon: "/assets/favicon_created.png",
		},
	}
}

// assertPipeline compares pipelines. The illustration is compared as JSON.
func assertPipeline(t *testing.T, want *PipelineDetails, illustration string, got *PipelineDetails) {
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
	options := &ListPipelinesOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 5}, Scope: PipelineScopeFinished, Status: PipelineStatusFailed,
		Ref: "feature/x",
		SHA: "61049424", Username: "ada", Source: PipelineSourceParentPipeline, YAMLErrors: new(false),
		UpdatedAfter: day(4).Add(time.Second / 2), UpdatedBefore: day(5), CreatedAfter: day(2), CreatedBefore: day(3),
		Name: "Nightly", OrderBy: PipelineOrderByUserID, Sort: SortAscending,
	}
	want := []*Pipeline{new(nightlyEntry(t))}
	s, ctx, app := client.Pipelines, t.Context(), ProjectPath("acme/app")
	for _, options := range []*ListPipelinesOptions{nil, options} {
		pipelines, _, err := s.List(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, pipelines)
	}
	pipelines, err := Collect(s.All(ctx, app, nil))
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
	s, ctx, app := client.Pipelines, t.Context(), ProjectPath("acme/app")
	pipeline, _, err := s.Get(ctx, app, 46)
	require.NoError(t, err)
	assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, pipeline)
	pipeline, _, err = s.Latest(ctx, app, nil)
	require.NoError(t, err)
	assertPipeline(t, createdPipeline(t), `null`, pipeline)
	_, _, err = s.Latest(ctx, app, &LatestPipelineOptions{Ref: "feature/x"})
	assert.ErrorIs(t, err, ErrForbidden)
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
	s, ctx, app := client.Pipelines, t.Context(), ProjectPath("acme/app")
	for _, options := range []CreatePipelineOptions{{Ref: "main"}, {
		Ref:       "main",
		Variables: []PipelineVariable{{Key: "A"}, {Key: "B", Value: NewSecret("x"), VariableType: VariableTypeFile}},
		Inputs:    map[string]any{"env": "live", "hosts": []string{"a", "b"}, "n": 3, "dry": false},
	}} {
		pipeline, resp, err := s.Create(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assertPipeline(t, createdPipeline(t), `null`, pipeline)
	}
	_, _, err := s.Create(ctx, app, CreatePipelineOptions{Ref: "gone"})
	var refused *Error
	require.ErrorAs(t, err, &refused)
	assert.ErrorIs(t, err, ErrBadRequest)
	assert.Equal(t, map[string][]string{"base": {"Reference not found"}}, refused.Fields)
	_, _, err = s.Create(ctx, app, CreatePipelineOptions{Ref: "main", Inputs: map[string]any{"f": func() {}}})
	assertRefused(t, "options", err)
}

func TestPipelinesActions(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: pipelinesPath + "/46/retry", Status: 201, Fixture: "pipelines/pipeline.json"},
		exchange{Method: "POST", Path: pipelinesPath + "/46/cancel", Status: 200, Fixture: "pipelines/pipeline.json"},
		exchange{Method: "DELETE", Path: pipelinesPath + "/46", Status: 204},
		exchange{Method: "DELETE", Path: pipelinesPath + "/46", Status: 409, Body: `{"message":"409 Conflict"}`},
	)
	s, ctx, app := client.Pipelines, t.Context(), ProjectPath("acme/app")
	for _, act := range []func(context.Context, ProjectRef, int64, ...RequestOption) (*PipelineDetails, *Response,
		error){s.Retry, s.Cancel} {
		pipeline, _, err := act(ctx, app, 46)
		require.NoError(t, err)
		assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, pipeline)
	}
	resp, err := s.Delete(ctx, app, 46)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = s.Delete(ctx, app, 46)
	assert.ErrorIs(t, err, ErrConflict)
}

func TestPipelinesVariables(t *testing.T) {
	const reply = `[{"key":"A","value":"s3cr3t-1","variable_type":"env_var"},` +
		`{"key":"B","value":"x\ny","variable_type":"file","raw":true}]`
	client := onWire(t,
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Body: reply},
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Query: "per_page=100", Body: reply},
		exchange{Method: "GET", Path: pipelinesPath + "/46/variables", Body: `[{"key":5,"value":"s3cr3t-1"}]`},
	)
	want := []*PipelineVariable{
		{Key: "A", Value: NewSecret("s3cr3t-1"), VariableType: VariableTypeEnv},
		{Key: "B", Value: NewSecret("x\ny"), VariableType: VariableTypeFile, Raw: true},
	}
	variables, _, err := client.Pipelines.ListVariables(t.Context(), ProjectPath("acme/app"), 46, nil)
	require.NoError(t, err)
	assert.Equal(t, want, variables)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", variables, *variables[0], variables[0]), "s3cr3t-1")
	variables, err = Collect(client.Pipelines.AllVariables(t.Context(), ProjectPath("acme/app"), 46, nil))
	require.NoError(t, err)
	assert.Equal(t, want, variables)
	_, _, err = client.Pipelines.ListVariables(t.Context(), ProjectPath("acme/app"), 46, nil)
	var wrong *DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, wrong), "s3cr3t-1", "no error quotes a response with secrets")
}

func TestPipelinesTestReport(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: pipelinesPath + "/46/test_report",
		Fixture: "pipelines/test_report.json"})
	report, _, err := client.Pipelines.TestReport(t.Context(), ProjectPath("acme/app"), 46)
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
	assert.Empty(t, new(TestCase).Output())
	assert.Equal(t, &TestReport{
		TotalTime: 5.25, TotalCount: 4, SuccessCount: 1, FailedCount: 1, SkippedCount: 1, ErrorCount: 1,
		TestSuites: []*TestSuite{{
			Name: "rspec", TotalTime: 5.25, TotalCount: 4, SuccessCount: 1, FailedCount: 1, SkippedCount: 1,
			ErrorCount: 1,
			SuiteError: "JUnit XML parsing failed",
			TestCases: []*TestCase{
				{
					Status: TestCaseStatusFailed, Name: "adds", Classname: "calc.Sum", ExecutionTime: 0.125,
					StackTrace: "sum_test.rb:4",
					File:       "sum_test.rb", AttachmentURL: "https://service.test/acme/app/shot.png",
					RecentFailures: &RecentFailures{3, "main"},
				},
				{Status: TestCaseStatusError, Name: "divides", Classname: "calc.Quotient", ExecutionTime: 5},
				{Status: TestCaseStatusSkipped, Name: "powers", Classname: "calc.Power"},
			},
		}},
	}, report)
}

func TestCoverage(t *testing.T) {
	for text, want := range map[string]*Coverage{
		`30`: new(Coverage(30)), `"30.0"`: new(Coverage(30)), ` 12.5 `: new(Coverage(12.5)), `"0"`: new(Coverage(0)),
		`null`: nil,
	} {
		var got struct{ C *Coverage }
		require.NoError(t, json.Unmarshal([]byte(`{"C":`+text+`}`), &got), text)
		assert.Equal(t, want, got.C, text)
	}
	for _, text := range []string{`"much"`, `""`, `{}`, `[1]`, `true`} {
		assert.Error(t, new(Coverage).UnmarshalJSON([]byte(text)), text)
	}
}

func TestPipelinesWait(t *testing.T) {
	is := func(s PipelineStatus) func(*http.Request) (*http.Response, error) {
		return status(200, `{"id":46,"status":"`+string(s)+`"}`)
	}
	for _, end := range []PipelineStatus{PipelineStatusSuccess, PipelineStatusFailed, PipelineStatusCanceled,
		PipelineStatusSkipped, PipelineStatusManual} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
				is(PipelineStatusCreated), is(PipelineStatusWaitingForResource), is(PipelineStatusScheduled),
				is(PipelineStatusCanceling), is("unknown"), is(end))
			var polls []Poll
			pipeline, err := client.Pipelines.Wait(t.Context(), ProjectID(4), 46,
				WithPollObserver(func(p Poll) { polls = append(polls, p) }))
			require.NoError(t, err)
			assert.Equal(t, &PipelineDetails{Pipeline: Pipeline{ID: 46, Status: end}}, pipeline)
			assert.Len(t, s.times, 6)
			require.Len(t, polls, 6)
			assert.Equal(t, []any{"pipeline 46", string(end), true, 6},
				[]any{polls[5].Target, polls[5].State, polls[5].Done, polls[5].Count})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, is(PipelineStatusRunning))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		pipeline, err := client.Pipelines.Wait(ctx, ProjectID(4), 46)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, pipeline)
		assert.Equal(t, PipelineStatusRunning, pipeline.Status)
	})
}

func TestPipelinesArguments(t *testing.T) {
	s, ctx := onWire(t).Pipelines, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	_, all := Collect(s.All(ctx, ProjectPath("a/../b"), nil))
	_, variables := Collect(s.AllVariables(ctx, ProjectID(1), 0, nil))
	_, deleted := s.Delete(ctx, ProjectID(1), -46)
	_, waited := s.Wait(ctx, ProjectID(1), 0)
	for name, err := range map[string]error{
		"list":           failed(s.List(ctx, ProjectRef{}, nil)),
		"page":           failed(s.List(ctx, ProjectID(1), &ListPipelinesOptions{ListOptions: ListOptions{Page: -1}})),
		"all":            all,
		"latest":         failed(s.Latest(ctx, ProjectPath(""), nil)),
		"get":            failed(s.Get(ctx, ProjectID(1), 0)),
		"create":         failed(s.Create(ctx, ProjectID(-1), CreatePipelineOptions{Ref: "main"})),
		"retry":          failed(s.Retry(ctx, ProjectID(1), 0)),
		"cancel":         failed(s.Cancel(ctx, ProjectID(1), 0)),
		"delete":         deleted,
		"list variables": failed(s.ListVariables(ctx, ProjectID(1), 0, nil)),
		"all variables":  variables,
		"test report":    failed(s.TestReport(ctx, ProjectID(1), 0)),
		"wait":           waited,
	} {
		var argument *ArgumentError
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
	got, _, err := client.Pipelines.UpdateMetadata(t.Context(), ProjectPath("acme/app"), 8,
		UpdatePipelineMetadataOptions{Name: "Nightly build"})
	require.NoError(t, err)
	assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, got)
}
