package wiretests

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw is JSON as a fixture has it.
func raw(text string) json.RawMessage { return json.RawMessage(text) }

// wholeVulnerability is testdata/vulnerabilities/vulnerability.json without its finding.
func wholeVulnerability(t *testing.T) *serviceapi.Vulnerability {
	day := func(text string) *serviceapi.Date {
		d, err := serviceapi.ParseDate(text)
		require.NoError(t, err)
		return &d
	}
	return &serviceapi.Vulnerability{
		ID: 103, Title: "Use of a weak hash", Description: "MD5 is used.", State: serviceapi.VulnerabilityStateResolved,
		Severity: serviceapi.VulnerabilitySeverityMedium, ReportType: serviceapi.VulnerabilityReportTypeSAST,
		AuthorID: 3,
		Project: &serviceapi.ProjectSummary{ID: 4, Description: "An app", Name: "App", NameWithNamespace: "Acme / App",
			Path: "app", PathWithNamespace: "acme/app", CreatedAt: at(t, "2026-01-02T08:00:00Z")},
		ResolvedOnDefaultBranch: true, ProjectDefaultBranch: "main",
		ResolvedByID: new(int64(7)), ResolvedAt: at(t, "2026-01-12T08:00:00Z"),
		DismissedByID: new(int64(8)), DismissedAt: at(t, "2026-01-13T08:00:00Z"),
		ConfirmedByID: new(int64(9)), ConfirmedAt: at(t, "2026-01-14T08:00:00Z"),
		CreatedAt: *at(t, "2026-01-10T08:00:00Z"), UpdatedAt: *at(t, "2026-01-15T08:00:00Z"),
		LastEditedAt: at(t, "2026-01-16T08:00:00Z"), LastEditedByID: new(int64(10)), UpdatedByID: new(int64(11)),
		StartDate: day("2026-02-01"), DueDate: day("2026-02-28"),
	}
}

// isWholeVulnerability compares a result, and what DecodeFinding makes of its finding.
func isWholeVulnerability(t *testing.T, got *serviceapi.Vulnerability) {
	t.Helper()
	require.NotNil(t, got)
	assertFilled(t, got)
	finding, err := got.DecodeFinding()
	require.NoError(t, err)
	assertFilled(t, finding)
	assert.Equal(t, &serviceapi.StoredFinding{
		ID: 103, ProjectID: 4, ScannerID: 5, PrimaryIdentifierID: 6, VulnerabilityID: 103, Name: "Use of a weak hash",
		Severity: serviceapi.VulnerabilitySeverityMedium, ReportType: serviceapi.VulnerabilityReportTypeSAST,
		UUID:                "0a2b7e26-2b3c-5a4d-9a1e-1f2c3d4e5f60",
		LocationFingerprint: "4e5b6966dd100170b4b1ad599c7058cce91b57b4", MetadataVersion: "15.0.4",
		RawMetadata: `{"name":"Use of a weak hash"}`, CreatedAt: *at(t, "2026-01-10T08:00:00Z"),
		UpdatedAt: *at(t, "2026-01-11T08:00:00Z"),
	}, finding)
	want := wholeVulnerability(t)
	want.Finding = got.Finding
	assert.Equal(t, want, got)
}

