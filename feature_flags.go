package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// FeatureFlagsService manages the feature flags of projects, and the lists of users that
// their strategies name. Programs that ask whether a flag is on for a user speak another
// protocol, for which there are clients. Reading and writing require the Developer role, and
// return [ErrForbidden] if the feature flags or the repository of the project are off.
//
//	client.FeatureFlags.Create(ctx, project, serviceapi.CreateFeatureFlagOptions{
//		Name: "dark", Strategies: []serviceapi.NewFeatureFlagStrategy{{
//			Name: serviceapi.FeatureFlagStrategyNameDefault,
//			Scopes: []serviceapi.NewFeatureFlagScope{
//				{EnvironmentScope: "staging"},
//			},
//		}},
//	})
//
// Its options are [CreateFeatureFlagOptions], [CreateFeatureFlagUserListOptions],
// [ListFeatureFlagUserListsOptions], [ListFeatureFlagsOptions], [UpdateFeatureFlagOptions]
// and [UpdateFeatureFlagUserListOptions]. See recipe 22 of docs/cookbook.md, the example
// RollOut of [example.com/serviceapi/examples/recipes].
type FeatureFlagsService service

// FeatureFlagVersion is the kind of a feature flag.
type FeatureFlagVersion string

// Kinds of feature flags. FeatureFlagVersionLegacy is only in answers of older releases.
const (
	FeatureFlagVersionNew    FeatureFlagVersion = "new_version_flag"
	FeatureFlagVersionLegacy FeatureFlagVersion = "legacy_flag"
)

// FeatureFlagListScope says which feature flags a list has.
type FeatureFlagListScope string

// Feature flags by whether they are active.
const (
	FeatureFlagListScopeEnabled  FeatureFlagListScope = "enabled"
	FeatureFlagListScopeDisabled FeatureFlagListScope = "disabled"
)

// FeatureFlagStrategyName says for whom a strategy turns a feature flag on.
type FeatureFlagStrategyName string

// Strategies, and the fields of [FeatureFlagParameters] that each must have, and no others.
const (
	// FeatureFlagStrategyNameDefault means everybody. It has no parameters.
	FeatureFlagStrategyNameDefault FeatureFlagStrategyName = "default"
	// FeatureFlagStrategyNameFlexibleRollout means a part of all. It has GroupID, Rollout and
	// Stickiness.
	FeatureFlagStrategyNameFlexibleRollout FeatureFlagStrategyName = "flexibleRollout"
	// FeatureFlagStrategyNameGradualRolloutUserID means a part of all users that have an ID. It
	// has GroupID and Percentage.
	FeatureFlagStrategyNameGradualRolloutUserID FeatureFlagStrategyName = "gradualRolloutUserId"
	// FeatureFlagStrategyNameUserWithID means the users of UserIDs.
	FeatureFlagStrategyNameUserWithID FeatureFlagStrategyName = "userWithId"
	// FeatureFlagStrategyNameUserList means the users of a list. It has no parameters, but a
	// UserListID.
	FeatureFlagStrategyNameUserList FeatureFlagStrategyName = "serviceUserList"
)

// FeatureFlagStickiness says what decides whether a rollout includes somebody.
type FeatureFlagStickiness string

// What decides whether a rollout includes somebody. FeatureFlagStickinessDefault is the user
// ID if there is one, else the session, else chance.
const (
	FeatureFlagStickinessDefault   FeatureFlagStickiness = "default"
	FeatureFlagStickinessUserID    FeatureFlagStickiness = "userId"
	FeatureFlagStickinessSessionID FeatureFlagStickiness = "sessionId"
	FeatureFlagStickinessRandom    FeatureFlagStickiness = "random"
)

// FeatureFlag is a feature flag of a project. It has no ID: its name is the key.
type FeatureFlag struct {
	Name string `json:"name"`
	// Description is empty if there is none.
	Description string `json:"description"`
	// Active reports whether the strategies count. Without it, the flag is off for everybody.
	Active    bool               `json:"active"`
	Version   FeatureFlagVersion `json:"version"`
	CreatedAt time.Time          `json:"created_at"`
	UpdatedAt time.Time          `json:"updated_at"`
	// Scopes is always empty: those of the strategies count.
	Scopes []*FeatureFlagScope `json:"scopes"`
	// Strategies have no certain order.
	Strategies []*FeatureFlagStrategy `json:"strategies"`
}

