package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceManagesProtectedBranches goes through the life of a protection, and shows whom it
// refuses what.
func TestServiceManagesProtectedBranches(t *testing.T) {
	svc := servicetest.New(t)
	acme, app := svc.Group("acme"), svc.Project("acme/app")
	ada, ben, cleo := svc.User("ada"), svc.User("ben"), svc.User("cleo")
	app.AddMember(ada, servicetest.Developer)
	app.AddMember(ben, servicetest.Developer)
	app.AddMember(cleo, servicetest.Maintainer)
	key := app.DeployKey("a key", servicetest.WritesTo(app))
	root, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	s := root.ProtectedBranches

	made, _, err := s.Create(ctx, project, serviceapi.CreateProtectedBranchOptions{
		Name: "release/*", MergeAccessLevel: new(serviceapi.AccessLevelDeveloper),
		AllowedToPush: []serviceapi.NewProtectionLevel{{UserID: ada.ID()}, {DeployKeyID: key.ID()}},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"release/*", false, false}, []any{made.Name, made.AllowForcePush, *made.Inherited})
	assert.Equal(t, []string{"Ada", "Deploy key"}, descriptions(made.PushAccessLevels))
	assert.Equal(t, []string{"Developers + Maintainers"}, descriptions(made.MergeAccessLevels))
	assert.Equal(t, []string{"Maintainers"}, descriptions(made.UnprotectAccessLevels))
	_, _, err = s.Create(ctx, project, serviceapi.CreateProtectedBranchOptions{Name: "release/*"})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = s.Get(ctx, project, "release/1.0")
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "a branch is not the name of a protection")

	branches := func(user *servicetest.User) *serviceapi.BranchesService { return as(t, svc, user).Branches }
	release := serviceapi.CreateBranchOptions{Branch: "release/1.0", Ref: "main"}
	_, _, err = branches(cleo).Create(ctx, project, release)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "a maintainer is not among those who may push")
	branch, _, err := branches(ada).Create(ctx, project, release)
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false, true, true},
		[]bool{branch.Protected, branch.DevelopersCanPush, branch.DevelopersCanMerge, branch.CanPush})

	change := func(user *servicetest.User, force bool) error {
		options := serviceapi.CreateCommitOptions{
			Branch: "release/1.0", CommitMessage: "Change", Actions: []serviceapi.CommitAction{
				serviceapi.CreateFileAction(user.Username()+".txt", []byte("a\n")),
			},
		}
		if force {
			options.StartBranch, options.Force = new("main"), new(true)
		}
		_, _, err := as(t, svc, user).Commits.Create(ctx, project, options)
		return err
	}
	require.NoError(t, change(ada, false))
	require.ErrorIs(t, change(ben, false), serviceapi.ErrForbidden)
	require.ErrorIs(t, change(ada, true), serviceapi.ErrBadRequest, "a push that replaces commits")

	changed, _, err := s.Update(ctx, project, "release/*", serviceapi.UpdateProtectedBranchOptions{
		AllowForcePush: new(true), CodeOwnerApprovalRequired: new(true),
		AllowedToPush: []serviceapi.ProtectionLevelChange{
			{ID: *made.PushAccessLevels[0].ID, Destroy: true},
			{ID: *made.PushAccessLevels[1].ID, AccessLevel: new(serviceapi.AccessLevelMaintainer)},
			{UserID: ben.ID()},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"Maintainers", "Ben"}, descriptions(changed.PushAccessLevels))
	assert.Equal(t, made.PushAccessLevels[1].ID, changed.PushAccessLevels[0].ID)
	require.ErrorIs(t, change(ada, false), serviceapi.ErrForbidden)
	require.NoError(t, change(ben, true))

	_, err = branches(ben).Delete(ctx, project, "release/1.0")
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "nobody deletes a protected branch")
	_, err = s.Delete(ctx, project, "release/*")
	require.NoError(t, err)
	_, err = branches(ada).Delete(ctx, project, "release/1.0")
	require.NoError(t, err)

	owner := serviceapi.GroupID(acme.ID())
	_, _, err = s.Create(ctx, owner, serviceapi.CreateProtectedBranchOptions{
		Name: "main", PushAccessLevel: new(serviceapi.AccessLevelNone),
	})
	require.NoError(t, err)
	all, err := serviceapi.Collect(s.All(ctx, project, &serviceapi.ListProtectedBranchesOptions{Search: "mai"}))
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, []any{"main", true}, []any{all[0].Name, *all[0].Inherited}, "every project of the group shows it")
	main, _, err := root.Branches.Get(ctx, project, "main")
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, []bool{main.Protected, main.CanPush})
	_, err = s.Delete(ctx, project, "main")
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "it belongs to the group")
	_, err = s.Delete(ctx, owner, "main")
	require.NoError(t, err)
}

