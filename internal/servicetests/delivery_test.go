package servicetests

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func contentOf(t *testing.T, d *serviceapi.Download, _ *serviceapi.Response, err error) string {
	t.Helper()
	require.NoError(t, err)
	defer d.Close()
	content, err := io.ReadAll(d)
	require.NoError(t, err)
	return string(content)
}

// TestServiceReleasesOfGroups reads the releases of a group, and what a link of one leads to: the
// other host gets no credential.
func TestServiceReleasesOfGroups(t *testing.T) {
	var seen []http.Header
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header)
		_, _ = w.Write([]byte("content of " + r.URL.Path))
	}))
	t.Cleanup(store.Close)
	r := newReviewTeam(t)
	r.app.Release("v1", "The first.", servicetest.CreatedAt(servicetest.Epoch.Add(-time.Hour)))
	r.svc.Project("acme/web/site", servicetest.Member(r.eve, servicetest.Reporter)).Release("v2", "The second.")
	r.svc.Project("acme/hidden").Release("v3", "")
	s, ctx := as(t, r.svc, r.eve).Releases, t.Context()
	for _, test := range []struct {
		options *serviceapi.ListReleasesOptions
		want    []string
	}{
		{nil, []string{"v2", "v1"}},
		{&serviceapi.ListReleasesOptions{Sort: serviceapi.SortAscending, Simple: true}, []string{"v1", "v2"}},
	} {
		var tags []string
		for release, err := range s.All(ctx, serviceapi.GroupPath("acme"), test.options) {
			require.NoError(t, err)
			assert.Equal(t, test.options == nil, release.Commit != nil)
			tags = append(tags, release.TagName)
		}
		assert.Equal(t, test.want, tags)
	}
	_, resp, err := s.List(ctx, serviceapi.GroupPath("acme"), nil)
	require.NoError(t, err)
	assert.False(t, resp.HasTotal())
	_, _, err = as(t, r.svc, r.ada).Releases.CreateLink(ctx, mergeApp, "v1", serviceapi.CreateReleaseLinkOptions{
		Name: "app", URL: store.URL + "/files/app", DirectAssetPath: new("/bin/app"),
	})
	require.NoError(t, err)
	file := serviceapi.ReleaseFile{TagName: "v1", DirectAssetPath: "/bin/app"}
	d, resp, err := s.DownloadFile(ctx, mergeApp, file)
	assert.Equal(t, "content of /files/app", contentOf(t, d, resp, err))
	require.Len(t, seen, 1)
	for _, header := range []string{"Private-Token", "Authorization", "Cookie", "Referer"} {
		assert.Empty(t, seen[0].Get(header), header)
	}
	file.DirectAssetPath = "/bin/none"
	_, _, err = s.DownloadFile(ctx, mergeApp, file)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceSummariesOfPipelines reads the counts of a test report, and the tree of an archive
