package wiretests

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contentOf reads a download to its end.
func contentOf(t *testing.T, d *serviceapi.Download, _ *serviceapi.Response, err error) string {
	t.Helper()
	require.NoError(t, err)
	defer d.Close()
	content, err := io.ReadAll(d)
	require.NoError(t, err)
	return string(content)
}

func TestReleasesOfGroups(t *testing.T) {
	const path, query = "/groups/acme%2Fweb/releases", "per_page=5&simple=true&sort=asc"
	lists := func(c *serviceapi.Client) ownedList[
		serviceapi.ReleaseOwner, *serviceapi.ListReleasesOptions, *serviceapi.Release,
	] {
		return ownedList[serviceapi.ReleaseOwner, *serviceapi.ListReleasesOptions, *serviceapi.Release]{
			c.Releases.List, c.Releases.All,
		}
	}
	body := "[" + fixture(t, "releases/release.json") + "]"
	exchanges := ownedExchanges(path, query, "releases/release.json")
	for i := range exchanges {
		if exchanges[i].Fixture != "" {
			exchanges[i].Fixture, exchanges[i].Body = "", body
		}
	}
	options := &serviceapi.ListReleasesOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 5}, Sort: serviceapi.SortAscending, Simple: true,
	}
	l := lists(onWire(t, exchanges...))
	l.wants(t, serviceapi.GroupPath("acme/web"), options, []*serviceapi.Release{engineRelease(t)})
	l.refuses(t, "Simple", &serviceapi.ListReleasesOptions{Simple: true}, somewhere)
	l.refuses(t, "OrderBy", &serviceapi.ListReleasesOptions{OrderBy: serviceapi.ReleaseOrderByCreatedAt}, someTeam)
	l.refuses(t, "IncludeHTMLDescription", &serviceapi.ListReleasesOptions{IncludeHTMLDescription: true}, someTeam)
	since := *at(t, "2026-01-01T00:00:00Z")
	l.refuses(t, "UpdatedAfter", &serviceapi.ListReleasesOptions{UpdatedAfter: since}, someTeam)
	l.refuses(t, "UpdatedBefore", &serviceapi.ListReleasesOptions{UpdatedBefore: since}, someTeam)
	l.refuses(t, "owner", nil, nil, &somewhere, &someTeam)
}

func TestReleasesDownloadFile(t *testing.T) {
	const path = "/projects/acme%2Fapp/releases/v1%2F0/downloads/bin/a%20b"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Status: 302, ResponseHeader: map[string]string{
			"Location": wireHost + "/api/v4/elsewhere"}},
		exchange{Method: "GET", Path: "/elsewhere", Body: "content"},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Not Found"}`})
	s, ctx, app := client.Releases, t.Context(), serviceapi.ProjectPath("acme/app")
	d, resp, err := s.DownloadFile(ctx, app, serviceapi.ReleaseFile{TagName: "v1/0", DirectAssetPath: "/bin/a b"})
	assert.Equal(t, "content", contentOf(t, d, resp, err))
	_, _, err = s.DownloadFile(ctx, app, serviceapi.ReleaseFile{TagName: "v1/0", DirectAssetPath: "bin/a b"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assertRefused(t, "TagName", errorOf(s.DownloadFile(ctx, app, serviceapi.ReleaseFile{DirectAssetPath: "/x"})))
	assertRefused(t, "DirectAssetPath", errorOf(s.DownloadFile(ctx, app, serviceapi.ReleaseFile{TagName: "v1"})))
}

func TestPipelinesTestReportSummary(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/acme%2Fapp/pipelines/5/test_report_summary",
		Fixture: "pipelines/test_report_summary.json"})
	s, ctx, app := client.Pipelines, t.Context(), serviceapi.ProjectPath("acme/app")
	summary, _, err := s.TestReportSummary(ctx, app, 5)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TestReportSummary{
		Total: &serviceapi.TestReportTotal{
			Time: 1904.5, Count: 9, Success: 3, Failed: 1, Skipped: 2, Error: 4, SuiteError: "It is no XML.",
		},
		TestSuites: []*serviceapi.TestSuite{{
			Name: "test", TotalTime: 1.5, TotalCount: 10, SuccessCount: 5, FailedCount: 6, SkippedCount: 7,
			ErrorCount: 8, BuildIDs: []int64{66004, 66005}, SuiteError: "Neither is it.",
		}},
	}, summary)
	assertFilled(t, summary)
	assertRefused(t, "pipeline_id", errorOf(s.TestReportSummary(ctx, app, 0)))
}

