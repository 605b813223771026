package servicetest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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

// TestLayout checks that the service imports only the standard library and its own
// internal packages. These must not import the service or each other, except that
// collections use the frame. There must be no init functions.
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

// TestFileNames checks that the name of a file with a suffix begins with its area, or
// is in the guide in service.go. It also limits the number of files, and the length of
// all but the table of routes.
func TestFileNames(t *testing.T) {
	guide, err := os.ReadFile("service.go")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > 230 {
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

// TestGettersAreUsed checks that no getter of a parameter is called only to note a
// problem. Such parameters belong in frame.Accept.
func TestGettersAreUsed(t *testing.T) {
	getters := parameterGetters(t)
	for _, name := range []string{"Bool", "Int64OrNil", "StringsIn", "Sub", "WantedID", "PathInt64", "RequiredFile"} {
		if !getters[name] {
			t.Errorf("%s is not found as a getter", name)
		}
	}
	sample := `package p
	func f(c *call) {
		c.Bool("a")
		_ = c.Int64("b")
		ref, _ := c.String("c"), c.Time("d")
		var _ = c.Sub("e")
		frame.Accept(c.Bool, "f")
		use(ref, c.Bool("g"))
	}`
	if dropped := droppedGetters(t, getters, "sample.go", sample); !slices.Equal(dropped, []string{
		"sample.go:3:3: Bool", "sample.go:4:7: Int64", "sample.go:5:28: Time", "sample.go:6:11: Sub",
	}) {
		t.Errorf("the sample drops %v", dropped)
	}
	for _, dir := range []string{".", "internal/frame", "internal/collection"} {
		for _, path := range sources(t, dir) {
			for _, dropped := range droppedGetters(t, getters, path, nil) {
				t.Errorf("%s is called for its side effect; use frame.Accept", dropped)
			}
		}
	}
}

// sources returns the files of a directory that are not tests.
func sources(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(len(paths), "files in", dir, err)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
}

// parameterGetters returns the methods of the frame that take the name of a parameter and
// return something.
func parameterGetters(t *testing.T) map[string]bool {
	t.Helper()
	getters := make(map[string]bool)
	for _, path := range sources(t, "internal/frame") {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, isFunc := decl.(*ast.FuncDecl)
			if !isFunc || f.Recv == nil || f.Type.Results == nil || len(f.Type.Params.List) == 0 {
				continue
			}
			of := strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")
			first := f.Type.Params.List[0]
			named := len(first.Names) > 0 && first.Names[0].Name == "name"
			if f.Name.IsExported() && (of == "Fields" || of == "Call") && named {
				getters[f.Name.Name] = true
			}
		}
	}
	delete(getters, "Has") // Has notes nothing, and filters have it, too
	return getters
}

// droppedGetters returns the calls of getters in a file that drop the result.
func droppedGetters(t *testing.T, getters map[string]bool, path string, source any) (dropped []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	drop := func(value ast.Expr) {
		if called, isCall := value.(*ast.CallExpr); isCall {
			if f, isMethod := called.Fun.(*ast.SelectorExpr); isMethod && getters[f.Sel.Name] {
				dropped = append(dropped, fmt.Sprint(set.Position(value.Pos()), ": ", f.Sel.Name))
			}
		}
	}
	assign := func(to, value ast.Expr) {
		if name, isName := to.(*ast.Ident); isName && name.Name == "_" {
			drop(value)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			drop(n.X)
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				assign(n.Lhs[i], n.Rhs[i])
			}
		case *ast.ValueSpec:
			for i := range min(len(n.Names), len(n.Values)) {
				assign(n.Names[i], n.Values[i])
			}
		}
		return true
	})
	return dropped
}

// needNoLock lists methods of handles that read only constant data, or data with its
// own lock.
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
	"WikiPage":           "ID",
}

// everyHandle returns a handle of each kind.
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
		app.Hook("http://127.0.0.1:1"), // delivers later events
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

// callWithZeros calls a function with the zero values of its parameters. The function
// may panic.
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

// TestLinesForARow checks that an area in the form of a table needs few lines for each
// endpoint, including seeding and reading back. It also checks that routes.go has its
// endpoints in the expected sections.
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
