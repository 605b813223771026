package serviceapi

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// VulnerabilitiesService reads what scanners have found in projects, and says what was decided
// about it: pipelines report findings, and a vulnerability is a finding that is kept on the default
// branch. Ultimate. Reading requires the Developer role, and changing the Maintainer role; below
// them, calls return [ErrForbidden]. The service calls these endpoints unstable, and prefers GraphQL.
//
// Its options are [ChangeVulnerabilityOptions], [CreateVulnerabilityIssueLinkOptions],
// [CreateVulnerabilityOptions], [ListOptions] and [ListVulnerabilityFindingsOptions]. See the
// example of [VulnerabilitiesService.Dismiss].
type VulnerabilitiesService service

// List returns one page of the vulnerabilities of a project's default branch.
//
//	GET /projects/:id/vulnerabilities
func (s *VulnerabilitiesService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*Vulnerability, *Response, error) {
	return list[*Vulnerability](ctx, using(s), Route("/projects/:id/vulnerabilities", project), queryOf(options), opts)
}

// All returns every vulnerability of a project's default branch.
//
//	GET /projects/:id/vulnerabilities
func (s *VulnerabilitiesService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Vulnerability, error] {
	return all[*Vulnerability](ctx, using(s), Route("/projects/:id/vulnerabilities", project), queryOf(options), opts)
}

// Get returns a vulnerability.
//
//	GET /vulnerabilities/:id
func (s *VulnerabilitiesService) Get(
	ctx context.Context, vulnerabilityID int64, opts ...RequestOption,
) (*Vulnerability, *Response, error) {
	return do[Vulnerability](ctx, using(s), http.MethodGet, Route("/vulnerabilities/:id", vulnerabilityID), nil, opts)
}

// Create keeps a finding of a pipeline as a vulnerability of the project. The call returns
// [ErrBadRequest] if the project has no such finding, or if it is kept already.
//
//	POST /projects/:id/vulnerabilities
func (s *VulnerabilitiesService) Create(
	ctx context.Context, project ProjectRef, options CreateVulnerabilityOptions, opts ...RequestOption,
) (*Vulnerability, *Response, error) {
	return do[Vulnerability](ctx, using(s), http.MethodPost,
		Route("/projects/:id/vulnerabilities", project), jsonOf(options), opts)
}

// Confirm says that a vulnerability is real: its state becomes [VulnerabilityStateConfirmed].
//
//	POST /vulnerabilities/:id/confirm
func (s *VulnerabilitiesService) Confirm(
	ctx context.Context, vulnerabilityID int64, options ChangeVulnerabilityOptions, opts ...RequestOption,
) (*VulnerabilityChange, *Response, error) {
	return changeBy(ctx, using(s), Route("/vulnerabilities/:id/confirm", vulnerabilityID), jsonOf(options),
		newVulnerabilityChange, opts)
}

// Resolve says that a vulnerability was repaired: its state becomes [VulnerabilityStateResolved].
//
//	POST /vulnerabilities/:id/resolve
func (s *VulnerabilitiesService) Resolve(
	ctx context.Context, vulnerabilityID int64, options ChangeVulnerabilityOptions, opts ...RequestOption,
) (*VulnerabilityChange, *Response, error) {
	return changeBy(ctx, using(s), Route("/vulnerabilities/:id/resolve", vulnerabilityID), jsonOf(options),
		newVulnerabilityChange, opts)
}

// Dismiss says that nothing will be done: the state becomes [VulnerabilityStateDismissed]. This call
// alone takes no comment.
//
//	POST /vulnerabilities/:id/dismiss
func (s *VulnerabilitiesService) Dismiss(
	ctx context.Context, vulnerabilityID int64, opts ...RequestOption,
) (*VulnerabilityChange, *Response, error) {
	return change(ctx, using(s), Route("/vulnerabilities/:id/dismiss", vulnerabilityID), newVulnerabilityChange, opts)
}