// down to a file.
func TestServiceSummariesOfPipelines(t *testing.T) {
	r := newReviewTeam(t)
	pipeline := r.app.Pipeline("main")
	job := pipeline.Job("test",
		servicetest.JUnit(`<testsuite><testcase name="a" time="1.5"/><testcase name="b"><skipped/></testcase>`+
			`<testcase name="c"><error/></testcase><testcase name="d"><failure/></testcase></testsuite>`),
		servicetest.Archive(map[string]string{"out/a b.txt": "content", "z.txt": "", "out/in/c.txt": "c"}))
	broken := pipeline.Job("broken", servicetest.JUnit("<testsuite"))
	client, ctx := as(t, r.svc, r.eve), t.Context()
	summary, _, err := client.Pipelines.TestReportSummary(ctx, mergeApp, pipeline.ID())
	require.NoError(t, err)
	const problem = "The report cannot be parsed"
	assert.Equal(t, &serviceapi.TestReportSummary{
		Total: &serviceapi.TestReportTotal{
			Time: 1.5, Count: 4, Success: 1, Failed: 1, Skipped: 1, Error: 1, SuiteError: problem,
		},
		TestSuites: []*serviceapi.TestSuite{{
			Name: "test", TotalTime: 1.5, TotalCount: 4, SuccessCount: 1, FailedCount: 1, SkippedCount: 1,
			ErrorCount: 1, BuildIDs: []int64{job.ID()},
		}, {Name: "broken", SuiteError: problem, BuildIDs: []int64{broken.ID()}}},
	}, summary)

	paths := func(options *serviceapi.ListArtifactTreeOptions) (paths []string) {
		for entry, err := range client.JobArtifacts.AllTree(ctx, mergeApp, job.ID(), options) {
			require.NoError(t, err)
			assert.Equal(t, entry.Type == serviceapi.ArtifactEntryTypeFile, entry.Size != nil, entry.Path)
			assert.Equal(t, entry.Type == serviceapi.ArtifactEntryTypeDirectory, strings.HasSuffix(entry.Path, "/"))
			paths = append(paths, entry.Path)
		}
		return paths
	}
	assert.Equal(t, []string{"out/", "z.txt"}, paths(nil))
	assert.Equal(t, []string{"out/in/", "out/a b.txt"}, paths(&serviceapi.ListArtifactTreeOptions{Path: "out"}))
	whole := paths(&serviceapi.ListArtifactTreeOptions{Recursive: true})
	assert.Equal(t, []string{"out/", "out/in/", "out/a b.txt", "out/in/c.txt", "z.txt"}, whole)
	d, resp, err := client.JobArtifacts.DownloadFile(ctx, mergeApp, job.ID(), whole[2])
	assert.Equal(t, "content", contentOf(t, d, resp, err))
	_, _, err = client.JobArtifacts.ListTree(ctx, mergeApp, broken.ID(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "Artifacts")
}

// TestServiceMakesDeployKeysForAll makes a key of the instance, which a project enables.
func TestServiceMakesDeployKeysForAll(t *testing.T) {
	r := newReviewTeam(t)
	ctx, expires := t.Context(), servicetest.Epoch.AddDate(1, 0, 0)
	key, _, err := asRoot(t, r.svc).DeployKeys.Create(ctx, serviceapi.Instance, serviceapi.CreateDeployKeyOptions{
		Title: "all", Key: hostKey, ExpiresAt: &expires,
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"all", hostKey, &expires, (*bool)(nil)},
		[]any{key.Title, key.Key, key.ExpiresAt, key.CanPush})
	s := as(t, r.svc, r.ada).DeployKeys
	enabled, _, err := s.Enable(ctx, mergeApp, key.ID)
	require.NoError(t, err)
	assert.Equal(t, new(false), enabled.CanPush)
	_, _, err = s.Create(ctx, serviceapi.Instance, serviceapi.CreateDeployKeyOptions{Title: "x", Key: hostKey})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = asRoot(t, r.svc).DeployKeys.Create(ctx, serviceapi.Instance,
		serviceapi.CreateDeployKeyOptions{Title: "again", Key: hostKey})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceHasFilesOfPackages downloads files by their IDs, and files of models with any kind of
// token.
func TestServiceHasFilesOfPackages(t *testing.T) {
	r := newReviewTeam(t)
	ctx, eve, ada := t.Context(), as(t, r.svc, r.eve).Packages, as(t, r.svc, r.ada).Packages
	web := r.app.Package("web", "1.0")
	web.File("linux/app", "content")
	files, err := serviceapi.Collect(eve.AllFiles(ctx, mergeApp, web.ID(), nil))
	require.NoError(t, err)
	d, resp, err := eve.DownloadFile(ctx, mergeApp, web.ID(), files[0].ID)
	require.NoError(t, err)
	require.NoError(t, files[0].Verify(d))
	assert.Equal(t, "app", d.Name)
	assert.Equal(t, "content", contentOf(t, d, resp, err))
	_, _, err = eve.DownloadFile(ctx, mergeApp, web.ID(), files[0].ID+1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	model := r.app.Package("speech", "1", servicetest.PackageType("ml_model"))
	file := serviceapi.ModelFile{ModelVersionID: "2", Path: "weights/a b.bin"}
	upload := func(s *serviceapi.PackagesService, file serviceapi.ModelFile, content string) error {
		_, err := s.UploadModel(ctx, mergeApp, file, serviceapi.UploadModelOptions{
			File: serviceapi.Upload{Content: strings.NewReader(content)}, Status: serviceapi.PackageStatusHidden,
		})
		return err
	}
	require.NoError(t, upload(ada, file, "content"))
	assert.Equal(t, "hidden", model.Status())
	job := r.app.Pipeline("main").Job("train", servicetest.Running(), servicetest.By(r.bob))
	for _, credential := range []serviceapi.Credential{
		serviceapi.PrivateToken(r.svc.Token(r.eve)), serviceapi.BearerToken(r.svc.OAuthToken(r.eve)),
		serviceapi.JobToken(job.Token()),
	} {
		d, resp, err := eve.DownloadModel(ctx, mergeApp, file, serviceapi.WithCredential(credential))
		assert.Equal(t, "content", contentOf(t, d, resp, err))
	}
	assert.ErrorIs(t, upload(eve, file, "content"), serviceapi.ErrForbidden)
	r.app.LimitPackageFiles(3)
	assert.ErrorContains(t, upload(ada, file, "content"), "Artifact file is too large")
	require.NoError(t, upload(ada, file, "new"))
	d, resp, err = eve.DownloadModel(ctx, mergeApp, file)
	assert.Equal(t, "new", contentOf(t, d, resp, err))
	for _, missing := range []serviceapi.ModelFile{
		{ModelVersionID: "2", Path: "a.bin"}, {ModelVersionID: "1", Path: "linux/app"},
		{ModelVersionID: "candidate:1", Path: "a.bin"},
	} {
		_, _, err = eve.DownloadModel(ctx, mergeApp, missing)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound, missing)
	}
	for _, name := range []string{"a/b/c", "a*", "a/"} {
		file.Path = name
		assert.Error(t, upload(ada, file, "x"), name)
	}
}

func TestServicePurgesDependencyProxy(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner), servicetest.Member(bob, servicetest.Maintainer))
	resp, err := as(t, svc, ada).DependencyProxy.PurgeCache(t.Context(), serviceapi.GroupPath("acme"))
	require.NoError(t, err)
	assert.Equal(t, http.StatusAccepted, resp.StatusCode)
	_, err = as(t, svc, bob).DependencyProxy.PurgeCache(t.Context(), serviceapi.GroupPath("acme"))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceMeasuresDORA measures what is seeded: two merge requests in production after one and
// three hours, one in staging, and two incidents.
func TestServiceMeasuresDORA(t *testing.T) {
	r := newReviewTeam(t)
	production, staging := r.app.Environment("production"), r.app.Environment("staging")
	first, second := r.app.MergeRequest("one"), r.app.MergeRequest("two")
	first.Merge()
	r.svc.Advance(2 * time.Hour)
	second.Merge()
	staging.Deployment()
	r.svc.Advance(time.Hour)
	production.Deployment()
	r.app.Issue("Down", servicetest.IssueType("incident"))
	r.svc.Advance(time.Hour)
	r.app.Issues()[0].Close()
	r.svc.Project("acme/other").Environment("live").Deployment(servicetest.DeploymentStatus("failed"))
	r.svc.Project("acme/other").Environment("live").Deployment()

	type value = serviceapi.DORAMetric
	from, to := serviceapi.DateOf(servicetest.Epoch), serviceapi.DateOf(servicetest.Epoch.AddDate(0, 0, 1))
	measure := func(owner serviceapi.DORAMetricOwner, metric serviceapi.DORAMetricType,
		tiers ...serviceapi.EnvironmentTier,
	) []*value {
		t.Helper()
		values, err := serviceapi.Collect(as(t, r.svc, r.svc.Root()).DORAMetrics.All(t.Context(), owner,
			&serviceapi.ListDORAMetricsOptions{Metric: metric, StartDate: from, EndDate: to, EnvironmentTiers: tiers}))
		require.NoError(t, err)
		return values
	}
	day := func(first float64, second *float64) []*value {
		return []*value{{Date: &from, Value: &first}, {Date: &to, Value: second}}
	}
	const frequency, lead = serviceapi.DORAMetricTypeDeploymentFrequency, serviceapi.DORAMetricTypeLeadTimeForChanges
	none, acme := []*value{{Date: &from}, {Date: &to}}, serviceapi.GroupPath("acme")
	assert.Equal(t, day(1, new(0.0)), measure(mergeApp, frequency))
	assert.Equal(t, day(2, new(0.0)), measure(acme, frequency))
	assert.Equal(t, day(2, new(0.0)), measure(mergeApp, frequency, serviceapi.EnvironmentTierProduction,
		serviceapi.EnvironmentTierStaging))
	assert.Equal(t, day(2*3600, nil), measure(mergeApp, lead), "between one hour and three")
	assert.Equal(t, none, measure(mergeApp, lead, serviceapi.EnvironmentTierOther))
	assert.Equal(t, day(3600, nil), measure(mergeApp, serviceapi.DORAMetricTypeTimeToRestoreService))
	assert.Equal(t, day(1, nil), measure(mergeApp, serviceapi.DORAMetricTypeChangeFailureRate))
	assert.Equal(t, day(0.5, nil), measure(acme, serviceapi.DORAMetricTypeChangeFailureRate))
	whole, _, err := as(t, r.svc, r.eve).DORAMetrics.List(t.Context(), mergeApp, &serviceapi.ListDORAMetricsOptions{
		Metric: frequency, StartDate: from, EndDate: to, Interval: serviceapi.DORAIntervalAll,
	})
	require.NoError(t, err)
	assert.Equal(t, []*value{{Value: new(0.5)}}, whole, "the average of two days")
	_, _, err = as(t, r.svc, r.eve).DORAMetrics.List(t.Context(), acme,
		&serviceapi.ListDORAMetricsOptions{Metric: lead})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}
