package wiretests

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deployToken is testdata/access_tokens/access_token.json.
func deployToken(t *testing.T) serviceapi.AccessToken {
	reads := []serviceapi.GranularPermission{"read_job", "read_project"}
	return serviceapi.AccessToken{
		ID: 58, Name: "deploy", Description: "For the pipeline", Revoked: true, Active: true,
		Scopes: []serviceapi.AccessScope{
			serviceapi.AccessScopeAPI,
			serviceapi.AccessScopeReadRegistry,
		}, UserID: 31, AccessLevel: serviceapi.AccessLevelDeveloper,
		Impersonation: true,
		CreatedAt:     *at(t, "2026-01-05T08:30:00.120Z"), LastUsedAt: at(t, "2026-02-05T08:30:00Z"),
		ExpiresAt:   new(serviceapi.NewDate(2026, time.December, 31)),
		LastUsedIPs: []string{"10.0.0.1", "10.0.0.2"}, Granular: true,
		GranularScopes: []*serviceapi.GranularScope{
			{Access: serviceapi.GranularAccessSelectedMemberships, Permissions: reads,
				GroupID: new(int64(7))},
			{Access: serviceapi.GranularAccessSelectedMemberships, Permissions: reads,
				ProjectID: new(int64(1))},
		},
		ResourceType: serviceapi.AccessTokenResourceProject, ResourceID: new(int64(1)),
	}
}

func issuedToken(t *testing.T) *serviceapi.AccessToken {
	token := deployToken(t)
	token.Token = serviceapi.NewSecret("issued-token")
	return &token
}

func TestAccessTokensList(t *testing.T) {
	const query = "created_after=2026-01-02T03%3A04%3A05.000000006Z" +
		"&created_before=2026-02-02T03%3A04%3A05.000000006Z&expires_after=2026-03-01&" +
		"expires_before=2026-04-01&last_used_after=2026-01-02T03%3A04%3A05.000000006Z" +
		"&last_used_before=2026-02-02T03%3A04%3A05.000000006Z&" +
		"page=2&per_page=5&revoked=false&search=de&sort=expires_desc&state=inactive"
	whole := "[" + fixture(t, "access_tokens/access_token.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/personal_access_tokens", Body: whole},
		exchange{Method: "GET", Path: "/personal_access_tokens", Query: "per_page=100&user_id=31", Body: whole},
		exchange{Method: "GET", Path: "/personal_access_tokens", Query: query + "&user_id=31", Body: whole},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/access_tokens", Query: query, Body: whole},
		exchange{Method: "GET", Path: "/groups/acme/access_tokens", Query: query, Body: whole})
	s, ctx := client.AccessTokens, t.Context()
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	every := &serviceapi.ListAccessTokensOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 5,
		}, State: serviceapi.AccessTokenStateInactive, Revoked: new(false),
		Search:       "de",
		CreatedAfter: day, CreatedBefore: day.AddDate(0, 1, 0), LastUsedAfter: day,
		LastUsedBefore: day.AddDate(0, 1, 0),
		ExpiresAfter:   serviceapi.NewDate(2026, time.March, 1), ExpiresBefore: serviceapi.NewDate(2026, time.April, 1),
		Sort: serviceapi.AccessTokenSortExpiresAtDesc,
	}
	want := []*serviceapi.AccessToken{new(deployToken(t))}
	tokens, _, err := s.List(ctx, serviceapi.Instance, nil)
	require.NoError(t, err)
	assert.Equal(t, want, tokens)
	tokens, err = serviceapi.Collect(s.All(ctx, serviceapi.UserID(31), nil))
	require.NoError(t, err)
	assert.Equal(t, want, tokens)
	for _, owner := range []serviceapi.AccessTokenOwner{serviceapi.UserID(31), serviceapi.ProjectPath("acme/app"),
		serviceapi.GroupPath("acme")} {
		tokens, _, err = s.List(ctx, owner, every)
		require.NoError(t, err)
		assert.Equal(t, want, tokens)
	}
}

