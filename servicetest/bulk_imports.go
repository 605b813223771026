package servicetest

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// bulkProgress is what imports and their parts have in common.
type bulkProgress struct {
	id                   int64
	status               string
	createdAt, updatedAt time.Time
}

func (p *bulkProgress) set(status string, now time.Time) { p.status, p.updatedAt = status, now }

// A bulkImport moves groups and projects here from an instance that does not exist: every address
// answers, and has what RemoteGroup says.
type bulkImport struct {
	bulkProgress

	user *User
	url  string
}

// A bulkEntity is a group or a project of an import.
type bulkEntity struct {
	bulkProgress

	of                            *bulkImport
	kind, source, slug, namespace string
	made                          string // the path of the group or the project, when it is there
	parent                        *bulkEntity
	group                         *Group
	project                       *Project
	projects, members             bool
	failures                      []RemoteFailure
}

// A RemoteFailure is an object of another instance that cannot be imported.
type RemoteFailure struct{ Relation, Message, Title string }

type bulkState struct {
	imports  table[*bulkImport]
	entities table[*bulkEntity]
	remote   map[string][]string        // projects by the path of their group
	failures map[string][]RemoteFailure // by path
	fails    bool
}

// RemoteGroup says which projects a group of another instance has, by the last elements of their
// paths. Bulk imports bring them. Other groups have none.
func (s *Service) RemoteGroup(path string, projects ...string) {
	defer s.lock()()
	all := state[bulkState](s)
	put(&all.remote, path, append(all.remote[path], projects...))
}

// FailRemote says what cannot be imported of a group or a project of another instance.
func (s *Service) FailRemote(path string, failures ...RemoteFailure) {
	defer s.lock()()
	all := state[bulkState](s)
	put(&all.failures, path, append(all.failures[path], failures...))
}

// FailNextBulkImport makes the next bulk import that ends fail.
func (s *Service) FailNextBulkImport() {
	defer s.lock()()
	state[bulkState](s).fails = true
}

// direct makes a handler that exists only while direct transfer is on.
func direct(handle handler) handler {
	return func(c *call) *reply {
		if !c.directTransfer() {
			return frame.NotFoundUnnamed()
		}
		return handle(c)
	}
}

func (c *call) directTransfer() bool { return c.svc.instance().flag("bulk_import_enabled") }

var bulkStatuses = []string{"created", "started", "finished", "timeout", "failed", "canceled"}

func startBulkImport(c *call) *reply {
	from := c.Sub("configuration")
	c.Require("configuration", "entities")
	if c.Given("configuration") {
		from.Require("url", "access_token")
	}
	begun := bulkProgress{status: "created", createdAt: c.now(), updatedAt: c.now()}
	i := &bulkImport{bulkProgress: begun, user: c.user, url: from.String("url")}
	frame.Accept(from.String, "access_token")
	entities := mapped(c.Subs("entities"), i.readEntity)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for _, e := range entities {
		if problem := c.bulkProblem(e); problem != "" {
			return frame.Unprocessable("Import failed. " + problem)
		}
	}
	all := state[bulkState](c.svc)
	i.id, _ = all.imports.add(0, i)
	for _, e := range entities {
		e.id, _ = all.entities.add(0, e)
	}
	c.svc.after(ImportScheduledFor, func() { c.svc.runBulkImport(i) })
	return c.Created(bulkImports.Form(c, c.user, i))
}

func (i *bulkImport) readEntity(f fields) *bulkEntity {
	f.Require("source_type", "source_full_path")
	f.RequireGiven("destination_namespace")
	f.Exclusive("destination_slug", "destination_name")
	e := &bulkEntity{bulkProgress: i.bulkProgress, of: i, source: f.String("source_full_path"),
		namespace: f.String("destination_namespace"),
		slug:      either(f.String("destination_slug"), f.String("destination_name")),
		projects:  f.BoolOr("migrate_projects", true), members: f.BoolOr("migrate_memberships", true)}
	e.kind, _, _ = strings.Cut(f.StringIn("source_type", "group_entity", "project_entity"), "_")
	if e.slug == "" {
		f.Require("destination_slug")
	}
	if strings.Contains(e.source, "://") || strings.HasPrefix(e.source, "/") {
		f.Problem("entities[0][source_full_path] must be a relative path and not include protocol, sub-domain, " +
			"or domain information. For example, 'source/full/path' not 'https://example.com/source/full/path'")
	}
	return e
}

