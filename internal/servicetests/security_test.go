package servicetests

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceMetricImages adds pictures to an incident and an alert, up to their limits.
func TestServiceMetricImages(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	project := serviceapi.ProjectID(app.ID())
	issue := project.Issue(app.Issue("Outage", servicetest.IssueType("incident")).IID())
	for _, owner := range []serviceapi.MetricImageOwner{issue, project.Alert(app.Alert())} {
		addsMetricImages(t, svc, owner)
	}
	s, ctx := asRoot(t, svc).MetricImages, t.Context()
	assert.ErrorContains(t, errorOf(s.List(ctx, project.Alert(2), nil)), "Alert not found")
	_, err := s.Delete(ctx, project.Alert(2), 1)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func addsMetricImages(t *testing.T, svc *servicetest.Service, owner serviceapi.MetricImageOwner) {
	t.Helper()
	s, ctx := asRoot(t, svc).MetricImages, t.Context()
	upload := func(size int, url, text *string) (*serviceapi.MetricImage, error) {
		made, _, err := s.Create(ctx, owner, serviceapi.CreateMetricImageOptions{
			File: serviceapi.Upload{Filename: "a.png", Content: bytes.NewReader(make([]byte, size))},
			URL:  url, URLText: text,
		})
		return made, err
	}
	made, err := upload(1<<20, new(strings.Repeat("u", 255)), new(strings.Repeat("t", 128)))
	require.NoError(t, err)
	assert.Equal(t, "a.png", made.Filename)
	assert.Equal(t, fmt.Sprintf("/uploads/-/system/issuable_metric_image/file/%d/a.png", made.ID), made.FilePath)
	_, err = upload(1<<20+1, nil, nil)
	assert.ErrorContains(t, err, "File is too large")
	_, err = upload(1, new(strings.Repeat("u", 256)), nil)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = upload(1, nil, new(strings.Repeat("t", 129)))
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	other, err := upload(1, nil, nil)
	require.NoError(t, err)

	changed, _, err := s.Update(ctx, owner, made.ID, serviceapi.UpdateMetricImageOptions{URLText: new("T")})
	require.NoError(t, err)
	assert.Equal(t, "T", changed.URLText)
	assert.Equal(t, made.URL, changed.URL)
	images, err := serviceapi.Collect(s.All(ctx, owner, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MetricImage{changed, other}, images)
	_, err = s.Delete(ctx, owner, made.ID)
	require.NoError(t, err)
	images, _, err = s.List(ctx, owner, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MetricImage{other}, images)
	_, err = s.Delete(ctx, owner, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceVulnerabilities finds, keeps, decides and links.
func TestServiceVulnerabilities(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	pipeline := app.Pipeline("main")
	first := pipeline.Finding(servicetest.Finding{Name: "Injection", Severity: "high", Vulnerable: true})
	second := pipeline.Finding(servicetest.Finding{Name: "Key", ReportType: "secret_detection",
		Location: `{"file":"a.env","start_line":3,"end_line":4}`})
	s, ctx, project := asRoot(t, svc).Vulnerabilities, t.Context(), serviceapi.ProjectID(app.ID())
	found, err := serviceapi.Collect(s.AllFindings(ctx, project, nil))
	require.NoError(t, err)
	require.Len(t, found, 2)
	assert.Equal(t, []any{&first, &second, "Injection", serviceapi.VulnerabilitySeverityHigh,
		serviceapi.VulnerabilityReportTypeSecretDetection},
		[]any{found[0].ID, found[1].ID, found[0].Name, found[0].Severity, found[1].ReportType})
	location, err := found[1].DecodeLocation()
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.VulnerabilityLocation{File: "a.env", StartLine: 3, EndLine: 4}, location)

	kept, _, err := s.Create(ctx, project, serviceapi.CreateVulnerabilityOptions{FindingID: second})
	require.NoError(t, err)
	stored, err := kept.DecodeFinding()
	require.NoError(t, err)
	assert.Equal(t, []any{second, kept.ID, "Key", found[1].UUID},
		[]any{stored.ID, stored.VulnerabilityID, stored.Name, stored.UUID})
	assert.JSONEq(t, `{"name":"Key","location":{"file":"a.env","start_line":3,"end_line":4}}`, stored.RawMetadata)
	assert.ErrorIs(t, errorOf(s.Create(ctx, project, serviceapi.CreateVulnerabilityOptions{FindingID: second})),
		serviceapi.ErrBadRequest)
	svc.Advance(time.Hour)
	changed, _, err := s.Confirm(ctx, kept.ID, serviceapi.ChangeVulnerabilityOptions{Comment: new("Real.")})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.VulnerabilityStateConfirmed, new(svc.Now()), new(svc.Root().ID())},
		[]any{changed.Vulnerability.State, changed.Vulnerability.ConfirmedAt, changed.Vulnerability.ConfirmedByID})
	for _, unchanged := range []bool{false, true} {
		changed, _, err = s.Dismiss(ctx, kept.ID)
		require.NoError(t, err)
		assert.Equal(t, unchanged, changed.Unchanged)
	}
	now, _, err := s.Get(ctx, kept.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.VulnerabilityStateDismissed, now.State)
	assert.Nil(t, now.ConfirmedAt)
	long := strings.Repeat("x", 50001)
	assert.ErrorIs(t, errorOf(s.Resolve(ctx, kept.ID, serviceapi.ChangeVulnerabilityOptions{Comment: &long})),
		serviceapi.ErrBadRequest)
	changed, _, err = s.Resolve(ctx, kept.ID, serviceapi.ChangeVulnerabilityOptions{Comment: new(long[1:])})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.VulnerabilityStateResolved, changed.Vulnerability.State)
	changed, _, err = s.Revert(ctx, kept.ID, serviceapi.ChangeVulnerabilityOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.VulnerabilityStateDetected, changed.Vulnerability.State)

	issue := app.Issue("Rotate the key")
	link, _, err := s.CreateIssueLink(ctx, kept.ID, serviceapi.CreateVulnerabilityIssueLinkOptions{
		Target: project.Issue(issue.IID())})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.VulnerabilityLinkTypeRelated, "Rotate the key", kept.ID},
		[]any{link.LinkType, link.Issue.Title, link.Vulnerability.ID})
	links, err := serviceapi.Collect(s.AllIssueLinks(ctx, kept.ID, nil))
	require.NoError(t, err)
	require.Len(t, links, 1)
	assert.Equal(t, project.Issue(issue.IID()), links[0].Ref())
	gone, _, err := s.DeleteIssueLink(ctx, kept.ID, links[0].VulnerabilityLinkID)
	require.NoError(t, err)
	assert.Equal(t, link, gone)
	all, err := serviceapi.Collect(s.All(ctx, project, nil))
	require.NoError(t, err)
	assert.Len(t, all, 2)
}

