package servicetests

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceKeysetsOfToday checks the lists for which newer releases support
// keyset pagination.
func TestServiceKeysetsOfToday(t *testing.T) {
	svc, app, dev := newApp(t)
	ctx, root := t.Context(), asRoot(t, svc)
	runner := svc.Runner("fast", servicetest.RunnerSystemID("s_7f"))
	pipeline, repository := app.Pipeline("main"), app.RegistryRepository("web")
	for _, tag := range []string{"v1", "v2", "v3", "v4", "v5"} {
		pipeline.Job("test", servicetest.RunOn(runner))
		repository.Push(tag)
		app.AuditEvent(svc.Root(), servicetest.AuditDetails{"add": tag})
		svc.AuditEvent(svc.Root(), servicetest.AuditDetails{"add": tag})
	}
	page := serviceapi.ListOptions{PerPage: 2}

	t.Run("tags of the registry", func(t *testing.T) {
		tags, err := serviceapi.Collect(dev.Registry.AllTags(ctx, acmeApp, repository.ID(),
			&serviceapi.ListRegistryTagsOptions{
				ListOptions: page, Pagination: serviceapi.PaginationKeyset,
			}))
		require.NoError(t, err)
		require.Len(t, tags, 5)
		assert.Equal(t, []string{"v1", "v5"}, []string{tags[0].Name, tags[4].Name})
	})
	t.Run("jobs of a runner", func(t *testing.T) {
		options := serviceapi.ListRunnerJobsOptions{ListOptions: page, Pagination: serviceapi.PaginationKeyset,
			SystemID: "s_7f"}
		for sort, want := range map[serviceapi.Sort][]int64{
			serviceapi.SortAscending: {1, 2, 3, 4, 5}, serviceapi.SortDescending: {5, 4, 3, 2, 1},
		} {
			options.Sort = sort
			jobs, err := serviceapi.Collect(dev.Runners.AllJobs(ctx, runner.ID(), &options))
			require.NoError(t, err)
			var ids []int64
			for _, job := range jobs {
				ids = append(ids, job.ID)
			}
			assert.Equal(t, want, ids)
		}
		none, _, err := dev.Runners.ListJobs(ctx, runner.ID(), &serviceapi.ListRunnerJobsOptions{SystemID: "s_80"})
		require.NoError(t, err)
		assert.Empty(t, none, "of another process")
	})
	t.Run("audit events", func(t *testing.T) {
		for _, owner := range []serviceapi.AuditEventOwner{serviceapi.Instance, acmeApp} {
			events, err := serviceapi.Collect(root.AuditEvents.All(ctx, owner, &serviceapi.ListAuditEventsOptions{
				ListOptions: page, Pagination: serviceapi.PaginationKeyset,
			}))
			require.NoError(t, err)
			require.Len(t, events, 5)
			assert.Greater(t, events[0].ID, events[4].ID, "the newest first")
		}
	})
	for _, request := range svc.Requests("GET /projects/:id/registry/repositories/:repository_id/tags",
		"GET /runners/:id/jobs", "GET /audit_events") {
		assert.False(t, request.Query.Has("page"), "%s %s", request.Route, request.Query)
	}
}

// TestServiceMembersAndSeats checks that is_using_seat is returned only on
// request.
func TestServiceMembersAndSeats(t *testing.T) {
	svc, app, dev := newApp(t)
	app.AddMember(svc.User("idle", servicetest.Blocked()), servicetest.Guest)
	for _, show := range []bool{false, true} {
		members, _, err := dev.Members.List(t.Context(), acmeApp, &serviceapi.ListMembersOptions{ShowSeatInfo: show})
		require.NoError(t, err)
		inherited, _, err := dev.Members.ListInherited(t.Context(), acmeApp,
			&serviceapi.ListInheritedMembersOptions{ShowSeatInfo: show})
		require.NoError(t, err)
		for _, member := range append(members, inherited...) {
			if !show {
				assert.Nil(t, member.IsUsingSeat)
				continue
			}
			require.NotNil(t, member.IsUsingSeat)
			assert.Equal(t, member.Username == "dev", *member.IsUsingSeat, member.Username)
		}
		assert.Len(t, members, 2)
	}
}

