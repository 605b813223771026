package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProjectApprovalRule is an approval rule of a project, or of a group for all of its projects.
// Merge requests get a copy of it when they are opened. It has an [ApprovalRuleSummary] in it,
// whose Name is unique among the rules of the owner that have the same type. Premium.
type ProjectApprovalRule struct {
	ApprovalRuleSummary

	// ReportType is the kind of report that a rule of type
	// ApprovalRuleTypeReportApprover checks. It is empty for other rules, and in older
	// releases.
	ReportType ApprovalReportType `json:"report_type"`
	// EligibleApprovers are all users whose approval counts: Users and the members
	// of Groups. A rule of type ApprovalRuleTypeAnyApprover has none.
	EligibleApprovers []*UserSummary `json:"eligible_approvers"`
	Users             []*UserSummary `json:"users"`
	Groups            []*Group       `json:"groups"`
	// ContainsHiddenGroups reports whether there are groups that the caller may
	// not see.
	ContainsHiddenGroups bool `json:"contains_hidden_groups"`
	// ApprovalsRequired is the number of approvals that the rule requires.
	ApprovalsRequired int `json:"approvals_required"`
	// ProtectedBranches are the target branches that the rule applies to. If there are
	// none, it applies to all branches. Older releases send only their IDs, names and
	// CodeOwnerApprovalRequired.
	ProtectedBranches []*ProtectedBranch `json:"protected_branches"`
	// AppliesToAllProtectedBranches reports whether the rule applies to all protected
	// branches, as all rules of groups do. Since 15.3.
	AppliesToAllProtectedBranches bool `json:"applies_to_all_protected_branches"`
}

// MergeRequestApprovalRule is an approval rule of a merge request. It has an
// [ApprovalRuleSummary] in it, whose ID is not that of the project's rule.
// [ApprovalsService.State] also says who has approved under it. Premium.
type MergeRequestApprovalRule struct {
	ApprovalRuleSummary

	// ReportType and the following fields are as in [ProjectApprovalRule]. The author
	// of the merge request is among EligibleApprovers only if the project lets authors
	// approve.
	ReportType           ApprovalReportType `json:"report_type"`
	EligibleApprovers    []*UserSummary     `json:"eligible_approvers"`
	Users                []*UserSummary     `json:"users"`
	Groups               []*Group           `json:"groups"`
	ContainsHiddenGroups bool               `json:"contains_hidden_groups"`
	ApprovalsRequired    int                `json:"approvals_required"`
	// Overridden reports whether the merge request changed the rule that it got from
	// the project.
	Overridden bool `json:"overridden"`
	// Section is the section of the code owners file that the rule comes from, empty
	// if there is none.
	Section string `json:"section"`
	// SourceRule is the project's rule that this one comes from, nil if there is
	// none.
	SourceRule *ApprovalSourceRule `json:"source_rule"`
}

// ApprovalRuleOwner is an owner of approval rules: a [ProjectRef], or a [GroupRef], whose
// rules are experimental. They apply to all protected branches of the projects of the group.
// Without the flag that turns them on, calls with a group return [ErrNotFound].
type ApprovalRuleOwner interface{ hasApprovalRules() }

func (ProjectRef) hasApprovalRules() {}
func (GroupRef) hasApprovalRules()   {}

// CreateApprovalRuleOptions describes a new rule of a project or a group. Name is required.
// Nil fields have their default value.
type CreateApprovalRuleOptions struct {
	// Name is unique among the rules of the owner that have the same type. In a group, it
	// has at most 1,024 characters.
	Name string `json:"name" required:"true"`
	// ApprovalsRequired is 0 or more.
	ApprovalsRequired int `json:"approvals_required"`
	// RuleType is [ApprovalRuleTypeRegular] by default. A project can have one rule
	// of type [ApprovalRuleTypeAnyApprover], which has neither users nor groups.
	RuleType *ApprovalRuleType `json:"rule_type,omitzero"`
	// ReportType is required for [ApprovalRuleTypeReportApprover]. Only for a [ProjectRef].
	ReportType *ApprovalReportType `json:"report_type,omitzero" only:"project"`
	// UserIDs, Usernames and GroupIDs say whose approval counts. Usernames was added in
	// 15.8, and is only for a [ProjectRef].
	UserIDs   []int64  `json:"user_ids,omitzero"`
	GroupIDs  []int64  `json:"group_ids,omitzero"`
	Usernames []string `json:"usernames,omitzero" only:"project"`
	// ProtectedBranchIDs are the IDs of the protected branches that the rule applies
	// to. By default, it applies to all branches. Only for a [ProjectRef].
	ProtectedBranchIDs []int64 `json:"protected_branch_ids,omitzero" only:"project"`
	// AppliesToAllProtectedBranches applies the rule to all protected branches.
	// ProtectedBranchIDs are then ignored. Since 15.3. Nil means false. Only for a
	// [ProjectRef].
	AppliesToAllProtectedBranches *bool `json:"applies_to_all_protected_branches,omitzero" only:"project"`
}