// TestServiceFileExports waits for exports of vulnerabilities and dependencies, and reads their files.
func TestServiceFileExports(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	pipeline := app.Pipeline("main")
	id := pipeline.Finding(servicetest.Finding{Name: "Injection", Severity: "high", Vulnerable: true})
	app.Dependency(servicetest.Dependency{Name: "yaml", Version: "1.2", PackageManager: "npm", Finding: id})
	other := svc.Project("other/lib")
	other.Dependency(servicetest.Dependency{Name: "zip", Version: "2", PackageManager: "go", File: "go.mod"})
	client, ctx := asRoot(t, svc), t.Context()
	project, group := serviceapi.ProjectID(app.ID()), serviceapi.GroupPath("acme")
	wait := []serviceapi.RequestOption{
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond),
		serviceapi.WithPollObserver(func(serviceapi.Poll) { svc.Advance(time.Second) }),
	}
	const header, row = "Project Name,Tool,Status,Vulnerability,Severity\n", "App,sast,detected,Injection,high\n"
	for _, owner := range []serviceapi.VulnerabilityExportOwner{project, group, serviceapi.Instance} {
		made, _, err := client.VulnerabilityExports.Create(ctx, owner, serviceapi.CreateVulnerabilityExportOptions{})
		require.NoError(t, err)
		assert.Equal(t, serviceapi.FileExportStatusCreated, made.Status)
		_, _, err = client.VulnerabilityExports.Download(ctx, made.ID)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.ErrorIs(t, errorOf(client.VulnerabilityExports.Create(ctx, owner,
			serviceapi.CreateVulnerabilityExportOptions{})), serviceapi.ErrRateLimited)
		running, resp, err := client.VulnerabilityExports.Get(ctx, made.ID)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
		assert.Equal(t, made, running)
		done, err := client.VulnerabilityExports.Wait(ctx, made.ID, wait...)
		require.NoError(t, err)
		assert.Equal(t, new(done.FinishedAt.AddDate(0, 0, 7)), done.ExpiresAt)
		d, _, err := client.VulnerabilityExports.Download(ctx, made.ID)
		require.NoError(t, err)
		assert.Equal(t, header+row, readAll(t, d))
	}
	days := serviceapi.CreateVulnerabilityArchiveOptions{
		StartDate: serviceapi.NewDate(2025, 1, 1), EndDate: serviceapi.NewDate(2025, 12, 31)}
	archive, _, err := client.VulnerabilityExports.CreateArchive(ctx, project, days)
	require.NoError(t, err)
	_, err = client.VulnerabilityExports.WaitForArchive(ctx, archive.ID, wait...)
	require.NoError(t, err)
	d, _, err := client.VulnerabilityExports.DownloadArchive(ctx, archive.ID)
	require.NoError(t, err)
	assert.Equal(t, header, readAll(t, d), "nothing is archived")

	type options = serviceapi.CreateDependencyExportOptions
	for _, of := range []struct {
		owner   serviceapi.DependencyExportOwner
		options options
		want    string
	}{
		{project, options{ExportType: serviceapi.DependencyExportTypeList},
			`"dependencies":[{"dependency_file_path":null`},
		{group, options{ExportType: serviceapi.DependencyExportTypeArray}, `[{"dependency_file_path":null`},
		{serviceapi.PipelineID(pipeline.ID()), options{ExportType: serviceapi.DependencyExportTypeSBOM},
			`{"bomFormat":"CycloneDX","components":[{`},
	} {
		made, _, err := client.Dependencies.CreateExport(ctx, of.owner, of.options)
		require.NoError(t, err)
		done, err := client.Dependencies.WaitForExport(ctx, made.ID, wait...)
		require.NoError(t, err)
		assert.True(t, done.HasFinished)
		d, _, err := client.Dependencies.DownloadExport(ctx, made.ID)
		require.NoError(t, err)
		text := readAll(t, d)
		assert.Contains(t, text, of.want)
		assert.Contains(t, text, "yaml")
		assert.NotContains(t, text, "zip", "of another project")
	}
	csv, _, err := client.Dependencies.CreateExport(ctx, serviceapi.ProjectID(other.ID()),
		options{ExportType: serviceapi.DependencyExportTypeCSV})
	require.NoError(t, err)
	svc.FailNextFileExport()
	failed, err := client.Dependencies.WaitForExport(ctx, csv.ID, wait...)
	require.ErrorAs(t, err, new(*serviceapi.DependencyExportError))
	assert.False(t, failed.HasFinished)
	csv, _, err = client.Dependencies.CreateExport(ctx, serviceapi.ProjectID(other.ID()),
		options{ExportType: serviceapi.DependencyExportTypeCSV})
	require.NoError(t, err)
	_, err = client.Dependencies.WaitForExport(ctx, csv.ID, wait...)
	require.NoError(t, err)
	d, _, err = client.Dependencies.DownloadExport(ctx, csv.ID)
	require.NoError(t, err)
	assert.Equal(t, "Name,Version,Packager,Location\nzip,2,go,go.mod\n", readAll(t, d))
	listed, err := serviceapi.Collect(client.Dependencies.All(ctx, project, &serviceapi.ListDependenciesOptions{
		PackageManagers: []string{"npm"}}))
	require.NoError(t, err)
	require.Len(t, listed, 1)
	assert.Equal(t, id, listed[0].Vulnerabilities[0].ID)
	assert.ErrorIs(t, errorOf(client.Dependencies.List(ctx, project, &serviceapi.ListDependenciesOptions{
		PackageManagers: []string{"cpan"}})), serviceapi.ErrBadRequest)
}

