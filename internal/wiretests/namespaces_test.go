package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamespacesList(t *testing.T) {
	const query = "full_path_search=true&owned_only=true&page=2&per_page=5&search=pl&top_level_only=true"
	client := onWire(t,
		exchange{Method: "GET", Path: "/namespaces", Fixture: "namespaces/namespaces.json"},
		exchange{Method: "GET", Path: "/namespaces", Query: query, Body: "[]"},
		exchange{Method: "GET", Path: "/namespaces", Query: query, Fixture: "namespaces/namespaces.json"})
	want := []*serviceapi.Namespace{
		{
			NamespaceSummary: serviceapi.NamespaceSummary{
				ID:       17,
				Name:     "Ada",
				Path:     "ada",
				Kind:     serviceapi.NamespaceKindUser,
				FullPath: "ada",
				WebURL:   "https://service.test/ada",
			},
		},
		{
			NamespaceSummary: serviceapi.NamespaceSummary{
				ID: 4, Name: "Platform", Path: "platform", Kind: serviceapi.NamespaceKindGroup,
				FullPath:  "acme/platform",
				ParentID:  new(int64(3)),
				AvatarURL: "/uploads/platform.png", WebURL: "https://service.test/groups/acme/platform",
			},
			MembersCountWithDescendants: new(12), BillableMembersCount: new(9), Plan: "ultimate", Trial: new(true),
			TrialEndsOn: new(
				serviceapi.NewDate(2026, time.April, 1),
			), EndDate: new(serviceapi.NewDate(2027, time.January, 1)),
			MaxSeatsUsed:          new(10),
			MaxSeatsUsedChangedAt: at(t, "2026-02-05T08:30:00Z"), SeatsInUse: new(8),
			RootRepositorySize: new(int64(100)), ProjectsCount: new(3),
			SharedRunnersMinutesLimit: new(400), ExtraSharedRunnersMinutesLimit: new(50),
			AdditionalPurchasedStorageSize:   new(int64(10)),
			AdditionalPurchasedStorageEndsOn: new(serviceapi.NewDate(2027, time.February, 1)),
		},
	}
	namespaces, _, err := client.Namespaces.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, want, namespaces)
	assertFilled(t, namespaces[1])
	options := &serviceapi.ListNamespacesOptions{
		ListOptions:    serviceapi.ListOptions{Page: 2, PerPage: 5},
		Search:         "pl",
		OwnedOnly:      true,
		TopLevelOnly:   true,
		FullPathSearch: true,
	}
	namespaces, _, err = client.Namespaces.List(t.Context(), options)
	require.NoError(t, err)
	assert.Empty(t, namespaces)
	namespaces, err = serviceapi.Collect(client.Namespaces.All(t.Context(), options))
	require.NoError(t, err)
	assert.Equal(t, want, namespaces)
}

func TestNamespacesGet(t *testing.T) {
	const whole = `{"id":17,"name":"Ada","path":"ada","kind":"user","full_path":"ada","parent_id":null,` +
		`"avatar_url":null,` +
		`"web_url":"https://service.test/ada"}`
	client := onWire(t,
		exchange{Method: "GET", Path: "/namespaces/17", Body: whole},
		exchange{Method: "GET", Path: "/namespaces/acme%2Fplatform", Status: 404,
			Body: `{"message":"404 Namespace Not Found"}`})
	namespace, _, err := client.Namespaces.Get(t.Context(), serviceapi.NamespaceID(17))
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.Namespace{NamespaceSummary: serviceapi.NamespaceSummary{ID: 17, Name: "Ada", Path: "ada",
			Kind: serviceapi.NamespaceKindUser, FullPath: "ada",
			WebURL: "https://service.test/ada"}},
		namespace,
	)
	_, _, err = client.Namespaces.Get(t.Context(), serviceapi.NamespacePath("acme/platform"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assertRefused(t, "id_or_path", errorOf(client.Namespaces.Get(t.Context(), serviceapi.NamespaceRef{})))
}

func TestNamespacesExists(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/namespaces/my%20team/exists", Body: `{"exists":false,"suggests":[]}`},
		exchange{Method: "GET", Path: "/namespaces/acme/exists", Query: "parent_id=4",
			Fixture: "namespaces/existence.json"})
	free, _, err := client.Namespaces.Exists(t.Context(), "my team", nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NamespaceExistence{Suggests: []string{}}, free)
	taken, _, err := client.Namespaces.Exists(t.Context(), "acme", &serviceapi.NamespaceExistsOptions{ParentID: 4})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NamespaceExistence{Exists: true, Suggests: []string{"acme1", "acme2"}}, taken)
	assertFilled(t, taken)
	assertRefused(t, "path", errorOf(client.Namespaces.Exists(t.Context(), "", nil)))
}

func TestRefOfNoNamespace(t *testing.T) {
	var absent *serviceapi.NamespaceSummary
	require.Equal(t, serviceapi.NamespaceID(0), absent.Ref())
}
