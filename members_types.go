package serviceapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
)

// BillableMemberSort is an order of billable members.
type BillableMemberSort string

// Orders of billable members.
const (
	BillableMemberSortAccessLevel        BillableMemberSort = "access_level_asc"
	BillableMemberSortAccessLevelDesc    BillableMemberSort = "access_level_desc"
	BillableMemberSortLastJoined         BillableMemberSort = "last_joined"
	BillableMemberSortOldestJoined       BillableMemberSort = "oldest_joined"
	BillableMemberSortName               BillableMemberSort = "name_asc"
	BillableMemberSortNameDesc           BillableMemberSort = "name_desc"
	BillableMemberSortOldestSignIn       BillableMemberSort = "oldest_sign_in"
	BillableMemberSortRecentSignIn       BillableMemberSort = "recent_sign_in"
	BillableMemberSortLastActivityOn     BillableMemberSort = "last_activity_on_asc"
	BillableMemberSortLastActivityOnDesc BillableMemberSort = "last_activity_on_desc"
)

// ListMembersOptions selects direct members.
type ListMembersOptions struct {
	ListOptions
	// Query selects members whose name or username matches this string.
	Query string `url:"query,omitempty"`
	// UserIDs selects the members with these user IDs.
	UserIDs []int64 `url:"user_ids[],omitempty"`
	// ShowSeatInfo sets [Member.IsUsingSeat]. Since about 15.x.
	ShowSeatInfo bool `url:"show_seat_info,omitempty"`
	// SkipUsers leaves out the users with these IDs. Only in later releases.
	SkipUsers []int64 `url:"skip_users[],omitempty"`
	// WithSAMLIdentity selects the members who have signed in through the identity provider
	// of the group. Premium. Only in later releases, whose documentation does not have it.
	WithSAMLIdentity bool `url:"with_saml_identity,omitempty"`
}

// ListInheritedMembersOptions selects members, including inherited and invited
// ones.
type ListInheritedMembersOptions struct {
	ListOptions
	// Query selects members whose name or username matches this string.
	Query string `url:"query,omitempty"`
	// UserIDs selects the members with these user IDs.
	UserIDs []int64 `url:"user_ids[],omitempty"`
	// State selects members in this state. Empty means all states. Premium.
	State MembershipState `url:"state,omitempty"`
	// ShowSeatInfo sets [Member.IsUsingSeat]. Since about 15.x.
	ShowSeatInfo bool `url:"show_seat_info,omitempty"`
}

