package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
)

// ProtectedEnvironmentsService protects environments: it says who may deploy to them, and
// whose approval a deployment needs. The owner is a [ProjectRef], or a [GroupRef] for the
// environments of all its projects. Premium. Calls require the Maintainer role.
//
// The name of a protection is the name of an environment of the project, which need not
// exist yet, or, for a group, an [EnvironmentTier], such as "production". There are no
// wildcards. A caller who may not deploy gets [ErrForbidden] from the calls that deploy,
// such as [DeploymentsService.Create]. A deployment that needs approvals is blocked until
// it has them: see [DeploymentsService.ApproveOrReject].
//
// Its options are [CreateProtectedEnvironmentOptions], [ListOptions] and
// [UpdateProtectedEnvironmentOptions]. See the example ProtectedEnvironmentsCreate in
// ci_test.go of [example.com/serviceapi/examples/recipes].
type ProtectedEnvironmentsService service

// ProtectedEnvironmentOwner is an owner of protected environments: a [ProjectRef] or a
// [GroupRef].
type ProtectedEnvironmentOwner interface{ hasProtectedEnvironments() }

func (ProjectRef) hasProtectedEnvironments() {}
func (GroupRef) hasProtectedEnvironments()   {}

func protectedEnvironmentsOf(owner ProtectedEnvironmentOwner) Endpoint {
	return below(owner, "/protected_environments")
}

func protectedEnvironmentOf(owner ProtectedEnvironmentOwner, name string) Endpoint {
	return below(owner, "/protected_environments/:name", name)
}

// ProtectedEnvironment is the protection of an environment, or of those of a tier.
type ProtectedEnvironment struct {
	Name               string                    `json:"name"`
	DeployAccessLevels []*EnvironmentAccessLevel `json:"deploy_access_levels"`
	// RequiredApprovalCount is how many approvals a deployment needs if there are no rules.
	// Deprecated by the service in favor of ApprovalRules.
	RequiredApprovalCount int `json:"required_approval_count"`
	// ApprovalRules may be left out by older releases.
	ApprovalRules []*EnvironmentApprovalRule `json:"approval_rules"`
}

// GroupInheritanceType says which members of a group a level or a rule applies to.
type GroupInheritanceType int

// Members of a group: only its own, which is the default, or also those that it inherits.
const (
	GroupInheritanceTypeDirect    GroupInheritanceType = 0
	GroupInheritanceTypeInherited GroupInheritanceType = 1
)

// EnvironmentAccessLevel allows users with a role, a user or the members of a group to
// deploy. If UserID or GroupID is set, the level is for that user or group; otherwise it is
// for a role.
type EnvironmentAccessLevel struct {
	// ID is nil before about 15.4.
	ID *int64 `json:"id"`
	// AccessLevel is the lowest role, nil for a user or a group.
	AccessLevel *AccessLevel `json:"access_level"`
	// AccessLevelDescription is the name of the user or the group, or the roles,
	// such as "Maintainers".
	AccessLevelDescription string `json:"access_level_description"`
	// UserID is nil unless the level is for a user, and GroupID unless it is for a group.
	UserID  *int64 `json:"user_id"`
	GroupID *int64 `json:"group_id"`
	// GroupInheritanceType is nil before about 15.x.
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type"`
}

// EnvironmentApprovalRule requires approvals by users with a role, by a user or by the
// members of a group, as in an [EnvironmentAccessLevel].
type EnvironmentApprovalRule struct {
	ID int64 `json:"id"`
	// AccessLevel is the lowest role, nil for a user or a group.
	AccessLevel            *AccessLevel `json:"access_level"`
	AccessLevelDescription string       `json:"access_level_description"`
	// UserID is nil unless the rule is for a user, and GroupID unless it is for a group.
	UserID            *int64 `json:"user_id"`
	GroupID           *int64 `json:"group_id"`
	RequiredApprovals int    `json:"required_approvals"`
	// GroupInheritanceType is nil before about 15.x.
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type"`
}

