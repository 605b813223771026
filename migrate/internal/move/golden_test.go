package move

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A golden result is what a program of testdata/golden sent and returned.
type goldenResult struct {
	Output   string
	Requests []string
}

// keeping matches the files of the programs that are about what stays.
var keeping = regexp.MustCompile("(commands|factories|flags|mixed|mocks|pools|predicates|shares|splits|verdicts)/")

// The programs of testdata/golden send the same requests and return the same before and
// after they are moved, and nothing of them is left but what two of them are about.
func TestGoldenProgramsDoTheSame(t *testing.T) {
	moved, result := moveGolden(t, "golden")
	stays := func(name string) bool {
		return keeping.MatchString(name)
	}
	for _, item := range result.Report.Items {
		if !stays(item.File) {
			assert.Empty(t, item.Reason, "%s", item)
		}
	}
	for _, f := range result.Files {
		if !stays(filepath.ToSlash(f.Name)) {
			assert.NotRegexp(t, `gitlab\.[A-Z]`, string(f.New))
		}
	}
	text, err := os.ReadFile(filepath.Join(moved, "lists", "lists.go"))
	require.NoError(t, err)
	for _, comment := range []string{"// Those that are not", "// the first page", "// Remember each"} {
		assert.Contains(t, string(text), comment)
	}
	again, err := Run(Options{Dir: moved, Patterns: []string{"./..."}})
	require.NoError(t, err)
	assert.Empty(t, again.Files)
	assert.Equal(t, 0, again.Report.Moved)
}

// Release 0 has the path of release 1, so it needs a module of its own.
func TestGoldenProgramOnRelease0(t *testing.T) {
	_, result := moveGolden(t, "golden0")
	assert.Equal(t, result.Report.Sites, result.Report.Moved)
	assert.Equal(t, 5, result.Report.Moved)
}

// What stays in a program holds back nothing but itself: what it calls exists twice, and so
// do the clients.
func TestWhatStaysHoldsBackLittle(t *testing.T) {
	items, text := moveOne(t, "splits")
	left := map[string]string{}
	for _, item := range items {
		if item.Reason != "" {
			left[item.Call] = item.Reason
		}
	}
	assert.Equal(t, map[string]string{"InstanceCluster.ListClusters": "no counterpart",
		"Projects.GetProject": "shared types"}, left)
	for _, line := range []string{
		"p, err := projectService(a.ClientService, path)",
		"p, err := project(a.Client, path)",
		"a.ClientService.Issues.List(",
		"s.apiService().Metadata.Version(",
		"s.api().InstanceCluster.ListClusters()",
		"func (s store) apiService() *serviceapi.Client { return s.clientService }",
		"newServiceClient(credentialOf(serviceapi.PrivateToken, token), optionsService...)",
	} {
		assert.Contains(t, text, line)
	}
}

// A function that cannot hand on two clients stays alone, types and variables exist twice as
// functions do, and a client has two places only where two are needed.
func TestClientsArePairedByFunction(t *testing.T) {
	items, text := moveOne(t, "shares")
	var moved []string
	for _, item := range items {
		if item.Reason == "" {
			moved = append(moved, item.Call)
		}
	}
	assert.Equal(t, []string{"Version.GetVersion", "NewClient"}, moved)
	for _, line := range []string{
		"type eachProjectService func(project *serviceapi.Project) error",
		"var sharedService = sync.OnceValue(func() *serviceapi.Client {",
		"return projectsService(sharedService(), func(project *serviceapi.Project) error {",
		"p := page{clientService, client, \"page\"}",
		"n, err := issuesService(clientService, \"acme/shop\")",
		"n, err := issues(client, \"acme/shop\")",
		"func isOffline(client *serviceapi.Client) bool",
		"isOffline((*serviceapi.Client)(nil))",
	} {
		assert.Contains(t, text, line)
	}
}

// callsLeft returns the calls that stay, each with a reason.
func callsLeft(items []Item) (left []string) {
	for _, item := range items {
		if item.Reason != "" {
			left = append(left, item.Call)
		}
	}
	return left
}

// Functions for clients in fields and variables are handed on as clients are.
func TestFunctionsForClientsExistTwice(t *testing.T) {
	items, text := moveOne(t, "factories")
	left := callsLeft(items)
	assert.Equal(t, []string{"InstanceCluster.ListClusters", "InstanceCluster.ListClusters"}, left)
	for _, line := range []string{
		"clientService func() (*serviceapi.Client, error)",
		"client, err := f.clientService()",
		"branches(clientService), branches(f.baseService())",
		"connect: f.clientService}",
		"func (o *options) open() (*serviceapi.Client, error) { return o.connect() }",
		"// serviceapi: InstanceCluster.ListClusters: has no counterpart\n",
	} {
		assert.Contains(t, text, line)
	}
}