// UpdateApprovalRuleOptions changes a rule of a project or a group. Nil fields are left
// unchanged.
type UpdateApprovalRuleOptions struct {
	Name *string `json:"name,omitzero"`
	// ApprovalsRequired is 0 or more.
	ApprovalsRequired *int `json:"approvals_required,omitzero"`
	// RuleType is only for a [GroupRef].
	RuleType *ApprovalRuleType `json:"rule_type,omitzero" only:"group"`
	// UserIDs and Usernames together replace the users, and GroupIDs the groups. An empty
	// slice removes all. Groups that the caller may not see stay, unless RemoveHiddenGroups
	// is true. Usernames was added in 15.8; it and RemoveHiddenGroups are only for a
	// [ProjectRef].
	UserIDs            []int64  `json:"user_ids,omitzero"`
	GroupIDs           []int64  `json:"group_ids,omitzero"`
	Usernames          []string `json:"usernames,omitzero" only:"project"`
	RemoveHiddenGroups *bool    `json:"remove_hidden_groups,omitzero" only:"project"`
	// ProtectedBranchIDs and AppliesToAllProtectedBranches are as in
	// [CreateApprovalRuleOptions], and only for a [ProjectRef].
	ProtectedBranchIDs            []int64 `json:"protected_branch_ids,omitzero" only:"project"`
	AppliesToAllProtectedBranches *bool   `json:"applies_to_all_protected_branches,omitzero" only:"project"`
}

// CreateMergeRequestApprovalRuleOptions describes a new rule of a merge request. Name is
// required.
type CreateMergeRequestApprovalRuleOptions struct {
	Name string `json:"name" required:"true"`
	// ApprovalsRequired is 0 or more.
	ApprovalsRequired int `json:"approvals_required"`
	// ApprovalProjectRuleID is the rule of the project whose name, users and groups
	// are copied.
	ApprovalProjectRuleID *int64 `json:"approval_project_rule_id,omitzero"`
	// UserIDs, Usernames and GroupIDs say whose approval counts. If none of them is set,
	// the approval of everybody who may approve counts. Usernames was added in 15.8.
	UserIDs   []int64  `json:"user_ids,omitzero"`
	GroupIDs  []int64  `json:"group_ids,omitzero"`
	Usernames []string `json:"usernames,omitzero"`
}

// UpdateMergeRequestApprovalRuleOptions changes a rule of a merge request. Nil fields
// are left unchanged.
type UpdateMergeRequestApprovalRuleOptions struct {
	Name *string `json:"name,omitzero"`
	// ApprovalsRequired is at least the number that the project's rule requires.
	ApprovalsRequired *int `json:"approvals_required,omitzero"`
	// UserIDs and the following fields are as in [UpdateApprovalRuleOptions].
	UserIDs            []int64  `json:"user_ids,omitzero"`
	GroupIDs           []int64  `json:"group_ids,omitzero"`
	Usernames          []string `json:"usernames,omitzero"`
	RemoveHiddenGroups *bool    `json:"remove_hidden_groups,omitzero"`
}

const (
	approvalRules   = "/approval_rules"
	oneApprovalRule = "/approval_rules/:approval_rule_id"
)

// ListRules returns one page of the rules of a project or a group. Releases before 15.3
// return all of them at once; those of groups exist since 16.10. It requires the Developer
// role in a project, and the Owner role in a group. Premium.
//
//	GET /projects/:id/approval_rules
//	GET /groups/:id/approval_rules
func (s *ApprovalsService) ListRules(
	ctx context.Context, owner ApprovalRuleOwner, options *ListOptions, opts ...RequestOption,
) ([]*ProjectApprovalRule, *Response, error) {
	return list[*ProjectApprovalRule](ctx, using(s), below(owner, approvalRules), queryOf(options), opts)
}

// AllRules returns every rule of a project or a group. It requires the Developer role in a
// project, and the Owner role in a group. Premium.
//
//	GET /projects/:id/approval_rules
//	GET /groups/:id/approval_rules
func (s *ApprovalsService) AllRules(
	ctx context.Context, owner ApprovalRuleOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ProjectApprovalRule, error] {
	return all[*ProjectApprovalRule](ctx, using(s), below(owner, approvalRules), queryOf(options), opts)
}

// GetRule returns a rule of a project. It requires the Developer role. Premium.
//
//	GET /projects/:id/approval_rules/:approval_rule_id
func (s *ApprovalsService) GetRule(
	ctx context.Context, project ProjectRef, ruleID int64, opts ...RequestOption,
) (*ProjectApprovalRule, *Response, error) {
	return do[ProjectApprovalRule](ctx, using(s), http.MethodGet, below(project, oneApprovalRule, ruleID), nil, opts)
}