// path returns where the entity goes.
func (e *bulkEntity) path() string { return strings.TrimPrefix(e.namespace+"/"+e.slug, "/") }

// bulkProblem refuses a destination that is taken, or that the caller may not import into.
func (c *call) bulkProblem(e *bulkEntity) string {
	above := c.svc.findGroup(e.namespace)
	mayNot := above == nil || c.svc.groupLevel(c.user, above) < Maintainer
	switch {
	case e.namespace == "" && e.kind == "project", e.namespace != "" && mayNot:
		return "'" + e.path() + "' is invalid, or you do not have permission."
	case c.svc.findGroup(e.path()) != nil, c.svc.findProject(e.path()) != nil:
		return "'" + e.path() + "' already exists. Change the destination and try again."
	}
	return ""
}

func (i *bulkImport) entities() []*bulkEntity {
	return state[bulkState](i.user.svc).entities.all(func(e *bulkEntity) bool { return e.of == i })
}

// runBulkImport makes the groups, and finds their projects.
func (s *Service) runBulkImport(i *bulkImport) {
	defer s.lock()()
	if i.status != "created" {
		return
	}
	all := state[bulkState](s)
	i.set("started", s.now())
	for _, e := range i.entities() {
		e.set("started", s.now())
		if e.kind != "group" {
			continue
		}
		e.made, e.group = e.path(), s.newGroup(s.findGroup(e.namespace), e.slug, nil)
		s.addMember(&e.group.members, i.user, Owner)
		if !e.projects {
			continue
		}
		for _, name := range all.remote[e.source] {
			p := &bulkEntity{of: i, kind: "project", source: e.source + "/" + name, slug: name, namespace: e.path(),
				parent: e, members: e.members, projects: true}
			p.bulkProgress = bulkProgress{status: "started", createdAt: i.updatedAt, updatedAt: i.updatedAt}
			p.id, _ = all.entities.add(0, p)
		}
	}
	s.after(ImportStartedFor, func() { s.finishBulkImport(i) })
}

// finishBulkImport makes the projects.
func (s *Service) finishBulkImport(i *bulkImport) {
	defer s.lock()()
	all := state[bulkState](s)
	if i.status != "started" {
		return
	}
	status := "finished"
	if all.fails {
		status, all.fails = "failed", false
	}
	for _, e := range i.entities() {
		e.set(status, s.now())
		e.failures = all.failures[e.source]
		if e.kind == "project" && status == "finished" {
			e.made, e.project = e.path(), s.newProject(s.findGroup(e.namespace), nil, e.slug, nil)
		}
	}
	i.set(status, s.now())
}

// ID returns the ID in the API.
func (e *bulkEntity) ID() int64 { return e.id }

// bulkUser returns the caller, who sees only own imports.
func (c *call) bulkUser() (*User, *reply) {
	if !c.directTransfer() {
		return nil, frame.NotFoundUnnamed()
	}
	return c.user, nil
}

// sorted puts the records of a list in the order of the call.
func sorted[T any](c *call, records []T) []T {
	if c.StringIn("sort", "asc", "desc") != "asc" {
		slices.Reverse(records)
	}
	return records
}

var bulkImports = collection.Table[*call, *User, bulkImport]{
	Param: "id", ID: func(i *bulkImport) int64 { return i.id }, Home: (*call).bulkUser,
	Records: func(c *call, u *User) []*bulkImport {
		return sorted(c, state[bulkState](c.svc).imports.all(func(i *bulkImport) bool { return i.user == u }))
	},
	Filters: []collection.Filter[bulkImport]{
		collection.Equal("status", func(i *bulkImport) string { return i.status }, bulkStatuses...),
	},
	Fields: []collection.Field[bulkImport]{
		collection.Moment("created_at", func(i *bulkImport) *time.Time { return &i.createdAt }),
		collection.Shown("has_failures", func(i *bulkImport) bool {
			return slices.ContainsFunc(i.entities(), func(e *bulkEntity) bool { return len(e.failures) > 0 })
		}),
		collection.Shown("id", func(i *bulkImport) int64 { return i.id }),
		collection.Shown("source_type", func(*bulkImport) string { return "service" }),
		collection.Text("source_url", func(i *bulkImport) *string { return &i.url }),
		collection.Text("status", func(i *bulkImport) *string { return &i.status }),
		collection.Moment("updated_at", func(i *bulkImport) *time.Time { return &i.updatedAt }),
	},
}

