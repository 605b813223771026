package interop

import (
	"testing"

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
