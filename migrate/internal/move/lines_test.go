package move

import (
	"fmt"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/migrate/internal/sources"
	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryLineIsApplied checks that the command moves a call of every method in the
// table, and that what takes its place compiles: the command leaves what does not.
func TestEveryLineIsApplied(t *testing.T) {
	dir, err := sources.OldDir(filepath.Join("..", "sources", "testdata"), string(table.V1))
	require.NoError(t, err)
	old, err := sources.Old(dir, sources.NewImports())
	require.NoError(t, err)
	lines, err := table.Load()
	require.NoError(t, err)

	var text strings.Builder
	text.WriteString("package lines\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\n" +
		"\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n")
	calls := 0
	for i := range lines.Methods {
		if m := &lines.Methods[i]; m.ByHand == "" && m.Has(table.V1) {
			fmt.Fprintf(&text, "\n%s", callOf(m, old.Method(m.Old).Signature))
			calls++
		}
	}
	result := moveText(t, text.String())
	for _, item := range result.Report.Items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	assert.Equal(t, calls, result.Report.Moved)
	assert.Greater(t, calls, 700)
}

// A pointer to a zero value is that value where an option is none, whatever made it.
func TestZeroValuesOfTypes(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func zeros(client *gitlab.Client) error {
	_, _, err := client.Projects.GetProject("acme/shop", &gitlab.GetProjectOptions{
		License:    new(bool),
		Statistics: gitlab.Ptr(true),
	})
	if err != nil {
		return err
	}
	_, _, err = client.Projects.ListProjects(&gitlab.ListProjectsOptions{Search: new(string), Archived: new(bool)})
	return err
}
`)
	assert.Equal(t, 2, result.Report.Moved)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	for _, line := range []string{"License:    false,", "Statistics: true,", `Search: "", Archived: new(bool)`} {
		assert.Contains(t, text, line)
	}
}

// The fields of a smaller level stand in a literal of it.
func TestLiteralsOfLevels(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func show(client *gitlab.Client) (*gitlab.User, *gitlab.MergeRequest, error) {
	if _, _, err := client.Users.GetUser(7, gitlab.GetUsersOptions{}); err != nil {
		return nil, nil, err
	}
	mr := &gitlab.MergeRequest{
		BasicMergeRequest: gitlab.BasicMergeRequest{IID: 3, Title: "Fix"},
		ChangesCount:      "1",
	}
	return &gitlab.User{ID: 7, Username: "ada", Bio: "wrote programs"}, mr, nil
}
`)
	require.Len(t, result.Files, 1)
	text := strings.Join(strings.Fields(string(result.Files[0].New)), " ")
	assert.Contains(t, text, `MergeRequest: serviceapi.MergeRequest{IID: 3, Title: "Fix"}`)
	assert.Contains(t, text, `UserSummary: serviceapi.UserSummary{ID: 7, Username: "ada"}`)
}

