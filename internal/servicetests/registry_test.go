package servicetests

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegistryRepositoriesLive(t *testing.T) {
	svc := servicetest.New(t)
	host := strings.TrimPrefix(svc.URL(), "http://")
	app := svc.Project("acme/app")
	app.RegistryRepository("").Push("latest").Push("v1", servicetest.ImageSize(42))
	app.RegistryRepository("tools", servicetest.ID(40), servicetest.RegistrySize(1000),
		servicetest.CleanupStartedAt(servicetest.Epoch))
	svc.Project("acme/team/other").RegistryRepository("x")
	svc.Project("elsewhere/app").RegistryRepository("y")
	client, ctx := asRoot(t, svc), t.Context()

	plain, _, err := client.Registry.ListRepositories(ctx, serviceapi.ProjectPath("acme/app"), nil)
	require.NoError(t, err)
	require.Len(t, plain, 2)
	assert.Equal(t, &serviceapi.RegistryRepository{
		ID: 1, Path: "acme/app", ProjectID: app.ID(), Location: host + "/acme/app",
		CreatedAt: servicetest.Epoch,
	}, plain[0])

	full, err := serviceapi.Collect(client.Registry.AllRepositories(ctx, serviceapi.ProjectID(app.ID()),
		&serviceapi.ListRegistryRepositoriesOptions{Tags: true, TagsCount: true}))
	require.NoError(t, err)
	assert.Equal(t, []int{2, 0}, []int{*full[0].TagsCount, *full[1].TagsCount})
	assert.Equal(t, &serviceapi.RegistryTag{Name: "latest", Path: "acme/app:latest", Location: host +
		"/acme/app:latest"}, full[0].Tags[0])
	assert.NotNil(t, full[1].Tags, "asked for, and empty")

	tools, _, err := client.Registry.GetRepository(ctx, 40, &serviceapi.GetRegistryRepositoryOptions{Size: true})
	require.NoError(t, err)
	assert.Equal(t, "acme/app/tools", tools.Path)
	assert.Equal(t, new(int64(1000)), tools.Size)
	assert.Nil(t, tools.TagsCount)
	assert.Equal(t, servicetest.Epoch, *tools.CleanupPolicyStartedAt)

	images, _, err := client.Registry.GetRepository(ctx, 1, &serviceapi.GetRegistryRepositoryOptions{Tags: true,
		TagsCount: true, Size: true})
	require.NoError(t, err)
	assert.Len(t, images.Tags, 2)
	assert.Equal(t, new(2), images.TagsCount)
	assert.Nil(t, images.Size, "not known of this repository")

	inGroup, err := serviceapi.Collect(client.Registry.AllRepositories(ctx, serviceapi.GroupPath("acme"),
		&serviceapi.ListRegistryRepositoriesOptions{ListOptions: serviceapi.ListOptions{PerPage: 2}}))
	require.NoError(t, err)
	assert.Equal(t, []string{"acme/app", "acme/app/tools", "acme/team/other/x"}, paths(inGroup))
}

func paths(repositories []*serviceapi.RegistryRepository) []string {
	var all []string
	for _, r := range repositories {
		all = append(all, r.Path)
	}
	return all
}

