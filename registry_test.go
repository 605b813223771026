package serviceapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repositoriesPath = "/projects/acme%2Fapp/registry/repositories"

// firstRepository and secondRepository are those of registry/repositories.json.
func firstRepository(t *testing.T) *RegistryRepository {
	return &RegistryRepository{
		ID: 1, Path: "acme/app", ProjectID: 9, Location: "registry.service.test/acme/app",
		CreatedAt: *at(t, "2026-01-10T13:38:57.391Z"),
	}
}

func secondRepository(t *testing.T) *RegistryRepository {
	return &RegistryRepository{
		ID: 2, Name: "releases", Path: "acme/app/releases", ProjectID: 9,
		Location:               "registry.service.test/acme/app/releases",
		CreatedAt:              *at(t, "2026-01-10T13:39:08.229Z"),
		CleanupPolicyStartedAt: at(t, "2026-01-17T03:12:35.000Z"),
		Tags:                   []*RegistryTag{}, TagsCount: new(0),
	}
}

func TestRegistrySetAccessLevel(t *testing.T) {
	client := onWire(t, exchange{
		Method: "PUT", Path: "/projects/5", JSON: `{"container_registry_access_level":"private"}`,
		Fixture: "registry/project.json",
	})
	project, _, err := client.Registry.SetAccessLevel(t.Context(), ProjectID(5),
		SetRegistryAccessLevelOptions{AccessLevel: FeatureAccessLevelPrivate})
	require.NoError(t, err)
	assert.Equal(t, &Project{
		ID: 5, Name: "app", ContainerRegistryAccessLevel: FeatureAccessLevelPrivate,
	}, project)
}

func registryLists(c *Client) ownedList[RegistryOwner, *ListRegistryRepositoriesOptions, *RegistryRepository] {
	return ownedList[RegistryOwner, *ListRegistryRepositoriesOptions, *RegistryRepository]{
		c.Registry.ListRepositories, c.Registry.AllRepositories,
	}
}

func TestRegistryListsRepositories(t *testing.T) {
	paged := ListRegistryRepositoriesOptions{ListOptions: ListOptions{Page: 2, PerPage: 5}}
	every := paged
	every.Tags, every.TagsCount = true, true
	for path, test := range map[string]struct {
		owner   RegistryOwner
		options ListRegistryRepositoriesOptions
		query   string
	}{
		repositoriesPath: {ProjectPath("acme/app"), every,
			"page=2&per_page=5&tags=true&tags_count=true"},
		"/projects/4/registry/repositories": {ProjectID(4), every,
			"page=2&per_page=5&tags=true&tags_count=true"},
		"/groups/7/registry/repositories":           {GroupID(7), paged, "page=2&per_page=5"},
		"/groups/acme%2Fteam/registry/repositories": {GroupPath("acme/team"), paged, "page=2&per_page=5"},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t, ownedExchanges(path, test.query, "registry/repositories.json")...)
			registryLists(client).wants(t, test.owner, &test.options,
				[]*RegistryRepository{firstRepository(t), secondRepository(t)})
		})
	}
}

func TestRegistryListsRefuse(t *testing.T) {
	lists := registryLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, (*GroupRef)(nil))
	lists.refuses(t, "id", nil, ProjectRef{}, GroupRef{}, GroupID(0))
	lists.refuses(t, "project path", nil, ProjectPath("/"))
	lists.refuses(t, "Tags", &ListRegistryRepositoriesOptions{Tags: true}, GroupID(7))
	lists.refuses(t, "TagsCount", &ListRegistryRepositoriesOptions{TagsCount: true}, GroupPath("acme"))
}

