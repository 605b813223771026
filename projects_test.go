package serviceapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// engineProject is testdata/projects/project.json.
func engineProject(t *testing.T) *Project {
	return new(withFields(engineSettings(t), Project{
		ID: 7, Description: "Computes tables", Name: "Engine", NameWithNamespace: "Acme / Engine",
		Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		DescriptionHTML: "<p>Computes tables</p>", Visibility: VisibilityInternal, DefaultBranch: "main",
		SSHURLToRepo: "git@service.test:acme/engine.git", HTTPURLToRepo: "https://service.test/acme/engine.git",
		WebURL: "https://service.test/acme/engine", ReadmeURL: "https://service.test/acme/engine/-/blob/main/README.md",
		Topics: []string{"tables"}, TagList: []string{"tables"}, Owner: new(accountSummary()),
		Namespace: &NamespaceSummary{
			ID: 3, Name: "Acme", Path: "acme", Kind: NamespaceKindGroup, FullPath: "above/acme", ParentID: new(int64(2)),
			AvatarURL: "/uploads/acme.png", WebURL: "https://service.test/groups/acme",
		},
		Archived: true, EmptyRepo: true, AvatarURL: "https://service.test/uploads/engine.png",
		LastActivityAt: *at(t, "2026-02-05T08:30:00Z"), UpdatedAt: at(t, "2026-02-06T08:30:00Z"),
		CreatorID: 5, StarCount: 11, ForksCount: 2, OpenIssuesCount: new(4),
		ForkedFromProject: &Project{
			ID: 6, Name: "Mill", NameWithNamespace: "Up / Mill", Path: "mill", PathWithNamespace: "up/mill", CreatedAt: *at(t, "2026-01-04T08:30:00Z"),
			DefaultBranch: "main",
		},
		CanCreateMergeRequestIn: true, LicenseURL: "https://service.test/acme/engine/-/blob/main/LICENSE",
		License: &ProjectLicense{
			Key: "mit", Name: "MIT License", HTMLURL: "https://licenses.test/mit", Nickname: "Expat", SourceURL: "https://source.test/mit",
		},
		ServiceDeskAddress: "engine@service.test", ContainerRegistryImagePrefix: "registry.service.test/acme/engine",
		SharedWithGroups: []*SharedGroup{guestsShare()},
		Permissions: &ProjectPermissions{
			ProjectAccess: &ProjectPermission{AccessLevel: AccessLevelDeveloper, NotificationLevel: 3},
			GroupAccess:   &ProjectPermission{AccessLevel: AccessLevelOwner, NotificationLevel: 1},
		},
		Statistics: countedStatistics(),
		Links: &ProjectLinks{
			Self: "https://service.test/api/v4/projects/7", Issues: "https://service.test/api/v4/projects/7/issues",
			MergeRequests: "https://service.test/api/v4/projects/7/merge_requests", RepoBranches: "https://service.test/api/v4/projects/7/repository/branches",
			Labels: "https://service.test/api/v4/projects/7/labels", Events: "https://service.test/api/v4/projects/7/events",
			Members: "https://service.test/api/v4/projects/7/members", ClusterAgents: "https://service.test/api/v4/projects/7/cluster_agents",
		},
		ImportURL: "https://elsewhere.test/engine.git", ImportType: "git", ImportStatus: ImportStateFailed, ImportError: "It broke",
		RunnersToken: NewSecret("registration-token"), RepositoryStorage: "disk-2",
		MarkedForDeletionOn: new(NewDate(2026, time.March, 1)), MarkedForDeletionAt: new(NewDate(2026, time.March, 1)),
		ComplianceFrameworks: []string{"SOX"}, CustomAttributes: teamAttribute(),
	}))
}

func guestsShare() *SharedGroup {
	return &SharedGroup{
		GroupID: 9, GroupName: "Guests", GroupFullPath: "guests", GroupAccessLevel: AccessLevelReporter, ExpiresAt: new(NewDate(2026, time.December, 31)),
	}
}

func countedStatistics() *ProjectStatistics {
	return &ProjectStatistics{
		CommitCount: 1, StorageSize: 2, RepositorySize: 3, WikiSize: 4, LFSObjectsSize: 5, JobArtifactsSize: 6,
		PipelineArtifactsSize: 7, PackagesSize: 8, SnippetsSize: 9, UploadsSize: 10, ContainerRegistrySize: 11,
	}
}

// teamAttribute is the custom attribute of the fixtures.
func teamAttribute() *CustomAttributes {
	return &CustomAttributes{
		Values: map[string]string{"team": "engines"}, Raw: json.RawMessage(`[{"key": "team", "value": "engines"}]`),
	}
}

// assertFilled checks that no field of a struct is zero, because the fixture
// would then not show whether the field is decoded.
func assertFilled(t *testing.T, v any) {
	t.Helper()
	for _, field := range reflect.VisibleFields(reflect.Indirect(reflect.ValueOf(v)).Type()) {
		value := reflect.Indirect(reflect.ValueOf(v)).FieldByIndex(field.Index)
		assert.False(t, value.IsZero(), "the fixture has no %s", field.Name)
	}
}

