package move

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// A name that hides package context does not keep a function.
func TestHiddenContext(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type app struct{ name string }

func version(context *app, client *gitlab.Client) string {
	v, _, err := client.Version.GetVersion()
	if err != nil {
		return context.name
	}
	return v.Version
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "client.Metadata.Version(todoContext())")
	assert.Contains(t, changed["serviceapi_helpers.go"],
		"func todoContext() context.Context { return context.TODO() }")
}

// HasStatusCode is what it was, also for the errors of calls that stay.
func TestStatusOfErrors(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func conflicts(client *gitlab.Client) bool {
	_, _, err := client.Projects.GetProject(1, nil)
	return gitlab.HasStatusCode(err, 409) || gitlab.HasStatusCode(err, 404)
}

func nodes(client *gitlab.Client) error {
	_, _, err := client.InstanceCluster.ListClusters()
	return err
}

func any(client *gitlab.Client, first bool) bool {
	err := nodes(client)
	if first {
		_, _, err = client.Projects.GetProject(1, nil)
	}
	return gitlab.HasStatusCode(err, 409)
}
`}), "./...")
	assert.Contains(t, changed["a.go"], "return hasStatusCode(err, 409) || hasStatusCode(err, 404)")
	assert.Contains(t, changed["a.go"], "return hasStatusCode(serviceErrorOf(err), 409)")
	assert.Equal(t, 2, result.Report.Moved, "%v", result.Report.Items)
}

// An adapter is only for an interface that moves.
func TestInterfacesThatStayHaveNoAdapter(t *testing.T) {
	result, _ := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type lister interface {
	ListClusters(options ...gitlab.RequestOptionFunc) ([]*gitlab.InstanceCluster, *gitlab.Response, error)
}

type getter interface {
	GetProject(pid interface{}, opt *gitlab.GetProjectOptions,
		options ...gitlab.RequestOptionFunc) (*gitlab.Project, *gitlab.Response, error)
	cluster() *gitlab.InstanceCluster
}

func name(g getter) string { return g.cluster().Name }

func version(client *gitlab.Client) { client.Version.GetVersion() }
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
}

// A variable that only the options point to is no reason to keep a function.
func TestOptionsThatOwnTheirValue(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func create(client *gitlab.Client, names []string) error {
	labels := make(gitlab.LabelOptions, 0)
	opts := &gitlab.CreateIssueOptions{Title: gitlab.Ptr("x"), Labels: &labels}
	for _, name := range names {
		*opts.Labels = append(*opts.Labels, name)
	}
	_, _, err := client.Issues.CreateIssue(1, opts)
	if err == nil {
		_, _, err = client.Issues.UpdateIssue(1, 2,
			&gitlab.UpdateIssueOptions{Labels: (*gitlab.LabelOptions)(&names)})
	}
	return err
}
`}), "./...")
	assert.Equal(t, 2, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "append(opts.Labels, ")
}

// Paths that this library refuses are named.
func TestPathsThatAreRefused(t *testing.T) {
	result, _ := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func groups(client *gitlab.Client, path string, group *gitlab.Group) {
	client.Groups.GetGroup(path, nil)
	client.Groups.GetGroup(group.FullPath, nil)
	client.Groups.GetGroup("/acme", nil)
	client.Groups.GetGroup("acme", nil)
}
`}), "./...")
	var paths []string
	for _, note := range result.Report.Notes {
		if note.Reason == "path" || note.Reason == "refused" {
			paths = append(paths, note.Text)
		}
	}
	assert.Equal(t, []string{
		"a call is refused before anything is sent if the path of a group begins or ends with a slash",
		"a call is refused before anything is sent if a number in its path is 0, or a name in it is empty",
		"\"/acme\" is no group here: the call is refused before anything is sent",
	}, paths)
}

// What reads the tags of a type sees the fields of this library.
func TestTagsOfFields(t *testing.T) {
	result, _ := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type config struct {
	client *gitlab.Client
	Links  []*gitlab.ReleaseLink ` + "`yaml:\"links\"`" + `
	Name   string                ` + "`yaml:\"name\"`" + `
}

func (c config) show() (*gitlab.Project, *gitlab.Response, error) {
	return c.client.Projects.GetProject(len(c.Links), nil)
}
`}), "./...")
	var values []string
	for _, note := range result.Report.Notes {
		if note.Reason == "value" {
			values = append(values, note.Text)
		}
	}
	assert.Equal(t, []string{"it is encoded or decoded by its tag: the names and the forms of the members of a " +
		"ReleaseLink may differ"}, values)
}

