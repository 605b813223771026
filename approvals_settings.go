package serviceapi

import (
	"context"
	"net/http"
)

// ApprovalConfiguration is how the merge requests of a project are approved.
// [ApprovalSetting] shows the same state, and also what a group decides. Premium.
type ApprovalConfiguration struct {
	// ApprovalsBeforeMerge is the number of approvals that new merge requests need.
	//
	// Deprecated: see [ApprovalsService.ListRules].
	ApprovalsBeforeMerge int `json:"approvals_before_merge"`
	// The following settings are nil if they were never set, which is as false.
	// ResetApprovalsOnPush withdraws all approvals when the source branch changes, and
	// SelectiveCodeOwnerRemovals only those of code owners whose files change.
	// DisableOverridingApproversPerMergeRequest keeps merge requests from having rules
	// of their own. MergeRequestsAuthorApproval lets authors approve, and
	// MergeRequestsDisableCommittersApproval keeps those who committed from it.
	ResetApprovalsOnPush                      *bool `json:"reset_approvals_on_push"`
	SelectiveCodeOwnerRemovals                *bool `json:"selective_code_owner_removals"`
	DisableOverridingApproversPerMergeRequest *bool `json:"disable_overriding_approvers_per_merge_request"`
	MergeRequestsAuthorApproval               *bool `json:"merge_requests_author_approval"`
	MergeRequestsDisableCommittersApproval    *bool `json:"merge_requests_disable_committers_approval"`
	// RequirePasswordToApprove requires [ApproveOptions.ApprovalPassword].
	RequirePasswordToApprove bool `json:"require_password_to_approve"`
	// RequireReauthenticationToApprove requires users to sign in again. Since 17.1.
	RequireReauthenticationToApprove bool `json:"require_reauthentication_to_approve"`
	// Approvers and ApproverGroups are always empty. In old releases, their objects
	// have other forms.
	//
	// Deprecated: see [ApprovalsService.ListRules].
	Approvers      []*UserSummary  `json:"approvers"`
	ApproverGroups []*GroupSummary `json:"approver_groups"`
}

// UpdateApprovalConfigurationOptions changes how the merge requests of a project are
// approved. Nil fields are left unchanged, and one has to be set.
type UpdateApprovalConfigurationOptions struct {
	// ApprovalsBeforeMerge is the number of approvals that new merge requests need.
	//
	// Deprecated: see [ApprovalsService.CreateRule].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge,omitzero"`
	// ResetApprovalsOnPush and the following fields are as in [ApprovalConfiguration].
	// SelectiveCodeOwnerRemovals excludes ResetApprovalsOnPush.
	ResetApprovalsOnPush                      *bool `json:"reset_approvals_on_push,omitzero"`
	SelectiveCodeOwnerRemovals                *bool `json:"selective_code_owner_removals,omitzero"`
	DisableOverridingApproversPerMergeRequest *bool `json:"disable_overriding_approvers_per_merge_request,omitzero"`
	MergeRequestsAuthorApproval               *bool `json:"merge_requests_author_approval,omitzero"`
	MergeRequestsDisableCommittersApproval    *bool `json:"merge_requests_disable_committers_approval,omitzero"`
	RequirePasswordToApprove                  *bool `json:"require_password_to_approve,omitzero"`
	// RequireReauthenticationToApprove also sets RequirePasswordToApprove. Since 17.1.
	RequireReauthenticationToApprove *bool `json:"require_reauthentication_to_approve,omitzero"`
}

// ApprovalSetting is how the merge requests of a project or a group are approved, and
// what is decided above. Some settings are the opposite of those in
// [ApprovalConfiguration]. Premium.
type ApprovalSetting struct {
	// A setting is nil if the release does not have it. AllowAuthorApproval lets authors
	// approve their merge requests, and AllowCommitterApproval those who committed.
	// AllowOverridesToApproverListPerMergeRequest lets merge requests have rules of
	// their own. RetainApprovalsOnPush keeps approvals when the source branch changes, and
	// SelectiveCodeOwnerRemovals only those of code owners whose files stay the same.
	// RequirePasswordToApprove requires [ApproveOptions.ApprovalPassword], and
	// RequireReauthenticationToApprove, which exists since 17.1, to sign in again.
	AllowAuthorApproval                         *ApprovalSettingValue `json:"allow_author_approval"`
	AllowCommitterApproval                      *ApprovalSettingValue `json:"allow_committer_approval"`
	AllowOverridesToApproverListPerMergeRequest *ApprovalSettingValue `json:"allow_overrides_to_approver_list_per_merge_request"`
	RetainApprovalsOnPush                       *ApprovalSettingValue `json:"retain_approvals_on_push"`
	SelectiveCodeOwnerRemovals                  *ApprovalSettingValue `json:"selective_code_owner_removals"`
	RequirePasswordToApprove                    *ApprovalSettingValue `json:"require_password_to_approve"`
	RequireReauthenticationToApprove            *ApprovalSettingValue `json:"require_reauthentication_to_approve"`
}

