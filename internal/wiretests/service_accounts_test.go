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
	const ofInstance, ofGroup, one = "/service_accounts", "/groups/acme%2Fteam/service_accounts",
		"service_accounts/service_account.json"
	const whole = `{"name":"deployer","username":"deployer","email":"deployer@example.com"}`
	client := onWire(t,
		exchange{Method: "POST", Path: ofInstance, JSON: `{}`, Status: 201, Fixture: one},
		exchange{Method: "POST", Path: ofGroup, JSON: whole, Status: 201, Fixture: one},
		exchange{Method: "PATCH", Path: ofGroup + "/31", JSON: `{}`, Fixture: one},
		exchange{Method: "PATCH", Path: ofGroup + "/31", JSON: whole,
			Body: `{"id":31,"username":"deployer","name":"d"}`},
		exchange{Method: "DELETE", Path: ofGroup + "/31", Status: 204},
		exchange{Method: "DELETE", Path: ofGroup + "/31", Query: "hard_delete=true", Status: 204})
	s, ctx, group, account := client.ServiceAccounts, t.Context(), serviceapi.GroupPath(
		"acme/team",
	), serviceapi.UserID(
		31,
	)
	made, resp, err := s.Create(ctx, serviceapi.Instance, serviceapi.CreateServiceAccountOptions{})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &deployer, made)
	assertFilled(t, made)
	assert.Equal(t, account, made.Ref())
	made, _, err = s.Create(ctx, group, serviceapi.CreateServiceAccountOptions{
		Name: new("deployer"), Username: new("deployer"), Email: new("deployer@example.com"),
	})
	require.NoError(t, err)
	assert.Equal(t, &deployer, made)
	changed, _, err := s.Update(ctx, group, account, serviceapi.UpdateServiceAccountOptions{})
	require.NoError(t, err)
	assert.Equal(t, &deployer, changed)
	changed, _, err = s.Update(ctx, group, account, serviceapi.UpdateServiceAccountOptions{
		Name: new("deployer"), Username: new("deployer"), Email: new("deployer@example.com"),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ServiceAccount{ID: 31, Username: "deployer", Name: "d"}, changed)
	for _, options := range []*serviceapi.DeleteServiceAccountOptions{nil, {HardDelete: true}} {
		resp, err = s.Delete(ctx, group, account, options)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestServiceAccountsTokens(t *testing.T) {
	const ofGroup, ofProject = "/groups/7/service_accounts/31/personal_access_tokens",
		"/projects/acme%2Fapp/service_accounts/31/personal_access_tokens"
	const query = "created_after=2026-01-02T03%3A04%3A05Z&expires_before=2026-04-01&" +
		"page=2&per_page=5&revoked=false&search=de&sort=name_asc&state=active"
	list := "[" + fixture(t, "access_tokens/access_token.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: ofGroup, Query: query, Body: list},
		exchange{Method: "GET", Path: ofGroup, Query: "per_page=100", Body: list},
		exchange{Method: "POST", Path: ofGroup, JSON: `{"name":"deploy","scopes":["api"]}`, Status: 201,
			Fixture: "access_tokens/issued.json"},
		exchange{Method: "POST", Path: ofProject, Status: 201, Fixture: "access_tokens/issued.json",
			JSON: `{"name":"deploy","scopes":["api"],"expires_at":"2026-12-31","description":"d"}`},
		exchange{Method: "POST", Path: ofProject, JSON: `{"name":"short","scopes":["api"]}`, Status: 201,
			Body: `{"token":"issued-token","id":"no"}`},
		exchange{Method: "DELETE", Path: ofGroup + "/58", Status: 204})
	s, ctx, group, app, account := client.ServiceAccounts, t.Context(), serviceapi.GroupID(
		7,
	), serviceapi.ProjectPath(
		"acme/app",
	), serviceapi.UserID(
		31,
	)
	want := []*serviceapi.AccessToken{new(deployToken(t))}
	tokens, _, err := s.ListTokens(ctx, group, account, &serviceapi.ListAccessTokensOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 5,
		}, State: serviceapi.AccessTokenStateActive, Revoked: new(false), Search: "de",
		CreatedAfter: time.Date(
			2026,
			1,
			2,
			3,
			4,
			5,
			0,
			time.UTC,
		), ExpiresBefore: serviceapi.NewDate(2026, time.April, 1),
		Sort: serviceapi.AccessTokenSortName,
	})
	require.NoError(t, err)
	assert.Equal(t, want, tokens)
	tokens, err = serviceapi.Collect(s.AllTokens(ctx, group, account, nil))
	require.NoError(t, err)
	assert.Equal(t, want, tokens)

	options := serviceapi.CreateServiceAccountTokenOptions{
		Name:   "deploy",
		Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	}
	token, _, err := s.CreateToken(ctx, group, account, options)
	require.NoError(t, err)
	assert.Equal(t, issuedToken(t), token)
	options.ExpiresAt, options.Description = new(serviceapi.NewDate(2026, time.December, 31)), new("d")
	token, _, err = s.CreateToken(ctx, app, account, options)
	require.NoError(t, err)
	assert.Equal(t, issuedToken(t), token)
	token, _, err = s.CreateToken(
		ctx,
		app,
		account,
		serviceapi.CreateServiceAccountTokenOptions{
			Name:   "short",
			Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
		},
	)
	require.Error(t, err)
	assert.Equal(t, "issued-token", token.Token.Reveal(), "the token is not lost with a member that is wrong")
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "issued-token")
	resp, err := s.RevokeToken(ctx, group, account, 58)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestServiceAccountsArguments(t *testing.T) {
	s, ctx := onWire(t).ServiceAccounts, t.Context()
	for name, account := range map[string]serviceapi.UserRef{"user": serviceapi.Username("deployer"), "user_id": {}} {
		assertRefused(
			t,
			name,
			errorOf(s.Update(ctx, serviceapi.GroupID(7), account, serviceapi.UpdateServiceAccountOptions{})),
		)
		assertRefused(t, name, second(s.Delete(ctx, serviceapi.GroupID(7), account, nil)))
		assertRefused(t, name, errorOf(s.ListTokens(ctx, serviceapi.GroupID(7), account, nil)))
		_, err := serviceapi.Collect(s.AllTokens(ctx, serviceapi.GroupID(7), account, nil))
		assertRefused(t, name, err)
		assertRefused(
			t,
			name,
			errorOf(s.CreateToken(ctx, serviceapi.GroupID(7), account, serviceapi.CreateServiceAccountTokenOptions{})),
		)
		assertRefused(t, name, second(s.RevokeToken(ctx, serviceapi.GroupID(7), account, 58)))
	}
	assertRefused(t, "owner", errorOf(s.Create(ctx, nil, serviceapi.CreateServiceAccountOptions{})))
	assertRefused(t, "owner", errorOf(s.Create(ctx, &everything, serviceapi.CreateServiceAccountOptions{})))
	assertRefused(
		t,
		"owner",
		errorOf(s.CreateToken(ctx, nil, serviceapi.UserID(31), serviceapi.CreateServiceAccountTokenOptions{})),
	)
	assertRefused(
		t,
		"id",
		errorOf(s.Update(ctx, serviceapi.GroupRef{}, serviceapi.UserID(31), serviceapi.UpdateServiceAccountOptions{})),
	)
	assertRefused(t, "token_id", second(s.RevokeToken(ctx, serviceapi.GroupID(7), serviceapi.UserID(31), 0)))
}