// TestAccessTokensOfAUserByPages checks that further pages are of the same
// user.
func TestAccessTokensOfAUserByPages(t *testing.T) {
	const next = "page=2&per_page=100&user_id=31"
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/personal_access_tokens", Query: "per_page=100&user_id=31", Body: `[{"id":1}]`,
			ResponseHeader: map[string]string{"Link": `<https://service.test/api/v4/personal_access_tokens?` + next +
				`>; rel="next"`},
		},
		exchange{Method: "GET", Path: "/personal_access_tokens", Query: next, Body: `[{"id":2}]`},
		exchange{
			Method: "GET", Path: "/personal_access_tokens", Query: "user_id=31", Body: `[{"id":1}]`,
			ResponseHeader: map[string]string{"Link": `<https://service.test/api/v4/personal_access_tokens?` + next +
				`>; rel="next"`},
		},
		exchange{Method: "GET", Path: "/personal_access_tokens", Query: next, Body: `[{"id":2}]`})
	s, ctx := client.AccessTokens, t.Context()
	tokens, err := serviceapi.Collect(s.All(ctx, serviceapi.UserID(31), nil))
	require.NoError(t, err)
	assert.Len(t, tokens, 2)
	_, resp, err := s.List(ctx, serviceapi.UserID(31), nil)
	require.NoError(t, err)
	require.NoError(t,
		errorOf(s.List(ctx, serviceapi.UserID(31),
			&serviceapi.ListAccessTokensOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}})))
}

func TestAccessTokensCurrent(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/personal_access_tokens/self", Fixture: "access_tokens/access_token.json"})
	token, _, err := client.AccessTokens.Current(t.Context())
	require.NoError(t, err)
	assert.Equal(t, new(deployToken(t)), token)
}

func TestAccessTokensRotateAndRevokeCurrent(t *testing.T) {
	const self = "/personal_access_tokens/self"
	for path, owner := range map[string]serviceapi.CurrentTokenOwner{
		self: serviceapi.Own,
		"/projects/acme%2Fapp/access_tokens/self": serviceapi.ProjectPath("acme/app"),
		"/groups/7/access_tokens/self":            serviceapi.GroupID(7),
	} {
		client := onWire(t,
			exchange{Method: "POST", Path: path + "/rotate", JSON: `{}`, Fixture: "access_tokens/issued.json"},
			exchange{Method: "POST", Path: path + "/rotate", JSON: `{"expires_at":"2026-12-31"}`, Status: 405,
				Body: `{"message":"405 Method Not Allowed"}`})
		token, _, err := client.AccessTokens.RotateCurrent(t.Context(), owner, serviceapi.RotateAccessTokenOptions{})
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		assertFilled(t, token)
		_, _, err = client.AccessTokens.RotateCurrent(t.Context(), owner,
			serviceapi.RotateAccessTokenOptions{ExpiresAt: new(serviceapi.NewDate(2026, time.December, 31))})
		require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
	}
	client := onWire(t, exchange{Method: "DELETE", Path: self, Status: 204})
	resp, err := client.AccessTokens.RevokeCurrent(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	for name, owner := range map[string]serviceapi.CurrentTokenOwner{"owner": nil, "id": serviceapi.ProjectRef{}} {
		assertRefused(t, name, errorOf(client.AccessTokens.RotateCurrent(t.Context(), owner,
			serviceapi.RotateAccessTokenOptions{})))
	}
}

// reachable is testdata/access_tokens/associations.json.
func reachable(t *testing.T) *serviceapi.TokenAssociations {
	return &serviceapi.TokenAssociations{
		Groups: []*serviceapi.TokenGroup{{
			ID: 7, Name: "Team", WebURL: "https://service.test/groups/acme/team", ParentID: new(int64(6)),
			OrganizationID: 1, Visibility: serviceapi.VisibilityPrivate,
			AccessLevel: new(serviceapi.AccessLevelReporter),
		}},
		Projects: []*serviceapi.TokenProject{{
			ProjectSummary: serviceapi.ProjectSummary{
				ID: 1, Description: "An app.", Name: "App", NameWithNamespace: "Acme / Team / App", Path: "app",
				PathWithNamespace: "acme/team/app", CreatedAt: at(t, "2026-01-05T08:30:00.120Z"),
			},
			WebURL: "https://service.test/acme/team/app", Visibility: serviceapi.VisibilityInternal,
			Namespace: &serviceapi.NamespaceSummary{
				ID: 7, Name: "Team", Path: "team", Kind: serviceapi.NamespaceKindGroup, FullPath: "acme/team",
				ParentID: new(int64(6)), AvatarURL: "/uploads/team.png",
				WebURL: "https://service.test/groups/acme/team",
			},
			AccessLevels: &serviceapi.TokenAccessLevels{
				ProjectAccessLevel: new(serviceapi.AccessLevelDeveloper),
				GroupAccessLevel:   new(serviceapi.AccessLevelReporter),
			},
		}},
	}
}

func TestAccessTokensAssociations(t *testing.T) {
	const path, whole, more = "/personal_access_tokens/self/associations", "access_tokens/associations.json",
		`{"groups":[{"id":8,"parent_id":null,"access_levels":null}],"projects":[]}`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Query: "min_access_level=30&page=2&per_page=5", Body: more},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Fixture: whole},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=100", Body: more},
		exchange{Method: "GET", Path: path, Query: "page=3&per_page=100", Body: `{"groups":[],"projects":[{"id":2}]}`},
		exchange{Method: "GET", Path: path, Query: "page=4&per_page=100", Body: `{"groups":[],"projects":[]}`},
		exchange{Method: "GET", Path: path, Query: "min_access_level=30&page=2&per_page=5", Body: more},
		exchange{Method: "GET", Path: path, Query: "min_access_level=30&page=3&per_page=5", Body: more},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Fixture: whole},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=100", Status: 403,
			Body: `{"message":"403 Forbidden"}`})
	s, ctx := client.AccessTokens, t.Context()
	got, _, err := s.ListAssociations(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, reachable(t), got)
	assertFilled(t, got)
	assert.Equal(t, serviceapi.GroupID(7), got.Groups[0].Ref())
	assert.Equal(t, serviceapi.ProjectID(1), got.Projects[0].Ref())
	assert.Equal(t, serviceapi.GroupID(0), (*serviceapi.TokenGroup)(nil).Ref())
	assert.Equal(t, serviceapi.ProjectID(0), (*serviceapi.TokenProject)(nil).Ref())
	last := &serviceapi.TokenAssociations{
		Groups: []*serviceapi.TokenGroup{{ID: 8}}, Projects: []*serviceapi.TokenProject{},
	}
	options := &serviceapi.ListTokenAssociationsOptions{
		Page: 2, PerPage: 5, MinAccessLevel: serviceapi.AccessLevelDeveloper,
	}
	got, _, err = s.ListAssociations(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, last, got)

	pages, err := serviceapi.Collect(s.AllAssociations(ctx, nil))
	require.NoError(t, err)
	require.Len(t, pages, 3)
	assert.Equal(t, []*serviceapi.TokenAssociations{reachable(t), last}, pages[:2])
	assert.Equal(t, int64(2), pages[2].Projects[0].ID)
	pages, err = serviceapi.Collect(s.AllAssociations(ctx, options))
	assert.ErrorContains(t, err, "the page is one that was already read")
	assert.Equal(t, []*serviceapi.TokenAssociations{last}, pages)
	assert.Equal(t, 2, options.Page, "the options are those of the caller")
	pages, err = serviceapi.Collect(s.AllAssociations(ctx, nil))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.Len(t, pages, 1)
	_, err = serviceapi.Collect(s.AllAssociations(ctx, &serviceapi.ListTokenAssociationsOptions{Page: -1}))
	assertRefused(t, "Page", err)
	assertRefused(t, "PerPage", errorOf(s.ListAssociations(ctx, &serviceapi.ListTokenAssociationsOptions{PerPage: -1})))
}