// Seconds that were whole numbers in client-go are cut to them where a program has an int.
func TestSecondsOfOlderReleases(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

type waited struct{ seconds int64 }

func wait(client *gitlab.Client) (waited, error) {
	p, _, err := client.Pipelines.GetPipeline("acme/shop", 1)
	if err != nil {
		return waited{}, err
	}
	return waited{seconds: p.QueuedDuration}, nil
}
`)
	assert.Equal(t, 1, result.Report.Moved)
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	assert.Contains(t, text, "waited{seconds: int64(valueOf(p.QueuedDuration))}")
}

// Two fields of client-go that are one here are set once, if they say the same.
func TestFieldsThatAreOne(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func ready() *gitlab.ListMergeRequestsOptions {
	return &gitlab.ListMergeRequestsOptions{
		WIP:   gitlab.Ptr("no"),
		Draft: gitlab.Ptr(false),
		Scope: gitlab.Ptr("all"),
	}
}

func unclear() *gitlab.ListMergeRequestsOptions {
	return &gitlab.ListMergeRequestsOptions{Draft: gitlab.Ptr(true), WIP: gitlab.Ptr("no")}
}

func Both(client *gitlab.Client) error {
	_, _, err := client.MergeRequests.ListMergeRequests(ready())
	return err
}
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	assert.Equal(t, 1, result.Report.Moved)
	assert.Contains(t, text, "{\n\t\tDraft: new(false),\n\t\tScope: ")
	assert.Contains(t, text, "// serviceapi: WIP and Draft are one field here: keep one")
}

// The other issue of a link is a reference, whose number is a text in client-go.
func TestIssuesOfLinks(t *testing.T) {
	result := moveText(t, `package lines

import (
	"fmt"
	"strconv"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func link(client *gitlab.Client, first int) error {
	options := &gitlab.CreateIssueLinkOptions{TargetProjectID: gitlab.Ptr("acme/shop"), TargetIssueIID: gitlab.Ptr("5")}
	_, _, err := client.IssueLinks.CreateIssueLink("acme/shop", int64(first), options)
	fmt.Println(err)
	_, _, err = client.IssueLinks.CreateIssueLink("acme/shop", 1, &gitlab.CreateIssueLinkOptions{
		TargetProjectID: gitlab.Ptr("acme/api"),
		TargetIssueIID:  gitlab.Ptr(strconv.Itoa(first)),
		LinkType:        gitlab.Ptr("blocks"),
	})
	return err
}

func unknown(client *gitlab.Client, issue string) error {
	_, _, err := client.IssueLinks.CreateIssueLink("acme/shop", 1, &gitlab.CreateIssueLinkOptions{
		TargetProjectID: gitlab.Ptr("acme/shop"),
		TargetIssueIID:  gitlab.Ptr(issue),
	})
	return err
}
`)
	require.Len(t, result.Files, 2)
	text := string(result.Files[0].New)
	assert.Equal(t, 3, result.Report.Moved)
	assert.Contains(t, text, `serviceapi.ProjectPath("acme/shop").Issue(int64(first)), `+
		`serviceapi.CreateIssueLinkOptions{Target: serviceapi.ProjectPath("acme/shop").Issue(5)})`)
	assert.Contains(t, text, `Target:   serviceapi.ProjectPath("acme/api").Issue(int64(first)),`)
	assert.NotContains(t, text, "strconv")
	assert.Contains(t, text, `Target: serviceapi.ProjectPath("acme/shop").Issue(numberOf(issue)),`)
	assert.Contains(t, text, "import (\n\t\"context\"\n\t\"fmt\"\n\n")
}

// A field of a struct in options that has no counterpart leaves its call: it has no place of its
// own in the body.
func TestFieldsOfNestedStructsAreNotHoisted(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func commit(client *gitlab.Client, path, text string) error {
	_, _, err := client.Commits.CreateCommit(5, &gitlab.CreateCommitOptions{
		Branch:  gitlab.Ptr("main"),
		Actions: []*gitlab.CommitActionOptions{{FilePath: &path, Content: &text, Encoding: gitlab.Ptr("base64")}},
	})
	return err
}

func protect(client *gitlab.Client) error {
	_, _, err := client.ProtectedBranches.ProtectRepositoryBranches(5, &gitlab.ProtectRepositoryBranchesOptions{
		Name:          gitlab.Ptr("main"),
		AllowedToPush: &[]*gitlab.BranchPermissionOptions{{Destroy: gitlab.Ptr(true)}},
	})
	return err
}

func update(client *gitlab.Client, path, text string) error {
	_, _, err := client.RepositoryFiles.UpdateFile(5, path, &gitlab.UpdateFileOptions{
		Content: &text, Encoding: gitlab.Ptr("base64"),
	})
	return err
}
`)
	assert.Equal(t, map[string]int{"field": 1}, result.Report.Reasons)
	require.Len(t, result.Files, 2)
	assert.Contains(t, string(result.Files[0].New), "Content: decodedContent(text)}}")
	assert.Contains(t, string(result.Files[0].New), `serviceapi.WithBodyField("encoding", "base64")`)
}

