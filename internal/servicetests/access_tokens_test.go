package servicetests

import (
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tokenNames returns the names of access tokens, in their order.
func tokenNames(
	t *testing.T, client *serviceapi.Client, owner serviceapi.AccessTokenOwner,
	options *serviceapi.ListAccessTokensOptions,
) []string {
	t.Helper()
	tokens, err := serviceapi.Collect(client.AccessTokens.All(t.Context(), owner, options))
	require.NoError(t, err)
	names := []string{}
	for _, token := range tokens {
		names = append(names, token.Name)
	}
	return names
}

func TestServiceIssuesAccessTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	root, asAda, ctx, project := asRoot(t, svc), as(t, svc, ada), t.Context(), serviceapi.ProjectPath("acme/app")
	day := serviceapi.NewDate(2026, time.June, 1)
	options := serviceapi.CreateAccessTokenOptions{Name: "deploy",
		Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeReadAPI}, ExpiresAt: &day, Description: new("CI")}

	options.AccessLevel = new(serviceapi.AccessLevelDeveloper)
	issued, resp, err := asAda.AccessTokens.Create(ctx, project, options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"deploy", "CI", serviceapi.AccessLevelDeveloper, "2026-06-01", true, false},
		[]any{issued.Name, issued.Description, issued.AccessLevel, issued.ExpiresAt.String(), issued.Active,
			issued.Revoked})
	bot := withToken(t, svc, issued.Token.Reveal())
	self, _, err := bot.AccessTokens.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, issued.ID, self.ID)
	_, _, err = bot.Projects.Get(ctx, project, nil)
	require.NoError(t, err)
	_, _, err = bot.Environments.Create(ctx, project, serviceapi.CreateEnvironmentOptions{Name: "x"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the scope is for reading")

	for name, wrong := range map[string]serviceapi.CreateAccessTokenOptions{
		"a scope that is none": {Name: "x", Scopes: []serviceapi.AccessScope{"fly"}},
		"a role above":         {Name: "x", Scopes: options.Scopes, AccessLevel: new(serviceapi.AccessLevelOwner)},
		"a day that is past": {Name: "x", Scopes: options.Scopes,
			ExpiresAt: new(serviceapi.NewDate(2020, time.January, 1))},
	} {
		_, _, err = asAda.AccessTokens.Create(ctx, project, wrong)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	options.AccessLevel = nil
	_, _, err = asAda.AccessTokens.Create(ctx, serviceapi.GroupPath("acme"), options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a group asks for an owner")
	group, _, err := root.AccessTokens.Create(ctx, serviceapi.GroupPath("acme"), options)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelMaintainer, group.AccessLevel, "by default")
	own, _, err := root.AccessTokens.Create(ctx, serviceapi.UserID(ada.ID()), options)
	require.NoError(t, err)
	assert.Equal(t, ada.ID(), own.UserID)
	_, _, err = asAda.AccessTokens.Create(ctx, serviceapi.UserID(ada.ID()), options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "administrators only")
	svc.Advance(200 * 24 * time.Hour)
	assert.False(t, svc.TokenWorks(own.Token.Reveal()), "it expires on its day")
}

func TestServiceListsAccessTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	asAda, root := withToken(t, svc, svc.Token(ada, servicetest.Name("first"))), asRoot(t, svc)
	svc.Revoke(svc.Token(ada, servicetest.Name("lost")))
	svc.Advance(time.Hour)
	svc.Token(ada, servicetest.Name("late"), servicetest.ExpiresAt(svc.Now().Add(48*time.Hour)))
	svc.Token(bob, servicetest.Name("bob's"))
	own := serviceapi.UserID(ada.ID())
	for name, test := range map[string]struct {
		options serviceapi.ListAccessTokensOptions
		want    []string
	}{
		"all": {serviceapi.ListAccessTokensOptions{}, []string{"first", "lost", "late"}},
		"active": {serviceapi.ListAccessTokensOptions{State: serviceapi.AccessTokenStateActive},
			[]string{"first", "late"}},
		"inactive": {serviceapi.ListAccessTokensOptions{State: serviceapi.AccessTokenStateInactive},
			[]string{"lost"}},
		"revoked": {serviceapi.ListAccessTokensOptions{Revoked: new(true)}, []string{"lost"}},
		"search":  {serviceapi.ListAccessTokensOptions{Search: "LA"}, []string{"late"}},
		"by name": {serviceapi.ListAccessTokensOptions{Sort: serviceapi.AccessTokenSortNameDesc},
			[]string{"lost", "late", "first"}},
		"newest": {serviceapi.ListAccessTokensOptions{Sort: serviceapi.AccessTokenSortCreatedAtDesc},
			[]string{"late", "lost", "first"}},
		"created": {serviceapi.ListAccessTokensOptions{CreatedAfter: svc.Now().Add(-time.Minute)}, []string{"late"}},
		"expiring": {serviceapi.ListAccessTokensOptions{ExpiresBefore: serviceapi.NewDate(2026, time.February, 1)},
			[]string{"late"}},
		"never used": {serviceapi.ListAccessTokensOptions{LastUsedAfter: svc.Now().Add(time.Hour)}, []string{}},
	} {
		assert.Equal(t, test.want, tokenNames(t, asAda, own, &test.options), name)
	}
	assert.Equal(t, []string{"bob's"}, tokenNames(t, root, serviceapi.UserID(bob.ID()), nil))
	assert.Equal(t, []string{"first", "lost", "late"}, tokenNames(t, asAda, serviceapi.Instance, nil),
		"what she may see")
	everybody := tokenNames(t, root, serviceapi.Instance, nil)
	assert.Contains(t, everybody, "bob's")
	assert.Contains(t, everybody, "first")
	_, _, err := asAda.AccessTokens.List(t.Context(), serviceapi.UserID(bob.ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestServiceRotatesAndRevokesAccessTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	old := app.AccessToken(servicetest.Developer, servicetest.Name("deploy"), servicetest.Scopes("read_api"))
	asAda, ctx, project := as(t, svc, ada), t.Context(), serviceapi.ProjectID(app.ID())
	tokens, _, err := asAda.AccessTokens.List(ctx, project, nil)
	require.NoError(t, err)

	rotated, resp, err := asAda.AccessTokens.Rotate(ctx, project, tokens[0].ID, serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []any{"deploy", []serviceapi.AccessScope{serviceapi.AccessScopeReadAPI},
		serviceapi.AccessLevelDeveloper, "2026-01-22"},
		[]any{rotated.Name, rotated.Scopes, rotated.AccessLevel, rotated.ExpiresAt.String()})
	assert.False(t, svc.TokenWorks(old))
	assert.True(t, svc.TokenWorks(rotated.Token.Reveal()))
	_, _, err = asAda.AccessTokens.Rotate(ctx, project, tokens[0].ID, serviceapi.RotateAccessTokenOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it was rotated already")
	assert.True(t, svc.TokenWorks(rotated.Token.Reveal()))

	// A caller who rotates a token that was already replaced may have stolen it.
	_, _, err = withToken(t, svc, old).AccessTokens.Rotate(ctx, project, rotated.ID,
		serviceapi.RotateAccessTokenOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assert.False(t, svc.TokenWorks(rotated.Token.Reveal()))

	second := app.AccessToken(servicetest.Developer, servicetest.Name("second"))
	tokens, _, err = asAda.AccessTokens.List(ctx, project,
		&serviceapi.ListAccessTokensOptions{State: serviceapi.AccessTokenStateActive})
	require.NoError(t, err)
	_, err = asAda.AccessTokens.Revoke(ctx, project, tokens[0].ID)
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(second))
	_, err = asAda.AccessTokens.Revoke(ctx, project, 999)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	mine := svc.Token(ada, servicetest.Name("mine"))
	list, _, err := asAda.AccessTokens.List(ctx, serviceapi.UserID(ada.ID()),
		&serviceapi.ListAccessTokensOptions{Search: "mine"})
	require.NoError(t, err)
	day := serviceapi.NewDate(2026, time.February, 1)
	next, _, err := asAda.AccessTokens.Rotate(ctx, serviceapi.UserID(ada.ID()), list[0].ID,
		serviceapi.RotateAccessTokenOptions{ExpiresAt: &day})
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(mine))
	_, err = as(t, svc, svc.User("bob")).AccessTokens.Revoke(ctx, serviceapi.Instance, next.ID)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "not one's own")
	_, err = asRoot(t, svc).AccessTokens.Revoke(ctx, serviceapi.UserID(ada.ID()), next.ID)
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(next.Token.Reveal()))
	_, err = asRoot(t, svc).AccessTokens.Revoke(ctx, serviceapi.Instance, 999)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceRevokesOnlyOwnAccessTokens checks that an administrator who revokes
// all of their own tokens leaves those of others alone.
func TestServiceRevokesOnlyOwnAccessTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.Admin())
	mine, others := svc.Token(ada), svc.Token(svc.User("bob"))
	project := svc.Project("acme/app").AccessToken(servicetest.Developer)
	client, ctx := as(t, svc, ada), t.Context()

	me, _, err := client.Users.Current(ctx)
	require.NoError(t, err)
	current, _, err := client.AccessTokens.Current(ctx)
	require.NoError(t, err)
	for token, err := range client.AccessTokens.All(ctx, serviceapi.UserID(me.ID), nil) {
		require.NoError(t, err)
		if token.ID == current.ID {
			continue
		}
		_, err = client.AccessTokens.Revoke(ctx, serviceapi.UserID(me.ID), token.ID)
		require.NoError(t, err)
	}
	assert.False(t, svc.TokenWorks(mine))
	assert.True(t, svc.TokenWorks(others))
	assert.True(t, svc.TokenWorks(project))

	_, err = client.AccessTokens.RevokeCurrent(ctx)
	require.NoError(t, err)
	_, _, err = client.AccessTokens.Current(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assert.True(t, svc.TokenWorks(others))
}

func TestServiceRotatesTheTokenOfTheCall(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	secret, ctx := svc.Token(ada, servicetest.Name("vault"), servicetest.Scopes("self_rotate")), t.Context()
	next, resp, err := withToken(t, svc, secret).AccessTokens.RotateCurrent(ctx, serviceapi.Own,
		serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []any{"vault", ada.ID(), "2026-01-22"}, []any{next.Name, next.UserID, next.ExpiresAt.String()})
	assert.False(t, svc.TokenWorks(secret))
	self, _, err := withToken(t, svc, next.Token.Reveal()).AccessTokens.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, next.ID, self.ID)

	reader := withToken(t, svc, svc.Token(ada, servicetest.Scopes("read_api")))
	_, _, err = reader.AccessTokens.RotateCurrent(ctx, serviceapi.Own, serviceapi.RotateAccessTokenOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the scope is for reading")
	oauth, err := serviceapi.NewClient(svc.URL(), serviceapi.BearerToken(svc.OAuthToken(ada)))
	require.NoError(t, err)
	_, _, err = oauth.AccessTokens.RotateCurrent(ctx, serviceapi.Own, serviceapi.RotateAccessTokenOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
	_, err = oauth.AccessTokens.RevokeCurrent(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = oauth.AccessTokens.Current(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceReadsAccessTokens reads single tokens of each kind of owner.
func TestServiceReadsAccessTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	svc.Project("acme/app")
	s, ctx := as(t, svc, ada).AccessTokens, t.Context()
	options := serviceapi.CreateAccessTokenOptions{
		Name: "cluster", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeK8sProxy},
	}
	for _, owner := range []serviceapi.NewAccessTokenOwner{serviceapi.Own, app, serviceapi.GroupPath("acme")} {
		made, _, err := s.Create(ctx, owner, options)
		require.NoError(t, err)
		assert.True(t, svc.TokenWorks(made.Token.Reveal()))
		of, ok := owner.(serviceapi.AccessTokenOwner)
		if !ok {
			of = serviceapi.Instance
		}
		got, _, err := s.Get(ctx, of, made.ID)
		require.NoError(t, err)
		made.Token = serviceapi.Secret{}
		assert.Equal(t, made, got)
		_, _, err = s.Get(ctx, of, 99)
		assert.Error(t, err)
	}
	options.Scopes = []serviceapi.AccessScope{serviceapi.AccessScopeAPI}
	_, _, err := s.Create(ctx, serviceapi.Own, options)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceImpersonates lets an administrator act as a user.
func TestServiceImpersonates(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	root, asAda, ctx, user := asRoot(t, svc).AccessTokens, as(t, svc, ada), t.Context(), serviceapi.UserID(ada.ID())
	made, resp, err := root.CreateImpersonationToken(ctx, user, serviceapi.CreateImpersonationTokenOptions{
		Name: "support", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeReadUser},
		ExpiresAt: new(serviceapi.NewDate(2026, time.June, 1)), Description: new("a case"),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"support", "a case", true, ada.ID()},
		[]any{made.Name, made.Description, made.Impersonation, made.UserID})
	me, _, err := withToken(t, svc, made.Token.Reveal()).Users.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, "ada", me.Username)
	assert.NotContains(t, tokenNames(t, asAda, serviceapi.Instance, nil), "support", "she cannot see it")
	_, _, err = asAda.AccessTokens.GetImpersonationToken(ctx, user, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	for range 2 {
		_, err = root.RevokeImpersonationToken(ctx, user, made.ID)
		require.NoError(t, err)
	}
	assert.False(t, svc.TokenWorks(made.Token.Reveal()))
	got, _, err := root.GetImpersonationToken(ctx, user, made.ID)
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, []bool{got.Revoked, got.Active})
	all, err := serviceapi.Collect(root.AllImpersonationTokens(ctx, user, nil))
	require.NoError(t, err)
	assert.Len(t, all, 1)
	active := &serviceapi.ListImpersonationTokensOptions{State: serviceapi.AccessTokenStateActive}
	all, _, err = root.ListImpersonationTokens(ctx, user, active)
	require.NoError(t, err)
	assert.Empty(t, all)
	_, err = root.RevokeImpersonationToken(ctx, user, 99)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceGranularScopes makes a token with finer permissions, which can do only what they say.
func TestServiceGranularScopes(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	app.Pipeline("main").Job("test")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	made, _, err := root.AccessTokens.Create(ctx, serviceapi.UserID(ada.ID()), serviceapi.CreateAccessTokenOptions{
		Name: "fine", GranularScopes: []serviceapi.GranularScopeOptions{{
			Access:      serviceapi.GranularAccessSelectedMemberships,
			Permissions: []serviceapi.GranularPermission{"read_job", "create_label"}, ProjectIDs: []int64{app.ID()},
		}},
	})
	require.NoError(t, err)
	want := []*serviceapi.GranularScope{{
		Access:      serviceapi.GranularAccessSelectedMemberships,
		Permissions: []serviceapi.GranularPermission{"read_job", "create_label"}, ProjectID: new(app.ID()),
	}}
	assert.Equal(t, want, made.GranularScopes)
	assert.True(t, made.Granular)
	assert.Equal(t, []serviceapi.AccessScope{serviceapi.AccessScopeGranular}, made.Scopes)
	rotated, _, err := root.AccessTokens.Rotate(ctx, serviceapi.UserID(ada.ID()), made.ID,
		serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, rotated.GranularScopes)

	client := withToken(t, svc, rotated.Token.Reveal())
	jobs, _, err := client.Jobs.List(ctx, ref, nil)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	_, _, err = client.Labels.Create(ctx, ref, serviceapi.CreateLabelOptions{Name: "new", Color: "#112233"})
	require.NoError(t, err)
	for call, refusal := range map[string]struct {
		err  error
		want []serviceapi.GranularPermission
	}{
		"cancel": {errorOf(client.Jobs.Cancel(ctx, ref, jobs[0].ID, serviceapi.CancelJobOptions{})),
			[]serviceapi.GranularPermission{"update_job"}},
		"project": {errorOf(client.Projects.Get(ctx, ref, nil)), []serviceapi.GranularPermission{"read_project"}},
		"version": {errorOf(client.Metadata.Version(ctx)), nil},
	} {
		var refused *serviceapi.InsufficientGranularScopeError
		require.ErrorAs(t, refusal.err, &refused, call)
		assert.Equal(t, refusal.want, refused.Permissions, call)
	}

	all, _, err := root.AccessTokens.GetPermissions(ctx)
	require.NoError(t, err)
	byName := map[serviceapi.GranularPermission]*serviceapi.AccessTokenPermission{}
	for _, p := range all {
		byName[p.Name] = p
		assert.Equal(t, string(p.Name), p.Action+"_"+p.Resource)
	}
	assert.Equal(t, &serviceapi.AccessTokenPermission{
		Name: "read_job_artifact", Description: "Read job artifact", Action: "read", Resource: "job_artifact",
		ResourceName: "Job artifact", ResourceDescription: "Job artifact", Category: "service",
		CategoryName: "Service", Boundaries: []serviceapi.PermissionBoundary{serviceapi.PermissionBoundaryProject},
	}, byName["read_job_artifact"])
	assert.Equal(t, []serviceapi.PermissionBoundary{
		serviceapi.PermissionBoundaryGroup, serviceapi.PermissionBoundaryInstance,
		serviceapi.PermissionBoundaryProject, serviceapi.PermissionBoundaryUser,
	}, byName["read_project"].Boundaries)
	assert.NotContains(t, byName, serviceapi.GranularPermission("retry_job"), "another name for update_job")
	assert.Contains(t, byName, serviceapi.GranularPermission("delete_label"))
}

// TestServiceTokensOfHomes rotates tokens of a project and a group by themselves, and asks what they
// can reach.
func TestServiceTokensOfHomes(t *testing.T) {
	svc := servicetest.New(t)
	acme, app := svc.Group("acme"), svc.Project("acme/app")
	for n := range 3 {
		svc.Project(fmt.Sprint("acme/more-", n))
	}
	ofProject, ofGroup := app.AccessToken(servicetest.Developer), acme.AccessToken(servicetest.Reporter)
	ctx, none := t.Context(), serviceapi.RotateAccessTokenOptions{}
	next, _, err := withToken(t, svc, ofProject).AccessTokens.RotateCurrent(ctx, serviceapi.ProjectID(app.ID()), none)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.AccessTokenResourceProject, app.ID(), "2026-01-22"},
		[]any{next.ResourceType, *next.ResourceID, next.ExpiresAt.String()})
	assert.False(t, svc.TokenWorks(ofProject))
	assert.True(t, svc.TokenWorks(next.Token.Reveal()))
	_, _, err = withToken(t, svc, ofGroup).AccessTokens.RotateCurrent(ctx, serviceapi.ProjectID(app.ID()), none)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, _, err = asRoot(t, svc).AccessTokens.RotateCurrent(ctx, serviceapi.GroupPath("acme"), none)
	require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
	day := serviceapi.RotateAccessTokenOptions{ExpiresAt: new(serviceapi.NewDate(2026, time.March, 1))}
	after, _, err := withToken(t, svc, ofGroup).AccessTokens.RotateCurrent(ctx, serviceapi.GroupPath("acme"), day)
	require.NoError(t, err)
	assert.Equal(t, "2026-03-01", after.ExpiresAt.String())

	tokens := withToken(t, svc, after.Token.Reveal()).AccessTokens
	page, resp, err := tokens.ListAssociations(ctx, nil)
	require.NoError(t, err)
	require.Len(t, page.Groups, 1)
	assert.Equal(t, &serviceapi.TokenGroup{
		ID: acme.ID(), Name: "Acme", WebURL: svc.URL() + "/groups/acme", OrganizationID: 1,
		Visibility: serviceapi.VisibilityPrivate, AccessLevel: new(serviceapi.AccessLevelReporter),
	}, page.Groups[0])
	assert.Equal(t, "4", resp.Header.Get("X-Total"))
	first := page.Projects[0]
	assert.Equal(t, []any{app.ID(), "acme/app", "acme", serviceapi.AccessLevelReporter, true},
		[]any{first.ID, first.PathWithNamespace, first.Namespace.FullPath, *first.AccessLevels.GroupAccessLevel,
			first.AccessLevels.ProjectAccessLevel == nil})
	groups, projects := 0, 0
	options := &serviceapi.ListTokenAssociationsOptions{PerPage: 2}
	for page, err := range tokens.AllAssociations(ctx, options) {
		require.NoError(t, err)
		groups, projects = groups+len(page.Groups), projects+len(page.Projects)
	}
	assert.Equal(t, []int{1, 4}, []int{groups, projects})
	options.MinAccessLevel = serviceapi.AccessLevelDeveloper
	pages, err := serviceapi.Collect(tokens.AllAssociations(ctx, options))
	require.NoError(t, err)
	assert.Empty(t, pages)
	oauth := with(t, svc, serviceapi.BearerToken(svc.OAuthToken(svc.User("ada"))))
	_, _, err = oauth.AccessTokens.ListAssociations(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}
