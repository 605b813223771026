package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestJobTokenScope(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s := e.admin.JobTokenScope
	assert.False(t, got(s.GetProjectJobTokenAccessSettings(app)).ok(e, 200).InboundEnabled)
	done(s.PatchProjectJobTokenAccessSettings(app,
		&clientgo.PatchProjectJobTokenAccessSettingsOptions{Enabled: true})).ok(e, 204)
	assert.True(t, got(s.GetProjectJobTokenAccessSettings(app)).ok(e, 200).InboundEnabled)

	var projects, groups []int64
	for _, name := range []string{"one", "two", "three"} {
		project, group := e.svc.Project(name+"/app"), e.svc.Group(name)
		projects, groups = append(projects, project.ID()), append(groups, group.ID())
		allowed := got(s.AddProjectToJobScopeAllowList(app,
			&clientgo.JobTokenInboundAllowOptions{TargetProjectID: new(project.ID())})).ok(e, 201)
		assert.Equal(t, project.ID(), allowed.TargetProjectID)
		of := got(s.AddGroupToJobTokenAllowlist(app,
			&clientgo.AddGroupToJobTokenAllowlistOptions{TargetGroupID: new(group.ID())})).ok(e, 201)
		assert.Equal(t, group.ID(), of.TargetGroupID)
	}
	assert.ElementsMatch(t, projects, each(walk1(e, s.GetProjectJobTokenInboundAllowList, app, nil),
		func(p *clientgo.Project) int64 { return p.ID }))
	assert.ElementsMatch(t, groups, each(walk1(e, s.GetJobTokenAllowlistGroups, app, nil),
		func(g *clientgo.Group) int64 { return g.ID }))
	done(s.RemoveProjectFromJobScopeAllowList(app, projects[0])).ok(e, 204)
	done(s.RemoveGroupFromJobTokenAllowlist(app, groups[0])).ok(e, 204)
	assert.Len(t, got(s.GetProjectJobTokenInboundAllowList(app, nil)).ok(e, 200), 2)
}