// FeatureFlagStrategy says for whom, and in which environments, a feature flag is on.
type FeatureFlagStrategy struct {
	ID         int64                   `json:"id"`
	Name       FeatureFlagStrategyName `json:"name"`
	Parameters *FeatureFlagParameters  `json:"parameters"`
	// Scopes are the environments.
	Scopes []*FeatureFlagScope `json:"scopes"`
	// UserList is nil for other strategies than [FeatureFlagStrategyNameUserList], and in
	// older releases.
	UserList *FeatureFlagUserListSummary `json:"user_list"`
}

// FeatureFlagScope is the environments in which a strategy counts.
type FeatureFlagScope struct {
	ID int64 `json:"id"`
	// EnvironmentScope is a name, a pattern such as "review/*", or "*" for all.
	EnvironmentScope string `json:"environment_scope"`
}

// FeatureFlagParameters are the parameters of a strategy, which are all strings. Which of them
// a strategy has is said at its [FeatureFlagStrategyName].
type FeatureFlagParameters struct {
	// GroupID is 1 to 32 lowercase letters, usually "default". Two flags with the same group
	// are on for the same users.
	GroupID string `json:"groupId,omitzero"`
	// Percentage and Rollout are whole numbers from "0" to "100".
	Percentage string                `json:"percentage,omitzero"`
	Rollout    string                `json:"rollout,omitzero"`
	Stickiness FeatureFlagStickiness `json:"stickiness,omitzero"`
	// UserIDs are names of users as the program knows them, with commas between them, each of
	// at most 256 characters.
	UserIDs string `json:"userIds,omitzero"`
	// Extra holds all parameters that have no field here, by name.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *FeatureFlagParameters) UnmarshalJSON(data []byte) error {
	type plain FeatureFlagParameters
	return decodeWithExtra(data, (*plain)(p), &p.Extra)
}

// MarshalJSON implements json.Marshaler.
func (p FeatureFlagParameters) MarshalJSON() ([]byte, error) {
	type plain FeatureFlagParameters
	return encodeWithExtra(plain(p), p.Extra)
}

// NewFeatureFlagStrategy describes a strategy. Name is required. The service accepts exactly
// the Parameters that the strategy has.
type NewFeatureFlagStrategy struct {
	Name       FeatureFlagStrategyName `json:"name" required:"true"`
	Parameters FeatureFlagParameters   `json:"parameters"`
	// UserListID is the [FeatureFlagUserListSummary.ID], not the IID, of a list of the project.
	UserListID int64 `json:"user_list_id,omitzero"`
	// Scopes are the environments. Without any, the strategy counts nowhere.
	Scopes []NewFeatureFlagScope `json:"scopes,omitzero"`
}

// NewFeatureFlagScope describes the environments of a strategy.
type NewFeatureFlagScope struct {
	// EnvironmentScope is a name, a pattern such as "review/*", or "*" for all. A strategy has
	// it once.
	EnvironmentScope string `json:"environment_scope" required:"true"`
}

// FeatureFlagStrategyChange adds a strategy if ID is 0, and otherwise changes or removes that
// strategy. Strategies that are not listed stay as they are.
type FeatureFlagStrategyChange struct {
	// ID is the [FeatureFlagStrategy.ID] of the strategy to change or remove.
	ID int64 `json:"id,omitzero"`
	// Destroy removes the strategy.
	Destroy bool `json:"_destroy,omitzero"`
	// Name and the following fields are those of [NewFeatureFlagStrategy]. Empty ones stay as
	// they are.
	Name       FeatureFlagStrategyName  `json:"name,omitzero"`
	Parameters *FeatureFlagParameters   `json:"parameters,omitzero"`
	UserListID int64                    `json:"user_list_id,omitzero"`
	Scopes     []FeatureFlagScopeChange `json:"scopes,omitzero"`
}

// FeatureFlagScopeChange adds environments if ID is 0, and otherwise changes or removes those.
type FeatureFlagScopeChange struct {
	// ID is the [FeatureFlagScope.ID] of the environments to change or remove.
	ID int64 `json:"id,omitzero"`
	// Destroy removes the environments.
	Destroy          bool   `json:"_destroy,omitzero"`
	EnvironmentScope string `json:"environment_scope,omitzero"`
}

// FeatureFlagUserListSummary is a list of users in a strategy.
type FeatureFlagUserListSummary struct {
	// ID is what strategies take. IID is the number in the project, which methods take.
	ID   int64  `json:"id"`
	IID  int64  `json:"iid"`
	Name string `json:"name"`
	// UserXIDs are the users as the program knows them, with commas between them.
	UserXIDs string `json:"user_xids"`
}

