package move

import (
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
		`Labels: splitNames(labels), AddLabels: serviceapi.LabelNames{"a", "b", "c"}`,
		"credentialOf(serviceapi.PrivateToken, token), serviceapi.WithRetry(",
		"newServiceClient(credentialOf(serviceapi.JobToken, token), options...)",
		"serviceapi.NewClient(url, serviceapi.PrivateToken(token))",
	} {
		assert.Contains(t, text, line)
	}
}