func TestVulnerabilities(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/vulnerabilities", "vulnerabilities/vulnerability.json"
	list := "[" + fixture(t, whole) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: "/vulnerabilities/103", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"finding_id":104}`},
		exchange{Method: "POST", Path: path, Status: 400, JSON: `{"finding_id":104}`,
			Body: `{"message":{"base":["finding is not found"]}}`})
	s, ctx, app := client.Vulnerabilities, t.Context(), serviceapi.ProjectPath("acme/app")
	listed, _, err := s.List(ctx, app, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	isWholeVulnerability(t, listed[0])
	listed, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	isWholeVulnerability(t, listed[0])
	got, _, err := s.Get(ctx, 103)
	require.NoError(t, err)
	isWholeVulnerability(t, got)
	got, resp, err := s.Create(ctx, app, serviceapi.CreateVulnerabilityOptions{FindingID: 104})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	isWholeVulnerability(t, got)
	_, _, err = s.Create(ctx, app, serviceapi.CreateVulnerabilityOptions{FindingID: 104})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "finding is not found")
}

// TestVulnerabilitiesChangeState checks each of the four calls: with its body, and if there is
// nothing to do, and if it is refused.
func TestVulnerabilitiesChangeState(t *testing.T) {
	type change = serviceapi.VulnerabilityChange
	type response = serviceapi.Response
	type options = serviceapi.ChangeVulnerabilityOptions
	calls := map[string]func(*serviceapi.VulnerabilitiesService, options) (*change, *response, error){
		"confirm": func(s *serviceapi.VulnerabilitiesService, o options) (*change, *response, error) {
			return s.Confirm(t.Context(), 103, o)
		},
		"resolve": func(s *serviceapi.VulnerabilitiesService, o options) (*change, *response, error) {
			return s.Resolve(t.Context(), 103, o)
		},
		"revert": func(s *serviceapi.VulnerabilitiesService, o options) (*change, *response, error) {
			return s.Revert(t.Context(), 103, o)
		},
		"dismiss": func(s *serviceapi.VulnerabilitiesService, _ options) (*change, *response, error) {
			return s.Dismiss(t.Context(), 103)
		},
	}
	for verb, call := range calls {
		path, body, empty := "/vulnerabilities/103/"+verb, `{"comment":"Because."}`, `{}`
		if verb == "dismiss" {
			body, empty = "", ""
		}
		s := onWire(t,
			exchange{Method: "POST", Path: path, Status: 201, JSON: body,
				Fixture: "vulnerabilities/vulnerability.json"},
			exchange{Method: "POST", Path: path, Status: 304, JSON: empty},
			exchange{Method: "POST", Path: path, Status: 403, JSON: empty, Body: `{"message":"403 Forbidden"}`},
		).Vulnerabilities
		got, resp, err := call(s, options{Comment: new("Because.")})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.False(t, got.Unchanged)
		isWholeVulnerability(t, got.Vulnerability)
		got, resp, err = call(s, options{})
		require.NoError(t, err)
		assert.Equal(t, 304, resp.StatusCode)
		assert.Equal(t, &change{Unchanged: true}, got)
		got, _, err = call(s, options{})
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		assert.Nil(t, got)
	}
}

// wholeFinding is testdata/vulnerabilities/finding.json without its location.
func wholeFinding(t *testing.T) *serviceapi.VulnerabilityFinding {
	return &serviceapi.VulnerabilityFinding{
		ID: new(int64(104)), ReportType: serviceapi.VulnerabilityReportTypeDependencyScanning,
		Name:     "Injection in yaml",
		Severity: serviceapi.VulnerabilitySeverityCritical, State: serviceapi.VulnerabilityStateDetected,
		UUID:    "9f4c7e26-2b3c-5a4d-9a1e-1f2c3d4e5f61",
		Scanner: &serviceapi.VulnerabilityScanner{ExternalID: "gemnasium", Name: "Gemnasium", Vendor: "Acme"},
		Identifiers: []*serviceapi.VulnerabilityIdentifier{
			{ExternalType: "cve", ExternalID: "CVE-2026-1", Name: "CVE-2026-1", URL: "https://cve.example/1"}},
		Project: &serviceapi.VulnerabilityProject{ID: 4, Name: "App", FullPath: "/acme/app",
			FullName: "Acme / App"},
		Description: "Loads objects.", DescriptionHTML: "<p>Loads objects.</p>", Solution: "Use 1.3.",
		Links: []*serviceapi.VulnerabilityLink{{Name: "Advisory", URL: "https://advisory.example/1"}},
		Remediations: []*serviceapi.VulnerabilityRemediation{
			{Summary: "Upgrade to 1.3", Diff: "ZGlmZg==", Fixes: raw(`[{"id": "1"}]`)}},
		Scan: &serviceapi.VulnerabilityScan{Type: "dependency_scanning", Status: "success",
			StartTime: at(t, "2026-01-15T08:00:00Z"), EndTime: at(t, "2026-01-15T08:01:00Z")},
		BlobPath: "/acme/app/-/blob/main/package.json", FalsePositive: new(true),
		FoundByPipeline:     &serviceapi.VulnerabilityFindingPipeline{IID: 12},
		AIResolutionEnabled: true, MatchesAutoDismissPolicy: true,
		Evidence: raw(`{"summary": "a"}`), EvidenceSource: raw(`{"id": "b"}`), Request: raw(`{"method": "GET"}`),
		Response: raw(`{"status_code": 200}`), SupportingMessages: raw(`[{"name": "c"}]`),
		Assets:  raw(`[{"type": "d"}]`),
		Details: raw(`{"e": 1}`), StateTransitions: raw(`[{"f": 1}]`), IssueLinks: raw(`[{"g": 1}]`),
		ExternalIssueLinks: raw(`[{"h": 1}]`), MergeRequestLinks: raw(`[{"i": 1}]`), DismissalFeedback: raw(`{"j": 1}`),
		IssueFeedback: raw(`{"k": 1}`), MergeRequestFeedback: raw(`{"l": 1}`),
		CreateJiraIssueURL: "https://jira.example/new", CreateFeedbackIssuePath: "/feedback/issue",
		CreateFeedbackMergeRequestPath: "/feedback/merge_request", CreateFeedbackDismissalPath: "/feedback/dismissal",
	}
}

func TestVulnerabilityFindings(t *testing.T) {
	const path = "/projects/4/vulnerability_findings"
	const query = "page=2&per_page=5&pipeline_id=9&report_type%5B%5D=sast&report_type%5B%5D=dast&scope=all" +
		"&severity%5B%5D=high"
	list := "[" + fixture(t, "vulnerabilities/finding.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: query, Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list})
	s, ctx := client.Vulnerabilities, t.Context()
	isWhole := func(found []*serviceapi.VulnerabilityFinding) {
		t.Helper()
		require.Len(t, found, 1)
		assertFilled(t, found[0])
		location, err := found[0].DecodeLocation()
		require.NoError(t, err)
		assertFilled(t, location)
		dependency := &serviceapi.VulnerabilityDependency{Version: "1.2"}
		dependency.Package.Name = "yaml"
		assert.Equal(t, &serviceapi.VulnerabilityLocation{File: "package.json", StartLine: 3, EndLine: 5,
			Class: "Loader", Method: "load", Image: "acme/app:1", Hostname: "https://app.example", Path: "/login",
			Dependency: dependency}, location)
		want := wholeFinding(t)
		want.Location = found[0].Location
		assert.Equal(t, want, found[0])
	}
	found, _, err := s.ListFindings(ctx, serviceapi.ProjectID(4), &serviceapi.ListVulnerabilityFindingsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5},
		ReportTypes: []serviceapi.VulnerabilityReportType{
			serviceapi.VulnerabilityReportTypeSAST, serviceapi.VulnerabilityReportTypeDAST},
		Severities: []serviceapi.VulnerabilitySeverity{serviceapi.VulnerabilitySeverityHigh},
		Scope:      serviceapi.VulnerabilityFindingScopeAll, PipelineID: 9,
	})
	require.NoError(t, err)
	isWhole(found)
	found, err = serviceapi.Collect(s.AllFindings(ctx, serviceapi.ProjectID(4), nil))
	require.NoError(t, err)
	isWhole(found)
}

// TestVulnerabilitiesOddMembers decodes what scanners may send: a line that is text costs that line.
func TestVulnerabilitiesOddMembers(t *testing.T) {
	odd := serviceapi.VulnerabilityFinding{Location: raw(`{"file":"a.go","start_line":"x","end_line":7}`)}
	location, err := odd.DecodeLocation()
	require.Error(t, err)
	assert.Equal(t, &serviceapi.VulnerabilityLocation{File: "a.go", EndLine: 7}, location)
	kept := serviceapi.Vulnerability{Finding: raw(`{"id":"x","name":"n"}`)}
	finding, err := kept.DecodeFinding()
	require.Error(t, err)
	assert.Equal(t, &serviceapi.StoredFinding{Name: "n"}, finding)
	_, err = (*serviceapi.Vulnerability)(nil).DecodeFinding()
	require.Error(t, err)
	_, err = (*serviceapi.VulnerabilityFinding)(nil).DecodeLocation()
	require.Error(t, err)
}

func TestVulnerabilityIssueLinks(t *testing.T) {
	type o = serviceapi.ListOptions
	const path, whole = "/vulnerabilities/103/issue_links", "vulnerabilities/issue_link.json"
	issue := &serviceapi.VulnerabilityIssue{Issue: *wholeIssue(t), VulnerabilityLinkID: 8,
		VulnerabilityLinkType: serviceapi.VulnerabilityLinkTypeCreated}
	issue.Subscribed = nil
	list := "[" + fixture(t, "vulnerabilities/issue.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"target_project_id":"acme/tool","target_issue_iid":7,"link_type":"created"}`},
		exchange{Method: "POST", Path: path, Status: 422, JSON: `{"target_project_id":5,"target_issue_iid":7}`,
			Body: `{"message":"Issue has already been linked"}`},
		exchange{Method: "DELETE", Path: path + "/8", Fixture: whole})
	s, ctx := client.Vulnerabilities, t.Context()
	issues, _, err := s.ListIssueLinks(ctx, 103, &o{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.VulnerabilityIssue{issue}, issues)
	assert.Equal(t, serviceapi.ProjectID(4).Issue(6), issues[0].Ref())
	issues, err = serviceapi.Collect(s.AllIssueLinks(ctx, 103, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.VulnerabilityIssue{issue}, issues)
	want := &serviceapi.VulnerabilityIssueLink{ID: 8, LinkType: serviceapi.VulnerabilityLinkTypeCreated,
		Vulnerability: &serviceapi.Vulnerability{ID: 103, Title: "Use of a weak hash"},
		Issue:         &serviceapi.Issue{ID: 77, IID: 7, ProjectID: 5, Title: "First"}}
	made, _, err := s.CreateIssueLink(ctx, 103, serviceapi.CreateVulnerabilityIssueLinkOptions{
		Target: serviceapi.ProjectPath("acme/tool").Issue(7), LinkType: new(serviceapi.VulnerabilityLinkTypeCreated)})
	require.NoError(t, err)
	assert.Equal(t, want, made)
	_, _, err = s.CreateIssueLink(ctx, 103, serviceapi.CreateVulnerabilityIssueLinkOptions{
		Target: serviceapi.ProjectID(5).Issue(7)})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	gone, _, err := s.DeleteIssueLink(ctx, 103, 8)
	require.NoError(t, err)
	assert.Equal(t, want, gone)
}

func TestVulnerabilitiesArguments(t *testing.T) {
	s, ctx := onWire(t).Vulnerabilities, t.Context()
	assertRefused(t, "FindingID", errorOf(s.Create(ctx, somewhere, serviceapi.CreateVulnerabilityOptions{})))
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "id", errorOf(s.Dismiss(ctx, -1)))
	assertRefused(t, "id", errorOf(s.Confirm(ctx, 0, serviceapi.ChangeVulnerabilityOptions{})))
	assertRefused(t, "issue_link_id", errorOf(s.DeleteIssueLink(ctx, 3, 0)))
	for _, target := range []serviceapi.IssueRef{{}, serviceapi.ProjectID(5).Issue(0)} {
		assertRefused(t, "Target",
			errorOf(s.CreateIssueLink(ctx, 3, serviceapi.CreateVulnerabilityIssueLinkOptions{Target: target})))
	}
}

