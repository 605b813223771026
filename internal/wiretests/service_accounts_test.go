package wiretests

import (
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deployer is testdata/service_accounts/service_account.json.
var deployer = serviceapi.ServiceAccount{
	ID: 31, Name: "deployer", Username: "service_account_group_7_2f1c", Email: "bot@noreply.service.test",
	UnconfirmedEmail: "deployer@example.com", PublicEmail: "public@example.com",
	State: serviceapi.UserStateActive, Locked: true,
}

func TestServiceAccounts(t *testing.T) {
	const ofInstance, ofGroup, ofProject, one = "/service_accounts", "/groups/acme%2Fteam/service_accounts",
		"/projects/1/service_accounts", "service_accounts/service_account.json"
	const whole = `{"name":"deployer","username":"deployer","email":"deployer@example.com"}`
	group, account, body := serviceapi.GroupPath("acme/team"), serviceapi.UserID(31), "["+fixture(t, one)+"]"
	for path, owner := range map[string]serviceapi.ServiceAccountOwner{
		ofInstance: serviceapi.Instance, ofGroup: group, ofProject: serviceapi.ProjectID(1),
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Body: body,
				Query: "order_by=username&page=2&per_page=5&sort=asc"},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
			exchange{Method: "GET", Path: path, Body: "[]", Query: "order_by=id&pagination=keyset&sort=desc"},
			exchange{Method: "POST", Path: path, JSON: `{}`, Status: 201, Fixture: one},
			exchange{Method: "POST", Path: path, JSON: whole, Status: 201, Fixture: one},
			exchange{Method: "PATCH", Path: path + "/31", JSON: `{}`, Fixture: one},
			exchange{Method: "PATCH", Path: path + "/31", JSON: whole,
				Body: `{"id":31,"username":"deployer","name":"d"}`})
		s, ctx := client.ServiceAccounts, t.Context()
		accounts, _, err := s.List(ctx, owner, &serviceapi.ListServiceAccountsOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5},
			OrderBy:     serviceapi.ServiceAccountOrderByUsername, Sort: serviceapi.SortAscending,
		})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ServiceAccount{&deployer}, accounts)
		accounts, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ServiceAccount{&deployer}, accounts)
		byKeyset := &serviceapi.ListServiceAccountsOptions{Pagination: serviceapi.PaginationKeyset}
		require.NoError(t, errorOf(s.List(ctx, owner, byKeyset)))
		made, resp, err := s.Create(ctx, owner, serviceapi.CreateServiceAccountOptions{})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, &deployer, made)
		assertFilled(t, made)
		assert.Equal(t, account, made.Ref())
		made, _, err = s.Create(ctx, owner, serviceapi.CreateServiceAccountOptions{
			Name: new("deployer"), Username: new("deployer"), Email: new("deployer@example.com"),
		})
		require.NoError(t, err)
		assert.Equal(t, &deployer, made)
		changed, _, err := s.Update(ctx, owner, account, serviceapi.UpdateServiceAccountOptions{})
		require.NoError(t, err)
		assert.Equal(t, &deployer, changed)
		changed, _, err = s.Update(ctx, owner, account, serviceapi.UpdateServiceAccountOptions{
			Name: new("deployer"), Username: new("deployer"), Email: new("deployer@example.com"),
		})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.ServiceAccount{ID: 31, Username: "deployer", Name: "d"}, changed)
	}
	for path, owner := range map[string]serviceapi.SingleServiceAccountOwner{
		ofGroup: group, ofProject: serviceapi.ProjectID(1),
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/31", Fixture: one},
			exchange{Method: "DELETE", Path: path + "/31", Status: 204},
			exchange{Method: "DELETE", Path: path + "/31", Query: "hard_delete=true", Status: 204})
		s, ctx := client.ServiceAccounts, t.Context()
		got, _, err := s.Get(ctx, owner, account)
		require.NoError(t, err)
		assert.Equal(t, &deployer, got)
		for _, options := range []*serviceapi.DeleteServiceAccountOptions{nil, {HardDelete: true}} {
			resp, err := s.Delete(ctx, owner, account, options)
			require.NoError(t, err)
			assert.Equal(t, 204, resp.StatusCode)
		}
	}
	_, ofInstanceToo := any(serviceapi.Instance).(serviceapi.SingleServiceAccountOwner)
	assert.False(t, ofInstanceToo, "the service has no such calls")
}

