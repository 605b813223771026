package servicetest_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// unpacked returns the files in an archive of a project.
func unpacked(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		content, readErr := io.ReadAll(r)
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		files[header.Name] = string(content)
	}
}

func packed(files map[string]string) []byte {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o644})
		io.WriteString(w, files[name])
	}
	w.Close()
	zip.Close()
	return out.Bytes()
}

// importFile imports an archive as root and returns the resulting import.
func importFile(t *testing.T, svc *servicetest.Service, path string, archive []byte, fields ...string) map[string]any {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("path", path)
	for i := 0; i < len(fields); i += 2 {
		form.WriteField(fields[i], fields[i+1])
	}
	part, _ := form.CreateFormFile("file", "export.tar.gz")
	part.Write(archive)
	form.Close()
	started := into[map[string]any](t,
		call(t, svc, "POST", "/projects/import", body.String(), "Content-Type", form.FormDataContentType()), 201)
	svc.Advance(time.Hour)
	return into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/%v/import", started["id"]), ""), 200)
}

// TestArchivesThatAreNotWhole: an import of an incomplete archive fails and says what
// is missing.
func TestArchivesThatAreNotWhole(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.DefaultBranch("trunk"))
	app.Branch("main", "trunk")
	first := app.Commit("main", "First", servicetest.Write("a.txt", "a\n"))
	app.Tag("v1", "main")
	good := unpacked(t, app.ExportedArchive())
	if got := importFile(t, svc, "good", packed(good)); got["import_status"] != "finished" {
		t.Fatalf("a whole archive: %v", got)
	}
	if content, _ := svc.FindProject("root/good").File("main", "a.txt"); content != "a\n" {
		t.Errorf("the copy has %q", content)
	}
	if copied := into[map[string]any](t, call(t, svc, "GET", "/projects/root%2Fgood", ""),
		200); copied["default_branch"] != "trunk" {
		t.Errorf("the default branch of the copy is %v", copied["default_branch"])
	}
	replace := func(file, old, new string) func(map[string]string) {
		return func(files map[string]string) { files[file] = strings.ReplaceAll(files[file], old, new) }
	}
	const unknown = "0123456789012345678901234567890123456789"
	for name, c := range map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"no-project": {func(files map[string]string) { delete(files, "tree/project.json") },
			"tree/project.json is missing"},
		"broken-project": {replace("tree/project.json", "{", "["), "tree/project.json: "},
		"broken-commits": {replace("tree/repository.json", "{", "["), "tree/repository.json: "},
		"changed-commit": {replace("tree/repository.json", `"First"`, `"Other"`), "commit " + first + " is damaged"},
		"no-content": {func(files map[string]string) {
			maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, "blobs/") })
		}, "is missing"},
		"no-parent": {replace("tree/repository.json", `"parents":["`, `"parents":["`+unknown+`","`),
			"the parent " + unknown},
		"lost-tag": {replace("tree/repository.json", `"v1":"`+first, `"v1":"`+unknown),
			"v1 points at " + unknown + ", which is missing"},
		"not-a-file": {func(files map[string]string) { clear(files) }, "tree/project.json is missing"},
	} {
		files := maps.Clone(good)
		c.change(files)
		got := importFile(t, svc, name, packed(files))
		if problem := fmt.Sprint(got["import_error"]); got["import_status"] != "failed" || !strings.Contains(problem,
			"the archive cannot be read: ") || !strings.Contains(problem, c.want) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// TestNamesInArchives: names in archives do not change, so that other programs and
// later versions can read them.
func TestNamesInArchives(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "First", servicetest.Write("a.txt", "a\n"))
	app.Tag("v1", "main")
	files := unpacked(t, app.ExportedArchive())
	for place, want := range map[string]string{
		"project.json":    "archived container_registry_access_level default_branch description visibility",
		"repository.json": "branches commits tags",
		"repository.json commits.0": "author_email author_name authored_at committed_at committer_email " +
			"committer_name files message parents sha",
		"repository.json commits.0.files.0": "blob path",
	} {
		name, member, _ := strings.Cut(place, " ")
		var object any
		if err := json.Unmarshal([]byte(files["tree/"+name]), &object); err != nil {
			t.Fatal(err)
		}
		if member != "" {
			object = memberOf(object, member)
		}
		members, _ := object.(map[string]any)
		same(t, place+": "+strings.Join(slices.Sorted(maps.Keys(members)), " "), place+": "+want)
	}
}

