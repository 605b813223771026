package serviceapi

import (
	"context"
	"net/http"
	"time"
)

// PushRulesService manages push rules, which commits must satisfy to be pushed. Each
// project and each group has at most one set of them. The owner is a [ProjectRef], which
// requires the Maintainer role, or a [GroupRef], which requires the Owner role. Premium:
// calls to other instances return [ErrNotFound], and so do calls for a group without that
// role.
//
// Its options are [CreatePushRuleOptions] and [UpdatePushRuleOptions]. See the example
// PushRulesCreate in repository_test.go of [example.com/serviceapi/examples/recipes].
type PushRulesService service

// PushRuleOwner is an owner of push rules: a [ProjectRef] or a [GroupRef].
type PushRuleOwner interface{ hasPushRules() }

func (ProjectRef) hasPushRules() {}
func (GroupRef) hasPushRules()   {}

func pushRuleOf(owner PushRuleOwner) Endpoint { return below(owner, "/push_rule") }

// PushRule is the set of push rules of a project or a group.
type PushRule struct {
	ID int64 `json:"id"`
	// ProjectID is nil for a group.
	ProjectID *int64    `json:"project_id"`
	CreatedAt time.Time `json:"created_at"`
	// DenyDeleteTag refuses pushes that delete a tag. API calls can still do so.
	DenyDeleteTag bool `json:"deny_delete_tag"`
	// MemberCheck refuses commits if the author's email address belongs to no user.
	MemberCheck bool `json:"member_check"`
	// PreventSecrets refuses files that are likely to hold secrets, such as private keys.
	PreventSecrets bool `json:"prevent_secrets"`
	// CommitMessageRegex must match every commit message, and CommitMessageNegativeRegex
	// must match none. BranchNameRegex must match the names of branches, and
	// AuthorEmailRegex the addresses of authors; FileNameRegex must not match the name of
	// any file. All are regular expressions (RE2), "" if there is no such rule.
	CommitMessageRegex         string `json:"commit_message_regex"`
	CommitMessageNegativeRegex string `json:"commit_message_negative_regex"`
	BranchNameRegex            string `json:"branch_name_regex"`
	AuthorEmailRegex           string `json:"author_email_regex"`
	FileNameRegex              string `json:"file_name_regex"`
	// MaxFileSize is in MB. 0 means no limit.
	MaxFileSize int `json:"max_file_size"`
	// CommitCommitterCheck lets users push only commits whose committer has one of their
	// own email addresses. It is nil if it was never set, and if the license does not
	// include it.
	CommitCommitterCheck *bool `json:"commit_committer_check"`
	// CommitCommitterNameCheck does the same for the committer's name. Since about 16.x. It
	// is nil if it was never set, and if the license does not include it.
	CommitCommitterNameCheck *bool `json:"commit_committer_name_check"`
	// RejectUnsignedCommits refuses commits without a signature. It is nil if it was never
	// set, and if the license does not include it.
	RejectUnsignedCommits *bool `json:"reject_unsigned_commits"`
	// RejectNonDCOCommits refuses commits without a line "Signed-off-by:". Since about
	// 15.5. It is nil if it was never set, and if the license does not include it.
	RejectNonDCOCommits *bool `json:"reject_non_dco_commits"`
}

// CreatePushRuleOptions adds push rules. At least one field must be set. Rules that are not
// set do not apply. The call returns [ErrForbidden] for the last four fields if the license
// does not include them.
type CreatePushRuleOptions struct {
	// DenyDeleteTag refuses pushes that delete a tag. API calls can still do so.
	DenyDeleteTag *bool `json:"deny_delete_tag,omitzero"`
	// MemberCheck refuses commits if the author's email address belongs to no user.
	MemberCheck *bool `json:"member_check,omitzero"`
	// PreventSecrets refuses files that are likely to hold secrets, such as private keys.
	PreventSecrets *bool `json:"prevent_secrets,omitzero"`
	// CommitMessageRegex must match every commit message, and CommitMessageNegativeRegex
	// must match none. BranchNameRegex must match the names of branches, and
	// AuthorEmailRegex the addresses of authors; FileNameRegex must not match the name of
	// any file. All are regular expressions (RE2), in newer releases of at most 511
	// characters. "" means none.
	CommitMessageRegex         *string `json:"commit_message_regex,omitzero"`
	CommitMessageNegativeRegex *string `json:"commit_message_negative_regex,omitzero"`
	BranchNameRegex            *string `json:"branch_name_regex,omitzero"`
	AuthorEmailRegex           *string `json:"author_email_regex,omitzero"`
	FileNameRegex              *string `json:"file_name_regex,omitzero"`
	// MaxFileSize is in MB. 0 means no limit.
	MaxFileSize *int `json:"max_file_size,omitzero"`
	// CommitCommitterCheck lets users push only commits whose committer has one of their
	// own email addresses.
	CommitCommitterCheck *bool `json:"commit_committer_check,omitzero"`
	// CommitCommitterNameCheck does the same for the committer's name. Since about 16.x.
	CommitCommitterNameCheck *bool `json:"commit_committer_name_check,omitzero"`
	// RejectUnsignedCommits refuses commits without a signature.
	RejectUnsignedCommits *bool `json:"reject_unsigned_commits,omitzero"`
	// RejectNonDCOCommits refuses commits without a line "Signed-off-by:". Since about 15.5.
	RejectNonDCOCommits *bool `json:"reject_non_dco_commits,omitzero"`
}