func TestProjectsGet(t *testing.T) {
	const path = "/projects/acme%2Fengine"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "projects/project.json"},
		exchange{Method: "GET", Path: path, Query: "license=true&statistics=true&with_custom_attributes=true", Fixture: "projects/project.json"})
	project, resp, err := client.Projects.Get(t.Context(), ProjectPath("acme/engine"), nil)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, engineProject(t), project)
	assertFilled(t, project)

	_, _, err = client.Projects.Get(t.Context(), ProjectPath("acme/engine"), &GetProjectOptions{Statistics: true, License: true, WithCustomAttributes: true})
	require.NoError(t, err)
}

// TestProjectsKeepTheTokenOfRunners checks that errors of projects do not show
// the token in the response.
func TestProjectsKeepTheTokenOfRunners(t *testing.T) {
	const broken = `{"runners_token":"registration-token","id":"seven"}`
	client := onWire(t, exchange{Method: "GET", Path: "/projects/7", Body: broken}, exchange{Method: "GET", Path: "/projects", Body: "[" + broken + "]"},
		exchange{Method: "GET", Path: "/groups", Body: "[" + broken + "]"}, exchange{Method: "GET", Path: "/groups/7/variables", Body: `[{"value":"registration-token","key":7}]`})
	_, _, err := client.Projects.Get(t.Context(), ProjectID(7), nil)
	for _, err := range []error{err, errorOf(client.Projects.List(t.Context(), Instance, nil)), errorOf(client.Groups.List(t.Context(), Instance, nil)),
		errorOf(client.Variables.List(t.Context(), GroupID(7), nil))} {
		var decode *DecodeError
		require.ErrorAs(t, err, &decode)
		assert.NotContains(t, fmt.Sprintf("%v %+v", err, *decode), "registration-token")
	}
}

// errorOf is the error of a call.
func errorOf[T any](_ T, _ *Response, err error) error { return err }

func TestProjectsList(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects", Fixture: "projects/projects.json"},
		exchange{Method: "GET", Path: "/groups/acme%2Fplatform/projects", Fixture: "projects/projects.json"},
		exchange{Method: "GET", Path: "/users/ada/projects", Query: "per_page=100", Fixture: "projects/projects.json"},
	)
	site := &Project{
		ID: 9, Name: "Site", NameWithNamespace: "Ada / Site", Path: "site", PathWithNamespace: "ada/site",
		CreatedAt:    *at(t, "2026-01-06T08:30:00Z"),
		SSHURLToRepo: "git@service.test:ada/site.git", HTTPURLToRepo: "https://service.test/ada/site.git", WebURL: "https://service.test/ada/site",
		Topics: []string{}, TagList: []string{}, LastActivityAt: *at(t, "2026-02-05T08:30:00Z"),
		Namespace: &NamespaceSummary{ID: 17, Name: "Ada", Path: "ada", Kind: NamespaceKindUser, FullPath: "ada", WebURL: "https://service.test/ada"},
	}
	want := []*Project{site, engineProject(t)}
	projects, _, err := client.Projects.List(t.Context(), Instance, nil)
	require.NoError(t, err)
	assert.Equal(t, want, projects)
	projects, _, err = client.Projects.List(t.Context(), GroupPath("acme/platform"), nil)
	require.NoError(t, err)
	assert.Equal(t, want, projects)
	projects, err = Collect(client.Projects.All(t.Context(), Username("ada"), nil))
	require.NoError(t, err)
	assert.Equal(t, want, projects)
}

// commonProjectFilters are those that every owner takes.
func commonProjectFilters() *ListProjectsOptions {
	return &ListProjectsOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 5}, Search: "eng ine", Archived: new(false), Visibility: VisibilityPublic,
		Owned: true, Starred: true, MinAccessLevel: AccessLevelDeveloper, Topic: "go", WithIssuesEnabled: true, WithMergeRequestsEnabled: true,
		Simple: true, WithCustomAttributes: true, OrderBy: ProjectOrderBySimilarity, Sort: SortAscending,
	}
}

const commonProjectQuery = "archived=false min_access_level=30 order_by=similarity owned=true page=2 per_page=5 search=eng+ine simple=true sort=asc " +
	"starred=true topic=go visibility=public with_custom_attributes=true with_issues_enabled=true with_merge_requests_enabled=true"

// queryWith adds parameters to a query, in order.
func queryWith(query string, more ...string) string {
	words := append(strings.Fields(query), more...)
	slices.Sort(words)
	return strings.Join(words, "&")
}

