package serviceapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// ApprovalsService reads, gives and withdraws approvals of merge requests, and manages
// the rules that say whose approvals a merge request needs. Methods identify a merge
// request by its number in the project (IID).
//
// There are three kinds of rules: those of a project; those of a merge request, which
// are copies of the project's rules or its own; and the rules of a merge request
// together with their state, which [ApprovalsService.State] returns. A copy does not
// have the ID of the project's rule.
//
// Its options are [ApproveOptions], [CreateApprovalRuleOptions],
// [CreateMergeRequestApprovalRuleOptions], [ListOptions], [SetRequiredApprovalsOptions],
// [UpdateApprovalConfigurationOptions], [UpdateApprovalRuleOptions],
// [UpdateApprovalSettingOptions] and [UpdateMergeRequestApprovalRuleOptions]. See the
// example ApprovalsApprove in collaboration_test.go of
// [example.com/serviceapi/examples/recipes].
type ApprovalsService service

// Approvals says who has approved a merge request, and which approvals are missing.
// Only premium instances send ID and the fields after it: on others, they are empty or
// nil.
type Approvals struct {
	// UserHasApproved and UserCanApprove report whether the caller has approved the
	// merge request, and whether the caller may.
	UserHasApproved bool `json:"user_has_approved"`
	UserCanApprove  bool `json:"user_can_approve"`
	// Approved reports whether there are as many approvals as required.
	Approved   bool        `json:"approved"`
	ApprovedBy []*Approval `json:"approved_by"`

	// ID, IID and ProjectID are those of the merge request, nil if the instance is
	// not premium.
	ID          *int64            `json:"id"`
	IID         *int64            `json:"iid"`
	ProjectID   *int64            `json:"project_id"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	State       MergeRequestState `json:"state"`
	MergeStatus MergeStatus       `json:"merge_status"`
	// CreatedAt and UpdatedAt are nil if the instance is not premium.
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
	// ApprovalsRequired is the number of approvals that are required, and
	// ApprovalsLeft the number that are still missing. They are nil if the instance is
	// not premium, and then no approvals are required.
	ApprovalsRequired *int `json:"approvals_required"`
	ApprovalsLeft     *int `json:"approvals_left"`
	// RequirePasswordToApprove reports whether Approve requires
	// [ApproveOptions.ApprovalPassword], nil if the service does not say.
	RequirePasswordToApprove *bool `json:"require_password_to_approve"`
	// HasApprovalRules reports whether approval rules apply to the merge request. It
	// is nil if the instance is not premium.
	HasApprovalRules *bool `json:"has_approval_rules"`
	// MergeRequestApproversAvailable reports whether the project can require
	// approvals. It is nil if the instance is not premium.
	MergeRequestApproversAvailable *bool `json:"merge_request_approvers_available"`
	// MultipleApprovalRulesAvailable reports whether the project can have several
	// approval rules. It is nil if the instance is not premium.
	MultipleApprovalRulesAvailable *bool `json:"multiple_approval_rules_available"`
	// SuggestedApprovers are users who may approve but have not.
	SuggestedApprovers []*UserSummary `json:"suggested_approvers"`
	// ApprovalRulesLeft are the rules that lack an approval.
	ApprovalRulesLeft []*ApprovalRuleSummary `json:"approval_rules_left"`
	// InvalidApproversRules are rules that nobody can satisfy. Only in later releases.
	InvalidApproversRules []*ApprovalRuleSummary `json:"invalid_approvers_rules"`
	// Approvers and ApproverGroups are always empty, except in old releases.
	//
	// Deprecated: see [ApprovalsService.State].
	Approvers      []*Approver      `json:"approvers"`
	ApproverGroups []*ApproverGroup `json:"approver_groups"`
}

// Approver is a user whose approval was required in old releases, before there were rules.
type Approver struct {
	User *UserSummary `json:"user"` // nil only if the service does not send it
}

// ApproverGroup is a group whose approval was required in old releases.
type ApproverGroup struct {
	Group *GroupSummary `json:"group"` // nil only if the service does not send it
}

// Ref identifies the merge request by the ID of its project and its number there. It is the
// zero reference if the instance is not premium.
func (a *Approvals) Ref() MergeRequestRef {
	if a == nil || a.ProjectID == nil || a.IID == nil {
		return MergeRequestRef{}
	}
	return ProjectID(*a.ProjectID).MergeRequest(*a.IID)
}

// Approval is one user's approval.
type Approval struct {
	// User is the approver, nil if the account no longer exists.
	User *UserSummary `json:"user"`
	// ApprovedAt is nil if the service does not say, as in older releases.
	ApprovedAt *time.Time `json:"approved_at"`
}

// ApprovalRuleType is a kind of approval rule.
type ApprovalRuleType string

// Kinds of approval rules. The service may send others.
const (
	ApprovalRuleTypeAnyApprover    ApprovalRuleType = "any_approver"
	ApprovalRuleTypeRegular        ApprovalRuleType = "regular"
	ApprovalRuleTypeCodeOwner      ApprovalRuleType = "code_owner"
	ApprovalRuleTypeReportApprover ApprovalRuleType = "report_approver"
)

// ApprovalReportType is the kind of report that an approval rule checks.
type ApprovalReportType string

// Reports of approval rules. ApprovalReportTypeLicenseScanning exists in older
// releases. The service may send others.
const (
	ApprovalReportTypeCodeCoverage    ApprovalReportType = "code_coverage"
	ApprovalReportTypeLicenseScanning ApprovalReportType = "license_scanning"
)

// ApprovalRuleSummary is the short form of an approval rule.
type ApprovalRuleSummary struct {
	ID       int64            `json:"id"`
	Name     string           `json:"name"`
	RuleType ApprovalRuleType `json:"rule_type"`
}

// ApprovalRule is a rule of a merge request and its state: who must approve, and who has
// approved. It has a [MergeRequestApprovalRule] in it.
type ApprovalRule struct {
	MergeRequestApprovalRule

	ApprovedBy []*UserSummary `json:"approved_by"`
	// Approved reports whether the rule is satisfied.
	Approved bool `json:"approved"`
	// CodeOwner reports whether the rule comes from the code owners file. Some
	// releases leave it out; RuleType says the same.
	CodeOwner bool `json:"code_owner"`
}

// ApprovalSourceRule is the project's rule that a rule of a merge request comes
// from.
type ApprovalSourceRule struct {
	ApprovalsRequired int `json:"approvals_required"`
}

// ApprovalState is the state of the approval rules of a merge request.
type ApprovalState struct {
	// ApprovalRulesOverwritten reports whether the merge request has its own rules.
	ApprovalRulesOverwritten bool            `json:"approval_rules_overwritten"`
	Rules                    []*ApprovalRule `json:"rules"`
}

// SetRequiredApprovalsOptions says how many approvals a merge request needs.
type SetRequiredApprovalsOptions struct {
	// ApprovalsRequired is 0 or more.
	ApprovalsRequired int `json:"approvals_required"`
}

// ApproveOptions describes an approval. All fields are optional.
type ApproveOptions struct {
	// SHA is the commit that the source branch must be at, so that the caller does not
	// approve unseen changes. If the branch is at another commit, the call returns
	// [ErrConflict]. Nil means any commit.
	SHA *string `json:"sha,omitzero"`
	// ApprovalPassword is the caller's password. It is required if the project
	// asks for it: see [Approvals.RequirePasswordToApprove]. It does not work where
	// single sign-on is enforced. Premium.
	ApprovalPassword Secret `json:"approval_password,omitzero"`
	// PublishReview publishes the caller's comments that are still drafts. Nil means false.
	// Only in later releases.
	PublishReview *bool `json:"publish_review,omitzero"`
}

// ApprovalError is the service's refusal to record an approval (401): the
// caller may not approve the merge request, or has already approved it. It
// unwraps to *[Error].
type ApprovalError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
}

// Error describes the response.
func (e *ApprovalError) Error() string {
	return e.Err.Error() + "; the caller may not approve, or has already approved"
}

// Unwrap returns the *[Error].
func (e *ApprovalError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *ApprovalError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// asApprovalError distinguishes a refused approval from an invalid credential,
// for which the service names a reason.
func asApprovalError(err error) error {
	e := errorResponse(err)
	if e == nil || e.WebPage || e.StatusCode != http.StatusUnauthorized || isCredentialError(e) {
		return err
	}
	return &ApprovalError{Err: e}
}

// Get returns the approvals of a merge request.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/approvals
func (s *ApprovalsService) Get(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*Approvals, *Response, error) {
	return do[Approvals](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/approvals"), nil, opts)
}

// SetRequired sets how many approvals by anybody a merge request needs, in place of what
// the project requires. The call returns [ErrUnprocessable] if the project does not let merge
// requests decide. It requires the right to change the merge request. Premium.
//
// Deprecated: use [ApprovalsService.CreateRuleForMergeRequest].
//
//	POST /projects/:id/merge_requests/:merge_request_iid/approvals
func (s *ApprovalsService) SetRequired(
	ctx context.Context, mergeRequest MergeRequestRef, options SetRequiredApprovalsOptions, opts ...RequestOption,
) (*Approvals, *Response, error) {
	return do[Approvals](ctx, using(s), http.MethodPost, below(mergeRequest, "/approvals"), jsonOf(options), opts)
}

// Approve records the caller's approval of a merge request. The call returns an
// [*ApprovalError] if the service refuses it.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/approve
func (s *ApprovalsService) Approve(
	ctx context.Context, mergeRequest MergeRequestRef, options ApproveOptions, opts ...RequestOption,
) (*Approvals, *Response, error) {
	approvals, resp, err := do[Approvals](ctx, using(s), http.MethodPost,
		below(mergeRequest, "/approve").forbiddenBy401(),
		jsonOf(options), opts)
	return approvals, resp, asApprovalError(err)
}

// Unapprove withdraws the caller's approval. The call returns [ErrNotFound] if
// there is none.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/unapprove
func (s *ApprovalsService) Unapprove(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*Approvals, *Response, error) {
	return do[Approvals](ctx, using(s), http.MethodPost,
		below(mergeRequest, "/unapprove"), nil, opts)
}

// State returns the approval rules of a merge request, and who approved under
// each. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/approval_state
func (s *ApprovalsService) State(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*ApprovalState, *Response, error) {
	return do[ApprovalState](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/approval_state"), nil, opts)
}

// Reset withdraws all approvals of a merge request. It is only for the bot users of
// project and group access tokens: for other callers, and after the merge, the call
// returns [ErrUnauthorized]. Since 15.4. Premium.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals
func (s *ApprovalsService) Reset(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut,
		below(mergeRequest, "/reset_approvals").forbiddenBy401(), nil, opts)
}

// GetConfiguration returns the approval settings of a project.
// [ApprovalsService.GetSetting] also says which of them are locked. It requires the
// Developer role. Premium.
//
//	GET /projects/:id/approvals
func (s *ApprovalsService) GetConfiguration(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ApprovalConfiguration, *Response, error) {
	return do[ApprovalConfiguration](ctx, using(s), http.MethodGet, Route("/projects/:id/approvals", project), nil,
		opts)
}

// UpdateConfiguration changes the approval settings of a project. The call returns
// [ErrBadRequest] for a setting that a group has locked. It requires the Maintainer role.
// Premium.
//
//	POST /projects/:id/approvals
func (s *ApprovalsService) UpdateConfiguration(
	ctx context.Context, project ProjectRef, options UpdateApprovalConfigurationOptions, opts ...RequestOption,
) (*ApprovalConfiguration, *Response, error) {
	return do[ApprovalConfiguration](ctx, using(s), http.MethodPost,
		Route("/projects/:id/approvals", project), jsonOf(options), opts)
}

// GetSetting returns the approval settings of a project, or those that a group sets for its
// projects, and says which of them are locked by a group above or by the instance. It
// requires the Developer role in a project, and the Owner role in a group. Premium.
//
//	GET /projects/:id/merge_request_approval_setting
//	GET /groups/:id/merge_request_approval_setting
func (s *ApprovalsService) GetSetting(
	ctx context.Context, owner ApprovalSettingOwner, opts ...RequestOption,
) (*ApprovalSetting, *Response, error) {
	return do[ApprovalSetting](ctx, using(s), http.MethodGet, below(owner, approvalSetting), nil, opts)
}

// UpdateSetting changes the approval settings of a project, or those that a group sets for
// its projects. The call returns [ErrBadRequest] for a setting that is locked. It requires
// the Maintainer role in a project, and the Owner role in a group. Premium.
//
//	PUT /projects/:id/merge_request_approval_setting
//	PUT /groups/:id/merge_request_approval_setting
func (s *ApprovalsService) UpdateSetting(
	ctx context.Context, owner ApprovalSettingOwner, options UpdateApprovalSettingOptions, opts ...RequestOption,
) (*ApprovalSetting, *Response, error) {
	return do[ApprovalSetting](ctx, using(s), http.MethodPut, below(owner, approvalSetting), jsonOf(options), opts)
}

// ApprovalConfiguration holds the approval settings of a project. [ApprovalSetting] shows
// the same settings, and also which of them are locked. Premium.
type ApprovalConfiguration struct {
	// ApprovalsBeforeMerge is the number of approvals that new merge requests need.
	//
	// Deprecated: see [ApprovalsService.ListRules].
	ApprovalsBeforeMerge int `json:"approvals_before_merge"`
	// The following settings are nil if they were never set, which means false.
	// ResetApprovalsOnPush withdraws all approvals when the source branch changes, and
	// SelectiveCodeOwnerRemovals only those of code owners whose files change.
	// DisableOverridingApproversPerMergeRequest keeps merge requests from having rules of
	// their own. MergeRequestsAuthorApproval lets authors approve, and
	// MergeRequestsDisableCommittersApproval prevents users who added commits from
	// approving.
	ResetApprovalsOnPush                      *bool `json:"reset_approvals_on_push"`
	SelectiveCodeOwnerRemovals                *bool `json:"selective_code_owner_removals"`
	DisableOverridingApproversPerMergeRequest *bool `json:"disable_overriding_approvers_per_merge_request"`
	MergeRequestsAuthorApproval               *bool `json:"merge_requests_author_approval"`
	MergeRequestsDisableCommittersApproval    *bool `json:"merge_requests_disable_committers_approval"`
	// RequirePasswordToApprove requires [ApproveOptions.ApprovalPassword].
	RequirePasswordToApprove bool `json:"require_password_to_approve"`
	// RequireReauthenticationToApprove requires users to sign in again. Since 17.1.
	RequireReauthenticationToApprove bool `json:"require_reauthentication_to_approve"`
	// Approvers and ApproverGroups are always empty, except in old releases.
	//
	// Deprecated: see [ApprovalsService.ListRules].
	Approvers      []*Approver      `json:"approvers"`
	ApproverGroups []*ApproverGroup `json:"approver_groups"`
}

// UpdateApprovalConfigurationOptions changes the approval settings of a project. Nil
// fields are left unchanged. At least one field must be set.
type UpdateApprovalConfigurationOptions struct {
	// ApprovalsBeforeMerge is the number of approvals that new merge requests need.
	//
	// Deprecated: see [ApprovalsService.CreateRule].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge,omitzero"`
	// ResetApprovalsOnPush and the following fields are as in [ApprovalConfiguration].
	// SelectiveCodeOwnerRemovals requires that ResetApprovalsOnPush is false.
	ResetApprovalsOnPush                      *bool `json:"reset_approvals_on_push,omitzero"`
	SelectiveCodeOwnerRemovals                *bool `json:"selective_code_owner_removals,omitzero"`
	DisableOverridingApproversPerMergeRequest *bool `json:"disable_overriding_approvers_per_merge_request,omitzero"`
	MergeRequestsAuthorApproval               *bool `json:"merge_requests_author_approval,omitzero"`
	MergeRequestsDisableCommittersApproval    *bool `json:"merge_requests_disable_committers_approval,omitzero"`
	RequirePasswordToApprove                  *bool `json:"require_password_to_approve,omitzero"`
	// RequireReauthenticationToApprove also sets RequirePasswordToApprove. Since 17.1.
	RequireReauthenticationToApprove *bool `json:"require_reauthentication_to_approve,omitzero"`
}