// wholeVulnerabilityExport is testdata/vulnerability_exports/export.json.
func wholeVulnerabilityExport(t *testing.T) *serviceapi.VulnerabilityExport {
	const self = "https://service.test/api/v4/security/vulnerability_exports/2"
	return &serviceapi.VulnerabilityExport{
		ID: 2, ProjectID: new(int64(4)), GroupID: new(int64(7)), Format: serviceapi.VulnerabilityExportFormatPDF,
		Status: serviceapi.FileExportStatusFinished, CreatedAt: *at(t, "2026-01-15T08:00:00Z"),
		StartedAt: at(t, "2026-01-15T08:00:01Z"), FinishedAt: at(t, "2026-01-15T08:00:05Z"),
		ExpiresAt: at(t, "2026-01-22T08:00:05Z"), SendEmail: true,
		Links: &serviceapi.VulnerabilityExportLinks{Self: self, Download: self + "/download"},
	}
}

func TestVulnerabilityExports(t *testing.T) {
	const whole, one = "vulnerability_exports/export.json", "/security/vulnerability_exports/2"
	const archives = "/security/projects/4/vulnerability_archive_exports"
	const archive = "/security/vulnerability_archive_exports/2"
	const body, days = `{"export_format":"pdf","send_email":false,"report_data":{"a":[1]}}`,
		`{"start_date":"2025-01-01","end_date":"2025-12-31"`
	client := onWire(t,
		exchange{Method: "POST", Path: "/security/projects/4/vulnerability_exports", Status: 201, JSON: body,
			Fixture: whole},
		exchange{Method: "POST", Path: "/security/groups/7/vulnerability_exports", Status: 201, JSON: body,
			Fixture: whole},
		exchange{Method: "POST", Path: "/security/vulnerability_exports", Status: 201, JSON: `{}`, Fixture: whole},
		exchange{Method: "POST", Path: "/security/vulnerability_exports", Status: 429, JSON: `{}`,
			Body: `{"message":"Export already in progress."}`},
		exchange{Method: "GET", Path: one, Status: 202, Fixture: whole, ResponseHeader: map[string]string{
			"Poll-Interval": "5000"}},
		exchange{Method: "GET", Path: one + "/download", Body: "a,b\n"},
		exchange{Method: "POST", Path: archives, Status: 201, JSON: days + `,"export_format":"csv"}`, Fixture: whole},
		exchange{Method: "POST", Path: archives, Status: 201, JSON: days + `}`, Fixture: whole},
		exchange{Method: "GET", Path: archive, Fixture: whole},
		exchange{Method: "GET", Path: archive + "/download", Body: "c,d\n"})
	s, ctx := client.VulnerabilityExports, t.Context()
	isWhole := func(got *serviceapi.VulnerabilityExport, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeVulnerabilityExport(t), got)
		assertFilled(t, got)
	}
	options := serviceapi.CreateVulnerabilityExportOptions{ExportFormat: new(serviceapi.VulnerabilityExportFormatPDF),
		SendEmail: new(false), ReportData: map[string]any{"a": []int{1}}}
	isWhole(s.Create(ctx, somewhere, options))
	isWhole(s.Create(ctx, someTeam, options))
	isWhole(s.Create(ctx, everything, serviceapi.CreateVulnerabilityExportOptions{}))
	limited := errorOf(s.Create(ctx, everything, serviceapi.CreateVulnerabilityExportOptions{}))
	require.ErrorIs(t, limited, serviceapi.ErrRateLimited)
	assert.ErrorContains(t, limited, "Export already in progress.")
	isWhole(s.Get(ctx, 2))
	assert.Equal(t, "a,b\n", textOf(t, func() (*serviceapi.Download, *serviceapi.Response, error) {
		return s.Download(ctx, 2)
	}))
	days2025 := serviceapi.CreateVulnerabilityArchiveOptions{
		StartDate: serviceapi.NewDate(2025, 1, 1), EndDate: serviceapi.NewDate(2025, 12, 31)}
	csv := days2025
	csv.ExportFormat = new(serviceapi.VulnerabilityExportFormatCSV)
	isWhole(s.CreateArchive(ctx, somewhere, csv))
	isWhole(s.CreateArchive(ctx, somewhere, days2025))
	isWhole(s.GetArchive(ctx, 2))
	assert.Equal(t, "c,d\n", textOf(t, func() (*serviceapi.Download, *serviceapi.Response, error) {
		return s.DownloadArchive(ctx, 2)
	}))

	assertRefused(t, "ReportData", errorOf(s.Create(ctx, everything, options)))
	assertRefused(t, "owner", errorOf(s.Create(ctx, nil, serviceapi.CreateVulnerabilityExportOptions{})))
	assertRefused(t, "owner", errorOf(s.Create(ctx, &somewhere, serviceapi.CreateVulnerabilityExportOptions{})))
	assertRefused(t, "StartDate", errorOf(s.CreateArchive(ctx, somewhere,
		serviceapi.CreateVulnerabilityArchiveOptions{})))
	assertRefused(t, "EndDate", errorOf(s.CreateArchive(ctx, somewhere,
		serviceapi.CreateVulnerabilityArchiveOptions{StartDate: days2025.StartDate})))
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "id", errorOf(s.DownloadArchive(ctx, 0)))
	_, err := s.Wait(ctx, 0)
	assertRefused(t, "id", err)
}

