package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestDeployKeys(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project, other := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer)), e.svc.Project("acme/other")
	var ids []int64
	for _, title := range []string{"build", "deploy", "mirror"} {
		ids = append(ids, project.DeployKey(title, servicetest.WritesTo(project)).ID())
	}
	foreign := other.DeployKey("foreign")
	byID := func(k *clientgo.ProjectDeployKey) int64 { return k.ID }

	instance := walk0(e, e.admin.DeployKeys.ListAllDeployKeys, nil)
	assert.ElementsMatch(t, append(ids, foreign.ID()),
		each(instance, func(k *clientgo.InstanceDeployKey) int64 { return k.ID }))
	assert.Equal(t, project.ID(), instance[0].ProjectsWithWriteAccess[0].ID)
	list := walk1(e, e.admin.DeployKeys.ListProjectDeployKeys, app, nil)
	assert.ElementsMatch(t, ids, each(list, byID))
	assert.True(t, list[0].CanPush)
	assert.ElementsMatch(t, ids, each(walk1(e, e.admin.DeployKeys.ListUserProjectDeployKeys, "ada", nil), byID))

	public := got(e.admin.DeployKeys.AddInstanceDeployKey(&clientgo.AddInstanceDeployKeyOptions{
		Title: new("for all"),
		Key:   new("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"),
	})).ok(e, 201)
	assert.Equal(t, "for all", public.Title)
	one := got(e.admin.DeployKeys.GetDeployKey(app, ids[1])).ok(e, 200)
	assert.Equal(t, "deploy", one.Title)
	const text = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAe8mFKzbgM1NsZ5ywUbbaWWhOHkpvX0DiHDZ2nBXJQ"
	made := got(e.admin.DeployKeys.AddDeployKey(app, &clientgo.AddDeployKeyOptions{Title: new("new"), Key: new(text),
		CanPush: new(false)})).ok(e, 201)
	assert.Equal(t, []any{"new", text, false}, []any{made.Title, made.Key, made.CanPush})
	changed := got(e.admin.DeployKeys.UpdateDeployKey(app, made.ID,
		&clientgo.UpdateDeployKeyOptions{Title: new("newer"), CanPush: new(true)})).ok(e, 200)
	assert.Equal(t, []any{"newer", true}, []any{changed.Title, changed.CanPush})
	enabled := got(e.admin.DeployKeys.EnableDeployKey(app, foreign.ID())).ok(e, 201)
	assert.Equal(t, "foreign", enabled.Title)
	assert.True(t, foreign.EnabledIn(project))
	done(e.admin.DeployKeys.DeleteDeployKey(app, made.ID)).ok(e, 204)
	got(e.admin.DeployKeys.GetDeployKey(app, made.ID)).refused(e, 404)
}