// CreateRule adds a rule to a project or, since 16.7, to a group. Merge requests get a copy of it when they are
// opened. The call returns [ErrBadRequest], with the reasons in [Error.Fields], if the name
// is taken, and for a second rule of type [ApprovalRuleTypeAnyApprover]. It requires the
// Maintainer role in a project, and the Owner role in a group. Premium.
//
//	POST /projects/:id/approval_rules
//	POST /groups/:id/approval_rules
func (s *ApprovalsService) CreateRule(
	ctx context.Context, owner ApprovalRuleOwner, options CreateApprovalRuleOptions, opts ...RequestOption,
) (*ProjectApprovalRule, *Response, error) {
	return do[ProjectApprovalRule](ctx, using(s), http.MethodPost,
		below(owner, approvalRules), jsonFor(owner, options), opts)
}

// UpdateRule changes a rule of a project or, since 16.10, of a group. It requires the
// Maintainer role in a project, and the Owner role in a group. Premium.
//
//	PUT /projects/:id/approval_rules/:approval_rule_id
//	PUT /groups/:id/approval_rules/:approval_rule_id
func (s *ApprovalsService) UpdateRule(
	ctx context.Context, owner ApprovalRuleOwner, ruleID int64, options UpdateApprovalRuleOptions,
	opts ...RequestOption,
) (*ProjectApprovalRule, *Response, error) {
	return do[ProjectApprovalRule](ctx, using(s), http.MethodPut,
		below(owner, oneApprovalRule, ruleID), jsonFor(owner, options), opts)
}

// DeleteRule deletes a rule of a project. It requires the Maintainer role. Premium.
//
//	DELETE /projects/:id/approval_rules/:approval_rule_id
func (s *ApprovalsService) DeleteRule(
	ctx context.Context, project ProjectRef, ruleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(project, oneApprovalRule, ruleID), nil, opts)
}

// ListRulesForMergeRequest returns one page of the rules of a merge request. Releases
// before 15.3 return all of them at once. It requires the Developer role. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/approval_rules
func (s *ApprovalsService) ListRulesForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestApprovalRule, *Response, error) {
	return list[*MergeRequestApprovalRule](ctx, using(s), below(mergeRequest, approvalRules), queryOf(options), opts)
}

// AllRulesForMergeRequest returns every rule of a merge request. It requires the Developer
// role. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/approval_rules
func (s *ApprovalsService) AllRulesForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestApprovalRule, error] {
	return all[*MergeRequestApprovalRule](ctx, using(s), below(mergeRequest, approvalRules), queryOf(options), opts)
}

// GetRuleForMergeRequest returns a rule of a merge request. It requires the Developer role.
// Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
func (s *ApprovalsService) GetRuleForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, ruleID int64, opts ...RequestOption,
) (*MergeRequestApprovalRule, *Response, error) {
	return do[MergeRequestApprovalRule](ctx, using(s), http.MethodGet,
		below(mergeRequest, oneApprovalRule, ruleID), nil, opts)
}

// CreateRuleForMergeRequest adds a rule to a merge request, which then has rules of its
// own. If the project does not let merge requests have them, the call returns
// [ErrForbidden]. It requires the Maintainer role. Premium.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/approval_rules
func (s *ApprovalsService) CreateRuleForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options CreateMergeRequestApprovalRuleOptions,
	opts ...RequestOption,
) (*MergeRequestApprovalRule, *Response, error) {
	return do[MergeRequestApprovalRule](ctx, using(s), http.MethodPost,
		below(mergeRequest, approvalRules), jsonOf(options), opts)
}

// UpdateRuleForMergeRequest changes a rule of a merge request. The call returns
// [ErrForbidden] for rules of the types [ApprovalRuleTypeCodeOwner] and
// [ApprovalRuleTypeReportApprover], and if the project does not let merge requests have
// their own rules. It requires the Maintainer role. Premium.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
func (s *ApprovalsService) UpdateRuleForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, ruleID int64, options UpdateMergeRequestApprovalRuleOptions,
	opts ...RequestOption,
) (*MergeRequestApprovalRule, *Response, error) {
	return do[MergeRequestApprovalRule](ctx, using(s), http.MethodPut,
		below(mergeRequest, oneApprovalRule, ruleID), jsonOf(options), opts)
}

// DeleteRuleForMergeRequest deletes a rule of a merge request. It returns [ErrForbidden] in
// the same cases as UpdateRuleForMergeRequest. It requires the Maintainer role. Premium.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
func (s *ApprovalsService) DeleteRuleForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, ruleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(mergeRequest, oneApprovalRule, ruleID), nil, opts)
}
