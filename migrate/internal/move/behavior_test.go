package move

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a program looks into is the text that client-go writes, and a 404 is tested as such.
func TestTextsOfErrors(t *testing.T) {
	items, text := moveOne(t, "texts")
	for _, item := range items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	for _, line := range []string{
		"err != nil && errors.Is(err, serviceapi.ErrNotFound),",
		"err != nil && !errors.Is(err, serviceapi.ErrNotFound), missing(err)",
		`return err != nil && strings.Contains(errorText(err), "404")`,
		"switch text := strings.ToLower(errorText(err)); {",
		"conflict.MatchString(errorText(err))",
		`errorMessage(failure) == "{message: Protected branch 'work' already exists}"`,
		"fmt.Sprint(errorText(err)) == ",
		"strings.HasPrefix(errorText(wrapped), ",
	} {
		assert.Contains(t, text, line)
	}
}

// Texts that are only shown are those of this library, and other errors are none of it.
func TestTextsThatAreShown(t *testing.T) {
	result := moveText(t, `package lines

import (
	"errors"
	"fmt"
	"os"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func Show(client *gitlab.Client) error {
	if _, err := os.Stat("x"); err != nil && strings.Contains(err.Error(), "no such") {
		return nil
	}
	_, _, err := client.Version.GetVersion()
	if err != nil {
		message := err.Error()
		fmt.Println("problem: "+err.Error(), message)
	}
	var failure *gitlab.ErrorResponse
	if errors.As(err, &failure) {
		fmt.Println(failure.Message)
	}
	return err
}
`)
	text := string(result.Files[0].New)
	for _, line := range []string{`strings.Contains(err.Error(), "no such")`, "message := err.Error()",
		`"problem: "+err.Error()`, "fmt.Println(failure.Message)"} {
		assert.Contains(t, text, line)
	}
	require.Len(t, result.Report.Notes, 2)
	assert.Equal(t, "context", result.Report.Notes[0].Reason)
	assert.Contains(t, result.Report.Notes[1].Text, "a 404 is a failure as any other here")
}

// Values that this library refuses are sent as before, or not at all where they say nothing.
func TestWhatTheLibraryRefuses(t *testing.T) {
	items, text := moveOne(t, "refusals")
	for _, item := range items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	for _, line := range []string{
		"Labels: labelFilter(options)",
		`Labels: serviceapi.LabelsAre("bug", "ui"), Not: serviceapi.IssueExclusions{`,
		"Milestone: milestoneFilter(title)",
		`ReviewerIDs: ids}, orNull("reviewer_ids", ids))`,
		`Labels: splitNames(labels), AddLabels: serviceapi.LabelNames{"a", "b", "c"}`,
		"credentialOf(serviceapi.PrivateToken, token), serviceapi.WithRetry(",
		"newServiceClient(credentialOf(serviceapi.JobToken, token), options...)",
		"serviceapi.NewClient(url, serviceapi.PrivateToken(token))",
	} {
		assert.Contains(t, text, line)
	}
}