// A variable of a command that only its own package can change does not change in a function of
// another package.
func TestOptionsThatAreHandedOver(t *testing.T) {
	files := map[string]string{"a/a.go": "package a\n\n" + importOld + `
var client *gitlab.Client

func List(opts gitlab.ListProjectMergeRequestsOptions) error {
	_, _, err := client.MergeRequests.ListProjectMergeRequests(1, &opts)
	return err
}
`, "b/b.go": "package b\n\nimport (\n\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n\n\t\"" + goldenPath + `/a"
)

var state string

func set() { state = "opened" }

func list() error {
	return a.List(gitlab.ListProjectMergeRequestsOptions{State: &state})
}
`}
	result, changed := moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["b/b.go"], "State: serviceapi.MergeRequestState(state)}")

	files["a/a.go"] = strings.Replace(files["a/a.go"], "Options) error {",
		"Options, before func()) error {\n\tbefore()", 1)
	files["b/b.go"] = strings.Replace(files["b/b.go"], "&state})", "&state}, set)", 1)
	result, _ = moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 0, result.Report.Moved)
}

// The same is true of a part of a variable whose type is of its own package, such as what flags set.
func TestPartsThatAreHandedOver(t *testing.T) {
	files := map[string]string{"a/a.go": "package a\n\n" + importOld + `
func Create(client *gitlab.Client, opts *gitlab.CreateProjectSnippetOptions) error {
	_, _, err := client.ProjectSnippets.CreateSnippet(1, opts)
	return err
}
`, "b/b.go": "package b\n\nimport \"flag\"\n\n" + importOld + `
import "` + goldenPath + `/a"

type Flags struct{ Title string }

func set(f *Flags) { flag.StringVar(&f.Title, "title", "", "") }

func create(client *gitlab.Client, f *Flags) error {
	return a.Create(client, &gitlab.CreateProjectSnippetOptions{Title: &f.Title})
}
`}
	result, changed := moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["b/b.go"], "Title: f.Title}")

	// The function may be in a variable, unless this package sets that.
	files["a/a.go"] = strings.Replace(files["a/a.go"], "func Create(", "var Create = func(", 1)
	result, _ = moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	create := files["b/b.go"]
	files["b/b.go"] += "\nfunc mock() { a.Create = nil }\n"
	result, _ = moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 0, result.Report.Moved)
	files["b/b.go"] = create

	// Another package can name this type, and may have what the pointer leads to.
	files["a/a.go"] += "\ntype Flags struct{ Title string }\n"
	files["b/b.go"] = strings.NewReplacer("type Flags struct{ Title string }\n", "", "*Flags", "*a.Flags").
		Replace(files["b/b.go"])
	result, _ = moveFiles(t, writeModule(t, files), "./...")
	assert.Equal(t, 0, result.Report.Moved)
}

// What is assigned in another case of a switch is not what the options have.
func TestCasesThatExcludeEachOther(t *testing.T) {
	text := "package a\n\n" + importOld + `
var kind string

func todos(client *gitlab.Client, name string) error {
	opts := &gitlab.ListTodosOptions{}
	switch name {
	case "mr":
		kind = "MergeRequest"
		opts.Type = &kind
	case "issue":
		kind = "Issue"
		opts.Type = &kind
	}
	_, _, err := client.Todos.ListTodos(opts)
	return err
}
`
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": text}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], `kind = "Issue"`)
	for _, change := range []*strings.Replacer{
		strings.NewReplacer("opts.Type = &kind\n\tcase", "opts.Type = &kind\n\t\tfallthrough\n\tcase"),
		strings.NewReplacer("switch name {", "for range 2 {\n\tswitch name {", "\t}\n\t_, _", "\t}\n\t}\n\t_, _"),
		strings.NewReplacer("opts := &gitlab.ListTodosOptions{}\n", "", "var kind string",
			"var kind string\n\nvar opts = &gitlab.ListTodosOptions{}"),
	} {
		result, _ = moveFiles(t, writeModule(t, map[string]string{"a.go": change.Replace(text)}), "./...")
		assert.Equal(t, 0, result.Report.Moved, change.Replace(text))
	}
}