// ApprovalSetting holds the approval settings of a project or a group, and says which of
// them are locked. Some settings are the opposites of those in [ApprovalConfiguration].
// Premium.
type ApprovalSetting struct {
	// A setting is nil if the release does not have it. AllowAuthorApproval lets authors
	// approve their merge requests, and AllowCommitterApproval lets users who added
	// commits approve. AllowOverridesToApproverListPerMergeRequest lets merge requests
	// have rules of their own. RetainApprovalsOnPush keeps approvals when the source
	// branch changes, and SelectiveCodeOwnerRemovals only those of code owners whose
	// files stay the same. RequirePasswordToApprove requires
	// [ApproveOptions.ApprovalPassword]. RequireReauthenticationToApprove, which came
	// with 17.1, requires users to sign in again.
	AllowAuthorApproval                         *ApprovalSettingValue `json:"allow_author_approval"`
	AllowCommitterApproval                      *ApprovalSettingValue `json:"allow_committer_approval"`
	AllowOverridesToApproverListPerMergeRequest *ApprovalSettingValue `json:"allow_overrides_to_approver_list_per_merge_request"`
	RetainApprovalsOnPush                       *ApprovalSettingValue `json:"retain_approvals_on_push"`
	SelectiveCodeOwnerRemovals                  *ApprovalSettingValue `json:"selective_code_owner_removals"`
	RequirePasswordToApprove                    *ApprovalSettingValue `json:"require_password_to_approve"`
	RequireReauthenticationToApprove            *ApprovalSettingValue `json:"require_reauthentication_to_approve"`
}

// ApprovalSettingValue is the value of an approval setting.
type ApprovalSettingValue struct {
	Value bool `json:"value"`
	// Locked reports whether the setting cannot be changed here, because InheritedFrom
	// determines its value.
	Locked bool `json:"locked"`
	// InheritedFrom is where the value is set. It is empty if that is the project or
	// group itself.
	InheritedFrom ApprovalSettingSource `json:"inherited_from"`
}

// ApprovalSettingSource is the level at which an inherited setting is set.
type ApprovalSettingSource string

// Levels at which an inherited setting is set. The service may send others.
const (
	ApprovalSettingSourceInstance ApprovalSettingSource = "instance"
	ApprovalSettingSourceGroup    ApprovalSettingSource = "group"
)

// UpdateApprovalSettingOptions changes the approval settings of a project or a group.
// Nil fields are left unchanged. At least one field must be set.
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