func TestRegistryGetRepository(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/registry/repositories/2", Query: "size=true&tags=true&tags_count=true",
			Fixture: "registry/repository.json"},
		exchange{Method: "GET", Path: "/registry/repositories/2", Status: 404, Body: `{"message":"404 Not found"}`},
	)
	repository, _, err := client.Registry.GetRepository(t.Context(), 2,
		&GetRegistryRepositoryOptions{Tags: true, Size: true, TagsCount: true})
	require.NoError(t, err)
	expected := secondRepository(t)
	expected.Status = RegistryRepositoryStatusDeleteScheduled
	expected.DeleteAPIPath = "https://service.test/api/v4/projects/9/registry/repositories/2"
	expected.Size, expected.TagsCount = new(int64(2818413)), new(2)
	expected.Tags = []*RegistryTag{
		{"0.0.1", "acme/app/releases:0.0.1", "registry.service.test/acme/app/releases:0.0.1"},
		{"latest", "acme/app/releases:latest", "registry.service.test/acme/app/releases:latest"},
	}
	assert.Equal(t, expected, repository)

	_, _, err = client.Registry.GetRepository(t.Context(), 2, nil)
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestRegistryTags(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags", Query: "pagination=keyset&per_page=2",
			Body: `[{"name":"a","path":"p:a","location":"l:a"}]`},
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags", Query: "per_page=100",
			Body: `[{"name":"b","path":"p:b","location":"l:b"}]`},
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags/v1%2Frc", Fixture: "registry/tag.json"},
	)
	tags, _, err := client.Registry.ListTags(t.Context(), ProjectPath("acme/app"), 7,
		&ListRegistryTagsOptions{ListOptions: ListOptions{PerPage: 2}, Pagination: PaginationKeyset})
	require.NoError(t, err)
	assert.Equal(t, []*RegistryTag{{"a", "p:a", "l:a"}}, tags)

	tags, err = Collect(client.Registry.AllTags(t.Context(), ProjectPath("acme/app"), 7, nil))
	require.NoError(t, err)
	assert.Equal(t, []*RegistryTag{{"b", "p:b", "l:b"}}, tags)

	tag, _, err := client.Registry.GetTag(t.Context(), ProjectPath("acme/app"), 7, "v1/rc")
	require.NoError(t, err)
	assert.Equal(t, &RegistryTagDetails{
		RegistryTag: RegistryTag{Name: "v1/rc", Path: "acme/app:v1/rc",
			Location: "registry.service.test/acme/app:v1/rc"},
		Revision:      "e9ed9d87c881d8c2fd3a31b41904d01ba0b836e7fd15240d774d811a1c248181",
		ShortRevision: "e9ed9d87c",
		Digest:        "sha256:c3490dcf10ffb6530c1303522a1405dfaf7daecd8f38d3e6a1ba19ea1f8a1751",
		CreatedAt:     *at(t, "2026-01-06T16:49:51.272Z"),
		TotalSize:     350224384,
	}, tag)
}

func TestRegistryDeletions(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: repositoriesPath + "/7", Status: 202},
		exchange{Method: "DELETE", Path: repositoriesPath + "/7/tags/v1%2Frc", Body: "200"},
		exchange{
			Method: "DELETE", Path: repositoriesPath + "/7/tags", Status: 202,
			Query: "keep_n=5&name_regex_delete=%5Ev1%5C..%2A&name_regex_keep=v.%2B&older_than=1month",
		},
		exchange{Method: "DELETE", Path: repositoriesPath + "/7/tags", Query: "name_regex=.%2A", Status: 202},
		exchange{Method: "DELETE", Path: repositoriesPath + "/7/tags", Query: "name_regex_delete=.%2A", Status: 429,
			ResponseHeader: map[string]string{"Retry-After": "3000"}},
	)
	app := ProjectPath("acme/app")
	resp, err := client.Registry.DeleteRepository(t.Context(), app, 7)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)

	_, err = client.Registry.DeleteTag(t.Context(), app, 7, "v1/rc")
	require.NoError(t, err)

	resp, err = client.Registry.DeleteTags(t.Context(), app, 7, &DeleteRegistryTagsOptions{
		NameRegexDelete: `^v1\..*`, NameRegexKeep: "v.+", KeepN: 5, OlderThan: "1month",
	})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)

	_, err = client.Registry.DeleteTags(t.Context(), app, 7, &DeleteRegistryTagsOptions{NameRegex: ".*"})
	require.NoError(t, err)

	_, err = client.Registry.DeleteTags(t.Context(), app, 7, &DeleteRegistryTagsOptions{NameRegexDelete: ".*"})
	assert.ErrorIs(t, err, ErrRateLimited)
}

// TestRegistryRefusesBeforeSending checks arguments that would otherwise lead
// to another object than they name.
func TestRegistryRefusesBeforeSending(t *testing.T) {
	client := onWire(t)
	for name, call := range map[string]func() error{
		"no repository": func() error {
			_, err := client.Registry.DeleteRepository(t.Context(), ProjectID(1), 0)
			return err
		},
		"empty tag": func() error {
			_, err := client.Registry.DeleteTag(t.Context(), ProjectID(1), 7, "")
			return err
		},
		"tag of dots": func() error {
			_, err := client.Registry.DeleteTag(t.Context(), ProjectID(1), 7, "..")
			return err
		},
		"empty project": func() error {
			_, _, err := client.Registry.GetTag(t.Context(), ProjectPath(""), 7, "a")
			return err
		},
		"no expression": func() error {
			_, err := client.Registry.DeleteTags(t.Context(), ProjectID(1), 7, &DeleteRegistryTagsOptions{KeepN: 3})
			return err
		},
		"no options": func() error {
			_, err := client.Registry.DeleteTags(t.Context(), ProjectID(1), 7, nil)
			return err
		},
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, call(), &argument, name)
	}
}

