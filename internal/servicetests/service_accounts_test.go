package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceAccountsOfGroups goes through the life of a service account of a group.
func TestServiceAccountsOfGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner), servicetest.Member(bob, servicetest.Maintainer))
	project := svc.Project("acme/app")
	s, ctx, acme := as(t, svc, ada).ServiceAccounts, t.Context(), serviceapi.GroupPath("acme")
	account, resp, err := s.Create(ctx, acme, serviceapi.CreateServiceAccountOptions{
		Name: new("Deployer"), Username: new("deployer"), Email: new("deployer@example.net"),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.ServiceAccount{
		ID: account.ID, Name: "Deployer", Username: "deployer", Email: "deployer@noreply.127.0.0.1",
		UnconfirmedEmail: "deployer@example.net",
	}, account)
	user := svc.FindUser("deployer")
	user.ConfirmEmail("deployer@example.net")
	account, _, err = s.Update(ctx, acme, account.Ref(), serviceapi.UpdateServiceAccountOptions{Name: new("Ship it")})
	require.NoError(t, err)
	assert.Equal(t, []string{"Ship it", "deployer", "deployer@example.net", ""},
		[]string{account.Name, account.Username, account.Email, account.UnconfirmedEmail})

	made, _, err := s.CreateToken(ctx, acme, account.Ref(), serviceapi.CreateServiceAccountTokenOptions{
		Name: "deploy", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NewDate(2027, time.January, 15), *made.ExpiresAt, "a year from now")
	bot := withToken(t, svc, made.Token.Reveal())
	me, _, err := bot.Users.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, []any{account.ID, true}, []any{me.ID, *me.Bot})
	_, _, err = bot.Projects.Get(ctx, app, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "it is no member yet")
	project.AddMember(user, servicetest.Reporter)
	_, _, err = bot.Projects.Get(ctx, app, nil)
	require.NoError(t, err)

	tokens, err := serviceapi.Collect(s.AllTokens(ctx, acme, account.Ref(), nil))
	require.NoError(t, err)
	require.Len(t, tokens, 1)
	assert.Equal(t, []any{made.ID, true}, []any{tokens[0].ID, tokens[0].Token.IsEmpty()})
	_, err = s.RevokeToken(ctx, acme, account.Ref(), made.ID)
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(made.Token.Reveal()))
	active := &serviceapi.ListAccessTokensOptions{State: serviceapi.AccessTokenStateActive}
	tokens, _, err = s.ListTokens(ctx, acme, account.Ref(), active)
	require.NoError(t, err)
	assert.Empty(t, tokens)

	asBob := as(t, svc, bob).ServiceAccounts
	_, _, err = asBob.Create(ctx, acme, serviceapi.CreateServiceAccountOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "that takes an owner")
	_, _, err = s.ListTokens(ctx, acme, serviceapi.UserID(bob.ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "he is no service account")
	secret := svc.Token(user)
	_, err = s.Delete(ctx, acme, account.Ref(), nil)
	require.NoError(t, err)
	assert.False(t, user.Exists())
	assert.False(t, svc.TokenWorks(secret))
	_, isMember := project.Membership(user)
	assert.False(t, isMember)
	_, err = s.Delete(ctx, acme, account.Ref(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceAccountsOfProjectsAndTheInstance(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	robot := svc.User("robot", servicetest.ServiceAccountOf(project))
	s, root, ctx := as(t, svc, ada).ServiceAccounts, asRoot(t, svc), t.Context()
	options := serviceapi.CreateServiceAccountTokenOptions{
		Name: "deploy", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeReadAPI},
		ExpiresAt: new(serviceapi.NewDate(2026, time.June, 1)),
	}
	made, _, err := s.CreateToken(ctx, app, serviceapi.UserID(robot.ID()), options)
	require.NoError(t, err)
	assert.Equal(t, "2026-06-01", made.ExpiresAt.String())
	me, _, err := withToken(t, svc, made.Token.Reveal()).Users.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, "robot", me.Username)
	_, _, err = root.ServiceAccounts.CreateToken(ctx, serviceapi.GroupPath("acme"), serviceapi.UserID(robot.ID()),
		options)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is another's")

	of, _, err := root.ServiceAccounts.Create(ctx, serviceapi.Instance, serviceapi.CreateServiceAccountOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Service account user", "service_account_1"}, []string{of.Name, of.Username})
	_, _, err = s.Create(ctx, serviceapi.Instance, serviceapi.CreateServiceAccountOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.Users.Delete(ctx, of.Ref(), nil)
	require.NoError(t, err)
	assert.Nil(t, svc.FindUser("service_account_1"))

	_, err = root.Projects.Delete(ctx, app, nil)
	require.NoError(t, err)
	assert.False(t, robot.Exists(), "it goes with its project")
	assert.False(t, svc.TokenWorks(made.Token.Reveal()))
}

// TestServiceAccountsOfProjects goes through the life of an account of a project, and of its tokens.
func TestServiceAccountsOfProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	s, ctx := as(t, svc, ada).ServiceAccounts, t.Context()
	first, _, err := s.Create(ctx, app, serviceapi.CreateServiceAccountOptions{Name: new("Deployer")})
	require.NoError(t, err)
	second, _, err := s.Create(ctx, app, serviceapi.CreateServiceAccountOptions{Username: new("a-builder")})
	require.NoError(t, err)
	accounts, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ServiceAccount{second, first}, accounts, "the newest first")
	for _, options := range []serviceapi.ListServiceAccountsOptions{
		{OrderBy: serviceapi.ServiceAccountOrderByUsername, Sort: serviceapi.SortAscending},
		{Pagination: serviceapi.PaginationKeyset},
	} {
		options.PerPage = 1
		accounts, err = serviceapi.Collect(s.All(ctx, app, &options))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ServiceAccount{second, first}, accounts)
	}
	changed, _, err := s.Update(ctx, app, first.Ref(), serviceapi.UpdateServiceAccountOptions{Name: new("Ship it")})
	require.NoError(t, err)
	got, _, err := s.Get(ctx, app, first.Ref())
	require.NoError(t, err)
	assert.Equal(t, changed, got)
	assert.Equal(t, "Ship it", got.Name)

	token, _, err := s.CreateToken(ctx, app, first.Ref(), serviceapi.CreateServiceAccountTokenOptions{
		Name: "deploy", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
	})
	require.NoError(t, err)
	rotated, _, err := s.RotateToken(ctx, app, first.Ref(), token.ID, serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{"deploy", "2026-01-22", false}, []any{rotated.Name, rotated.ExpiresAt.String(),
		svc.TokenWorks(token.Token.Reveal())})
	_, _, err = s.RotateToken(ctx, app, first.Ref(), token.ID, serviceapi.RotateAccessTokenOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.RevokeToken(ctx, app, first.Ref(), rotated.ID)
	require.NoError(t, err)
	tokens, _, err := s.ListTokens(ctx, app, first.Ref(), nil)
	require.NoError(t, err)
	assert.Equal(t, []bool{true, true}, []bool{tokens[0].Revoked, tokens[1].Revoked})
	_, err = s.Delete(ctx, app, first.Ref(), nil)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, app, first.Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	root := asRoot(t, svc).ServiceAccounts
	of, _, err := root.Create(ctx, serviceapi.Instance, serviceapi.CreateServiceAccountOptions{})
	require.NoError(t, err)
	rename := serviceapi.UpdateServiceAccountOptions{Name: new("Any")}
	svc.Advance(time.Hour)
	svc.User("late")
	svc.Advance(time.Hour)
	of, _, err = root.Update(ctx, serviceapi.Instance, of.Ref(), rename)
	require.NoError(t, err)
	users, _, err := asRoot(t, svc).Users.List(ctx, &serviceapi.ListUsersOptions{
		OrderBy: serviceapi.UserOrderByUpdatedAt,
	})
	require.NoError(t, err)
	assert.Equal(t, of.ID, users[0].ID, "the last to change")
	accounts, err = serviceapi.Collect(root.All(ctx, serviceapi.Instance, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ServiceAccount{of}, accounts)
	assert.Equal(t, "Any", of.Name)
}

// TestTokensOfServiceAccountsEndWithADay checks that a token without an end ends at midnight.
func TestTokensOfServiceAccountsEndWithADay(t *testing.T) {
	svc := servicetest.New(t)
	robot := svc.User("robot", servicetest.ServiceAccountOf(svc.Group("acme")))
	made, _, err := asRoot(t, svc).ServiceAccounts.CreateToken(t.Context(), serviceapi.GroupPath("acme"),
		serviceapi.UserID(robot.ID()), serviceapi.CreateServiceAccountTokenOptions{
			Name: "deploy", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
		})
	require.NoError(t, err)
	end := time.Date(made.ExpiresAt.Year(), made.ExpiresAt.Month(), made.ExpiresAt.Day(), 0, 0, 0, 0, time.UTC)
	svc.Advance(end.Sub(svc.Now()) - time.Minute)
	assert.True(t, svc.TokenWorks(made.Token.Reveal()))
	svc.Advance(time.Minute)
	assert.False(t, svc.TokenWorks(made.Token.Reveal()))
}
