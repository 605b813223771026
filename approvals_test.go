package serviceapi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeApprovals is testdata/approvals/approvals.json.
func wholeApprovals(t *testing.T) *Approvals {
	return &Approvals{
		UserHasApproved: true, UserCanApprove: true, Approved: true,
		ApprovedBy: []*Approval{{User: &adaSummary, ApprovedAt: at(t, "2026-03-02T11:16:17.520Z")}},
		ID:         new(int64(84)), IID: new(int64(14)), ProjectID: new(int64(4)), Title: "Compute Bernoulli numbers",
		Description: "Closes #6.", State: MergeRequestStateOpened,
		MergeStatus: MergeStatusCanBeMerged, CreatedAt: at(t, "2026-03-01T08:46:00Z"),
		UpdatedAt:         at(t, "2026-03-02T11:16:18Z"),
		ApprovalsRequired: new(2), ApprovalsLeft: new(1), RequirePasswordToApprove: new(true),
		HasApprovalRules:               new(true),
		MergeRequestApproversAvailable: new(true), MultipleApprovalRulesAvailable: new(true),
		SuggestedApprovers: []*UserSummary{&charlesSummary},
		ApprovalRulesLeft:  []*ApprovalRuleSummary{{ID: 5, Name: "Security", RuleType: ApprovalRuleTypeRegular}},
		Approvers:          []*UserSummary{}, ApproverGroups: []*GroupSummary{},
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
	s, ctx, app := client.Approvals, t.Context(), ProjectPath("acme/app")
	wantWhole := func(approvals *Approvals, _ *Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeApprovals(t), approvals)
	}
	wantWhole(s.Get(ctx, app.MergeRequest(14)))
	approvals, _, err := s.Get(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, &Approvals{Approved: true, ApprovedBy: []*Approval{{User: &UserSummary{ID: 1}}}}, approvals)
	wantWhole(s.Approve(ctx, app.MergeRequest(14), ApproveOptions{}))
	wantWhole(s.Approve(ctx, app.MergeRequest(14),
		ApproveOptions{SHA: new("abc"), ApprovalPassword: NewSecret("secret word"),
			PublishReview: new(true)}))
	wantWhole(s.Unapprove(ctx, app.MergeRequest(14)))
	_, _, err = s.Unapprove(ctx, app.MergeRequest(14))
	require.ErrorIs(t, err, ErrNotFound)

	state, _, err := s.State(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	ada := []*UserSummary{&adaSummary}
	assert.Equal(t, &ApprovalState{ApprovalRulesOverwritten: true, Rules: []*ApprovalRule{{
		MergeRequestApprovalRule: MergeRequestApprovalRule{
			ApprovalRuleSummary: ApprovalRuleSummary{ID: 5, Name: "Security", RuleType: ApprovalRuleTypeReportApprover},
			ReportType:          ApprovalReportTypeLicenseScanning, EligibleApprovers: ada, Users: ada,
			Groups: state.Rules[0].Groups, ContainsHiddenGroups: true, ApprovalsRequired: 2, Overridden: true,
			Section: "Documentation", SourceRule: &ApprovalSourceRule{ApprovalsRequired: 1},
		},
		ApprovedBy: ada,
		Approved:   true, CodeOwner: true,
	}, {MergeRequestApprovalRule: MergeRequestApprovalRule{
		ApprovalRuleSummary: ApprovalRuleSummary{ID: 6, Name: "All", RuleType: ApprovalRuleTypeAnyApprover},
	}}}}, state)
	require.Len(t, state.Rules[0].Groups, 1)
	assert.Equal(t, "acme/platform", state.Rules[0].Groups[0].FullPath)
}

func TestApprovalsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		body    string
		refused bool
		is      error
	}{
		"may not": {401, `{"message":"401 Unauthorized"}`, true, ErrUnauthorized},
		"token expired": {401, `{"error":"invalid_token","error_description":"Token is expired."}`, false,
			ErrUnauthorized},
		"moved branch":   {409, `{"message":"SHA does not match HEAD of source branch"}`, false, ErrConflict},
		"not a member":   {403, `{"message":"403 Forbidden"}`, false, ErrForbidden},
		"there is none":  {404, `{"message":"404 Not found"}`, false, ErrNotFound},
		"service failed": {500, ``, false, ErrServer},
	} {
		t.Run(name, func(t *testing.T) {
			client := onWire(t, exchange{Method: "POST", Path: mergeRequestPath + "/approve", JSON: `{}`,
				Status: test.status, Body: test.body})
			_, _, err := client.Approvals.Approve(t.Context(), ProjectPath("acme/app").MergeRequest(14),
				ApproveOptions{})
			require.ErrorIs(t, err, test.is)
			var refused *ApprovalError
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
	failed := func(_ any, _ *Response, err error) error { return err }
	assertRefused(t, "id", failed(s.Get(ctx, ProjectRef{}.MergeRequest(14))))
	assertRefused(t, "merge_request_iid", failed(s.Approve(ctx, ProjectID(4).MergeRequest(0), ApproveOptions{})))
	assertRefused(t, "merge_request_iid", failed(s.Unapprove(ctx, ProjectID(4).MergeRequest(-1))))
	assertRefused(t, "project path", failed(s.State(ctx, ProjectPath("..").MergeRequest(14))))
	assertRefused(t, "owner", failed(s.GetSetting(ctx, nil)))
	assertRefused(t, "merge request", failed(s.GetRuleForMergeRequest(ctx, MergeRequestRef{}, 5)))
	assertRefused(t, "approval_rule_id", failed(s.GetRule(ctx, ProjectID(4), 0)))
	assertRefused(t, "Name", failed(s.CreateRule(ctx, ProjectID(4), CreateApprovalRuleOptions{})))
	assertRefused(t, "Name", failed(s.CreateRuleForMergeRequest(ctx, ProjectID(4).MergeRequest(1),
		CreateMergeRequestApprovalRuleOptions{})))
}
