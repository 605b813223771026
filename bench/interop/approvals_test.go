package interop

import (
	"fmt"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestProjectApprovalRules(t *testing.T) {
	e := start(t)
	ada, qa := e.svc.User("ada"), e.svc.Group("qa")
	e.svc.Project(app).ProtectBranch("main")
	p := e.admin.Projects
	var ids []int64
	for _, name := range []string{"One", "Two", "Three"} {
		rule := got(p.CreateProjectApprovalRule(app, &clientgo.CreateProjectLevelRuleOptions{
			Name: &name, ApprovalsRequired: new(int64(1)), UserIDs: &[]int64{ada.ID()}, GroupIDs: &[]int64{qa.ID()},
			ProtectedBranchIDs: &[]int64{1},
		})).ok(e, 201)
		assert.Equal(t, []string{"ada", "qa", "main"},
			[]string{rule.Users[0].Username, rule.Groups[0].Path, rule.ProtectedBranches[0].Name})
		ids = append(ids, rule.ID)
	}
	rules := walk1[any](e, p.GetProjectApprovalRules, app, &clientgo.GetProjectApprovalRulesListsOptions{})
	assert.Equal(t, ids, each(rules, func(r *clientgo.ProjectApprovalRule) int64 { return r.ID }))
	changed := got(p.UpdateProjectApprovalRule(app, ids[0], &clientgo.UpdateProjectLevelRuleOptions{
		Usernames: &[]string{"root"}, GroupIDs: &[]int64{}, AppliesToAllProtectedBranches: new(true),
	})).ok(e, 200)
	assert.Equal(t, []any{"root", 0, true},
		[]any{changed.Users[0].Username, len(changed.Groups), changed.AppliesToAllProtectedBranches})
	assert.Equal(t, changed, got(p.GetProjectApprovalRule(app, ids[0])).ok(e, 200))
	done(p.DeleteProjectApprovalRule(app, ids[0])).ok(e, 204)
	got(p.GetProjectApprovalRule(app, ids[0])).refused(e, 404)
}

func TestMergeRequestApprovalRules(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	source := project.ApprovalRule("Source", 1, ada)
	iid := project.MergeRequest("feature").IID()
	m := e.admin.MergeRequestApprovals
	copied := got(m.CreateApprovalRule(app, iid, &clientgo.CreateMergeRequestApprovalRuleOptions{
		Name: new("Copy"), ApprovalsRequired: new(int64(2)), ApprovalProjectRuleID: new(source.ID()),
	}))
	copied.refused(e, 400) // there is a copy already
	for _, name := range []string{"One", "Two"} {
		rule := got(m.CreateApprovalRule(app, iid, &clientgo.CreateMergeRequestApprovalRuleOptions{
			Name: &name, ApprovalsRequired: new(int64(1)), UserIDs: &[]int64{bob.ID()},
		})).ok(e, 201)
		assert.Equal(t, "bob", rule.Users[0].Username)
	}
	list := fmt.Sprintf("projects/acme%%2Fapp/merge_requests/%d/approval_rules", iid)
	type rule = clientgo.MergeRequestApprovalRule
	rules := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*rule, *clientgo.Response, error) {
		a := request[[]*rule](e.admin, "GET", list, nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Equal(t, []string{"Source", "One", "Two"}, each(rules, func(r *rule) string { return r.Name }))
	assert.Len(t, got(m.GetApprovalRules(app, iid)).ok(e, 200), 3)
	one := request[*rule](e.admin, "GET", fmt.Sprintf("%s/%d", list, rules[0].ID), nil).ok(e, 200)
	assert.Equal(t, int64(1), one.SourceRule.ApprovalsRequired)
	changed := got(m.UpdateApprovalRule(app, iid, rules[1].ID, &clientgo.UpdateMergeRequestApprovalRuleOptions{
		ApprovalsRequired: new(int64(2)), UserIDs: &[]int64{ada.ID(), bob.ID()},
	})).ok(e, 200)
	assert.Equal(t, []any{int64(2), 2}, []any{changed.ApprovalsRequired, len(changed.Users)})
	done(m.DeleteApprovalRule(app, iid, rules[2].ID)).ok(e, 204)
	done(m.ResetApprovalsOfMergeRequest(app, iid)).refused(e, 401)
	bot := e.client(project.AccessToken(servicetest.Maintainer))
	done(bot.MergeRequestApprovals.ResetApprovalsOfMergeRequest(app, iid)).ok(e, 202)
}

func TestApprovalSettings(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	p, s := e.admin.Projects, e.admin.MergeRequestApprovalSettings
	changed := got(p.ChangeApprovalConfiguration(app, &clientgo.ChangeApprovalConfigurationOptions{
		ResetApprovalsOnPush: new(true), ApprovalsBeforeMerge: new(int64(2)), RequirePasswordToApprove: new(true),
	})).ok(e, 201)
	assert.Equal(t, []any{true, int64(2)}, []any{changed.ResetApprovalsOnPush, changed.ApprovalsBeforeMerge})
	assert.Equal(t, changed, got(p.GetApprovalConfiguration(app)).ok(e, 200))
	assert.False(t, got(s.GetProjectMergeRequestApprovalSettings(app)).ok(e, 200).RetainApprovalsOnPush.Value)
	retained := got(s.UpdateProjectMergeRequestApprovalSettings(app,
		&clientgo.UpdateProjectMergeRequestApprovalSettingsOptions{RetainApprovalsOnPush: new(true)})).ok(e, 200)
	assert.True(t, retained.RetainApprovalsOnPush.Value)
	above := got(s.UpdateGroupMergeRequestApprovalSettings(acme,
		&clientgo.UpdateGroupMergeRequestApprovalSettingsOptions{AllowAuthorApproval: new(false)})).ok(e, 200)
	assert.Equal(t, above, got(s.GetGroupMergeRequestApprovalSettings(acme)).ok(e, 200))
	locked := got(s.GetProjectMergeRequestApprovalSettings(app)).ok(e, 200).AllowAuthorApproval
	assert.Equal(t, []any{false, true, "group"}, []any{locked.Value, locked.Locked, locked.InheritedFrom})
}

func TestStatusChecks(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.ProtectBranch("main")
	for _, name := range []string{"One", "Two", "Three"} {
		project.StatusCheck(name, "https://check.example/"+name, "main")
	}
	checks := walk1[any](e, e.admin.ExternalStatusChecks.ListProjectExternalStatusChecks, app,
		&clientgo.ListProjectExternalStatusChecksOptions{})
	assert.Equal(t, []string{"One", "Two", "Three"},
		each(checks, func(c *clientgo.ProjectStatusCheck) string { return c.Name }))
	assert.Equal(t, "main", checks[0].ProtectedBranches[0].Name)
}

func TestStatusChecksOfMergeRequests(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.ProtectBranch("main")
	branch := got(e.admin.ProtectedBranches.GetProtectedBranch(app, "main")).ok(e, 200)
	request := project.MergeRequest("work", servicetest.By(e.svc.User("ada")))
	s, iid := e.admin.ExternalStatusChecks, request.IID()
	var check *clientgo.ProjectStatusCheck
	for _, name := range []string{"One", "Two", "Three"} {
		check = got(s.CreateProjectExternalStatusCheck(app, &clientgo.CreateProjectExternalStatusCheckOptions{
			Name: &name, ExternalURL: new("https://check.example/" + name), SharedSecret: new("secret"),
			ProtectedBranchIDs: &[]int64{branch.ID},
		})).ok(e, 201)
	}
	check = got(s.UpdateProjectExternalStatusCheck(app, check.ID, &clientgo.UpdateProjectExternalStatusCheckOptions{
		Name: new("Last"), ProtectedBranchIDs: &[]int64{},
	})).ok(e, 200)
	assert.Equal(t, []any{"Last", true, 0}, []any{check.Name, check.HMAC, len(check.ProtectedBranches)})
	done(s.SetProjectMergeRequestExternalStatusCheckStatus(app, iid,
		&clientgo.SetProjectMergeRequestExternalStatusCheckStatusOptions{
			SHA: new(request.SHA()), ExternalStatusCheckID: &check.ID, Status: new("failed"),
		})).ok(e, 201)
	list := func(
		pid any, opt *clientgo.ListProjectMergeRequestExternalStatusChecksOptions,
		options ...clientgo.RequestOptionFunc,
	) ([]*clientgo.MergeStatusCheck, *clientgo.Response, error) {
		return s.ListProjectMergeRequestExternalStatusChecks(pid, iid, opt, options...)
	}
	listed := walk1[any](e, list, app, &clientgo.ListProjectMergeRequestExternalStatusChecksOptions{})
	assert.Equal(t, []string{"pending", "pending", "failed"},
		each(listed, func(c *clientgo.MergeStatusCheck) string { return c.Status }))
	done(s.RetryFailedExternalStatusCheckForProjectMergeRequest(app, iid, check.ID, nil)).ok(e, 202)
	done(s.DeleteProjectExternalStatusCheck(app, check.ID, nil)).ok(e, 204)
}