// textOf reads a download.
func textOf(t *testing.T, open func() (*serviceapi.Download, *serviceapi.Response, error)) string {
	t.Helper()
	d, _, err := open()
	require.NoError(t, err)
	defer d.Close()
	var text strings.Builder
	_, err = d.WriteTo(&text)
	require.NoError(t, err)
	return text.String()
}

func TestDependencies(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	const path, whole = "/projects/4/dependencies", "dependencies/dependency.json"
	assertPlainList(t, path, whole, &serviceapi.Dependency{
		Name: "yaml", Version: "1.2", PackageManager: "npm", DependencyFilePath: "package.json",
		Vulnerabilities: []*serviceapi.DependencyVulnerability{{ID: 103, Name: "Injection", Severity: "high",
			URL: "https://service.test/acme/app/-/security/vulnerabilities/103"}},
		Licenses: []*serviceapi.DependencyLicense{{Name: "MIT License", URL: "https://spdx.org/licenses/MIT.html",
			SPDXIdentifier: "MIT"}},
	}, func(c *c, ctx context.Context, o *o) ([]*serviceapi.Dependency, *serviceapi.Response, error) {
		return c.Dependencies.List(ctx, somewhere, &serviceapi.ListDependenciesOptions{ListOptions: *o})
	}, func(c *c, ctx context.Context, _ *o) iter.Seq2[*serviceapi.Dependency, error] {
		return c.Dependencies.All(ctx, somewhere, nil)
	})
	client := onWire(t, exchange{Method: "GET", Path: path, Body: "[]",
		Query: "package_manager%5B%5D=npm&package_manager%5B%5D=go"})
	_, _, err := client.Dependencies.List(t.Context(), somewhere, &serviceapi.ListDependenciesOptions{
		PackageManagers: []string{"npm", "go"}})
	require.NoError(t, err)
}

