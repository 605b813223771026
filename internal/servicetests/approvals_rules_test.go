package servicetests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceApprovesByRules makes a rule of a project, and merges what it requires.
func TestServiceApprovesByRules(t *testing.T) {
	r := newReviewTeam(t)
	qa := r.svc.Group("qa", servicetest.Public())
	dan := r.svc.User("dan")
	qa.AddMember(dan, servicetest.Developer)
	r.app.AddMember(dan, servicetest.Developer)
	r.app.ProtectBranch("main", servicetest.DevelopersCanMerge())
	ada, ctx := as(t, r.svc, r.ada), t.Context()
	old := r.app.MergeRequest("old", servicetest.By(r.bob))
	rule, _, err := asRoot(t, r.svc).Approvals.CreateRule(ctx, mergeApp, serviceapi.CreateApprovalRuleOptions{
		Name: "QA", ApprovalsRequired: 2, Usernames: []string{"ada", "bob"}, GroupIDs: []int64{qa.ID()},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"ada", "bob", "dan"}, namesOfUsers(rule.EligibleApprovers))
	assert.Equal(t, "qa", rule.Groups[0].FullPath)
	rule, _, err = ada.Approvals.UpdateRule(ctx, mergeApp, rule.ID, serviceapi.UpdateApprovalRuleOptions{
		Name: new("Quality"), AppliesToAllProtectedBranches: new(true),
	})
	require.NoError(t, err)
	branches, _, err := ada.ProtectedBranches.List(ctx, mergeApp, nil)
	require.NoError(t, err)
	require.NotEmpty(t, branches[0].PushAccessLevels)
	assert.Equal(t, branches, rule.ProtectedBranches, "with their levels")
	got, _, err := ada.Approvals.GetRule(ctx, mergeApp, rule.ID)
	require.NoError(t, err)
	assert.Equal(t, rule, got)
	rules, err := serviceapi.Collect(ada.Approvals.AllRules(ctx, mergeApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProjectApprovalRule{rule}, rules)

	for _, request := range []*servicetest.MergeRequest{old, r.app.MergeRequest("new", servicetest.By(r.bob))} {
		iid := request.IID()
		copies, err := serviceapi.Collect(ada.Approvals.AllRulesForMergeRequest(ctx,
			mergeApp.MergeRequest(iid), nil))
		require.NoError(t, err)
		require.Len(t, copies, 1)
		assert.Equal(t, []any{"Quality", &serviceapi.ApprovalSourceRule{ApprovalsRequired: 2}},
			[]any{copies[0].Name, copies[0].SourceRule})
		assert.Equal(t, []string{"ada", "dan"}, namesOfUsers(copies[0].EligibleApprovers), "bob is the author")
		assert.ErrorIs(t, approves(t, r.svc, r.bob, iid), serviceapi.ErrUnauthorized)
		require.NoError(t, approves(t, r.svc, r.ada, iid))
		require.NoError(t, approves(t, r.svc, r.svc.Root(), iid), "who is in no rule")
		_, _, err = ada.MergeRequests.Merge(ctx, mergeApp.MergeRequest(iid), serviceapi.MergeOptions{})
		wantRefusal(t, err, serviceapi.MergeRefusalNotReady, serviceapi.ErrMethodNotAllowed)
		require.NoError(t, approves(t, r.svc, dan, iid))
		state, _, err := ada.Approvals.State(ctx, mergeApp.MergeRequest(iid))
		require.NoError(t, err)
		assert.Equal(t, []any{false, true}, []any{state.ApprovalRulesOverwritten, state.Rules[0].Approved})
		assert.Equal(t, []string{"ada", "dan"}, namesOfUsers(state.Rules[0].ApprovedBy))
		assert.Equal(t, "qa", state.Rules[0].Groups[0].FullPath)
		_, _, err = ada.MergeRequests.Merge(ctx, mergeApp.MergeRequest(iid), serviceapi.MergeOptions{})
		require.NoError(t, err)
	}
	_, err = ada.Approvals.DeleteRule(ctx, mergeApp, rule.ID)
	require.NoError(t, err)
	_, _, err = ada.Approvals.GetRule(ctx, mergeApp, rule.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorIs(t, second(ada.Approvals.CreateRule(ctx, mergeApp,
		serviceapi.CreateApprovalRuleOptions{Name: "x", ApprovalsRequired: -1})),
		serviceapi.ErrBadRequest)
}

func namesOfUsers(users []*serviceapi.UserSummary) []string {
	var names []string
	for _, user := range users {
		names = append(names, user.Username)
	}
	return names
}

func approves(t *testing.T, svc *servicetest.Service, user *servicetest.User, iid int64) error {
	t.Helper()
	return second(as(t, svc, user).Approvals.Approve(t.Context(), mergeApp.MergeRequest(iid),
		serviceapi.ApproveOptions{}))
}

// TestServiceHasRulesOfMergeRequests checks rules that a merge request has of its own.
func TestServiceHasRulesOfMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	source := r.app.ApprovalRule("Quality", 1, r.ada)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	s, ctx, request := as(t, r.svc, r.ada).Approvals, t.Context(), mergeApp.MergeRequest(seeded.IID())
	rule, _, err := s.CreateRuleForMergeRequest(ctx, request, serviceapi.CreateMergeRequestApprovalRuleOptions{
		Name: "Docs", ApprovalsRequired: 1, UserIDs: []int64{r.eve.ID()},
	})
	require.NoError(t, err)
	assert.Nil(t, rule.SourceRule)
	rule, _, err = s.UpdateRuleForMergeRequest(ctx, request, rule.ID, serviceapi.UpdateMergeRequestApprovalRuleOptions{
		Name: new("Words"), Usernames: []string{"ada", "eve"},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"ada", "eve"}, namesOfUsers(rule.Users))
	got, _, err := s.GetRuleForMergeRequest(ctx, request, rule.ID)
	require.NoError(t, err)
	assert.Equal(t, rule, got)
	require.NoError(t, approves(t, r.svc, r.eve, seeded.IID()))
	approvals, _, err := s.Get(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, []any{2, 1}, []any{*approvals.ApprovalsRequired, *approvals.ApprovalsLeft})
	assert.Equal(t, "Quality", approvals.ApprovalRulesLeft[0].Name)
	state, _, err := s.State(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.True(t, state.ApprovalRulesOverwritten)

	quality := state.Rules[0].ID
	_, _, err = s.UpdateRuleForMergeRequest(ctx, request, quality,
		serviceapi.UpdateMergeRequestApprovalRuleOptions{ApprovalsRequired: new(0)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "fewer than the project's rule")
	_, err = s.DeleteRuleForMergeRequest(ctx, request, quality)
	require.NoError(t, err)
	copied, _, err := s.CreateRuleForMergeRequest(ctx, request, serviceapi.CreateMergeRequestApprovalRuleOptions{
		Name: "Copy", ApprovalsRequired: 3, ApprovalProjectRuleID: new(source.ID()),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Quality", 3, []string{"ada"}, true}, []any{copied.Name, copied.ApprovalsRequired,
		namesOfUsers(copied.Users), copied.Overridden})

	_, _, err = s.UpdateConfiguration(ctx, mergeApp, serviceapi.UpdateApprovalConfigurationOptions{
		DisableOverridingApproversPerMergeRequest: new(true),
	})
	require.NoError(t, err)
	_, err = s.DeleteRuleForMergeRequest(ctx, request, rule.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceConfiguresApprovals checks what the settings of a project and its group
// change.
func TestServiceConfiguresApprovals(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	s, ctx, root := as(t, r.svc, r.ada).Approvals, t.Context(), asRoot(t, r.svc).Approvals
	configuration, _, err := s.GetConfiguration(ctx, mergeApp)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ApprovalConfiguration{
		Approvers: []*serviceapi.Approver{}, ApproverGroups: []*serviceapi.ApproverGroup{},
	}, configuration)
	assert.Error(t, approves(t, r.svc, r.bob, seeded.IID()), "the author")
	setting, _, err := s.UpdateSetting(ctx, mergeApp, serviceapi.UpdateApprovalSettingOptions{
		AllowAuthorApproval: new(true), RetainApprovalsOnPush: new(false), AllowCommitterApproval: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ApprovalSettingValue{Value: true}, setting.AllowAuthorApproval)
	configuration, _, err = s.GetConfiguration(ctx, mergeApp)
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), new(true), new(true), (*bool)(nil)}, []any{
		configuration.MergeRequestsAuthorApproval, configuration.ResetApprovalsOnPush,
		configuration.MergeRequestsDisableCommittersApproval,
		configuration.SelectiveCodeOwnerRemovals,
	})
	assert.Error(t, approves(t, r.svc, r.bob, seeded.IID()), "the author is a committer")
	_, _, err = s.UpdateConfiguration(ctx, mergeApp, serviceapi.UpdateApprovalConfigurationOptions{
		MergeRequestsDisableCommittersApproval: new(false), ApprovalsBeforeMerge: new(2),
	})
	require.NoError(t, err)
	require.NoError(t, approves(t, r.svc, r.bob, seeded.IID()))
	r.app.Commit("feature", "More", servicetest.Write("more.txt", "more\n"))
	assert.Empty(t, seeded.Approvers(), "a push withdraws approvals")
	next, _, err := s.Get(ctx, mergeApp.MergeRequest(r.app.MergeRequest("next").IID()))
	require.NoError(t, err)
	assert.Equal(t, 2, *next.ApprovalsRequired)

	acme := serviceapi.GroupPath("acme")
	above, _, err := root.UpdateSetting(ctx, acme,
		serviceapi.UpdateApprovalSettingOptions{RequirePasswordToApprove: new(true)})
	require.NoError(t, err)
	got, _, err := root.GetSetting(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, above, got)
	setting, _, err = s.GetSetting(ctx, mergeApp)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ApprovalSettingValue{Value: true, Locked: true,
		InheritedFrom: serviceapi.ApprovalSettingSourceGroup},
		setting.RequirePasswordToApprove)
	_, _, err = s.UpdateConfiguration(ctx, mergeApp,
		serviceapi.UpdateApprovalConfigurationOptions{RequirePasswordToApprove: new(false)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = s.UpdateSetting(ctx, mergeApp,
		serviceapi.UpdateApprovalSettingOptions{SelectiveCodeOwnerRemovals: new(true)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "approvals are not retained")
	_, _, err = s.GetSetting(ctx, acme)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "only owners")
}

// TestServiceResetsApprovals checks that only a bot may do it.
func TestServiceResetsApprovals(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.ApprovedBy(r.ada, r.bob))
	ctx := t.Context()
	_, err := as(t, r.svc, r.ada).Approvals.Reset(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	bot := withToken(t, r.svc, r.app.AccessToken(servicetest.Maintainer)).Approvals
	resp, err := bot.Reset(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Empty(t, seeded.Approvers())
	seeded.Merge()
	_, err = bot.Reset(ctx, mergeApp.MergeRequest(seeded.IID()))
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

// TestServiceGroupRules makes a rule for all protected branches of a group.
func TestServiceGroupRules(t *testing.T) {
	r := newReviewTeam(t)
	svc, ctx := r.svc, t.Context()
	acme := svc.Group("acme")
	client, group := asRoot(t, svc), serviceapi.GroupID(acme.ID())
	open := r.app.MergeRequest("open", servicetest.By(r.bob))
	rule, _, err := client.Approvals.CreateRule(ctx, group, serviceapi.CreateApprovalRuleOptions{
		Name: "QA", ApprovalsRequired: 1, UserIDs: []int64{r.ada.ID()},
	})
	require.NoError(t, err)
	assert.True(t, rule.AppliesToAllProtectedBranches)
	assert.Equal(t, []string{"ada"}, namesOfUsers(rule.EligibleApprovers))
	approvals := func() *serviceapi.Approvals {
		t.Helper()
		got, _, err := client.Approvals.Get(ctx, mergeApp.MergeRequest(open.IID()))
		require.NoError(t, err)
		return got
	}
	assert.Equal(t, new(0), approvals().ApprovalsLeft, "main is not protected")
	r.app.ProtectBranch("main", servicetest.DevelopersCanMerge())
	changed, _, err := client.Approvals.UpdateRule(ctx, group, rule.ID, serviceapi.UpdateApprovalRuleOptions{
		Name: new("Quality"), ApprovalsRequired: new(2), UserIDs: []int64{},
		RuleType: new(serviceapi.ApprovalRuleTypeAnyApprover),
	})
	require.NoError(t, err)
	assert.Equal(t, "Quality", changed.Name)
	assert.Empty(t, changed.Users)
	assert.Equal(t, new(2), approvals().ApprovalsLeft)
	rules, err := serviceapi.Collect(client.Approvals.AllRules(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProjectApprovalRule{changed}, rules)
	_, _, err = client.Approvals.CreateRule(ctx, group, serviceapi.CreateApprovalRuleOptions{
		Name: strings.Repeat("x", 1025), ApprovalsRequired: 1,
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)

	set, _, err := client.Approvals.SetRequired(ctx, mergeApp.MergeRequest(open.IID()),
		serviceapi.SetRequiredApprovalsOptions{ApprovalsRequired: 0})
	require.NoError(t, err)
	assert.Equal(t, new(0), set.ApprovalsRequired)
	assert.Equal(t, new(0), approvals().ApprovalsLeft, "the rule of the group is replaced")
	svc.SetFeature("approval_group_rules", false)
	_, _, err = client.Approvals.ListRules(ctx, group, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
