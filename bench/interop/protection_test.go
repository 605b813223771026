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
			Name: &name, PushAccessLevel: new(clientgo.NoPermissions),
			MergeAccessLevel: new(clientgo.DeveloperPermissions),
			AllowForcePush:   new(true), CodeOwnerApprovalRequired: new(true),
			AllowedToPush: &[]*clientgo.BranchPermissionOptions{
				{UserID: new(ada.ID())}, {DeployKeyID: new(key.ID())},
			},
		})).ok(e, 201)
	}
	listed := walk1(e, s.ListProtectedBranches, app, nil)
	names := each(listed, func(b *clientgo.ProtectedBranch) string { return b.Name })
	assert.Equal(t, []string{"a", "b", "release/*"}, names)
	found := got(s.GetProtectedBranch(app, "release/*")).ok(e, 200)
	assert.Equal(t, ada.ID(), found.PushAccessLevels[1].UserID)
	assert.Equal(t, key.ID(), found.PushAccessLevels[2].DeployKeyID)
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
	found := got(s.GetProtectedTag(app, "v*")).ok(e, 200)
	assert.Equal(t, clientgo.DeveloperPermissions, found.CreateAccessLevels[0].AccessLevel)
	done(s.UnprotectRepositoryTags(app, "v*")).ok(e, 204)
	got(s.GetProtectedTag(app, "v*")).refused(e, 404)
}

func TestProtectedEnvironments(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	e.svc.Project(app, servicetest.Member(ada, servicetest.Developer))
	s := e.admin.ProtectedEnvironments
	for _, name := range []string{"a", "b", "review/app"} {
		got(s.ProtectRepositoryEnvironments(app, &clientgo.ProtectRepositoryEnvironmentsOptions{
			Name: &name, DeployAccessLevels: &[]*clientgo.EnvironmentAccessOptions{
				{AccessLevel: new(clientgo.MaintainerPermissions)}, {UserID: new(ada.ID())},
			},
			ApprovalRules: &[]*clientgo.EnvironmentApprovalRuleOptions{
				{UserID: new(ada.ID())},
				{AccessLevel: new(clientgo.DeveloperPermissions), RequiredApprovalCount: new(int64(2))},
			},
		})).ok(e, 201)
	}
	listed := walk1(e, s.ListProtectedEnvironments, app, nil)
	assert.Len(t, listed, 3)
	found := got(s.GetProtectedEnvironment(app, "review/app")).ok(e, 200)
	changed := got(s.UpdateProtectedEnvironments(app, "review/app", &clientgo.UpdateProtectedEnvironmentsOptions{
		DeployAccessLevels: &[]*clientgo.UpdateEnvironmentAccessOptions{
			{ID: &found.DeployAccessLevels[0].ID, Destroy: new(true)},
		},
		ApprovalRules: &[]*clientgo.UpdateEnvironmentApprovalRuleOptions{
			{ID: &found.ApprovalRules[1].ID, RequiredApprovalCount: new(int64(3))},
		},
	})).ok(e, 200)
	assert.Equal(t, []any{1, ada.ID(), int64(3)}, []any{
		len(changed.DeployAccessLevels), changed.DeployAccessLevels[0].UserID,
		changed.ApprovalRules[1].RequiredApprovalCount,
	})
	done(s.UnprotectEnvironment(app, "review/app")).ok(e, 204)
	got(s.GetProtectedEnvironment(app, "review/app")).refused(e, 404)
}

func TestGroupProtectedEnvironments(t *testing.T) {
	e := start(t)
	const acme = "acme"
	e.svc.Group(acme)
	s := e.admin.GroupProtectedEnvironments
	for _, tier := range []string{"production", "staging", "testing"} {
		got(s.ProtectGroupEnvironment(acme, &clientgo.ProtectGroupEnvironmentOptions{
			Name: &tier, DeployAccessLevels: &[]*clientgo.GroupEnvironmentAccessOptions{
				{AccessLevel: new(clientgo.MaintainerPermissions)},
			},
		})).ok(e, 201)
	}
	listed := walk1(e, s.ListGroupProtectedEnvironments, acme, nil)
	assert.Len(t, listed, 3)
	changed := got(s.UpdateGroupProtectedEnvironment(acme, "staging", &clientgo.UpdateGroupProtectedEnvironmentOptions{
		RequiredApprovalCount: new(int64(1)),
	})).ok(e, 200)
	assert.EqualValues(t, 1, changed.RequiredApprovalCount)
	assert.EqualValues(t, 1, got(s.GetGroupProtectedEnvironment(acme, "staging")).ok(e, 200).RequiredApprovalCount)
	done(s.UnprotectGroupEnvironment(acme, "staging")).ok(e, 204)
}