func TestAccessTokensPermissions(t *testing.T) {
	const query = `{"query":"{ accessTokenPermissions { name description action resource resourceName ` +
		`resourceDescription category categoryName boundaries } }"}`
	client := onWire(t,
		exchange{Method: "POST", Root: true, Path: "/api/graphql", JSON: query,
			Body: `{"data":{"accessTokenPermissions":[{"name":"read_job","description":"Read jobs","action":"read",` +
				`"resource":"job","resourceName":"Job","resourceDescription":"CI jobs","category":"ci_cd",` +
				`"categoryName":"CI/CD","boundaries":["PROJECT","GROUP","USER","INSTANCE"]},null]}}`},
		exchange{Method: "POST", Root: true, Path: "/api/graphql", JSON: query,
			Body: `{"data":{"accessTokenPermissions":null}}`},
		exchange{Method: "POST", Root: true, Path: "/api/graphql", JSON: query,
			Body: `{"errors":[{"message":"Field 'accessTokenPermissions' doesn't exist on type 'Query'"}]}`})
	got, _, err := client.AccessTokens.GetPermissions(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.AccessTokenPermission{{
		Name: "read_job", Description: "Read jobs", Action: "read", Resource: "job", ResourceName: "Job",
		ResourceDescription: "CI jobs", Category: "ci_cd", CategoryName: "CI/CD",
		Boundaries: []serviceapi.PermissionBoundary{
			serviceapi.PermissionBoundaryProject, serviceapi.PermissionBoundaryGroup,
			serviceapi.PermissionBoundaryUser, serviceapi.PermissionBoundaryInstance,
		},
	}}, got)
	assertFilled(t, got[0])
	_, _, err = client.AccessTokens.GetPermissions(t.Context())
	assert.ErrorContains(t, err, "null")
	_, _, err = client.AccessTokens.GetPermissions(t.Context())
	assert.ErrorIs(t, err, serviceapi.ErrNotInSchema)
}