// A pointer that may be nil is sent as client-go sends it, or has a line in the report.
func TestPointersThatMayBeNil(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func invite(client *gitlab.Client, address *string) {
	client.Invites.ProjectInvites(1, &gitlab.InvitesOptions{Email: address, UserID: 2,
		AccessLevel: gitlab.Ptr(gitlab.GuestPermissions)})
}

func add(client *gitlab.Client, id int64, level *gitlab.AccessLevelValue) {
	options := &gitlab.AddProjectMemberOptions{UserID: id, AccessLevel: level}
	client.ProjectMembers.AddProjectMember(1, options)
}

func checked(client *gitlab.Client, level *gitlab.AccessLevelValue) {
	if level == nil {
		return
	}
	client.ProjectMembers.EditProjectMember(1, 2, &gitlab.EditProjectMemberOptions{AccessLevel: level})
}

func none(client *gitlab.Client) {
	client.ProjectMembers.EditProjectMember(1, 2, &gitlab.EditProjectMemberOptions{AccessLevel: nil})
}

func resolve(client *gitlab.Client, done *bool) {
	client.Discussions.ResolveMergeRequestDiscussion(1, 2, "x",
		&gitlab.ResolveMergeRequestDiscussionOptions{Resolved: done})
}

func deploy(client *gitlab.Client, tag *bool) {
	client.Deployments.CreateProjectDeployment(1, &gitlab.CreateProjectDeploymentOptions{
		Environment: gitlab.Ptr("live"), Ref: gitlab.Ptr("main"), SHA: gitlab.Ptr("abc"), Tag: tag,
		Status: gitlab.Ptr(gitlab.DeploymentStatusSuccess)})
}
`}), "./...")
	assert.Contains(t, changed["a.go"], "Emails: listOf(address)")
	var nulls []string
	for _, note := range result.Report.Notes {
		if note.Reason == "null" {
			nulls = append(nulls, note.Text)
		}
	}
	assert.Equal(t, []string{
		"AccessLevel is sent as the zero value if it is nil: client-go leaves it out then",
		"done counts as false if it is nil: client-go leaves it out then",
		"Tag is sent as the zero value if it is nil: client-go leaves it out then",
	}, nulls)
	assert.Equal(t, 5, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "// serviceapi: ProjectMembers.EditProjectMember: Members.Update takes the "+
		"place of the field AccessLevel, which must be set\n")
}

// A test that looks at the errors of calls that move moves with them, through an interface, too.
func TestErrorsThroughInterfaces(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type Finder interface{ Find(id int) (string, error) }

type finder struct{ client *gitlab.Client }

func (f finder) Find(id int) (string, error) {
	project, resp, err := f.client.Projects.GetProject(id, nil)
	if err != nil {
		return "", err
	}
	if resp != nil && resp.Response != nil && resp.StatusCode == 200 {
		return project.Name, nil
	}
	return "", nil
}

func New(url string) Finder {
	client, _ := gitlab.NewClient("x", gitlab.WithBaseURL(url))
	return finder{client}
}
`, "a_test.go": `package a

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func TestFind(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	if _, err := New(server.URL).Find(1); !errors.Is(err, gitlab.ErrNotFound) {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	if _, err := New("").Find(1); err == nil || !strings.Contains(err.Error(), "unsupported") {
		t.Error(err)
	}
}
`}), "./...")
	assert.Contains(t, changed["a_test.go"], "errors.Is(err, serviceapi.ErrNotFound)")
	assert.Contains(t, changed["a_test.go"], `strings.Contains(errorText(err), "unsupported")`)
	assert.Contains(t, changed["a.go"], "if resp != nil && resp.StatusCode == 200 {")
	var notes []string
	for _, note := range result.Report.Notes {
		if note.Reason == "fake" || note.Reason == "refused" || note.Reason == "path" {
			notes = append(notes, note.Text)
		}
	}
	assert.Equal(t, []string{
		"a call is refused before anything is sent if a number in its path is 0, or a name in it is empty",
		"an address that does not begin with https:// or http:// is refused when the client is made: the client " +
			"is nil then, and calling it panics, because the program drops the error",
		"a server of a test must answer as the service does: a member of another type, one whose name is in another " +
			"case, an empty object, or a file of another size than its answer says, fails here, and one that counts " +
			"requests gets 5 where client-go makes 6",
	}, notes)
}

