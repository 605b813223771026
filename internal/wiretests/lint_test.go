package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	lintError   = "jobs:deploy config contains unknown keys: script"
	lintWarning = "jobs:job may allow multiple pipelines to run for a single action due to " +
		"`rules:when` clause with no `workflow:rules`"
	lintMerged = "---\n:test_job:\n  :script: echo 1\n"
)

// lintedJobs are those of lint/result.json, with JSON as it was received.
func lintedJobs(t *testing.T, got []*serviceapi.LintJob) []*serviceapi.LintJob {
	t.Helper()
	require.Len(t, got, 1)
	assert.JSONEq(t, `{"refs":["branches","tags"]}`, string(got[0].Only))
	assert.JSONEq(t, `[{"name":"build"}]`, string(got[0].Needs))
	return []*serviceapi.LintJob{{
		Name: "test", Stage: "test", BeforeScript: []string{"bundle install"},
		Script:      []string{"rake test", "rake spec"},
		AfterScript: []string{"rake clean"}, TagList: []string{"ruby"}, Environment: "review",
		When: serviceapi.LintJobWhenOnSuccess, AllowFailure: true,
		Only: got[0].Only, Except: json.RawMessage("null"), Needs: got[0].Needs,
	}}
}

// assertLinted compares a result with lint/result.json.
func assertLinted(t *testing.T, got *serviceapi.LintResult, err error) {
	t.Helper()
	require.NoError(t, err)
	require.Len(t, got.Includes, 1)
	assert.JSONEq(t, `{"project":"acme/templates","ref":"main"}`, string(got.Includes[0].Extra))
	assert.Equal(t, &serviceapi.LintResult{
		Valid: true, Errors: []string{lintError}, Warnings: []string{lintWarning}, MergedYAML: lintMerged,
		Includes: []*serviceapi.LintInclude{{
			Type: serviceapi.LintIncludeTypeFile, Location: "template/pipeline.yml",
			Blob:  "https://service.test/acme/templates/-/blob/ab/template/pipeline.yml",
			Raw:   "https://service.test/acme/templates/-/raw/ab/template/pipeline.yml",
			Extra: got.Includes[0].Extra, ContextProject: "acme/app", ContextSHA: commitSHA,
		}},
		Jobs: lintedJobs(t, got.Jobs),
	}, got)
}

func TestLint(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/ci/lint", "lint/result.json"
	const every = "content_ref=wool&dry_run=true&dry_run_ref=main&include_jobs=true"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Query: every, Fixture: whole},
		exchange{Method: "GET", Path: path, Query: "ref=main&sha=ab", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"content":"a: b"}`, Fixture: whole},
		exchange{
			Method: "POST", Path: path, Fixture: whole,
			JSON: `{"content":"","dry_run":false,"include_jobs":true,"ref":"main"}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{"content":"a"}`, Body: `{"valid":false,"merged_yaml":null}`},
		exchange{Method: "POST", Path: "/ci/lint", JSON: `{"content":"a: b"}`, Fixture: "lint/global_result.json"},
		exchange{
			Method: "POST", Path: "/ci/lint", Fixture: "lint/global_result.json",
			JSON: `{"content":"a: b","include_merged_yaml":true,"include_jobs":false}`,
		})
	s, ctx, app := client.Lint, t.Context(), serviceapi.ProjectPath("acme/app")
	wantWhole := func(got *serviceapi.LintResult, _ *serviceapi.Response, err error) {
		t.Helper()
		assertLinted(t, got, err)
	}
	wantWhole(s.CheckStored(ctx, app, nil))
	wantWhole(s.CheckStored(ctx, app,
		&serviceapi.LintStoredOptions{ContentRef: "wool", DryRun: true, DryRunRef: "main", IncludeJobs: true}))
	wantWhole(s.CheckStored(ctx, app, &serviceapi.LintStoredOptions{SHA: "ab", Ref: "main"}))
	wantWhole(s.Check(ctx, app, serviceapi.LintOptions{Content: "a: b"}))
	wantWhole(s.Check(ctx, app, serviceapi.LintOptions{DryRun: new(false), IncludeJobs: new(true), Ref: new("main")}))
	broken, _, err := s.Check(ctx, app, serviceapi.LintOptions{Content: "a"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.LintResult{}, broken)
	for _, options := range []serviceapi.GlobalLintOptions{
		{Content: "a: b"}, {Content: "a: b", IncludeMergedYAML: new(true), IncludeJobs: new(false)},
	} {
		got, _, err := s.CheckGlobal(ctx, options)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.GlobalLintResult{
			Status: serviceapi.LintStatusInvalid, Errors: []string{lintError}, Warnings: []string{lintWarning},
			MergedYAML: lintMerged, Jobs: lintedJobs(t, got.Jobs),
		}, got)
	}
	_, _, err = s.CheckStored(ctx, serviceapi.ProjectRef{}, nil)
	assertRefused(t, "id", err)
}
