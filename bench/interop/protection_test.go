package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestProtectedBranches(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Developer))
	key := project.DeployKey("a key", servicetest.WritesTo(project))
	s := e.admin.ProtectedBranches
	for _, name := range []string{"a", "b", "release/*"} {
		got(s.ProtectRepositoryBranches(app, &clientgo.ProtectRepositoryBranchesOptions{
			Name: &name, PushAccessLevel: new(clientgo.NoPermissions), MergeAccessLevel: new(clientgo.DeveloperPermissions),
			AllowForcePush: new(true), CodeOwnerApprovalRequired: new(true), AllowedToPush: &[]*clientgo.BranchPermissionOptions{
				{UserID: new(ada.ID())}, {DeployKeyID: new(key.ID())},
			},
		})).ok(e, 201)
	}
	listed := walk1(e, s.ListProtectedBranches, app, nil)
	assert.Equal(t, []string{"a", "b", "release/*"}, each(listed, func(b *clientgo.ProtectedBranch) string { return b.Name }))
	found := got(s.GetProtectedBranch(app, "release/*")).ok(e, 200)
	assert.Equal(t, []any{ada.ID(), key.ID()}, []any{found.PushAccessLevels[1].UserID, found.PushAccessLevels[2].DeployKeyID})
	changed := got(s.UpdateProtectedBranch(app, "release/*", &clientgo.UpdateProtectedBranchOptions{
		AllowForcePush: new(false), AllowedToPush: &[]*clientgo.BranchPermissionOptions{
			{ID: &found.PushAccessLevels[0].ID, Destroy: new(true)},
			{ID: &found.PushAccessLevels[1].ID, AccessLevel: new(clientgo.MaintainerPermissions)},
		},
	})).ok(e, 200)
	assert.Equal(t, []any{2, clientgo.MaintainerPermissions, false},
		[]any{len(changed.PushAccessLevels), changed.PushAccessLevels[0].AccessLevel, changed.AllowForcePush})
	done(s.UnprotectRepositoryBranches(app, "release/*")).ok(e, 204)
	got(s.GetProtectedBranch(app, "release/*")).refused(e, 404)
}

func TestGroupProtectedBranches(t *testing.T) {
	e := start(t)
	const acme = "acme"
	e.svc.Group(acme)
	s := e.admin.GroupProtectedBranches
	for _, name := range []string{"a", "b", "release/*"} {
		got(s.ProtectRepositoryBranches(acme, &clientgo.ProtectGroupRepositoryBranchesOptions{Name: &name})).ok(e, 201)
	}
	listed := walk1(e, s.ListProtectedBranches, acme, nil)
	assert.Len(t, listed, 3)
	options := &clientgo.UpdateGroupProtectedBranchOptions{AllowForcePush: new(true)}
	assert.True(t, got(s.UpdateProtectedBranch(acme, "release/*", options)).ok(e, 200).AllowForcePush)
	assert.True(t, got(s.GetProtectedBranch(acme, "release/*")).ok(e, 200).AllowForcePush)
	done(s.UnprotectRepositoryBranches(acme, "release/*")).ok(e, 204)
}

func TestProtectedTags(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s := e.admin.ProtectedTags
	for _, name := range []string{"a", "b", "v*"} {
		got(s.ProtectRepositoryTags(app, &clientgo.ProtectRepositoryTagsOptions{
			Name: &name, CreateAccessLevel: new(clientgo.DeveloperPermissions),
		})).ok(e, 201)
	}
	listed := walk1(e, s.ListProtectedTags, app, nil)
	assert.Equal(t, []string{"a", "b", "v*"}, each(listed, func(b *clientgo.ProtectedTag) string { return b.Name }))
	assert.Equal(t, clientgo.DeveloperPermissions, got(s.GetProtectedTag(app, "v*")).ok(e, 200).CreateAccessLevels[0].AccessLevel)
	done(s.UnprotectRepositoryTags(app, "v*")).ok(e, 204)
	got(s.GetProtectedTag(app, "v*")).refused(e, 404)
}
