package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// setUp declares what the code on the pages takes for granted.
const setUp = `package page

import (
	"bytes"; "context"; "crypto/tls"; "crypto/x509"; "errors"; "flag"; "fmt"; "io"; "log"; "log/slog"
	"net/http"; "net/http/httptest"; neturl "net/url"; "os"; "testing"; "time"

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
type Distribution struct { Codename, Suite string }
`

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```\n")

// TestCodeOnPagesCompiles type-checks the Go code of the README and of the pages
// in docs. Variables that are not used are allowed, and "…" stands for code
// that is left out.
func TestCodeOnPagesCompiles(t *testing.T) {
	packages := compiledPackages(t)
	checked := 0
	for _, page := range slices.Concat(glob(t, "*.md"), glob(t, "docs/*.md")) {
		text := readFile(t, page)
		blocks := goBlock.FindAllStringSubmatch(text, -1)
		assert.Len(t, blocks, strings.Count(text, "\n```go"), "%s has blocks that are not checked", page)
		if page == "docs/cookbook.md" || page == "docs/mocks.md" {
			continue // their code is that of the recipes: TestCookbook
		}
		for _, block := range blocks {
			checked++
			code := block[1]
			if strings.Contains(code, "// client-go") {
				code = ourCode("```go\n" + code + "```\n")
			}
			for _, problem := range typeCheck(t, packages, code) {
				assert.Fail(t, problem, "%s:\n%s", page, code)
			}
		}
	}
	assert.Positive(t, checked)
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

// ourCode returns the lines of code on a page that use this library: those below
// or before the comment "here".
func ourCode(page string) string {
	var lines strings.Builder
	code, ours := false, false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			code, ours = strings.HasPrefix(line, "```go"), false
			continue
		case strings.HasPrefix(line, "// client-go"):
			ours = false
		case strings.HasPrefix(line, "// here"):
			ours = true
		}
		if code && (ours || strings.HasSuffix(line, "// here\n")) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// compiledPackages returns an importer of what the code on pages imports.
func compiledPackages(t *testing.T) types.Importer {
	t.Helper()
	readsSource(t)
	packages, err := inventory.Compiled(t.Context(), ".", "./servicetest", "./webhook", "log/slog", "net/http",
		"net/http/httptest", "testing")
	require.NoError(t, err)
	return packages
}

var (
	pageCode    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	recipeLink  = regexp.MustCompile(`\[(\d+)\]\((?:cookbook\.md)?#(\d+)-`)
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

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
	assert.Positive(t, links)
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
