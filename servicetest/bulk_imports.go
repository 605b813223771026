package servicetest

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A bulkImport moves groups and projects here from an instance that does not exist: every address
// answers, and has what RemoteGroup says.
type bulkImport struct {
	id                   int64
	user                 *User
	status, url          string
	createdAt, updatedAt jsonTime
}

// A bulkEntity is a group or a project of an import.
type bulkEntity struct {
	id                      int64
	of                      *bulkImport
	status, kind            string
	source, slug, namespace string
	parent                  *bulkEntity
	group                   *Group
	project                 *Project
	projects, members       bool
	createdAt, updatedAt    jsonTime
	failures                []RemoteFailure
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
	if all.remote == nil {
		all.remote = make(map[string][]string)
	}
	all.remote[path] = append(all.remote[path], projects...)
}

// FailRemote says what cannot be imported of a group or a project of another instance.
func (s *Service) FailRemote(path string, failures ...RemoteFailure) {
	defer s.lock()()
	all := state[bulkState](s)
	if all.failures == nil {
		all.failures = make(map[string][]RemoteFailure)
	}
	all.failures[path] = append(all.failures[path], failures...)
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
	i := &bulkImport{user: c.user, status: "created", url: from.String("url"), createdAt: jsonTime(c.now()),
		updatedAt: jsonTime(c.now())}
	frame.Accept(from.String, "access_token")
	entities := []*bulkEntity{}
	for _, given := range c.Subs("entities") {
		entities = append(entities, i.readEntity(given))
	}
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
	return c.Created(i.form(c.svc))
}