// TestServiceMergeRequestFiltersOfToday checks the filters that releases after
// 15.2 have added to a project's list, and HTML in every list.
func TestServiceMergeRequestFiltersOfToday(t *testing.T) {
	svc, app, dev := newApp(t)
	ctx := t.Context()
	app.Commit("main", "Begin", servicetest.Write("a.txt", "a"))
	app.Branch("fix", "main")
	app.Commit("fix", "Fix <it>", servicetest.Write("a.txt", "b"))
	app.MergeRequest("fix", servicetest.Title("Fix <it>"), servicetest.Description("See a & b"),
		servicetest.By(svc.Root()))
	_, _, err := as(t, svc, svc.Root()).MergeRequests.Merge(ctx, acmeApp.MergeRequest(1), serviceapi.MergeOptions{})
	require.NoError(t, err)
	deployment := app.Environment("production").Deployment()
	at := svc.Now()

	for name, test := range map[string]struct {
		options serviceapi.ListMergeRequestsOptions
		want    int
	}{
		"search in titles": {serviceapi.ListMergeRequestsOptions{Search: "see",
			In: []serviceapi.SearchField{serviceapi.SearchFieldTitle}}, 0},
		"search in descriptions": {serviceapi.ListMergeRequestsOptions{Search: "see",
			In: []serviceapi.SearchField{serviceapi.SearchFieldDescription}}, 1},
		"deployed by then": {serviceapi.ListMergeRequestsOptions{DeployedAfter: at.Add(-time.Hour),
			DeployedBefore: at.Add(time.Hour)}, 1},
		"deployed later":  {serviceapi.ListMergeRequestsOptions{DeployedAfter: at.Add(time.Hour)}, 0},
		"deployed before": {serviceapi.ListMergeRequestsOptions{DeployedBefore: at.Add(-time.Hour)}, 0},
	} {
		requests, _, err := dev.MergeRequests.List(ctx, acmeApp, &test.options)
		require.NoError(t, err, name)
		assert.Len(t, requests, test.want, name)
		requests, _, err = dev.Deployments.ListMergeRequests(ctx, acmeApp, deployment.ID(), &test.options)
		require.NoError(t, err, name)
		assert.Len(t, requests, test.want, "%s, of a deployment", name)
	}
	for _, owner := range []serviceapi.MergeRequestOwner{acmeApp, serviceapi.GroupPath("acme"), serviceapi.Instance} {
		options := serviceapi.ListMergeRequestsOptions{Scope: serviceapi.MergeRequestScopeAll}
		requests, _, err := dev.MergeRequests.List(ctx, owner, &options, serviceapi.WithQuery("render_html", "true"))
		require.NoError(t, err)
		require.Len(t, requests, 1)
		assert.Empty(t, requests[0].TitleHTML+requests[0].DescriptionHTML, "%v", owner)
	}
}

func TestServiceDiffsNameTheirFiles(t *testing.T) {
	_, app, dev := newApp(t)
	sha := app.Commit("main", "Begin", servicetest.Write("a.txt", "a\n"))
	for unidiff, want := range map[bool]string{false: "@@ -0,0 +1 @@\n+a\n",
		true: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n"} {
		diffs, _, err := dev.Commits.ListDiffs(t.Context(), acmeApp, sha,
			&serviceapi.ListCommitDiffsOptions{Unidiff: unidiff})
		require.NoError(t, err)
		require.Len(t, diffs, 1)
		assert.Equal(t, want, diffs[0].Diff)
	}
}