// TestAccessTokensOfTheCaller checks that the caller is no owner of lists of access
// tokens: for an administrator, a list without a user is that of the instance.
func TestAccessTokensOfTheCaller(t *testing.T) {
	_, ok := any(serviceapi.Own).(serviceapi.AccessTokenOwner)
	assert.False(t, ok)
}

// TestAccessTokenWithoutScopes checks that what the service did not send is not
// encoded as if it had.
func TestAccessTokenWithoutScopes(t *testing.T) {
	data, err := json.Marshal(serviceapi.AccessToken{ID: 1})
	require.NoError(t, err)
	assert.Contains(t, string(data), `"granular_scopes":null`)
	assert.NotContains(t, string(data), `"token"`)
}

func TestAccessTokensLifeCycle(t *testing.T) {
	const project, group, personal, issued = "/projects/acme%2Fapp/access_tokens", "/groups/7/access_tokens",
		"/personal_access_tokens/58", "access_tokens/issued.json"
	const body = `{"name":"deploy","scopes":["api","read_registry"],"expires_at":"2026-12-31","description":"d"}`
	const withRole = `{"name":"deploy","scopes":["api","read_registry"],"access_level":30,` +
		`"expires_at":"2026-12-31","description":"d"}`
	client := onWire(t,
		exchange{Method: "POST", Path: "/users/31/personal_access_tokens", JSON: body, Status: 201, Fixture: issued},
		exchange{Method: "POST", Path: project, JSON: `{"name":"deploy","scopes":["api"]}`, Status: 201,
			Fixture: issued},
		exchange{Method: "POST", Path: group, JSON: withRole, Status: 201, Fixture: issued},
		exchange{Method: "POST", Path: personal + "/rotate", JSON: `{}`, Fixture: issued},
		exchange{Method: "POST", Path: personal + "/rotate", JSON: `{"expires_at":"2026-12-31"}`, Fixture: issued},
		exchange{Method: "POST", Path: project + "/58/rotate", JSON: `{}`, Fixture: issued},
		exchange{Method: "POST", Path: group + "/58/rotate", JSON: `{}`, Fixture: issued},
		exchange{Method: "DELETE", Path: personal, Status: 204},
		exchange{Method: "DELETE", Path: personal, Status: 204},
		exchange{Method: "DELETE", Path: project + "/58", Status: 204},
		exchange{Method: "DELETE", Path: group + "/58", Status: 204})
	s, ctx, app, acme := client.AccessTokens, t.Context(), serviceapi.ProjectPath("acme/app"), serviceapi.GroupID(7)
	wantIssued := func(token *serviceapi.AccessToken, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		assert.Equal(t, "issued-token", token.Token.Reveal())
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v", *token, *token, *token), "issued-token")
	}
	day := serviceapi.NewDate(2026, time.December, 31)
	options := serviceapi.CreateAccessTokenOptions{
		Name:        "deploy",
		Scopes:      []serviceapi.AccessScope{serviceapi.AccessScopeAPI, serviceapi.AccessScopeReadRegistry},
		ExpiresAt:   &day,
		Description: new("d"),
	}
	wantIssued(s.Create(ctx, serviceapi.UserID(31), options))
	wantIssued(
		s.Create(
			ctx,
			app,
			serviceapi.CreateAccessTokenOptions{
				Name:   "deploy",
				Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
			},
		),
	)
	options.AccessLevel = new(serviceapi.AccessLevelDeveloper)
	wantIssued(s.Create(ctx, acme, options))
	assertRefused(t, "AccessLevel", errorOf(s.Create(ctx, serviceapi.UserID(31), options)))

	wantIssued(s.Rotate(ctx, serviceapi.Instance, 58, serviceapi.RotateAccessTokenOptions{}))
	wantIssued(s.Rotate(ctx, serviceapi.UserID(31), 58, serviceapi.RotateAccessTokenOptions{ExpiresAt: &day}))
	wantIssued(s.Rotate(ctx, app, 58, serviceapi.RotateAccessTokenOptions{}))
	wantIssued(s.Rotate(ctx, acme, 58, serviceapi.RotateAccessTokenOptions{}))
	for _, owner := range []serviceapi.AccessTokenOwner{serviceapi.Instance, serviceapi.UserID(31), app, acme} {
		resp, err := s.Revoke(ctx, owner, 58)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestAccessTokensGet(t *testing.T) {
	const one = "access_tokens/access_token.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/personal_access_tokens/58", Fixture: one},
		exchange{Method: "GET", Path: "/personal_access_tokens/58", Fixture: one},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/access_tokens/58", Fixture: one},
		exchange{Method: "GET", Path: "/groups/7/access_tokens/58", Fixture: one})
	for _, owner := range []serviceapi.AccessTokenOwner{serviceapi.Instance, serviceapi.UserID(31),
		serviceapi.ProjectPath("acme/app"), serviceapi.GroupID(7)} {
		token, _, err := client.AccessTokens.Get(t.Context(), owner, 58)
		require.NoError(t, err)
		assert.Equal(t, new(deployToken(t)), token)
	}
}