func TestPushRules(t *testing.T) {
	e := start(t)
	const acme = "acme"
	e.svc.Group(acme)
	e.svc.Project(app)
	p, g := e.admin.Projects, e.admin.Groups
	got(p.AddProjectPushRule(app, &clientgo.AddProjectPushRuleOptions{
		CommitMessageRegex: new("^[A-Z]"), CommitCommitterCheck: new(true), MaxFileSize: new(int64(5)),
	})).ok(e, 201)
	got(p.EditProjectPushRule(app, &clientgo.EditProjectPushRuleOptions{FileNameRegex: new("exe$")})).ok(e, 200)
	rule := got(p.GetProjectPushRules(app)).ok(e, 200)
	assert.Equal(t, []any{"^[A-Z]", "exe$", true, int64(5)},
		[]any{rule.CommitMessageRegex, rule.FileNameRegex, rule.CommitCommitterCheck, rule.MaxFileSize})
	done(p.DeleteProjectPushRule(app)).ok(e, 204)

	got(g.AddGroupPushRule(acme, &clientgo.AddGroupPushRuleOptions{AuthorEmailRegex: new("@acme$")})).ok(e, 201)
	got(g.EditGroupPushRule(acme, &clientgo.EditGroupPushRuleOptions{PreventSecrets: new(true)})).ok(e, 200)
	ofGroup := got(g.GetGroupPushRules(acme)).ok(e, 200)
	assert.Equal(t, []any{"@acme$", true}, []any{ofGroup.AuthorEmailRegex, ofGroup.PreventSecrets})
	done(g.DeleteGroupPushRule(acme)).ok(e, 204)
	got(g.GetGroupPushRules(acme)).refused(e, 404)
}

func TestProtectionRules(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s, owner := e.admin.ProtectedPackages, clientgo.ProtectionRuleAccessLevelOwner
	rule := got(s.CreatePackageProtectionRules(app, &clientgo.CreatePackageProtectionRulesOptions{
		PackageNamePattern: new("app-*"), PackageType: new("generic"),
		MinimumAccessLevelForPush: clientgo.NewNullableWithValue(owner),
	})).ok(e, 201)
	rule = got(s.UpdatePackageProtectionRules(app, rule.ID, &clientgo.UpdatePackageProtectionRulesOptions{
		PackageNamePattern: new("lib"), PackageType: new("generic"),
		MinimumAccessLevelForPush:   clientgo.NewNullNullable[clientgo.ProtectionRuleAccessLevel](),
		MinimumAccessLevelForDelete: clientgo.NewNullableWithValue(owner),
	})).ok(e, 200)
	assert.Equal(t, []string{"lib", "", "owner"},
		[]string{rule.PackageNamePattern, rule.MinimumAccessLevelForPush, rule.MinimumAccessLevelForDelete})
	assert.Len(t, got(s.ListPackageProtectionRules(app, nil)).ok(e, 200), 1)
	done(s.DeletePackageProtectionRules(app, rule.ID)).ok(e, 204)

	r := e.admin.ContainerRegistryProtectionRules
	images := got(r.CreateContainerRegistryProtectionRule(app, &clientgo.CreateContainerRegistryProtectionRuleOptions{
		RepositoryPathPattern: new(app + "/*"), MinimumAccessLevelForPush: &owner,
	})).ok(e, 201)
	images = got(r.UpdateContainerRegistryProtectionRule(app, images.ID,
		&clientgo.UpdateContainerRegistryProtectionRuleOptions{MinimumAccessLevelForDelete: &owner})).ok(e, 200)
	assert.Equal(t, []any{app + "/*", owner, owner},
		[]any{images.RepositoryPathPattern, images.MinimumAccessLevelForPush, images.MinimumAccessLevelForDelete})
	assert.Len(t, got(r.ListContainerRegistryProtectionRules(app)).ok(e, 200), 1)
	done(r.DeleteContainerRegistryProtectionRule(app, images.ID)).ok(e, 204)

	tags := e.admin.ContainerRegistryTagProtectionRules
	tag := got(tags.CreateContainerRegistryTagProtectionRule(app,
		&clientgo.CreateContainerRegistryTagProtectionRuleOptions{
			TagNamePattern: new("^v"), MinimumAccessLevelForPush: &owner, MinimumAccessLevelForDelete: &owner,
		})).ok(e, 201)
	tag = got(tags.UpdateContainerRegistryTagProtectionRule(app, tag.ID,
		&clientgo.UpdateContainerRegistryTagProtectionRuleOptions{TagNamePattern: new("^w")})).ok(e, 200)
	assert.Equal(t, []any{"^w", owner}, []any{tag.TagNamePattern, tag.MinimumAccessLevelForDelete})
	assert.Len(t, got(tags.ListContainerRegistryTagProtectionRules(app)).ok(e, 200), 1)
	done(tags.DeleteContainerRegistryTagProtectionRule(app, tag.ID)).ok(e, 204)
}
