package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repositoriesPath = "/projects/acme%2Fapp/registry/repositories"

// firstRepository and secondRepository are those of registry/repositories.json.
func firstRepository(t *testing.T) *serviceapi.RegistryRepository {
	return &serviceapi.RegistryRepository{
		ID: 1, Path: "acme/app", ProjectID: 9, Location: "registry.service.test/acme/app",
		CreatedAt: *at(t, "2026-01-10T13:38:57.391Z"),
	}
}

func secondRepository(t *testing.T) *serviceapi.RegistryRepository {
	return &serviceapi.RegistryRepository{
		ID: 2, Name: "releases", Path: "acme/app/releases", ProjectID: 9,
		Location:               "registry.service.test/acme/app/releases",
		CreatedAt:              *at(t, "2026-01-10T13:39:08.229Z"),
		CleanupPolicyStartedAt: at(t, "2026-01-17T03:12:35.000Z"),
		Tags:                   []*serviceapi.RegistryTag{}, TagsCount: new(0),
	}
}

func TestRegistrySetAccessLevel(t *testing.T) {
	client := onWire(t, exchange{
		Method: "PUT", Path: "/projects/5", JSON: `{"container_registry_access_level":"private"}`,
		Fixture: "registry/project.json",
	})
	project, _, err := client.Registry.SetAccessLevel(t.Context(), serviceapi.ProjectID(5),
		serviceapi.SetRegistryAccessLevelOptions{AccessLevel: serviceapi.FeatureAccessLevelPrivate})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Project{
		ID: 5, Name: "app", ContainerRegistryAccessLevel: serviceapi.FeatureAccessLevelPrivate,
	}, project)
}

func registryLists(
	c *serviceapi.Client,
) ownedList[serviceapi.RegistryOwner, *serviceapi.ListRegistryRepositoriesOptions, *serviceapi.RegistryRepository] {
	return ownedList[serviceapi.RegistryOwner, *serviceapi.ListRegistryRepositoriesOptions,
		*serviceapi.RegistryRepository]{
		c.Registry.ListRepositories,
		c.Registry.AllRepositories,
	}
}

func TestRegistryListsRepositories(t *testing.T) {
	paged := serviceapi.ListRegistryRepositoriesOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}}
	every := paged
	every.Tags, every.TagsCount = true, true
	for path, test := range map[string]struct {
		owner   serviceapi.RegistryOwner
		options serviceapi.ListRegistryRepositoriesOptions
		query   string
	}{
		repositoriesPath: {serviceapi.ProjectPath("acme/app"), every,
			"page=2&per_page=5&tags=true&tags_count=true"},
		"/projects/4/registry/repositories": {serviceapi.ProjectID(4), every,
			"page=2&per_page=5&tags=true&tags_count=true"},
		"/groups/7/registry/repositories":           {serviceapi.GroupID(7), paged, "page=2&per_page=5"},
		"/groups/acme%2Fteam/registry/repositories": {serviceapi.GroupPath("acme/team"), paged, "page=2&per_page=5"},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t, ownedExchanges(path, test.query, "registry/repositories.json")...)
			registryLists(client).wants(t, test.owner, &test.options,
				[]*serviceapi.RegistryRepository{firstRepository(t), secondRepository(t)})
		})
	}
}

func TestRegistryListsRefuse(t *testing.T) {
	lists := registryLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, (*serviceapi.GroupRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{}, serviceapi.GroupID(0))
	lists.refuses(t, "project path", nil, serviceapi.ProjectPath("/"))
	lists.refuses(t, "Tags", &serviceapi.ListRegistryRepositoriesOptions{Tags: true}, serviceapi.GroupID(7))
	lists.refuses(
		t,
		"TagsCount",
		&serviceapi.ListRegistryRepositoriesOptions{TagsCount: true},
		serviceapi.GroupPath("acme"),
	)
}