// An option that is not a pointer here is compared with its zero value, where the program sets it to
// no other than that. Else the comparison would mean something else.
func TestOptionsThatAreComparedWithNil(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func mine(client *gitlab.Client, opts *gitlab.ListProjectsOptions) error {
	if opts.Owned == nil && opts.Membership != nil {
		opts.Owned = gitlab.Ptr(true)
	}
	_, _, err := client.Projects.ListProjects(opts)
	return err
}

func starred(client *gitlab.Client, starred bool) error {
	opts := &gitlab.ListProjectsOptions{Starred: &starred}
	if opts.Starred == nil {
		opts.Starred = gitlab.Ptr(true)
	}
	_, _, err := client.Projects.ListProjects(opts)
	return err
}

func searched(client *gitlab.Client, opts *gitlab.ListGroupsOptions) error {
	if search := opts.Search; search != nil {
		opts.Search = gitlab.Ptr(*search + "x")
	}
	if owned := opts.Owned; owned != nil {
		opts.AllAvailable = owned
	}
	_, _, err := client.Groups.ListGroups(opts)
	return err
}

func archived(client *gitlab.Client, opts *gitlab.ListGroupProjectsOptions) error {
	if opts.Archived == nil {
		opts.Archived = gitlab.Ptr(false)
	}
	_, _, err := client.Groups.ListGroupProjects(1, opts)
	return err
}
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	assert.Contains(t, text, "if !opts.Owned && opts.Membership {")
	assert.Contains(t, text, "\t// serviceapi: ListProjectsOptions.Starred is not a pointer here: "+
		"nil and the zero value are the same\n\tif opts.Starred == nil {")
	assert.Contains(t, text, "if opts.Archived == nil {")
	assert.Contains(t, text, "if owned := opts.Owned; owned != nil {")
	assert.Equal(t, 2, result.Report.Moved)
	assert.Equal(t, 2, result.Report.Left)
}

// A call that had no context gets one only where that certainly lives.
func TestContextsOfCallsWithoutOne(t *testing.T) {
	result := moveText(t, `package lines

import (
	"context"
	"errors"
	"net/http"
	"os/signal"
	"sync"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

var always = context.Background()

func Lives(ctx context.Context, client *gitlab.Client) error {
	_, _, _ = client.Jobs.EraseJob(1, 101)
	if err := ctx.Err(); err != nil {
		return err
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(1):
			_, _, _ = client.Jobs.EraseJob(1, 102)
		}
		func() { _, _, _ = client.Jobs.EraseJob(1, 103) }()
		break
	}
	return errors.New("over")
}

func After(ctx context.Context, client *gitlab.Client) {
	<-ctx.Done()
	_, _, _ = client.Jobs.EraseJob(1, 201)
}

func Branch(ctx context.Context, client *gitlab.Client) {
	if ctx.Err() != nil {
		_, _, _ = client.Jobs.EraseJob(1, 202)
		return
	}
	_, _, _ = client.Jobs.EraseJob(1, 104)
}

func Loop(ctx context.Context, client *gitlab.Client) {
loop:
	for {
		select {
		case <-ctx.Done():
			break loop
		case <-time.After(1):
		}
	}
	_, _, _ = client.Jobs.EraseJob(1, 203)
}

func Later(ctx context.Context, client *gitlab.Client, group *sync.WaitGroup) {
	defer client.Jobs.EraseJob(1, 204)
	defer func() { _, _, _ = client.Jobs.EraseJob(1, 205) }()
	go client.Jobs.EraseJob(1, 206)
	group.Go(func() { _, _, _ = client.Jobs.EraseJob(1, 207) })
	go func(ctx context.Context) { _, _, _ = client.Jobs.EraseJob(1, 105) }(ctx)
}

func Limited(parent context.Context, client *gitlab.Client) {
	ctx, cancel := context.WithTimeout(parent, time.Second)
	defer cancel()
	_ = ctx
	_, _, _ = client.Jobs.EraseJob(1, 301)
}

func Shadowed(ctx context.Context, client *gitlab.Client) {
	ctx, stop := signal.NotifyContext(ctx)
	defer stop()
	_ = ctx
	_, _, _ = client.Jobs.EraseJob(1, 208)
}

func Canceled(client *gitlab.Client) {
	ctx, cancel := context.WithCancel(always)
	_ = ctx
	cancel()
	_, _, _ = client.Jobs.EraseJob(1, 401)
}

func Serve(client *gitlab.Client) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _, _ = client.Jobs.EraseJob(1, 501)
		go func() { _, _, _ = client.Jobs.EraseJob(1, 402) }()
		<-r.Context().Done()
		_, _, _ = client.Jobs.EraseJob(1, 403)
	}
}
`)
	require.Len(t, result.Files, 1)
	assert.Equal(t, 0, result.Report.Left)
	text := string(result.Files[0].New)
	contexts := map[string]string{"1": "ctx", "2": "always", "3": "parent", "4": "always", "5": "r.Context()"}
	found := regexp.MustCompile(`Erase\((.*), serviceapi.ProjectID\(1\), (\d)(\d\d)`).FindAllStringSubmatch(text, -1)
	for _, call := range found {
		assert.Equal(t, contexts[call[2]], call[1], "call %s%s", call[2], call[3])
	}
	assert.Len(t, found, 18)
	assert.Len(t, result.Report.Notes, len(found))
}

