package serviceapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// ProtectedBranchesService protects branches: it says who may push to them, merge into them
// and remove the protection. The owner is a [ProjectRef], or a [GroupRef] for the branches
// of all projects of a top-level group.
//
// Calls require the Maintainer role in a project and the Owner role in a group. Protection
// by groups is Premium. Since 15.9, and on all instances since 17.6.
//
// A name may have wildcards: "release/*" protects every branch whose name begins with
// "release/". A star matches any characters, including slashes. Calls identify a protection
// by its own name, not by that of a branch: "release/1.0" does not find "release/*". If
// several protections apply to a branch, whatever one of them allows is allowed.
//
// Its options are [CreateProtectedBranchOptions], [ListProtectedBranchesOptions] and
// [UpdateProtectedBranchOptions]. See recipe 14 of docs/cookbook.md, the example Protect
// of [example.com/serviceapi/examples/recipes].
type ProtectedBranchesService service

// ProtectedBranchOwner is an owner of protected branches: a [ProjectRef] or a [GroupRef].
type ProtectedBranchOwner interface{ hasProtectedBranches() }

func (ProjectRef) hasProtectedBranches() {}
func (GroupRef) hasProtectedBranches()   {}

func protectedBranchesOf(owner ProtectedBranchOwner) Endpoint {
	return below(owner, "/protected_branches")
}

func protectedBranchOf(owner ProtectedBranchOwner, name string) Endpoint {
	return below(owner, "/protected_branches/:name", name)
}

// ProtectedBranch is the protection of a branch, or of the branches that a name with
// wildcards matches.
type ProtectedBranch struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// PushAccessLevels say who may push, and MergeAccessLevels who may merge.
	PushAccessLevels  []*ProtectionLevel `json:"push_access_levels"`
	MergeAccessLevels []*ProtectionLevel `json:"merge_access_levels"`
	// UnprotectAccessLevels say who may remove the protection. Lists may leave them out.
	// Premium.
	UnprotectAccessLevels []*ProtectionLevel `json:"unprotect_access_levels"`
	// AllowForcePush reports whether those who may push may also force-push.
	AllowForcePush bool `json:"allow_force_push"`
	// CodeOwnerApprovalRequired reports whether pushes that change a file with a code owner
	// are refused. It is nil if the instance is not Premium.
	CodeOwnerApprovalRequired *bool `json:"code_owner_approval_required"`
	// Inherited reports whether the protection comes from the project's group. It is nil if
	// the instance is not Premium, and before 15.9.
	Inherited *bool `json:"inherited"`
	// ProjectID, CreatedAt and UpdatedAt are nil unless the object is in a [StatusCheck].
	ProjectID *int64     `json:"project_id"`
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// UnmarshalJSON decodes the object, in which some releases send
// code_owner_approval_required as a string.
func (b *ProtectedBranch) UnmarshalJSON(data []byte) error {
	type plain ProtectedBranch
	object := struct {
		plain
		Flag *textOrBool `json:"code_owner_approval_required"`
	}{}
	err := unmarshalMembers(data, &object)
	*b = ProtectedBranch(object.plain)
	b.CodeOwnerApprovalRequired = (*bool)(object.Flag)
	return err
}

// textOrBool is a boolean that may come as a string.
type textOrBool bool

func (b *textOrBool) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(bytes.Trim(data, `"`), (*bool)(b))
}

// ProtectionLevel is one entry of a protection: it allows an action for users with a role,
// for a user, for the members of a group, or for a deploy key. If UserID, GroupID or
// DeployKeyID is set, the level is for that user, group or key, whatever AccessLevel says;
// otherwise it is for a role. Levels for users and groups are Premium.
type ProtectionLevel struct {
	// ID is unique among the levels of its kind, such as those for pushes. It is nil before
	// about 15.x.
	ID *int64 `json:"id"`
	// AccessLevel is the lowest role, [AccessLevelNone] for no one and [AccessLevelAdmin]
	// for administrators. It is nil for a user, a group or a deploy key, but some releases
	// send the level of maintainers instead.
	AccessLevel *AccessLevel `json:"access_level"`
	// AccessLevelDescription is the name of the user or the group, "Deploy key", or the
	// roles, such as "Developers + Maintainers".
	AccessLevelDescription string `json:"access_level_description"`
	// UserID is nil unless the level is for a user, and GroupID unless it is for a group.
	UserID  *int64 `json:"user_id"`
	GroupID *int64 `json:"group_id"`
	// DeployKeyID is nil unless the level is for a deploy key, and before 16.0.
	DeployKeyID *int64 `json:"deploy_key_id"`
}

