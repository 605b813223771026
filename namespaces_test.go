package serviceapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamespacesList(t *testing.T) {
	const query = "owned_only=true&page=2&per_page=5&search=pl&top_level_only=true"
	client := onWire(t,
		exchange{Method: "GET", Path: "/namespaces", Fixture: "namespaces/namespaces.json"},
		exchange{Method: "GET", Path: "/namespaces", Query: query, Body: "[]"},
		exchange{Method: "GET", Path: "/namespaces", Query: query, Fixture: "namespaces/namespaces.json"})
	want := []*Namespace{
		{ID: 17, Name: "Ada", Path: "ada", Kind: NamespaceKindUser, FullPath: "ada",
			WebURL: "https://service.test/ada"},
		{
			ID: 4, Name: "Platform", Path: "platform", Kind: NamespaceKindGroup, FullPath: "acme/platform",
			ParentID:  new(int64(3)),
			AvatarURL: "/uploads/platform.png", WebURL: "https://service.test/groups/acme/platform",
			MembersCountWithDescendants: new(12), BillableMembersCount: new(9), Plan: "ultimate", Trial: new(true),
			TrialEndsOn: new(NewDate(2026, time.April, 1)), EndDate: new(NewDate(2027, time.January, 1)),
			MaxSeatsUsed:          new(10),
			MaxSeatsUsedChangedAt: at(t, "2026-02-05T08:30:00Z"), SeatsInUse: new(8),
			RootRepositorySize: new(int64(100)), ProjectsCount: new(3),
		},
	}
	namespaces, _, err := client.Namespaces.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, want, namespaces)
	assertFilled(t, namespaces[1])
	options := &ListNamespacesOptions{ListOptions: ListOptions{Page: 2, PerPage: 5}, Search: "pl", OwnedOnly: true,
		TopLevelOnly: true}
	namespaces, _, err = client.Namespaces.List(t.Context(), options)
	require.NoError(t, err)
	assert.Empty(t, namespaces)
	namespaces, err = Collect(client.Namespaces.All(t.Context(), options))
	require.NoError(t, err)
	assert.Equal(t, want, namespaces)
}
