package servicetest

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A fileKind is a kind of export to a file: of vulnerabilities, of archived ones, of dependencies.
type fileKind struct {
	name, path, param string // the name in refusals, the path, and the parameter with the format
	formats           map[listOwner][]string
	archive           bool
}

var (
	vulnerabilityFile = &fileKind{name: "Vulnerability Export", path: "/security/vulnerability_exports/",
		param: "export_format", formats: map[listOwner][]string{
			ofProject: {"csv", "pdf"}, ofGroup: {"csv", "pdf"}, ofInstance: {"csv", "pdf"}}}
	archiveFile = &fileKind{name: "Archive Export", path: "/security/vulnerability_archive_exports/", archive: true,
		param: "export_format", formats: map[listOwner][]string{ofProject: {"csv"}}}
	dependencyFile = &fileKind{name: "DependencyListExport", path: "/dependency_list_exports/", param: "export_type",
		formats: map[listOwner][]string{ofProject: {"dependency_list", "csv", "cyclonedx_1_6_json"},
			ofGroup: {"json_array", "csv"}, ofPipeline: {"sbom"}}}
)

// ofPipeline is an owner that no list has.
const ofPipeline = listOwner(100)

// A fileExport is an export to a file, of what its owner has when it finishes.
type fileExport struct {
	id             int64
	kind           *fileKind
	user           *User
	project        *Project
	group          *Group
	format, status string
	email          bool

	createdAt, startedAt, finishedAt, expiresAt jsonTime
	file                                        *content
}

type fileExportState struct {
	of    map[*fileKind]*table[*fileExport]
	fails bool
}

// FailNextFileExport makes the next export of vulnerabilities or dependencies fail.
func (s *Service) FailNextFileExport() {
	defer s.lock()()
	state[fileExportState](s).fails = true
}

func (k *fileKind) exports(s *Service) *table[*fileExport] {
	return kept(&state[fileExportState](s).of, k)
}

// create makes a handler that starts an export.
func (k *fileKind) create(owner listOwner) handler {
	return func(c *call) *reply {
		e := &fileExport{kind: k, user: c.user, status: "created", createdAt: jsonTime(c.now())}
		if refusal := c.ownExport(e, owner); refusal != nil {
			return refusal
		}
		e.format = either(c.StringIn(k.param, k.formats[owner]...), k.formats[owner][0])
		if k.archive {
			c.Require("start_date", "end_date")
			frame.Accept(c.Time, "start_date", "end_date")
		} else {
			e.email = c.BoolOr("send_email", e.format == "pdf")
		}
		if k == vulnerabilityFile && owner != ofInstance {
			frame.Accept(c.Sub, "report_data")
		}
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		all := k.exports(c.svc)
		if k == vulnerabilityFile && len(all.all(e.repeats)) > 0 {
			return frame.Message(http.StatusTooManyRequests,
				"Export already in progress. Please retry after the current export completes.")
		}
		e.id, _ = all.add(0, e)
		c.svc.later(ExportQueuedFor, func() { c.svc.runFileExport(e) })
		return c.Created(e.form(c))
	}
}

// ownExport finds the owner that the path names.
func (c *call) ownExport(e *fileExport, owner listOwner) (refusal *reply) {
	switch owner {
	case ofProject:
		e.project, refusal = c.project()
	case ofGroup:
		e.group, refusal = c.group()
	case ofPipeline:
		p, ok := state[pipelineState](c.svc).pipelines.get(c.PathInt64("id"))
		switch {
		case !ok || !c.svc.canSeeProject(c.user, p.project):
			return frame.NotFound("")
		case c.svc.projectLevel(c.user, p.project) < c.route.role:
			return frame.Forbidden("")
		}
		e.project = p.project
	}
	return refusal
}

// repeats reports whether another export of the same is in progress.
func (e *fileExport) repeats(other *fileExport) bool {
	return e.user == other.user && e.project == other.project && e.group == other.group && e.format == other.format &&
		(other.status == "created" || other.status == "running")
}

func (s *Service) runFileExport(e *fileExport) {
	e.status, e.startedAt = "running", jsonTime(s.now())
	s.later(ExportStartedFor, func() { s.finishFileExport(e) })
}

func (s *Service) finishFileExport(e *fileExport) {
	all := state[fileExportState](s)
	e.status, e.finishedAt = "finished", jsonTime(s.now())
	if all.fails {
		e.status, all.fails = "failed", false
		return
	}
	if !e.kind.archive {
		e.expiresAt = jsonTime(s.now().AddDate(0, 0, 7))
	}
	text := e.vulnerabilities()
	if e.kind == dependencyFile {
		text = e.dependencies()
	}
	e.file = textContent([]byte(text), s.now())
}

// has reports whether the export is about a project.
func (e *fileExport) has(p *Project) bool {
	switch {
	case e.project != nil:
		return e.project == p
	case e.group != nil:
		return p.within(e.group)
	}
	return p.svc.projectLevel(e.user, p) >= Developer
}

