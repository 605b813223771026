package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// MemberRolesService manages custom roles: an access level with more permissions. They belong to a
// group at the top, whose Owners manage them, to the whole instance or to its admin area, both of which
// administrators manage. Ultimate. Since 16.9 for the instance, 15.9 for a group.
//
//	role, _, err := client.MemberRoles.Create(ctx, serviceapi.Instance,
//		serviceapi.CreateMemberRoleOptions{
//			BaseAccessLevel: serviceapi.AccessLevelGuest,
//			Permissions: map[serviceapi.MemberPermission]bool{
//				serviceapi.MemberPermissionReadCode: true,
//			},
//		})
//
// [MemberRole.ID] goes into the field MemberRoleID of options for members, invitations and shares. A
// self-managed instance has no roles of groups, and the hosted offering none of the instance: the calls
// return [ErrBadRequest]. A role cannot be changed.
//
// Its options are [CreateAdminMemberRoleOptions], [CreateMemberRoleOptions] and [ListOptions]. See the
// example of [MemberRolesService.Create].
type MemberRolesService service

// MemberRoleOwner is an owner of custom roles: [Instance] or a [GroupRef].
type MemberRoleOwner interface{ hasMemberRoles() }

func (InstanceOwner) hasMemberRoles() {}
func (GroupRef) hasMemberRoles()      {}

const (
	memberRoles      = "/member_roles"
	adminMemberRoles = "/admin_member_roles"
	oneMemberRole    = "/:member_role_id"
)

// List returns all custom roles of an owner: the service ignores pages.
//
//	GET /member_roles
//	GET /groups/:id/member_roles
func (s *MemberRolesService) List(
	ctx context.Context, owner MemberRoleOwner, options *ListOptions, opts ...RequestOption,
) ([]*MemberRole, *Response, error) {
	return list[*MemberRole](ctx, using(s), below(owner, memberRoles), queryOf(options), opts)
}

// All returns every custom role of an owner.
//
//	GET /member_roles
//	GET /groups/:id/member_roles
func (s *MemberRolesService) All(
	ctx context.Context, owner MemberRoleOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MemberRole, error] {
	return all[*MemberRole](ctx, using(s), below(owner, memberRoles), queryOf(options), opts)
}

// Create creates a custom role. A group has at most 10. The call returns [ErrBadRequest] for a name that
// is taken, and for a permission without one that it needs, such as [MemberPermissionAdminVulnerability]
// without [MemberPermissionReadVulnerability].
//
//	POST /member_roles
//	POST /groups/:id/member_roles
func (s *MemberRolesService) Create(
	ctx context.Context, owner MemberRoleOwner, options CreateMemberRoleOptions, opts ...RequestOption,
) (*MemberRole, *Response, error) {
	return do[MemberRole](ctx, using(s), http.MethodPost, below(owner, memberRoles), jsonOf(options), opts)
}

// Delete deletes a custom role. The call returns [ErrBadRequest] if a member or a security policy has it.
//
//	DELETE /member_roles/:member_role_id
//	DELETE /groups/:id/member_roles/:member_role_id
func (s *MemberRolesService) Delete(
	ctx context.Context, owner MemberRoleOwner, roleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, memberRoles+oneMemberRole, roleID), nil, opts)
}

// ListAdmin returns all roles of the admin area: the service ignores pages. Beta.
//
//	GET /admin_member_roles
func (s *MemberRolesService) ListAdmin(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*MemberRole, *Response, error) {
	return list[*MemberRole](ctx, using(s), Route(adminMemberRoles), queryOf(options), opts)
}

// AllAdmin returns every role of the admin area.
//
//	GET /admin_member_roles
func (s *MemberRolesService) AllAdmin(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MemberRole, error] {
	return all[*MemberRole](ctx, using(s), Route(adminMemberRoles), queryOf(options), opts)
}

// CreateAdmin creates a role of the admin area. The call returns [ErrBadRequest] for a name that is taken.
//
//	POST /admin_member_roles
func (s *MemberRolesService) CreateAdmin(
	ctx context.Context, options CreateAdminMemberRoleOptions, opts ...RequestOption,
) (*MemberRole, *Response, error) {
	return do[MemberRole](ctx, using(s), http.MethodPost, Route(adminMemberRoles), jsonOf(options), opts)
}

// DeleteAdmin deletes a role of the admin area.
//
//	DELETE /admin_member_roles/:member_role_id
func (s *MemberRolesService) DeleteAdmin(ctx context.Context, roleID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(adminMemberRoles+oneMemberRole, roleID), nil, opts)
}

// CreateMemberRoleOptions describes a custom role. BaseAccessLevel is required.
type CreateMemberRoleOptions struct {
	// BaseAccessLevel is from [AccessLevelGuest] to [AccessLevelMaintainer].
	BaseAccessLevel AccessLevel `json:"base_access_level" required:"true"`
	// Name is unique for the owner. Nil means the name of the level and "- custom".
	Name        *string `json:"name,omitzero"`
	Description *string `json:"description,omitzero"`
	// Permissions are those that are true. A name without a constant is sent as it is.
	Permissions map[MemberPermission]bool `json:",inline,embed"`
}

// CreateAdminMemberRoleOptions describes a role of the admin area.
type CreateAdminMemberRoleOptions struct {
	// Name is unique. Nil means "Admin role - custom".
	Name        *string `json:"name,omitzero"`
	Description *string `json:"description,omitzero"`
	// Permissions are those that are true, of those that begin with read_admin.
	Permissions map[MemberPermission]bool `json:",inline,embed"`
}