func TestServiceAccountsTokens(t *testing.T) {
	const query = "created_after=2026-01-02T03%3A04%3A05Z&expires_before=2026-04-01&" +
		"page=2&per_page=5&revoked=false&search=de&sort=name_asc&state=active"
	const issued = "access_tokens/issued.json"
	list := "[" + fixture(t, "access_tokens/access_token.json") + "]"
	account, want := serviceapi.UserID(31), []*serviceapi.AccessToken{new(deployToken(t))}
	for path, owner := range map[string]serviceapi.SingleServiceAccountOwner{
		"/groups/7/service_accounts/31/personal_access_tokens":            serviceapi.GroupID(7),
		"/projects/acme%2Fapp/service_accounts/31/personal_access_tokens": serviceapi.ProjectPath("acme/app"),
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: query, Body: list},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
			exchange{Method: "POST", Path: path, JSON: `{"name":"deploy","scopes":["api"]}`, Status: 201,
				Fixture: issued},
			exchange{Method: "POST", Path: path, Status: 201, Fixture: issued,
				JSON: `{"name":"deploy","scopes":["api"],"expires_at":"2026-12-31","description":"d"}`},
			exchange{Method: "POST", Path: path, JSON: `{"name":"short","scopes":["api"]}`, Status: 201,
				Body: `{"token":"issued-token","id":"no"}`},
			exchange{Method: "POST", Path: path + "/58/rotate", JSON: `{}`, Fixture: issued},
			exchange{Method: "POST", Path: path + "/58/rotate", JSON: `{"expires_at":"2026-12-31"}`, Status: 400,
				Body: `{"message":"400 Bad request - token already revoked"}`},
			exchange{Method: "DELETE", Path: path + "/58", Status: 204})
		s, ctx := client.ServiceAccounts, t.Context()
		tokens, _, err := s.ListTokens(ctx, owner, account, &serviceapi.ListAccessTokensOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, State: serviceapi.AccessTokenStateActive,
			Revoked: new(false), Search: "de", CreatedAfter: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			ExpiresBefore: serviceapi.NewDate(2026, time.April, 1), Sort: serviceapi.AccessTokenSortName,
		})
		require.NoError(t, err)
		assert.Equal(t, want, tokens)
		tokens, err = serviceapi.Collect(s.AllTokens(ctx, owner, account, nil))
		require.NoError(t, err)
		assert.Equal(t, want, tokens)

		options := serviceapi.CreateServiceAccountTokenOptions{
			Name: "deploy", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
		}
		token, _, err := s.CreateToken(ctx, owner, account, options)
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		day := new(serviceapi.NewDate(2026, time.December, 31))
		options.ExpiresAt, options.Description = day, new("d")
		token, _, err = s.CreateToken(ctx, owner, account, options)
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		options = serviceapi.CreateServiceAccountTokenOptions{Name: "short", Scopes: options.Scopes}
		token, _, err = s.CreateToken(ctx, owner, account, options)
		require.Error(t, err)
		assert.Equal(t, "issued-token", token.Token.Reveal(), "the token is not lost with a member that is wrong")
		assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "issued-token")

		token, _, err = s.RotateToken(ctx, owner, account, 58, serviceapi.RotateAccessTokenOptions{})
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		err = errorOf(s.RotateToken(ctx, owner, account, 58, serviceapi.RotateAccessTokenOptions{ExpiresAt: day}))
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		resp, err := s.RevokeToken(ctx, owner, account, 58)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestServiceAccountsArguments(t *testing.T) {
	s, ctx, group := onWire(t).ServiceAccounts, t.Context(), serviceapi.GroupID(7)
	token := serviceapi.CreateServiceAccountTokenOptions{
		Name: "a", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	}
	for name, account := range map[string]serviceapi.UserRef{"user": serviceapi.Username("deployer"), "user_id": {}} {
		assertRefused(t, name, errorOf(s.Get(ctx, group, account)))
		assertRefused(t, name, errorOf(s.Update(ctx, group, account, serviceapi.UpdateServiceAccountOptions{})))
		assertRefused(t, name, second(s.Delete(ctx, group, account, nil)))
		assertRefused(t, name, errorOf(s.ListTokens(ctx, group, account, nil)))
		_, err := serviceapi.Collect(s.AllTokens(ctx, group, account, nil))
		assertRefused(t, name, err)
		assertRefused(t, name, errorOf(s.CreateToken(ctx, group, account, token)))
		assertRefused(t, name, errorOf(s.RotateToken(ctx, group, account, 58, serviceapi.RotateAccessTokenOptions{})))
		assertRefused(t, name, second(s.RevokeToken(ctx, group, account, 58)))
	}
	for _, owner := range []serviceapi.ServiceAccountOwner{nil, &everything} {
		assertRefused(t, "owner", errorOf(s.List(ctx, owner, nil)))
		assertRefused(t, "owner", errorOf(s.Create(ctx, owner, serviceapi.CreateServiceAccountOptions{})))
	}
	account := serviceapi.UserID(31)
	assertRefused(t, "owner", errorOf(s.CreateToken(ctx, nil, account, token)))
	err := errorOf(s.Update(ctx, serviceapi.GroupRef{}, account, serviceapi.UpdateServiceAccountOptions{}))
	assertRefused(t, "id", err)
	assertRefused(t, "token_id", second(s.RevokeToken(ctx, group, account, 0)))
	assertRefused(t, "token_id", errorOf(s.RotateToken(ctx, group, account, 0, serviceapi.RotateAccessTokenOptions{})))
	assertRefused(t, "Name", errorOf(s.CreateToken(ctx, group, account, serviceapi.CreateServiceAccountTokenOptions{})))
}
