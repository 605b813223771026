package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
		"check{Status: pointerTo(commit.Status)}",
		"job.BuildCreatedAt.Format(\"2006-01-02 15:04:05 MST\"))",
		"eventTime(valueOf(attributes.FinishedAt))",
		"eventTime(b.CreatedAt)",
	} {
		assert.Contains(t, text, line)
	}
}
