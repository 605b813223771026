package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGroupsList(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups", Fixture: "groups/groups.json"},
		exchange{Method: "GET", Path: "/groups", Query: "order_by=name&page=3&pagination=offset&per_page=2&sort=desc", Body: `[]`},
	)
	groups, _, err := client.Groups.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []*Group{
		{ID: 3, Name: "Acme", Path: "acme", FullPath: "acme", FullName: "Acme", WebURL: "https://service.test/groups/acme"},
		{
			ID: 4, Name: "Platform", Path: "platform", FullPath: "acme/platform", FullName: "Acme / Platform",
			Description: "What all build on", ParentID: new(int64(3)), WebURL: "https://service.test/groups/acme/platform",
		},
	}, groups)

	groups, _, err = client.Groups.List(t.Context(), &ListGroupsOptions{
		ListOptions: ListOptions{Page: 3, PerPage: 2}, Pagination: PaginationOffset, OrderBy: GroupsByName, Sort: SortDescending,
	})
	require.NoError(t, err)
	assert.Empty(t, groups)
}

func TestGroupsAllByKeyset(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/groups", Query: "order_by=name&pagination=keyset&per_page=100&sort=asc", Body: `[{"id":3}]`,
			AnswerHeader: map[string]string{"Link": `<https://service.test/api/v4/groups?cursor=QWNtZQ&order_by=name&pagination=keyset&per_page=100&sort=asc>; rel="next"`},
		},
		exchange{Method: "GET", Path: "/groups", Query: "cursor=QWNtZQ&order_by=name&pagination=keyset&per_page=100&sort=asc", Body: `[]`},
	)
	groups, err := Collect(client.Groups.All(t.Context(), &ListGroupsOptions{Pagination: PaginationKeyset, OrderBy: GroupsByName, Sort: SortAscending}))
	require.NoError(t, err)
	require.Len(t, groups, 1)
}