// ApprovalSettingValue is the value of a setting.
type ApprovalSettingValue struct {
	Value bool `json:"value"`
	// Locked settings cannot be changed, because InheritedFrom decides.
	Locked bool `json:"locked"`
	// InheritedFrom is empty unless the value is decided above.
	InheritedFrom ApprovalSettingSource `json:"inherited_from"`
}

// ApprovalSettingSource says where a setting is decided.
type ApprovalSettingSource string

// Where a setting is decided. The service may send others.
const (
	ApprovalSettingSourceInstance ApprovalSettingSource = "instance"
	ApprovalSettingSourceGroup    ApprovalSettingSource = "group"
)

// UpdateApprovalSettingOptions changes how the merge requests of a project or a group
// are approved. Nil fields are left unchanged, and one has to be set.
type UpdateApprovalSettingOptions struct {
	// AllowAuthorApproval and the following fields are as in [ApprovalSetting].
	// SelectiveCodeOwnerRemovals requires RetainApprovalsOnPush.
	AllowAuthorApproval                         *bool `json:"allow_author_approval,omitzero"`
	AllowCommitterApproval                      *bool `json:"allow_committer_approval,omitzero"`
	AllowOverridesToApproverListPerMergeRequest *bool `json:"allow_overrides_to_approver_list_per_merge_request,omitzero"`
	RetainApprovalsOnPush                       *bool `json:"retain_approvals_on_push,omitzero"`
	SelectiveCodeOwnerRemovals                  *bool `json:"selective_code_owner_removals,omitzero"`
	RequirePasswordToApprove                    *bool `json:"require_password_to_approve,omitzero"`
	// RequireReauthenticationToApprove also sets RequirePasswordToApprove. Since 17.1.
	RequireReauthenticationToApprove *bool `json:"require_reauthentication_to_approve,omitzero"`
}

// ApprovalSettingOwner is an owner of an approval setting: a [ProjectRef] or a
// [GroupRef].
type ApprovalSettingOwner interface{ hasApprovalSetting() }

func (ProjectRef) hasApprovalSetting() {}
func (GroupRef) hasApprovalSetting()   {}

const approvalSetting = "/merge_request_approval_setting"

// GetConfiguration returns how the merge requests of a project are approved. Requires
// the Developer role. Premium.
//
//	GET /projects/:id/approvals
func (s *ApprovalsService) GetConfiguration(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ApprovalConfiguration, *Response, error) {
	return do[ApprovalConfiguration](ctx, s.client, http.MethodGet, Route("/projects/:id/approvals", project), nil,
		opts)
}

// UpdateConfiguration changes how the merge requests of a project are approved. A
// setting that a group has locked returns [ErrBadRequest]. Requires the Maintainer role.
// Premium.
//
//	POST /projects/:id/approvals
func (s *ApprovalsService) UpdateConfiguration(
	ctx context.Context, project ProjectRef, options UpdateApprovalConfigurationOptions, opts ...RequestOption,
) (*ApprovalConfiguration, *Response, error) {
	return do[ApprovalConfiguration](ctx, s.client, http.MethodPost,
		Route("/projects/:id/approvals", project), jsonOf(options), opts)
}

// GetSetting returns how the merge requests of a project or of the projects of a group
// are approved, and what is decided above. Requires the Developer role in a project,
// and the Owner role in a group. Premium.
//
//	GET /projects/:id/merge_request_approval_setting
//	GET /groups/:id/merge_request_approval_setting
func (s *ApprovalsService) GetSetting(
	ctx context.Context, owner ApprovalSettingOwner, opts ...RequestOption,
) (*ApprovalSetting, *Response, error) {
	return do[ApprovalSetting](ctx, s.client, http.MethodGet, below(owner, approvalSetting), nil, opts)
}

// UpdateSetting changes how the merge requests of a project or of the projects of a
// group are approved. A setting that is locked returns [ErrBadRequest]. Requires the
// Maintainer role in a project, and the Owner role in a group. Premium.
//
//	PUT /projects/:id/merge_request_approval_setting
//	PUT /groups/:id/merge_request_approval_setting
func (s *ApprovalsService) UpdateSetting(
	ctx context.Context, owner ApprovalSettingOwner, options UpdateApprovalSettingOptions, opts ...RequestOption,
) (*ApprovalSetting, *Response, error) {
	return do[ApprovalSetting](ctx, s.client, http.MethodPut, below(owner, approvalSetting), jsonOf(options), opts)
}
