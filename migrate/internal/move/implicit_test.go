package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A struct with services in it becomes an adapter where the program wants an interface, also in code
// that names nothing of client-go.
func TestStructsWithServicesAreAdapted(t *testing.T) {
	dir := writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type Client struct {
	gitlab.MergeRequestsServiceInterface
	gitlab.MergeRequestApprovalsServiceInterface
	calls int
}

// GetMergeRequest counts the calls.
func (c *Client) GetMergeRequest(pid any, mr int64, opt *gitlab.GetMergeRequestsOptions,
	options ...gitlab.RequestOptionFunc) (*gitlab.MergeRequest, *gitlab.Response, error) {
	c.calls++
	return c.MergeRequestsServiceInterface.GetMergeRequest(pid, mr, opt, options...)
}

type approver interface {
	ApproveMergeRequest(pid any, mr int64, opt *gitlab.ApproveMergeRequestOptions,
		options ...gitlab.RequestOptionFunc) (*gitlab.MergeRequestApprovals, *gitlab.Response, error)
	GetMergeRequest(pid any, mr int64, opt *gitlab.GetMergeRequestsOptions,
		options ...gitlab.RequestOptionFunc) (*gitlab.MergeRequest, *gitlab.Response, error)
}

type service struct{ client approver }

func (s service) approve() error {
	_, _, err := s.client.ApproveMergeRequest("a/b", 1, nil)
	return err
}

func open(token string) (*Client, error) {
	client, err := gitlab.NewClient(token)
	if err != nil {
		return nil, err
	}
	return &Client{client.MergeRequests, client.MergeRequestApprovals, 0}, nil
}
`, "b.go": `package a

func Run(token string) error {
	c, err := open(token)
	if err != nil {
		return err
	}
	return service{client: c}.approve()
}
`})
	result, changed := moveFiles(t, dir, "./...")
	assert.Equal(t, result.Report.Sites, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["b.go"], "return service{client: approverAdapter{c}}.approve()")
	assert.Contains(t, changed["b.go"], "type approverAdapter struct{ client *Client }")
	assert.Contains(t, changed["b.go"], "return a.client.ApprovalsService.Approve(")
	assert.Contains(t, changed["b.go"], "return a.client.GetMergeRequest(arg0, arg1, arg2, arg3...)")
	writeBack(t, dir, result)
}

// A text gets its default where it was nil, with a line in the report. Other options that may be zero
// stay.
func TestDefaultsOfTexts(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func list(client *gitlab.Client, opt *gitlab.ListProjectMergeRequestsOptions, state *string) error {
	if opt.State == nil {
		opt.State = gitlab.Ptr("opened")
	}
	_, _, err := client.MergeRequests.ListProjectMergeRequests(7, opt)
	return err
}

func set(opt *gitlab.ListProjectMergeRequestsOptions, state *string) { opt.State = state }
`, "b.go": "package a\n\n" + importOld + `
func isSet(client *gitlab.Client, opt *gitlab.ListProjectsOptions, owned *bool) bool {
	opt.Owned = owned
	return opt.Owned != nil
}

func projects(client *gitlab.Client) { client.Projects.ListProjects(nil) }
`}), "./...")
	assert.Contains(t, changed["a.go"], "if opt.State == \"\" {")
	said := ""
	for _, note := range result.Report.Notes {
		said += note.String() + "\n"
	}
	assert.Contains(t, said, "a.go:6: null: State gets its default here if it is empty, too")
	assert.Contains(t, changed["b.go"], "return opt.Owned != nil")
}

