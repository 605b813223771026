package servicetest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A bulkImport moves groups and projects here from an instance that does not exist: every address
// answers, and has what RemoteGroup says. Its home is the user who started it.
type bulkImport struct {
	record[*User]

	url, status string
}

// A bulkEntity is a group or a project of an import.
type bulkEntity struct {
	record[*User]

	of                                    *bulkImport
	kind, source, slug, namespace, status string
	made                                  string // the path of the group or the project, when it is there
	parent                                *bulkEntity
	group                                 *Group
	project                               *Project
	projects, members                     bool
	failures                              []RemoteFailure
}

// A RemoteFailure is an object of another instance that cannot be imported.
type RemoteFailure struct{ Relation, Message, Title string }

type bulkState struct {
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

func (c *call) directTransfer() bool { return c.svc.instance().flag("bulk_import_enabled") }

// bulkUser returns the caller, who sees only own imports.
func (c *call) bulkUser() (*User, *reply) {
	if !c.directTransfer() {
		return nil, frame.NotFoundUnnamed()
	}
	return c.user, nil
}

var bulkStatuses = []string{"created", "started", "finished", "timeout", "failed", "canceled"}

func startBulkImport(c *call, u *User) *reply {
	from := c.Sub("configuration")
	c.Require("configuration", "entities")
	if c.Given("configuration") {
		from.Require("url", "access_token")
	}
	i := &bulkImport{url: from.String("url"), status: "created"}
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
	shelve(c.svc, u, i)
	for _, e := range entities {
		shelve(c.svc, u, e)
	}
	c.svc.later(ImportScheduledFor, func() { c.svc.runBulkImport(i) })
	return c.Created(bulkImports.Form(c, u, i))
}

func (i *bulkImport) readEntity(f fields) *bulkEntity {
	f.Require("source_type", "source_full_path")
	f.RequireGiven("destination_namespace")
	f.Exclusive("destination_slug", "destination_name")
	e := &bulkEntity{of: i, status: i.status, source: f.String("source_full_path"),
		namespace: f.String("destination_namespace"),
		slug:      either(f.String("destination_slug"), f.String("destination_name")),
		projects:  f.BoolOr("migrate_projects", true), members: f.BoolOr("migrate_memberships", true)}
	e.kind, _, _ = strings.Cut(f.StringIn("source_type", "group_entity", "project_entity"), "_")
	if e.slug == "" {
		f.Require("destination_slug")
	}
	if strings.Contains(e.source, "://") || strings.HasPrefix(e.source, "/") {
		f.Problem(f.Named("source_full_path") + " must be a relative path and not include protocol, sub-domain, " +
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
	return only(recordsOf[bulkEntity](i.home.svc, i.home), func(e *bulkEntity) bool { return e.of == i })
}

// set changes the status of an import and of all of its entities.
func (i *bulkImport) set(status string) {
	i.status, i.updatedAt = status, i.home.svc.now()
	for _, e := range i.entities() {
		e.status, e.updatedAt = status, i.updatedAt
	}
}

// runBulkImport makes the groups, and finds their projects.
func (s *Service) runBulkImport(i *bulkImport) {
	if i.status != "created" {
		return
	}
	i.set("started")
	for _, e := range only(i.entities(), func(e *bulkEntity) bool { return e.kind == "group" }) {
		e.made, e.group = e.path(), s.newGroup(s.findGroup(e.namespace), e.slug, nil)
		s.addMember(&e.group.members, i.home, Owner)
		if !e.projects {
			continue
		}
		for _, name := range state[bulkState](s).remote[e.source] {
			shelve(s, i.home, &bulkEntity{of: i, kind: "project", source: e.source + "/" + name, slug: name,
				namespace: e.path(), status: "started", parent: e, members: e.members, projects: true})
		}
	}
	s.later(ImportStartedFor, func() { s.finishBulkImport(i) })
}

// finishBulkImport makes the projects.
func (s *Service) finishBulkImport(i *bulkImport) {
	all := state[bulkState](s)
	if i.status != "started" {
		return
	}
	i.set(map[bool]string{true: "failed", false: "finished"}[all.fails])
	all.fails = false
	for _, e := range i.entities() {
		e.failures = all.failures[e.source]
		if e.kind == "project" && i.status == "finished" {
			e.made, e.project = e.path(), s.newProject(s.findGroup(e.namespace), nil, e.slug, nil)
		}
	}
}

// ID returns the ID in the API.
func (e *bulkEntity) ID() int64 { return e.id }

// sorted puts the records of a list in the order of the call.
func sorted[T any](c *call, records []T) []T {
	if c.StringIn("sort", "asc", "desc") != "asc" {
		return reversed(records)
	}
	return records
}

var bulkImports = shelved(collection.Table[*call, *User, bulkImport]{
	Param: "id", Home: (*call).bulkUser,
	Records: func(c *call, u *User) []*bulkImport { return sorted(c, recordsOf[bulkImport](c.svc, u)) },
	Filters: []collection.Filter[bulkImport]{
		collection.Equal("status", func(i *bulkImport) string { return i.status }, bulkStatuses...),
	},
	Fields: dated(
		collection.Shown("has_failures", func(i *bulkImport) bool {
			return slices.ContainsFunc(i.entities(), func(e *bulkEntity) bool { return len(e.failures) > 0 })
		}),
		collection.Shown("source_type", func(*bulkImport) string { return "service" }),
		collection.Text("source_url", func(i *bulkImport) *string { return &i.url }),
		collection.Text("status", func(i *bulkImport) *string { return &i.status }),
	),
})

// bulkEntities are those of an import, or, if the path names none, of all imports of the caller.
var bulkEntities = shelved(collection.Table[*call, *User, bulkEntity]{
	Param: "entity_id",
	Home: func(c *call) (*User, *reply) {
		if c.PathString("id") == "" {
			return c.bulkUser()
		}
		_, refusal := bulkImports.Record(c)
		return c.user, refusal
	},
	Records: func(c *call, u *User) []*bulkEntity {
		id := c.PathInt64("id")
		return sorted(c, only(recordsOf[bulkEntity](c.svc, u), func(e *bulkEntity) bool {
			return e.of.id == id || id == 0
		}))
	},
	Filters: []collection.Filter[bulkEntity]{
		collection.Equal("status", func(e *bulkEntity) string { return e.status }, bulkStatuses...),
	},
	Fields: dated(
		collection.Shown("bulk_import_id", func(e *bulkEntity) int64 { return e.of.id }),
		collection.Note("destination_full_path", func(e *bulkEntity) *string { return &e.made }),
		collection.Text("destination_name", func(e *bulkEntity) *string { return &e.slug }),
		collection.Text("destination_namespace", func(e *bulkEntity) *string { return &e.namespace }),
		collection.Text("destination_slug", func(e *bulkEntity) *string { return &e.slug }),
		collection.Text("entity_type", func(e *bulkEntity) *string { return &e.kind }),
		collection.Shown("failures", func(e *bulkEntity) []object { return mapped(e.failures, RemoteFailure.form) }),
		collection.Shown("has_failures", func(e *bulkEntity) bool { return len(e.failures) > 0 }),
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
	),
})

func (f RemoteFailure) form() object {
	return object{"relation": f.Relation, "exception_message": f.Message, "exception_class": "StandardError",
		"correlation_id_value": "bulk-import", "source_url": nil, "source_title": jsonText(f.Title)}
}

func cancelBulkImport(c *call, u *User) *reply {
	id := c.PathInt64("id")
	i := state[shelf[*User, bulkImport]](c.svc).find(func(i *bulkImport) bool { return i.id == id })
	switch {
	case i == nil:
		return frame.NotFound("")
	case i.home != u && !c.admin():
		return frame.Forbidden("")
	case i.status == "created" || i.status == "started":
		i.set("canceled")
	}
	return c.OK(bulkImports.Form(c, u, i))
}

func listBulkFailures(c *call, _ *User, e *bulkEntity) *reply {
	return frame.ListOf(c, e.failures, RemoteFailure.form)
}

// relationBatch is how many objects a batch has.
const relationBatch = 2

// A relationExport has the objects of a relation when it finished, a line of JSON each.
type relationExport struct {
	done, batched bool
	updatedAt     jsonTime
	lines         map[string][]string // by relation
}

// relationExports are those of a project or a group by their users.
type relationExports struct {
	of map[any]map[*User]*relationExport
}

// relationExport returns that of the caller, which has no relations if there is none.
func (c *call) relationExport(home any) *relationExport {
	return cmp.Or(state[relationExports](c.svc).of[home][c.user], new(relationExport))
}

var relationHome = unless((*call).tokenHome, frame.NotFoundUnnamed, func(c *call, _ any) bool {
	return !c.directTransfer()
})

func exportRelations(c *call, home any) *reply {
	e := &relationExport{updatedAt: jsonTime(c.now()), batched: c.Bool("batched"), lines: map[string][]string{
		"issues": nil, "labels": nil, "milestones": nil}}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	putIn(&state[relationExports](c.svc).of, home, c.user, e)
	c.svc.later(ExportStartedFor, func() { c.svc.finishRelations(home, e) })
	return c.Accepted(object{"message": "202 Accepted"})
}

func (s *Service) finishRelations(home any, e *relationExport) {
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
	status, lines := map[bool]int{true: 1}[e.done], e.lines[relation]
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
func relationStatus(c *call, home any) *reply {
	relation, e := c.String("relation"), c.relationExport(home)
	switch _, known := e.lines[relation]; {
	case c.Refusal() != nil:
		return c.Refusal()
	case known:
		return c.OK(e.form(relation))
	case relation != "":
		return frame.NotFound("")
	}
	return c.OK(mapped(slices.Sorted(maps.Keys(e.lines)), e.form))
}

func downloadRelation(c *call, home any) *reply {
	c.Require("relation")
	relation, batched, number := c.String("relation"), c.Bool("batched"), int(c.Int64("batch_number"))
	if batched != c.Has("batch_number") {
		c.Problem("batched, batch_number must be given together")
	}
	e := c.relationExport(home)
	lines, known := e.lines[relation]
	batches := slices.Collect(slices.Chunk(lines, relationBatch))
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case e.lines == nil:
		return frame.Message(http.StatusNotFound, "Export not found")
	case e.batched && !batched:
		return frame.Message(http.StatusBadRequest, "Export is batched")
	case batched && !e.batched:
		return frame.Message(http.StatusBadRequest, "Export is not batched")
	case !known:
		return frame.JSONReply(http.StatusBadRequest, object{"error": "relation is not portable"})
	case batched && (number < 1 || number > len(batches)):
		return frame.Message(http.StatusNotFound, "Batch not found")
	case !e.done:
		return frame.Message(http.StatusNotFound, "Export file not found")
	case batched:
		lines = batches[number-1]
	}
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	_, _ = zip.Write([]byte(strings.Join(lines, ""))) // a Buffer has no errors
	_ = zip.Close()
	return textContent(file.Bytes(), c.now()).reply(c, relation+".ndjson.gz", gzipType)
}
