package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceChecksConfigurations checks what the service merges and finds.
func TestServiceChecksConfigurations(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	client, ctx := asRoot(t, svc), t.Context()
	s := client.Lint
	empty, _, err := s.CheckStored(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, []any{false, []string{"Please provide content of .service-ci.yml"}, ""},
		[]any{empty.Valid, empty.Errors, empty.MergedYAML})

	project.Commit("main", "Configure",
		servicetest.Write(".service-ci.yml", "include: /ci/base.yml\ntest:\n  extends: .base\n  script: make test\n"),
		servicetest.Write("ci/base.yml", ".base:\n  tags: [linux]\n  environment: review\n"))
	every := &serviceapi.LintStoredOptions{IncludeJobs: true, DryRun: true, DryRunRef: "main"}
	valid, _, err := s.CheckStored(ctx, app, every)
	require.NoError(t, err)
	assert.Equal(t, []any{true, []string{}, []string{}}, []any{valid.Valid, valid.Errors, valid.Warnings})
	assert.Equal(t, "---\n.base:\n  tags:\n  - linux\n  environment: review\n"+
		"test:\n  tags:\n  - linux\n  environment: review\n  extends: .base\n  script: make test\n", valid.MergedYAML)
	require.Len(t, valid.Includes, 1)
	include := valid.Includes[0]
	assert.Equal(t, []any{serviceapi.LintIncludeTypeLocal, "/ci/base.yml", "acme/app", project.Head("main")},
		[]any{include.Type, include.Location, include.ContextProject, include.ContextSHA})
	require.Len(t, valid.Jobs, 1)
	job := valid.Jobs[0]
	assert.Equal(t,
		[]any{"test", "test", []string{"make test"}, []string{"linux"}, "review", serviceapi.LintJobWhenOnSuccess},
		[]any{job.Name, job.Stage, job.Script, job.TagList, job.Environment, job.When})
	assert.JSONEq(t, `{"refs":["branches","tags"]}`, string(job.Only))

	odd, resp, err := s.Check(ctx, app, serviceapi.LintOptions{
		Content: "include: https://x.test/a.yml\ntest:\n  script: !reference [a]", IncludeJobs: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []string{"line 3: servicetest does not understand tags such as !reference"}, odd.Errors)
	assert.Empty(t, odd.Jobs)
	wrong, _, err := s.Check(ctx, app, serviceapi.LintOptions{Content: "test: {script: a, stage: ship}"})
	require.NoError(t, err)
	assert.False(t, wrong.Valid)
	assert.Len(t, wrong.Errors, 1)

	global, _, err := s.CheckGlobal(ctx, serviceapi.GlobalLintOptions{
		Content: "test: {script: a}", IncludeMergedYAML: new(true), IncludeJobs: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.LintStatusValid, "---\ntest:\n  script: a\n", "test"},
		[]any{global.Status, global.MergedYAML, global.Jobs[0].Name})

	project.BreakCI("jobs config should contain at least one visible job")
	broken, _, err := s.CheckStored(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"jobs config should contain at least one visible job"}, broken.Errors)
	svc.Project("acme/bare", servicetest.EmptyRepository())
	_, _, err = s.CheckStored(ctx, serviceapi.ProjectPath("acme/bare"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