// TestNextImportIsOne: NextImport affects only one import.
func TestNextImportIsOne(t *testing.T) {
	svc := servicetest.New(t)
	archive := svc.Project("acme/app", servicetest.Description("From the archive."), servicetest.Archived(),
		servicetest.Public()).ExportedArchive()
	svc.NextImport(servicetest.ImportFails("out of space"))
	if got := importFile(t, svc, "first",
		archive); got["import_status"] != "failed" || got["import_error"] != "out of space" {
		t.Errorf("the first import: %v", got)
	}
	if got := importFile(t, svc, "second", archive); got["import_status"] != "finished" || got["import_error"] != nil {
		t.Errorf("the second import: %v", got)
	}
	importFile(t, svc, "third", archive, "override_params[description]", "Of the call.", "override_params[archived]",
		"false", "override_params[visibility]", "private")
	for path, want := range map[string]string{"second": "[From the archive. true public]",
		"third": "[Of the call. false private]"} {
		p := into[map[string]any](t, call(t, svc, "GET", "/projects/root%2F"+path, ""), 200)
		if got := fmt.Sprint([]any{p["description"], p["archived"], p["visibility"]}); got != want {
			t.Errorf("the %s copy: %s, want %s", path, got, want)
		}
	}
	if got := importFile(t, svc, "second", archive, "overwrite", "true", "name",
		"Anew"); got["import_status"] != "finished" || got["name"] != "Anew" {
		t.Errorf("overwriting: %v", got)
	}
}

// TestLostRelations: each object that an import loses has an ID and a line of its own.
func TestLostRelations(t *testing.T) {
	svc := servicetest.New(t)
	archive := svc.Project("acme/app").ExportedArchive()
	svc.NextImport(servicetest.LosesRelations("issues", 2), servicetest.LosesRelations("labels", 1))
	got := ""
	for _, relation := range importFile(t, svc, "copy", archive)["failed_relations"].([]any) {
		lost := relation.(map[string]any)
		got += fmt.Sprint(lost["id"], " ", lost["relation_name"], " ", lost["line_number"], "; ")
	}
	if got != "1 issues 1; 2 issues 2; 3 labels 1; " {
		t.Errorf("lost %s", got)
	}
}

// TestExportsHaveALimit: an export that is too large is abandoned, whatever its source
// is.
func TestExportsHaveALimit(t *testing.T) {
	for limit, want := range map[int64]string{9: "none", 10: "finished", 0: "finished"} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		if got := app.Import(); got.Status != "none" {
			t.Errorf("a project that was not imported: %+v", got)
		}
		app.ExportFrom(10, strings.NewReader("0123456789"))
		svc.SetMaxExportSize(limit)
		call(t, svc, "POST", "/projects/1/export", "")
		svc.Advance(time.Hour)
		if got := app.ExportStatus(); got != want {
			t.Errorf("with a limit of %d the export is %s, want %s", limit, got, want)
		}
	}
}

func TestExportUploadNeedsAURL(t *testing.T) {
	for body, status := range map[string]int{
		`{"description":"Moved"}`: 202,
		`{"upload":{}}`:           202,
		`{"upload":null}`:         202,
		`{"upload":{"url":"https://store.example.com"}}`: 202,
		`{"upload":{"http_method":"PUT"}}`:               400,
		`{"upload":{"url":""}}`:                          400,
		`{"upload":"https://store.example.com"}`:         400,
	} {
		svc := servicetest.New(t)
		svc.Project("acme/app")
		if got := call(t, svc, "POST", "/projects/acme%2Fapp/export", body); got.StatusCode != status {
			t.Errorf("%s is answered with %d, want %d: %s", body, got.StatusCode, status, got.body)
		}
	}
}