// What looks at errors moves with the calls that these come from. What sees errors of both
// clients accepts both.
func TestErrorsOfBothClients(t *testing.T) {
	items, text := moveOne(t, "predicates")
	left := map[string]string{}
	for _, item := range items {
		if item.Reason != "" {
			left[strconv.Itoa(item.Line)+item.Call] = item.Text
		}
	}
	assert.Len(t, left, 3, "%s", items)
	for _, line := range []string{
		"errors.Is(serviceErrorOf(err), serviceapi.ErrNotFound)",
		"errors.AsType[*serviceapi.Error](serviceErrorOf(err))",
		"switch failure := serviceErrorOf(errors.Unwrap(err)).(type) {\n\tcase *serviceapi.Error:",
		"if !errors.As(clientErrorOf(err), &failure) {",
		"// serviceapi: the calls stay whose errors it tests\nfunc nodesOnly(err error) bool {",
		"func projectsOnly(err error) bool { return errors.Is(err, serviceapi.ErrNotFound) }",
		"if err != nil && !errors.Is(err, gitlab.ErrNotFound) {",
		"\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n\n// clientErrorOf returns",
	} {
		assert.Contains(t, text, line)
	}
}

// Where no call moves, what looks at their errors does not either.
func TestErrorsOfCallsThatStay(t *testing.T) {
	result := moveText(t, `package lines

import (
	"errors"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func missing(err error) bool { return errors.Is(err, gitlab.ErrNotFound) }

func Nodes(client *gitlab.Client) bool {
	_, _, err := client.InstanceCluster.ListClusters()
	return missing(err)
}

func Version(client *gitlab.Client) { client.Version.GetVersion() }
`)
	require.Len(t, result.Files, 1)
	assert.NotContains(t, string(result.Files[0].New), "serviceapi.ErrNotFound")
}

// What stays sees the errors of calls that move, also where all of them do.
func TestErrorsOfCallsThatAllMove(t *testing.T) {
	items, text := moveOne(t, "verdicts")
	var left []string
	for _, item := range items {
		if item.Reason != "" {
			left = append(left, item.Reason+" "+item.Call)
		}
	}
	assert.Equal(t, []string{"error "}, left)
	for _, line := range []string{
		"errors.Is(clientErrorOf(err), gitlab.ErrNotFound)", "!errors.As(clientErrorOf(err), &failure)"} {
		assert.Contains(t, text, line)
	}
}

// Clients in maps and slices exist twice where both are needed, and what goes into one of two goes
// into the other.
func TestContainersExistTwice(t *testing.T) {
	items, text := moveOne(t, "pools")
	left := callsLeft(items)
	assert.Equal(t, []string{"InstanceCluster.ListClusters", "InstanceCluster.ListClusters"}, left)
	for _, line := range []string{
		"clientsService: make(map[string]*serviceapi.Client)",
		"p.clients[url], p.clientsService[url] = client, clientService",
		"p.all, p.allService = append(p.all, client), append(p.allService, clientService)",
		"for i, client := range p.allService {",
		"p.clientsService[url].Branches.List(",
		"client, clientService, ok := bothAt(p.clients, p.clientsService, url)",
		"for clientKey, client := range p.clients {\n\t\tclientService := p.clientsService[clientKey]\n",
		"delete(p.clients, url)\n\tdelete(p.clientsService, url)",
	} {
		assert.Contains(t, text, line)
	}
}

// Generated mocks change with their interfaces, and the report names them. Other generated files
// stay, and the report names them, too.
func TestGeneratedMocksChange(t *testing.T) {
	to := copyGolden(t, filepath.Join("..", "..", "testdata", "golden"), "mocks")
	result, err := Run(Options{Dir: to, Patterns: []string{"./mocks"}})
	require.NoError(t, err)
	var changed, named []string
	for _, f := range result.Files {
		changed = append(changed, filepath.Base(f.Name))
	}
	assert.Equal(t, []string{"mocks.go", "reader_mock.go", helperBase + ".go"}, changed)
	for _, item := range append(result.Report.Items, result.Report.Notes...) {
		if item.Reason == generatedFile && item.Call == "" {
			named = append(named, item.File+": "+item.Text)
		}
	}
	assert.Equal(t, []string{
		"mocks/version_gen.go: the file is generated: change what generates it, then run this command again",
		"mocks/reader_mock.go: these mocks change with their interfaces: make them again with moq",
	}, named)
	text := string(result.Files[1].New)
	assert.Equal(t, 6, strings.Count(text, "*serviceapi.ListProjectsOptions"))
	assert.NotContains(t, text, "gitlab.")
}

// What sets an option later, through its address, sets it here, too. If its type differs, the
// function stays.
func TestOptionsThatAreSetThroughTheirAddress(t *testing.T) {
	items, text := moveOne(t, "flags")
	var left []string
	for _, item := range items {
		if item.Reason != "" {
			left = append(left, item.Reason+" "+item.Call)
		}
	}
	assert.Equal(t, []string{"field ", "field Projects.ListProjects"}, left)
	for _, line := range []string{"boolFlag{&options.Archived}", "textFlag{&options.Search}",
		"Search:       valueOf(optional(search))", "archived(client *serviceapi.Client, args ...string)",
		"search(client *gitlab.Client, args ...string)"} {
		assert.Contains(t, text, line)
	}
}

