package move

import (
	"fmt"
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
	require.Len(t, result.Report.Notes, 1)
	assert.Equal(t, "context", result.Report.Notes[0].Reason)
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
		DefaultBranchProtectionDefaults: &gitlab.DefaultBranchProtectionDefaultsOptions{AllowForcePush: gitlab.Ptr(true)}})
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
		"14 a call is refused before anything is sent if the path of a project has no slash",
		"20 BaseSHA and HeadSHA and StartSHA of DiffPosition must be set: without it, " + refused,
		"26 ReviewerIDs is left out if the list is nil: client-go sends null for a pointer to it",
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
