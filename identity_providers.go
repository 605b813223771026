package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
)

// LDAPLinksService says which groups of a directory have members who become members of a group of
// the service. Premium, on self-managed instances. It requires the Owner role:
//
//	client.LDAPLinks.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateLDAPLinkOptions], [DeleteLDAPLinkOptions], [ListLDAPGroupsOptions] and
// [ListOptions]. See the example of [LDAPLinksService.Sync].
type LDAPLinksService service

// List returns the links of a group, all in one page. The call returns [ErrNotFound] if there is
// none.
//
//	GET /groups/:id/ldap_group_links
func (s *LDAPLinksService) List(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*LDAPGroupLink, *Response, error) {
	return list[*LDAPGroupLink](ctx, using(s), Route("/groups/:id/ldap_group_links", group), queryOf(options), opts)
}

// All returns every link of a group. See [LDAPLinksService.List].
//
//	GET /groups/:id/ldap_group_links
func (s *LDAPLinksService) All(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*LDAPGroupLink, error] {
	return all[*LDAPGroupLink](ctx, using(s), Route("/groups/:id/ldap_group_links", group), queryOf(options), opts)
}

// Create links a group of a directory, or whoever a filter selects there. The call returns
// [ErrConflict] if the link is there, or the service refuses it for another reason.
//
//	POST /groups/:id/ldap_group_links
func (s *LDAPLinksService) Create(
	ctx context.Context, group GroupRef, options CreateLDAPLinkOptions, opts ...RequestOption,
) (*LDAPGroupLink, *Response, error) {
	return do[LDAPGroupLink](ctx, using(s), http.MethodPost,
		Route("/groups/:id/ldap_group_links", group), jsonOf(options), opts)
}

// Delete removes a link, which has no ID: its provider and its CN or filter identify it. The call
// returns [ErrNotFound] if there is no such link.
//
//	DELETE /groups/:id/ldap_group_links
func (s *LDAPLinksService) Delete(
	ctx context.Context, group GroupRef, options *DeleteLDAPLinkOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/groups/:id/ldap_group_links", group), queryOf(options), opts)
}

// Sync begins to read the members of a group from its directories, and does not wait. It does
// nothing if that has begun already. The call returns [ErrNotFound] on an instance without a
// directory.
//
//	POST /groups/:id/ldap_sync
func (s *LDAPLinksService) Sync(ctx context.Context, group GroupRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/groups/:id/ldap_sync", group), nil, opts)
}

// ListGroups returns the first 20 groups of a directory, or those whose names begin with Search.
// Administrators, and owners of groups on instances where these may manage links.
//
//	GET /ldap/groups
//	GET /ldap/:provider/groups
func (s *LDAPLinksService) ListGroups(
	ctx context.Context, options *ListLDAPGroupsOptions, opts ...RequestOption,
) ([]*LDAPGroup, *Response, error) {
	return list[*LDAPGroup](ctx, using(s), options.endpoint(), queryOf(options), opts)
}

// AllGroups returns the same groups as [LDAPLinksService.ListGroups]: there is no second page.
//
//	GET /ldap/groups
//	GET /ldap/:provider/groups
func (s *LDAPLinksService) AllGroups(
	ctx context.Context, options *ListLDAPGroupsOptions, opts ...RequestOption,
) iter.Seq2[*LDAPGroup, error] {
	return all[*LDAPGroup](ctx, using(s), options.endpoint(), queryOf(options), opts)
}

// LDAPGroup is a group of a directory.
type LDAPGroup struct {
	CN string `json:"cn"`
}

// ListLDAPGroupsOptions selects groups of a directory.
type ListLDAPGroupsOptions struct {
	ListOptions
	// Provider is the name of the directory, such as "ldapmain". Empty means the first one.
	Provider string `url:"-"`
	// Search is the beginning of the name.
	Search string `url:"search,omitempty"`
}

func (o *ListLDAPGroupsOptions) endpoint() Endpoint {
	if provider := orZero(o).Provider; provider != "" {
		return Route("/ldap/:provider/groups", fieldSegment{"Provider", provider})
	}
	return Route("/ldap/groups")
}

