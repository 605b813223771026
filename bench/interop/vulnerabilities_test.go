package interop

import (
	"fmt"
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

func TestVulnerabilities(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	pipeline := project.Pipeline("main")
	for range 3 {
		pipeline.Finding(servicetest.Finding{Name: "Injection", Severity: "high", Vulnerable: true})
	}
	loose := pipeline.Finding(servicetest.Finding{Name: "Key", ReportType: "secret_detection"})
	c := e.admin.ProjectVulnerabilities
	all := walk1[any](e, c.ListProjectVulnerabilities, app, &clientgo.ListProjectVulnerabilitiesOptions{})
	assert.Len(t, all, 3)
	kept := got(c.CreateVulnerability(app, &clientgo.CreateVulnerabilityOptions{FindingID: &loose})).ok(e, 201)
	assert.Equal(t, []any{"Key", "secret_detection", loose}, []any{kept.Title, kept.ReportType, kept.Finding.ID})
	type v = *clientgo.ProjectVulnerability
	one := fmt.Sprintf("vulnerabilities/%d", kept.ID)
	assert.Equal(t, "Key", request[v](e.admin, http.MethodGet, one, nil).ok(e, 200).Title)
	for _, step := range [][2]string{
		{"confirm", "confirmed"}, {"resolve", "resolved"}, {"dismiss", "dismissed"}, {"revert", "detected"},
	} {
		changed := request[v](e.admin, http.MethodPost, one+"/"+step[0], nil).ok(e, 201)
		assert.Equal(t, step[1], changed.State)
	}
	findings := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]map[string]any, *clientgo.Response, error) {
		a := request[[]map[string]any](e.admin, http.MethodGet, "projects/1/vulnerability_findings", nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Len(t, findings, 4)
	issue := project.Issue("Rotate the key")
	link := request[map[string]any](e.admin, http.MethodPost, one+"/issue_links",
		map[string]any{"target_issue_iid": issue.IID()})
	require.NoError(t, link.err)
	links := request[[]*clientgo.Issue](e.admin, http.MethodGet, one+"/issue_links", nil)
	require.NoError(t, links.err)
	assert.Equal(t, "Rotate the key", links.value[0].Title)
	gone := request[map[string]any](e.admin, http.MethodDelete, fmt.Sprint(one, "/issue_links/", link.value["id"]), nil)
	assert.Equal(t, "related", gone.raw(e)["link_type"])
}

func TestVulnerabilityExports(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	type export = map[string]any
	days := map[string]string{"start_date": "2025-01-01", "end_date": "2025-12-31"}
	for _, path := range []string{"projects/1/vulnerability_exports", "groups/1/vulnerability_exports",
		"vulnerability_exports", "projects/1/vulnerability_archive_exports"} {
		made := request[export](e.admin, http.MethodPost, "security/"+path, days)
		require.NoError(t, made.err)
		kind := "vulnerability_exports"
		if strings.Contains(path, "archive") {
			kind = "vulnerability_archive_exports"
		}
		one := fmt.Sprint("security/", kind, "/", made.value["id"])
		assert.Equal(t, http.StatusAccepted, request[export](e.admin, http.MethodGet, one, nil).resp.StatusCode)
		e.svc.Advance(time.Minute)
		assert.Equal(t, "finished", request[export](e.admin, http.MethodGet, one, nil).raw(e)["status"])
		done(bare(e.admin, http.MethodGet, one+"/download").resp, nil).ok(e, 200)
	}
}

func TestProjectDependencies(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	for _, name := range []string{"a", "b", "c"} {
		project.Dependency(servicetest.Dependency{Name: name, PackageManager: "npm", Licenses: []string{"MIT"}})
	}
	project.Dependency(servicetest.Dependency{Name: "d", PackageManager: "go"})
	npm := clientgo.DependencyPackageManagerValue("npm")
	listed := walk1[any](e, e.admin.Dependencies.ListProjectDependencies, app, &clientgo.ListProjectDependenciesOptions{
		PackageManager: []*clientgo.DependencyPackageManagerValue{&npm}})
	assert.Equal(t, []string{"a", "b", "c"}, each(listed, func(d *clientgo.Dependency) string { return d.Name }))

	c := e.admin.DependencyListExport
	made := got(c.CreateDependencyListExport(project.Pipeline("main").ID(), nil)).ok(e, 201)
	waiting := got(c.GetDependencyListExport(made.ID)).ok(e, 202)
	assert.False(t, waiting.HasFinished)
	e.svc.Advance(time.Minute)
	assert.True(t, got(c.GetDependencyListExport(made.ID)).ok(e, 200).HasFinished)
	file, _, err := c.DownloadDependencyListExport(made.ID)
	require.NoError(t, err)
	defer file.Close()
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), "CycloneDX")
	for _, path := range []string{"projects/1", "groups/1"} {
		of := request[*clientgo.DependencyListExport](e.admin, http.MethodPost, path+"/dependency_list_exports", nil)
		assert.NotZero(t, of.ok(e, 201).ID)
	}
}

func TestErrorTracking(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	c := e.admin.ErrorTracking
	set := got(c.CreateErrorTrackingSettings(app, &clientgo.CreateErrorTrackingSettingsOptions{
		Active: new(true), Integrated: new(true)})).ok(e, 200)
	assert.Equal(t, []bool{true, true}, []bool{set.Active, set.Integrated})
	set = got(c.UpdateErrorTrackingSettings(app, &clientgo.UpdateErrorTrackingSettingsOptions{
		Active: new(false)})).ok(e, 200)
	assert.Equal(t, set, got(c.GetErrorTrackingSettings(app)).ok(e, 200))
	for range 3 {
		got(c.CreateClientKey(app)).ok(e, 201)
	}
	keys := walk1[any](e, c.ListClientKeys, app, &clientgo.ListClientKeysOptions{})
	assert.Len(t, keys, 3)
	done(c.DeleteClientKey(app, keys[0].ID)).ok(e, 200)
}

func TestAlertImages(t *testing.T) {
	e := start(t)
	alert := e.svc.Project(app).Alert()
	c := e.admin.AlertManagement
	made := got(c.UploadMetricImage(app, alert, strings.NewReader("pixels"), "a.png",
		&clientgo.UploadMetricImageOptions{URLText: new("A")})).ok(e, 201)
	changed := got(c.UpdateMetricImage(app, alert, made.ID, &clientgo.UpdateMetricImageOptions{
		URLText: new("B")})).ok(e, 200)
	assert.Equal(t, []*clientgo.MetricImage{changed}, got(c.ListMetricImages(app, alert, nil)).ok(e, 200))
	done(c.DeleteMetricImage(app, alert, made.ID)).ok(e, 204)
}

func TestGroupActivity(t *testing.T) {
	e := start(t)
	e.svc.Project(app).Issue("New")
	c := e.admin.GroupActivityAnalytics
	issues := got(c.GetRecentlyCreatedIssuesCount(&clientgo.GetRecentlyCreatedIssuesCountOptions{GroupPath: acme}))
	assert.Equal(t, int64(1), issues.ok(e, 200).IssuesCount)
	requests := got(c.GetRecentlyCreatedMergeRequestsCount(
		&clientgo.GetRecentlyCreatedMergeRequestsCountOptions{GroupPath: acme}))
	assert.Zero(t, requests.ok(e, 200).MergeRequestsCount)
	people := got(c.GetRecentlyAddedMembersCount(&clientgo.GetRecentlyAddedMembersCountOptions{GroupPath: acme}))
	assert.Zero(t, people.ok(e, 200).NewMembersCount)
}