func TestAccessTokensCreateOwn(t *testing.T) {
	const path = "/user/personal_access_tokens"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "access_tokens/issued.json",
			JSON: `{"name":"cluster","scopes":["k8s_proxy"],"expires_at":"2026-12-31","description":"d"}`},
		exchange{Method: "POST", Path: path, JSON: `{"name":"cluster","scopes":["api"]}`, Status: 400,
			Body: `{"error":"scopes does not have a valid value"}`})
	token, resp, err := client.AccessTokens.Create(t.Context(), serviceapi.Own, serviceapi.CreateAccessTokenOptions{
		Name: "cluster", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeK8sProxy},
		ExpiresAt:   new(serviceapi.NewDate(2026, time.December, 31)),
		Description: new("d"),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, issuedToken(t), token)
	options := serviceapi.CreateAccessTokenOptions{
		Name:   "cluster",
		Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	}
	require.ErrorIs(
		t,
		errorOf(client.AccessTokens.Create(t.Context(), serviceapi.Own, options)),
		serviceapi.ErrBadRequest,
	)
	options.AccessLevel = new(serviceapi.AccessLevelGuest)
	assertRefused(t, "AccessLevel", errorOf(client.AccessTokens.Create(t.Context(), serviceapi.Own, options)))
}

func TestAccessTokensImpersonation(t *testing.T) {
	const path = "/users/31/impersonation_tokens"
	whole := "[" + fixture(t, "access_tokens/access_token.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5&state=inactive", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: path + "/58", Fixture: "access_tokens/access_token.json"},
		exchange{Method: "POST", Path: path, JSON: `{"name":"as ada","scopes":["api"]}`, Status: 201,
			Fixture: "access_tokens/issued.json"},
		exchange{Method: "POST", Path: path, Status: 201, Body: `{"token":"issued-token","id":"no"}`,
			JSON: `{"name":"as ada","scopes":["api"],"expires_at":"2026-12-31","description":"d"}`},
		exchange{Method: "DELETE", Path: path + "/58", Status: 204})
	s, ctx, user, want := client.AccessTokens, t.Context(), serviceapi.UserID(
		31,
	), []*serviceapi.AccessToken{
		new(deployToken(t)),
	}
	tokens, _, err := s.ListImpersonationTokens(ctx, user, &serviceapi.ListImpersonationTokensOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, State: serviceapi.AccessTokenStateInactive,
	})
	require.NoError(t, err)
	assert.Equal(t, want, tokens)
	tokens, err = serviceapi.Collect(s.AllImpersonationTokens(ctx, user, nil))
	require.NoError(t, err)
	assert.Equal(t, want, tokens)
	token, _, err := s.GetImpersonationToken(ctx, user, 58)
	require.NoError(t, err)
	assert.Equal(t, want[0], token)
	options := serviceapi.CreateImpersonationTokenOptions{
		Name:   "as ada",
		Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	}
	token, _, err = s.CreateImpersonationToken(ctx, user, options)
	require.NoError(t, err)
	assert.Equal(t, issuedToken(t), token)
	options.ExpiresAt, options.Description = new(serviceapi.NewDate(2026, time.December, 31)), new("d")
	token, _, err = s.CreateImpersonationToken(ctx, user, options)
	require.Error(t, err)
	assert.Equal(t, "issued-token", token.Token.Reveal(), "the token is not lost with a member that is wrong")
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "issued-token")
	resp, err := s.RevokeImpersonationToken(ctx, user, 58)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestAccessTokensImpersonationArguments(t *testing.T) {
	s, ctx := onWire(t).AccessTokens, t.Context()
	for name, user := range map[string]serviceapi.UserRef{"user": serviceapi.Username("ada"), "user_id": {}} {
		assertRefused(t, name, errorOf(s.ListImpersonationTokens(ctx, user, nil)))
		_, err := serviceapi.Collect(s.AllImpersonationTokens(ctx, user, nil))
		assertRefused(t, name, err)
		assertRefused(t, name, errorOf(s.GetImpersonationToken(ctx, user, 58)))
		assertRefused(
			t,
			name,
			errorOf(s.CreateImpersonationToken(ctx, user, serviceapi.CreateImpersonationTokenOptions{})),
		)
		assertRefused(t, name, second(s.RevokeImpersonationToken(ctx, user, 58)))
	}
	assertRefused(t, "id", errorOf(s.GetImpersonationToken(ctx, serviceapi.UserID(31), 0)))
}