// CreateLDAPLinkOptions describes a link to a directory. Provider and GroupAccess are required, and
// one of CN and Filter.
type CreateLDAPLinkOptions struct {
	// CN is the name of a group in the directory.
	CN string `json:"cn,omitzero"`
	// Filter selects members in the directory, in its own language, with at most 8192
	// characters. The call returns [ErrNotFound] if the license does not include it.
	Filter string `json:"filter,omitzero"`
	// GroupAccess is the role of the members, from [AccessLevelMinimal].
	GroupAccess AccessLevel `json:"group_access" required:"true"`
	// Provider is the name of the directory, such as "ldapmain".
	Provider string `json:"provider" required:"true"`
	// MemberRoleID is the ID of a custom role. Only in later releases.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

func (o CreateLDAPLinkOptions) check() error { return checkLDAPMembers(o.CN, o.Filter) }

// DeleteLDAPLinkOptions says which link to remove. Provider is required, and one of CN and Filter,
// as in [LDAPGroupLink].
type DeleteLDAPLinkOptions struct {
	Provider string `url:"provider" required:"true"`
	CN       string `url:"cn,omitempty"`
	Filter   string `url:"filter,omitempty"`
}

func (o DeleteLDAPLinkOptions) check() error { return checkLDAPMembers(o.CN, o.Filter) }

// checkLDAPMembers refuses a link to nobody, and one in two ways.
func checkLDAPMembers(cn, filter string) error {
	return cmp.Or(missing("CN or Filter", cn == "" && filter == ""),
		exclusive("CN", "Filter", cn != "" && filter != ""))
}

// SAMLLinksService says which groups of an identity provider have members who become members of a
// group of the service. Premium. It requires the Owner role. The calls return [ErrUnauthorized] to
// others, and if neither the group nor the instance uses SAML:
//
//	client.SAMLLinks.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateSAMLLinkOptions], [ListOptions] and [SAMLLinkOptions]. See the example of
// [SAMLLinksService.Create].
type SAMLLinksService service

func samlLinksOf(group GroupRef) Endpoint {
	return Route("/groups/:id/saml_group_links", group).forbiddenBy401()
}

func samlLinkOf(group GroupRef, name string) Endpoint {
	return Route("/groups/:id/saml_group_links/:saml_group_name", group, name).forbiddenBy401()
}

// List returns the links of a group, all in one page. Since 15.3.
//
//	GET /groups/:id/saml_group_links
func (s *SAMLLinksService) List(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*SAMLGroupLink, *Response, error) {
	return list[*SAMLGroupLink](ctx, using(s), samlLinksOf(group), queryOf(options), opts)
}

// All returns every link of a group. See [SAMLLinksService.List].
//
//	GET /groups/:id/saml_group_links
func (s *SAMLLinksService) All(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SAMLGroupLink, error] {
	return all[*SAMLGroupLink](ctx, using(s), samlLinksOf(group), queryOf(options), opts)
}

// Get returns the link to the group with a name. Since 15.3. The call returns [ErrUnprocessable] if
// the groups of several providers have the name, and the options name none of these.
//
//	GET /groups/:id/saml_group_links/:saml_group_name
func (s *SAMLLinksService) Get(
	ctx context.Context, group GroupRef, name string, options *SAMLLinkOptions, opts ...RequestOption,
) (*SAMLGroupLink, *Response, error) {
	return do[SAMLGroupLink](ctx, using(s), http.MethodGet, samlLinkOf(group, name), queryOf(options), opts)
}

// Create links a group of an identity provider. Since 15.3. The call returns [ErrBadRequest] if the
// link is there.
//
//	POST /groups/:id/saml_group_links
func (s *SAMLLinksService) Create(
	ctx context.Context, group GroupRef, options CreateSAMLLinkOptions, opts ...RequestOption,
) (*SAMLGroupLink, *Response, error) {
	return do[SAMLGroupLink](ctx, using(s), http.MethodPost, samlLinksOf(group), jsonOf(options), opts)
}

// Delete removes the link to the group with a name. Since 15.3. The call returns [ErrUnprocessable]
// as for [SAMLLinksService.Get].
//
//	DELETE /groups/:id/saml_group_links/:saml_group_name
func (s *SAMLLinksService) Delete(
	ctx context.Context, group GroupRef, name string, options *SAMLLinkOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, samlLinkOf(group, name), queryOf(options), opts)
}

// SAMLLinkOptions says of which provider the linked group is.
type SAMLLinkOptions struct {
	// Provider is the name of the provider. The empty string means the link that has none. Nil
	// means the only link with the name. Since 18.2.
	Provider *string `url:"provider,omitempty"`
}

// CreateSAMLLinkOptions describes a link to an identity provider. SAMLGroupName and AccessLevel are
// required.
type CreateSAMLLinkOptions struct {
	// SAMLGroupName is the name of the group at the provider, with at most 255 characters.
	SAMLGroupName string `json:"saml_group_name" required:"true"`
	// AccessLevel is the role of the members, from [AccessLevelMinimal].
	AccessLevel AccessLevel `json:"access_level" required:"true"`
	// MemberRoleID is the ID of a custom role. Since 16.7.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
	// Provider is the name of the provider. Nil means any. Since 18.2.
	Provider *string `json:"provider,omitzero"`
}

