package servicetests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceClusterAgents registers an agent, replaces its token, and deletes it.
func TestServiceClusterAgents(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	other, allowed := project.ClusterAgent("zoo"), svc.Project("acme/other").AllowAgent(project)
	c, ctx := asRoot(t, svc), t.Context()
	agent, resp, err := c.ClusterAgents.Create(ctx, app, serviceapi.CreateClusterAgentOptions{Name: "eu-1"})
	require.NoError(t, err)
	assert.Equal(t, []any{201, "eu-1", "acme/app", int64(1), false}, []any{
		resp.StatusCode, agent.Name, agent.ConfigProject.PathWithNamespace, *agent.CreatedByUserID, *agent.IsReceptive,
	})
	agents, err := serviceapi.Collect(c.ClusterAgents.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []int64{allowed, agent.ID, other}, []int64{agents[0].ID, agents[1].ID, agents[2].ID})

	name := serviceapi.CreateClusterAgentTokenOptions{Name: "first"}
	first, _, err := c.ClusterAgents.CreateToken(ctx, app, agent.ID, name)
	require.NoError(t, err)
	assert.True(t, svc.TokenWorks(first.Token.Reveal()))
	assert.NotContains(t, fmt.Sprintf("%+v", first), first.Token.Reveal())
	_, _, err = c.ClusterAgents.CreateToken(ctx, app, agent.ID, name)
	require.NoError(t, err)
	_, _, err = c.ClusterAgents.CreateToken(ctx, app, agent.ID, name)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = c.ClusterAgents.RevokeToken(ctx, app, agent.ID, first.ID)
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(first.Token.Reveal()))
	_, _, err = c.ClusterAgents.GetToken(ctx, app, agent.ID, first.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	tokens, err := serviceapi.Collect(c.ClusterAgents.AllTokens(ctx, app, agent.ID, nil))
	require.NoError(t, err)
	require.Len(t, tokens, 1)
	assert.True(t, tokens[0].Token.IsEmpty(), "only CreateToken returns the token itself")

	_, err = c.ClusterAgents.Delete(ctx, app, agent.ID)
	require.NoError(t, err)
	_, _, err = c.ClusterAgents.Get(ctx, app, agent.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.False(t, svc.TokenWorks(fmt.Sprintf("agent-token-%d-secret", tokens[0].ID)), "tokens go with the agent")
}

// TestServiceClusterAgentURLConfigurations: they need Ultimate and a setting of the instance.
func TestServiceClusterAgentURLConfigurations(t *testing.T) {
	for _, tier := range []servicetest.Tier{servicetest.Free, servicetest.Premium, servicetest.Ultimate} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		id := svc.Project("acme/app").ClusterAgent("eu-1")
		c, ctx := asRoot(t, svc), t.Context()
		agents := c.ClusterAgents
		options := serviceapi.CreateClusterAgentURLConfigurationOptions{
			URL: "grpcs://agent.example.com", ClientCert: new("cert"), ClientKey: serviceapi.NewSecret("key"),
		}
		_, _, err := agents.CreateURLConfiguration(ctx, app, id, options)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, _, err = c.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{
			ReceptiveClusterAgentsEnabled: new(true),
		})
		require.NoError(t, err)
		made, _, err := agents.CreateURLConfiguration(ctx, app, id, options)
		agent, _, errAgent := agents.Get(ctx, app, id)
		require.NoError(t, errAgent)
		if tier < servicetest.Ultimate {
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
			assert.Equal(t, tier == servicetest.Premium, agent.IsReceptive != nil)
			continue
		}
		require.NoError(t, err)
		assert.True(t, *agent.IsReceptive)
		all, err := serviceapi.Collect(agents.AllURLConfigurations(ctx, app, id, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ClusterAgentURLConfiguration{{
			ID: made.ID, AgentID: id, URL: "grpcs://agent.example.com", ClientCert: "cert",
		}}, all)
		_, err = agents.DeleteURLConfiguration(ctx, app, id, made.ID)
		require.NoError(t, err)
		_, _, err = agents.GetURLConfiguration(ctx, app, id, made.ID)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}
