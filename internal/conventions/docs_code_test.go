package conventions

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pagesWithCode are the pages whose Go code is checked, with the number of
// blocks that each has at least. The cookbook has a test of its own.
var pagesWithCode = map[string]int{
	"README.md":           8,
	"docs/arguments.md":   5,
	"docs/debugging.md":   3,
	"docs/migration.md":   8,
	"docs/pagination.md":  6,
	"docs/reliability.md": 2,
	"docs/webhooks.md":    1,
}

// setUp declares what the code on the pages takes for granted.
const setUp = `package page

import (
	"bytes"; "context"; "crypto/tls"; "crypto/x509"; "errors"; "flag"; "fmt"; "io"; "log"; "log/slog"
	"net/http"; neturl "net/url"; "os"; "testing"; "time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
	"golang.org/x/oauth2"
)

var (
	ctx context.Context
	err error
	client *serviceapi.Client
	cred serviceapi.Credential
	source oauth2.TokenSource
	project serviceapi.ProjectRef
	options serviceapi.CreateEnvironmentOptions
	id, jobID int64
	job *serviceapi.Job
	issue serviceapi.IssueRef
	note serviceapi.CreateIssueNoteOptions
	body []byte
	mux *webhook.Mux
	queue interface { Add(ctx context.Context, object, what any) error }
	baseURL, url, token, jobToken string
	proxy *neturl.URL
	caCertificates *x509.CertPool
	show func(serviceapi.Progress)
	use func(*serviceapi.Job)
	process func([]*serviceapi.Job) error
	loadCheckpoint func() string
	saveCheckpoint func(string)
	enqueue func(context.Context, serviceapi.MergeRequestRef, webhook.MergeRequestAction) error
	observe func(method, operation string, took time.Duration, err error)
)

type Flag struct { Name string; Active bool }
`

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```\n")

// TestCodeOnPagesCompiles type-checks the Go code of the README and of the pages
// in docs. Variables that are not used are allowed, and "…" stands for code
// that is left out.
func TestCodeOnPagesCompiles(t *testing.T) {
	packages := compiledPackages(t)
	for page, least := range pagesWithCode {
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		blocks := goBlock.FindAllStringSubmatch(string(data), -1)
		assert.GreaterOrEqual(t, len(blocks), least, page)
		for _, block := range blocks {
			code := block[1]
			if strings.Contains(code, "// client-go") {
				code = ourCode("```go\n" + code + "```\n")
			}
			for _, problem := range typeCheck(t, packages, code) {
				assert.Fail(t, problem, "%s:\n%s", page, code)
			}
		}
	}
}

// TestTypeCheck checks that code with an error is noticed.
func TestTypeCheck(t *testing.T) {
	packages := compiledPackages(t)
	for _, code := range []string{
		"client.Jobs.NoSuchMethod(ctx)",
		"client.Jobs.Get(ctx, serviceapi.GroupID(7), 8)",
		"return 7",
		"for job := range {",
	} {
		assert.NotEmpty(t, typeCheck(t, packages, code), code)
	}
}

// typeCheck returns what the compiler would say about code from a page.
func typeCheck(t *testing.T, packages types.Importer, code string) (problems []string) {
	t.Helper()
	code = strings.ReplaceAll(code, "…", "")
	if !strings.HasPrefix(code, "func ") {
		code = "func page() error {\n" + code + "\nreturn nil\n}"
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "page.go", setUp+code, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	config := types.Config{
		Importer:                 packages,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			text := err.(types.Error).Msg
			if !strings.HasPrefix(text, "declared and not used") && !strings.HasPrefix(text, "no new variables") {
				problems = append(problems, text)
			}
		},
	}
	_, _ = config.Check("page", set, []*ast.File{file}, nil) // its errors went to Error
	return problems
}

// compiledPackages returns an importer of what the code on pages imports, which
// the go command has in its cache.
func compiledPackages(t *testing.T) types.Importer {
	t.Helper()
	readsSource(t)
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}",
		".", "./servicetest", "./webhook", "log/slog", "net/http", "testing")
	var problems strings.Builder
	list.Stderr = &problems
	out, err := list.Output()
	require.NoError(t, err, problems.String())
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("%s is not compiled", path)
		}
		return os.Open(files[path])
	})
}

var (
	pageCode    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	shellBlock  = regexp.MustCompile("(?s)```sh\n(.*?)```\n")
	fromProxy   = regexp.MustCompile(`go (?:get|install|run) example\.com/`)
	recipeLink  = regexp.MustCompile(`\[(\d+)\]\((?:cookbook\.md)?#(\d+)-`)
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestCommandsOnPagesWork checks that no page tells to fetch the module, which is not
// hosted yet.
func TestCommandsOnPagesWork(t *testing.T) {
	commands := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "*/README.md", "examples/*/README.md"} {
		for _, page := range glob(t, pattern) {
			for _, block := range shellBlock.FindAllStringSubmatch(readFile(t, page), -1) {
				commands++
				assert.NotRegexp(t, fromProxy, block[1], page)
			}
		}
	}
	assert.Greater(t, commands, 5)
}

// TestLinksOfPages checks that links between pages lead to a file, and to a
// heading in it.
func TestLinksOfPages(t *testing.T) {
	links := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "bench/*.md"} {
		pages, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, page := range pages {
			data, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, match := range recipeLink.FindAllStringSubmatch(string(data), -1) {
				assert.Equal(t, match[1], match[2], "%s links another recipe than it says", page)
			}
			for _, match := range pageLink.FindAllStringSubmatch(pageCode.ReplaceAllString(string(data), ""), -1) {
				if strings.Contains(match[1], "://") {
					continue
				}
				links++
				file, heading, _ := strings.Cut(match[1], "#")
				target := page
				if file != "" {
					target = filepath.Join(filepath.Dir(page), file)
				}
				_, err := os.Stat(target)
				assert.NoError(t, err, page)
				if heading != "" {
					assert.Contains(t, headings(t, target), heading, "%s links %s", page, match[1])
				}
			}
		}
	}
	assert.Greater(t, links, 50)
}

// headings returns the names by which links find the headings of a page.
func headings(t *testing.T, page string) (names []string) {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	punctuation := regexp.MustCompile(`[^\w\- ]`)
	for _, match := range pageHeading.FindAllStringSubmatch(string(data), -1) {
		name := punctuation.ReplaceAllString(strings.ToLower(match[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}