// IdentitiesService manages who the users of a group are at its identity provider. Premium, on the
// hosted offering. It requires the Owner role:
//
//	acme, kind := serviceapi.GroupPath("acme"), serviceapi.IdentityKindSAML
//	client.Identities.All(ctx, acme, kind, nil)
//
// On other instances, [UsersService.Update] and [UsersService.DeleteIdentity] do this for users of
// the instance. [SCIMService] manages the users themselves.
//
// Its options are [ListOptions] and [UpdateIdentityOptions]. See the example of
// [IdentitiesService.Update].
type IdentitiesService service

// IdentityKind says how a user and an account of an identity provider were tied.
type IdentityKind string

// Kinds of identities: of users who sign in by SAML, and of users whom SCIM provisions.
const (
	IdentityKindSAML IdentityKind = "saml"
	IdentityKindSCIM IdentityKind = "scim"
)

// identitiesOf returns the list of identities of a kind.
func identitiesOf(group GroupRef, kind IdentityKind) Endpoint {
	switch kind {
	case IdentityKindSAML:
		return Route("/groups/:id/saml/identities", group)
	case IdentityKindSCIM:
		return Route("/groups/:id/scim/identities", group)
	}
	return refusedEndpoint("/groups/:id/saml/identities", "kind", "must be saml or scim")
}

// identityOf returns one identity of a kind.
func identityOf(group GroupRef, kind IdentityKind, externUID string) Endpoint {
	switch kind {
	case IdentityKindSAML:
		return Route("/groups/:id/saml/:uid", group, externUID)
	case IdentityKindSCIM:
		return Route("/groups/:id/scim/:uid", group, externUID)
	}
	return refusedEndpoint("/groups/:id/saml/:uid", "kind", "must be saml or scim")
}

// List returns the identities of a group, all in one page. Since 15.5. The call returns
// [ErrBadRequest] for [IdentityKindSAML] if the group has no provider.
//
//	GET /groups/:id/saml/identities
//	GET /groups/:id/scim/identities
func (s *IdentitiesService) List(
	ctx context.Context, group GroupRef, kind IdentityKind, options *ListOptions, opts ...RequestOption,
) ([]*ProviderIdentity, *Response, error) {
	return list[*ProviderIdentity](ctx, using(s), identitiesOf(group, kind), queryOf(options), opts)
}

// All returns every identity of a group. See [IdentitiesService.List].
//
//	GET /groups/:id/saml/identities
//	GET /groups/:id/scim/identities
func (s *IdentitiesService) All(
	ctx context.Context, group GroupRef, kind IdentityKind, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ProviderIdentity, error] {
	return all[*ProviderIdentity](ctx, using(s), identitiesOf(group, kind), queryOf(options), opts)
}

// Get returns the identity with an ID that the provider gave it. Since 16.1.
//
//	GET /groups/:id/saml/:uid
//	GET /groups/:id/scim/:uid
func (s *IdentitiesService) Get(
	ctx context.Context, group GroupRef, kind IdentityKind, externUID string, opts ...RequestOption,
) (*ProviderIdentity, *Response, error) {
	return do[ProviderIdentity](ctx, using(s), http.MethodGet, identityOf(group, kind, externUID), nil, opts)
}

// Update changes the ID of an identity, for a provider that has changed it. Since 15.5. The call
// returns [ErrBadRequest] if another user of the group has the new one.
//
//	PATCH /groups/:id/saml/:uid
//	PATCH /groups/:id/scim/:uid
func (s *IdentitiesService) Update(
	ctx context.Context, group GroupRef, kind IdentityKind, externUID string, options UpdateIdentityOptions,
	opts ...RequestOption,
) (*ProviderIdentity, *Response, error) {
	return do[ProviderIdentity](ctx, using(s), http.MethodPatch,
		identityOf(group, kind, externUID), jsonOf(options), opts)
}

// Delete unties a user from the provider. The user account remains. Since 16.5.
//
//	DELETE /groups/:id/saml/:uid
//	DELETE /groups/:id/scim/:uid
func (s *IdentitiesService) Delete(
	ctx context.Context, group GroupRef, kind IdentityKind, externUID string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, identityOf(group, kind, externUID), nil, opts)
}

// ProviderIdentity is who a user is at the identity provider of a group.
type ProviderIdentity struct {
	// ExternUID is the ID that the provider gave the user.
	ExternUID string `json:"extern_uid"`
	// UserID is the ID of the user of the service.
	UserID int64 `json:"user_id"`
	// Active reports whether the user has access to the group. It is nil for [IdentityKindSAML].
	Active *bool `json:"active"`
}

// UpdateIdentityOptions changes an identity. ExternUID is required.
type UpdateIdentityOptions struct {
	// ExternUID is the new ID that the provider gave the user.
	ExternUID string `json:"extern_uid" required:"true"`
}
