package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestClusterAgents(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
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
	done(s.RevokeAgentToken(app, made.ID, token.ID)).ok(e, 204)
	got(s.GetAgentToken(app, made.ID, token.ID)).refused(e, 404)

	const path = "projects/acme%2Fapp/cluster_agents/1/url_configurations"
	bare(e.admin, "GET", path).refused(e, 404) // the setting of the instance is off
	bare(e.admin, "GET", path+"/1").refused(e, 404)
	bare(e.admin, "POST", path).refused(e, 404)
	bare(e.admin, "DELETE", path+"/1").refused(e, 404)
	done(s.DeleteAgent(app, made.ID)).ok(e, 204)
	got(s.GetAgent(app, made.ID)).refused(e, 404)
}
