package interop

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestMergeTrains(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Set("merge_trains_enabled", true)
	s, first := e.admin.MergeTrains, []int64{}
	for _, branch := range []string{"one", "two", "three"} {
		iid := project.MergeRequest(branch).IID()
		cars := got(s.AddMergeRequestToMergeTrain(app, iid, &clientgo.AddMergeRequestToMergeTrainOptions{
			Squash: new(true),
		})).ok(e, 201)
		assert.Equal(t, "idle", cars[len(cars)-1].Status)
		first = append(first, iid)
	}
	iidOf := func(c *clientgo.MergeTrain) int64 { return c.MergeRequest.IID }
	options := &clientgo.ListMergeTrainsOptions{Sort: new("asc"), Scope: new("active")}
	assert.Equal(t, first, each(walk1[any](e, s.ListProjectMergeTrains, app, options), iidOf))
	assert.Equal(t, first, each(walk2[any](e, s.ListMergeRequestInMergeTrain, app, "main", options), iidOf))
	car := got(s.GetMergeRequestOnAMergeTrain(app, first[0])).ok(e, 200)
	assert.Equal(t, []any{"fresh", "one"}, []any{car.Status, car.Pipeline.Ref})
	e.svc.Advance(time.Hour)
	merged := got(s.GetMergeRequestOnAMergeTrain(app, first[0])).ok(e, 200)
	assert.Equal(t, "merged", merged.Status)
	assert.Equal(t, int64(merged.MergedAt.Sub(*merged.CreatedAt).Seconds()), merged.Duration)
	got(s.GetMergeRequestOnAMergeTrain(app, 99)).refused(e, 404)
}

func TestReleasesOfGroups(t *testing.T) {
	e := start(t)
	for _, name := range []string{"a", "b", "c"} {
		e.svc.Project("acme/"+name).Release(name, "")
	}
	all := walk1[any](e, e.admin.GroupReleases.ListGroupReleases, "acme", &clientgo.ListGroupReleasesOptions{
		Simple: new(true),
	})
	assert.Equal(t, []string{"c", "b", "a"}, each(all, func(r *clientgo.Release) string { return r.TagName }))
	got(e.admin.ReleaseLinks.CreateReleaseLink("acme/a", "a", &clientgo.CreateReleaseLinkOptions{
		Name: new("app"), URL: new(e.svc.URL() + "/elsewhere"), DirectAssetPath: new("/bin/app"),
	})).ok(e, 201)
	request[any](e.admin, "GET", "projects/acme%2Fa/releases/a/downloads/bin/app", nil).refused(e, 404)
}

func TestSummaries(t *testing.T) {
	e := start(t)
	pipeline := e.svc.Project(app).Pipeline("main")
	job := pipeline.Job("test", servicetest.JUnit(`<testsuite><testcase name="a" time="1.5"/></testsuite>`),
		servicetest.Archive(map[string]string{"out/a.txt": "a", "z.txt": "z"}))
	summary := got(e.admin.Pipelines.GetPipelineTestReportSummary(app, pipeline.ID())).ok(e, 200)
	assert.Equal(t, []any{1.5, int64(1), "test", []int64{job.ID()}}, []any{
		summary.Total.Time, summary.Total.Success, summary.TestSuites[0].Name, summary.TestSuites[0].BuildIDs,
	})
	for page, path := range []string{"out/", "z.txt"} {
		tree := request[[]map[string]any](e.admin, "GET", "projects/acme%2Fapp/jobs/1/artifacts/tree",
			&clientgo.ListOptions{Page: int64(page) + 1, PerPage: 1}).ok(e, 200)
		assert.Equal(t, path, tree[0]["path"])
	}
}

func TestDORAMetrics(t *testing.T) {
	e := start(t)
	e.svc.Project(app).Environment("production").Deployment()
	day, next := clientgo.ISOTime(servicetest.Epoch), clientgo.ISOTime(servicetest.Epoch.AddDate(0, 0, 1))
	options := clientgo.GetDORAMetricsOptions{
		Metric: new(clientgo.DORAMetricDeploymentFrequency), StartDate: &day, EndDate: &next,
	}
	want := []float64{1, 0}
	value := func(m clientgo.DORAMetric) float64 { return m.Value }
	assert.Equal(t, want, each(got(e.admin.DORAMetrics.GetProjectDORAMetrics(app, options)).ok(e, 200), value))
	assert.Equal(t, want, each(got(e.admin.DORAMetrics.GetGroupDORAMetrics("acme", options)).ok(e, 200), value))
}

func TestFilesOfPackages(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Package("web", "1").File("a.txt", `"content"`)
	project.Package("speech", "1", servicetest.PackageType("ml_model"))
	text := request[string](e.admin, "GET", "projects/acme%2Fapp/packages/1/package_files/1/download", nil).raw(e)
	assert.Equal(t, "content", text)
	address := e.svc.URL() + "/api/v4/projects/acme%2Fapp/packages/ml_models/2/files/dir/a.bin"
	req, err := http.NewRequest(http.MethodPut, address, strings.NewReader("model"))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+e.svc.AdminToken())
	resp, err := keeper{}.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
	bearer := clientgo.WithHeader("Authorization", "Bearer "+e.svc.AdminToken())
	s := e.admin.ModelRegistry
	content := got(s.DownloadMachineLearningModelPackage(app, 2, "dir", "a.bin", bearer)).raw(e)
	model, err := io.ReadAll(content)
	require.NoError(t, err)
	assert.Equal(t, "model", string(model))
	got(s.DownloadMachineLearningModelPackage(app, 2, "dir", "a.bin")).refused(e, 401)
	e.svc.Group("other")
	done(e.admin.DependencyProxy.PurgeGroupDependencyProxy("other")).ok(e, 202)
}