// What must not be empty here has a line in the report, and what would change more than before
// is left.
func TestWhatIsNotSet(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Hook(client *gitlab.Client, url, path string) error {
	if path == "" {
		return nil
	}
	options := &gitlab.AddProjectHookOptions{}
	options.URL = &url
	if _, _, err := client.Projects.AddProjectHook("shop", options); err != nil {
		return err
	}
	_, _, err := client.Labels.CreateLabel(path, &gitlab.CreateLabelOptions{Name: &path, Color: &url})
	return err
}

func Declared(client *gitlab.Client, name string) error {
	var options gitlab.CreateMilestoneOptions
	label := new(gitlab.CreateLabelOptions)
	label.Name = gitlab.Ptr("bug")
	if _, _, err := client.Labels.CreateLabel(5, label); err != nil {
		return err
	}
	options.Title = &name
	_, _, err := client.Milestones.CreateMilestone(5, &options)
	return err
}

func Position(client *gitlab.Client) error {
	_, _, err := client.Discussions.CreateMergeRequestDiscussion(5, 6, &gitlab.CreateMergeRequestDiscussionOptions{
		Body: gitlab.Ptr("b"), Position: &gitlab.PositionOptions{PositionType: gitlab.Ptr("text")}})
	return err
}

func Assign(client *gitlab.Client, ids []int64) error {
	options := &gitlab.UpdateMergeRequestOptions{AssigneeIDs: &[]int64{}}
	options.ReviewerIDs = &ids
	_, _, err := client.MergeRequests.UpdateMergeRequest(5, 6, options)
	return err
}

func Defaults(client *gitlab.Client) error {
	_, _, err := client.Groups.UpdateGroup(5, &gitlab.UpdateGroupOptions{
		DefaultBranchProtectionDefaults: &gitlab.DefaultBranchProtectionDefaultsOptions{
			AllowForcePush: gitlab.Ptr(true)}})
	return err
}
`)
	var lines []string
	for _, note := range result.Report.Notes {
		if note.Reason != "context" {
			lines = append(lines, fmt.Sprintf("%d %s", note.Line, note.Text))
		}
	}
	const refused = "the call is refused before anything is sent"
	assert.Equal(t, []string{
		"9 if it is empty, a call is refused before anything is sent: CreateHookOptions.URL, CreateLabelOptions.Color",
		`11 "shop" is no project here: ` + refused,
		"14 a call is refused before anything is sent if the path of a project has no slash, or begins or ends " +
			"with one",
		"19 if it is empty, a call is refused before anything is sent: CreateMilestoneOptions.Title",
		"20 Color of CreateLabelOptions must be set: without it, " + refused,
		"32 BaseSHA and HeadSHA and StartSHA of DiffPosition must be set: without it, " + refused,
		"38 ReviewerIDs is left out if the list is nil: client-go sends null for a pointer to it",
	}, lines)
	var left []string
	for _, item := range result.Report.Items {
		if item.Reason != "" {
			left = append(left, item.Text)
		}
	}
	assert.Contains(t, left, "BranchProtectionDefaults always sends AllowedToMerge and AllowedToPush and "+
		"CodeOwnerApprovalRequired, which is not set")
	assert.Equal(t, 1, result.Report.Left)
}

// Options that see later changes of what they point to stay, and others move.
func TestPointersThatChange(t *testing.T) {
	const head = `package lines

import (
	"errors"
	"flag"
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type settings struct{ state *string }

func set(s *string) { *s = "all" }

var limit = flag.Int("limit", 0, "")

func Run(client *gitlab.Client, s settings, states []string) error {
	fmt.Println(flag.NArg(), s, states, errors.ErrUnsupported)
	BODY
}
`
	const call = "_, _, err := client.Issues.ListProjectIssues(5, options)\nreturn err"
	for name, test := range map[string]struct {
		body string
		left bool
	}{
		"loop": {`state := ""
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	for _, state = range states {
		if _, _, err := client.Issues.ListProjectIssues(5, options); err != nil {
			return err
		}
	}
	return nil`, false},
		"later": {`var state string
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	state = "closed"
	` + call, false},
		"field": {`options := &gitlab.ListProjectIssuesOptions{}
	options.State = s.state
	*s.state = "closed"
	` + call, true},
		"function": {`state := "opened"
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	set(&state)
	` + call, false},
		"flag": {`options := &gitlab.ListProjectIssuesOptions{State: flag.String("state", "", "")}
	flag.Parse()
	` + call, true},
		"collected": {`var state string
	var all []*gitlab.ListProjectIssuesOptions
	for i := range states {
		state = states[i]
		all = append(all, &gitlab.ListProjectIssuesOptions{State: &state})
	}
	for _, options := range all {
		if _, _, err := client.Issues.ListProjectIssues(5, options); err != nil {
			return err
		}
	}
	return nil`, true},
		"shared": {`state := "opened"
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	*options.State = "closed"
	fmt.Println(state)
	` + call, true},
		"list": {`ids := []int64{1}
	options := &gitlab.UpdateMergeRequestOptions{AssigneeIDs: &ids}
	ids = append(ids, 2)
	_, _, err := client.MergeRequests.UpdateMergeRequest(5, 6, options)
	return err`, true},
		"elsewhere": {`options := &holder{State: &all}
	all = "closed"
	_, _, err := client.Issues.ListProjectIssues(5, made())
	return errors.Join(err, fmt.Errorf("%v", options))
}

var all = "opened"

type holder struct{ State *string }

func made() *gitlab.ListProjectIssuesOptions {
	return &gitlab.ListProjectIssuesOptions{State: &all}`, true},
		"at once": {`state := ""
	for _, state = range states {
		_, _, err := client.Issues.ListProjectIssues(5, &gitlab.ListProjectIssuesOptions{State: &state})
		if err != nil {
			return err
		}
	}
	return nil`, false},
		"each round": {`for _, name := range states {
		state := name
		options := &gitlab.ListProjectIssuesOptions{State: &state}
		if _, _, err := client.Issues.ListProjectIssues(5, options); err != nil {
			return err
		}
		state = ""
	}
	return nil`, false},
		"before": {`state := "opened"
	if len(states) > 0 {
		state = states[0]
	}
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	` + call, false},
		"new value": {`options := &gitlab.ListProjectIssuesOptions{State: gitlab.Ptr("opened")}
	*options.State = "closed"
	` + call, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := moveText(t, strings.Replace(head, "BODY", test.body, 1))
			var left []string
			for _, item := range result.Report.Items {
				if item.Reason == "field" {
					left = append(left, item.Text)
				}
			}
			assert.Equal(t, test.left, len(left) > 0, "%s %s", left, result.Report.Items)
		})
	}
}

// Results that are printed, encoded or compared as values of any type have a line in the report.
func TestResultsAsValuesOfAnyType(t *testing.T) {
	result := moveText(t, `package lines

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"text/template"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type entry struct {
	Project *gitlab.Project
	Name    string
}

type row struct{ Value any }

func dump(v any) {}

func Show(client *gitlab.Client, w io.Writer, page *template.Template) (any, error) {
	p, _, err := client.Projects.GetProject("acme/shop", nil)
	if err != nil {
		return nil, err
	}
	fmt.Println(p.Name, p.ID, p.Visibility, p.CreatedAt, err)
	fmt.Printf("%v\n", p)
	if _, err := json.Marshal(entry{p, "x"}); err != nil {
		return nil, err
	}
	if err := page.Execute(w, map[string]any{"P": p}); err != nil {
		return nil, err
	}
	dump(p)
	if reflect.DeepEqual(p, &gitlab.Project{}) {
		return nil, nil
	}
	r := row{p}
	_ = r
	return p, nil
}

func Level(client *gitlab.Client) error {
	m, _, err := client.ProjectMembers.GetProjectMember("acme/shop", 7)
	if err != nil {
		return err
	}
	fmt.Printf("%v %d\n", m.AccessLevel, m.AccessLevel)
	fmt.Println([]gitlab.AccessLevelValue{m.AccessLevel})
	return nil
}
`)
	var lines []string
	for _, note := range result.Report.Notes {
		if note.Reason == "value" {
			lines = append(lines, fmt.Sprintf("%d %s", note.Line, note.Text))
		}
	}
	assert.Equal(t, []string{
		"28 fmt.Printf prints a Project: its fields differ",
		"29 json.Marshal encodes a Project: the names and the forms of its members may differ, and those of a template",
		"32 page.Execute encodes a Project: the names and the forms of its members may differ, and those of a template",
		"35 dump takes a Project as a value of any type: look at what it does with its fields",
		"36 reflect.DeepEqual compares a Project: its fields differ",
		"39 p, a Project, becomes a value of any type: look at what prints, encodes or asserts it",
		"41 p, a Project, becomes a value of any type: look at what prints, encodes or asserts it",
		"50 fmt.Println prints an access level, which may be a word here, and not a number",
	}, lines)
	require.Len(t, result.Files, 1)
	assert.Contains(t, string(result.Files[0].New), `fmt.Printf("%v %d\n", int(m.AccessLevel), int(m.AccessLevel))`)
}

// What hooks do not send belongs to the field of an event, not to a type.
func TestFieldsThatHooksDoNotSend(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func path(r *gitlab.Repository) string { return r.PathWithNamespace }

func Paths(e *gitlab.MergeEvent) string {
	target := e.ObjectAttributes.Target
	return e.ObjectAttributes.Source.PathWithNamespace + target.PathWithNamespace + e.Repository.PathWithNamespace
}

func Both(e *gitlab.PushEvent, o *gitlab.MergeEvent) string {
	return path(e.Repository) + path(o.ObjectAttributes.Source)
}

func sorted(o *gitlab.ListOptions) bool { return o.Sort != "" }
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	assert.Contains(t, text, `e.ObjectAttributes.Source.PathWithNamespace + target.PathWithNamespace + ""`)
	assert.Contains(t, text, "func path(r *gitlab.Repository) string { return r.PathWithNamespace }")
	assert.Contains(t, text, `o.Sort != ""`)
	require.Len(t, result.Report.Notes, 1)
	assert.Equal(t, "webhook.Repository has no PathWithNamespace: the service never sends it there",
		result.Report.Notes[0].Text)
}

// The address of the next page is a token here, which is only good for the next call.
func TestFieldsThatMeanSomethingElse(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Pages(client *gitlab.Client) (string, error) {
	_, resp, err := client.Projects.ListProjects(nil)
	if err != nil || resp.NextLink == "" {
		return "", err
	}
	if _, _, err = client.Projects.ListProjects(nil, gitlab.WithKeysetPaginationParameters(resp.NextLink)); err != nil {
		return "", err
	}
	return resp.NextLink, nil
}
`)
	var lines []string
	for _, note := range result.Report.Notes {
		if note.Reason == "field" {
			lines = append(lines, fmt.Sprintf("%d %s", note.Line, note.Text))
		}
	}
	assert.Equal(t, []string{"13 NextLink is a token for the next page here, and no address"}, lines)
}