// TestServiceProjectFiltersOfToday checks the filters of newer releases for the
// lists of all projects and of all groups.
func TestServiceProjectFiltersOfToday(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(48*time.Hour))
	ctx, root := t.Context(), asRoot(t, svc)
	for _, name := range []string{"acme/old", "beta/gone"} {
		svc.Project(name)
	}
	svc.Project("acme/closed", servicetest.Archived())
	svc.Advance(24 * time.Hour)
	svc.Project("acme/new")
	svc.Group("acme", servicetest.Public())
	_, err := root.Projects.Delete(ctx, serviceapi.ProjectPath("beta/gone"), nil)
	require.NoError(t, err)
	_, err = root.Groups.Delete(ctx, serviceapi.GroupPath("beta"), nil)
	require.NoError(t, err)
	_, _, err = root.ProjectImport.FromFile(ctx, serviceapi.ImportFromFileOptions{
		Path: "copy", File: serviceapi.Upload{Filename: "copy.tar.gz",
			Content: bytes.NewReader(svc.FindProject("acme/old").ExportedArchive())},
	})
	require.NoError(t, err)
	day := svc.Now()
	today := serviceapi.NewDate(day.Year(), day.Month(), day.Day())

	for name, test := range map[string]struct {
		options serviceapi.ListProjectsOptions
		want    []string
	}{
		"active":          {serviceapi.ListProjectsOptions{Active: new(true)}, []string{"copy", "new", "old"}},
		"not active":      {serviceapi.ListProjectsOptions{Active: new(false)}, []string{"closed", "gone"}},
		"marked today":    {serviceapi.ListProjectsOptions{MarkedForDeletionOn: today}, []string{"gone"}},
		"imported":        {serviceapi.ListProjectsOptions{Imported: true}, []string{"copy"}},
		"checksum failed": {serviceapi.ListProjectsOptions{RepositoryChecksumFailed: true}, nil},
		"topic":           {serviceapi.ListProjectsOptions{TopicID: 7}, nil},
		"deleted, hidden": {serviceapi.ListProjectsOptions{IncludePendingDelete: true, IncludeHidden: true},
			[]string{"closed", "copy", "gone", "new", "old"}},
		"updated since": {serviceapi.ListProjectsOptions{UpdatedAfter: day.Add(-time.Hour),
			OrderBy: serviceapi.ProjectOrderByUpdatedAt}, []string{"copy", "new"}},
		"updated before": {serviceapi.ListProjectsOptions{UpdatedBefore: day.Add(-time.Hour),
			OrderBy: serviceapi.ProjectOrderByUpdatedAt}, []string{"closed", "gone", "old"}},
	} {
		projects, _, err := root.Projects.List(ctx, serviceapi.Instance, &test.options)
		require.NoError(t, err, name)
		var paths []string
		for _, project := range projects {
			paths = append(paths, project.Path)
		}
		assert.ElementsMatch(t, test.want, paths, name)
	}
	_, _, err = root.Projects.List(ctx, serviceapi.Instance, &serviceapi.ListProjectsOptions{UpdatedAfter: day})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "only with the order")

	for name, test := range map[string]struct {
		options serviceapi.ListGroupsOptions
		want    []string
	}{
		"visibility":   {serviceapi.ListGroupsOptions{Visibility: serviceapi.VisibilityPublic}, []string{"acme"}},
		"storage":      {serviceapi.ListGroupsOptions{RepositoryStorage: "other"}, nil},
		"its storage":  {serviceapi.ListGroupsOptions{RepositoryStorage: "default"}, []string{"acme", "beta"}},
		"active":       {serviceapi.ListGroupsOptions{Active: new(true)}, []string{"acme"}},
		"not active":   {serviceapi.ListGroupsOptions{Active: new(false)}, []string{"beta"}},
		"marked today": {serviceapi.ListGroupsOptions{MarkedForDeletionOn: today}, []string{"beta"}},
		"archived":     {serviceapi.ListGroupsOptions{Archived: new(true)}, nil},
		"not archived": {serviceapi.ListGroupsOptions{Archived: new(false)}, []string{"acme", "beta"}},
	} {
		groups, _, err := root.Groups.List(ctx, serviceapi.Instance, &test.options)
		require.NoError(t, err, name)
		var paths []string
		for _, group := range groups {
			paths = append(paths, group.Path)
		}
		assert.ElementsMatch(t, test.want, paths, name)
	}
}

