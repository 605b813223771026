package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// securityRule is testdata/approvals/project_rule.json.
func securityRule(t *testing.T) *serviceapi.ProjectApprovalRule {
	ada := []*serviceapi.UserSummary{&adaSummary}
	return &serviceapi.ProjectApprovalRule{
		ApprovalRuleSummary: serviceapi.ApprovalRuleSummary{
			ID:       5,
			Name:     "Security",
			RuleType: serviceapi.ApprovalRuleTypeReportApprover,
		},
		ReportType:        serviceapi.ApprovalReportTypeCodeCoverage,
		EligibleApprovers: ada, Users: ada, Groups: []*serviceapi.Group{platformInRules()}, ContainsHiddenGroups: true,
		ApprovalsRequired: 2,
		ProtectedBranches: []*serviceapi.ProtectedBranch{
			wholeProtection(6, "main"), {ID: 4, Name: "release/*", CodeOwnerApprovalRequired: new(true)}},
		AppliesToAllProtectedBranches: true,
	}
}

// platformInRules is the group of approval rules, which have only some of its members.
func platformInRules() *serviceapi.Group {
	return &serviceapi.Group{
		GroupSummary: serviceapi.GroupSummary{
			ID: 7, Name: "Platform", Path: "platform", FullPath: "acme/platform", FullName: "Acme / Platform",
			WebURL: "https://service.test/groups/acme/platform",
		},
		ParentID: new(int64(3)), Visibility: serviceapi.VisibilityPrivate, LFSEnabled: true,
		RequestAccessEnabled: true,
	}
}