func TestDependencyExports(t *testing.T) {
	const whole, one = "dependencies/export.json", "/dependency_list_exports/2"
	self := "https://service.test/api/v4" + one
	isWhole := func(got *serviceapi.DependencyExport, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.DependencyExport{ID: 2, Status: serviceapi.FileExportStatusFinished,
			HasFinished: true, ExportType: serviceapi.DependencyExportTypeSBOM, SendEmail: true,
			ExpiresAt: at(t, "2026-01-22T08:00:05Z"),
			Self:      self, Download: self + "/download"}, got)
		assertFilled(t, got)
	}
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/4/dependency_list_exports", Status: 201, Fixture: whole,
			JSON: `{"export_type":"dependency_list"}`},
		exchange{Method: "POST", Path: "/groups/7/dependency_list_exports", Status: 201, Fixture: whole,
			JSON: `{"export_type":"json_array"}`},
		exchange{Method: "POST", Path: "/pipelines/9/dependency_list_exports", Status: 201, Fixture: whole,
			JSON: `{"export_type":"sbom"}`},
		exchange{Method: "POST", Path: "/groups/7/dependency_list_exports", Status: 201, Fixture: whole,
			JSON: `{"export_type":"csv","send_email":true}`},
		exchange{Method: "GET", Path: one, Status: 202, Fixture: whole},
		exchange{Method: "GET", Path: one + "/download", Body: "{}"})
	s, ctx := client.Dependencies, t.Context()
	type options = serviceapi.CreateDependencyExportOptions
	isWhole(s.CreateExport(ctx, somewhere, options{ExportType: serviceapi.DependencyExportTypeList}))
	isWhole(s.CreateExport(ctx, someTeam, options{ExportType: serviceapi.DependencyExportTypeArray}))
	isWhole(s.CreateExport(ctx, serviceapi.PipelineID(9), options{ExportType: serviceapi.DependencyExportTypeSBOM}))
	csv := options{ExportType: serviceapi.DependencyExportTypeCSV, SendEmail: new(true)}
	isWhole(s.CreateExport(ctx, someTeam, csv))
	isWhole(s.GetExport(ctx, 2))
	assert.Equal(t, "{}", textOf(t, func() (*serviceapi.Download, *serviceapi.Response, error) {
		return s.DownloadExport(ctx, 2)
	}))
	assertRefused(t, "owner", errorOf(s.CreateExport(ctx, nil, csv)))
	assertRefused(t, "owner", errorOf(s.CreateExport(ctx, &someTeam, csv)))
	assertRefused(t, "id", errorOf(s.CreateExport(ctx, serviceapi.PipelineRef{}, csv)))
	assertRefused(t, "ExportType", errorOf(s.CreateExport(ctx, someTeam, options{})))
	assertRefused(t, "export_id", errorOf(s.GetExport(ctx, 0)))
	assertRefused(t, "export_id", errorOf(s.DownloadExport(ctx, 0)))
	assert.Equal(t, "9", serviceapi.PipelineID(9).String())
	assert.True(t, serviceapi.PipelineRef{}.IsZero())
	assert.False(t, serviceapi.PipelineID(9).IsZero())
}

