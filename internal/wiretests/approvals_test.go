package wiretests

import (
	"errors"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeApprovals is testdata/approvals/approvals.json.
func wholeApprovals(t *testing.T) *serviceapi.Approvals {
	return &serviceapi.Approvals{
		UserHasApproved: true, UserCanApprove: true, Approved: true,
		ApprovedBy: []*serviceapi.Approval{{User: &adaSummary, ApprovedAt: at(t, "2026-03-02T11:16:17.520Z")}},
		ID:         new(int64(84)), IID: new(int64(14)), ProjectID: new(int64(4)), Title: "Compute Bernoulli numbers",
		Description: "Closes #6.", State: serviceapi.MergeRequestStateOpened,
		MergeStatus: serviceapi.MergeStatusCanBeMerged, CreatedAt: at(t, "2026-03-01T08:46:00Z"),
		UpdatedAt:         at(t, "2026-03-02T11:16:18Z"),
		ApprovalsRequired: new(2), ApprovalsLeft: new(1), RequirePasswordToApprove: new(true),
		HasApprovalRules:               new(true),
		MergeRequestApproversAvailable: new(true), MultipleApprovalRulesAvailable: new(true),
		SuggestedApprovers: []*serviceapi.UserSummary{&charlesSummary},
		ApprovalRulesLeft: []*serviceapi.ApprovalRuleSummary{
			{ID: 5, Name: "Security", RuleType: serviceapi.ApprovalRuleTypeRegular},
		},
		InvalidApproversRules: []*serviceapi.ApprovalRuleSummary{
			{ID: 6, Name: "Nobody", RuleType: serviceapi.ApprovalRuleTypeRegular},
		},
		Approvers: []*serviceapi.Approver{}, ApproverGroups: []*serviceapi.ApproverGroup{},
	}
}

func TestApprovals(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/approvals", Fixture: "approvals/approvals.json"},
		exchange{Method: "GET", Path: mergeRequestPath + "/approvals",
			Body: `{"approved":true,"approved_by":[{"user":{"id":1}}],"require_password_to_approve":null}`},
		exchange{Method: "POST", Path: mergeRequestPath + "/approve", JSON: `{}`, Status: 201,
			Fixture: "approvals/approvals.json"},
		exchange{Method: "POST", Path: mergeRequestPath + "/approve",
			JSON: `{"sha":"abc","approval_password":"secret word","publish_review":true}`, Status: 201,
			Fixture: "approvals/approvals.json"},
		exchange{Method: "POST", Path: mergeRequestPath + "/unapprove", Status: 201,
			Fixture: "approvals/approvals.json"},
		exchange{Method: "POST", Path: mergeRequestPath + "/unapprove", Status: 404,
			Body: `{"message":"404 Not found"}`},
		exchange{Method: "GET", Path: mergeRequestPath + "/approval_state", Fixture: "approvals/state.json"})
	s, ctx, app := client.Approvals, t.Context(), serviceapi.ProjectPath("acme/app")
	wantWhole := func(approvals *serviceapi.Approvals, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeApprovals(t), approvals)
	}
	wantWhole(s.Get(ctx, app.MergeRequest(14)))
	approvals, _, err := s.Get(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.Approvals{
			Approved:   true,
			ApprovedBy: []*serviceapi.Approval{{User: &serviceapi.UserSummary{ID: 1}}},
		},
		approvals,
	)
	wantWhole(s.Approve(ctx, app.MergeRequest(14), serviceapi.ApproveOptions{}))
	wantWhole(s.Approve(ctx, app.MergeRequest(14),
		serviceapi.ApproveOptions{SHA: new("abc"), ApprovalPassword: serviceapi.NewSecret("secret word"),
			PublishReview: new(true)}))
	wantWhole(s.Unapprove(ctx, app.MergeRequest(14)))
	_, _, err = s.Unapprove(ctx, app.MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	state, _, err := s.State(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	ada := []*serviceapi.UserSummary{&adaSummary}
	assert.Equal(t, &serviceapi.ApprovalState{ApprovalRulesOverwritten: true, Rules: []*serviceapi.ApprovalRule{{
		MergeRequestApprovalRule: serviceapi.MergeRequestApprovalRule{
			ApprovalRuleSummary: serviceapi.ApprovalRuleSummary{
				ID:       5,
				Name:     "Security",
				RuleType: serviceapi.ApprovalRuleTypeReportApprover,
			},
			ReportType: serviceapi.ApprovalReportTypeLicenseScanning, EligibleApprovers: ada, Users: ada,
			Groups: state.Rules[0].Groups, ContainsHiddenGroups: true, ApprovalsRequired: 2, Overridden: true,
			Section: "Documentation", SourceRule: &serviceapi.ApprovalSourceRule{ApprovalsRequired: 1},
		},
		ApprovedBy: ada,
		Approved:   true, CodeOwner: true,
	}, {MergeRequestApprovalRule: serviceapi.MergeRequestApprovalRule{
		ApprovalRuleSummary: serviceapi.ApprovalRuleSummary{
			ID:       6,
			Name:     "All",
			RuleType: serviceapi.ApprovalRuleTypeAnyApprover,
		},
	}}}}, state)
	require.Len(t, state.Rules[0].Groups, 1)
	assert.Equal(t, "acme/platform", state.Rules[0].Groups[0].FullPath)
}

// TestApprovalsSetRequired also sends 0, which is a number of approvals.
func TestApprovalsSetRequired(t *testing.T) {
	const path, whole = mergeRequestPath + "/approvals", "approvals/approvals.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, JSON: `{"approvals_required":2}`, Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 422, JSON: `{"approvals_required":0}`,
			Body: `{"error":"Overriding approvals is disabled"}`})
	s, ctx, mr := client.Approvals, t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14)
	got, _, err := s.SetRequired(ctx, mr, serviceapi.SetRequiredApprovalsOptions{ApprovalsRequired: 2})
	require.NoError(t, err)
	assert.Equal(t, wholeApprovals(t), got)
	assert.ErrorIs(t, errorOf(s.SetRequired(ctx, mr, serviceapi.SetRequiredApprovalsOptions{})),
		serviceapi.ErrUnprocessable)
	assertRefused(t, "merge request", errorOf(s.SetRequired(ctx, serviceapi.MergeRequestRef{},
		serviceapi.SetRequiredApprovalsOptions{})))
}

func TestApprovalsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		body    string
		refused bool
		is      error
	}{
		"may not": {401, `{"message":"401 Unauthorized"}`, true, serviceapi.ErrUnauthorized},
		"token expired": {401, `{"error":"invalid_token","error_description":"Token is expired."}`, false,
			serviceapi.ErrUnauthorized},
		"moved branch": {409, `{"message":"SHA does not match HEAD of source branch"}`, false,
			serviceapi.ErrConflict},
		"not a member":   {403, `{"message":"403 Forbidden"}`, false, serviceapi.ErrForbidden},
		"there is none":  {404, `{"message":"404 Not found"}`, false, serviceapi.ErrNotFound},
		"service failed": {500, ``, false, serviceapi.ErrServer},
	} {
		t.Run(name, func(t *testing.T) {
			client := onWire(t, exchange{Method: "POST", Path: mergeRequestPath + "/approve", JSON: `{}`,
				Status: test.status, Body: test.body})
			_, _, err := client.Approvals.Approve(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14),
				serviceapi.ApproveOptions{})
			require.ErrorIs(t, err, test.is)
			var refused *serviceapi.ApprovalError
			assert.Equal(t, test.refused, errors.As(err, &refused))
			if test.refused {
				assert.Equal(t, test.status, refused.Err.StatusCode)
				assert.Contains(t, err.Error(), "may not approve")
			}
		})
	}
}

func TestApprovalsArguments(t *testing.T) {
	s, ctx := onWire(t).Approvals, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "id", failed(s.Get(ctx, serviceapi.ProjectRef{}.MergeRequest(14))))
	assertRefused(
		t,
		"merge_request_iid",
		failed(s.Approve(ctx, serviceapi.ProjectID(4).MergeRequest(0), serviceapi.ApproveOptions{})),
	)
	assertRefused(t, "merge_request_iid", failed(s.Unapprove(ctx, serviceapi.ProjectID(4).MergeRequest(-1))))
	assertRefused(t, "project path", failed(s.State(ctx, serviceapi.ProjectPath("..").MergeRequest(14))))
	assertRefused(t, "owner", failed(s.GetSetting(ctx, nil)))
	assertRefused(t, "merge request", failed(s.GetRuleForMergeRequest(ctx, serviceapi.MergeRequestRef{}, 5)))
	assertRefused(t, "approval_rule_id", failed(s.GetRule(ctx, serviceapi.ProjectID(4), 0)))
	assertRefused(t, "Name", failed(s.CreateRule(ctx, serviceapi.ProjectID(4), serviceapi.CreateApprovalRuleOptions{})))
	assertRefused(t, "Name", failed(s.CreateRuleForMergeRequest(ctx, serviceapi.ProjectID(4).MergeRequest(1),
		serviceapi.CreateMergeRequestApprovalRuleOptions{})))
}
