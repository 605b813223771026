package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"example.com/serviceapi/internal/pages"
)

// ListAssociations returns one page of the groups and of the projects that the access token of
// the call gives access to. The [Response] has no totals, because its header tells of the projects
// alone. Since 17.4. A token with any scope will do. The call returns [ErrBadRequest] if the
// credential is not an access token.
//
//	GET /personal_access_tokens/self/associations
func (s *AccessTokensService) ListAssociations(
	ctx context.Context, options *ListTokenAssociationsOptions, opts ...RequestOption,
) (*TokenAssociations, *Response, error) {
	return do[TokenAssociations](ctx, using(s), http.MethodGet,
		Route("/personal_access_tokens/self/associations"), queryOf(options), opts)
}

// AllAssociations returns every page of the groups and projects that the access token of the call
// gives access to, until both are at their end. See [AccessTokensService.ListAssociations].
//
//	GET /personal_access_tokens/self/associations
func (s *AccessTokensService) AllAssociations(
	ctx context.Context, options *ListTokenAssociationsOptions, opts ...RequestOption,
) iter.Seq2[*TokenAssociations, error] {
	wanted := *orZero(options)
	wanted.PerPage = cmp.Or(wanted.PerPage, pages.MaxSize)
	endpoint := Route("/personal_access_tokens/self/associations")
	cl, err := newCall(ctx, using(s), http.MethodGet, endpoint, queryOf(&wanted), opts)
	if err != nil {
		return failed[*TokenAssociations](err)
	}
	return func(yield func(*TokenAssociations, error) bool) {
		g, wanted, before := newGuard(cl), wanted, (*TokenAssociations)(nil)
		walkPages(g, strconv.Itoa(max(wanted.Page, 1)), func(string) (pageOf[*TokenAssociations], error) {
			page, resp, err := s.ListAssociations(ctx, &wanted, opts...)
			result := pageOf[*TokenAssociations]{resp: resp}
			switch {
			case page == nil || len(page.Groups)+len(page.Projects) == 0:
				return result, err
			case reflect.DeepEqual(page, before):
				return result, g.problem("the page is one that was already read")
			}
			before = page
			wanted.Page = max(wanted.Page, 1) + 1
			result.items, result.next = []*TokenAssociations{page}, strconv.Itoa(wanted.Page)
			return result, err
		}, yield)
	}
}

// GetPermissions returns the permissions that an [AccessToken] can have in GranularScopes. It
// uses the GraphQL API, where it is an experiment since 18.6. The call returns [ErrNotInSchema]
// before that.
//
//	POST /api/graphql
func (s *AccessTokensService) GetPermissions(
	ctx context.Context, opts ...RequestOption,
) ([]*AccessTokenPermission, *Response, error) {
	const field = "accessTokenPermissions"
	var data map[string][]*AccessTokenPermission
	resp, err := runGraphQL(ctx, using(s), GraphQLRequest{Query: "{ " + field + " { name description action resource " +
		"resourceName resourceDescription category categoryName boundaries } }"}, &data, func(o *outcome) error {
		if data[field] == nil {
			return o.decodeError(errNull)
		}
		return nil
	}, opts)
	return slices.DeleteFunc(data[field], func(p *AccessTokenPermission) bool { return p == nil }), resp, err
}

// ListTokenAssociationsOptions selects groups and projects.
type ListTokenAssociationsOptions struct {
	// Page is the number of the page of both lists, from 1. 0 is the first.
	Page int `url:"page,omitempty"`
	// PerPage is the number of groups, and of projects, on a page: 20 if it is 0, at most 100.
	PerPage int `url:"per_page,omitempty"`
	// MinAccessLevel selects those where the user of the token has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
}

func (o *ListTokenAssociationsOptions) check() error {
	for name, n := range map[string]int{"Page": orZero(o).Page, "PerPage": orZero(o).PerPage} {
		if n < 0 {
			return negative(name)
		}
	}
	return nil
}

// TokenAssociations are groups and projects that an access token gives access to.
type TokenAssociations struct {
	Groups   []*TokenGroup   `json:"groups"`
	Projects []*TokenProject `json:"projects"`
}

// TokenGroup is a group that an access token gives access to.
type TokenGroup struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	WebURL string `json:"web_url"`
	// ParentID is nil for a top-level group.
	ParentID       *int64     `json:"parent_id"`
	OrganizationID int64      `json:"organization_id"`
	Visibility     Visibility `json:"visibility"`
	// AccessLevel is the role of the user of the token, nil if there is none.
	AccessLevel *AccessLevel `json:"access_levels"`
}

// Ref identifies the group by its ID, which stays the same if it moves.
func (g *TokenGroup) Ref() GroupRef { return GroupID(orZero(g).ID) }

// TokenProject is a project that an access token gives access to.
type TokenProject struct {
	ProjectSummary

	WebURL     string     `json:"web_url"`
	Visibility Visibility `json:"visibility"`
	// Namespace is nil only if the service does not send it.
	Namespace *NamespaceSummary `json:"namespace"`
	// AccessLevels is nil only if the service does not send it.
	AccessLevels *TokenAccessLevels `json:"access_levels"`
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *TokenProject) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// TokenAccessLevels are the roles of the user of a token.
type TokenAccessLevels struct {
	// ProjectAccessLevel is the role in the project itself, nil if there is none.
	ProjectAccessLevel *AccessLevel `json:"project_access_level"`
	// GroupAccessLevel is the role in the group of the project, nil if there is none.
	GroupAccessLevel *AccessLevel `json:"group_access_level"`
}

// AccessTokenPermission is a permission that an access token can have.
type AccessTokenPermission struct {
	Name        GranularPermission `json:"name"`
	Description string             `json:"description"`
	// Action and Resource are the parts of Name.
	Action              string `json:"action"`
	Resource            string `json:"resource"`
	ResourceName        string `json:"resourceName"`
	ResourceDescription string `json:"resourceDescription"`
	// Category is a group of resources, and CategoryName what people call it.
	Category     string `json:"category"`
	CategoryName string `json:"categoryName"`
	// Boundaries are what the permission can be given for.
	Boundaries []PermissionBoundary `json:"boundaries"`
}

// PermissionBoundary is a kind of things that a permission can be given for.
type PermissionBoundary string

// Kinds of things: groups and projects as in [GranularAccessSelectedMemberships], what belongs to
// the user, and the instance.
const (
	PermissionBoundaryGroup    PermissionBoundary = "GROUP"
	PermissionBoundaryProject  PermissionBoundary = "PROJECT"
	PermissionBoundaryUser     PermissionBoundary = "USER"
	PermissionBoundaryInstance PermissionBoundary = "INSTANCE"
)