// TestFileExportsWait polls the states of an export. What has no status, as before 17.x, is finished by
// its other member.
func TestFileExportsWait(t *testing.T) {
	const one, old = "/security/vulnerability_exports/2", "/dependency_list_exports/2"
	quick := serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)
	get := func(path, body string) exchange { return exchange{Method: "GET", Path: path, Status: 200, Body: body} }
	client := onWire(t,
		exchange{Method: "GET", Path: one, Status: 202, Body: `{"id":2,"status":"created"}`},
		exchange{Method: "GET", Path: one, Status: 202, Body: `{"id":2,"status":"running"}`},
		get(one, `{"id":2,"status":"finished"}`), get(one, `{"id":2,"status":"failed"}`),
		get("/security/vulnerability_archive_exports/2", `{"id":2,"status":"purged"}`),
		get(old, `{"id":2,"has_finished":false}`), get(old, `{"id":2,"has_finished":true}`),
		get(old, `{"id":2,"status":"failed","has_finished":false}`))
	ctx := t.Context()
	var states []string
	seen := serviceapi.WithPollObserver(func(p serviceapi.Poll) { states = append(states, p.Target+": "+p.State) })
	done, err := client.VulnerabilityExports.Wait(ctx, 2, quick, seen)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.FileExportStatusFinished, done.Status)
	assert.Equal(t, []string{"the vulnerability export 2: created", "the vulnerability export 2: running",
		"the vulnerability export 2: finished"}, states)
	done, err = client.VulnerabilityExports.Wait(ctx, 2, quick)
	var failed *serviceapi.VulnerabilityExportError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, &serviceapi.VulnerabilityExport{ID: 2, Status: serviceapi.FileExportStatusFailed}, done)
	assert.Equal(t, done, failed.Export)
	assert.EqualError(t, err, "serviceapi: the vulnerability export 2 failed")
	_, err = client.VulnerabilityExports.WaitForArchive(ctx, 2, quick)
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, serviceapi.FileExportStatusPurged, failed.Export.Status)
	list, err := client.Dependencies.WaitForExport(ctx, 2, quick)
	require.NoError(t, err)
	assert.True(t, list.HasFinished)
	_, err = client.Dependencies.WaitForExport(ctx, 2, quick)
	var lost *serviceapi.DependencyExportError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, serviceapi.FileExportStatusFailed, lost.Export.Status)
	assert.EqualError(t, err, "serviceapi: the dependency export 2 failed")
	assert.EqualError(t, &serviceapi.DependencyExportError{}, "serviceapi: the dependency export 0 failed")
	assert.EqualError(t, &serviceapi.VulnerabilityExportError{}, "serviceapi: the vulnerability export 0 failed")
}