// The lines of a moved copy are in the report, too.
func TestLinesOfTwins(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func label(client *gitlab.Client, name string) (*gitlab.Label, error) {
	label, _, err := client.Labels.CreateLabel(1, &gitlab.CreateLabelOptions{Name: &name, Color: &name})
	return label, err
}

func nodes(client *gitlab.Client) (*gitlab.Label, error) {
	client.InstanceCluster.ListClusters()
	return label(client, "a")
}

func version(client *gitlab.Client) (*gitlab.Label, error) {
	client.Version.GetVersion()
	return label(client, "b")
}
`}), "./...")
	require.Contains(t, changed["a.go"], "func labelService(")
	refused := 0
	for _, note := range result.Report.Notes {
		if note.Reason == "refused" {
			refused++
		}
	}
	assert.Equal(t, 1, refused)
}

// A variable that has an item of a list first, and more of it later, is declared with the larger
// type; what no such object has is empty, as before.
func TestItemsThatBecomeLarger(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func newest(client *gitlab.Client) (*gitlab.RegistryRepositoryTag, error) {
	var newest *gitlab.RegistryRepositoryTag
	tags, _, err := client.ContainerRegistry.ListRegistryRepositoryTags(1, 2, nil)
	if err != nil {
		return nil, err
	}
	for _, item := range tags {
		tag := item
		if tag.CreatedAt == nil {
			detail, _, err := client.ContainerRegistry.GetRegistryRepositoryTagDetail(1, 2, item.Name)
			if err != nil {
				return nil, err
			}
			tag = detail
		}
		if newest == nil || tag.CreatedAt.After(*newest.CreatedAt) {
			newest = tag
		}
	}
	return newest, nil
}

func mail(client *gitlab.Client) string {
	schedule, _, err := client.PipelineSchedules.GetPipelineSchedule(1, 2)
	if err != nil {
		return ""
	}
	return schedule.Owner.Name + schedule.Owner.Email
}
`}), "./...")
	assert.Equal(t, 3, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "var tag *serviceapi.RegistryTagDetails = mapPointer(item, ")
	assert.Contains(t, changed["a.go"], "return schedule.Owner.Name + notSent[string]()")
	assert.True(t, slices.ContainsFunc(result.Report.Notes, func(note Item) bool {
		return note.Reason == "field" && strings.HasPrefix(note.Text, "UserSummary has no Email: ")
	}), "%v", result.Report.Notes)
}