func readAll(t *testing.T, d *serviceapi.Download) string {
	t.Helper()
	defer d.Close()
	var text strings.Builder
	_, err := d.WriteTo(&text)
	require.NoError(t, err)
	return text.String()
}

func TestServiceErrorTracking(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	s, ctx, project := asRoot(t, svc).ErrorTracking, t.Context(), serviceapi.ProjectID(app.ID())
	assert.ErrorContains(t, errorOf(s.Get(ctx, project)), "404 Error Tracking Setting Not Found")
	set, _, err := s.Set(ctx, project, serviceapi.SetErrorTrackingOptions{Active: true, Integrated: true})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ErrorTrackingSettings{Active: true, Integrated: true}, set)
	set, _, err = s.Update(ctx, project, serviceapi.UpdateErrorTrackingOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ErrorTrackingSettings{Integrated: true}, set)
	got, _, err := s.Get(ctx, project)
	require.NoError(t, err)
	assert.Equal(t, set, got)
	key, _, err := s.CreateClientKey(ctx, project)
	require.NoError(t, err)
	assert.Contains(t, key.SentryDSN, key.PublicKey)
	keys, err := serviceapi.Collect(s.AllClientKeys(ctx, project, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ErrorTrackingClientKey{key}, keys)
	gone, _, err := s.DeleteClientKey(ctx, project, key.ID)
	require.NoError(t, err)
	assert.Equal(t, key, gone)
	assert.ErrorIs(t, errorOf(s.DeleteClientKey(ctx, project, key.ID)), serviceapi.ErrNotFound)
}

func TestServiceGroupActivity(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/team/app")
	app.Commit("fix", "Fix", servicetest.Write("a.txt", "a"))
	app.Issue("New")
	app.Issue("Old", servicetest.CreatedAt(svc.Now().AddDate(0, 0, -31)))
	app.MergeRequest("fix")
	svc.Group("acme", servicetest.Member(ada, servicetest.Guest))
	s, ctx, acme := asRoot(t, svc).GroupActivity, t.Context(), serviceapi.GroupPath("acme")
	issues, _, err := s.CountIssues(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 1, issues.IssuesCount)
	requests, _, err := s.CountMergeRequests(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 1, requests.MergeRequestsCount)
	people, _, err := s.CountNewMembers(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 1, people.NewMembersCount)
	assert.ErrorIs(t, errorOf(s.CountIssues(ctx, serviceapi.GroupPath("other"))), serviceapi.ErrNotFound)
	for range 1000 {
		app.Issue("Another")
	}
	issues, _, err = s.CountIssues(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 1000, issues.IssuesCount, "the service stops counting there")
}
