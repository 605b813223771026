package interop

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestPipelineTriggers(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	triggers := e.as(ada).PipelineTriggers
	var ids []int64
	for _, name := range []string{"a", "b", "c"} {
		options := &clientgo.AddPipelineTriggerOptions{Description: &name}
		ids = append(ids, got(triggers.AddPipelineTrigger(app, options)).ok(e, 201).ID)
	}
	listed := walk1(e, triggers.ListPipelineTriggers, app, nil)
	assert.ElementsMatch(t, ids, each(listed, func(p *clientgo.PipelineTrigger) int64 { return p.ID }))
	one := got(triggers.GetPipelineTrigger(app, ids[1])).ok(e, 200)
	assert.Equal(t, []any{"b", "ada"}, []any{one.Description, one.Owner.Username})
	edited := got(triggers.EditPipelineTrigger(app, ids[1],
		&clientgo.EditPipelineTriggerOptions{Description: new("d")})).ok(e, 200)
	assert.Equal(t, "d", edited.Description)
	made := got(triggers.RunPipelineTrigger(app, &clientgo.RunPipelineTriggerOptions{
		Ref: new("main"), Token: &one.Token, Variables: map[string]string{"A": "1"},
		Inputs: clientgo.PipelineInputsOption{"dry": clientgo.NewPipelineInputValue(true)},
	})).ok(e, 201)
	assert.Equal(t, []any{clientgo.PipelineSource("trigger"), "ada"}, []any{made.Source, made.User.Username})
	assert.Equal(t, "1", project.Pipelines()[0].Variables()["A"])
	done(triggers.DeletePipelineTrigger(app, ids[1])).ok(e, 204)
	got(triggers.GetPipelineTrigger(app, ids[1])).refused(e, 404)
}

func TestPipelineSchedules(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	s := e.as(ada).PipelineSchedules
	var ids []int64
	for _, name := range []string{"a", "b", "c"} {
		made := got(s.CreatePipelineSchedule(app, &clientgo.CreatePipelineScheduleOptions{
			Description: &name, Ref: new("main"), Cron: new("0 4 * * *"), CronTimezone: new("Europe/Berlin"),
			Inputs: []*clientgo.PipelineInput{{Name: "dry", Value: clientgo.NewPipelineInputValue(true)}},
		})).ok(e, 201)
		ids = append(ids, made.ID)
	}
	listed := walk1(e, s.ListPipelineSchedules, app, nil)
	assert.ElementsMatch(t, ids, each(listed, func(p *clientgo.PipelineSchedule) int64 { return p.ID }))
	edited := got(s.EditPipelineSchedule(app, ids[0],
		&clientgo.EditPipelineScheduleOptions{Cron: new("0 */8 * * *")})).ok(e, 200)
	assert.Equal(t, []any{"0 */8 * * *", true, "ada"}, []any{edited.Cron, edited.Active, edited.Owner.Username})
	variable := got(s.CreatePipelineScheduleVariable(app, ids[0], &clientgo.CreatePipelineScheduleVariableOptions{
		Key: new("A"), Value: new("1"),
	})).ok(e, 201)
	assert.Equal(t, []any{"A", "1"}, []any{variable.Key, variable.Value})
	variable = got(s.EditPipelineScheduleVariable(app, ids[0], "A", &clientgo.EditPipelineScheduleVariableOptions{
		Value: new("2"),
	})).ok(e, 200)
	assert.Equal(t, "2", variable.Value)
	path := fmt.Sprintf("projects/acme%%2Fapp/pipeline_schedules/%d/variables/A", ids[0])
	read := request[clientgo.PipelineVariable](e.as(ada), http.MethodGet, path, nil).ok(e, 200)
	assert.Equal(t, *variable, read)

	e.svc.Advance(24 * time.Hour)
	started := walk2(e, s.ListPipelinesTriggeredBySchedule, any(app), ids[0], nil)
	assert.Len(t, started, 3)
	one := got(s.GetPipelineSchedule(app, ids[0])).ok(e, 200)
	assert.Equal(t, []any{started[2].ID, "2"}, []any{one.LastPipeline.ID, one.Variables[0].Value})
	got(s.DeletePipelineScheduleVariable(app, ids[0], "A")).ok(e, 202)
	done(s.RunPipelineSchedule(app, ids[1])).ok(e, 201)
	assert.Equal(t, "root",
		got(e.admin.PipelineSchedules.TakeOwnershipOfPipelineSchedule(app, ids[1])).ok(e, 201).Owner.Username)
	got(s.EditPipelineSchedule(app, ids[1], &clientgo.EditPipelineScheduleOptions{Active: new(false)})).refused(e, 403)
	done(s.DeletePipelineSchedule(app, ids[2])).ok(e, 204)
	got(s.GetPipelineSchedule(app, ids[2])).refused(e, 404)
}

func TestValidate(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app, servicetest.Setting("ci_config_path", "ci.yml"))
	project.Commit("main", "Configure", servicetest.Write("ci.yml", "include: base.yml\ntest: {script: make}\n"),
		servicetest.Write("base.yml", "stages: [test]\n"))
	stored := got(e.admin.Validate.ProjectLint(app, &clientgo.ProjectLintOptions{
		ContentRef: new("main"), DryRun: new(true), DryRunRef: new("main"), IncludeJobs: new(true),
	})).ok(e, 200)
	assert.Equal(t, []any{true, "local", "base.yml", project.Head("main")},
		[]any{stored.Valid, stored.Includes[0].Type, stored.Includes[0].Location, stored.Includes[0].ContextSHA})
	assert.Contains(t, stored.MergedYaml, "stages:\n- test\n")
	text := got(e.admin.Validate.ProjectNamespaceLint(app, &clientgo.ProjectNamespaceLintOptions{
		Content: new("test: {script: make, stage: ship}"),
	})).ok(e, 200)
	assert.False(t, text.Valid)
	assert.Len(t, text.Errors, 1)
	options := map[string]string{"content": "test: {script: make}"} // the client has dropped the call
	global := request[map[string]any](e.admin, http.MethodPost, "ci/lint", options).ok(e, 200)
	assert.Equal(t, "valid", global["status"])
}