// TestAccessTokensKeepSecrets checks that no error quotes a response with a
// token.
func TestAccessTokensKeepSecrets(t *testing.T) {
	const broken = `{"token":"issued-token","id":"no"}`
	client := onWire(t,
		exchange{Method: "POST", Path: "/groups/7/access_tokens", Status: 201, Body: broken,
			JSON: `{"name":"ci","scopes":["api"]}`},
		exchange{Method: "POST", Path: "/groups/7/access_tokens/58/rotate", JSON: `{}`, Body: broken})
	created, _, err := client.AccessTokens.Create(t.Context(), serviceapi.GroupID(7),
		serviceapi.CreateAccessTokenOptions{Name: "ci", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI}})
	require.Error(t, err)
	assert.Equal(t, "issued-token", created.Token.Reveal(), "the token is not lost with a member that is wrong")
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "issued-token")
	rotated, _, err := client.AccessTokens.Rotate(
		t.Context(),
		serviceapi.GroupID(7),
		58,
		serviceapi.RotateAccessTokenOptions{},
	)
	require.Error(t, err)
	assert.Equal(t, "issued-token", rotated.Token.Reveal())
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "issued-token")
}

func TestAccessTokensArguments(t *testing.T) {
	s, ctx := onWire(t).AccessTokens, t.Context()
	for name, owner := range map[string]serviceapi.AccessTokenOwner{
		"user": serviceapi.Username("ada"), "owner": nil, "id": serviceapi.ProjectID(0),
	} {
		assertRefused(t, name, errorOf(s.Rotate(ctx, owner, 58, serviceapi.RotateAccessTokenOptions{})))
		_, err := s.Revoke(ctx, owner, 58)
		assertRefused(t, name, err)
		assertRefused(t, name, errorOf(s.Get(ctx, owner, 58)))
		assertRefused(t, name, errorOf(s.List(ctx, owner, nil)))
		_, err = serviceapi.Collect(s.All(ctx, owner, nil))
		assertRefused(t, name, err)
	}
	assertRefused(t, "user", errorOf(s.List(ctx, serviceapi.UserRef{}, nil)))
	for _, owner := range []serviceapi.AccessTokenOwner{serviceapi.Instance, serviceapi.UserID(31),
		serviceapi.GroupID(7)} {
		options := serviceapi.ListAccessTokensOptions{ListOptions: serviceapi.ListOptions{Page: -1}}
		assertRefused(t, "Page", errorOf(s.List(ctx, owner, &options)))
	}
	assertRefused(t, "user", errorOf(s.Create(ctx, serviceapi.Username("ada"), serviceapi.CreateAccessTokenOptions{})))
	assertRefused(t, "owner", errorOf(s.Create(ctx, nil, serviceapi.CreateAccessTokenOptions{})))
	assertRefused(t, "owner", errorOf(s.Create(ctx, new(serviceapi.GroupID(7)), serviceapi.CreateAccessTokenOptions{})))
	assertRefused(t, "id", errorOf(s.Rotate(ctx, serviceapi.Instance, 0, serviceapi.RotateAccessTokenOptions{})))
	assertRefused(
		t,
		"token_id",
		errorOf(s.Rotate(ctx, serviceapi.GroupID(7), -1, serviceapi.RotateAccessTokenOptions{})),
	)
}