func TestRegistryTagsLive(t *testing.T) {
	svc := servicetest.New(t)
	made := servicetest.Epoch.Add(-time.Hour)
	app := svc.Project("acme/app")
	images := app.RegistryRepository("images").Push("b").Push("a", servicetest.CreatedAt(made),
		servicetest.ImageSize(42))
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())

	tags, err := serviceapi.Collect(client.Registry.AllTags(ctx, project, images.ID(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, []string{tags[0].Name, tags[1].Name})

	tag, _, err := client.Registry.GetTag(ctx, project, images.ID(), "a")
	require.NoError(t, err)
	assert.Equal(t, "acme/app/images:a", tag.Path)
	assert.Equal(t, made, tag.CreatedAt)
	assert.Equal(t, int64(42), tag.TotalSize)
	assert.True(t, strings.HasPrefix(tag.Revision, tag.ShortRevision) && strings.HasPrefix(tag.Digest, "sha256:"), tag)

	_, err = client.Registry.DeleteTag(ctx, project, images.ID(), "a")
	require.NoError(t, err)
	assert.Equal(t, []string{"b"}, images.Tags())
	_, err = client.Registry.DeleteTag(ctx, project, images.ID(), "a")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Registry.GetTag(ctx, project, images.ID(), "a")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	other := svc.Project("acme/other")
	_, _, err = client.Registry.GetTag(ctx, serviceapi.ProjectID(other.ID()), images.ID(), "b")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a repository of another project")
}

func TestRegistryRepositoryIsDeletedLater(t *testing.T) {
	svc := servicetest.New(t)
	images := svc.Project("acme/app").RegistryRepository("images")
	client := asRoot(t, svc)
	resp, err := client.Registry.DeleteRepository(t.Context(), serviceapi.ProjectPath("acme/app"), images.ID())
	require.NoError(t, err)
	assert.Equal(t, http.StatusAccepted, resp.StatusCode)
	_, _, err = client.Registry.GetRepository(t.Context(), images.ID(), nil)
	require.NoError(t, err, "it is still there")
	assert.True(t, images.Exists())

	svc.Advance(servicetest.RegistryDeletionDelay)
	_, _, err = client.Registry.GetRepository(t.Context(), images.ID(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.False(t, images.Exists())
}

// TestRegistryBulkRules seeds tags in the reverse order of the age of their
// manifests.
func TestRegistryBulkRules(t *testing.T) {
	ages := []struct {
		tag string
		age time.Duration
	}{
		{"latest", 0},
		{"v4", 30 * time.Minute},
		{"v3", 2 * time.Hour},
		{"v2", 30 * time.Hour},
		{"v1", 40 * 24 * time.Hour},
		{"stable", 50 * 24 * time.Hour},
	}
	type options = serviceapi.DeleteRegistryTagsOptions
	for name, c := range map[string]struct {
		options options
		left    string
	}{
		"all but latest":    {options{NameRegexDelete: ".*"}, "latest"},
		"the old name":      {options{NameRegex: "v.*"}, "latest stable"},
		"the new name wins": {options{NameRegexDelete: "v1", NameRegex: ".*"}, "latest stable v2 v3 v4"},
		"by name":           {options{NameRegexDelete: "v[12]"}, "latest stable v3 v4"},
		"whole names":       {options{NameRegexDelete: "v"}, "latest stable v1 v2 v3 v4"},
		"latest by name":    {options{NameRegexDelete: "latest"}, "latest stable v1 v2 v3 v4"},
		"keep over delete": {options{NameRegexDelete: ".*", NameRegexKeep: "v[13]|stable"},
			"latest stable v1 v3"},
		"keep everything":          {options{NameRegexDelete: ".*", NameRegexKeep: ".*"}, "latest stable v1 v2 v3 v4"},
		"the newest by creation":   {options{NameRegexDelete: ".*", KeepN: 2}, "latest v3 v4"},
		"the newest that match":    {options{NameRegexDelete: "v[123]|stable", KeepN: 1}, "latest v3 v4"},
		"kept by name not counted": {options{NameRegexDelete: ".*", NameRegexKeep: "v4", KeepN: 1}, "latest v3 v4"},
		"more than there are":      {options{NameRegexDelete: ".*", KeepN: 50}, "latest stable v1 v2 v3 v4"},
		"older than an hour":       {options{NameRegexDelete: ".*", OlderThan: "1h"}, "latest v4"},
		"older than a day":         {options{NameRegexDelete: ".*", OlderThan: "1d"}, "latest v3 v4"},
		"older than a month":       {options{NameRegexDelete: ".*", OlderThan: "1month"}, "latest v2 v3 v4"},
		"older, in words":          {options{NameRegexDelete: ".*", OlderThan: "1 day 5 hours"}, "latest v3 v4"},
		"both": {options{NameRegexDelete: "v.*", KeepN: 2, OlderThan: "1month"},
			"latest stable v2 v3 v4"},
	} {
		t.Run(name, func(t *testing.T) {
			svc := servicetest.New(t)
			images := svc.Project("acme/app").RegistryRepository("")
			for _, a := range ages {
				images.Push(a.tag, servicetest.CreatedAt(svc.Now().Add(-a.age)))
			}
			resp, err := asRoot(t, svc).Registry.DeleteTags(t.Context(), serviceapi.ProjectPath("acme/app"),
				images.ID(), &c.options)
			require.NoError(t, err)
			assert.Equal(t, http.StatusAccepted, resp.StatusCode)
			assert.Len(t, images.Tags(), len(ages), "it happens later")
			svc.Advance(servicetest.RegistryDeletionDelay)
			assert.Equal(t, c.left, strings.Join(images.Tags(), " "))
		})
	}
}

func TestRegistryBulkOnceAnHour(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	first, second := app.RegistryRepository("first").Push("a"), app.RegistryRepository("second")
	client, project := asRoot(t, svc), serviceapi.ProjectID(app.ID())
	all := &serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: ".*"}

	_, err := client.Registry.DeleteTags(t.Context(), project, first.ID(),
		&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: "("})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = client.Registry.DeleteTags(t.Context(), project, first.ID(), all)
	require.NoError(t, err, "a refused one does not count")
	svc.Advance(59 * time.Minute)
	_, err = client.Registry.DeleteTags(t.Context(), project, first.ID(), all)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	require.ErrorContains(t, err, "at most once an hour")
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Empty(t, refused.Header("Retry-After"), "no client is to sleep for an hour")
	_, err = client.Registry.DeleteTags(t.Context(), project, second.ID(), all)
	require.NoError(t, err, "another repository")
	svc.Advance(time.Minute)
	_, err = client.Registry.DeleteTags(t.Context(), project, first.ID(), all)
	require.NoError(t, err)
}

func TestRegistryBulkLimit(t *testing.T) {
	svc := servicetest.New(t)
	svc.SetMaxBulkTagDeletion(2)
	images := svc.Project("acme/app").RegistryRepository("").Push("a").Push("b").Push("c")
	_, err := asRoot(t, svc).Registry.DeleteTags(t.Context(), serviceapi.ProjectPath("acme/app"), images.ID(),
		&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: ".*"})
	require.NoError(t, err)
	svc.Advance(servicetest.RegistryDeletionDelay)
	assert.Equal(t, []string{"c"}, images.Tags())
}

