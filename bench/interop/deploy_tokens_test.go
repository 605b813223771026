package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestDeployTokens(t *testing.T) {
	e := start(t)
	project, group := e.svc.Project(app), e.svc.Group(acme)
	d := e.admin.DeployTokens
	var ofProject, ofGroup []int64
	for _, name := range []string{"a", "b", "c"} {
		expires := servicetest.ExpiresAt(e.svc.Now().AddDate(0, 0, 30))
		ofProject = append(ofProject, project.DeployToken(name, expires).ID())
		ofGroup = append(ofGroup, group.DeployToken(name).ID())
	}
	byID := func(t *clientgo.DeployToken) int64 { return t.ID }
	assert.ElementsMatch(t, append(ofGroup, ofProject...), each(walk(e, d.ListAllDeployTokens), byID))
	assert.ElementsMatch(t, ofProject, each(walk1(e, d.ListProjectDeployTokens, app, nil), byID))
	assert.ElementsMatch(t, ofGroup, each(walk1(e, d.ListGroupDeployTokens, acme, nil), byID))

	expires := e.svc.Now().AddDate(1, 0, 0)
	made := got(d.CreateProjectDeployToken(app, &clientgo.CreateProjectDeployTokenOptions{
		Name: new("cluster"), Username: new("k8s"), Scopes: &[]string{"read_registry"}, ExpiresAt: &expires,
	})).ok(e, 201)
	assert.Equal(t, []any{"cluster", "k8s", "read_registry"}, []any{made.Name, made.Username, made.Scopes[0]})
	assert.True(t, e.svc.TokenWorks(made.Token))
	one := got(d.GetProjectDeployToken(app, made.ID)).ok(e, 200)
	assert.Equal(t, []any{"cluster", "", *made.ExpiresAt}, []any{one.Name, one.Token, *one.ExpiresAt})
	done(d.DeleteProjectDeployToken(app, made.ID)).ok(e, 204)
	got(d.GetProjectDeployToken(app, made.ID)).refused(e, 404)

	made = got(d.CreateGroupDeployToken(acme, &clientgo.CreateGroupDeployTokenOptions{
		Name: new("Git"), Scopes: &[]string{"read_repository"},
	})).ok(e, 201)
	assert.Nil(t, made.ExpiresAt)
	assert.Equal(t, "Git", got(d.GetGroupDeployToken(acme, made.ID)).ok(e, 200).Name)
	done(d.DeleteGroupDeployToken(acme, made.ID)).ok(e, 204)
	got(d.CreateGroupDeployToken(acme, &clientgo.CreateGroupDeployTokenOptions{Name: new("Git")})).refused(e, 400)
}
