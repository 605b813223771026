package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The name of the type of an event is another one here, and an object that is present and empty counts
// as left out.
func TestLinesAboutTypesAndEmptyObjects(t *testing.T) {
	result := moveText(t, `package lines

import (
	"fmt"
	"reflect"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func name(body []byte) (string, error) {
	event, err := gitlab.ParseWebhook(gitlab.EventTypePush, body)
	if err != nil {
		return "", err
	}
	_ = fmt.Sprintf("%T", event)
	return reflect.TypeOf(event).String(), nil
}

func isStored(event *gitlab.PushEvent) bool { return event.Repository != nil }
`)
	require.NotEmpty(t, result.Files)
	assert.Contains(t, string(result.Files[0].New), "!isZero(event.Repository)")
	var lines []string
	for _, note := range result.Report.Notes {
		if note.Reason == "value" && !strings.Contains(note.Text, "as a value of any type") {
			lines = append(lines, note.Text)
		}
	}
	assert.Contains(t, lines, "fmt.Sprintf reads the name of a type: those of events are others here")
	assert.Contains(t, lines, "event.Repository counts as left out if the service sends an empty object")
	assert.Contains(t, lines, "reflect.TypeOf reads the name of a type: those of events are others here")
}

// Options whose field points to a variable that changes are read again where each call is made.
func TestPointersAreReadAgain(t *testing.T) {
	result := moveText(t, `package lines

import (
	"errors"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func each(client *gitlab.Client, states []string) error {
	state := ""
	options := &gitlab.ListProjectIssuesOptions{State: &state, Search: gitlab.Ptr("slow")}
	for _, state = range states {
		if _, _, err := client.Issues.ListProjectIssues(5, options); err != nil {
			return err
		}
	}
	return nil
}

func hidden(client *gitlab.Client) error {
	state := ""
	options := &gitlab.ListProjectIssuesOptions{State: &state}
	state = "opened"
	for _, state := range []string{"closed"} {
		if _, _, err := client.Issues.ListProjectIssues(5, options); err != nil {
			return errors.New(state)
		}
	}
	return nil
}
`)
	require.NotEmpty(t, result.Files)
	text := string(result.Files[0].New)
	assert.Regexp(t, `options\.State = .*state.*\n\t+return &options`, text)
	assert.Contains(t, text, "ListProjectIssuesOptions.State points to state, which may change before it is sent")
	assert.Equal(t, 1, result.Report.Moved)
}
