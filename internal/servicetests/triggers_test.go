package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceRunsTriggers goes through the life of a trigger.
func TestServiceRunsTriggers(t *testing.T) {
	svc := servicetest.New(t)
	ada, eve := svc.User("ada"), svc.User("eve")
	project := svc.Project("acme/app",
		servicetest.Member(ada, servicetest.Maintainer), servicetest.Member(eve, servicetest.Maintainer))
	client, other, ctx := as(t, svc, ada), as(t, svc, eve), t.Context()
	expires := svc.Now().Add(time.Hour)
	made, resp, err := client.Triggers.Create(ctx, app,
		serviceapi.CreateTriggerOptions{Description: "deploy", ExpiresAt: &expires})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"deploy", expires, "ada"}, []any{made.Description, *made.ExpiresAt, made.Owner.Username})
	assert.Nil(t, made.LastUsed)
	foreign := project.Trigger("nightly", servicetest.By(eve))

	listed, err := serviceapi.Collect(client.Triggers.All(ctx, app, nil))
	require.NoError(t, err)
	require.Len(t, listed, 2)
	assert.Equal(t, made, listed[0])
	assert.Equal(t, foreign.Token()[:4], listed[1].Token.Reveal(), "the token of somebody else")
	changed, _, err := client.Triggers.Update(ctx, app, made.ID,
		serviceapi.UpdateTriggerOptions{Description: new("ship")})
	require.NoError(t, err)
	assert.Equal(t, "ship", changed.Description)
	_, _, err = other.Triggers.Update(ctx, app, made.ID,
		serviceapi.UpdateTriggerOptions{Description: new("mine")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	run := serviceapi.RunTriggerOptions{
		Token: made.Token, Ref: "main", Variables: map[string]serviceapi.Secret{"ZONE": serviceapi.NewSecret("eu")},
		Inputs: map[string]any{"dry": true},
	}
	pipeline, _, err := asAnybody(t, svc).Triggers.Run(ctx, app, run)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.PipelineSourceTrigger, "ada", "main"},
		[]any{pipeline.Source, pipeline.User.Username, pipeline.Ref})
	last := project.Pipelines()[0]
	assert.Equal(t, map[string]string{
		"ZONE": "eu", "TRIGGER_PAYLOAD": `{"ref":"main","id":"acme/app","variables":{"ZONE":"eu"},` +
			`"inputs":{"dry":"true"}}`,
	}, last.Variables())
	assert.Equal(t, map[string]any{"dry": "true"}, last.Inputs(), "a form has only text")
	for _, request := range svc.Requests() {
		assert.NotContains(t, request.Path+request.Query.Encode(), made.Token.Reveal(), "the token is in no URL")
	}
	used, _, err := other.Triggers.Get(ctx, app, made.ID)
	require.NoError(t, err)
	assert.Equal(t, svc.Now(), *used.LastUsed)

	svc.Advance(time.Hour)
	_, _, err = client.Triggers.Run(ctx, app, run)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the token has expired")
	run.Token = serviceapi.NewSecret(foreign.Token())
	_, err = client.Triggers.Delete(ctx, app, foreign.ID())
	require.NoError(t, err)
	_, _, err = client.Triggers.Run(ctx, app, run)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the trigger is deleted")
	run.Token = serviceapi.NewSecret(project.Trigger("of nobody", servicetest.By(nil)).Token())
	_, _, err = client.Triggers.Run(ctx, app, run)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceRunsTriggersOfJobs starts a pipeline with the token of a running job.
func TestServiceRunsTriggersOfJobs(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	job := svc.Project("acme/lib").Pipeline("main").Job("deploy", servicetest.Running(), servicetest.By(ada))
	client := asAnybody(t, svc)
	run := serviceapi.RunTriggerOptions{Token: serviceapi.NewSecret(job.Token()), Ref: "main"}
	pipeline, _, err := client.Triggers.Run(t.Context(), app, run)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.PipelineSourcePipeline, "ada"},
		[]any{pipeline.Source, pipeline.User.Username})
	run.Ref = "gone"
	_, _, err = client.Triggers.Run(t.Context(), app, run)
	var problem *serviceapi.Error
	require.ErrorAs(t, err, &problem)
	assert.Equal(t, map[string][]string{"base": {"Reference not found"}}, problem.Fields)
	job.Succeed()
	_, _, err = client.Triggers.Run(t.Context(), app, run)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}