// UpdatePushRuleOptions changes push rules. Nil fields are left unchanged; at least one
// must be set. The call returns [ErrForbidden] for the last four fields if the license does
// not include them.
type UpdatePushRuleOptions struct {
	// DenyDeleteTag and the following fields are as in [CreatePushRuleOptions]. "" removes a
	// regular expression.
	DenyDeleteTag              *bool   `json:"deny_delete_tag,omitzero"`
	MemberCheck                *bool   `json:"member_check,omitzero"`
	PreventSecrets             *bool   `json:"prevent_secrets,omitzero"`
	CommitMessageRegex         *string `json:"commit_message_regex,omitzero"`
	CommitMessageNegativeRegex *string `json:"commit_message_negative_regex,omitzero"`
	BranchNameRegex            *string `json:"branch_name_regex,omitzero"`
	AuthorEmailRegex           *string `json:"author_email_regex,omitzero"`
	FileNameRegex              *string `json:"file_name_regex,omitzero"`
	MaxFileSize                *int    `json:"max_file_size,omitzero"`
	CommitCommitterCheck       *bool   `json:"commit_committer_check,omitzero"`
	CommitCommitterNameCheck   *bool   `json:"commit_committer_name_check,omitzero"`
	RejectUnsignedCommits      *bool   `json:"reject_unsigned_commits,omitzero"`
	RejectNonDCOCommits        *bool   `json:"reject_non_dco_commits,omitzero"`
}

// Get returns the push rules of a project or a group. For a project without any, it returns
// nil and no error; for a group without any, [ErrNotFound].
//
//	GET /projects/:id/push_rule
//	GET /groups/:id/push_rule
func (s *PushRulesService) Get(
	ctx context.Context, owner PushRuleOwner, opts ...RequestOption,
) (*PushRule, *Response, error) {
	return orNone(do[PushRule](ctx, using(s), http.MethodGet, pushRuleOf(owner), nil, opts))
}

// Create adds push rules. The call returns [ErrUnprocessable] if there already are some,
// and [ErrBadRequest] for a value that the service refuses.
//
//	POST /projects/:id/push_rule
//	POST /groups/:id/push_rule
func (s *PushRulesService) Create(
	ctx context.Context, owner PushRuleOwner, options CreatePushRuleOptions, opts ...RequestOption,
) (*PushRule, *Response, error) {
	return do[PushRule](ctx, using(s), http.MethodPost, pushRuleOf(owner), jsonOf(options), opts)
}

// Update changes push rules. The call returns [ErrNotFound] if there are none.
//
//	PUT /projects/:id/push_rule
//	PUT /groups/:id/push_rule
func (s *PushRulesService) Update(
	ctx context.Context, owner PushRuleOwner, options UpdatePushRuleOptions, opts ...RequestOption,
) (*PushRule, *Response, error) {
	return do[PushRule](ctx, using(s), http.MethodPut, pushRuleOf(owner), jsonOf(options), opts)
}

// Delete removes all push rules. The call returns [ErrNotFound] if there are none.
//
//	DELETE /projects/:id/push_rule
//	DELETE /groups/:id/push_rule
func (s *PushRulesService) Delete(ctx context.Context, owner PushRuleOwner, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, pushRuleOf(owner), nil, opts)
}