// Revert takes a decision back: the state becomes [VulnerabilityStateDetected], and who decided what
// and when is forgotten, except in notes of the system.
//
//	POST /vulnerabilities/:id/revert
func (s *VulnerabilitiesService) Revert(
	ctx context.Context, vulnerabilityID int64, options ChangeVulnerabilityOptions, opts ...RequestOption,
) (*VulnerabilityChange, *Response, error) {
	return changeBy(ctx, using(s), Route("/vulnerabilities/:id/revert", vulnerabilityID), jsonOf(options),
		newVulnerabilityChange, opts)
}

// VulnerabilityChange is the result of a change of the state of a vulnerability.
type VulnerabilityChange struct {
	// Vulnerability is in its new state. It is nil if Unchanged is true.
	Vulnerability *Vulnerability
	// Unchanged reports whether the vulnerability was in this state before.
	Unchanged bool
}

func newVulnerabilityChange(v *Vulnerability) *VulnerabilityChange {
	return &VulnerabilityChange{Vulnerability: v, Unchanged: v == nil}
}

// ListFindings returns one page of what a pipeline has found. The service does not count them: see [Response.HasTotal].
//
//	GET /projects/:id/vulnerability_findings
func (s *VulnerabilitiesService) ListFindings(
	ctx context.Context, project ProjectRef, options *ListVulnerabilityFindingsOptions, opts ...RequestOption,
) ([]*VulnerabilityFinding, *Response, error) {
	return list[*VulnerabilityFinding](ctx, using(s),
		Route("/projects/:id/vulnerability_findings", project), queryOf(options), opts)
}

// AllFindings returns everything that a pipeline has found. See [VulnerabilitiesService.ListFindings].
//
//	GET /projects/:id/vulnerability_findings
func (s *VulnerabilitiesService) AllFindings(
	ctx context.Context, project ProjectRef, options *ListVulnerabilityFindingsOptions, opts ...RequestOption,
) iter.Seq2[*VulnerabilityFinding, error] {
	return all[*VulnerabilityFinding](ctx, using(s),
		Route("/projects/:id/vulnerability_findings", project), queryOf(options), opts)
}

const vulnerabilityIssues = "/vulnerabilities/:id/issue_links"

// ListIssueLinks returns the issues that a vulnerability is linked with, without those that the caller
// may not read. The service sends all of them at once.
//
//	GET /vulnerabilities/:id/issue_links
func (s *VulnerabilitiesService) ListIssueLinks(
	ctx context.Context, vulnerabilityID int64, options *ListOptions, opts ...RequestOption,
) ([]*VulnerabilityIssue, *Response, error) {
	return list[*VulnerabilityIssue](ctx, using(s), Route(vulnerabilityIssues, vulnerabilityID), queryOf(options), opts)
}

// AllIssueLinks returns the issues that a vulnerability is linked with, as a sequence.
//
//	GET /vulnerabilities/:id/issue_links
func (s *VulnerabilitiesService) AllIssueLinks(
	ctx context.Context, vulnerabilityID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*VulnerabilityIssue, error] {
	return all[*VulnerabilityIssue](ctx, using(s), Route(vulnerabilityIssues, vulnerabilityID), queryOf(options), opts)
}

// CreateIssueLink links a vulnerability with an issue. The call returns [ErrUnprocessable] if they are
// linked, and [ErrNotFound] if the caller may not read the issue.
//
//	POST /vulnerabilities/:id/issue_links
func (s *VulnerabilitiesService) CreateIssueLink(
	ctx context.Context, vulnerabilityID int64, options CreateVulnerabilityIssueLinkOptions, opts ...RequestOption,
) (*VulnerabilityIssueLink, *Response, error) {
	body := vulnerabilityIssueBody{options, options.Target.project, options.Target.iid}
	return do[VulnerabilityIssueLink](ctx, using(s), http.MethodPost,
		Route(vulnerabilityIssues, vulnerabilityID), jsonOf(body), opts)
}

