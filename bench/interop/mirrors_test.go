package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestRemoteMirrors(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	m := e.admin.ProjectMirrors
	var ids []int64
	for _, name := range []string{"a", "b", "c"} {
		options := &clientgo.AddProjectMirrorOptions{URL: new("https://ada:secret@mirror.example/" + name)}
		made := got(m.AddProjectMirror(app, options)).ok(e, 201)
		assert.Equal(t, "https://*****:*****@mirror.example/"+name, made.URL)
		ids = append(ids, made.ID)
	}
	all := walk1[any](e, m.ListProjectMirror, app, &clientgo.ListProjectMirrorOptions{})
	assert.Equal(t, ids, each(all, func(m *clientgo.ProjectMirror) int64 { return m.ID }))
	options := &clientgo.EditProjectMirrorOptions{Enabled: new(true), KeepDivergentRefs: new(true)}
	changed := got(m.EditProjectMirror(app, ids[0], options)).ok(e, 200)
	assert.True(t, changed.Enabled)
	assert.Equal(t, changed, got(m.GetProjectMirror(app, ids[0])).ok(e, 200))
	done(m.ForcePushMirrorUpdate(app, ids[0])).ok(e, 204)
	got(m.GetProjectMirrorPublicKey(app, ids[0])).refused(e, 404)
	options = &clientgo.EditProjectMirrorOptions{AuthMethod: new("ssh_public_key")}
	got(m.EditProjectMirror(app, ids[0], options)).ok(e, 200)
	assert.Contains(t, got(m.GetProjectMirrorPublicKey(app, ids[0])).ok(e, 200).PublicKey, "ssh-ed25519 ")
	done(m.DeleteProjectMirror(app, ids[0])).ok(e, 204)
	got(m.GetProjectMirror(app, ids[0])).refused(e, 404)
}

func TestPullMirror(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	mirror := got(e.admin.Projects.ConfigureProjectPullMirror(app, &clientgo.ConfigureProjectPullMirrorOptions{
		Enabled: new(true), URL: new("https://origin.example/app.git"), AuthUser: new("ada"),
		AuthPassword: new("secret"),
	})).ok(e, 200)
	assert.Equal(t, []any{true, "https://*****:*****@origin.example/app.git"}, []any{mirror.Enabled, mirror.URL})
	done(e.admin.Projects.StartMirroringProject(app)).ok(e, 200)
	mirror = got(e.admin.Projects.GetProjectPullMirrorDetails(app)).ok(e, 200)
	assert.Equal(t, "finished", mirror.UpdateStatus)
}