func (i *bulkImport) readEntity(f fields) *bulkEntity {
	f.Require("source_type", "source_full_path")
	f.RequireGiven("destination_namespace")
	f.Exclusive("destination_slug", "destination_name")
	e := &bulkEntity{of: i, status: "created", source: f.String("source_full_path"), createdAt: i.createdAt,
		updatedAt: i.createdAt, namespace: f.String("destination_namespace"),
		slug:     either(f.String("destination_slug"), f.String("destination_name")),
		projects: f.BoolOr("migrate_projects", true), members: f.BoolOr("migrate_memberships", true)}
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

// entities returns those of an import.
func (i *bulkImport) entities(s *Service) []*bulkEntity {
	return state[bulkState](s).entities.all(func(e *bulkEntity) bool { return e.of == i })
}

// runBulkImport makes the groups, and finds their projects.
func (s *Service) runBulkImport(i *bulkImport) {
	defer s.lock()()
	if i.status != "created" {
		return
	}
	all := state[bulkState](s)
	i.set("started", s)
	for _, e := range i.entities(s) {
		e.set("started", s)
		if e.kind != "group" {
			continue
		}
		e.group = s.newGroup(s.findGroup(e.namespace), e.slug, nil)
		s.addMember(&e.group.members, i.user, Owner)
		if !e.projects {
			continue
		}
		for _, name := range all.remote[e.source] {
			p := &bulkEntity{of: i, status: "started", kind: "project", source: e.source + "/" + name, slug: name,
				namespace: e.path(), parent: e, members: e.members, projects: true, createdAt: i.updatedAt,
				updatedAt: i.updatedAt}
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
	for _, e := range i.entities(s) {
		e.set(status, s)
		e.failures = all.failures[e.source]
		if e.kind == "project" && status == "finished" {
			e.project = s.newProject(s.findGroup(e.namespace), nil, e.slug, nil)
		}
	}
	i.set(status, s)
}

func (i *bulkImport) set(status string, s *Service) {
	i.status, i.updatedAt = status, jsonTime(s.now())
}
func (e *bulkEntity) set(status string, s *Service) {
	e.status, e.updatedAt = status, jsonTime(s.now())
}

func (i *bulkImport) form(s *Service) object {
	failed := slices.ContainsFunc(i.entities(s), func(e *bulkEntity) bool { return len(e.failures) > 0 })
	return object{"id": i.id, "status": i.status, "source_type": "service", "source_url": i.url,
		"created_at": i.createdAt, "updated_at": i.updatedAt, "has_failures": failed}
}

func (f RemoteFailure) form() object {
	return object{"relation": f.Relation, "exception_message": f.Message, "exception_class": "StandardError",
		"correlation_id_value": "bulk-import", "source_url": nil, "source_title": jsonText(f.Title)}
}

func (e *bulkEntity) form() object {
	form := object{"id": e.id, "bulk_import_id": e.of.id, "status": e.status, "entity_type": e.kind,
		"source_full_path": e.source, "destination_full_path": nil, "destination_name": e.slug,
		"destination_slug": e.slug, "destination_namespace": e.namespace, "parent_id": nil, "namespace_id": nil,
		"project_id": nil, "created_at": e.createdAt, "updated_at": e.updatedAt, "migrate_projects": e.projects,
		"migrate_memberships": e.members, "has_failures": len(e.failures) > 0, "stats": object{}}
	if e.parent != nil {
		form["parent_id"] = e.parent.id
	}
	if e.group != nil {
		form["namespace_id"], form["destination_full_path"] = e.group.id, e.path()
	}
	if e.project != nil {
		form["project_id"], form["destination_full_path"] = e.project.id, e.path()
	}
	failures, stats := []object{}, object{}
	for _, f := range e.failures {
		failures = append(failures, f.form())
		stats[f.Relation] = object{"source": 1, "fetched": 1, "imported": 0}
	}
	form["failures"], form["stats"] = failures, stats
	return form
}

// listBulk responds with a page of records that the caller started, filtered and sorted.
func listBulk[T any](c *call, all []T, status func(T) string, form func(T) object) *reply {
	sort, wanted := c.StringIn("sort", "asc", "desc"), c.StringIn("status", bulkStatuses...)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	kept := slices.DeleteFunc(all, func(r T) bool { return wanted != "" && status(r) != wanted })
	if sort != "asc" {
		slices.Reverse(kept)
	}
	return frame.ListOf(c, kept, form)
}

func listBulkImports(c *call) *reply {
	own := state[bulkState](c.svc).imports.all(func(i *bulkImport) bool { return i.user == c.user })
	return listBulk(c, own, func(i *bulkImport) string { return i.status },
		func(i *bulkImport) object { return i.form(c.svc) })
}

// listBulkEntities lists those of the import of the path, or of all imports.
func listBulkEntities(c *call) *reply {
	own := state[bulkState](c.svc).entities.all(func(e *bulkEntity) bool { return e.of.user == c.user })
	if c.PathString("id") != "" {
		i, refusal := c.bulkImport()
		if refusal != nil {
			return refusal
		}
		own = i.entities(c.svc)
	}
	return listBulk(c, own, func(e *bulkEntity) string { return e.status }, (*bulkEntity).form)
}

// bulkImport returns the import of the path. Those of others do not exist.
func (c *call) bulkImport() (*bulkImport, *reply) {
	i, ok := state[bulkState](c.svc).imports.get(c.PathInt64("id"))
	if !ok || i.user != c.user {
		return nil, frame.NotFound("")
	}
	return i, nil
}

func getBulkImport(c *call, i *bulkImport) *reply { return c.OK(i.form(c.svc)) }

func cancelBulkImport(c *call) *reply {
	i, ok := state[bulkState](c.svc).imports.get(c.PathInt64("id"))
	switch {
	case !ok:
		return frame.NotFound("")
	case i.user != c.user && !c.admin():
		return frame.Forbidden("")
	}
	if i.status == "created" || i.status == "started" {
		i.set("canceled", c.svc)
		for _, e := range i.entities(c.svc) {
			e.set("canceled", c.svc)
		}
	}
	return c.OK(i.form(c.svc))
}

// onBulkEntity makes a handler of the entity of the path.
func onBulkEntity(show func(c *call, e *bulkEntity) *reply) handler {
	return direct(func(c *call) *reply {
		i, refusal := c.bulkImport()
		if refusal != nil {
			return refusal
		}
		e, ok := state[bulkState](c.svc).entities.get(c.PathInt64("entity_id"))
		if !ok || e.of != i {
			return frame.NotFound("")
		}
		return show(c, e)
	})
}

func getBulkEntity(c *call, e *bulkEntity) *reply { return c.OK(e.form()) }

func listBulkFailures(c *call, e *bulkEntity) *reply {
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
	all := state[relationExports](c.svc)
	if all.of == nil {
		all.of = make(map[relationExportKey]*relationExport)
	}
	all.of[key] = e
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
	for _, l := range state[labelState](s).labels.all(func(l *label) bool {
		return l.project != nil && l.project == home || l.group != nil && l.group == home
	}) {
		add("labels", l.name)
	}
	for _, m := range state[milestoneState](s).milestones.all(func(m *Milestone) bool {
		return m.project != nil && m.project == home || m.group != nil && m.group == home
	}) {
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
	refuse := func(status int, text string) *reply { return frame.Message(status, text) }
	e := state[relationExports](c.svc).of[key]
	switch {
	case e == nil:
		return refuse(http.StatusNotFound, "Export not found")
	case e.batched && !batched:
		return refuse(http.StatusBadRequest, "Export is batched")
	case batched && !e.batched:
		return refuse(http.StatusBadRequest, "Export is not batched")
	}
	lines, known := e.lines[relation]
	if !known {
		return refuse(http.StatusBadRequest, "relation is not portable")
	}
	if batched {
		batches := slices.Collect(slices.Chunk(lines, relationBatch))
		if number < 1 || number > len(batches) {
			return refuse(http.StatusNotFound, "Batch not found")
		}
		lines = batches[number-1]
	}
	if !e.done {
		return refuse(http.StatusNotFound, "Export file not found")
	}
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	_, _ = zip.Write([]byte(strings.Join(lines, ""))) // a Buffer has no errors
	_ = zip.Close()
	return textContent(file.Bytes(), c.now()).reply(c, relation+".ndjson.gz", gzipType)
}