// NewEnvironmentAccessLevel allows users with a role, a user or the members of a group to
// deploy. One of AccessLevel, UserID and GroupID must be set.
type NewEnvironmentAccessLevel struct {
	// AccessLevel is the lowest role: [AccessLevelDeveloper], [AccessLevelMaintainer] or
	// [AccessLevelAdmin].
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
	// UserID is the ID of a member of the project or, for a group, of a member with the
	// Maintainer role.
	UserID int64 `json:"user_id,omitzero"`
	// GroupID is the ID of a group that the project is shared with or, for a group, of a
	// subgroup.
	GroupID int64 `json:"group_id,omitzero"`
	// GroupInheritanceType is [GroupInheritanceTypeDirect] by default.
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type,omitzero"`
}

// EnvironmentAccessLevelChange adds a level if ID is 0, and otherwise changes or removes
// that level. Levels that are not listed stay as they are.
type EnvironmentAccessLevelChange struct {
	// ID is the [EnvironmentAccessLevel.ID] of the level to change or remove.
	ID int64 `json:"id,omitzero"`
	// Destroy removes the level.
	Destroy bool `json:"_destroy,omitzero"`
	// AccessLevel and the following fields are those of [NewEnvironmentAccessLevel].
	AccessLevel          *AccessLevel          `json:"access_level,omitzero"`
	UserID               int64                 `json:"user_id,omitzero"`
	GroupID              int64                 `json:"group_id,omitzero"`
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type,omitzero"`
}

// NewEnvironmentApprovalRule requires approvals. One of AccessLevel, UserID and GroupID must be
// set, as in [NewEnvironmentAccessLevel].
type NewEnvironmentApprovalRule struct {
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
	UserID      int64        `json:"user_id,omitzero"`
	GroupID     int64        `json:"group_id,omitzero"`
	// RequiredApprovals is 1 by default.
	RequiredApprovals *int `json:"required_approvals,omitzero"`
	// GroupInheritanceType is [GroupInheritanceTypeDirect] by default.
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type,omitzero"`
}

// EnvironmentApprovalRuleChange adds a rule if ID is 0, and otherwise changes or removes
// that rule. Rules that are not listed stay as they are.
type EnvironmentApprovalRuleChange struct {
	// ID is the [EnvironmentApprovalRule.ID] of the rule to change or remove.
	ID int64 `json:"id,omitzero"`
	// Destroy removes the rule.
	Destroy bool `json:"_destroy,omitzero"`
	// AccessLevel and the following fields are those of [NewEnvironmentApprovalRule].
	AccessLevel          *AccessLevel          `json:"access_level,omitzero"`
	UserID               int64                 `json:"user_id,omitzero"`
	GroupID              int64                 `json:"group_id,omitzero"`
	RequiredApprovals    *int                  `json:"required_approvals,omitzero"`
	GroupInheritanceType *GroupInheritanceType `json:"group_inheritance_type,omitzero"`
}

func (l NewEnvironmentAccessLevel) forNobody() bool {
	return nobody(l.AccessLevel, l.UserID, l.GroupID)
}

func (l EnvironmentAccessLevelChange) forNobody() bool {
	return nobody(l.AccessLevel, l.ID, l.UserID, l.GroupID)
}

func (r NewEnvironmentApprovalRule) forNobody() bool {
	return nobody(r.AccessLevel, r.UserID, r.GroupID)
}

func (r EnvironmentApprovalRuleChange) forNobody() bool {
	return nobody(r.AccessLevel, r.ID, r.UserID, r.GroupID)
}

// CreateProtectedEnvironmentOptions protects an environment. Name and DeployAccessLevels are
// required.
type CreateProtectedEnvironmentOptions struct {
	// Name is the name of an environment or, for a group, an [EnvironmentTier].
	Name               string                      `json:"name" required:"true"`
	DeployAccessLevels []NewEnvironmentAccessLevel `json:"deploy_access_levels" required:"true"`
	// RequiredApprovalCount is 0 by default. Newer releases return [ErrUnprocessable] for more:
	// use ApprovalRules.
	RequiredApprovalCount *int                         `json:"required_approval_count,omitzero"`
	ApprovalRules         []NewEnvironmentApprovalRule `json:"approval_rules,omitzero"`
}

