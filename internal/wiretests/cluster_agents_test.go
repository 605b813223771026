package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const agentsOfApp = "/projects/acme%2Fapp/cluster_agents"

// wholeAgent is testdata/cluster_agents/agent.json.
func wholeAgent(t *testing.T) *serviceapi.ClusterAgent {
	return &serviceapi.ClusterAgent{
		ID: 5, Name: "eu-1", CreatedAt: *at(t, "2026-01-04T09:00:00Z"), CreatedByUserID: new(int64(7)),
		IsReceptive: new(true),
		ConfigProject: &serviceapi.ProjectSummary{
			ID: 4, Description: "Configuration of clusters", Name: "Clusters", NameWithNamespace: "Acme / Clusters",
			Path: "clusters", PathWithNamespace: "acme/clusters", CreatedAt: at(t, "2026-01-03T09:00:00Z"),
		},
	}
}

// wholeAgentToken is testdata/cluster_agents/token.json, or issued.json with the token itself.
func wholeAgentToken(t *testing.T, secret serviceapi.Secret) *serviceapi.ClusterAgentToken {
	return &serviceapi.ClusterAgentToken{
		ID: 9, Name: "first", Description: "of the rack", AgentID: 5,
		Status: serviceapi.ClusterAgentTokenStatusActive, CreatedAt: *at(t, "2026-01-05T09:00:00Z"),
		CreatedByUserID: new(int64(7)), LastUsedAt: at(t, "2026-01-06T09:00:00Z"), Token: secret,
	}
}

func wholeAgentURL() *serviceapi.ClusterAgentURLConfiguration {
	return &serviceapi.ClusterAgentURLConfiguration{
		ID: 3, AgentID: 5, URL: "grpcs://agent.example.com:4242",
		PublicKey:  "zQP73cqqJwPCUWVtXM3Zn1Y1seBlPAY2uVGjo9sh2tQ=",
		ClientCert: "-----BEGIN CERTIFICATE-----\nclient", CACert: "-----BEGIN CERTIFICATE-----\nca",
		TLSHost: "agent.internal",
	}
}

// assertPlainList checks both forms of a list of a project without options of its own.
func assertPlainList[T any](
	t *testing.T, path, fixtureName string, want T,
	list func(*serviceapi.Client, context.Context, *serviceapi.ListOptions) ([]T, *serviceapi.Response, error),
	all func(*serviceapi.Client, context.Context, *serviceapi.ListOptions) iter.Seq2[T, error],
) {
	t.Helper()
	page := "[" + fixture(t, fixtureName) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: page},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: page})
	got, _, err := list(client, t.Context(), &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []T{want}, got)
	got, err = serviceapi.Collect(all(client, t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []T{want}, got)
	assertFilled(t, got[0])
}

func TestClusterAgentsLists(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	app := serviceapi.ProjectPath("acme/app")
	assertPlainList(t, agentsOfApp, "cluster_agents/agent.json", wholeAgent(t),
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.ClusterAgent, *serviceapi.Response, error) {
			return c.ClusterAgents.List(ctx, app, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.ClusterAgent, error] {
			return c.ClusterAgents.All(ctx, app, o)
		})
	assertPlainList(t, agentsOfApp+"/5/tokens", "cluster_agents/issued.json",
		wholeAgentToken(t, serviceapi.NewSecret("agent-secret-value")),
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.ClusterAgentToken, *serviceapi.Response, error) {
			return c.ClusterAgents.ListTokens(ctx, app, 5, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.ClusterAgentToken, error] {
			return c.ClusterAgents.AllTokens(ctx, app, 5, o)
		})
	assertPlainList(t, agentsOfApp+"/5/url_configurations", "cluster_agents/url_configuration.json", wholeAgentURL(),
		func(c *c, ctx context.Context, o *o) (
			[]*serviceapi.ClusterAgentURLConfiguration, *serviceapi.Response, error,
		) {
			return c.ClusterAgents.ListURLConfigurations(ctx, app, 5, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.ClusterAgentURLConfiguration, error] {
			return c.ClusterAgents.AllURLConfigurations(ctx, app, 5, o)
		})
}

func TestClusterAgentsLifeCycle(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: agentsOfApp + "/5", Fixture: "cluster_agents/agent.json"},
		exchange{Method: "POST", Path: agentsOfApp, JSON: `{"name":"eu-1"}`, Status: 201,
			Fixture: "cluster_agents/agent.json"},
		exchange{Method: "GET", Path: agentsOfApp + "/5/tokens/9", Fixture: "cluster_agents/token.json"},
		exchange{Method: "POST", Path: agentsOfApp + "/5/tokens", JSON: `{"name":"first","description":"of the rack"}`,
			Status: 201, Fixture: "cluster_agents/issued.json"},
		exchange{Method: "DELETE", Path: agentsOfApp + "/5/tokens/9", Status: 204},
		exchange{Method: "DELETE", Path: agentsOfApp + "/5", Status: 204},
		exchange{Method: "GET", Path: agentsOfApp + "/6", Body: `{"id":6,"created_by_user_id":null}`})
	s, ctx, app := client.ClusterAgents, t.Context(), serviceapi.ProjectPath("acme/app")
	agent, _, err := s.Get(ctx, app, 5)
	require.NoError(t, err)
	assert.Equal(t, wholeAgent(t), agent)
	agent, _, err = s.Create(ctx, app, serviceapi.CreateClusterAgentOptions{Name: "eu-1"})
	require.NoError(t, err)
	assert.Equal(t, wholeAgent(t), agent)
	token, _, err := s.GetToken(ctx, app, 5, 9)
	require.NoError(t, err)
	assert.Equal(t, wholeAgentToken(t, serviceapi.Secret{}), token)
	token, _, err = s.CreateToken(ctx, app, 5, serviceapi.CreateClusterAgentTokenOptions{
		Name: "first", Description: new("of the rack"),
	})
	require.NoError(t, err)
	assert.Equal(t, wholeAgentToken(t, serviceapi.NewSecret("agent-secret-value")), token)
	assertFilled(t, token)
	resp, err := s.RevokeToken(ctx, app, 5, 9)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	resp, err = s.Delete(ctx, app, 5)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	agent, _, err = s.Get(ctx, app, 6)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ClusterAgent{ID: 6}, agent)
}