// TestExportOverTLS: the caller can reach the address of the archive.
func TestExportOverTLS(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTLS())
	svc.Project("acme/app", servicetest.Public())
	send := func(method string) answer {
		req, err := http.NewRequestWithContext(t.Context(), method, svc.URL()+"/api/v4/projects/1/export", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
		response, err := svc.HTTPClient().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return readAnswer(t, response)
	}
	send("POST")
	svc.Advance(time.Hour)
	if a := send("GET"); !strings.Contains(a.body, `"api_url":"`+svc.URL()+`/api/v4/projects/1/export/download"`) {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// TestGroupsFromArchives: an import restores a group and its subgroups, with labels and
// milestones, and with a visibility that its parent allows.
func TestGroupsFromArchives(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme", servicetest.Public(), servicetest.Description("The makers."))
	svc.Group("acme/open/deep", servicetest.Public())
	acme.Label("bug", "#ff0000", "It is broken")
	acme.Milestone("1.0", servicetest.Description("The first."), servicetest.ClosedMilestone())
	svc.Project("acme/open/app")
	svc.Group("hidden", servicetest.Private())
	into[any](t, call(t, svc, "POST", "/groups/1/export", ""), 202)
	svc.Advance(time.Hour)
	archive := call(t, svc, "GET", "/groups/1/export/download", "").body
	same(t, importGroup(t, svc, []byte(archive), "path", "copy", "name", "Copy"), 202)
	same(t, importGroup(t, svc, []byte(archive), "path", "below", "name", "Below", "parent_id", "4"), 202)
	same(t, call(t, svc, "GET", "/groups/copy", "").StatusCode, 404)
	svc.Advance(time.Hour)
	shows(t, svc, "/groups/copy", "name description visibility parent_id", `"Copy" "The makers." "private" null`)
	shows(t, svc, "/groups/copy%2Fopen%2Fdeep", "name visibility", `"Deep" "private"`)
	shows(t, svc, "/groups/copy/labels", "0.name 0.color 0.description 1", `"bug" "#ff0000" "It is broken" "(absent)"`)
	shows(t, svc, "/groups/copy/milestones", "0.title 0.iid 0.description 0.state 1",
		`"1.0" 1 "The first." "closed" "(absent)"`)
	shows(t, svc, "/groups/copy/members", "0.username 0.access_level 1", `"root" 50 "(absent)"`)
	shows(t, svc, "/groups/hidden%2Fbelow", "name visibility parent_id", `"Below" "private" 4`)
	shows(t, svc, "/groups/copy/projects?include_subgroups=true", "0", `"(absent)"`)
}

// TestGroupsFromOlderArchives: the names of groups' members in older archives still
// work.
func TestGroupsFromOlderArchives(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("open", servicetest.Public())
	archive := packed(map[string]string{"tree/groups.json": `[{"path":"","name":"Acme","visibility":"public"},` +
		`{"path":"team","name":"Our team","description":"All.","visibility":"internal",` +
		`"labels":[{"name":"bug","color":"#ff0000","description":"It is broken"}],` +
		`"milestones":[{"title":"1.0","description":"The first.","closed":true}]}]`})
	same(t, importGroup(t, svc, archive, "path", "copy", "name", "Copy", "parent_id", "1"), 202)
	svc.Advance(time.Hour)
	shows(t, svc, "/groups/open%2Fcopy", "name", `"Copy"`)
	const team = "/groups/open%2Fcopy%2Fteam"
	shows(t, svc, team, "name description visibility", `"Our team" "All." "internal"`)
	shows(t, svc, team+"/labels", "0.name 0.color 0.description", `"bug" "#ff0000" "It is broken"`)
	shows(t, svc, team+"/milestones", "0.title 0.description 0.state", `"1.0" "The first." "closed"`)
}

// TestImportsWithAnUnknownVisibility: with an unknown visibility, in the archive or in
// a parameter, the project becomes private. It can be forked like any other.
func TestImportsWithAnUnknownVisibility(t *testing.T) {
	for visibility, override := range map[string]string{"open": "", "public": "open", "": "open"} {
		svc := servicetest.New(t)
		archive := packed(map[string]string{"tree/project.json": fmt.Sprintf(`{"visibility":%q}`, visibility),
			"tree/repository.json": `{}`})
		var fields []string
		if override != "" {
			fields = []string{"override_params[visibility]", override}
		}
		same(t, importFile(t, svc, "copy", archive, fields...)["import_status"], any("finished"))
		shows(t, svc, "/projects/1", "visibility", `"private"`)
		same(t, asked(t, svc, "POST /projects/1/fork?path=fork&name=Fork"), "201")
	}
}

// TestGroupsFromBrokenArchives: an archive that no service has exported makes no group.
func TestGroupsFromBrokenArchives(t *testing.T) {
	const first = `{"path":"","visibility":"public"}`
	for _, groups := range []string{
		`[]`, `{}`, `[{"path":"team","visibility":"public"}]`, `[{"path":""}]`, `[{"path":"","visibility":"open"}]`,
		`[` + first + `,` + first + `]`, `[` + first + `,{"path":"team"}]`,
		`[` + first + `,{"path":"a/b","visibility":"public"}]`, `[` + first + `,{"path":"/","visibility":"public"}]`,
		`[` + first + `,{"path":"a","visibility":"public"},{"path":"a","visibility":"public"}]`,
	} {
		svc := servicetest.New(t)
		svc.Group("open", servicetest.Public())
		archive := packed(map[string]string{"tree/groups.json": groups})
		same(t, importGroup(t, svc, archive, "path", "copy", "name", "Copy", "parent_id", "1"), 202)
		svc.Advance(time.Hour)
		shows(t, svc, "/groups", "0.path 1", `"open" "(absent)"`)
	}
}

// importGroup imports an archive as root and returns the status.
func importGroup(t *testing.T, svc *servicetest.Service, archive []byte, fields ...string) int {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		form.WriteField(fields[i], fields[i+1])
	}
	file, _ := form.CreateFormFile("file", "group.tar.gz")
	file.Write(archive)
	form.Close()
	return call(t, svc, "POST", "/groups/import", body.String(), "Content-Type",
		form.FormDataContentType()).StatusCode
}

// TestArchivesWithoutGroups: an archive that cannot be read makes no group.
func TestArchivesWithoutGroups(t *testing.T) {
	svc := servicetest.New(t)
	for i, files := range []map[string]string{
		{}, {"tree/groups.json": "["}, {"tree/groups.json": "[]"}, {"tree/groups.json": `[{"path":"x","name":"X"}]`},
	} {
		name := fmt.Sprint("copy-", i)
		same(t, importGroup(t, svc, packed(files), "path", name, "name", name), 202)
		svc.Advance(time.Hour)
		same(t, call(t, svc, "GET", "/groups/"+name, "").StatusCode, 404)
	}
	shows(t, svc, "/groups", "0", `"(absent)"`) // nor under the names that the archives have
}

// TestArchivesThatAreNone: a gzip file may not contain a tarball, or may claim to be
// too large.
func TestArchivesThatAreNone(t *testing.T) {
	var tarball bytes.Buffer
	tar.NewWriter(&tarball).WriteHeader(&tar.Header{Name: "tree/project.json", Size: 256<<20 + 1, Mode: 0o644})
	svc := servicetest.New(t)
	for content, want := range map[string]string{
		strings.Repeat("no tarball", 100): "not a tarball: ",
		tarball.String():                  "tree/project.json: 268435457 bytes are too many",
	} {
		var archive bytes.Buffer
		zip := gzip.NewWriter(&archive)
		io.WriteString(zip, content)
		zip.Close()
		got := importFile(t, svc, fmt.Sprint("copy", len(content)), archive.Bytes())
		if problem := fmt.Sprint(got["import_error"]); !strings.Contains(problem, want) {
			t.Errorf("import error %s, want %s", problem, want)
		}
	}
}

// unreadable is a source whose reads fail.
type unreadable struct{}

func (unreadable) ReadAt([]byte, int64) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestExportsFromElsewhere: an archive from a test is stored as it is, unless it cannot
// be read or is too large to keep. The content of a large archive is unknown.
func TestExportsFromElsewhere(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Description("An app."))
	archive := app.ExportedArchive()
	for i, tc := range []struct {
		size        int64
		source      io.ReaderAt
		stored      string
		description string // description of the copy
		branches    string
		status      string
	}{
		{int64(len(archive)), bytes.NewReader(archive), string(archive), "An app.", "[main]", "finished"},
		{8<<20 + 1, unreadable{}, "", "", "[main]", "finished"},
		{8 << 20, unreadable{}, "Bad Gateway", "", "[]", "failed"},
		{9, unreadable{}, "Bad Gateway", "", "[]", "failed"},
	} {
		address := fmt.Sprintf("https://store.example.com/%d.tar.gz", i)
		app.ExportFrom(tc.size, tc.source)
		into[any](t, call(t, svc, "POST", "/projects/1/export", fmt.Sprintf(`{"upload":{"url":%q}}`, address)), 202)
		svc.Advance(time.Hour)
		content, found := svc.FindRemoteFile(address)
		same(t, spaced(found, string(content) == tc.stored), "true true")
		into[any](t, call(t, svc, "POST", "/projects/remote-import",
			fmt.Sprintf(`{"path":"c%d","url":%q}`, i, address)), 201)
		svc.Advance(time.Hour)
		p := svc.FindProject(fmt.Sprint("root/c", i))
		same(t, spaced(p.Import().Status, p.Description(), p.Branches()),
			spaced(tc.status, tc.description, tc.branches))
	}
	svc.RemoteFile("%zz?a", archive)
	_, found := svc.FindRemoteFile("%zz?a")
	_, other := svc.FindRemoteFile("%zz")
	same(t, spaced(found, other), "true false") // not URLs, so they have no query to ignore
}