// The content of a file is decoded here: what the program sets is the content itself, or stays.
func TestContentThatIsSet(t *testing.T) {
	result := moveText(t, `package lines

import (
	"encoding/base64"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func made(data []byte) *gitlab.File {
	return &gitlab.File{FilePath: "a", Content: base64.StdEncoding.EncodeToString(data)}
}

func left(text string) *gitlab.File { return &gitlab.File{Content: text} }

func changed(f *gitlab.File) { f.Content = "" }
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	assert.Contains(t, text, `return &serviceapi.RepositoryFile{Content: data, `+
		`FileMetadata: serviceapi.FileMetadata{FilePath: "a"}}`)
	assert.Contains(t, text, "func left(text string) *gitlab.File {")
	assert.Contains(t, text, "func changed(f *gitlab.File) {")
}

// Only what a result says of itself becomes its reference.
func TestResultsNameThemselves(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func run(client *gitlab.Client, mr, other *gitlab.MergeRequest, user gitlab.User, job *gitlab.Job) error {
	_, _, err := client.MergeRequests.GetMergeRequest(mr.ProjectID, mr.IID, nil)
	if err == nil {
		_, _, err = client.MergeRequests.GetMergeRequest(mr.ProjectID, other.IID, nil)
	}
	if err == nil {
		_, _, err = client.MergeRequests.GetMergeRequest(mr.TargetProjectID, mr.IID, nil)
	}
	if err == nil {
		_, _, err = client.Users.GetUser(user.ID, gitlab.GetUsersOptions{})
	}
	if err == nil {
		_, _, err = client.Projects.GetProject(job.Pipeline.ProjectID, nil)
	}
	return err
}
`)
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	assert.Equal(t, 5, result.Report.Moved)
	for _, line := range []string{"context.TODO(), mr.Ref(), nil)", "ProjectID(mr.ProjectID).MergeRequest(other.IID), ",
		"ProjectID(mr.TargetProjectID).MergeRequest(mr.IID), ", "user.Ref(), ", ".Pipeline).ProjectID), nil)"} {
		assert.Contains(t, text, line)
	}
}