// A field whose type differs keeps the type of client-go where the program compares values of any
// type.
func TestFieldsInValuesOfAnyType(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\nimport (\n\t\"fmt\"\n" +
		"\t\"reflect\"\n\n\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n" + `
func compare(client *gitlab.Client) (bool, map[string]any) {
	mr, resp, err := client.MergeRequests.GetMergeRequest(1, 2, nil)
	if err != nil {
		return false, nil
	}
	fmt.Println(mr.State, resp.NextPage)
	return reflect.DeepEqual(mr.State, "opened") && reflect.DeepEqual(resp.NextPage, int64(2)),
		map[string]any{"state": mr.State, "page": resp.NextPage, "title": mr.Title}
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	for _, line := range []string{
		"fmt.Println(mr.State, resp.NextPage)",
		`reflect.DeepEqual(string(mr.State), "opened") && reflect.DeepEqual(int64(resp.NextPage), int64(2))`,
		`{"state": string(mr.State), "page": int64(resp.NextPage), "title": mr.Title}`,
	} {
		assert.Contains(t, changed["a.go"], line)
	}
}

// Content that was encoded for an action of a commit is the content itself, and a text stays one.
func TestContentOfActions(t *testing.T) {
	result := moveText(t, `package lines

import (
	"encoding/base64"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func commit(client *gitlab.Client, branch, path string, data []byte, other *string) error {
	encoded := base64.StdEncoding.EncodeToString(data)
	_, _, err := client.Commits.CreateCommit(7, &gitlab.CreateCommitOptions{
		Branch:        &branch,
		CommitMessage: gitlab.Ptr("write"),
		Actions: []*gitlab.CommitActionOptions{
			{Action: gitlab.Ptr(gitlab.FileCreate), FilePath: &path, Encoding: gitlab.Ptr("base64"),
				Content: gitlab.Ptr(base64.StdEncoding.EncodeToString(data))},
			{Action: gitlab.Ptr(gitlab.FileUpdate), FilePath: &path, Content: &encoded, Encoding: gitlab.Ptr("base64")},
			{Action: gitlab.Ptr(gitlab.FileUpdate), FilePath: &path, Content: other, Encoding: gitlab.Ptr("base64")},
			{Action: gitlab.Ptr(gitlab.FileUpdate), FilePath: &path, Content: &path, Encoding: gitlab.Ptr("text")},
		},
	})
	return err
}
`)
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	text := string(result.Files[0].New)
	for _, line := range []string{"Content: data}", "Content: decodedContent(encoded)",
		"Content: decodedContent(valueOf(other))", "Content: []byte(path)"} {
		assert.Contains(t, text, line)
	}
	assert.NotContains(t, text, "Encoding:")
}

// Where the owner of a runner is set after the other options, a variable keeps it. Options that
// leave the function stay.
func TestOwnersOfRunnersThatAreSetLater(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func create(client *gitlab.Client, id, other int64, kind string) error {
	options := gitlab.CreateUserRunnerOptions{RunnerType: &kind, ProjectID: &other}
	if kind == "group_type" {
		options.GroupID = gitlab.Ptr(id)
	}
	_, _, err := client.Users.CreateUserRunner(&options)
	return err
}

func change(options *gitlab.CreateUserRunnerOptions) {}

func handOver(client *gitlab.Client, id int64) error {
	options := &gitlab.CreateUserRunnerOptions{}
	options.GroupID = &id
	change(options)
	_, _, err := client.Users.CreateUserRunner(options)
	return err
}
`)
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	text := string(result.Files[0].New)
	for _, line := range []string{
		"var optionsOwner serviceapi.NewRunnerOwner = serviceapi.ProjectID(other)\n",
		"\toptions := serviceapi.CreateRunnerOptions{}",
		"\t\toptionsOwner = serviceapi.GroupID(id)",
		"client.Runners.Create(context.TODO(), optionsOwner, options)",
		"options.GroupID = &id",
	} {
		assert.Contains(t, text, line)
	}
}

// What decodes a file tests its error no longer, unless the error is read later.
func TestDeadTestsOfErrorsGo(t *testing.T) {
	result := moveText(t, `package lines

import (
	"encoding/base64"
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func read(f *gitlab.File, path string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	return data, nil
}

func get(client *gitlab.Client, path string) (text string, failure error) {
	f, _, err := client.RepositoryFiles.GetFile("acme/shop", path, nil)
	if err != nil {
		return "", err
	}
	data, err := base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		return "", err
	}
	_, _, err = client.Projects.GetProject(7, nil)
	return string(data), err
}

func later(f *gitlab.File) (string, error) {
	data, err := base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		return "", err
	}
	return string(data), err
}

func named(f *gitlab.File) (data []byte, err error) {
	data, err = base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		return nil, err
	}
	return
}
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	assert.Equal(t, 2, strings.Count(text, "\tdata := f.Content\n"), text)
	assert.Contains(t, text, "data, err := f.Content, error(nil)\n\tif err != nil {")
	assert.Contains(t, text, "data, err = f.Content, error(nil)\n\tif err != nil {")
	assert.NotContains(t, text, "\"fmt\"")
}

// A helper that no text calls in the end is not written.
func TestUnusedHelpersAreNotWritten(t *testing.T) {
	h := &helperFile{names: map[string]bool{"valueOf": true, "listOf": true}}
	h.pack = &pack{path: "a", src: &packages.Package{Types: types.NewPackage("a", "a")}}
	f := &file{name: "a.go", text: []byte("package a\n\nvar x = valueOf(y)\n"), pack: h.pack}
	p := &program{old: &oldAPI{}, files: map[string]*file{f.name: f}}
	(&version{p: p}).dropUnused(h)
	assert.Equal(t, map[string]bool{"valueOf": true}, h.names)
}