// DeleteIssueLink removes a link, by [VulnerabilityIssue.VulnerabilityLinkID], and returns it.
//
//	DELETE /vulnerabilities/:id/issue_links/:issue_link_id
func (s *VulnerabilitiesService) DeleteIssueLink(
	ctx context.Context, vulnerabilityID, issueLinkID int64, opts ...RequestOption,
) (*VulnerabilityIssueLink, *Response, error) {
	return do[VulnerabilityIssueLink](ctx, using(s), http.MethodDelete,
		Route(vulnerabilityIssues+"/:issue_link_id", vulnerabilityID, issueLinkID), nil, opts)
}

// CreateVulnerabilityOptions says which finding to keep.
type CreateVulnerabilityOptions struct {
	// FindingID is [VulnerabilityFinding.ID]. It is required.
	FindingID int64 `json:"finding_id" required:"true"`
}

// ChangeVulnerabilityOptions says why the state of a vulnerability changes.
type ChangeVulnerabilityOptions struct {
	// Comment has at most 50000 characters. Since about 16.x.
	Comment *string `json:"comment,omitzero"`
}

// ListVulnerabilityFindingsOptions selects findings of a pipeline.
type ListVulnerabilityFindingsOptions struct {
	ListOptions
	// ReportTypes and Severities select those of any of these. Empty means all.
	ReportTypes []VulnerabilityReportType `url:"report_type[],omitempty"`
	Severities  []VulnerabilitySeverity   `url:"severity[],omitempty"`
	// Scope is [VulnerabilityFindingScopeAll] for all findings. By default, and with
	// [VulnerabilityFindingScopeDismissed], whatever its name says, those that were dismissed are left out.
	Scope VulnerabilityFindingScope `url:"scope,omitempty"`
	// PipelineID is 0 for the latest pipeline with reports.
	PipelineID int64 `url:"pipeline_id,omitempty"`
}

// CreateVulnerabilityIssueLinkOptions describes a link with an issue. Target is required.
type CreateVulnerabilityIssueLinkOptions struct {
	// Target is the issue, of any project.
	Target IssueRef `json:"-" required:"true"`
	// LinkType is [VulnerabilityLinkTypeRelated] by default.
	LinkType *VulnerabilityLinkType `json:"link_type,omitzero"`
}

// vulnerabilityIssueBody is what CreateVulnerabilityIssueLinkOptions are sent as.
type vulnerabilityIssueBody struct {
	CreateVulnerabilityIssueLinkOptions
	TargetProject  ProjectRef `json:"target_project_id"`
	TargetIssueIID int64      `json:"target_issue_iid"`
}

func (o CreateVulnerabilityIssueLinkOptions) check() error {
	return cmp.Or(missing("Target", o.Target.project.IsZero()), positive("Target", o.Target.iid))
}

// VulnerabilityState says what was decided about a vulnerability.
type VulnerabilityState string

// States of vulnerabilities. Older releases have others.
const (
	VulnerabilityStateDetected  VulnerabilityState = "detected"
	VulnerabilityStateConfirmed VulnerabilityState = "confirmed"
	VulnerabilityStateDismissed VulnerabilityState = "dismissed"
	VulnerabilityStateResolved  VulnerabilityState = "resolved"
)

// VulnerabilitySeverity says how bad a vulnerability is.
type VulnerabilitySeverity string

// Severities of vulnerabilities.
const (
	VulnerabilitySeverityInfo     VulnerabilitySeverity = "info"
	VulnerabilitySeverityUnknown  VulnerabilitySeverity = "unknown"
	VulnerabilitySeverityLow      VulnerabilitySeverity = "low"
	VulnerabilitySeverityMedium   VulnerabilitySeverity = "medium"
	VulnerabilitySeverityHigh     VulnerabilitySeverity = "high"
	VulnerabilitySeverityCritical VulnerabilitySeverity = "critical"
)