func (o CreateProtectedEnvironmentOptions) check() error {
	return cmp.Or(
		forSomebody("DeployAccessLevels", o.DeployAccessLevels), forSomebody("ApprovalRules", o.ApprovalRules))
}

// UpdateProtectedEnvironmentOptions changes a protection. Nil fields are left unchanged.
type UpdateProtectedEnvironmentOptions struct {
	DeployAccessLevels []EnvironmentAccessLevelChange `json:"deploy_access_levels,omitzero"`
	// RequiredApprovalCount is refused by newer releases unless it is 0: use ApprovalRules.
	RequiredApprovalCount *int                            `json:"required_approval_count,omitzero"`
	ApprovalRules         []EnvironmentApprovalRuleChange `json:"approval_rules,omitzero"`
}

func (o UpdateProtectedEnvironmentOptions) check() error {
	return cmp.Or(forSomebody("DeployAccessLevels", o.DeployAccessLevels),
		forSomebody("ApprovalRules", o.ApprovalRules))
}

// List returns one page of the protected environments of a project or a group, ordered by name.
//
//	GET /projects/:id/protected_environments
//	GET /groups/:id/protected_environments
func (s *ProtectedEnvironmentsService) List(
	ctx context.Context, owner ProtectedEnvironmentOwner, options *ListOptions, opts ...RequestOption,
) ([]*ProtectedEnvironment, *Response, error) {
	return list[*ProtectedEnvironment](ctx, using(s), protectedEnvironmentsOf(owner), queryOf(options), opts)
}

// All returns every protected environment of a project or a group, ordered by name.
//
//	GET /projects/:id/protected_environments
//	GET /groups/:id/protected_environments
func (s *ProtectedEnvironmentsService) All(
	ctx context.Context, owner ProtectedEnvironmentOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ProtectedEnvironment, error] {
	return all[*ProtectedEnvironment](ctx, using(s), protectedEnvironmentsOf(owner), queryOf(options), opts)
}

// Get returns the protection of an environment or a tier.
//
//	GET /projects/:id/protected_environments/:name
//	GET /groups/:id/protected_environments/:name
func (s *ProtectedEnvironmentsService) Get(
	ctx context.Context, owner ProtectedEnvironmentOwner, name string, opts ...RequestOption,
) (*ProtectedEnvironment, *Response, error) {
	return do[ProtectedEnvironment](ctx, using(s), http.MethodGet, protectedEnvironmentOf(owner, name), nil, opts)
}

// Create protects an environment. The call returns [ErrConflict] if it is already
// protected, and [ErrUnprocessable] for a user or a group without access.
//
//	POST /projects/:id/protected_environments
//	POST /groups/:id/protected_environments
func (s *ProtectedEnvironmentsService) Create(
	ctx context.Context, owner ProtectedEnvironmentOwner,
	options CreateProtectedEnvironmentOptions, opts ...RequestOption,
) (*ProtectedEnvironment, *Response, error) {
	return do[ProtectedEnvironment](ctx, using(s), http.MethodPost,
		protectedEnvironmentsOf(owner), jsonOf(options), opts)
}

// Update changes a protection. Levels and rules without an ID are added, so a program that
// sends the same one twice gets it twice: read the IDs first. Since 15.4; with older
// releases, the only way is to call Delete and then Create.
//
//	PUT /projects/:id/protected_environments/:name
//	PUT /groups/:id/protected_environments/:name
func (s *ProtectedEnvironmentsService) Update(
	ctx context.Context, owner ProtectedEnvironmentOwner, name string,
	options UpdateProtectedEnvironmentOptions, opts ...RequestOption,
) (*ProtectedEnvironment, *Response, error) {
	return do[ProtectedEnvironment](ctx, using(s), http.MethodPut,
		protectedEnvironmentOf(owner, name), jsonOf(options), opts)
}

// Delete removes a protection. The environment stays.
//
//	DELETE /projects/:id/protected_environments/:name
//	DELETE /groups/:id/protected_environments/:name
func (s *ProtectedEnvironmentsService) Delete(
	ctx context.Context, owner ProtectedEnvironmentOwner, name string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, protectedEnvironmentOf(owner, name), nil, opts)
}