func TestProjectsListSendsEveryFilter(t *testing.T) {
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	options := commonProjectFilters()
	options.SearchNamespaces, options.Membership, options.Statistics = true, true, true
	options.WithProgrammingLanguage, options.IDAfter, options.IDBefore = "Go", 3, 90
	options.LastActivityAfter, options.LastActivityBefore = day, day.AddDate(0, 1, 0)
	options.UpdatedAfter, options.UpdatedBefore = day, day.AddDate(0, 1, 0)
	ofUser := queryWith(commonProjectQuery, "search_namespaces=true", "membership=true", "statistics=true", "with_programming_language=Go", "id_after=3", "id_before=90",
		"last_activity_after=2026-01-02T03%3A04%3A05.000000006Z", "last_activity_before=2026-02-02T03%3A04%3A05.000000006Z",
		"updated_after=2026-01-02T03%3A04%3A05.000000006Z", "updated_before=2026-02-02T03%3A04%3A05.000000006Z")
	ofInstance := queryWith(strings.ReplaceAll(ofUser, "&", " "), "pagination=offset", "repository_storage=disk-2", "repository_checksum_failed=true", "topic_id=4",
		"imported=true", "active=false", "marked_for_deletion_on=2026-03-01", "include_pending_delete=true", "include_hidden=true")
	ofGroup := queryWith(commonProjectQuery, "include_subgroups=true", "with_shared=false", "with_security_reports=true")
	client := onWire(t,
		exchange{Method: "GET", Path: "/users/5/projects", Query: ofUser, Body: "[]"},
		exchange{Method: "GET", Path: "/projects", Query: ofInstance, Body: "[]"},
		exchange{Method: "GET", Path: "/projects", Query: ofInstance, Body: "[]"},
		exchange{Method: "GET", Path: "/groups/3/projects", Query: ofGroup, Body: "[]"})
	require.NoError(t, errorOf(client.Projects.List(t.Context(), UserID(5), options)))

	options.Pagination, options.RepositoryStorage, options.RepositoryChecksumFailed = PaginationOffset, "disk-2", true
	options.TopicID, options.Imported, options.Active, options.MarkedForDeletionOn = 4, true, new(false), NewDate(2026, time.March, 1)
	options.IncludePendingDelete, options.IncludeHidden = true, true
	require.NoError(t, errorOf(client.Projects.List(t.Context(), Instance, options)))
	_, err := Collect(client.Projects.All(t.Context(), Instance, options))
	require.NoError(t, err)

	options = commonProjectFilters()
	options.IncludeSubgroups, options.WithShared, options.WithSecurityReports = true, new(false), true
	require.NoError(t, errorOf(client.Projects.List(t.Context(), GroupID(3), options)))
}

func TestProjectsListRefusesWhatTheOwnerDoesNotTake(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	for _, test := range []struct {
		owner    ProjectOwner
		options  ListProjectsOptions
		argument string
	}{
		{GroupID(3), ListProjectsOptions{Membership: true}, "Membership"},
		{GroupID(3), ListProjectsOptions{Pagination: PaginationKeyset}, "Pagination"},
		{UserID(3), ListProjectsOptions{RepositoryStorage: "disk-2"}, "RepositoryStorage"},
		{UserID(3), ListProjectsOptions{WithShared: new(true)}, "WithShared"},
		{Instance, ListProjectsOptions{IncludeSubgroups: true}, "IncludeSubgroups"},
		{Instance, ListProjectsOptions{Pagination: PaginationKeyset, OrderBy: ProjectOrderByName}, "OrderBy"},
		{Instance, ListProjectsOptions{Pagination: PaginationKeyset, Sort: "up"}, "Sort"},
		{Instance, ListProjectsOptions{Pagination: PaginationKeyset, ListOptions: ListOptions{Page: 2}}, "Page"},
		{nil, ListProjectsOptions{}, "owner"},
		{new(GroupID(3)), ListProjectsOptions{}, "owner"},
		{(*UserRef)(nil), ListProjectsOptions{}, "owner"},
		{GroupRef{}, ListProjectsOptions{}, "id"},
		{UserRef{}, ListProjectsOptions{}, "user_id"},
	} {
		assertRefused(t, test.argument, errorOf(s.List(ctx, test.owner, &test.options)))
		_, err := Collect(s.All(ctx, test.owner, &test.options))
		assertRefused(t, test.argument, err)
	}
}

// TestProjectsAllByKeyset checks that setting Pagination is enough.
func TestProjectsAllByKeyset(t *testing.T) {
	const query = "order_by=id&pagination=keyset&per_page=100&sort="
	var exchanges []exchange
	for _, direction := range []string{"desc", "asc"} {
		exchanges = append(exchanges, exchange{
			Method: "GET", Path: "/projects", Query: query + direction, Body: `[{"id":7}]`,
			AnswerHeader: map[string]string{"Link": `<https://service.test/api/v4/projects?id_after=7&` + query + direction + `>; rel="next"`},
		}, exchange{Method: "GET", Path: "/projects", Query: "id_after=7&" + query + direction, Body: `[]`})
	}
	client := onWire(t, exchanges...)
	for _, options := range []ListProjectsOptions{
		{Pagination: PaginationKeyset},
		{Pagination: PaginationKeyset, OrderBy: ProjectOrderByID, Sort: SortAscending},
	} {
		before := options
		projects, err := Collect(client.Projects.All(t.Context(), Instance, &options))
		require.NoError(t, err)
		require.Len(t, projects, 1)
		assert.Equal(t, int64(7), projects[0].ID)
		assert.Equal(t, before, options, "the caller's own options stay as they were")
	}
}