// VulnerabilityReportType is the kind of scanner that has found something.
type VulnerabilityReportType string

// Kinds of scanners.
const (
	VulnerabilityReportTypeSAST                 VulnerabilityReportType = "sast"
	VulnerabilityReportTypeDependencyScanning   VulnerabilityReportType = "dependency_scanning"
	VulnerabilityReportTypeContainerScanning    VulnerabilityReportType = "container_scanning"
	VulnerabilityReportTypeDAST                 VulnerabilityReportType = "dast"
	VulnerabilityReportTypeSecretDetection      VulnerabilityReportType = "secret_detection"
	VulnerabilityReportTypeCoverageFuzzing      VulnerabilityReportType = "coverage_fuzzing"
	VulnerabilityReportTypeAPIFuzzing           VulnerabilityReportType = "api_fuzzing"
	VulnerabilityReportTypeClusterImageScanning VulnerabilityReportType = "cluster_image_scanning"
	VulnerabilityReportTypeRegistryScanning     VulnerabilityReportType = "container_scanning_for_registry"
	VulnerabilityReportTypeGeneric              VulnerabilityReportType = "generic"
)

// VulnerabilityFindingScope selects findings by whether they were dismissed.
type VulnerabilityFindingScope string

// Scopes of lists of findings.
const (
	VulnerabilityFindingScopeAll       VulnerabilityFindingScope = "all"
	VulnerabilityFindingScopeDismissed VulnerabilityFindingScope = "dismissed"
)

// VulnerabilityLinkType says how an issue relates to a vulnerability.
type VulnerabilityLinkType string

// Types of links. The issue of VulnerabilityLinkTypeCreated was created for the vulnerability.
const (
	VulnerabilityLinkTypeRelated VulnerabilityLinkType = "related"
	VulnerabilityLinkTypeCreated VulnerabilityLinkType = "created"
)