// Options are written as a maintainer would: as values, where nothing needs a pointer, and numbers
// without a conversion too many.
func TestOptionsAreBuiltPlainly(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func fill(o *gitlab.CreateIssueOptions) { o.Title = gitlab.Ptr("T") }

func Build(client *gitlab.Client, depth int) error {
	update := &gitlab.UpdateIssueOptions{Title: gitlab.Ptr("T")}
	update.Description = gitlab.Ptr("D")
	if _, _, err := client.Issues.UpdateIssue(5, 1, update); err != nil {
		return err
	}
	create := &gitlab.CreateIssueOptions{}
	fill(create)
	if _, _, err := client.Issues.CreateIssue(5, create); err != nil {
		return err
	}
	_, _, err := client.Projects.EditProject(5, &gitlab.EditProjectOptions{CIDefaultGitDepth: gitlab.Ptr(int64(depth))})
	return err
}

func New(token string) (*gitlab.Client, error) { return gitlab.NewClient("t", gitlab.WithCustomRetryMax(2)) }
`)
	require.Len(t, result.Files, 1)
	text := string(result.Files[0].New)
	for _, line := range []string{
		`update := serviceapi.UpdateIssueOptions{Title: new("T")}`, "serviceapi.ProjectID(5).Issue(1), update)",
		"create := &serviceapi.CreateIssueOptions{}", "serviceapi.ProjectID(5), *create)",
		"CIDefaultGitDepth: serviceapi.Value(depth)", "RetryPolicy{MaxAttempts: 3}",
	} {
		assert.Contains(t, text, line)
	}
}

// A body that encoding/json reads in its own way is refused here, and the report says so.
func TestBodiesWithNamesTwiceAreNamed(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Read(kind gitlab.EventType, body []byte) (any, error) { return gitlab.ParseWebhook(kind, body) }
`)
	require.Len(t, result.Report.Notes, 1)
	assert.Equal(t, "refused", result.Report.Notes[0].Reason)
	assert.Contains(t, result.Report.Notes[0].Text, "a name twice in one object")
}