// bulkEntities are those of an import, or, with nil, of all imports of the caller.
var bulkEntities = collection.Table[*call, *bulkImport, bulkEntity]{
	Param: "entity_id", ID: (*bulkEntity).ID,
	Home: func(c *call) (i *bulkImport, refusal *reply) {
		if c.PathString("id") == "" {
			_, refusal = c.bulkUser()
			return nil, refusal
		}
		_, i, refusal = bulkImports.One(c)
		return i, refusal
	},
	Records: func(c *call, i *bulkImport) []*bulkEntity {
		return sorted(c, state[bulkState](c.svc).entities.all(func(e *bulkEntity) bool {
			return e.of == i || i == nil && e.of.user == c.user
		}))
	},
	Filters: []collection.Filter[bulkEntity]{
		collection.Equal("status", func(e *bulkEntity) string { return e.status }, bulkStatuses...),
	},
	Fields: []collection.Field[bulkEntity]{
		collection.Shown("bulk_import_id", func(e *bulkEntity) int64 { return e.of.id }),
		collection.Moment("created_at", func(e *bulkEntity) *time.Time { return &e.createdAt }),
		collection.Note("destination_full_path", func(e *bulkEntity) *string { return &e.made }),
		collection.Text("destination_name", func(e *bulkEntity) *string { return &e.slug }),
		collection.Text("destination_namespace", func(e *bulkEntity) *string { return &e.namespace }),
		collection.Text("destination_slug", func(e *bulkEntity) *string { return &e.slug }),
		collection.Text("entity_type", func(e *bulkEntity) *string { return &e.kind }),
		collection.Shown("failures", func(e *bulkEntity) []object { return mapped(e.failures, RemoteFailure.form) }),
		collection.Shown("has_failures", func(e *bulkEntity) bool { return len(e.failures) > 0 }),
		collection.Shown("id", (*bulkEntity).ID),
		collection.Flag("migrate_memberships", func(e *bulkEntity) *bool { return &e.members }),
		collection.Flag("migrate_projects", func(e *bulkEntity) *bool { return &e.projects }),
		collection.Shown("namespace_id", func(e *bulkEntity) any { return idOf(e.group) }),
		collection.Shown("parent_id", func(e *bulkEntity) any { return idOf(e.parent) }),
		collection.Shown("project_id", func(e *bulkEntity) any { return idOf(e.project) }),
		collection.Text("source_full_path", func(e *bulkEntity) *string { return &e.source }),
		collection.Shown("stats", func(e *bulkEntity) object {
			stats := object{}
			for _, f := range e.failures {
				stats[f.Relation] = object{"source": 1, "fetched": 1, "imported": 0}
			}
			return stats
		}),
		collection.Text("status", func(e *bulkEntity) *string { return &e.status }),
		collection.Moment("updated_at", func(e *bulkEntity) *time.Time { return &e.updatedAt }),
	},
}

func (f RemoteFailure) form() object {
	return object{"relation": f.Relation, "exception_message": f.Message, "exception_class": "StandardError",
		"correlation_id_value": "bulk-import", "source_url": nil, "source_title": jsonText(f.Title)}
}

func cancelBulkImport(c *call) *reply {
	i, ok := state[bulkState](c.svc).imports.get(c.PathInt64("id"))
	switch {
	case !ok:
		return frame.NotFound("")
	case i.user != c.user && !c.admin():
		return frame.Forbidden("")
	}
	if i.status == "created" || i.status == "started" {
		i.set("canceled", c.now())
		for _, e := range i.entities() {
			e.set("canceled", c.now())
		}
	}
	return c.OK(bulkImports.Form(c, c.user, i))
}

func listBulkFailures(c *call, _ *bulkImport, e *bulkEntity) *reply {
	return frame.ListOf(c, e.failures, RemoteFailure.form)
}

// relationBatch is how many objects a batch has.
const relationBatch = 2

// A relationExport has the objects of a relation when it finished, a line of JSON each.
type relationExport struct {
	done      bool
	updatedAt jsonTime
	lines     map[string][]string // by relation
	batched   bool
}

