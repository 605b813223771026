package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestClusterAgents(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	s := e.admin.ClusterAgents
	made := got(s.RegisterAgent(app, &clientgo.RegisterAgentOptions{Name: new("eu-1")})).ok(e, 201)
	assert.Equal(t, []any{"eu-1", app, int64(1)},
		[]any{made.Name, made.ConfigProject.PathWithNamespace, made.CreatedByUserID})
	assert.Equal(t, made, got(s.GetAgent(app, made.ID)).ok(e, 200))
	assert.Equal(t, []*clientgo.Agent{made}, got(s.ListAgents(app, nil)).ok(e, 200))
	got(s.RegisterAgent(app, &clientgo.RegisterAgentOptions{Name: new("eu-1")})).refused(e, 400)

	token := got(s.CreateAgentToken(app, made.ID, &clientgo.CreateAgentTokenOptions{
		Name: new("first"), Description: new("of the rack"),
	})).ok(e, 201)
	assert.True(t, e.svc.TokenWorks(token.Token))
	one := got(s.GetAgentToken(app, made.ID, token.ID)).ok(e, 200)
	assert.Equal(t, []any{"first", "of the rack", made.ID, "active", ""},
		[]any{one.Name, one.Description, one.AgentID, one.Status, one.Token})
	assert.Len(t, got(s.ListAgentTokens(app, made.ID, nil)).ok(e, 200), 1)
	second := clientgo.ListOptions{Page: 2, PerPage: 1}
	got(s.CreateAgentToken(app, made.ID, &clientgo.CreateAgentTokenOptions{Name: new("second")})).ok(e, 201)
	page := got(s.ListAgentTokens(app, made.ID, &clientgo.ListAgentTokensOptions{ListOptions: second})).ok(e, 200)
	assert.Equal(t, []string{"first"}, each(page, func(t *clientgo.AgentToken) string { return t.Name }))
	done(s.RevokeAgentToken(app, made.ID, token.ID)).ok(e, 204)
	got(s.GetAgentToken(app, made.ID, token.ID)).refused(e, 404)

	const path = "projects/acme%2Fapp/cluster_agents/1/url_configurations"
	bare(e.admin, "GET", path).refused(e, 404) // the setting of the instance is off
	request[any](e.admin, "PUT", "application/settings", map[string]bool{
		"receptive_cluster_agents_enabled": true,
	}).raw(e)
	url := map[string]string{"url": "grpc://agent.example.com"}
	connection := request[map[string]any](e.admin, "POST", path, url).ok(e, 201)
	assert.Equal(t, url["url"], connection["url"])
	assert.Equal(t, connection, request[map[string]any](e.admin, "GET", path+"/1", nil).ok(e, 200))
	assert.Equal(t, []map[string]any{connection}, request[[]map[string]any](e.admin, "GET", path, nil).ok(e, 200))
	bare(e.admin, "DELETE", path+"/1").ok(e, 204)

	wanted := []int64{project.ClusterAgent("a"), project.ClusterAgent("b"), made.ID}
	assert.Equal(t, wanted, each(walk1(e, s.ListAgents, app, nil), func(a *clientgo.Agent) int64 { return a.ID }))
	done(s.DeleteAgent(app, made.ID)).ok(e, 204)
	got(s.GetAgent(app, made.ID)).refused(e, 404)
}