func descriptions(levels []*serviceapi.ProtectionLevel) (names []string) {
	for _, level := range levels {
		names = append(names, level.AccessLevelDescription)
	}
	return names
}

// TestServiceProtectsMerges: who may merge into a protected branch need not push to it,
// and a source branch that takes no force is not rebased.
func TestServiceProtectsMerges(t *testing.T) {
	svc := servicetest.New(t)
	app, ada, ben := svc.Project("acme/app"), svc.User("ada"), svc.User("ben")
	app.AddMember(ada, servicetest.Developer)
	app.AddMember(ben, servicetest.Developer)
	app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	request := app.MergeRequest("work")
	ctx, project := t.Context(), serviceapi.ProjectID(app.ID())
	s := asRoot(t, svc).ProtectedBranches
	for _, name := range []string{"main", "work"} {
		_, _, err := s.Create(ctx, project, serviceapi.CreateProtectedBranchOptions{
			Name: name, PushAccessLevel: new(serviceapi.AccessLevelDeveloper),
			AllowedToMerge: []serviceapi.NewProtectionLevel{{UserID: ada.ID()}},
		})
		require.NoError(t, err)
	}
	main, _, err := s.Get(ctx, project, "main")
	require.NoError(t, err)
	_, _, err = s.Update(ctx, project, "main", serviceapi.UpdateProtectedBranchOptions{
		AllowedToPush: []serviceapi.ProtectionLevelChange{
			{ID: *main.PushAccessLevels[0].ID, AccessLevel: new(serviceapi.AccessLevelNone)},
		},
	})
	require.NoError(t, err)

	_, _, err = as(t, svc, ada).MergeRequests.Rebase(ctx, project.MergeRequest(request.IID()),
		serviceapi.RebaseOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = as(t, svc, ben).MergeRequests.Merge(ctx, project.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, _, err = as(t, svc, ada).MergeRequests.Merge(ctx, project.MergeRequest(request.IID()), serviceapi.MergeOptions{
		ShouldRemoveSourceBranch: new(true),
	})
	require.NoError(t, err)
	_, _, err = as(t, svc, ada).Branches.Get(ctx, project, "work")
	require.NoError(t, err, "a merge does not delete a protected branch")
}

// TestServiceProtectsTags: a protected tag is created by those that are allowed, and
// deleted by nobody.
func TestServiceProtectsTags(t *testing.T) {
	svc := servicetest.New(t)
	app, ada, ben := svc.Project("acme/app"), svc.User("ada"), svc.User("ben")
	app.AddMember(ada, servicetest.Developer)
	app.AddMember(ben, servicetest.Maintainer)
	ctx, project := t.Context(), serviceapi.ProjectID(app.ID())
	s := asRoot(t, svc).ProtectedTags
	options := serviceapi.CreateProtectedTagOptions{
		Name: "v*", AllowedToCreate: []serviceapi.NewProtectionLevel{{UserID: ada.ID()}},
	}
	made, _, err := s.Create(ctx, project, options)
	require.NoError(t, err)
	assert.Equal(t, []string{"Ada"}, descriptions(made.CreateAccessLevels))
	_, _, err = s.Create(ctx, project, options)
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	got, _, err := s.Get(ctx, project, "v*")
	require.NoError(t, err)
	assert.Equal(t, made, got)
	all, err := serviceapi.Collect(s.All(ctx, project, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProtectedTag{made}, all)

	tag := serviceapi.CreateTagOptions{TagName: "v1.0", Ref: "main"}
	_, _, err = as(t, svc, ben).Tags.Create(ctx, project, tag)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	created, _, err := as(t, svc, ada).Tags.Create(ctx, project, tag)
	require.NoError(t, err)
	assert.True(t, created.Protected)
	_, err = as(t, svc, ada).Tags.Delete(ctx, project, "v1.0")
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = s.Delete(ctx, project, "v*")
	require.NoError(t, err)
	_, err = as(t, svc, ada).Tags.Delete(ctx, project, "v1.0")
	require.NoError(t, err)
}

// TestServiceProtectsEnvironments: whoever may not deploy is refused, and a deployment waits
// for the approvals that it needs.
func TestServiceProtectsEnvironments(t *testing.T) {
	svc := servicetest.New(t)
	acme, app := svc.Group("acme"), svc.Project("acme/app")
	ada, ben, cleo := svc.User("ada"), svc.User("ben"), svc.User("cleo")
	qa := svc.Group("qa", servicetest.Member(cleo, servicetest.Developer))
	app.ShareWith(qa, servicetest.Developer)
	app.AddMember(ada, servicetest.Developer)
	app.AddMember(ben, servicetest.Maintainer)
	ctx, project := t.Context(), serviceapi.ProjectID(app.ID())
	s := asRoot(t, svc).ProtectedEnvironments
	options := serviceapi.CreateProtectedEnvironmentOptions{
		Name: "production", DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{{UserID: ada.ID()}},
		ApprovalRules: []serviceapi.NewEnvironmentApprovalRule{
			{GroupID: qa.ID()}, {AccessLevel: new(serviceapi.AccessLevelMaintainer), RequiredApprovals: new(2)},
		},
	}
	made, _, err := s.Create(ctx, project, options)
	require.NoError(t, err)
	assert.Equal(t, []any{"Ada", "Qa", 1, "Maintainers", 2}, []any{
		made.DeployAccessLevels[0].AccessLevelDescription,
		made.ApprovalRules[0].AccessLevelDescription, made.ApprovalRules[0].RequiredApprovals,
		made.ApprovalRules[1].AccessLevelDescription, made.ApprovalRules[1].RequiredApprovals,
	})
	_, _, err = s.Create(ctx, project, options)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	got, _, err := s.Get(ctx, project, "production")
	require.NoError(t, err)
	assert.Equal(t, made, got)
	changed, _, err := s.Update(ctx, project, "production", serviceapi.UpdateProtectedEnvironmentOptions{
		ApprovalRules: []serviceapi.EnvironmentApprovalRuleChange{
			{ID: made.ApprovalRules[1].ID, RequiredApprovals: new(1)},
		},
	})
	require.NoError(t, err)
	made.ApprovalRules[1].RequiredApprovals = 1
	assert.Equal(t, made, changed)
	all, err := serviceapi.Collect(s.All(ctx, project, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProtectedEnvironment{changed}, all)

	deploy := serviceapi.CreateDeploymentOptions{
		Environment: "production", SHA: app.Head("main"), Ref: "main", Status: serviceapi.DeploymentStatusRunning,
	}
	_, _, err = as(t, svc, ben).Deployments.Create(ctx, project, deploy)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer is not among those who may deploy")
	assert.Empty(t, app.Environments(), "a refused deployment makes no environment")
	waiting, _, err := as(t, svc, ada).Deployments.Create(ctx, project, deploy)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.DeploymentStatusBlocked, 2}, []any{waiting.Status, *waiting.PendingApprovalCount})
	finish := serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusSuccess}
	_, _, err = as(t, svc, ada).Deployments.Update(ctx, project, waiting.ID, finish)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is not approved yet")
	for _, user := range []*servicetest.User{ben, cleo} {
		_, _, err = as(t, svc, user).Deployments.ApproveOrReject(ctx, project, waiting.ID,
			serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
		require.NoError(t, err)
	}
	_, _, err = as(t, svc, ada).Deployments.Update(ctx, project, waiting.ID, finish)
	require.NoError(t, err)
	_, err = s.Delete(ctx, project, "production")
	require.NoError(t, err)

	group := serviceapi.GroupID(acme.ID())
	_, _, err = s.Create(ctx, group, serviceapi.CreateProtectedEnvironmentOptions{
		Name: string(serviceapi.EnvironmentTierProduction), DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{
			{AccessLevel: new(serviceapi.AccessLevelMaintainer)},
		},
	})
	require.NoError(t, err)
	_, _, err = as(t, svc, ada).Deployments.Create(ctx, project, deploy)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "the group protects the tier of the environment")
	_, _, err = as(t, svc, ben).Deployments.Create(ctx, project, deploy)
	require.NoError(t, err)
	_, err = s.Delete(ctx, group, "production")
	require.NoError(t, err)
}

// TestServiceProtectsDeployingJobs: a job that deploys to a protected environment is played
// and repeated by those who may deploy.
func TestServiceProtectsDeployingJobs(t *testing.T) {
	svc := servicetest.New(t)
	app, ada := svc.Project("acme/app"), svc.User("ada")
	app.AddMember(ada, servicetest.Developer)
	production := app.Environment("production", servicetest.EnvironmentProtected())
	pipeline := app.Pipeline("main")
	manual := pipeline.Job("deploy", servicetest.Manual())
	failed := pipeline.Job("again", servicetest.Failed("script_failure"))
	production.Deployment(servicetest.DeployedBy(manual))
	production.Deployment(servicetest.DeployedBy(failed))
	ctx, project := t.Context(), serviceapi.ProjectID(app.ID())
	_, _, err := as(t, svc, ada).Jobs.Play(ctx, project, manual.ID(), serviceapi.PlayJobOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = as(t, svc, ada).Jobs.Retry(ctx, project, failed.ID(), serviceapi.RetryJobOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = asRoot(t, svc).Jobs.Play(ctx, project, manual.ID(), serviceapi.PlayJobOptions{})
	require.NoError(t, err)
}

// TestServiceHasPushRules: a commit or a branch that push rules refuse is not made.
func TestServiceHasPushRules(t *testing.T) {
	svc := servicetest.New(t)
	acme, app := svc.Group("acme"), svc.Project("acme/app")
	root, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	s := root.PushRules
	none, resp, err := s.Get(ctx, project)
	require.NoError(t, err)
	assert.Nil(t, none, "a project without rules")
	assert.Equal(t, 200, resp.StatusCode)
	_, _, err = s.Update(ctx, project, serviceapi.UpdatePushRuleOptions{MaxFileSize: new(1)})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Create(ctx, project, serviceapi.CreatePushRuleOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	made, _, err := s.Create(ctx, project, serviceapi.CreatePushRuleOptions{
		CommitMessageRegex: new("^[A-Z]"), BranchNameRegex: new("^fix/"), MaxFileSize: new(1),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{new(app.ID()), "^[A-Z]", 1, svc.Now()},
		[]any{made.ProjectID, made.CommitMessageRegex, made.MaxFileSize, made.CreatedAt})
	assert.Nil(t, made.RejectUnsignedCommits, "never set")
	_, _, err = s.Create(ctx, project, serviceapi.CreatePushRuleOptions{MaxFileSize: new(1)})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)

	write := func(branch, message string, size int) error {
		_, _, err := root.Commits.Create(ctx, project, serviceapi.CreateCommitOptions{
			Branch: branch, StartBranch: new("main"), CommitMessage: message,
			Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("new.txt", make([]byte, size))},
		})
		return err
	}
	require.ErrorIs(t, write("fix/1", "lower", 1), serviceapi.ErrBadRequest)
	require.ErrorIs(t, write("fix/1", "Upper", 1<<20+1), serviceapi.ErrBadRequest)
	require.ErrorIs(t, write("other", "Upper", 1), serviceapi.ErrBadRequest)
	assert.Equal(t, []string{"main"}, app.Branches(), "a refused commit makes no branch")
	require.NoError(t, write("fix/1", "Upper", 1<<20))
	_, _, err = root.Branches.Create(ctx, project, serviceapi.CreateBranchOptions{Branch: "other", Ref: "main"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)

	changed, _, err := s.Update(ctx, project, serviceapi.UpdatePushRuleOptions{
		CommitMessageRegex: new(""), RejectUnsignedCommits: new(false),
	})
	require.NoError(t, err)
	made.CommitMessageRegex, made.RejectUnsignedCommits = "", new(false)
	assert.Equal(t, made, changed)
	got, _, err := s.Get(ctx, project)
	require.NoError(t, err)
	assert.Equal(t, made, got)
	_, err = s.Delete(ctx, project)
	require.NoError(t, err)
	require.NoError(t, write("other", "lower", 1))

	group := serviceapi.GroupID(acme.ID())
	_, _, err = s.Get(ctx, group)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "a group without rules")
	made, _, err = s.Create(ctx, group, serviceapi.CreatePushRuleOptions{DenyDeleteTag: new(true)})
	require.NoError(t, err)
	assert.Equal(t, []any{(*int64)(nil), true}, []any{made.ProjectID, made.DenyDeleteTag})
	_, err = s.Delete(ctx, group)
	require.NoError(t, err)
}