// NewProtectionLevel allows an action for users with a role, for a user, for the members of
// a group, or for a deploy key. One of the fields must be set. A group protects branches
// only by roles.
type NewProtectionLevel struct {
	// AccessLevel is the lowest role: [AccessLevelDeveloper], [AccessLevelMaintainer],
	// [AccessLevelAdmin], or [AccessLevelNone] for no one.
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
	// UserID is the ID of a member of the project.
	UserID int64 `json:"user_id,omitzero"`
	// GroupID is the ID of a group that the project is shared with.
	GroupID int64 `json:"group_id,omitzero"`
	// DeployKeyID is the ID of a deploy key that may push to the project. Only for pushes
	// and new tags. Since 17.5.
	DeployKeyID int64 `json:"deploy_key_id,omitzero"`
}

// ProtectionLevelChange adds a level to a protection if ID is 0, and otherwise changes or
// removes that level. Levels that are not listed stay as they are.
type ProtectionLevelChange struct {
	// ID is the [ProtectionLevel.ID] of the level to change or remove.
	ID int64 `json:"id,omitzero"`
	// Destroy removes the level.
	Destroy bool `json:"_destroy,omitzero"`
	// AccessLevel and the following fields are those of [NewProtectionLevel].
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
	UserID      int64        `json:"user_id,omitzero"`
	GroupID     int64        `json:"group_id,omitzero"`
	DeployKeyID int64        `json:"deploy_key_id,omitzero"`
}

func (l NewProtectionLevel) forNobody() bool {
	return nobody(l.AccessLevel, l.UserID, l.GroupID, l.DeployKeyID)
}

func (l ProtectionLevelChange) forNobody() bool {
	return nobody(l.AccessLevel, l.ID, l.UserID, l.GroupID, l.DeployKeyID)
}

// nobody reports whether an entry has neither a role nor an ID.
func nobody(level *AccessLevel, ids ...int64) bool { return level == nil && cmp.Or(ids...) == 0 }

// forSomebody refuses levels without a role and without an ID.
func forSomebody[L interface{ forNobody() bool }](name string, levels []L) error {
	for _, level := range levels {
		if level.forNobody() {
			return badArgument(name, "has a level for nobody: set AccessLevel, or the ID of a user, a group or a key")
		}
	}
	return nil
}

// ListProtectedBranchesOptions selects protected branches.
type ListProtectedBranchesOptions struct {
	ListOptions
	// Search is a part of the name or of the wildcard.
	Search string `url:"search,omitempty"`
}

// CreateProtectedBranchOptions protects a branch. Name is required. If neither a level nor
// AllowedTo… is set, maintainers are allowed; if both are, both count.
type CreateProtectedBranchOptions struct {
	// Name may have wildcards, as in "release/*". A branch with this name need not exist.
	Name string `json:"name" required:"true"`
	// PushAccessLevel and MergeAccessLevel are the lowest roles that may push and merge:
	// [AccessLevelNone], [AccessLevelDeveloper], [AccessLevelMaintainer], or
	// [AccessLevelAdmin] on self-managed instances.
	PushAccessLevel  *AccessLevel `json:"push_access_level,omitzero"`
	MergeAccessLevel *AccessLevel `json:"merge_access_level,omitzero"`
	// UnprotectAccessLevel is the lowest role that may remove the protection. Premium.
	UnprotectAccessLevel *AccessLevel `json:"unprotect_access_level,omitzero"`
	// AllowForcePush lets those who may push also force-push. It is off by default.
	AllowForcePush *bool `json:"allow_force_push,omitzero"`
	// CodeOwnerApprovalRequired refuses pushes that change a file with a code owner. It is
	// off by default. Premium.
	CodeOwnerApprovalRequired *bool `json:"code_owner_approval_required,omitzero"`
	// AllowedToPush, AllowedToMerge and AllowedToUnprotect allow roles, users, groups and,
	// for pushes, deploy keys. Premium: another instance succeeds and ignores them.
	AllowedToPush      []NewProtectionLevel `json:"allowed_to_push,omitzero"`
	AllowedToMerge     []NewProtectionLevel `json:"allowed_to_merge,omitzero"`
	AllowedToUnprotect []NewProtectionLevel `json:"allowed_to_unprotect,omitzero"`
}

func (o CreateProtectedBranchOptions) check() error {
	return cmp.Or(forSomebody("AllowedToPush", o.AllowedToPush),
		forSomebody("AllowedToMerge", o.AllowedToMerge), forSomebody("AllowedToUnprotect", o.AllowedToUnprotect))
}