// A function that does not compile is left, and the others move.
func TestTypesThatAreMissing(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func broken(client *gitlab.Client) error {
	use(missing{Client: client}, missing{client})
	_, _, err := client.Projects.GetProject("acme/shop", nil)
	return err
}

func whole(client *gitlab.Client) error {
	_, _, err := client.Projects.GetProject("acme/shop", nil)
	return err
}
`)
	assert.Equal(t, 2, result.Report.Sites)
	assert.Equal(t, 1, result.Report.Moved)
}

// moveText moves a file in the module of the golden programs.
func moveText(t *testing.T, text string) *Result {
	t.Helper()
	dir := writeModule(t, map[string]string{"lines/lines.go": text})
	result, err := Run(Options{Dir: dir, Patterns: []string{"./lines"}})
	require.NoError(t, err)
	return result
}

// callOf returns a function that calls a method and uses its results.
func callOf(m *table.Method, signature *types.Signature) string {
	var used []string
	for _, arg := range m.Args {
		used = append(used, arg.Params()...)
	}
	var args []string
	for i, name := range m.Params {
		fields := m.Uses(name)
		if !slices.Contains(used, name) && fields == nil {
			args = append(args, "nil")
			continue
		}
		args = append(args, exampleOf(signature.Params().At(i).Type(), fields, m.When, numbered(m, name)))
	}
	results, use := "_, err", ""
	switch signature.Results().Len() {
	case 1:
		results = "err"
	case 3:
		results, use = "v, _, err", "\tfmt.Println(v)\n"
	}
	return fmt.Sprintf("func line%d(client *gitlab.Client) error {\n\t%s := client.%s(%s)\n"+
		"\tif err != nil {\n\t\treturn err\n\t}\n%s\treturn nil\n}\n",
		m.Pos.Line, results, m.Old, strings.Join(args, ", "), use)
}

// numbered reports whether a parameter of the type any must be a number.
func numbered(m *table.Method, param string) bool {
	return slices.ContainsFunc(m.Args, func(arg table.Arg) bool {
		return arg.Kind == table.Ref && arg.Name == "number" && arg.Args[0].Param == param
	})
}

// exampleOf returns a value of a type of client-go. Of options, only some fields are set.
func exampleOf(t types.Type, fields []string, when table.Condition, number bool) string {
	name := types.TypeString(t, func(*types.Package) string { return "gitlab" })
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		s, ok := u.Elem().Underlying().(*types.Struct)
		if !ok {
			return "gitlab.Ptr(" + converted(u.Elem(), exampleOf(u.Elem(), nil, when, number)) + ")"
		}
		if len(fields) == 0 {
			return "nil"
		}
		return "&" + strings.TrimPrefix(name, "*") + literalWith(s, fields, when)
	case *types.Struct:
		return name + literalWith(u, fields, when)
	case *types.Interface:
		switch {
		case name == "gitlab.Reader": // io.Reader, in the words of TypeString above
			return `strings.NewReader("content")`
		case number:
			return "7"
		case name == "any" || name == "interface{}":
			return `"acme/shop"`
		}
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0 && number:
			return `"7"`
		case u.Info()&types.IsString != 0:
			return `"text"`
		case u.Info()&types.IsBoolean != 0:
			return "true"
		}
		return "7"
	}
	return "nil"
}

// converted gives an untyped constant the type that a pointer to it needs.
func converted(t types.Type, text string) string {
	if basic, ok := t.(*types.Basic); ok && basic.Info()&types.IsNumeric == 0 {
		return text
	}
	return types.TypeString(t, func(*types.Package) string { return "gitlab" }) + "(" + text + ")"
}

func literalWith(s *types.Struct, names []string, when table.Condition) string {
	var texts []string
	for field := range s.Fields() {
		if !slices.Contains(names, field.Name()) {
			continue
		}
		value := exampleOf(field.Type(), nil, when, true)
		if field.Name() == when.Field && when.Not {
			value = "gitlab.Ptr(false)"
		}
		texts = append(texts, field.Name()+": "+value)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// Digits in a string are an ID for client-go, which sends them as they are: so they stay one, also
// in a variable, whose value only the running program knows.
func TestDigitsStayAnID(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func both(client *gitlab.Client, named string) error {
	if _, err := client.Projects.DeleteProject("42", nil); err != nil {
		return err
	}
	_, err := client.Projects.DeleteProject(named, nil)
	return err
}
`)
	require.Len(t, result.Files, 2, "the program, and what it needs to tell IDs from paths")
	text := string(result.Files[0].New) + string(result.Files[1].New)
	assert.Contains(t, text, "client.Projects.Delete(context.TODO(), serviceapi.ProjectID(42)")
	assert.Contains(t, text, "client.Projects.Delete(context.TODO(), projectOf(named)")
	assert.Contains(t, text, "serviceapi.ParseProjectRef(id)")
}