func TestClusterAgentsURLConfigurations(t *testing.T) {
	const path = agentsOfApp + "/5/url_configurations"
	const whole = "cluster_agents/url_configuration.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/3", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"url":"grpcs://a","client_cert":"c","client_key":"k","ca_cert":"a","tls_host":"h"}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"url":"grpc://a"}`},
		exchange{Method: "DELETE", Path: path + "/3", Status: 204})
	s, ctx, app := client.ClusterAgents, t.Context(), serviceapi.ProjectPath("acme/app")
	got, _, err := s.GetURLConfiguration(ctx, app, 5, 3)
	require.NoError(t, err)
	assert.Equal(t, wholeAgentURL(), got)
	for _, options := range []serviceapi.CreateClusterAgentURLConfigurationOptions{
		{
			URL: "grpcs://a", ClientCert: new("c"), ClientKey: serviceapi.NewSecret("k"), CACert: new("a"),
			TLSHost: new("h"),
		},
		{URL: "grpc://a"},
	} {
		got, _, err = s.CreateURLConfiguration(ctx, app, 5, options)
		require.NoError(t, err)
		assert.Equal(t, wholeAgentURL(), got)
	}
	resp, err := s.DeleteURLConfiguration(ctx, app, 5, 3)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestClusterAgentsArguments(t *testing.T) {
	s, ctx, app := onWire(t).ClusterAgents, t.Context(), serviceapi.ProjectID(4)
	assertRefused(t, "agent_id", errorOf(s.Get(ctx, app, 0)))
	assertRefused(t, "Name", errorOf(s.Create(ctx, app, serviceapi.CreateClusterAgentOptions{})))
	assertRefused(t, "token_id", errorOf(s.GetToken(ctx, app, 5, -1)))
	assertRefused(t, "Name", errorOf(s.CreateToken(ctx, app, 5, serviceapi.CreateClusterAgentTokenOptions{})))
	assertRefused(t, "URL", errorOf(s.CreateURLConfiguration(ctx, app, 5,
		serviceapi.CreateClusterAgentURLConfigurationOptions{})))
	assertRefused(t, "url_configuration_id", second(s.DeleteURLConfiguration(ctx, app, 5, 0)))
	assertRefused(t, "token_id", second(s.RevokeToken(ctx, app, 5, 0)))
	assertRefused(t, "agent_id", second(s.Delete(ctx, app, 0)))
}

// TestClusterAgentTokensOfLittle creates a token with nothing but its name.
func TestClusterAgentTokensOfLittle(t *testing.T) {
	client := onWire(t, exchange{Method: "POST", Path: "/projects/acme%2Fapp/cluster_agents/5/tokens", Status: 201,
		JSON: `{"name":"first"}`, Fixture: "cluster_agents/issued.json"})
	token, _, err := client.ClusterAgents.CreateToken(t.Context(), serviceapi.ProjectPath("acme/app"), 5,
		serviceapi.CreateClusterAgentTokenOptions{Name: "first"})
	require.NoError(t, err)
	assert.Equal(t, wholeAgentToken(t, serviceapi.NewSecret("agent-secret-value")), token)
}