// registryPair is a service and a registry without a network.
type registryPair struct {
	mu               sync.Mutex
	given, listed    int
	give, list       func(*http.Request) (*http.Response, error)
	authorization    []string
	waitBeforeGiving time.Duration
}

func (p *registryPair) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.URL.Path == "/jwt/auth" {
		p.given++
		time.Sleep(p.waitBeforeGiving)
		if p.give != nil {
			return p.give(r)
		}
		return status(200, fmt.Sprintf(`{"token":"registry-token-%d"}`, p.given))(r)
	}
	p.listed++
	p.authorization = append(p.authorization, r.Header.Get("Authorization"))
	if p.list != nil {
		return p.list(r)
	}
	return status(200, `{"repositories":["a"]}`)(r)
}

func (p *registryPair) catalog(t *testing.T) *RegistryCatalog {
	t.Helper()
	catalog, err := NewRegistryCatalog(RegistryCatalogConfig{
		BaseURL: "https://service.test", RegistryURL: "https://registry.test", Username: "root",
		Password: NewSecret("pass-S3cr3t"),
	}, WithHTTPClient(&http.Client{Transport: p}), WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return catalog
}

// TestRegistryThatRefusesEveryToken checks that it gets one new token a minute.
func TestRegistryThatRefusesEveryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{list: status(401,
			`{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)}
		catalog := p.catalog(t)
		for range 30 {
			_, _, err := catalog.List(t.Context(), nil)
			require.ErrorIs(t, err, ErrUnauthorized)
			time.Sleep(time.Second)
		}
		assert.Equal(t, 2, p.given)
		assert.Equal(t, 31, p.listed)
		assert.Equal(t, []string{"Bearer registry-token-1", "Bearer registry-token-2", "Bearer registry-token-2"},
			p.authorization[:3])
	})
}

// TestRefusedRegistryAccount checks that a refused account is not tried
// repeatedly, because it might be locked.
func TestRefusedRegistryAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{give: status(401, `{"message":"pass-S3cr3t is wrong"}`)}
		catalog := p.catalog(t)
		for range 30 {
			_, _, err := catalog.List(t.Context(), nil)
			var failed *RefreshError
			require.ErrorAs(t, err, &failed)
			require.ErrorIs(t, failed, ErrUnauthorized)
			time.Sleep(time.Second)
		}
		assert.Equal(t, 1, p.given)
		assert.Zero(t, p.listed)
		p.give = nil
		time.Sleep(time.Minute)
		names, _, err := catalog.List(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"a"}, names)
	})
}

// TestRegistryTokenThatCannotBeRenewed checks that the error is the registry's
// response.
func TestRegistryTokenThatCannotBeRenewed(t *testing.T) {
	p := &registryPair{}
	catalog := p.catalog(t)
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	p.list, p.give = status(401, `{"errors":[{"code":"UNAUTHORIZED","message":"registry-token-1 expired"}]}`),
		status(503, ``)
	_, _, err = catalog.List(t.Context(), nil)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "https://registry.test/v2/_catalog", e.URL)
	assert.NotContains(t, err.Error(), "registry-token")
	var failed *RefreshError
	require.ErrorAs(t, err, &failed)
	assert.ErrorIs(t, failed, ErrServer)
}

func TestUnusableRegistryTokens(t *testing.T) {
	for _, body := range []string{`{}`, `{"token":""}`, `{"token":"a\r\nb"}`, `{"token":null}`, `[]`, ``} {
		p := &registryPair{give: status(200, body)}
		_, _, err := p.catalog(t).List(t.Context(), nil)
		assert.True(t, hasType[*RefreshError](err), body)
		assert.Zero(t, p.listed, body)
	}
}

// TestCallerWhoLeavesTheRegistryToken checks that a caller who stops waiting
// for a token does not lose it for others.
func TestCallerWhoLeavesTheRegistryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{waitBeforeGiving: 10 * time.Second}
		catalog := p.catalog(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := catalog.List(ctx, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, _, err = catalog.List(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, 1, p.given)
	})
}

func TestRegistryCredentialPrintsNoToken(t *testing.T) {
	p := &registryPair{}
	catalog := p.catalog(t)
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	cred := catalog.registry.config.options.credential
	var b strings.Builder
	fmt.Fprintf(&b, "%v %+v %#v %s %v", cred, cred, cred, cred, cred.LogValue())
	assert.NotContains(t, b.String(), "registry-token")
	assert.Contains(t, b.String(), "RegistryToken")
}