// TestServiceFiltersOfTheTier checks that a filter that the tier does not have
// is refused, not ignored.
func TestServiceFiltersOfTheTier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	root := asRoot(t, svc)
	_, _, err := root.Projects.List(t.Context(), serviceapi.Instance,
		&serviceapi.ListProjectsOptions{RepositoryChecksumFailed: true})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	for _, options := range []serviceapi.ListGroupsOptions{
		{RepositoryStorage: "default"}, {MarkedForDeletionOn: serviceapi.NewDate(2026, 3, 1)},
	} {
		_, _, err := root.Groups.List(t.Context(), serviceapi.Instance, &options)
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	}
}

// TestServiceParametersOfToday: what newer releases take in calls that are older
// than they are.
func TestServiceParametersOfToday(t *testing.T) {
	svc, app, _ := newApp(t)
	ctx, root := t.Context(), asRoot(t, svc)

	t.Run("members by name", func(t *testing.T) {
		ada, bob := svc.User("ada"), svc.User("bob")
		member, _, err := root.Members.Add(ctx, acmeApp, serviceapi.Username("Ada"), serviceapi.AccessLevelGuest,
			serviceapi.AddMemberOptions{})
		require.NoError(t, err)
		assert.Equal(t, ada.ID(), member.ID)
		_, _, err = root.Members.AddSeveral(ctx, acmeApp, []serviceapi.UserRef{serviceapi.Username("bob"),
			serviceapi.Username("zoe")}, serviceapi.AccessLevelGuest, serviceapi.AddMemberOptions{})
		require.ErrorContains(t, err, "zoe 404 User Not Found")
		_, added := app.Membership(bob)
		assert.True(t, added)
		_, _, err = root.Members.Add(ctx, acmeApp, serviceapi.Username("zoe"), serviceapi.AccessLevelGuest,
			serviceapi.AddMemberOptions{})
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	})
	t.Run("deploy keys that expire", func(t *testing.T) {
		until := svc.Now().Add(48 * time.Hour)
		_, _, err := root.DeployKeys.Create(ctx, acmeApp, serviceapi.CreateDeployKeyOptions{Title: "build",
			Key: knownKey, ExpiresAt: &until})
		require.NoError(t, err)
		keys, _, err := root.DeployKeys.List(ctx, serviceapi.Username("dev"), nil)
		require.NoError(t, err)
		require.Len(t, keys, 1)
		assert.Equal(t, &until, keys[0].ExpiresAt)
	})
	t.Run("notes about runners", func(t *testing.T) {
		runner := svc.Runner("fast")
		changed, _, err := root.Runners.Update(ctx, runner.ID(),
			serviceapi.UpdateRunnerOptions{MaintenanceNote: new("Ask Ada.")})
		require.NoError(t, err)
		assert.Equal(t, "Ask Ada.", changed.MaintenanceNote)
		_, _, err = root.Runners.Update(ctx, runner.ID(),
			serviceapi.UpdateRunnerOptions{MaintenanceNote: new(strings.Repeat("ä", 1025))})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.Equal(t, "Ask Ada.", runner.MaintenanceNote())
	})
	t.Run("artifacts of an earlier success", func(t *testing.T) {
		app.Pipeline("main").Job("build", servicetest.Archive(map[string]string{"a.txt": "earlier"}))
		app.Pipeline("main").Job("build")
		for search, want := range map[bool]error{false: serviceapi.ErrNotFound, true: nil} {
			d, _, err := root.JobArtifacts.DownloadLatestFile(ctx, acmeApp, "a.txt",
				&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "build",
					SearchRecentSuccessfulPipelines: search})
			if want != nil {
				require.ErrorIs(t, err, want)
				continue
			}
			require.NoError(t, err)
			text, err := io.ReadAll(d)
			require.NoError(t, err)
			assert.Equal(t, "earlier", string(text))
			require.NoError(t, d.Close())
		}
	})
}