// FeatureFlagUserList is a list of users that strategies of feature flags can name.
type FeatureFlagUserList struct {
	FeatureFlagUserListSummary

	ProjectID int64     `json:"project_id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Path and EditPath are paths in the web interface.
	Path     string `json:"path"`
	EditPath string `json:"edit_path"`
}

// ListFeatureFlagsOptions selects feature flags.
type ListFeatureFlagsOptions struct {
	ListOptions
	// Scope selects active flags, or those that are not. Empty means all.
	Scope FeatureFlagListScope `url:"scope,omitempty"`
}

// CreateFeatureFlagOptions describes a feature flag. Name is required.
type CreateFeatureFlagOptions struct {
	// Name has 2 to 63 lowercase letters, digits, _ and -. It begins with a letter, and does
	// not end with _ or -.
	Name string `json:"name" required:"true"`
	// Description has at most 255 characters. Nil means none.
	Description *string `json:"description,omitzero"`
	// Active is true by default.
	Active *bool `json:"active,omitzero"`
	// Version is [FeatureFlagVersionNew] by default. The service refuses others.
	Version *FeatureFlagVersion `json:"version,omitzero"`
	// Strategies say for whom the flag is on. Without any, it is off for everybody.
	Strategies []NewFeatureFlagStrategy `json:"strategies,omitzero"`
}

// UpdateFeatureFlagOptions changes a feature flag. Nil fields are left unchanged. Its fields
// are those of [CreateFeatureFlagOptions].
type UpdateFeatureFlagOptions struct {
	// Name renames the flag: from then on, methods take the new name.
	Name        *string `json:"name,omitzero"`
	Description *string `json:"description,omitzero"`
	Active      *bool   `json:"active,omitzero"`
	// Strategies are added, changed and removed. Those that are not listed stay.
	Strategies []FeatureFlagStrategyChange `json:"strategies,omitzero"`
}

// ListFeatureFlagUserListsOptions selects lists of users.
type ListFeatureFlagUserListsOptions struct {
	ListOptions
	// Search selects lists with this string in their name.
	Search string `url:"search,omitempty"`
}

// CreateFeatureFlagUserListOptions describes a list of users. Both fields are required.
type CreateFeatureFlagUserListOptions struct {
	// Name is unique in the project.
	Name string `json:"name" required:"true"`
	// UserXIDs are the users as the program knows them, with commas between them, each of at
	// most 256 characters, and none twice.
	UserXIDs string `json:"user_xids" required:"true"`
}

// UpdateFeatureFlagUserListOptions changes a list of users. Nil fields are left unchanged. Its
// fields are those of [CreateFeatureFlagUserListOptions].
type UpdateFeatureFlagUserListOptions struct {
	Name     *string `json:"name,omitzero"`
	UserXIDs *string `json:"user_xids,omitzero"`
}

// List returns one page of the feature flags of a project, by name.
//
//	GET /projects/:id/feature_flags
func (s *FeatureFlagsService) List(
	ctx context.Context, project ProjectRef, options *ListFeatureFlagsOptions, opts ...RequestOption,
) ([]*FeatureFlag, *Response, error) {
	return list[*FeatureFlag](ctx, using(s), Route("/projects/:id/feature_flags", project), queryOf(options), opts)
}

// All returns every feature flag of a project, by name.
//
//	GET /projects/:id/feature_flags
func (s *FeatureFlagsService) All(
	ctx context.Context, project ProjectRef, options *ListFeatureFlagsOptions, opts ...RequestOption,
) iter.Seq2[*FeatureFlag, error] {
	return all[*FeatureFlag](ctx, using(s), Route("/projects/:id/feature_flags", project), queryOf(options), opts)
}

// Get returns a feature flag.
//
//	GET /projects/:id/feature_flags/:feature_flag_name
func (s *FeatureFlagsService) Get(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*FeatureFlag, *Response, error) {
	return do[FeatureFlag](ctx, using(s), http.MethodGet,
		Route("/projects/:id/feature_flags/:feature_flag_name", project, name), nil, opts)
}

// Create creates a feature flag. It returns [ErrBadRequest] if the name is taken or not
// allowed, if a strategy has too many or too few parameters, or if the project has as many
// flags as its plan allows, 200 by default. A UserListID that does not exist is [ErrNotFound].
//
//	POST /projects/:id/feature_flags
func (s *FeatureFlagsService) Create(
	ctx context.Context, project ProjectRef, options CreateFeatureFlagOptions, opts ...RequestOption,
) (*FeatureFlag, *Response, error) {
	return do[FeatureFlag](ctx, using(s), http.MethodPost,
		Route("/projects/:id/feature_flags", project), jsonOf(options), opts)
}

// Update changes a feature flag and its strategies. It fails as [FeatureFlagsService.Create]
// does.
//
//	PUT /projects/:id/feature_flags/:feature_flag_name
func (s *FeatureFlagsService) Update(
	ctx context.Context, project ProjectRef, name string, options UpdateFeatureFlagOptions, opts ...RequestOption,
) (*FeatureFlag, *Response, error) {
	return do[FeatureFlag](ctx, using(s), http.MethodPut,
		Route("/projects/:id/feature_flags/:feature_flag_name", project, name), jsonOf(options), opts)
}

// Delete deletes a feature flag and returns it as it was. It is then off for everybody.
//
//	DELETE /projects/:id/feature_flags/:feature_flag_name
func (s *FeatureFlagsService) Delete(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*FeatureFlag, *Response, error) {
	return do[FeatureFlag](ctx, using(s), http.MethodDelete,
		Route("/projects/:id/feature_flags/:feature_flag_name", project, name), nil, opts)
}

// ListUserLists returns one page of the lists of users of a project, by ID.
//
//	GET /projects/:id/feature_flags_user_lists
func (s *FeatureFlagsService) ListUserLists(
	ctx context.Context, project ProjectRef, options *ListFeatureFlagUserListsOptions, opts ...RequestOption,
) ([]*FeatureFlagUserList, *Response, error) {
	return list[*FeatureFlagUserList](ctx, using(s),
		Route("/projects/:id/feature_flags_user_lists", project), queryOf(options), opts)
}

// AllUserLists returns every list of users of a project, by ID.
//
//	GET /projects/:id/feature_flags_user_lists
func (s *FeatureFlagsService) AllUserLists(
	ctx context.Context, project ProjectRef, options *ListFeatureFlagUserListsOptions, opts ...RequestOption,
) iter.Seq2[*FeatureFlagUserList, error] {
	return all[*FeatureFlagUserList](ctx, using(s),
		Route("/projects/:id/feature_flags_user_lists", project), queryOf(options), opts)
}

// GetUserList returns a list of users by its number in the project.
//
//	GET /projects/:id/feature_flags_user_lists/:iid
func (s *FeatureFlagsService) GetUserList(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*FeatureFlagUserList, *Response, error) {
	return do[FeatureFlagUserList](ctx, using(s), http.MethodGet,
		Route("/projects/:id/feature_flags_user_lists/:iid", project, iid), nil, opts)
}

// CreateUserList creates a list of users. It returns [ErrBadRequest] if the name is taken, or
// if a user is empty, too long, or there twice.
//
//	POST /projects/:id/feature_flags_user_lists
func (s *FeatureFlagsService) CreateUserList(
	ctx context.Context, project ProjectRef, options CreateFeatureFlagUserListOptions, opts ...RequestOption,
) (*FeatureFlagUserList, *Response, error) {
	return do[FeatureFlagUserList](ctx, using(s), http.MethodPost,
		Route("/projects/:id/feature_flags_user_lists", project), jsonOf(options), opts)
}

// UpdateUserList changes a list of users, for all strategies that name it. It fails as
// [FeatureFlagsService.CreateUserList] does.
//
//	PUT /projects/:id/feature_flags_user_lists/:iid
func (s *FeatureFlagsService) UpdateUserList(
	ctx context.Context, project ProjectRef, iid int64, options UpdateFeatureFlagUserListOptions,
	opts ...RequestOption,
) (*FeatureFlagUserList, *Response, error) {
	return do[FeatureFlagUserList](ctx, using(s), http.MethodPut,
		Route("/projects/:id/feature_flags_user_lists/:iid", project, iid), jsonOf(options), opts)
}

// DeleteUserList deletes a list of users. It returns [ErrConflict] if a strategy names it.
//
//	DELETE /projects/:id/feature_flags_user_lists/:iid
func (s *FeatureFlagsService) DeleteUserList(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/feature_flags_user_lists/:iid", project, iid), nil, opts)
}