// A variable in the body of a loop does not change in a later round.
func TestVariablesOfRoundsDoNotChange(t *testing.T) {
	result, _ := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func run(client *gitlab.Client, opt gitlab.ListTreeOptions) { client.Repositories.ListTree(7, &opt) }

func each(client *gitlab.Client, refs []string) {
	for _, ref := range refs {
		target := ref
		if target == "" {
			target = "main"
		}
		go run(client, gitlab.ListTreeOptions{Ref: &target})
	}
}

func shared(client *gitlab.Client, refs []string) {
	var target string
	for _, ref := range refs {
		if target = ref; target == "" {
			target = "main"
		}
		go run(client, gitlab.ListTreeOptions{Ref: &target})
	}
}
`}), "./...")
	left := ""
	for _, item := range result.Report.Items {
		if item.Reason == "field" {
			left += item.String() + "\n"
		}
	}
	assert.Contains(t, left, "a.go:23: field: ListTreeOptions.Ref points to target")
	assert.NotContains(t, left, "a.go:14:")
}

// An alias of client-go is the type that it stands for.
func TestAliasesOfTypes(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func upload(client *gitlab.Client, file *gitlab.ProjectMarkdownUploadedFile) string {
	client.Version.GetVersion()
	return file.URL
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "file *serviceapi.MarkdownUpload")
}

// A field gets pipelines of a list and of a bridge, whose times are pointers. Nothing reads them.
func TestObjectsOfTwoKindsInOneField(t *testing.T) {
	const text = `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

type entry struct{ Latest *gitlab.PipelineInfo }

type lister interface {
	ListProjectPipelines(pid any, opt *gitlab.ListProjectPipelinesOptions, options ...gitlab.RequestOptionFunc) (
		[]*gitlab.PipelineInfo, *gitlab.Response, error)
	AddMergeRequestDiscussionNote(pid any, mergeRequest int64, discussion string,
		opt *gitlab.AddMergeRequestDiscussionNoteOptions, options ...gitlab.RequestOptionFunc) (
		*gitlab.Note, *gitlab.Response, error)
}

type both struct {
	gitlab.PipelinesServiceInterface
	gitlab.DiscussionsServiceInterface
}

func use(l lister) (*entry, error) {
	pipelines, _, err := l.ListProjectPipelines("acme/shop", nil)
	if err != nil {
		return nil, err
	}
	return &entry{Latest: pipelines[0]}, nil
}

func Find(client *gitlab.Client) ([]*entry, error) {
	first, err := use(both{client.Pipelines, client.Discussions})
	if err != nil {
		return nil, err
	}
	all := []*entry{first}
	bridges, _, err := client.Jobs.ListPipelineBridges("acme/shop", 7, nil)
	for _, bridge := range bridges {
		all = append(all, &entry{Latest: bridge.DownstreamPipeline})
	}
	return all, err
}

func attributes(client *gitlab.Client) (all []string) {
	user, _, err := client.Users.CurrentUser()
	if err != nil {
		return nil
	}
	for _, a := range user.CustomAttributes {
		all = append(all, a.Key+"="+a.Value)
	}
	return all
}
READ`
	result := moveText(t, strings.Replace(text, "READ", "", 1))
	assert.Equal(t, 2, result.Report.Moved, "%s", result.Report.Items)
	moved := ""
	for _, f := range result.Files {
		moved += string(f.New)
	}
	for _, line := range []string{
		"mapPointer(bridge.DownstreamPipeline, func(v serviceapi.PipelineSummary) serviceapi.Pipeline { return " +
			"pipelineSummaryAsPipeline(v) })",
		"CreatedAt: valueOf(v.CreatedAt)", "*serviceapi.Note, *serviceapi.Response, error)",
		"for _, a := range customAttributesOf(user.CustomAttributes) {",
	} {
		assert.Contains(t, moved, line)
	}
	result = moveText(t, strings.Replace(text, "READ",
		"\nfunc when(e entry) bool { return e.Latest.CreatedAt != nil }\n", 1))
	assert.Equal(t, 1, result.Report.Moved, "%s", result.Report.Items)
}

// What calls a function in a field whose type has a name belongs to that type, although it does not
// name it. It holds back nothing else.
func TestFieldsOfNamedFunctionTypes(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

type finder func(name string) ([]*gitlab.User, error)

type handler struct {
	client *gitlab.Client
	find   finder
}

func New(client *gitlab.Client) *handler {
	h := &handler{client: client}
	h.find = h.search
	return h
}

func (h *handler) search(name string) ([]*gitlab.User, error) {
	users, _, err := h.client.Search.Users(name, &gitlab.SearchOptions{})
	return users, err
}

// setup sets a field that users who were found do not have.
func (h *handler) setup() (string, error) {
	user := &gitlab.User{}
	users, err := h.find("ada")
	if err != nil {
		return "", err
	}
	if len(users) > 0 {
		user = users[0]
	} else {
		user.Organization = "none"
	}
	return user.Organization, nil
}

func (h *handler) status(name *string) error {
	options := &gitlab.SetCommitStatusOptions{State: gitlab.Success, Context: name}
	_, _, err := h.client.Commits.SetCommitStatus("acme/shop", "main", options)
	return err
}
`)
	assert.Equal(t, 1, result.Report.Moved, "%s", result.Report.Items)
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	assert.Contains(t, text, "h.clientService.Commits.SetStatus(")
	assert.Contains(t, text, "h.client.Search.Users(")
	said := ""
	for _, note := range result.Report.Notes {
		said += note.Text + "\n"
	}
	assert.Contains(t, said, "Context is sent as name, which means the same: client-go sends context\n")
}