func TestRegistryBulkRefuses(t *testing.T) {
	svc := servicetest.New(t)
	images := svc.Project("acme/app").RegistryRepository("").Push("a")
	client := asRoot(t, svc)
	for problem, options := range map[string]serviceapi.DeleteRegistryTagsOptions{
		"name_regex_delete is an invalid regexp": {NameRegexDelete: `(?!x)`}, // not RE2
		"name_regex is an invalid regexp":        {NameRegex: `[`},
		"name_regex_keep is an invalid regexp":   {NameRegexDelete: ".*", NameRegexKeep: `)(`},
		"keep_n is invalid":                      {NameRegexDelete: ".*", KeepN: -1},
		"older_than is invalid":                  {NameRegexDelete: ".*", OlderThan: "yesterday"},
	} {
		_, err := client.Registry.DeleteTags(t.Context(), serviceapi.ProjectPath("acme/app"), images.ID(), &options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.ErrorContains(t, err, problem)
	}
	svc.Advance(time.Hour)
	assert.Equal(t, []string{"a"}, images.Tags())
}

// TestRegistryRoles checks what each role may do, with each access level of the
// registry.
func TestRegistryRoles(t *testing.T) {
	svc := servicetest.New(t)
	clients := map[string]*serviceapi.Client{"nobody": as(t, svc, svc.User("nobody"))}
	app := svc.Project("acme/app", servicetest.Public())
	for name, level := range map[string]servicetest.AccessLevel{
		"guest": servicetest.Guest, "reporter": servicetest.Reporter,
		"developer": servicetest.Developer, "maintainer": servicetest.Maintainer,
	} {
		user := svc.User(name)
		app.AddMember(user, level)
		clients[name] = as(t, svc, user)
	}
	images := app.RegistryRepository("images").Push("a")
	ctx, project := t.Context(), serviceapi.ProjectPath("acme/app")
	read := func(c *serviceapi.Client) error {
		_, _, err := c.Registry.ListTags(ctx, project, images.ID(), nil)
		return err
	}
	get := func(c *serviceapi.Client) error {
		_, _, err := c.Registry.GetRepository(ctx, images.ID(), nil)
		return err
	}
	deleteTag := func(c *serviceapi.Client) error {
		_, err := c.Registry.DeleteTag(ctx, project, images.ID(), "a")
		images.Push("a")
		return err
	}
	deleteTags := func(c *serviceapi.Client) error {
		_, err := c.Registry.DeleteTags(ctx, project, images.ID(),
			&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: "none"})
		return err
	}
	for _, access := range []struct {
		level   serviceapi.FeatureAccessLevel
		allowed map[string]string
	}{
		{serviceapi.FeatureAccessLevelEnabled, map[string]string{
			"read": "nobody guest reporter developer maintainer", "get": "nobody guest reporter developer maintainer",
			"delete tag": "developer maintainer", "delete tags": "maintainer",
		}},
		{serviceapi.FeatureAccessLevelPrivate, map[string]string{
			"read": "reporter developer maintainer", "get": "reporter developer maintainer",
			"delete tag": "developer maintainer", "delete tags": "maintainer",
		}},
		{serviceapi.FeatureAccessLevelDisabled, map[string]string{}},
	} {
		_, _, err := clients["developer"].Registry.SetAccessLevel(ctx, project,
			serviceapi.SetRegistryAccessLevelOptions{AccessLevel: access.level})
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		changed, _, err := clients["maintainer"].Registry.SetAccessLevel(ctx, project,
			serviceapi.SetRegistryAccessLevelOptions{AccessLevel: access.level})
		require.NoError(t, err)
		assert.Equal(t, access.level, changed.ContainerRegistryAccessLevel)
		assert.Equal(t, string(access.level), app.RegistryAccess())
		for what, call := range map[string]func(*serviceapi.Client) error{
			"read": read, "get": get, "delete tag": deleteTag, "delete tags": deleteTags,
		} {
			for who, client := range clients {
				err := call(client)
				if strings.Contains(access.allowed[what], who) {
					assert.NoError(t, err, "%s: %s: %s", access.level, what, who)
				} else {
					assert.ErrorIs(t, err, serviceapi.ErrForbidden, "%s: %s: %s", access.level, what, who)
				}
			}
		}
		svc.Advance(time.Hour)
	}
	_, _, err := clients["maintainer"].Registry.SetAccessLevel(ctx, project,
		serviceapi.SetRegistryAccessLevelOptions{AccessLevel: "sometimes"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestRegistryOfAPrivateProjectIsHidden(t *testing.T) {
	svc := servicetest.New(t)
	images := svc.Project("acme/app").RegistryRepository("images")
	svc.Group("acme", servicetest.Public())
	client := as(t, svc, svc.User("nobody"))
	_, _, err := client.Registry.GetRepository(t.Context(), images.ID(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = client.Registry.DeleteRepository(t.Context(), serviceapi.ProjectPath("acme/app"), images.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	repositories, _, err := client.Registry.ListRepositories(t.Context(), serviceapi.GroupPath("acme"), nil)
	require.NoError(t, err)
	assert.Empty(t, repositories)
}

func catalogOf(t *testing.T, svc *servicetest.Service, username, password string) *serviceapi.RegistryCatalog {
	t.Helper()
	catalog, err := serviceapi.NewRegistryCatalog(serviceapi.RegistryCatalogConfig{
		BaseURL: svc.URL(), RegistryURL: svc.RegistryURL(), Username: username,
		Password: serviceapi.NewSecret(password),
	}, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	t.Cleanup(catalog.CloseIdleConnections)
	return catalog
}

func TestRegistryCatalogLive(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithBasePath("/code"))
	svc.Project("acme/app").RegistryRepository("b")
	svc.Project("zoo/app").RegistryRepository("")
	gone := svc.Project("acme/other").RegistryRepository("a")
	catalog := catalogOf(t, svc, "root", "root-password")

	names, resp, err := catalog.List(t.Context(), &serviceapi.ListRegistryCatalogOptions{PerPage: 2})
	require.NoError(t, err)
	assert.Equal(t, []string{"acme/app/b", "acme/other/a"}, names)
	assert.NotEmpty(t, resp.NextPageToken)

	names, err = serviceapi.Collect(catalog.All(t.Context(), &serviceapi.ListRegistryCatalogOptions{PerPage: 1}))
	require.NoError(t, err)
	assert.Equal(t, []string{"acme/app/b", "acme/other/a", "zoo/app"}, names)

	_, err = asRoot(t, svc).Registry.DeleteRepository(t.Context(), serviceapi.ProjectPath("acme/other"), gone.ID())
	require.NoError(t, err)
	svc.Advance(servicetest.RegistryTokenLifetime) // which also ends the token
	names, err = serviceapi.Collect(catalog.All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"acme/app/b", "zoo/app"}, names)
	assert.Len(t, svc.Requests("GET {base_url}/jwt/auth"), 2)

	_, _, err = catalog.List(t.Context(), &serviceapi.ListRegistryCatalogOptions{PerPage: 5000})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "PAGINATION_NUMBER_INVALID")
}

func TestRegistryCatalogNeedsAnAdministrator(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada", servicetest.Password("secret"))
	svc.User("bob", servicetest.Admin(), servicetest.Password("secret"), servicetest.Blocked())
	for _, c := range []struct {
		username, password string
		want               error
	}{
		{"root", "wrong", serviceapi.ErrUnauthorized},
		{"nobody", "secret", serviceapi.ErrUnauthorized},
		{"ada", "secret", serviceapi.ErrForbidden},
		{"bob", "secret", serviceapi.ErrUnauthorized},
	} {
		_, _, err := catalogOf(t, svc, c.username, c.password).List(t.Context(), nil)
		assert.ErrorIs(t, err, c.want, c.username)
	}
	assert.Empty(t, svc.Requests("GET {registry_url}/v2/_catalog"))
}
