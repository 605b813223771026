package servicetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Finding is what a scanner has found in a pipeline. Pipeline.Finding reports it.
type Finding struct {
	Name       string
	Severity   string // unknown if empty
	ReportType string // sast if empty
	Location   string // JSON; {"file":"main.go","start_line":1} if empty
	// Vulnerable keeps the finding as a vulnerability, as the default branch does.
	Vulnerable bool
}

// A finding is a finding that was reported.
type finding struct {
	Finding

	id        int64
	pipeline  *Pipeline
	kept      *vulnerability // nil for a finding that is not kept
	createdAt jsonTime
}

// A vulnerability is a finding that is kept.
type vulnerability struct {
	finding              *finding
	id                   int64
	author               *User
	state                string
	decided              object // who decided and when, by the name of the member
	createdAt, updatedAt jsonTime
	links                table[*vulnerabilityLink]
}

type vulnerabilityLink struct {
	id    int64
	issue *Issue
	kind  string
}

type vulnerabilityState struct {
	findings table[*finding]
	kept     table[*vulnerability]
	links    int64
}

var severities = []string{"info", "unknown", "low", "medium", "high", "critical"}

var reportTypes = []string{"sast", "dependency_scanning", "container_scanning", "dast", "secret_detection",
	"coverage_fuzzing", "api_fuzzing", "cluster_image_scanning", "container_scanning_for_registry", "generic"}

// Finding reports a finding of the pipeline, and returns its ID. An unknown severity or type of
// report, or a location that is no JSON, fails the test.
func (p *Pipeline) Finding(reported Finding) int64 {
	defer p.svc.lock()()
	reported.Severity = either(reported.Severity, "unknown")
	reported.ReportType = either(reported.ReportType, "sast")
	reported.Location = either(reported.Location, `{"file":"main.go","start_line":1}`)
	if !slices.Contains(severities, reported.Severity) || !slices.Contains(reportTypes, reported.ReportType) ||
		!json.Valid([]byte(reported.Location)) {
		p.svc.fail("a finding of no kind: %+v", reported)
	}
	f := &finding{Finding: reported, pipeline: p, createdAt: jsonTime(p.svc.now())}
	f.id, _ = state[vulnerabilityState](p.svc).findings.add(0, f)
	if reported.Vulnerable {
		f.keep(p.svc.admin)
	}
	return f.id
}

// keep makes a vulnerability of a finding.
func (f *finding) keep(by *User) *vulnerability {
	now := jsonTime(f.pipeline.svc.now())
	v := &vulnerability{finding: f, author: by, state: "detected", createdAt: now, updatedAt: now}
	v.id, _ = state[vulnerabilityState](f.pipeline.svc).kept.add(0, v)
	f.kept = v
	return v
}

func (f *finding) uuid() string { return fmt.Sprintf("00000000-0000-5000-8000-%012d", f.id) }

func (f *finding) state() string {
	if f.kept == nil {
		return "detected"
	}
	return f.kept.state
}

// stored is what the service stores of the finding.
func (f *finding) stored() object {
	metadata, _ := json.Marshal(object{"name": f.Name, "location": json.RawMessage(f.Location)})
	return object{
		"id": f.id, "project_id": f.pipeline.project.id, "scanner_id": 1, "primary_identifier_id": f.id,
		"vulnerability_id": f.kept.id, "name": f.Name, "severity": f.Severity, "report_type": f.ReportType,
		"uuid": f.uuid(), "location_fingerprint": frame.SHA256Hex(f.Location)[:40], "metadata_version": "15.0.0",
		"raw_metadata": string(metadata), "created_at": f.createdAt, "updated_at": f.createdAt,
	}
}

func (v *vulnerability) form() object {
	p := v.finding.pipeline.project
	form := object{
		"id": v.id, "title": v.finding.Name, "description": nil, "state": v.state, "severity": v.finding.Severity,
		"report_type": v.finding.ReportType, "author_id": v.author.id, "project": p.summary(),
		"finding": v.finding.stored(), "resolved_on_default_branch": false, "project_default_branch": p.defaultBranch,
		"created_at": v.createdAt, "updated_at": v.updatedAt,
	}
	for _, name := range []string{"resolved_by_id", "resolved_at", "dismissed_by_id", "dismissed_at", "confirmed_by_id",
		"confirmed_at", "last_edited_at", "last_edited_by_id", "updated_by_id", "start_date", "due_date"} {
		form[name] = nil
	}
	maps.Copy(form, v.decided)
	return form
}

func (f *finding) form() object {
	p := f.pipeline.project
	name := object{"external_type": "cve", "external_id": fmt.Sprint("CVE-2026-", f.id), "url": nil}
	name["name"] = name["external_id"]
	form := object{
		"id": f.id, "report_type": f.ReportType, "name": f.Name, "severity": f.Severity, "uuid": f.uuid(),
		"state": f.state(), "location": json.RawMessage(f.Location), "identifiers": []object{name},
		"scanner": object{"external_id": f.ReportType, "name": f.ReportType, "vendor": nil},
		"project": object{"id": p.id, "name": p.name, "full_path": "/" + p.fullPath(), "full_name": p.fullPath()},
		"scan":    object{"type": f.ReportType, "status": "success", "start_time": nil, "end_time": nil},
		"details": object{}, "false_positive": false, "found_by_pipeline": object{"iid": f.pipeline.iid},
		"ai_resolution_enabled": false, "matches_auto_dismiss_policy": false,
	}
	for _, name := range []string{"links", "remediations", "supporting_messages", "assets", "state_transitions",
		"issue_links", "external_issue_links", "merge_request_links"} {
		form[name] = []object{}
	}
	for _, name := range []string{"description", "description_html", "solution", "blob_path", "evidence",
		"evidence_source", "request", "response", "dismissal_feedback", "issue_feedback", "merge_request_feedback",
		"create_jira_issue_url", "create_vulnerability_feedback_issue_path",
		"create_vulnerability_feedback_merge_request_path", "create_vulnerability_feedback_dismissal_path"} {
		form[name] = nil
	}
	return form
}

