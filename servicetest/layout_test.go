package servicetest_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestLayout checks that the service imports only the standard library and its
// own internal packages, that these do not import the service or each other, except
// that collections are built on the frame, and that there are no init functions.
func TestLayout(t *testing.T) {
	const engines = "example.com/serviceapi/servicetest/internal/"
	files, inFrame := 0, 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		isEngine := strings.HasPrefix(path, "internal")
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			isStandard := !strings.Contains(imported, ".")
			onFrame := strings.HasPrefix(path, "internal/collection") && imported == engines+"frame"
			if !isStandard && !onFrame && (isEngine || !strings.HasPrefix(imported, engines)) {
				t.Errorf("%s imports %s", path, imported)
			}
			inFrame += strings.Count(path, "internal/frame/")
		}
		for _, decl := range file.Decls {
			if f, isFunc := decl.(*ast.FuncDecl); isFunc && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", path)
			}
		}
		return nil
	})
	if err != nil || files < 60 || inFrame < 20 {
		t.Errorf("%d files, %d imports of the frame, %v", files, inFrame, err)
	}
}

// TestFileNames checks that a file whose name has a suffix belongs to the area before
// it, or is one that the guide in service.go names, that there are not too many
// files, and that none is long, except for the table of routes.
func TestFileNames(t *testing.T) {
	guide, err := os.ReadFile("service.go")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > 180 {
		t.Errorf("%d files; merge the small ones", len(names))
	}
	exists := func(name string) bool { return slices.Contains(names, name) }
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		base := strings.TrimSuffix(name, ".go")
		placed := !strings.Contains(base, "_") || strings.Contains(string(guide), name)
		for i, c := range base {
			placed = placed || c == '_' && exists(base[:i]+".go")
		}
		if !placed {
			t.Errorf("%s belongs to no area", name)
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(source, []byte("\n")); lines > 600 && name != "routes.go" {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}

// needNoLock are the methods of handles that read only what never changes, or
// what has its own lock.
var needNoLock = map[string]string{
	"Service": "AdminToken HTTPClient RegistryURL Root URL Close Lock Subscribers Fault Faults Requests " +
		"ClearRequests ClearFaults",
	"ApprovalRule":       "ID",
	"AuditEvent":         "ID",
	"DeployKey":          "ID Key",
	"DeployToken":        "ID Token Username",
	"Deployment":         "ID IID Ref SHA String",
	"Environment":        "ID",
	"Epic":               "ID IID",
	"Fault":              "Hits ID Remove Route String UsedUp",
	"Group":              "ID",
	"Hook":               "ID",
	"Issue":              "ID IID",
	"Job":                "ID Name Pipeline String",
	"MergeRequest":       "ID IID",
	"Milestone":          "ID IID Title",
	"Note":               "Author ID System",
	"OAuthApplication":   "ClientID ID",
	"Package":            "ID Name Version",
	"Pipeline":           "ID IID Project Ref SHA Source",
	"PipelineSchedule":   "ID",
	"Project":            "Group ID",
	"RegistryRepository": "ID",
	"Release":            "TagName",
	"RemoteMirror":       "ID URL",
	"Runner":             "ID",
	"SCIMUser":           "ID User",
	"SecureFile":         "ID Name",
	"Snippet":            "ID",
	"Trigger":            "ID Token",
	"User":               "ID",
}

// everyHandle returns a handle of each kind that a service has.
func everyHandle(svc *servicetest.Service) []any {
	ada, acme, app := svc.User("ada"), svc.Group("acme"), svc.Project("acme/app")
	pipeline := app.Pipeline("main")
	oauth := svc.OAuthApplication("client")
	issue, production := app.Issue("An issue"), app.Environment("production")
	return []any{
		svc, ada, acme, app, pipeline, pipeline.Job("test"), issue, issue.Note("A note."),
		app.MergeRequest("work"),
		app.Snippet("A snippet"),
		app.Milestone("1.0"),
		acme.Epic("An epic"),
		production, production.Deployment(),
		app.RegistryRepository("image"),
		app.SecureFile("key", "secret"),
		app.DeployKey("a key"),
		svc.Runner("a runner"),
		svc.AuditEvent(ada, servicetest.AuditDetails{}),
		acme.ProvisionSCIM(ada, "ada"),
		oauth, oauth.Authorize(ada),
		app.Release("v1", "The first."),
		app.Trigger("a trigger"),
		app.ApprovalRule("a rule", 1),
		app.PipelineSchedule("nightly", "0 4 * * *"),
		app.RemoteMirror("https://mirror.example/app.git"),
		app.Package("app", "1.0"),
		app.DeployToken("a deploy token"),
		app.WikiPage("A page", "Text"),
		app.TerraformState("app", `{"serial":1}`),
		svc.Fault("*"),
		app.Hook("http://127.0.0.1:1"), // delivers what comes later
	}
}

// TestMethodsTakeTheLock checks that methods that read or change the state wait
// for the lock. Each method gets its own service, because its arguments are
// meaningless.
func TestMethodsTakeTheLock(t *testing.T) {
	type attempt struct {
		name   string
		unlock func()
		done   chan struct{}
	}
	var attempts []attempt
	known := map[reflect.Type]bool{}
	returned := map[reflect.Type]bool{}
	for at, handle := range everyHandle(servicetest.New(t)) {
		kind := reflect.TypeOf(handle)
		known[kind] = true
		for i := range kind.NumMethod() {
			method := kind.Method(i)
			for j := range method.Type.NumOut() {
				returned[method.Type.Out(j)] = true
			}
			if slices.Contains(strings.Fields(needNoLock[kind.Elem().Name()]), method.Name) {
				continue
			}
			svc, err := servicetest.Start() // panics if New would fail the test
			if err != nil {
				t.Fatal(err)
			}
			defer svc.Close()
			bound := reflect.ValueOf(everyHandle(svc)[at]).Method(i)
			a := attempt{kind.Elem().Name() + "." + method.Name, svc.Lock(), make(chan struct{})}
			attempts = append(attempts, a)
			go func() {
				defer close(a.done)
				callWithZeros(bound)
			}()
		}
	}
	time.Sleep(50 * time.Millisecond)
	for _, a := range attempts {
		select {
		case <-a.done:
			t.Errorf("%s does not wait for the lock", a.name)
		default:
		}
		a.unlock()
		<-a.done
	}
	for kind := range returned {
		if kind.Kind() == reflect.Pointer && strings.HasSuffix(kind.Elem().PkgPath(), "/servicetest") && !known[kind] {
			t.Errorf("%v is not among the handles", kind)
		}
	}
	if len(attempts) < 150 {
		t.Errorf("only %d methods", len(attempts))
	}
}

// callWithZeros calls a function with the zero values of its parameters, which
// may make it panic.
func callWithZeros(f reflect.Value) {
	defer func() { recover() }()
	args := make([]reflect.Value, f.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(f.Type().In(i))
	}
	if f.Type().IsVariadic() {
		f.CallSlice(args)
	} else {
		f.Call(args)
	}
}

// TestLinesForARow checks that an area that is a table needs few lines for each of its
// endpoints, with what tests seed and read back, and that the sections of routes.go
// are where this test looks for the endpoints.
func TestLinesForARow(t *testing.T) {
	table, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	for section, file := range map[string]string{
		"variables": "variables.go", "deploy keys": "deploy_keys.go", "SSH keys of users": "ssh_keys.go",
		"secure files": "secure_files.go", "access tokens": "access_tokens.go", "audit events": "audit_events.go",
		"deploy tokens": "deploy_tokens.go", "service accounts": "service_accounts.go", "emails of users": "emails.go",
	} {
		_, rows, _ := strings.Cut(string(table), "// "+section+"\n")
		rows, _, _ = strings.Cut(rows, "\n\n")
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		served, lines := strings.Count(rows, "on("), bytes.Count(source, []byte("\n"))
		if served == 0 || lines > 40*served {
			t.Errorf("%s has %d lines for %d rows", file, lines, served)
		}
	}
}