func TestRegistryGetRepository(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/registry/repositories/2", Query: "size=true&tags=true&tags_count=true",
			Fixture: "registry/repository.json"},
		exchange{Method: "GET", Path: "/registry/repositories/2", Status: 404, Body: `{"message":"404 Not found"}`},
	)
	repository, _, err := client.Registry.GetRepository(t.Context(), 2,
		&serviceapi.GetRegistryRepositoryOptions{Tags: true, Size: true, TagsCount: true})
	require.NoError(t, err)
	expected := secondRepository(t)
	expected.Status = serviceapi.RegistryRepositoryStatusDeleteScheduled
	expected.DeleteAPIPath = "https://service.test/api/v4/projects/9/registry/repositories/2"
	expected.Size, expected.TagsCount = new(int64(2818413)), new(2)
	expected.Tags = []*serviceapi.RegistryTag{
		{Name: "0.0.1", Path: "acme/app/releases:0.0.1", Location: "registry.service.test/acme/app/releases:0.0.1"},
		{Name: "latest", Path: "acme/app/releases:latest", Location: "registry.service.test/acme/app/releases:latest"},
	}
	assert.Equal(t, expected, repository)

	_, _, err = client.Registry.GetRepository(t.Context(), 2, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestRegistryTags(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags", Query: "pagination=keyset&per_page=2",
			Body: `[{"name":"a","path":"p:a","location":"l:a"}]`},
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags", Query: "per_page=100",
			Body: `[{"name":"b","path":"p:b","location":"l:b"}]`},
		exchange{Method: "GET", Path: repositoriesPath + "/7/tags/v1%2Frc", Fixture: "registry/tag.json"},
	)
	tags, _, err := client.Registry.ListTags(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		7,
		&serviceapi.ListRegistryTagsOptions{
			ListOptions: serviceapi.ListOptions{PerPage: 2},
			Pagination:  serviceapi.PaginationKeyset,
		},
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryTag{{Name: "a", Path: "p:a", Location: "l:a"}}, tags)

	tags, err = serviceapi.Collect(client.Registry.AllTags(t.Context(), serviceapi.ProjectPath("acme/app"), 7, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryTag{{Name: "b", Path: "p:b", Location: "l:b"}}, tags)

	tag, _, err := client.Registry.GetTag(t.Context(), serviceapi.ProjectPath("acme/app"), 7, "v1/rc")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RegistryTagDetails{
		RegistryTag: serviceapi.RegistryTag{Name: "v1/rc", Path: "acme/app:v1/rc",
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
	app := serviceapi.ProjectPath("acme/app")
	resp, err := client.Registry.DeleteRepository(t.Context(), app, 7)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)

	_, err = client.Registry.DeleteTag(t.Context(), app, 7, "v1/rc")
	require.NoError(t, err)

	resp, err = client.Registry.DeleteTags(t.Context(), app, 7, &serviceapi.DeleteRegistryTagsOptions{
		NameRegexDelete: `^v1\..*`, NameRegexKeep: "v.+", KeepN: 5, OlderThan: "1month",
	})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)

	_, err = client.Registry.DeleteTags(t.Context(), app, 7, &serviceapi.DeleteRegistryTagsOptions{NameRegex: ".*"})
	require.NoError(t, err)

	_, err = client.Registry.DeleteTags(
		t.Context(),
		app,
		7,
		&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: ".*"},
	)
	assert.ErrorIs(t, err, serviceapi.ErrRateLimited)
}

// TestRegistryRefusesBeforeSending checks arguments that would otherwise lead
// to another object than they name.
func TestRegistryRefusesBeforeSending(t *testing.T) {
	client := onWire(t)
	for name, call := range map[string]func() error{
		"no repository": func() error {
			_, err := client.Registry.DeleteRepository(t.Context(), serviceapi.ProjectID(1), 0)
			return err
		},
		"empty tag": func() error {
			_, err := client.Registry.DeleteTag(t.Context(), serviceapi.ProjectID(1), 7, "")
			return err
		},
		"tag of dots": func() error {
			_, err := client.Registry.DeleteTag(t.Context(), serviceapi.ProjectID(1), 7, "..")
			return err
		},
		"empty project": func() error {
			_, _, err := client.Registry.GetTag(t.Context(), serviceapi.ProjectPath(""), 7, "a")
			return err
		},
		"no expression": func() error {
			_, err := client.Registry.DeleteTags(t.Context(), serviceapi.ProjectID(1), 7,
				&serviceapi.DeleteRegistryTagsOptions{KeepN: 3})
			return err
		},
		"no options": func() error {
			_, err := client.Registry.DeleteTags(t.Context(), serviceapi.ProjectID(1), 7, nil)
			return err
		},
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, call(), &argument, name)
	}
}