// UpdateMemberOptions changes a member. Zero fields are left unchanged.
type UpdateMemberOptions struct {
	// ExpiresAt is the first day without the membership, by UTC; null makes it permanent.
	// The zero value leaves it unchanged. A day that is over is refused.
	ExpiresAt Nullable[Date] `json:"expires_at,omitzero"`
	// MemberRoleID is the ID of a custom role. Since about 15.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

// updateMemberBody sends null in the form that the service requires here: an
// empty string.
type updateMemberBody struct {
	AccessLevel AccessLevel `json:"access_level"`
	UpdateMemberOptions
	ExpiresAt *string `json:"expires_at,omitzero"`
}

// SetMemberStateOptions changes the state of memberships. State is required.
type SetMemberStateOptions struct {
	State MembershipState `json:"state" required:"true"`
}

// ListBillableMembersOptions selects billable members.
type ListBillableMembersOptions struct {
	ListOptions
	// Search searches names, usernames and public email addresses.
	Search string `url:"search,omitempty"`
	// Sort is the order and its direction.
	Sort BillableMemberSort `url:"sort,omitempty"`
	// IncludeAwaitingMembers adds members whose membership is awaiting.
	IncludeAwaitingMembers bool `url:"include_awaiting_members,omitempty"`
}

// MembershipState says whether a membership is active.
type MembershipState string

// States of a membership. An awaiting one gives no access until it becomes
// active.
const (
	MembershipStateActive   MembershipState = "active"
	MembershipStateAwaiting MembershipState = "awaiting"
)

// Member is a user's membership in a project or a group. It has the [UserSummary] of that user
// in it: ID is the ID of the user.
type Member struct {
	UserSummary

	// CreatedAt is when the user became a member.
	CreatedAt time.Time `json:"created_at"`
	// CreatedBy is the user who added the member, nil if no user did or the account
	// no longer exists.
	CreatedBy *UserSummary `json:"created_by"`
	// ExpiresAt is the first day without the membership, nil if it does not end.
	// Some responses have a time instead.
	ExpiresAt   *DateOrTime `json:"expires_at"`
	AccessLevel AccessLevel `json:"access_level"`
	// Email is empty unless the user has made it public.
	Email string `json:"email"`
	// GroupSAMLIdentity is visible only to owners of groups with single sign-on. It
	// is nil for others, and if there is none.
	GroupSAMLIdentity *GroupSAMLIdentity `json:"group_saml_identity"`
	// GroupSCIMIdentity is visible to the same callers. It is nil if the account was not
	// provisioned by SCIM. Premium. Since 18.3.
	GroupSCIMIdentity *UserSCIMIdentity `json:"group_scim_identity"`
	MembershipState   MembershipState   `json:"membership_state"`
	// IsUsingSeat reports whether the member occupies a seat of the license. It is
	// nil unless ShowSeatInfo asked for it. Since about 15.x.
	IsUsingSeat *bool `json:"is_using_seat"`
	// MemberRole is the custom role of the member, nil if there is none. Since
	// about 15.6.
	MemberRole *MemberRole `json:"member_role"`
	// Override reports whether AccessLevel may differ from the level that a
	// synchronized directory sets. It is nil if the group is not synchronized with
	// a directory.
	Override *bool `json:"override"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (m *Member) Ref() UserRef { return UserID(orZero(m).ID) }

// GroupSAMLIdentity is a member's account at the identity provider of a group.
type GroupSAMLIdentity struct {
	ExternUID string `json:"extern_uid"`
	// Provider is the kind of provider, such as "group_saml".
	Provider       string `json:"provider"`
	SAMLProviderID int64  `json:"saml_provider_id"`
}

// MembershipType says how a user became billable.
type MembershipType string

// Types of membership. The service may send others.
const (
	MembershipTypeGroupMember MembershipType = "group_member"
	MembershipTypeGroupInvite MembershipType = "group_invite"
)

// BillableMember is a user who occupies a seat of a top-level group's
// subscription. It has the [UserSummary] of that user in it.
type BillableMember struct {
	UserSummary

	// Email is empty unless the user has made it public.
	Email string `json:"email"`
	// LastActivityOn is nil if the user has never been active.
	LastActivityOn  *Date           `json:"last_activity_on"`
	MembershipType  MembershipType  `json:"membership_type"`
	MembershipState MembershipState `json:"membership_state"`
	// Removable reports whether [MembersService.RemoveBillable] can remove the
	// member.
	Removable bool      `json:"removable"`
	CreatedAt time.Time `json:"created_at"`
	// LastLoginAt is when the user last signed in, nil if the user never has.
	// Since about 15.5.
	LastLoginAt *time.Time `json:"last_login_at"`
	// IsLastOwner reports whether the group has no other Owner. Since about 15.x.
	IsLastOwner bool `json:"is_last_owner"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (m *BillableMember) Ref() UserRef { return UserID(orZero(m).ID) }

// BillableMembership is one direct membership of a billable member, in the
// top-level group or in one of its subgroups or projects.
type BillableMembership struct {
	ID int64 `json:"id"`
	// SourceID is the ID of the group or project. SourceFullName is its name with
	// the names of its parent groups.
	SourceID       int64  `json:"source_id"`
	SourceFullName string `json:"source_full_name"`
	// SourceMembersURL is the web page of its members.
	SourceMembersURL string    `json:"source_members_url"`
	CreatedAt        time.Time `json:"created_at"`
	// ExpiresAt is nil if the membership does not end. Some responses have a time
	// instead of a day.
	ExpiresAt *DateOrTime `json:"expires_at"`
	// AccessLevel is nil only if the service does not send it.
	AccessLevel *MembershipAccessLevel `json:"access_level"`
}

// MembershipAccessLevel is an access level with its name.
type MembershipAccessLevel struct {
	// StringValue is the service's name for it, such as "Developer".
	StringValue  string      `json:"string_value"`
	IntegerValue AccessLevel `json:"integer_value"`
}

// MemberTask is a task that the service suggests to a new member.
type MemberTask string

// Tasks for a new member.
const (
	MemberTaskCI     MemberTask = "ci"
	MemberTaskCode   MemberTask = "code"
	MemberTaskIssues MemberTask = "issues"
)

// ParseAccessLevel returns the access level with a name or a number, for
// command-line flags and configuration files: "developer", "Developer" and "30"
// are [AccessLevelDeveloper]. "none", "minimal" and "admin" are accepted, too.
// Names are not case-sensitive. Any other string is an [*ArgumentError] that lists
// the names, also a number that the library does not know: a typing error is refused
// before anything is sent.
func ParseAccessLevel(s string) (AccessLevel, error) {
	for _, level := range accessLevels() {
		if strings.EqualFold(s, level.String()) || s == strconv.Itoa(int(level)) {
			return level, nil
		}
	}
	switch strings.ToLower(s) {
	case "none":
		return AccessLevelNone, nil
	case "minimal":
		return AccessLevelMinimal, nil
	case "admin":
		return AccessLevelAdmin, nil
	}
	problem := "is unknown: " + strconv.Quote(text.Printable(s, 40)) + "; write one of "
	for i, level := range accessLevels() {
		if i > 0 {
			problem += ", "
		}
		problem += level.word() + " (" + strconv.Itoa(int(level)) + ")"
	}
	return AccessLevelNone, &ArgumentError{Argument: "access level", Problem: problem}
}

// UnmarshalText decodes whatever [ParseAccessLevel] accepts.
func (l *AccessLevel) UnmarshalText(data []byte) error {
	level, err := ParseAccessLevel(string(data))
	if err == nil {
		*l = level
	}
	return err
}

// UnmarshalJSON decodes any number, and a string that [ParseAccessLevel] accepts. It
// leaves the level as it is for null.
func (l *AccessLevel) UnmarshalJSON(data []byte) error {
	if jsonx.IsString(data) {
		return l.UnmarshalText([]byte(jsonx.Text(data)))
	}
	data = bytes.TrimSpace(data)
	if jsonx.IsNull(data) {
		return nil
	}
	number, err := strconv.Atoi(string(data))
	if err != nil {
		problem := "is neither a number nor a name: " + text.Printable(string(data), 40)
		return &ArgumentError{Argument: "access level", Problem: problem}
	}
	*l = AccessLevel(number)
	return nil
}

// MemberRole is a custom role: an access level and additional permissions.
type MemberRole struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Description is empty if there is none, and in older releases.
	Description string `json:"description,omitzero"`
	// GroupID is the ID of the group that the role belongs to, nil if it belongs to
	// the whole instance, and in older releases.
	GroupID *int64 `json:"group_id,omitzero"`
	// BaseAccessLevel is the access level that the permissions extend. It is [AccessLevelNone] for a role of
	// the admin area.
	BaseAccessLevel AccessLevel `json:"base_access_level"`
	// Permissions are the permissions that a role can have, such as [MemberPermissionReadCode].
	// The value reports whether this role has the permission.
	Permissions map[MemberPermission]bool `json:"-"`
	// Extra has the other members of the role, such as a permission that is null,
	// which this role does not have. It is nil if there are none.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, decodes all other members
// that are true or false as permissions, and keeps the rest.
func (r *MemberRole) UnmarshalJSON(data []byte) error {
	type plain MemberRole
	err := decodeWithExtra(data, (*plain)(r), &r.Extra)
	for name, value := range r.Extra {
		if text := string(value); text == "true" || text == "false" {
			if r.Permissions == nil {
				r.Permissions = map[MemberPermission]bool{}
			}
			r.Permissions[MemberPermission(name)] = text == "true"
			delete(r.Extra, name)
		}
	}
	if len(r.Extra) == 0 {
		r.Extra = nil
	}
	return err
}

// MarshalJSON encodes each permission and each other member separately, as the
// service does.
func (r MemberRole) MarshalJSON() ([]byte, error) {
	type plain MemberRole
	more := map[string]json.RawMessage{}
	maps.Copy(more, r.Extra)
	for name, granted := range r.Permissions {
		more[string(name)] = json.RawMessage(strconv.FormatBool(granted))
	}
	return encodeWithExtra(plain(r), more)
}

// MemberPermission is a permission that a custom role can have. Each release has more.
type MemberPermission string

// Permissions of custom roles of groups and of the instance.
const (
	MemberPermissionAdminCICDVariables         MemberPermission = "admin_cicd_variables"
	MemberPermissionAdminComplianceFramework   MemberPermission = "admin_compliance_framework"
	MemberPermissionAdminGroupMember           MemberPermission = "admin_group_member"
	MemberPermissionAdminIntegrations          MemberPermission = "admin_integrations"
	MemberPermissionAdminMergeRequest          MemberPermission = "admin_merge_request"
	MemberPermissionAdminProtectedBranch       MemberPermission = "admin_protected_branch"
	MemberPermissionAdminProtectedEnvironments MemberPermission = "admin_protected_environments"
	MemberPermissionAdminPushRules             MemberPermission = "admin_push_rules"
	MemberPermissionAdminRunners               MemberPermission = "admin_runners"
	MemberPermissionAdminSecurityAttributes    MemberPermission = "admin_security_attributes"
	MemberPermissionAdminSecurityTesting       MemberPermission = "admin_security_testing"
	MemberPermissionAdminTerraformState        MemberPermission = "admin_terraform_state"
	MemberPermissionAdminVulnerability         MemberPermission = "admin_vulnerability"
	MemberPermissionAdminWebHook               MemberPermission = "admin_web_hook"
	MemberPermissionApplySecurityScanProfiles  MemberPermission = "apply_security_scan_profiles"
	MemberPermissionArchiveProject             MemberPermission = "archive_project"
	MemberPermissionManageDeployTokens         MemberPermission = "manage_deploy_tokens"
	MemberPermissionManageGroupAccessTokens    MemberPermission = "manage_group_access_tokens"
	MemberPermissionManageMergeRequestSettings MemberPermission = "manage_merge_request_settings"
	MemberPermissionManageProjectAccessTokens  MemberPermission = "manage_project_access_tokens"
	MemberPermissionManageProtectedTags        MemberPermission = "manage_protected_tags"
	MemberPermissionManageSecurityPolicyLink   MemberPermission = "manage_security_policy_link"
	MemberPermissionReadCode                   MemberPermission = "read_code"
	MemberPermissionReadComplianceDashboard    MemberPermission = "read_compliance_dashboard"
	MemberPermissionReadCRMContact             MemberPermission = "read_crm_contact"
	MemberPermissionReadDependency             MemberPermission = "read_dependency"
	MemberPermissionReadRunners                MemberPermission = "read_runners"
	MemberPermissionReadSecurityAttribute      MemberPermission = "read_security_attribute"
	MemberPermissionReadSecurityScanProfiles   MemberPermission = "read_security_scan_profiles"
	MemberPermissionReadVulnerability          MemberPermission = "read_vulnerability"
	MemberPermissionRemoveGroup                MemberPermission = "remove_group"
	MemberPermissionRemoveProject              MemberPermission = "remove_project"
)

// Permissions of roles of the admin area.
const (
	MemberPermissionReadAdminCICD         MemberPermission = "read_admin_cicd"
	MemberPermissionReadAdminGroups       MemberPermission = "read_admin_groups"
	MemberPermissionReadAdminMonitoring   MemberPermission = "read_admin_monitoring"
	MemberPermissionReadAdminProjects     MemberPermission = "read_admin_projects"
	MemberPermissionReadAdminSubscription MemberPermission = "read_admin_subscription"
	MemberPermissionReadAdminUsers        MemberPermission = "read_admin_users"
)