type relationExportKey struct {
	home any
	user *User
}

type relationExports struct {
	of map[relationExportKey]*relationExport
}

func (c *call) relationHome() (relationExportKey, *reply) {
	home, refusal := c.tokenHome()
	if refusal == nil && !c.directTransfer() {
		refusal = frame.NotFoundUnnamed()
	}
	return relationExportKey{home, c.user}, refusal
}

func exportRelations(c *call, key relationExportKey) *reply {
	e := &relationExport{updatedAt: jsonTime(c.now()), batched: c.Bool("batched"), lines: map[string][]string{
		"issues": nil, "labels": nil, "milestones": nil}}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	put(&state[relationExports](c.svc).of, key, e)
	c.svc.after(ExportStartedFor, func() { c.svc.finishRelations(key.home, e) })
	return c.Accepted(object{"message": "202 Accepted"})
}

func (s *Service) finishRelations(home any, e *relationExport) {
	defer s.lock()()
	e.done, e.updatedAt = true, jsonTime(s.now())
	add := func(relation, title string) {
		e.lines[relation] = append(e.lines[relation], string(frame.Encode(object{"title": title}))+"\n")
	}
	for _, i := range state[issueState](s).issues.all(func(i *Issue) bool { return i.project == home }) {
		add("issues", i.title)
	}
	labels, milestones := &state[labelState](s).labels, &state[milestoneState](s).milestones
	for _, l := range labels.all(func(l *label) bool { return l.project == home || l.group == home }) {
		add("labels", l.name)
	}
	for _, m := range milestones.all(func(m *Milestone) bool { return m.project == home || m.group == home }) {
		add("milestones", m.title)
	}
}

func (e *relationExport) form(relation string) object {
	status, lines := 0, e.lines[relation]
	if e.done {
		status = 1
	}
	form := object{"relation": relation, "status": status, "error": nil, "updated_at": e.updatedAt,
		"batched": e.batched, "batches_count": 0, "total_objects_count": len(lines)}
	if e.batched {
		batches := []object{}
		for some := range slices.Chunk(lines, relationBatch) {
			batches = append(batches, object{"status": status, "batch_number": len(batches) + 1,
				"objects_count": len(some), "error": nil, "updated_at": e.updatedAt})
		}
		form["batches"], form["batches_count"] = batches, len(batches)
	}
	return form
}

// relationStatus responds with all relations, or with the one that is asked for.
func relationStatus(c *call, key relationExportKey) *reply {
	relation := c.String("relation")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	forms := []object{}
	if e := state[relationExports](c.svc).of[key]; e != nil {
		for _, name := range slices.Sorted(maps.Keys(e.lines)) {
			if name == relation {
				return c.OK(e.form(name))
			}
			forms = append(forms, e.form(name))
		}
	}
	if relation != "" {
		return frame.NotFound("")
	}
	return c.OK(forms)
}

func downloadRelation(c *call, key relationExportKey) *reply {
	c.Require("relation")
	relation, batched, number := c.String("relation"), c.Bool("batched"), int(c.Int64("batch_number"))
	if batched != c.Has("batch_number") {
		c.Problem("batched, batch_number must be given together")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	e := state[relationExports](c.svc).of[key]
	switch {
	case e == nil:
		return frame.Message(http.StatusNotFound, "Export not found")
	case e.batched && !batched:
		return frame.Message(http.StatusBadRequest, "Export is batched")
	case batched && !e.batched:
		return frame.Message(http.StatusBadRequest, "Export is not batched")
	}
	lines, known := e.lines[relation]
	if !known {
		return frame.Message(http.StatusBadRequest, "relation is not portable")
	}
	if batched {
		batches := slices.Collect(slices.Chunk(lines, relationBatch))
		if number < 1 || number > len(batches) {
			return frame.Message(http.StatusNotFound, "Batch not found")
		}
		lines = batches[number-1]
	}
	if !e.done {
		return frame.Message(http.StatusNotFound, "Export file not found")
	}
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	_, _ = zip.Write([]byte(strings.Join(lines, ""))) // a Buffer has no errors
	_ = zip.Close()
	return textContent(file.Bytes(), c.now()).reply(c, relation+".ndjson.gz", gzipType)
}