// An option becomes the argument for the context where it is seen to be in a list, and is carried
// by an option of the helpers elsewhere.
func TestContextsInOptions(t *testing.T) {
	items, text := moveOne(t, "requests")
	for _, item := range items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	for _, line := range []string{
		`s.client.Branches.Get(outer, serviceapi.ProjectPath("acme/shop"), "main", callOptions(s.common)...)`,
		`options := []serviceapi.RequestOption{trace("branch")}`,
		`s.client.Branches.Get(outer, serviceapi.ProjectPath("acme/shop"), "main", options...)`,
		`s.client.Branches.Get(ctx, serviceapi.ProjectPath("acme/shop"), "main", callOptions(` +
			`[]serviceapi.RequestOption{s.first})...)`,
		"requestOptions := s.with(ctx)",
		"client.Metadata.Version(callContext(context.TODO(), options), callOptions(options)...)",
		"options = append(options, withContext(ctx))",
		"return requestFunc(func(req *retryablehttp.Request) error {",
		"options := []serviceapi.RequestOption{requestFunc(named), withContext(ctx)}",
	} {
		assert.Contains(t, text, line)
	}
}

// References read as a person would write them: made from their owners, and by Ref where a
// result has its own numbers.
func TestReferencesAreMadeFromTheirOwners(t *testing.T) {
	items, text := moveOne(t, "numbers")
	for _, item := range items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	for _, line := range []string{
		"client.MergeRequests.Get(context.TODO(), mr.Ref(), nil)",
		"serviceapi.ProjectPath(shop).MergeRequest(mr.IID), versions[0].ID, nil)",
		"client.MergeRequests.Unsubscribe(context.TODO(), projectOf(pid).MergeRequest(iid))",
		"\t\tcontext.TODO(),\n\t\tmr.Ref(),\n\t\tserviceapi.CreateMergeRequestNoteOptions{",
		"serviceapi.ProjectPath(shop).MergeRequest(mr.IID).Note(note.ID), emoji)",
		"serviceapi.GroupPath(\"acme\").Epic(epic.IID), update)",
		"client.Notes.List(context.TODO(), epic.Ref(), nil)",
		"serviceapi.GroupPath(\"acme\").EpicByID(epic.ID), ",
		"serviceapi.ProjectPath(shop).Commit(commit.ID), options)",
	} {
		assert.Contains(t, text, line)
	}
}

// moveOne moves one of the golden programs. It returns the report and what was written.
func moveOne(t *testing.T, name string) ([]Item, string) {
	t.Helper()
	to := copyGolden(t, filepath.Join("..", "..", "testdata", "golden"), name)
	result, err := Run(Options{Dir: to, Patterns: []string{"./" + name}})
	require.NoError(t, err)
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	return result.Report.Items, text
}

// moveGolden runs the programs of a module before and after they are moved, and compares what
// they do. It returns where they are in their new form.
func moveGolden(t *testing.T, name string) (string, *Result) {
	t.Helper()
	dir := filepath.Join("..", "..", "testdata", name)
	before := runGolden(t, dir)
	moved := copyGolden(t, dir)
	result, err := Run(Options{Dir: moved, Patterns: []string{"./..."}})
	require.NoError(t, err)
	for _, f := range result.Files {
		require.NoError(t, os.WriteFile(f.Name, f.New, 0o644))
	}
	after := runGolden(t, moved)
	require.NotEmpty(t, before)
	for name, want := range before {
		assert.Equal(t, want, after[name], "program %s", name)
	}
	return moved, result
}

func runGolden(t *testing.T, dir string) map[string]goldenResult {
	t.Helper()
	command := exec.Command("go", "run", "-mod=mod", ".")
	command.Dir = dir
	var problems strings.Builder
	command.Stderr = &problems
	out, err := command.Output()
	require.NoError(t, err, problems.String())
	var results map[string]goldenResult
	require.NoError(t, json.Unmarshal(out, &results))
	return results
}

// copyGolden copies the module to where it may be written, and lets it find the library. It copies
// only the named programs, if there are any: the go command compiles what it finds.
func copyGolden(t testing.TB, dir string, names ...string) string {
	t.Helper()
	to := t.TempDir()
	if len(names) == 0 {
		require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	}
	for _, name := range names {
		require.NoError(t, os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(dir, name))))
	}
	copyGoMod(t, dir, to)
	return to
}

// copyGoMod copies the go.mod of a module in testdata, and its sums.
func copyGoMod(t testing.TB, dir, to string) {
	t.Helper()
	library, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		text = []byte(strings.Replace(string(text), "=> ../../..", "=> "+library, 1))
		require.NoError(t, os.WriteFile(filepath.Join(to, name), text, 0o644))
	}
}