// Vulnerability is a finding that is kept on the default branch of a project.
type Vulnerability struct {
	ID         int64                   `json:"id"`
	Title      string                  `json:"title"`
	State      VulnerabilityState      `json:"state"`
	Severity   VulnerabilitySeverity   `json:"severity"`
	ReportType VulnerabilityReportType `json:"report_type"`
	// Description is empty if the scanner gives none.
	Description string          `json:"description"`
	AuthorID    int64           `json:"author_id"`
	Project     *ProjectSummary `json:"project"`
	// Finding is what the service stores of the finding, whose members differ by release:
	// [Vulnerability.DecodeFinding] reads those that stay.
	Finding json.RawMessage `json:"finding,omitzero"`
	// ResolvedOnDefaultBranch reports whether the last scan of the default branch no longer finds it.
	ResolvedOnDefaultBranch bool   `json:"resolved_on_default_branch"`
	ProjectDefaultBranch    string `json:"project_default_branch"`
	// Who resolved, dismissed or confirmed it, and when, is nil unless it was last in that state.
	ResolvedByID  *int64     `json:"resolved_by_id"`
	ResolvedAt    *time.Time `json:"resolved_at"`
	DismissedByID *int64     `json:"dismissed_by_id"`
	DismissedAt   *time.Time `json:"dismissed_at"`
	ConfirmedByID *int64     `json:"confirmed_by_id"`
	ConfirmedAt   *time.Time `json:"confirmed_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	// These are nil since 16.7.
	LastEditedAt   *time.Time `json:"last_edited_at"`
	LastEditedByID *int64     `json:"last_edited_by_id"`
	UpdatedByID    *int64     `json:"updated_by_id"`
	StartDate      *Date      `json:"start_date"`
	DueDate        *Date      `json:"due_date"`
}

// StoredFinding is what the service stores of a finding.
type StoredFinding struct {
	ID                  int64                   `json:"id"`
	ProjectID           int64                   `json:"project_id"`
	ScannerID           int64                   `json:"scanner_id"`
	PrimaryIdentifierID int64                   `json:"primary_identifier_id"`
	VulnerabilityID     int64                   `json:"vulnerability_id"`
	Name                string                  `json:"name"`
	Severity            VulnerabilitySeverity   `json:"severity"`
	ReportType          VulnerabilityReportType `json:"report_type"`
	UUID                string                  `json:"uuid"`
	LocationFingerprint string                  `json:"location_fingerprint"`
	MetadataVersion     string                  `json:"metadata_version"`
	// RawMetadata is the JSON of the scanner's report about it.
	RawMetadata string    `json:"raw_metadata"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// DecodeFinding returns the members of Finding that stay from release to release. A member of another
// kind is zero, and the error is about the first one.
func (v *Vulnerability) DecodeFinding() (*StoredFinding, error) {
	found := new(StoredFinding)
	return found, unmarshalMembers(orZero(v).Finding, found)
}

// VulnerabilityFinding is what a scanner has found in a pipeline.
type VulnerabilityFinding struct {
	// ID is nil for a finding that is not stored yet.
	ID         *int64                  `json:"id"`
	ReportType VulnerabilityReportType `json:"report_type"`
	Name       string                  `json:"name"`
	Severity   VulnerabilitySeverity   `json:"severity"`
	State      VulnerabilityState      `json:"state"`
	UUID       string                  `json:"uuid"`
	Scanner    *VulnerabilityScanner   `json:"scanner"`
	// Identifiers say which known weakness it is, such as a CVE.
	Identifiers     []*VulnerabilityIdentifier `json:"identifiers"`
	Project         *VulnerabilityProject      `json:"project"`
	Description     string                     `json:"description"`
	DescriptionHTML string                     `json:"description_html"`
	Solution        string                     `json:"solution"`
	Links           []*VulnerabilityLink       `json:"links"`
	// Location differs by ReportType: [VulnerabilityFinding.DecodeLocation] reads the members that most have.
	Location     json.RawMessage             `json:"location,omitzero"`
	Remediations []*VulnerabilityRemediation `json:"remediations"`
	Scan         *VulnerabilityScan          `json:"scan"`
	BlobPath     string                      `json:"blob_path"`
	// FalsePositive is nil if the instance does not look for false positives.
	FalsePositive   *bool                         `json:"false_positive"`
	FoundByPipeline *VulnerabilityFindingPipeline `json:"found_by_pipeline"`
	// AIResolutionEnabled and MatchesAutoDismissPolicy are false in older releases.
	AIResolutionEnabled      bool `json:"ai_resolution_enabled"`
	MatchesAutoDismissPolicy bool `json:"matches_auto_dismiss_policy"`

	// What follows is JSON as the scanner or the service wrote it, nil or null if there is none.
	Evidence           json.RawMessage `json:"evidence,omitzero"`
	EvidenceSource     json.RawMessage `json:"evidence_source,omitzero"`
	Request            json.RawMessage `json:"request,omitzero"`
	Response           json.RawMessage `json:"response,omitzero"`
	SupportingMessages json.RawMessage `json:"supporting_messages,omitzero"`
	Assets             json.RawMessage `json:"assets,omitzero"`
	Details            json.RawMessage `json:"details,omitzero"`
	StateTransitions   json.RawMessage `json:"state_transitions,omitzero"`
	IssueLinks         json.RawMessage `json:"issue_links,omitzero"`
	ExternalIssueLinks json.RawMessage `json:"external_issue_links,omitzero"`
	MergeRequestLinks  json.RawMessage `json:"merge_request_links,omitzero"`
	// The service calls these deprecated.
	DismissalFeedback    json.RawMessage `json:"dismissal_feedback,omitzero"`
	IssueFeedback        json.RawMessage `json:"issue_feedback,omitzero"`
	MergeRequestFeedback json.RawMessage `json:"merge_request_feedback,omitzero"`

	// Addresses and paths of pages where a person goes on.
	CreateJiraIssueURL             string `json:"create_jira_issue_url"`
	CreateFeedbackIssuePath        string `json:"create_vulnerability_feedback_issue_path"`
	CreateFeedbackMergeRequestPath string `json:"create_vulnerability_feedback_merge_request_path"`
	CreateFeedbackDismissalPath    string `json:"create_vulnerability_feedback_dismissal_path"`
}

// VulnerabilityLocation says where something was found. Which members a location has depends on the
// kind of scanner; the others are zero.
type VulnerabilityLocation struct {
	File      string `json:"file"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Class     string `json:"class"`
	Method    string `json:"method"`
	Image     string `json:"image"`
	Hostname  string `json:"hostname"`
	Path      string `json:"path"`
	// Dependency is nil unless it was found in one.
	Dependency *VulnerabilityDependency `json:"dependency"`
}

// VulnerabilityDependency is the version of a package in which something was found.
type VulnerabilityDependency struct {
	Package struct {
		Name string `json:"name"`
	} `json:"package"`
	Version string `json:"version"`
}

// DecodeLocation returns the members of Location that most kinds of scanners have. A member of another
// kind is zero, and the error is about the first one.
func (f *VulnerabilityFinding) DecodeLocation() (*VulnerabilityLocation, error) {
	found := new(VulnerabilityLocation)
	return found, unmarshalMembers(orZero(f).Location, found)
}

// VulnerabilityScanner is a scanner.
type VulnerabilityScanner struct {
	ExternalID string `json:"external_id"`
	Name       string `json:"name"`
	Vendor     string `json:"vendor"`
}

// VulnerabilityIdentifier is the name of a known weakness, such as CVE-2026-1.
type VulnerabilityIdentifier struct {
	ExternalType string `json:"external_type"`
	ExternalID   string `json:"external_id"`
	Name         string `json:"name"`
	URL          string `json:"url"`
}

// VulnerabilityProject is the project of a finding.
type VulnerabilityProject struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	FullPath string `json:"full_path"`
	FullName string `json:"full_name"`
}

// VulnerabilityLink is a page about a finding.
type VulnerabilityLink struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// VulnerabilityRemediation is a repair that a scanner proposes.
type VulnerabilityRemediation struct {
	Summary string `json:"summary"`
	// Diff is a patch in Base64.
	Diff  string          `json:"diff"`
	Fixes json.RawMessage `json:"fixes,omitzero"`
}

// VulnerabilityScan is the run of a scanner. Its times are those of the report, in UTC.
type VulnerabilityScan struct {
	Type      string     `json:"type"`
	Status    string     `json:"status"`
	StartTime *time.Time `json:"start_time"`
	EndTime   *time.Time `json:"end_time"`
}

// VulnerabilityFindingPipeline is the pipeline that found something first.
type VulnerabilityFindingPipeline struct {
	IID int64 `json:"iid"`
}

// VulnerabilityIssue is an [Issue] that is linked with a vulnerability.
type VulnerabilityIssue struct {
	Issue

	// VulnerabilityLinkID is the ID of the link, for DeleteIssueLink.
	VulnerabilityLinkID   int64                 `json:"vulnerability_link_id"`
	VulnerabilityLinkType VulnerabilityLinkType `json:"vulnerability_link_type"`
}

// Ref identifies the issue by the ID of its project and its number there.
func (i *VulnerabilityIssue) Ref() IssueRef {
	return ProjectID(orZero(i).ProjectID).Issue(orZero(i).IID)
}

// VulnerabilityIssueLink is a link between a vulnerability and an issue.
type VulnerabilityIssueLink struct {
	ID            int64          `json:"id"`
	Vulnerability *Vulnerability `json:"vulnerability"`
	// Issue has only its basic fields. It is nil if the caller may not read it.
	Issue    *Issue                `json:"issue"`
	LinkType VulnerabilityLinkType `json:"link_type"`
}