func TestProjectApprovalRules(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/approval_rules", "approvals/project_rule.json"
	body := "[" + fixture(t, whole) + `,{"id":6,"report_type":null,"protected_branches":[{"id":1,
		"code_owner_approval_required":"false"}]}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/5", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"name":"Security","approvals_required":0}`, Status: 201,
			Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"name":"Security","approvals_required":2,
			"rule_type":"report_approver","report_type":"code_coverage",
			"user_ids":[1],"group_ids":[7],"usernames":["bob"],
			"protected_branch_ids":[4],"applies_to_all_protected_branches":false}`},
		exchange{Method: "PUT", Path: path + "/5", JSON: `{}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/5", Fixture: whole,
			JSON: `{"name":"S","approvals_required":0,"user_ids":[],
			"group_ids":[],"usernames":[],"remove_hidden_groups":true,
			"protected_branch_ids":[],"applies_to_all_protected_branches":true}`},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204})
	s, ctx, app := client.Approvals, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.ProjectApprovalRule{
		securityRule(t),
		{ApprovalRuleSummary: serviceapi.ApprovalRuleSummary{ID: 6},
			ProtectedBranches: []*serviceapi.ProtectedBranch{{ID: 1, CodeOwnerApprovalRequired: new(false)}}},
	}
	rules, _, err := s.ListRules(ctx, app, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	assertFilled(t, rules[0])
	rules, err = serviceapi.Collect(s.AllRules(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	wantWhole := func(rule *serviceapi.ProjectApprovalRule, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want[0], rule)
	}
	wantWhole(s.GetRule(ctx, app, 5))
	wantWhole(s.CreateRule(ctx, app, serviceapi.CreateApprovalRuleOptions{Name: "Security"}))
	wantWhole(s.CreateRule(ctx, app, serviceapi.CreateApprovalRuleOptions{
		Name: "Security", ApprovalsRequired: 2, RuleType: new(serviceapi.ApprovalRuleTypeReportApprover),
		ReportType: new(serviceapi.ApprovalReportTypeCodeCoverage),
		UserIDs:    []int64{1}, GroupIDs: []int64{7}, Usernames: []string{"bob"}, ProtectedBranchIDs: []int64{4},
		AppliesToAllProtectedBranches: new(false),
	}))
	wantWhole(s.UpdateRule(ctx, app, 5, serviceapi.UpdateApprovalRuleOptions{}))
	wantWhole(s.UpdateRule(ctx, app, 5, serviceapi.UpdateApprovalRuleOptions{
		Name: new("S"), ApprovalsRequired: new(0), UserIDs: []int64{}, GroupIDs: []int64{}, Usernames: []string{},
		RemoveHiddenGroups: new(true), ProtectedBranchIDs: []int64{}, AppliesToAllProtectedBranches: new(true),
	}))
	_, err = s.DeleteRule(ctx, app, 5)
	require.NoError(t, err)
}

// TestApprovalRulesOfGroups checks what differs from those of projects.
func TestApprovalRulesOfGroups(t *testing.T) {
	const path, whole = "/groups/acme/approval_rules", "approvals/project_rule.json"
	body := "[" + fixture(t, whole) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"name":"Security",
			"approvals_required":2,"rule_type":"report_approver","user_ids":[1],"group_ids":[7]}`},
		exchange{Method: "PUT", Path: path + "/5", Fixture: whole, JSON: `{"name":"S","approvals_required":0,
			"rule_type":"regular","user_ids":[],"group_ids":[]}`})
	s, ctx, acme := client.Approvals, t.Context(), serviceapi.GroupPath("acme")
	want := []*serviceapi.ProjectApprovalRule{securityRule(t)}
	rules, _, err := s.ListRules(ctx, acme, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	rules, err = serviceapi.Collect(s.AllRules(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	rule, _, err := s.CreateRule(ctx, acme, serviceapi.CreateApprovalRuleOptions{
		Name: "Security", ApprovalsRequired: 2, RuleType: new(serviceapi.ApprovalRuleTypeReportApprover),
		UserIDs: []int64{1}, GroupIDs: []int64{7},
	})
	require.NoError(t, err)
	assert.Equal(t, want[0], rule)
	rule, _, err = s.UpdateRule(ctx, acme, 5, serviceapi.UpdateApprovalRuleOptions{
		Name: new("S"), ApprovalsRequired: new(0), RuleType: new(serviceapi.ApprovalRuleTypeRegular),
		UserIDs: []int64{}, GroupIDs: []int64{},
	})
	require.NoError(t, err)
	assert.Equal(t, want[0], rule)
	assertRefused(t, "Usernames", errorOf(s.CreateRule(ctx, acme, serviceapi.CreateApprovalRuleOptions{
		Name: "Security", Usernames: []string{"bob"},
	})))
	assertRefused(t, "RuleType", errorOf(s.UpdateRule(ctx, serviceapi.ProjectID(4), 5,
		serviceapi.UpdateApprovalRuleOptions{RuleType: new(serviceapi.ApprovalRuleTypeRegular)})))
	assertRefused(t, "owner", errorOf(s.ListRules(ctx, nil, nil)))
	assertRefused(t, "approval_rule_id", errorOf(s.UpdateRule(ctx, acme, 0, serviceapi.UpdateApprovalRuleOptions{})))
}

// wholeProtection returns a protected branch as it is in other objects, with every field.
func wholeProtection(id int64, name string) *serviceapi.ProtectedBranch {
	return &serviceapi.ProtectedBranch{
		ID: id, Name: name,
		PushAccessLevels: []*serviceapi.ProtectionLevel{{ID: new(int64(11)),
			AccessLevel: new(serviceapi.AccessLevelMaintainer), AccessLevelDescription: "Maintainers"}},
		MergeAccessLevels: []*serviceapi.ProtectionLevel{{ID: new(int64(21)),
			AccessLevel: new(serviceapi.AccessLevelDeveloper), AccessLevelDescription: "Developers + Maintainers"}},
		UnprotectAccessLevels: []*serviceapi.ProtectionLevel{{ID: new(int64(31)),
			AccessLevelDescription: "Ada Lovelace", UserID: new(int64(8))}},
		AllowForcePush: true, CodeOwnerApprovalRequired: new(true), Inherited: new(false),
	}
}

// TestProtectedBranchOfRule checks members of the wrong kind.
func TestProtectedBranchOfRule(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/4/approval_rules/5",
		Body: `{"id":5,"protected_branches":[
		{"id":"x","name":"main","code_owner_approval_required":"true"},
		{"id":2,"name":"false","code_owner_approval_required":"no"}]}`})
	rule, _, err := client.Approvals.GetRule(t.Context(), serviceapi.ProjectID(4), 5)
	var problem *serviceapi.DecodeError
	require.ErrorAs(t, err, &problem)
	assert.Equal(
		t,
		[]*serviceapi.ProtectedBranch{{Name: "main", CodeOwnerApprovalRequired: new(true)}, {ID: 2, Name: "false"}},
		rule.ProtectedBranches,
	)
}

func TestMergeRequestApprovalRules(t *testing.T) {
	const path, whole = mergeRequestPath + "/approval_rules", "approvals/merge_request_rule.json"
	body := "[" + fixture(t, whole) + `,{"id":6,"report_type":null,"section":null,"source_rule":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/5", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"name":"Security","approvals_required":2,
			"approval_project_rule_id":3,"user_ids":[1],"group_ids":[7],"usernames":["bob"]}`},
		exchange{Method: "PUT", Path: path + "/5", Fixture: whole,
			JSON: `{"name":"S","approvals_required":0,"user_ids":[],
			"group_ids":[],"usernames":[],"remove_hidden_groups":true}`},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204},
		exchange{Method: "PUT", Path: mergeRequestPath + "/reset_approvals", Status: 202},
		exchange{Method: "PUT", Path: mergeRequestPath + "/reset_approvals", Status: 401,
			Body: `{"message":"401 Unauthorized"}`})
	s, ctx, request := client.Approvals, t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14)
	security := securityRule(t)
	want := []*serviceapi.MergeRequestApprovalRule{{
		ApprovalRuleSummary: security.ApprovalRuleSummary, ReportType: serviceapi.ApprovalReportTypeCodeCoverage,
		EligibleApprovers: security.EligibleApprovers, Users: security.Users, Groups: security.Groups,
		ContainsHiddenGroups: true,
		ApprovalsRequired:    2, Overridden: true, Section: "Documentation",
		SourceRule: &serviceapi.ApprovalSourceRule{ApprovalsRequired: 1},
	}, {ApprovalRuleSummary: serviceapi.ApprovalRuleSummary{ID: 6}}}
	rules, _, err := s.ListRulesForMergeRequest(ctx, request, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	assertFilled(t, rules[0])
	rules, err = serviceapi.Collect(s.AllRulesForMergeRequest(ctx, request, nil))
	require.NoError(t, err)
	assert.Equal(t, want, rules)
	wantWhole := func(rule *serviceapi.MergeRequestApprovalRule, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want[0], rule)
	}
	wantWhole(s.GetRuleForMergeRequest(ctx, request, 5))
	wantWhole(s.CreateRuleForMergeRequest(ctx, request, serviceapi.CreateMergeRequestApprovalRuleOptions{
		Name: "Security", ApprovalsRequired: 2, ApprovalProjectRuleID: new(int64(3)), UserIDs: []int64{1},
		GroupIDs:  []int64{7},
		Usernames: []string{"bob"},
	}))
	wantWhole(s.UpdateRuleForMergeRequest(ctx, request, 5, serviceapi.UpdateMergeRequestApprovalRuleOptions{
		Name: new("S"), ApprovalsRequired: new(0), UserIDs: []int64{}, GroupIDs: []int64{}, Usernames: []string{},
		RemoveHiddenGroups: new(true),
	}))
	_, err = s.DeleteRuleForMergeRequest(ctx, request, 5)
	require.NoError(t, err)
	_, err = s.Reset(ctx, serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.NoError(t, err)
	_, err = s.Reset(ctx, serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestApprovalConfiguration(t *testing.T) {
	const path, whole = "/projects/4/approvals", "approvals/configuration.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Body: `{"reset_approvals_on_push":null,
			"selective_code_owner_removals":null}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"approvals_before_merge":0,
			"reset_approvals_on_push":true,"selective_code_owner_removals":false,
			"disable_overriding_approvers_per_merge_request":true,
			"merge_requests_author_approval":false,"merge_requests_disable_committers_approval":true,
			"require_password_to_approve":true,"require_reauthentication_to_approve":false}`})
	s, ctx := client.Approvals, t.Context()
	want := &serviceapi.ApprovalConfiguration{
		Approvers: []*serviceapi.Approver{}, ApproverGroups: []*serviceapi.ApproverGroup{}, ApprovalsBeforeMerge: 2,
		ResetApprovalsOnPush:       new(true),
		SelectiveCodeOwnerRemovals: new(false), DisableOverridingApproversPerMergeRequest: new(true),
		MergeRequestsAuthorApproval: new(false), MergeRequestsDisableCommittersApproval: new(true),
		RequirePasswordToApprove:         true,
		RequireReauthenticationToApprove: true,
	}
	got, _, err := s.GetConfiguration(ctx, serviceapi.ProjectID(4))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assertFilled(t, got)
	got, _, err = s.GetConfiguration(ctx, serviceapi.ProjectID(4))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ApprovalConfiguration{}, got)
	got, _, err = s.UpdateConfiguration(ctx, serviceapi.ProjectID(4), serviceapi.UpdateApprovalConfigurationOptions{
		ApprovalsBeforeMerge: new(0), ResetApprovalsOnPush: new(true), SelectiveCodeOwnerRemovals: new(false),
		DisableOverridingApproversPerMergeRequest: new(true), MergeRequestsAuthorApproval: new(false),
		MergeRequestsDisableCommittersApproval: new(true), RequirePasswordToApprove: new(true),
		RequireReauthenticationToApprove: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestApprovalSetting(t *testing.T) {
	const whole = "approvals/setting.json"
	off, on := &serviceapi.ApprovalSettingValue{}, &serviceapi.ApprovalSettingValue{Value: true}
	want := &serviceapi.ApprovalSetting{
		AllowAuthorApproval: &serviceapi.ApprovalSettingValue{Locked: true,
			InheritedFrom: serviceapi.ApprovalSettingSourceInstance}, AllowCommitterApproval: on,
		AllowOverridesToApproverListPerMergeRequest: &serviceapi.ApprovalSettingValue{Locked: true,
			InheritedFrom: serviceapi.ApprovalSettingSourceGroup},
		RetainApprovalsOnPush: on, SelectiveCodeOwnerRemovals: off, RequirePasswordToApprove: on,
		RequireReauthenticationToApprove: on,
	}
	for path, owner := range map[string]serviceapi.ApprovalSettingOwner{"/projects/4": serviceapi.ProjectID(4),
		"/groups/acme": serviceapi.GroupPath("acme")} {
		path += "/merge_request_approval_setting"
		client := onWire(t,
			exchange{Method: "GET", Path: path, Fixture: whole},
			exchange{Method: "PUT", Path: path, Fixture: whole, JSON: `{"allow_author_approval":true,
				"allow_committer_approval":false,
				"allow_overrides_to_approver_list_per_merge_request":true,"retain_approvals_on_push":false,
				"selective_code_owner_removals":true,"require_password_to_approve":false,
				"require_reauthentication_to_approve":true}`})
		s, ctx := client.Approvals, t.Context()
		setting, _, err := s.GetSetting(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, want, setting)
		assertFilled(t, setting)
		setting, _, err = s.UpdateSetting(ctx, owner, serviceapi.UpdateApprovalSettingOptions{
			AllowAuthorApproval: new(true), AllowCommitterApproval: new(false),
			AllowOverridesToApproverListPerMergeRequest: new(true),
			RetainApprovalsOnPush:                       new(false), SelectiveCodeOwnerRemovals: new(true),
			RequirePasswordToApprove:         new(false),
			RequireReauthenticationToApprove: new(true),
		})
		require.NoError(t, err)
		assert.Equal(t, want, setting)
	}
}
