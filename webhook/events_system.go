package webhook

import (
	"encoding/json"
	"time"

	"example.com/serviceapi"
)

// AccessTokenEvent is sent before an access token of a project or a group expires.
// Since 16.10.
type AccessTokenEvent struct {
	Delivery `json:"-"`

	ObjectKind       string      `json:"object_kind"`
	EventName        string      `json:"event_name"`
	Interval         string      `json:"interval"` // "seven_days"; "" in some releases
	Project          *Project    `json:"project"`  // nil for the token of a group
	Group            *Group      `json:"group"`    // nil for the token of a project
	ObjectAttributes AccessToken `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// AccessToken is the token of an [AccessTokenEvent].
type AccessToken struct {
	ID         int64           `json:"id"`
	UserID     int64           `json:"user_id"`
	Name       string          `json:"name"`
	CreatedAt  time.Time       `json:"created_at"`
	ExpiresAt  serviceapi.Date `json:"expires_at"`
	LastUsedAt *time.Time      `json:"last_used_at"` // since 18.x
}

// DeployTokenEvent is sent before a deploy token expires. Since 18.4.
type DeployTokenEvent struct {
	Delivery `json:"-"`

	ObjectKind       string      `json:"object_kind"`
	EventName        string      `json:"event_name"`
	Interval         string      `json:"interval"` // "seven_days"; "" in some releases
	Project          *Project    `json:"project"`  // nil for the token of a group
	Group            *Group      `json:"group"`    // nil for the token of a project
	ObjectAttributes DeployToken `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// DeployToken is the token of a [DeployTokenEvent].
type DeployToken struct {
	ID              int64           `json:"id"`
	Name            string          `json:"name"`
	CreatedAt       time.Time       `json:"created_at"`
	ExpiresAt       time.Time       `json:"expires_at"`
	Revoked         bool            `json:"revoked"`
	DeployTokenType DeployTokenType `json:"deploy_token_type"`
}

// A DeployTokenType says what a deploy token belongs to.
type DeployTokenType string

// Types of deploy tokens.
const (
	DeployTokenTypeProject DeployTokenType = "project_type"
	DeployTokenTypeGroup   DeployTokenType = "group_type"
)

// VulnerabilityEvent is sent when a vulnerability is found or changed. Since 17.7.
type VulnerabilityEvent struct {
	Delivery `json:"-"`

	ObjectKind       string        `json:"object_kind"`
	ObjectAttributes Vulnerability `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// ProjectRef identifies the project of the vulnerability.
func (e *VulnerabilityEvent) ProjectRef() serviceapi.ProjectRef {
	return serviceapi.ProjectID(e.ObjectAttributes.ProjectID)
}

// Vulnerability is the vulnerability of a [VulnerabilityEvent].
type Vulnerability struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	State      string `json:"state"`
	Severity   string `json:"severity"`
	ReportType string `json:"report_type"`
	Confidence string `json:"confidence"`
	ProjectID  int64  `json:"project_id"`
	// Location has members that depend on ReportType.
	Location                VulnerabilityLocation     `json:"location"`
	CVSS                    []VulnerabilityScore      `json:"cvss"`
	Identifiers             []VulnerabilityIdentifier `json:"identifiers"`
	Issues                  []VulnerabilityIssue      `json:"issues"`
	SeverityOverridden      bool                      `json:"severity_overridden"`
	ConfidenceOverridden    bool                      `json:"confidence_overridden"`
	AutoResolved            bool                      `json:"auto_resolved"`
	ResolvedOnDefaultBranch bool                      `json:"resolved_on_default_branch"`
	ConfirmedAt             *time.Time                `json:"confirmed_at"`
	ConfirmedByID           *int64                    `json:"confirmed_by_id"`
	DismissedAt             *time.Time                `json:"dismissed_at"`
	DismissedByID           *int64                    `json:"dismissed_by_id"`
	ResolvedAt              *time.Time                `json:"resolved_at"`
	ResolvedByID            *int64                    `json:"resolved_by_id"`
	CreatedAt               time.Time                 `json:"created_at"`
	UpdatedAt               time.Time                 `json:"updated_at"`
	ScannerExternalID       string                    `json:"scanner_external_id"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// VulnerabilityLocation says where a vulnerability is.
type VulnerabilityLocation struct {
	File       string                   `json:"file"`
	Dependency *VulnerabilityDependency `json:"dependency"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// VulnerabilityDependency is the dependency that has a vulnerability.
type VulnerabilityDependency struct {
	Package VulnerabilityPackage `json:"package"`
	Version string               `json:"version"`
}

// VulnerabilityPackage is the package of a [VulnerabilityDependency].
type VulnerabilityPackage struct {
	Name string `json:"name"`
}

// VulnerabilityScore is a vendor's rating of a vulnerability.
type VulnerabilityScore struct {
	Vector string `json:"vector"`
	Vendor string `json:"vendor"`
}

// VulnerabilityIdentifier identifies a vulnerability in a catalog.
type VulnerabilityIdentifier struct {
	Name         string `json:"name"`
	ExternalID   string `json:"external_id"`
	ExternalType string `json:"external_type"`
	URL          string `json:"url"`
}

// VulnerabilityIssue is an issue about a vulnerability.
type VulnerabilityIssue struct {
	Title     string    `json:"title"`
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// A Role is the name of a role. Events have the name where the API has a number.
type Role string

// Roles.
const (
	RoleGuest      Role = "Guest"
	RoleReporter   Role = "Reporter"
	RoleDeveloper  Role = "Developer"
	RoleMaintainer Role = "Maintainer"
	RoleOwner      Role = "Owner"
)

// MemberEvent is sent to group hooks and system hooks when somebody becomes a member of a
// group or requests access to it, or when a membership changes or ends. It does not say who
// made the change.
type MemberEvent struct {
	Delivery `json:"-"`

	EventName    string     `json:"event_name"` // "user_add_to_group" and others
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	GroupID      int64      `json:"group_id"`
	GroupName    string     `json:"group_name"`
	GroupPath    string     `json:"group_path"`
	GroupPlan    string     `json:"group_plan"` // of the hosted offering
	GroupAccess  Role       `json:"group_access"`
	UserID       int64      `json:"user_id"`
	UserName     string     `json:"user_name"`
	UserUsername string     `json:"user_username"`
	UserEmail    string     `json:"user_email"`
	ExpiresAt    *time.Time `json:"expires_at"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// GroupRef identifies the group.
func (e *MemberEvent) GroupRef() serviceapi.GroupRef { return serviceapi.GroupID(e.GroupID) }

// UserRef identifies the member.
func (e *MemberEvent) UserRef() serviceapi.UserRef { return serviceapi.UserID(e.UserID) }

// SubgroupEvent is sent when a subgroup is created or deleted.
type SubgroupEvent struct {
	Delivery `json:"-"`

	EventName      string    `json:"event_name"` // "subgroup_create", "subgroup_destroy"
	CreatedAt      time.Time `json:"created_at"`
	UpdatedAt      time.Time `json:"updated_at"`
	GroupID        int64     `json:"group_id"`
	Name           string    `json:"name"`
	Path           string    `json:"path"`
	FullPath       string    `json:"full_path"`
	ParentGroupID  int64     `json:"parent_group_id"`
	ParentName     string    `json:"parent_name"`
	ParentPath     string    `json:"parent_path"`
	ParentFullPath string    `json:"parent_full_path"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// GroupRef identifies the subgroup.
func (e *SubgroupEvent) GroupRef() serviceapi.GroupRef { return serviceapi.GroupID(e.GroupID) }

// ProjectEvent is sent when a project is created or deleted. A system hook also gets it
// when a project is changed, renamed or transferred. The test of a system hook sends one
// with the project ID 1.
type ProjectEvent struct {
	Delivery `json:"-"`

	EventName            string                `json:"event_name"` // "project_create" and others
	CreatedAt            time.Time             `json:"created_at"`
	UpdatedAt            time.Time             `json:"updated_at"`
	Name                 string                `json:"name"`
	Path                 string                `json:"path"`
	PathWithNamespace    string                `json:"path_with_namespace"`
	ProjectID            int64                 `json:"project_id"`
	ProjectNamespaceID   *int64                `json:"project_namespace_id"` // since 15.x
	OwnerName            string                `json:"owner_name"`           // only system hooks
	OwnerEmail           string                `json:"owner_email"`          // only system hooks
	Owners               []Author              `json:"owners"`               // since 14.9
	ProjectVisibility    serviceapi.Visibility `json:"project_visibility"`
	OldPathWithNamespace string                `json:"old_path_with_namespace"` // of a rename or a transfer
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// ProjectRef identifies the project.
func (e *ProjectEvent) ProjectRef() serviceapi.ProjectRef { return serviceapi.ProjectID(e.ProjectID) }

// GroupEvent is sent to system hooks when a group is created, deleted or renamed.
type GroupEvent struct {
	Delivery `json:"-"`

	EventName   string    `json:"event_name"` // "group_create", "group_destroy", "group_rename"
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	GroupID     int64     `json:"group_id"`
	Name        string    `json:"name"`
	Path        string    `json:"path"`
	FullPath    string    `json:"full_path"`
	OwnerName   string    `json:"owner_name"`    // from old releases
	OwnerEmail  string    `json:"owner_email"`   // from old releases
	OldPath     string    `json:"old_path"`      // of a rename
	OldFullPath string    `json:"old_full_path"` // of a rename
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// GroupRef identifies the group.
func (e *GroupEvent) GroupRef() serviceapi.GroupRef { return serviceapi.GroupID(e.GroupID) }

// UserEvent is sent to system hooks when a user is created, deleted or renamed, or when a
// blocked user tries to sign in.
type UserEvent struct {
	Delivery `json:"-"`

	EventName   string               `json:"event_name"` // "user_create" and others
	CreatedAt   time.Time            `json:"created_at"`
	UpdatedAt   time.Time            `json:"updated_at"`
	UserID      int64                `json:"user_id"`
	Name        string               `json:"name"`
	Username    string               `json:"username"`
	Email       string               `json:"email"`
	OldUsername string               `json:"old_username"` // of a rename
	State       serviceapi.UserState `json:"state"`        // of "user_failed_login"
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// UserRef identifies the user.
func (e *UserEvent) UserRef() serviceapi.UserRef { return serviceapi.UserID(e.UserID) }

// ProjectMemberEvent is sent to system hooks when somebody becomes a member of a project or
// requests access to it, or when a membership changes or ends.
type ProjectMemberEvent struct {
	Delivery `json:"-"`

	EventName                string                `json:"event_name"` // "user_add_to_team" and others
	CreatedAt                time.Time             `json:"created_at"`
	UpdatedAt                time.Time             `json:"updated_at"`
	ProjectID                int64                 `json:"project_id"`
	ProjectName              string                `json:"project_name"`
	ProjectPath              string                `json:"project_path"`
	ProjectPathWithNamespace string                `json:"project_path_with_namespace"`
	ProjectVisibility        serviceapi.Visibility `json:"project_visibility"`
	UserID                   int64                 `json:"user_id"`
	UserName                 string                `json:"user_name"`
	UserUsername             string                `json:"user_username"`
	UserEmail                string                `json:"user_email"`
	AccessLevel              Role                  `json:"access_level"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// ProjectRef identifies the project.
func (e *ProjectMemberEvent) ProjectRef() serviceapi.ProjectRef {
	return serviceapi.ProjectID(e.ProjectID)
}

// UserRef identifies the member.
func (e *ProjectMemberEvent) UserRef() serviceapi.UserRef { return serviceapi.UserID(e.UserID) }

// KeyEvent is sent to system hooks when an SSH key is added or removed.
type KeyEvent struct {
	Delivery `json:"-"`

	EventName string    `json:"event_name"` // "key_create", "key_destroy"
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	ID        int64     `json:"id"`
	Username  string    `json:"username"` // "" for keys without a user
	Key       string    `json:"key"`      // the public key
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// RepositoryUpdateEvent is sent to system hooks once for each push, however many branches
// and tags it changes.
type RepositoryUpdateEvent struct {
	Delivery `json:"-"`

	EventName  string      `json:"event_name"`
	UserID     int64       `json:"user_id"`
	UserName   string      `json:"user_name"`
	UserEmail  string      `json:"user_email"`
	UserAvatar string      `json:"user_avatar"`
	ProjectID  int64       `json:"project_id"`
	Project    Project     `json:"project"`
	Changes    []RefChange `json:"changes"`
	Refs       []string    `json:"refs"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// RefChange is a branch or a tag that a push changed.
type RefChange struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Ref    string `json:"ref"` // "refs/heads/main"
}

// MemberApprovalEvent is sent to system hooks when a role that requires approval is
// requested. Premium. Since 17.x.
type MemberApprovalEvent struct {
	Delivery `json:"-"`

	ObjectKind           string         `json:"object_kind"`
	Action               string         `json:"action"` // "enqueue"
	ObjectAttributes     MemberApproval `json:"object_attributes"`
	UserID               int64          `json:"user_id"`
	RequestedByUserID    int64          `json:"requested_by_user_id"`
	PromotionNamespaceID int64          `json:"promotion_namespace_id"`
	CreatedAt            time.Time      `json:"created_at"`
	UpdatedAt            time.Time      `json:"updated_at"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// MemberApproval is the role that a [MemberApprovalEvent] is about.
type MemberApproval struct {
	NewAccessLevel   int    `json:"new_access_level"`
	OldAccessLevel   *int   `json:"old_access_level"`
	ExistingMemberID *int64 `json:"existing_member_id"`
}

// MemberApprovalsEvent is sent to system hooks when such requests are approved or denied.
// Premium. Since 17.x.
type MemberApprovalsEvent struct {
	Delivery `json:"-"`

	ObjectKind       string          `json:"object_kind"`
	Action           string          `json:"action"` // "approve", "deny"
	ObjectAttributes MemberApprovals `json:"object_attributes"`
	ReviewedByUserID int64           `json:"reviewed_by_user_id"`
	UserID           int64           `json:"user_id"`
	UpdatedAt        time.Time       `json:"updated_at"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// MemberApprovals is the outcome of a decision.
type MemberApprovals struct {
	Status           string  `json:"status"`
	FailedRequestIDs []int64 `json:"promotion_request_ids_that_failed_to_apply"`
}