func listVulnerabilities(c *call, p *Project) *reply {
	kept := state[vulnerabilityState](c.svc).kept.all(func(v *vulnerability) bool {
		return v.finding.pipeline.project == p
	})
	return frame.ListOf(c, kept, (*vulnerability).form)
}

func createVulnerability(c *call, p *Project) *reply {
	c.Require("finding_id")
	f, ok := state[vulnerabilityState](c.svc).findings.get(c.Int64("finding_id"))
	switch refusal := c.Refusal(); {
	case refusal != nil:
		return refusal
	case !ok || f.kept != nil || f.pipeline.project != p:
		return frame.FieldErrors("base", "finding is not found or is already attached to a vulnerability")
	}
	return c.Created(f.keep(c.user).form())
}

// listFindings lists what the pipeline has found, or the latest one that has found something.
func listFindings(c *call, p *Project) *reply {
	kinds, levels := c.listed("report_type", reportTypes), c.listed("severity", severities)
	all, pipeline := c.StringIn("scope", "dismissed", "all") == "all", c.Int64("pipeline_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := state[vulnerabilityState](c.svc).findings.all(func(f *finding) bool { return f.pipeline.project == p })
	if pipeline == 0 {
		for _, f := range found {
			pipeline = max(pipeline, f.pipeline.id)
		}
	}
	c.Uncounted = true
	return frame.ListOf(c, slices.DeleteFunc(found, func(f *finding) bool {
		return f.pipeline.id != pipeline || !slices.Contains(kinds, f.ReportType) ||
			!slices.Contains(levels, f.Severity) || !all && f.state() == "dismissed"
	}), (*finding).form)
}

// listed returns the values of a list, which may have commas, or all of them without any.
func (c *call) listed(name string, allowed []string) []string {
	values := c.SplitStrings(name)
	for _, value := range values {
		if !slices.Contains(allowed, value) {
			c.Problem(name + " does not have a valid value")
		}
	}
	if len(values) == 0 {
		return allowed
	}
	return values
}

// vulnerability returns that of the path. Those of projects that the caller cannot see do not exist.
func (c *call) vulnerability() (*vulnerability, *reply) {
	v, ok := state[vulnerabilityState](c.svc).kept.get(c.PathInt64("id"))
	switch {
	case !ok || !c.svc.canSeeProject(c.user, v.finding.pipeline.project):
		return nil, frame.NotFound("")
	case c.svc.projectLevel(c.user, v.finding.pipeline.project) < c.route.role:
		return nil, frame.Forbidden("")
	}
	return v, nil
}

func getVulnerability(c *call, v *vulnerability) *reply { return c.OK(v.form()) }

// decideVulnerability makes a handler that changes the state.
func decideVulnerability(to string) handler {
	return with((*call).vulnerability, func(c *call, v *vulnerability) *reply {
		if to != "dismissed" && len([]rune(c.String("comment"))) > 50000 {
			c.Problem("comment is too long (maximum is 50000 characters)")
		}
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		if v.state == to {
			return &reply{Status: http.StatusNotModified}
		}
		v.state, v.updatedAt, v.decided = to, jsonTime(c.now()), nil
		if to != "detected" {
			v.decided = object{to + "_by_id": c.user.id, to + "_at": jsonTime(c.now())}
		}
		return c.Created(v.form())
	})
}

// listVulnerabilityIssues lists all linked issues at once.
func listVulnerabilityIssues(c *call, v *vulnerability) *reply {
	seen := v.links.all(func(l *vulnerabilityLink) bool { return c.canReadIssue(l.issue) })
	return c.OK(mapped(seen, func(l *vulnerabilityLink) object {
		form := l.issue.basicJSON()
		form["vulnerability_link_id"], form["vulnerability_link_type"] = l.id, l.kind
		return form
	}))
}

func (c *call) vulnerabilityLinkForm(v *vulnerability, l *vulnerabilityLink) object {
	form := object{"id": l.id, "vulnerability": v.form(), "link_type": l.kind}
	if c.canReadIssue(l.issue) {
		form["issue"] = l.issue.basicJSON()
	}
	return form
}

func createVulnerabilityIssue(c *call, v *vulnerability) *reply {
	c.Require("target_issue_iid")
	iid, kind := c.Int64("target_issue_iid"), either(c.StringIn("link_type", "related", "created"), "related")
	p := v.finding.pipeline.project
	if name := c.String("target_project_id"); name != "" {
		p = c.svc.findProject(name)
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if p == nil || !c.svc.canSeeProject(c.user, p) {
		return frame.NotFound("Project")
	}
	target, ok := p.issues().get(iid)
	switch {
	case !ok || !target.visibleTo(c.user):
		return frame.NotFound("")
	case slices.ContainsFunc(v.links.all(nil), func(l *vulnerabilityLink) bool { return l.issue == target }):
		return frame.Unprocessable("Issue has already been linked to another vulnerability")
	}
	all, l := state[vulnerabilityState](c.svc), &vulnerabilityLink{issue: target, kind: kind}
	all.links++
	l.id, _ = v.links.add(all.links, l)
	return c.Created(c.vulnerabilityLinkForm(v, l))
}

func deleteVulnerabilityIssue(c *call, v *vulnerability) *reply {
	l, ok := v.links.get(c.PathInt64("issue_link_id"))
	if !ok {
		return frame.NotFound("")
	}
	v.links.remove(l.id)
	return c.OK(c.vulnerabilityLinkForm(v, l))
}
