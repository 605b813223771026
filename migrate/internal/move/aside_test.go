package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const readerText = "package a\n\n" + importOld + `
type reader struct{ projects gitlab.ProjectsServiceInterface }

func (r reader) name(id int64) (string, error) {
	project, _, err := r.projects.GetProject(id, nil)
	if err != nil {
		return "", err
	}
	return project.Name, nil
}

func clusters(client *gitlab.Client) error {
	_, _, err := client.InstanceCluster.ListClusters()
	return err
}

func Read(client *gitlab.Client) (string, error) { return reader{client.Projects}.name(7) }
`

// mockedText has a mock of an interface of client-go, which nothing can replace.
const mockedText = `package a

import (
	"fmt"
	"testing"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type mock struct {
	gitlab.ProjectsServiceInterface
	name string
}

func (m mock) GetProject(any, *gitlab.GetProjectOptions,
	...gitlab.RequestOptionFunc) (*gitlab.Project, *gitlab.Response, error) {
	return &gitlab.Project{Name: m.name}, nil, nil
}

// newMock makes a mock.
func newMock(t *testing.T) mock {
	t.Helper()
	return mock{name: "shop"}
}

// TestName reads from a mock.
func TestName(t *testing.T) {
	name, err := reader{newMock(t)}.name(7)
	if err != nil || name != "shop" {
		t.Error(name, err)
	}
}
`

const otherTest = `
func TestOther(t *testing.T) { t.Log(fmt.Sprint("other")) } // it needs no client
`

// Tests with mocks of client-go hold back nothing: they go to a file of their own, and the report
// names them.
func TestTestsAreSetAside(t *testing.T) {
	dir := writeModule(t, map[string]string{"a.go": readerText, "a_test.go": mockedText + otherTest})
	result, changed := moveFiles(t, dir, "./...")
	assert.Contains(t, changed["a.go"], "r.projects.Get(")
	assert.Equal(t, "package a\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n"+otherTest, changed["a_test.go"])
	aside := changed["a_clientgo_test.go"]
	for _, part := range []string{"has moved.\n\npackage a\n", "\t\"testing\"\n", "// newMock makes",
		"type mock struct", "gitlab.ProjectsServiceInterface\n", "// TestName reads from a mock.\nfunc TestName("} {
		assert.Contains(t, aside, part)
	}
	assert.NotContains(t, aside, "fmt")
	assert.True(t, strings.HasPrefix(aside, "//go:build clientgo\n"), aside)
	said := ""
	for _, item := range result.Report.Items {
		if item.Reason == asideKind {
			said += item.String() + "\n"
		}
	}
	assert.Contains(t, said, "a_test.go:27: test: TestName is set aside in a file with the build tag clientgo: ")
	writeBack(t, dir, result)

	again, _ := moveFiles(t, dir, "./...")
	assert.Empty(t, again.Files)
}

// A file of which all tests are set aside stays where it is, with its line ends.
func TestFilesAreSetAside(t *testing.T) {
	tests := strings.Replace(mockedText, "\t\"fmt\"\n", "", 1)
	tests = strings.ReplaceAll("//go:build linux || !linux\n\n"+tests, "\n", "\r\n")
	dir := writeModule(t, map[string]string{"a.go": readerText, "a_test.go": tests})
	result, changed := moveFiles(t, dir, "./...")
	assert.Equal(t, strings.Replace(tests, "linux || !linux", "clientgo && (linux || !linux)", 1), changed["a_test.go"])
	assert.NotContains(t, changed, "a_clientgo_test.go")
	writeBack(t, dir, result)
}

// A test stays as it is with code that stays for a reason of its own.
func TestTestsOfCodeThatStaysAreKept(t *testing.T) {
	text := strings.Replace(readerText, "project, _, err :=", "project, resp, err :=", 1)
	text = strings.Replace(text, "return project.Name, nil", "return project.Name + resp.Proto, nil", 1) +
		"\nfunc Version(client *gitlab.Client) { client.Version.GetVersion() }\n"
	dir := writeModule(t, map[string]string{"a.go": text, "a_test.go": mockedText + otherTest})
	result, changed := moveFiles(t, dir, "./...")
	assert.Contains(t, changed["a.go"], "client.Metadata.Version(")
	assert.Contains(t, changed["a.go"], "r.projects.GetProject(")
	assert.NotContains(t, changed, "a_test.go")
	assert.NotContains(t, changed, "a_clientgo_test.go")
	writeBack(t, dir, result)
}

// What a test passes without naming its type belongs to that type.
func TestNamelessFunctionsBelongToTheirTypes(t *testing.T) {
	_, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type source func() (*gitlab.Client, error)

func version(from source) (string, error) {
	client, err := from()
	if err != nil {
		return "", err
	}
	v, _, err := client.Version.GetVersion()
	return v.Version, err
}
`, "a_test.go": `package a

import (
	"errors"
	"testing"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func TestVersion(t *testing.T) {
	fails := func() (*gitlab.Client, error) { return nil, errors.New("no client") }
	if _, err := version(fails); err == nil {
		t.Error("no error")
	}
}
`}), "./...")
	assert.Contains(t, changed["a.go"], "client.Metadata.Version(")
	assert.Contains(t, changed["a_test.go"], "fails := func() (*serviceapi.Client, error)")
}