// UpdateProtectedBranchOptions changes a protection. Nil fields are left unchanged. An instance
// that is not Premium ignores what is Premium, and the call succeeds: compare its result.
type UpdateProtectedBranchOptions struct {
	AllowForcePush *bool `json:"allow_force_push,omitzero"`
	// CodeOwnerApprovalRequired refuses pushes that change a file with a code owner.
	// Premium.
	CodeOwnerApprovalRequired *bool `json:"code_owner_approval_required,omitzero"`
	// AllowedToPush, AllowedToMerge and AllowedToUnprotect add, change and remove levels.
	// Premium: another instance succeeds and changes no level.
	AllowedToPush      []ProtectionLevelChange `json:"allowed_to_push,omitzero"`
	AllowedToMerge     []ProtectionLevelChange `json:"allowed_to_merge,omitzero"`
	AllowedToUnprotect []ProtectionLevelChange `json:"allowed_to_unprotect,omitzero"`
	// UnprotectAccessLevel adds one role that may unprotect the branch. Premium. Only in later
	// releases.
	UnprotectAccessLevel *AccessLevel `json:"unprotect_access_level,omitzero"`
}

func (o UpdateProtectedBranchOptions) check() error {
	return cmp.Or(forSomebody("AllowedToPush", o.AllowedToPush),
		forSomebody("AllowedToMerge", o.AllowedToMerge), forSomebody("AllowedToUnprotect", o.AllowedToUnprotect))
}

// List returns one page of the protected branches of a project or a group. The list of a
// project includes the protections of its group.
//
//	GET /projects/:id/protected_branches
//	GET /groups/:id/protected_branches
func (s *ProtectedBranchesService) List(
	ctx context.Context, owner ProtectedBranchOwner, options *ListProtectedBranchesOptions, opts ...RequestOption,
) ([]*ProtectedBranch, *Response, error) {
	return list[*ProtectedBranch](ctx, using(s), protectedBranchesOf(owner), queryOf(options), opts)
}

// All returns every protected branch of a project or a group. The list of a project
// includes the protections of its group.
//
//	GET /projects/:id/protected_branches
//	GET /groups/:id/protected_branches
func (s *ProtectedBranchesService) All(
	ctx context.Context, owner ProtectedBranchOwner, options *ListProtectedBranchesOptions, opts ...RequestOption,
) iter.Seq2[*ProtectedBranch, error] {
	return all[*ProtectedBranch](ctx, using(s), protectedBranchesOf(owner), queryOf(options), opts)
}

// Get returns the protection with exactly this name or wildcard.
//
//	GET /projects/:id/protected_branches/:name
//	GET /groups/:id/protected_branches/:name
func (s *ProtectedBranchesService) Get(
	ctx context.Context, owner ProtectedBranchOwner, name string, opts ...RequestOption,
) (*ProtectedBranch, *Response, error) {
	return do[ProtectedBranch](ctx, using(s), http.MethodGet, protectedBranchOf(owner, name), nil, opts)
}

// Create protects a branch. It never changes a protection: the call returns [ErrConflict]
// if there is already one with this name, and [ErrUnprocessable] for a user without access
// to the project or a group that it is not shared with.
//
//	POST /projects/:id/protected_branches
//	POST /groups/:id/protected_branches
func (s *ProtectedBranchesService) Create(
	ctx context.Context, owner ProtectedBranchOwner, options CreateProtectedBranchOptions, opts ...RequestOption,
) (*ProtectedBranch, *Response, error) {
	return do[ProtectedBranch](ctx, using(s), http.MethodPost, protectedBranchesOf(owner), jsonOf(options), opts)
}

// Update changes a protection. Levels without an ID are added, so a program that sends the
// same level twice gets it twice: read the IDs first. Since 15.6; earlier releases change
// only CodeOwnerApprovalRequired, which is Premium. Instances that are not Premium ignore levels
// without an error: compare the result. With both, the only way is to call Delete and then
// Create; in between, the branch is not protected.
//
//	PATCH /projects/:id/protected_branches/:name
//	PATCH /groups/:id/protected_branches/:name
func (s *ProtectedBranchesService) Update(
	ctx context.Context, owner ProtectedBranchOwner, name string,
	options UpdateProtectedBranchOptions, opts ...RequestOption,
) (*ProtectedBranch, *Response, error) {
	return do[ProtectedBranch](ctx, using(s), http.MethodPatch, protectedBranchOf(owner, name), jsonOf(options), opts)
}

// Delete removes a protection. The branch stays. The call returns [ErrForbidden] if
// UnprotectAccessLevels do not include the caller.
//
//	DELETE /projects/:id/protected_branches/:name
//	DELETE /groups/:id/protected_branches/:name
func (s *ProtectedBranchesService) Delete(
	ctx context.Context, owner ProtectedBranchOwner, name string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, protectedBranchOf(owner, name), nil, opts)
}
