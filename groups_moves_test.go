package serviceapi

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGroupsDescendants(t *testing.T) {
	const path = "/groups/acme/descendant_groups"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "active=true&all_available=false&min_access_level=50&" +
			"order_by=path&owned=true&page=2&search=plat&skip_groups%5B%5D=1&sort=desc&" +
			"statistics=true&with_custom_attributes=true",
			Fixture: "groups/groups.json"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Fixture: "groups/groups.json"})
	s, ctx, acme := client.Groups, t.Context(), GroupPath("acme")
	groups, _, err := s.ListDescendants(ctx, acme, &ListGroupsOptions{
		ListOptions: ListOptions{Page: 2}, Active: new(true), AllAvailable: new(false),
		MinAccessLevel: AccessLevelOwner, OrderBy: GroupOrderByPath, Owned: true, Search: "plat", SkipGroups: []int64{1},
		Sort:       SortDescending,
		Statistics: true, WithCustomAttributes: true,
	})
	require.NoError(t, err)
	require.Len(t, groups, 2)
	assert.Equal(t, new(platformGroup(t)), groups[1])
	groups, err = Collect(s.AllDescendants(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, new(platformGroup(t)), groups[1])
}

func TestGroupsAvatar(t *testing.T) {
	const path = "/groups/acme%2Fplatform/avatar"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "pixels", AnswerHeader: map[string]string{"Content-Type": "image/png",
			"Content-Length": "6", "Content-Disposition": `attachment; filename="platform.png"`}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Avatar Not Found"}`})
	picture, _, err := client.Groups.DownloadAvatar(t.Context(), GroupPath("acme/platform"))
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []string{"pixels", "platform.png"}, []string{string(data), picture.Name})
	_, _, err = client.Groups.DownloadAvatar(t.Context(), GroupPath("acme/platform"))
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestGroupsMoves(t *testing.T) {
	const path, whole = "/groups/acme%2Fplatform", "groups/group.json"
	const refused = `{"message":"Transfer failed: Group is already a root group."}`
	groups := "[" + fixture(t, "groups/group_summary.json") + "]"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/restore", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/transfer", JSON: `{"group_id":3}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/transfer", JSON: `{}`, Status: 400, Body: refused},
		exchange{Method: "POST", Path: path + "/projects/acme%2Fengine", Status: 201, Fixture: whole},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "search=plat", Body: groups},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "per_page=100", Body: groups})
	s, ctx, platform := client.Groups, t.Context(), GroupPath("acme/platform")
	group, _, err := s.Restore(ctx, platform)
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	group, _, err = s.Transfer(ctx, platform, TransferGroupOptions{GroupID: new(int64(3))})
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	_, _, err = s.Transfer(ctx, platform, TransferGroupOptions{})
	require.ErrorIs(t, err, ErrBadRequest)
	group, _, err = s.TransferProject(ctx, platform, ProjectPath("acme/engine"))
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	found, _, err := s.ListTransferLocations(ctx, platform, &ListTransferLocationsOptions{Search: "plat"})
	require.NoError(t, err)
	assert.Equal(t, []*GroupSummary{platformSummary()}, found)
	found, err = Collect(s.AllTransferLocations(ctx, platform, nil))
	require.NoError(t, err)
	assert.Equal(t, []*GroupSummary{platformSummary()}, found)
}

func TestGroupsShare(t *testing.T) {
	const path, whole = "/groups/acme%2Fplatform/share", "groups/group.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"group_id":9,"group_access":30,"expires_at":"2026-03-01","member_role_id":5}`},
		exchange{Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":30}`, Status: 409,
			Body: `{"message":"Group has already been given access"}`},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx, platform := client.Groups, t.Context(), GroupPath("acme/platform")
	options := ShareGroupOptions{GroupID: 9, GroupAccess: AccessLevelDeveloper}
	group, _, err := s.Share(ctx, platform, ShareGroupOptions{
		GroupID: 9, GroupAccess: AccessLevelDeveloper, ExpiresAt: new(NewDate(2026, time.March, 1)),
		MemberRoleID: new(int64(5)),
	})
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	_, _, err = s.Share(ctx, platform, options)
	require.ErrorIs(t, err, ErrConflict)
	_, err = s.Unshare(ctx, platform, GroupID(9))
	require.NoError(t, err)
}

func TestGroupsSharedProjects(t *testing.T) {
	const path = "/groups/acme%2Fplatform/projects/shared"
	body := "[" + fixture(t, "projects/project.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "archived=false&min_access_level=30&order_by=name&search=eng&" +
			"simple=true&sort=asc&starred=true&visibility=private&with_custom_attributes=true&" +
			"with_issues_enabled=true&with_merge_requests_enabled=true", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	s, ctx, platform := client.Groups, t.Context(), GroupPath("acme/platform")
	projects, _, err := s.ListSharedProjects(ctx, platform, &ListSharedProjectsOptions{
		Search: "eng", Archived: new(false), Visibility: VisibilityPrivate, Starred: true,
		MinAccessLevel: AccessLevelDeveloper, WithIssuesEnabled: true, WithMergeRequestsEnabled: true,
		Simple: true, WithCustomAttributes: true, OrderBy: ProjectOrderByName, Sort: SortAscending,
	})
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, projects)
	projects, err = Collect(s.AllSharedProjects(ctx, platform, nil))
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, projects)
}

func TestGroupsMovesRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Groups, t.Context(), GroupRef{}
	share := ShareGroupOptions{GroupID: 9, GroupAccess: AccessLevelDeveloper}
	for _, err := range []error{
		errorOf(s.ListDescendants(ctx, none, nil)), errorOf(s.DownloadAvatar(ctx, none)), errorOf(s.Restore(ctx, none)),
		errorOf(s.Transfer(ctx, none, TransferGroupOptions{})), errorOf(s.TransferProject(ctx, none, ProjectID(1))),
		errorOf(s.ListTransferLocations(ctx, none, nil)), errorOf(s.Share(ctx, none, share)),
		errorOf(s.ListSharedProjects(ctx, none, nil)),
	} {
		assertRefused(t, "id", err)
	}
	acme := GroupPath("acme")
	keyset := &ListGroupsOptions{Pagination: PaginationKeyset}
	assertRefused(t, "Pagination", errorOf(s.ListDescendants(ctx, acme, keyset)))
	assertRefused(t, "GroupID", errorOf(s.Transfer(ctx, acme, TransferGroupOptions{GroupID: new(int64(0))})))
	assertRefused(t, "project_id", errorOf(s.TransferProject(ctx, acme, ProjectRef{})))
	assertRefused(t, "GroupID", errorOf(s.Share(ctx, acme, ShareGroupOptions{GroupAccess: AccessLevelDeveloper})))
	assertRefused(t, "GroupAccess", errorOf(s.Share(ctx, acme, ShareGroupOptions{GroupID: 9})))
	_, err := s.Unshare(ctx, acme, GroupPath("acme/platform"))
	assertRefused(t, "group", err)
}
