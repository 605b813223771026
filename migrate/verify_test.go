package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi/migrate/internal/move"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const withTests = `package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func name(client *gitlab.Client) (string, error) {
	project, _, err := client.Projects.GetProject(7, nil)
	if err != nil {
		return "", err
	}
	return project.Name, nil
}

func serve(t *testing.T, agent *string) *gitlab.Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*agent = r.UserAgent()
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte("{\"id\": 7, \"name\": \"shop\"}"))
	}))
	t.Cleanup(server.Close)
	client, err := gitlab.NewClient("token", gitlab.WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestName(t *testing.T) {
	var agent string
	if got, err := name(serve(t, &agent)); got != "shop" {
		t.Error(got, err)
	}
}

func TestAgent(t *testing.T) {
	var agent string
	if _, err := name(serve(t, &agent)); agent != "go-gitlab" {
		t.Error(agent, err)
	}
}
`

// dropReplace takes out where the golden programs have this library.
func dropReplace(t *testing.T, dir string) {
	t.Helper()
	command := exec.Command("go", "mod", "edit", "-dropreplace", library, "-droprequire", library)
	command.Dir = dir
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
}

func TestVerify(t *testing.T) {
	dir := program(t, "package main\n\nfunc main() {}\n")
	dropReplace(t, dir)
	name := filepath.Join(dir, "main_test.go")
	require.NoError(t, os.WriteFile(name, []byte(withTests), 0o644))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)

	var out, problems bytes.Buffer
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-verify"}, &out, &problems), problems.String())
	text := out.String()
	assert.Contains(t, text, "2 calls of client-go: 2 moved, 0 left\n")
	assert.Contains(t, text, "TestAgent: pass before, fail after\n")
	assert.Contains(t, text, "serviceapi-go/0.1.0")
	assert.NotContains(t, text, "TestName")
	assert.True(t, strings.HasSuffix(text, "\n3 tests and packages ran before, 1 changed\n"), text)

	// Nothing is written, neither code nor go.mod.
	same, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, withTests, string(same))
	same, err = os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, string(mod), string(same))
}

func TestVerifyAsJSON(t *testing.T) {
	dir := program(t, covered)
	dropReplace(t, dir)
	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-verify", "-json"}, &out, &problems), problems.String())
	var report struct{ Tests verification }
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	assert.Equal(t, verification{Results: 1, Changes: []change{}}, report.Tests)
}

// What the version of Go in go.mod says of the runtime stays: a later one would change it with this
// library.
func TestVerifyWithAnEarlierVersionOfGo(t *testing.T) {
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join("testdata", "golden", "go.sum"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod": "module example.com/earlier\n\ngo 1.25.0\n\n" +
			"require github.com/xanzy/go-gitlab v0.0.0\n\nreplace github.com/xanzy/go-gitlab => ./client\n",
		"go.sum":           string(sums),
		"client/go.mod":    "module github.com/xanzy/go-gitlab\n\ngo 1.18\n",
		"client/client.go": smallClient,
		"main.go":          usesSmallClient,
		"main_test.go":     colons,
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}

	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-verify"}, &out, &problems), problems.String())
	assert.Contains(t, out.String(), " \\\n\t\t-godebug default=go1.25\n\tgo mod tidy\n")
	assert.Contains(t, out.String(), "\n2 tests and packages ran before, 0 changed\n")
}

// smallClient is as much of client-go as usesSmallClient needs. Its modules need a later version of Go.
const smallClient = `package gitlab

type (
	Client            struct{ Version *VersionService }
	VersionService    struct{}
	Version           struct{ Version string }
	RequestOptionFunc func()
	Response          struct{}
)

func (s *VersionService) GetVersion(options ...RequestOptionFunc) (*Version, *Response, error) {
	return nil, nil, nil
}
`

const usesSmallClient = `package main

import "github.com/xanzy/go-gitlab"

func version(client *gitlab.Client) (string, error) {
	v, _, err := client.Version.GetVersion()
	if err != nil {
		return "", err
	}
	return v.Version, nil
}

func main() {}
`

// colons has a test that fails with the settings of Go 1.26.
const colons = `package main

import (
	"net/url"
	"testing"
)

func TestColons(t *testing.T) {
	if _, err := url.Parse("http://127.0.0.1:80:80/"); err != nil {
		t.Error(err)
	}
}
`

func TestKeptSettings(t *testing.T) {
	for version, want := range map[string]string{
		"1.19": "default=go1.19", "1.21.4": "default=go1.21", "1.25rc1": "default=go1.25", "": "default=go1.16",
		"1.26": "", "1.26.1": "", "1.30": "", "2": "", "1.x": "",
	} {
		assert.Equal(t, want, goMod{Go: version}.keptSettings(), version)
	}
	own := goMod{Go: "1.21"}
	own.Godebug = append(own.Godebug, struct{ Key, Value string }{"panicnil", "1"})
	assert.Equal(t, "default=go1.21", own.keptSettings())
	own.Godebug = append(own.Godebug, struct{ Key, Value string }{"default", "go1.23"})
	assert.Empty(t, own.keptSettings())
	assert.Empty(t, settingsOf(t.TempDir()))
}

// A test that is set aside counts as that, with its parts.
func TestVerifyWithTestsThatAreSetAside(t *testing.T) {
	v := &verification{Results: 4, Changes: []change{
		{Package: "a", Test: "TestOne", Before: "pass", After: missing},
		{Package: "a", Test: "TestOne/part", Before: "pass", After: missing},
		{Package: "a", Test: "TestTwo", Before: "pass", After: missing},
		{Package: "b", Test: "TestOne", Before: "pass", After: "fail"},
	}}
	v.leaveOut([]move.AsideTest{{Package: "a", Name: "TestOne"}, {Package: "b", Name: "TestOne"}})
	assert.Equal(t, 2, v.Aside)
	assert.Len(t, v.Changes, 2)
	var out bytes.Buffer
	v.print(&out)
	assert.Contains(t, out.String(),
		"2 results are of tests that are set aside\n4 tests and packages ran before, 2 changed\n")
}

// A package whose tests do not run any more is one line, with what the compiler said.
func TestComparedResults(t *testing.T) {
	before, _ := read(strings.NewReader(`{"Action":"pass","Package":"a","Test":"TestOne"}
{"Action":"pass","Package":"a","Test":"TestTwo"}
{"Action":"pass","Package":"a"}
{"Action":"pass","Package":"b","Test":"TestOne"}
{"Action":"skip","Package":"b","Test":"TestTwo"}
{"Action":"pass","Package":"b"}
{"Action":"pass","Package":"c","Test":"TestOne"}
{"Action":"fail","Package":"c","Test":"TestTwo"}
{"Action":"fail","Package":"c"}
`))
	after, output := read(strings.NewReader(`
{"Action":"build-output","ImportPath":"a [a.test]","Output":"a.go:1: undefined\n"}
{"Action":"build-fail","ImportPath":"a [a.test]"}
{"Action":"fail","Package":"a","FailedBuild":"a [a.test]"}
{"Action":"output","Package":"b","Test":"TestOne","Output":"=== RUN TestOne\n"}
{"Action":"output","Package":"b","Test":"TestOne","Output":"    b_test.go:3: no\n"}
{"Action":"fail","Package":"b","Test":"TestOne"}
{"Action":"fail","Package":"b"}
{"Action":"fail","Package":"c","FailedBuild":"c"}
`))
	assert.Equal(t, []change{
		{Package: "a", Before: "pass", After: broken, Output: []string{"a.go:1: undefined"}},
		{Package: "b", Test: "TestOne", Before: "pass", After: "fail", Output: []string{"    b_test.go:3: no"}},
		{Package: "b", Test: "TestTwo", Before: "skip", After: missing},
		{Package: "c", Before: "fail", After: broken},
	}, compare(before, after, output))
}

// A go command that does not start is an error, not a test that fails.
func TestVerifyWithoutFolder(t *testing.T) {
	v := &verifier{dir: filepath.Join(t.TempDir(), "none"), patterns: []string{"./..."}}
	_, _, err := v.run("the program", nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
}
