package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A method of an interface that returns a client and more returns both clients, as do those that
// implement it, where one of two is needed by code that stays. Flags set the options themselves.
func TestInterfacesThatMakeClients(t *testing.T) {
	items, text := moveOne(t, "commands")
	assert.Equal(t, []string{"InstanceCluster.ListClusters"}, callsLeft(items))
	for _, line := range []string{
		"Client() (*gitlab.Client, *serviceapi.Client, error)\n\tName() string",
		"func (l *login) Client() (*gitlab.Client, *serviceapi.Client, error) {",
		"func (n nested) Client() (*gitlab.Client, *serviceapi.Client, error) { return n.Factory.Client() }",
		"_, c.client, err = f.Client()",
		"client, _, err := f.Client()",
		"set.IntVar(&page.PerPage, \"per-page\", page.PerPage, ",
		"set.StringVar(&c.tree.Ref, \"ref\", c.tree.Ref, ",
		"c.client.Repository.ListTree(context.TODO(), projectOf(c.path), numberedTree(c.tree))",
		"byDefault(&c.list.Search, \"w\")",
		"set.StringVar((*string)(&options.OrderBy), \"order\", string(options.OrderBy), ",
		"byDefault((*string)(&options.Sort), \"asc\")",
		"if options.Search != \"\" && strings.TrimSpace(options.Search) == \"\" {",
		"pages(set, &c.list.ListOptions)",
		"State: serviceapi.IssueState(q.state)",
	} {
		assert.Contains(t, text, line)
	}
}

// Where all calls of a program move, a method of an interface returns one client.
func TestInterfacesThatMakeOneClient(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

type Factory interface{ Client() (*gitlab.Client, error) }

type login string

func (l login) Client() (*gitlab.Client, error) { return gitlab.NewClient(string(l)) }

func Version(f Factory) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	_, _, err = client.Version.GetVersion()
	return err
}
`)
	assert.Equal(t, 2, result.Report.Moved)
	assert.Contains(t, string(result.Files[0].New), "\tClient() (*serviceapi.Client, error)\n}")
}

// A parameter is the function's own, so that what options point to in it does not change. Where its
// address is elsewhere, it may.
func TestOptionsThatPointToParameters(t *testing.T) {
	const program = `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

type Query struct{ State string }

func (q *Query) reset() { q.State = "" }

var kept *Query

func options(q Query) *gitlab.ListProjectIssuesOptions {
	LENT
	return &gitlab.ListProjectIssuesOptions{State: &q.State}
}

func Issues(client *gitlab.Client, q Query) {
	client.Issues.ListProjectIssues(7, options(q))
}
`
	for lent, moved := range map[string]int{"_ = q.State": 1, "kept = &q": 0, "defer q.reset()": 0} {
		result := moveText(t, strings.Replace(program, "LENT", lent, 1))
		assert.Equal(t, moved, result.Report.Moved, lent)
	}
}

// What changes in a part of a result that may be null here changes a copy, as there.
func TestPartsThatMayBeNull(t *testing.T) {
	items, text := moveOne(t, "parts")
	assert.Empty(t, callsLeft(items))
	for _, line := range []string{
		"owned(&clean.Label).Name = strings.TrimSpace(valueOf(clean.Label).Name)",
		"*owned(&owned(&clean.Label).ID)++",
		"rename(&owned(&e.Label).Name)",
		"check{Status: pointerTo(commit.Status), Created: pointerTo(commit.CreatedAt)}",
		"c.Author = pointerTo(authored)",
		"job.BuildCreatedAt.Format(\"2006-01-02 15:04:05 MST\"))",
		"eventTime(valueOf(attributes.FinishedAt))",
		"eventTime(b.CreatedAt)",
	} {
		assert.Contains(t, text, line)
	}
}

// In releases where ErrNotFound is no ErrorResponse, a test for the one does not find the other.
func TestNotFoundIsNoOtherFailure(t *testing.T) {
	const program = `package lines

import (
	"errors"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func Issue(client *gitlab.Client) string {
	_, _, err := client.Issues.GetIssue(7, 1)
	var failure *gitlab.ErrorResponse
	FIRST
	SECOND
	return ""
}
`
	for _, c := range []struct{ first, second, want, note string }{
		{`if errors.As(err, &failure) { return failure.Message }`,
			`if errors.Is(err, gitlab.ErrNotFound) { return "none" }`, "if failureAs(err, &failure) {", ""},
		{`if f, ok := err.(*gitlab.ErrorResponse); ok { return f.Message + failure.Message }`,
			`if err == gitlab.ErrNotFound { return "none" }`, "if f, ok := failureIn(err); ok {", ""},
		{`if errors.As(err, &failure) { return failure.Message }`, "", "if errors.As(err, &failure) {", "error"},
		{`if errors.As(err, &failure) && failure.Response.StatusCode == 409 { return "" }`, "",
			"if errors.As(err, &failure) && failure.StatusCode == 409 {", ""},
		{`switch err.(type) { case *gitlab.ErrorResponse: return failure.Message }`, "",
			"case *serviceapi.Error:", "error"},
	} {
		text := strings.NewReplacer("FIRST", c.first, "SECOND", c.second).Replace(program)
		result := moveText(t, text)
		require.NotEmpty(t, result.Files, c.first)
		assert.Contains(t, string(result.Files[0].New), c.want)
		kinds := map[string]bool{}
		for _, note := range result.Report.Notes {
			kinds[note.Reason] = true
		}
		assert.Equal(t, c.note == "error", kinds["error"], "%s", result.Report.Notes)
	}
}

// Where ErrNotFound is an ErrorResponse, what tests for it accepts the errors of both clients, if some
// calls stay.
func TestNotFoundOfBothClients(t *testing.T) {
	dir := writeModule(t, map[string]string{"main.go": `package main

import (
	"errors"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

func missing(err error) bool { return errors.Is(err, gitlab.ErrNotFound) }

func nodes(client *gitlab.Client) bool {
	_, _, err := client.InstanceCluster.ListClusters()
	return missing(err)
}

func version(client *gitlab.Client) bool {
	_, _, err := client.Version.GetVersion()
	return missing(err)
}

func main() {
	client, _ := gitlab.NewClient("t")
	println(nodes(client), version(client))
}
`})
	_, changed := moveFiles(t, dir, "./...")
	assert.Contains(t, changed["main.go"], "errors.Is(serviceErrorOf(err), serviceapi.ErrNotFound)")
}

// An event that this library does not know is an error, as before, and so may be what a program decodes
// by itself.
func TestEventsThatAreNotKnown(t *testing.T) {
	result := moveText(t, `package lines

import (
	"encoding/json"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func Event(kind string, body []byte) (any, error) {
	return gitlab.ParseWebhook(gitlab.EventType(kind), body)
}

func Push(body []byte) (string, error) {
	var event gitlab.PushEvent
	err := json.Unmarshal(body, &event)
	return event.Ref, err
}
`)
	assert.Contains(t, string(result.Files[0].New), "return decodeEvent(webhook.Kind(kind), body)")
	var notes []string
	for _, note := range result.Report.Notes {
		notes = append(notes, note.Text)
	}
	assert.Contains(t, strings.Join(notes, "\n"), "json.Unmarshal decodes a PushEvent: ")
}
