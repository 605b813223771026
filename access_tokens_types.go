package serviceapi

import (
	"encoding/json"
	"time"
)

// AccessToken is a personal access token, or one of a project or a group.
type AccessToken struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Token is the token itself, which can be passed to [PrivateToken]. Only the
	// calls that create or rotate a token set it: store it, because the service
	// does not show it again.
	Token Secret `json:"token,omitzero"`
	// Description is empty before 17.x.
	Description string `json:"description"`
	// Revoked tokens were revoked or rotated. Active ones are neither revoked nor
	// expired.
	Revoked bool          `json:"revoked"`
	Active  bool          `json:"active"`
	Scopes  []AccessScope `json:"scopes"`
	// UserID is the ID of the user that calls are made as. For a token of a
	// project or a group, this is a bot user that was created for the token.
	UserID int64 `json:"user_id"`
	// AccessLevel is the role of a token of a project or a group, and 0 for a
	// personal one.
	AccessLevel AccessLevel `json:"access_level"`
	CreatedAt   time.Time   `json:"created_at"`
	// LastUsedAt is nil if the token was never used.
	LastUsedAt *time.Time `json:"last_used_at"`
	// ExpiresAt is the day on which the token expires, nil if it does not expire.
	ExpiresAt *Date `json:"expires_at"`
	// LastUsedIPs are IP addresses that the token was used from. Since 19.4.
	LastUsedIPs []string `json:"last_used_ips"`
	// GranularScopes are finer permissions, as the JSON that the service sent.
	// Since 19.6.
	GranularScopes json.RawMessage `json:"granular_scopes,omitzero"`
}

// AccessScope is a permission that an access token grants.
type AccessScope string

// Scopes of access tokens. AccessScopeReadUser is for personal tokens, and
// AccessScopeSudo for those of administrators. AccessScopeCreateRunner,
// AccessScopeManageRunner and AccessScopeSelfRotate exist in later releases,
// which also have others.
const (
	AccessScopeAPI             AccessScope = "api"
	AccessScopeReadAPI         AccessScope = "read_api"
	AccessScopeReadUser        AccessScope = "read_user"
	AccessScopeReadRepository  AccessScope = "read_repository"
	AccessScopeWriteRepository AccessScope = "write_repository"
	AccessScopeReadRegistry    AccessScope = "read_registry"
	AccessScopeWriteRegistry   AccessScope = "write_registry"
	AccessScopeSudo            AccessScope = "sudo"
	AccessScopeCreateRunner    AccessScope = "create_runner"
	AccessScopeManageRunner    AccessScope = "manage_runner"
	AccessScopeSelfRotate      AccessScope = "self_rotate"
)

// AccessTokenState selects access tokens by whether they can be used.
type AccessTokenState string

// States of access tokens. An inactive token was revoked or has expired.
const (
	AccessTokenStateActive   AccessTokenState = "active"
	AccessTokenStateInactive AccessTokenState = "inactive"
)

// AccessTokenSort is an order of access tokens.
type AccessTokenSort string

// Orders of access tokens.
const (
	AccessTokenSortCreatedAt      AccessTokenSort = "created_asc"
	AccessTokenSortCreatedAtDesc  AccessTokenSort = "created_desc"
	AccessTokenSortExpiresAt      AccessTokenSort = "expires_asc"
	AccessTokenSortExpiresAtDesc  AccessTokenSort = "expires_desc"
	AccessTokenSortLastUsedAt     AccessTokenSort = "last_used_asc"
	AccessTokenSortLastUsedAtDesc AccessTokenSort = "last_used_desc"
	AccessTokenSortName           AccessTokenSort = "name_asc"
	AccessTokenSortNameDesc       AccessTokenSort = "name_desc"
)

// ListAccessTokensOptions selects access tokens. The filters exist in later
// releases: for personal tokens since 15.5, or since about 17.x for
// ExpiresAfter, ExpiresBefore and Sort; for tokens of projects and groups,
// State since 17.2. Earlier releases ignore them.
type ListAccessTokensOptions struct {
	ListOptions
	// State selects tokens that can be used, or those that cannot.
	State AccessTokenState `url:"state,omitempty"`
	// Revoked selects tokens that were revoked, or those that were not. Nil
	// selects both.
	Revoked *bool `url:"revoked,omitempty"`
	// Search selects tokens whose name contains this string.
	Search string `url:"search,omitempty"`
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// LastUsedAfter and LastUsedBefore limit the time of the last use.
	LastUsedAfter  time.Time `url:"last_used_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	LastUsedBefore time.Time `url:"last_used_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// ExpiresAfter and ExpiresBefore limit the day on which the token expires.
	ExpiresAfter  Date `url:"expires_after,omitempty"`
	ExpiresBefore Date `url:"expires_before,omitempty"`
	// Sort is the order and its direction.
	Sort AccessTokenSort `url:"sort,omitempty"`
}

// CreateAccessTokenOptions describes a new access token. Name and Scopes are
// required.
type CreateAccessTokenOptions struct {
	Name   string        `json:"name"`
	Scopes []AccessScope `json:"scopes"`
	// AccessLevel is the role of the token, which cannot be higher than the
	// caller's own. The default is [AccessLevelMaintainer]. Only for a
	// [ProjectRef] or a [GroupRef].
	AccessLevel *AccessLevel `json:"access_level,omitzero" only:"project,group"`
	// ExpiresAt is the day on which the token expires. Nil means never before
	// 16.0, and since then the longest lifetime that the instance allows, which is
	// 365 days by default.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Description has at most 255 characters. Since 17.x.
	Description *string `json:"description,omitzero"`
}

// RotateAccessTokenOptions describes the token that replaces another.
type RotateAccessTokenOptions struct {
	// ExpiresAt is the day on which the new token expires. Nil means in one week.
	// Since 16.6.
	ExpiresAt *Date `json:"expires_at,omitzero"`
}