func (e *fileExport) vulnerabilities() string {
	lines := [][]string{{"Project Name", "Tool", "Status", "Vulnerability", "Severity"}}
	for _, v := range state[vulnerabilityState](e.user.svc).kept.all(nil) {
		if f := v.finding; e.has(f.pipeline.project) && !e.kind.archive {
			lines = append(lines, []string{f.pipeline.project.name, f.ReportType, v.state, f.Name, f.Severity})
		}
	}
	return csvText(lines)
}

func (e *fileExport) dependencies() string {
	found, lines := []object{}, [][]string{{"Name", "Version", "Packager", "Location"}}
	for _, d := range state[packageUseState](e.user.svc).all {
		if e.has(d.project) {
			found = append(found, d.form())
			lines = append(lines, []string{d.Name, d.Version, d.PackageManager, d.File})
		}
	}
	switch e.format {
	case "csv":
		return csvText(lines)
	case "json_array":
		return string(frame.Encode(found))
	case "dependency_list":
		return string(frame.Encode(object{"report": object{"status": "ok"}, "dependencies": found}))
	}
	return string(frame.Encode(object{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": found}))
}

func csvText(lines [][]string) string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.WriteAll(lines) // a Builder has no errors
	return text.String()
}

func (e *fileExport) form(c *call) object {
	self := c.base() + "/api/v4" + e.kind.path + frame.Itoa(e.id)
	if e.kind == dependencyFile {
		return object{"id": e.id, "status": e.status, "has_finished": e.status == "finished", "export_type": e.format,
			"send_email": e.email, "expires_at": e.expiresAt, "self": self, "download": self + "/download"}
	}
	form := object{"id": e.id, "created_at": e.createdAt, "project_id": idOf(e.project), "format": e.format,
		"status": e.status, "started_at": e.startedAt, "finished_at": e.finishedAt,
		"_links": object{"self": self, "download": self + "/download"}}
	if !e.kind.archive {
		form["group_id"], form["send_email"], form["expires_at"] = idOf(e.group), e.email, e.expiresAt
	}
	return form
}

// find returns the export of the path, which only its maker may read.
func (k *fileKind) find(c *call) (*fileExport, *reply) {
	id := c.PathInt64("id")
	if k == dependencyFile {
		id = c.PathInt64("export_id")
	}
	e, ok := k.exports(c.svc).get(id)
	switch {
	case !ok:
		return nil, frame.NotFound(k.name)
	case e.user != c.user:
		return nil, frame.Forbidden("")
	}
	return e, nil
}

// getFileExport shows an export, with 202 while it is in progress.
func getFileExport(c *call, e *fileExport) *reply {
	if e.status == "finished" || e.status == "failed" {
		return c.OK(e.form(c))
	}
	return c.Accepted(e.form(c)).Set("Poll-Interval", "5000")
}

func downloadFileExport(c *call, e *fileExport) *reply {
	switch {
	case e.file == nil:
		return frame.NotFound(e.kind.name)
	case e.format == "csv":
		return e.file.reply(c, "export.csv", "text/csv")
	}
	return e.file.reply(c, "export.json", "application/json")
}

// A Dependency is a package that a project uses. Project.Dependency adds it.
type Dependency struct {
	Name, Version, PackageManager string
	File                          string // that asks for the package, such as go.sum
	Licenses                      []string
	Finding                       int64 // a finding about it, kept as a vulnerability; 0 for none
}

type usedPackage struct {
	Dependency

	project *Project
}

type packageUseState struct{ all []*usedPackage }

// Dependency adds a dependency of the project.
func (p *Project) Dependency(d Dependency) {
	defer p.svc.lock()()
	all := state[packageUseState](p.svc)
	all.all = append(all.all, &usedPackage{d, p})
}

func (d *usedPackage) form() object {
	found, licenses := []object{}, mapped(d.Licenses, func(name string) object {
		return object{"name": name, "url": "https://spdx.org/licenses/" + name + ".html", "spdx_identifier": name}
	})
	if f, ok := state[vulnerabilityState](d.project.svc).findings.get(d.Finding); ok && f.kept != nil {
		found = append(found, object{"id": f.kept.id, "name": f.Name, "severity": f.Severity,
			"url": d.project.webURL("-/security/vulnerabilities/" + frame.Itoa(f.kept.id))})
	}
	return object{"name": jsonText(d.Name), "version": jsonText(d.Version), "licenses": licenses,
		"package_manager": jsonText(d.PackageManager), "dependency_file_path": jsonText(d.File),
		"vulnerabilities": found}
}

var packageManagers = strings.Fields("bundler yarn npm pnpm maven composer pip conan go nuget sbt gradle " +
	"pipenv poetry setuptools apk conda pub cargo")

func listDependencies(c *call, p *Project) *reply {
	managers := c.listed("package_manager", packageManagers)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	kept := slices.DeleteFunc(slices.Clone(state[packageUseState](c.svc).all), func(d *usedPackage) bool {
		return d.project != p || !slices.Contains(managers, d.PackageManager)
	})
	return frame.ListOf(c, kept, (*usedPackage).form)
}
