package wiretests

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listExchanges are the requests of ownedList.wants, with this body.
func listExchanges(path, query, body string) []exchange {
	filtered := exchange{Method: "GET", Path: path, Query: query, Body: body}
	return []exchange{filtered, {Method: "GET", Path: path, Body: "[]"}, filtered}
}

func TestGroupsArchive(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/groups/acme%2Fplatform/archive", Body: `{"id":4,"archived":true}`},
		exchange{Method: "POST", Path: "/groups/4/archive", Status: 422,
			Body: `{"message":"Group is already archived!"}`},
		exchange{Method: "POST", Path: "/groups/4/unarchive", Body: `{"id":4,"archived":false}`})
	s, ctx := client.Groups, t.Context()
	group, _, err := s.Archive(ctx, serviceapi.GroupPath("acme/platform"))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Group{GroupSummary: serviceapi.GroupSummary{ID: 4}, Archived: true}, group)
	_, _, err = s.Archive(ctx, serviceapi.GroupID(4))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	group, _, err = s.Unarchive(ctx, serviceapi.GroupID(4))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Group{GroupSummary: serviceapi.GroupSummary{ID: 4}}, group)
	assertRefused(t, "id", errorOf(s.Archive(ctx, serviceapi.GroupID(0))))
	assertRefused(t, "id", errorOf(s.Unarchive(ctx, serviceapi.GroupID(0))))
}

func TestGroupsShared(t *testing.T) {
	body := "[" + fixture(t, "groups/group_summary.json") + "]"
	want := []*serviceapi.Group{{GroupSummary: *platformSummary()}}
	s := onWire(t, append(listExchanges("/groups/7/groups/shared", "min_access_level=30&order_by=similarity&page=2&"+
		"per_page=5&search=pl&skip_groups%5B%5D=1&skip_groups%5B%5D=2&sort=desc&visibility=public&"+
		"with_custom_attributes=true", body), listExchanges("/groups/7/invited_groups", "min_access_level=30&page=2&"+
		"per_page=5&relation%5B%5D=direct&relation%5B%5D=inherited&search=pl&with_custom_attributes=true", body)...,
	)...).Groups
	page := serviceapi.ListOptions{Page: 2, PerPage: 5}
	shared := ownedList[serviceapi.GroupRef, *serviceapi.ListSharedGroupsOptions, *serviceapi.Group]{
		s.ListSharedGroups, s.AllSharedGroups,
	}
	shared.wants(t, someTeam, &serviceapi.ListSharedGroupsOptions{
		ListOptions: page, Search: "pl", SkipGroups: []int64{1, 2}, Visibility: serviceapi.VisibilityPublic,
		MinAccessLevel: serviceapi.AccessLevelDeveloper, OrderBy: serviceapi.GroupOrderBySimilarity,
		Sort: serviceapi.SortDescending, WithCustomAttributes: true,
	}, want)
	shared.refuses(t, "id", nil, serviceapi.GroupID(0))
	invited := ownedList[serviceapi.GroupRef, *serviceapi.ListInvitedGroupsOptions, *serviceapi.Group]{
		s.ListInvitedGroups, s.AllInvitedGroups,
	}
	invited.wants(t, someTeam, everyInvitedGroup(), want)
	invited.refuses(t, "id", nil, serviceapi.GroupID(0))
}

func everyInvitedGroup() *serviceapi.ListInvitedGroupsOptions {
	return &serviceapi.ListInvitedGroupsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Search: "pl",
		Relation: []serviceapi.InvitedGroupRelation{
			serviceapi.InvitedGroupRelationDirect, serviceapi.InvitedGroupRelationInherited,
		},
		MinAccessLevel: serviceapi.AccessLevelDeveloper, WithCustomAttributes: true,
	}
}

// userQuery is what everyUser and EnterpriseUsers send, but for two_factor.
const userQuery = "active=true&blocked=true&created_after=2026-01-02T03%3A04%3A05Z&" +
	"created_before=2026-02-02T03%3A04%3A05Z&page=2&per_page=5&search=love"

func TestGroupsUsers(t *testing.T) {
	body, query := "["+fixture(t, "users/user_admin.json")+"]", userQuery+"&username=ada"
	s := onWire(t, append(listExchanges("/groups/7/provisioned_users", query, body),
		listExchanges("/groups/7/saml_users", query, body)...)...).Groups
	day := time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)
	options := &serviceapi.ListGroupUsersOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Username: "ada", Search: "love", Active: true,
		Blocked: true, CreatedAfter: day, CreatedBefore: day.AddDate(0, 1, 0),
	}
	type lists = ownedList[serviceapi.GroupRef, *serviceapi.ListGroupUsersOptions, *serviceapi.User]
	for _, l := range []lists{{s.ListProvisionedUsers, s.AllProvisionedUsers}, {s.ListSAMLUsers, s.AllSAMLUsers}} {
		l.wants(t, someTeam, options, []*serviceapi.User{adaForAdmins(t)})
		l.refuses(t, "id", nil, serviceapi.GroupID(0))
	}
}

func TestGroupsPlaceholders(t *testing.T) {
	const path, table = "/groups/7/placeholder_reassignments", "Source host,Import type\n"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: table, ResponseHeader: map[string]string{"Content-Type": "text/csv"}},
		exchange{Method: "POST", Path: path, Status: 201, Body: `{"message":"The file is being processed"}`,
			Multipart: []string{"file[p.csv;application/octet-stream]=filled in"}},
		exchange{Method: "POST", Path: path, Status: 422, Multipart: []string{"file[p.txt;application/octet-stream]=x"},
			Body: `{"message":"You must upload a CSV file with a .csv file extension."}`})
	s, ctx := client.Groups, t.Context()
	download, _, err := s.DownloadPlaceholderReassignments(ctx, someTeam)
	require.NoError(t, err)
	content, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, table, string(content))
	file := func(name, content string) serviceapi.ReassignPlaceholdersOptions {
		return serviceapi.ReassignPlaceholdersOptions{
			File: serviceapi.Upload{Filename: name, Content: strings.NewReader(content)},
		}
	}
	resp, err := s.ReassignPlaceholders(ctx, someTeam, file("p.csv", "filled in"))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	_, err = s.ReassignPlaceholders(ctx, someTeam, file("p.txt", "x"))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assertRefused(t, "id", errorOf(s.DownloadPlaceholderReassignments(ctx, serviceapi.GroupID(0))))
	assertRefused(t, "id", second(s.ReassignPlaceholders(ctx, serviceapi.GroupID(0), file("p.csv", "x"))))
	assertRefused(t, "File", second(s.ReassignPlaceholders(ctx, someTeam, serviceapi.ReassignPlaceholdersOptions{})))
}