func TestJobArtifactsTree(t *testing.T) {
	const path = "/projects/acme%2Fapp/jobs/8/artifacts/tree"
	body := "[" + fixture(t, "jobs/artifact_entry.json") + `,{"path":"coverage/","type":"directory","mode":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "path=coverage%2F&per_page=5&recursive=true", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	s, ctx, app := client.JobArtifacts, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.ArtifactEntry{{
		Name: "index.html", Path: "coverage/index.html", Type: serviceapi.ArtifactEntryTypeFile,
		Size: new(int64(4096)), Mode: "100644",
	}, {Path: "coverage/", Type: serviceapi.ArtifactEntryTypeDirectory}}
	entries, _, err := s.ListTree(ctx, app, 8, &serviceapi.ListArtifactTreeOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 5}, Path: "coverage/", Recursive: true,
	})
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	assertFilled(t, entries[0])
	entries, err = serviceapi.Collect(s.AllTree(ctx, app, 8, nil))
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	assertRefused(t, "job_id", errorOf(s.ListTree(ctx, app, 0, nil)))
}

func TestDeployKeysOfTheInstance(t *testing.T) {
	client := onWire(t, exchange{Method: "POST", Path: "/deploy_keys", Status: 201,
		JSON:    `{"title":"t","key":"k","expires_at":"2027-03-01T00:00:00Z"}`,
		Fixture: "deploy_keys/deploy_key.json"})
	options := serviceapi.CreateDeployKeyOptions{Title: "t", Key: "k", ExpiresAt: at(t, "2027-03-01T00:00:00Z")}
	key, _, err := client.DeployKeys.Create(t.Context(), serviceapi.Instance, options)
	require.NoError(t, err)
	assert.Equal(t, wholeDeployKey(t), key)
	options.CanPush = new(true)
	assertRefused(t, "CanPush", errorOf(client.DeployKeys.Create(t.Context(), serviceapi.Instance, options)))
	assertRefused(t, "owner", errorOf(client.DeployKeys.Create(t.Context(), nil, options)))
}

func TestDependencyProxyPurgeCache(t *testing.T) {
	const path = "/groups/acme%2Fweb/dependency_proxy/cache"
	client := onWire(t,
		exchange{Method: "DELETE", Path: path, Status: 202, Body: "202"},
		exchange{Method: "DELETE", Path: path, Status: 404, Body: `{"message":"404 Not Found"}`})
	for _, want := range []error{nil, serviceapi.ErrNotFound} {
		_, err := client.DependencyProxy.PurgeCache(t.Context(), serviceapi.GroupPath("acme/web"))
		assert.ErrorIs(t, err, want)
	}
}

func TestPackagesDownloadFile(t *testing.T) {
	const path = appPackages + "/4/package_files/26/download"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "content"}, exchange{Method: "GET", Path: path, Body: "other"},
		exchange{Method: "GET", Path: path, Body: "<html>", ResponseHeader: map[string]string{
			"Content-Type": "text/html"}})
	s, ctx, app := client.Packages, t.Context(), serviceapi.ProjectPath("acme/app")
	file := serviceapi.PackageFile{FileSHA256: contentSHA256}
	for _, want := range []bool{true, false} {
		d, _, err := s.DownloadFile(ctx, app, 4, 26)
		require.NoError(t, err)
		require.NoError(t, file.Verify(d))
		_, err = io.ReadAll(d)
		assert.Equal(t, want, err == nil)
		require.NoError(t, d.Close())
	}
	var page *serviceapi.DecodeError
	require.ErrorAs(t, errorOf(s.DownloadFile(ctx, app, 4, 26)), &page)
	assertRefused(t, "package_id", errorOf(s.DownloadFile(ctx, app, 0, 26)))
	assertRefused(t, "package_file_id", errorOf(s.DownloadFile(ctx, app, 4, 0)))
}

// TestModelFiles checks that whatever token a program has, the service gets it where it takes it.
func TestModelFiles(t *testing.T) {
	const path = "/projects/acme%2Fapp/packages/ml_models/candidate:5/files/weights/a%20b.bin"
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	file := serviceapi.ModelFile{ModelVersionID: "candidate:5", Path: "weights/a b.bin"}
	client := onWire(t,
		exchange{Method: "GET", Path: path, Header: bearer("wire-token"), Body: "content"},
		exchange{Method: "GET", Path: path, Header: bearer("job"), Body: "content"},
		exchange{Method: "GET", Path: path, Header: bearer("oauth"), Body: "content"},
		exchange{Method: "GET", Path: path, Header: map[string]string{"Authorization": "Bearer wire-token"},
			Body: "<html>", ResponseHeader: map[string]string{"Content-Type": "text/html"}},
		exchange{Method: "PUT", Path: path, Header: bearer("wire-token"), File: "content", Status: 201,
			Body: `{"message":"201 Created"}`},
		exchange{Method: "PUT", Path: path, Query: "status=hidden", Header: bearer("wire-token"), File: "content",
			Status: 400, Body: `{"message":"400 Bad request - Artifact file is too large"}`})
	s, ctx, app := client.Packages, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range [][]serviceapi.RequestOption{
		nil, {serviceapi.WithCredential(serviceapi.JobToken("job"))},
		{serviceapi.WithCredential(serviceapi.BearerToken("oauth"))},
	} {
		d, resp, err := s.DownloadModel(ctx, app, file, options...)
		assert.Equal(t, "content", contentOf(t, d, resp, err))
	}
	var page *serviceapi.DecodeError
	require.ErrorAs(t, errorOf(s.DownloadModel(ctx, app, file)), &page)
	upload := serviceapi.UploadModelOptions{File: serviceapi.Upload{Content: strings.NewReader("content")}}
	_, err := s.UploadModel(ctx, app, file, upload)
	require.NoError(t, err)
	upload.File.Content, upload.Status = strings.NewReader("content"), serviceapi.PackageStatusHidden
	_, err = s.UploadModel(ctx, app, file, upload)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.UploadModel(ctx, app, file, serviceapi.UploadModelOptions{})
	assertRefused(t, "File", err)
	assertRefused(t, "ModelVersionID", errorOf(s.DownloadModel(ctx, app, serviceapi.ModelFile{Path: "a"})))
	assertRefused(t, "Path", errorOf(s.DownloadModel(ctx, app, serviceapi.ModelFile{ModelVersionID: "1"})))
}

// TestModelFilesSendOneCredential checks that no other header has the token, and that the upload
// is not repeated, even if a program repeats those that HTTP calls safe to repeat.
func TestModelFilesSendOneCredential(t *testing.T) {
	var requests []http.Header
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Header)
		w.WriteHeader(http.StatusServiceUnavailable)
	}, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 3, RetryIdempotent: true}))
	_, err := client.Packages.UploadModel(t.Context(), somewhere,
		serviceapi.ModelFile{ModelVersionID: "5", Path: "a.bin"},
		serviceapi.UploadModelOptions{File: serviceapi.Upload{Content: strings.NewReader("content")}})
	require.Error(t, err)
	require.Len(t, requests, 1)
	assert.Equal(t, "Bearer token-S3cr3t-S3cr3t", requests[0].Get("Authorization"))
	assert.NotContains(t, requests[0], "Private-Token")
	assert.NotContains(t, err.Error(), "S3cr3t")
}

func TestDORAMetrics(t *testing.T) {
	type lists = ownedList[serviceapi.DORAMetricOwner, *serviceapi.ListDORAMetricsOptions, *serviceapi.DORAMetric]
	const least = "metric=lead_time_for_changes"
	body := "[" + fixture(t, "dora/metric.json") + `,{"date":null,"value":null}]`
	want := []*serviceapi.DORAMetric{
		{Date: new(serviceapi.NewDate(2026, 3, 1)), Value: new(0.25)}, {},
	}
	for path, owner := range map[string]serviceapi.DORAMetricOwner{
		"/projects/acme%2Fapp/dora/metrics": serviceapi.ProjectPath("acme/app"),
		"/groups/acme/dora/metrics":         serviceapi.GroupPath("acme"),
	} {
		const whole = "end_date=2026-03-31&environment_tiers%5B%5D=production&environment_tiers%5B%5D=staging" +
			"&interval=monthly&metric=change_failure_rate&page=2&start_date=2026-03-01"
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: whole, Body: body},
			exchange{Method: "GET", Path: path, Query: least + "&per_page=100", Body: body},
			exchange{Method: "GET", Path: path, Query: least, Status: 401,
				Body: `{"message":"You do not have permission to access dora metrics."}`})
		l := lists{client.DORAMetrics.List, client.DORAMetrics.All}
		metrics, _, err := l.list(t.Context(), owner, &serviceapi.ListDORAMetricsOptions{
			ListOptions: serviceapi.ListOptions{Page: 2}, Metric: serviceapi.DORAMetricTypeChangeFailureRate,
			StartDate: serviceapi.NewDate(2026, 3, 1), EndDate: serviceapi.NewDate(2026, 3, 31),
			Interval: serviceapi.DORAIntervalMonthly, EnvironmentTiers: []serviceapi.EnvironmentTier{
				serviceapi.EnvironmentTierProduction, serviceapi.EnvironmentTierStaging},
		})
		require.NoError(t, err)
		assert.Equal(t, want, metrics)
		assertFilled(t, metrics[0])
		lead := &serviceapi.ListDORAMetricsOptions{Metric: serviceapi.DORAMetricTypeLeadTimeForChanges}
		metrics, err = serviceapi.Collect(l.all(t.Context(), owner, lead))
		require.NoError(t, err)
		assert.Equal(t, want, metrics)
		_, _, err = l.list(t.Context(), owner, lead)
		require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
		l.refuses(t, "Metric", nil, owner)
	}
	l := lists{onWire(t).DORAMetrics.List, onWire(t).DORAMetrics.All}
	l.refuses(t, "owner", &serviceapi.ListDORAMetricsOptions{Metric: "x"}, nil, &somewhere)
}

// TestOptionsOfOlderAreas checks what a list of all pages sends, and a link that changes in one way.
func TestOptionsOfOlderAreas(t *testing.T) {
	const link = "/projects/acme%2Fapp/releases/v1/assets/links/2"
	client := onWire(t,
		exchange{Method: "GET", Path: appPackages + "/2/pipelines", Query: "per_page=5", Body: "[]"},
		exchange{Method: "PUT", Path: link, JSON: `{"name":"app"}`, Body: `{"id":2}`})
	ctx, app := t.Context(), serviceapi.ProjectPath("acme/app")
	none, err := serviceapi.Collect(client.Packages.AllPipelines(ctx, app, 2, &serviceapi.ListOptions{PerPage: 5}))
	require.NoError(t, err)
	assert.Empty(t, none)
	_, _, err = client.Releases.UpdateLink(ctx, app, "v1", 2, serviceapi.UpdateReleaseLinkOptions{Name: new("app")})
	require.NoError(t, err)
}
