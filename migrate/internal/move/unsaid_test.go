package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A loop that ends by the number of pages returns more here for a list whose pages are not counted.
func TestLoopsThatCountPages(t *testing.T) {
	const program = `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Names(client *gitlab.Client) ([]string, error) {
	var names []string
	opts := &gitlab.ListContributorsOptions{}
	for {
		people, resp, err := client.Repositories.Contributors(7, opts)
		if err != nil {
			return nil, err
		}
		for _, person := range people {
			names = append(names, person.Name)
		}
		if LAST {
			break
		}
		opts.Page = resp.NextPage
	}
	return names, nil
}
`
	for last, want := range map[string]bool{
		"resp.CurrentPage >= resp.TotalPages": true, "resp.CurrentPage == resp.TotalPages": true,
		"resp.NextPage == 0": false,
	} {
		result := moveText(t, strings.Replace(program, "LAST", last, 1))
		assert.Contains(t, string(result.Files[0].New), "Repository.AllContributors(", last)
		said := false
		for _, note := range result.Report.Notes {
			said = said || note.Reason == "result" && note.Text == countedLoop
		}
		assert.Equal(t, want, said, last)
	}
}

// What an option refers to may be 0: client-go sends that.
func TestReferencesThatMayBeEmpty(t *testing.T) {
	const program = `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Create(client *gitlab.Client, group int64) error {
	opts := &gitlab.CreateProjectOptions{Name: gitlab.Ptr("shop")}
	STATEMENT
	_, _, err := client.Projects.CreateProject(opts)
	return err
}

func Day(text string) (gitlab.ISOTime, error) { return gitlab.ParseISOTime(text) }
`
	for statement, want := range map[string]string{
		"opts.NamespaceID = &group":                              emptyFields + "CreateProjectOptions.Namespace",
		"opts.NamespaceID = gitlab.Ptr(group)":                   emptyFields + "CreateProjectOptions.Namespace",
		"opts.NamespaceID = gitlab.Ptr(int64(7))":                "",
		"if group != 0 { opts.NamespaceID = gitlab.Ptr(group) }": "",
		"opts = &gitlab.CreateProjectOptions{NamespaceID: gitlab.Ptr(group)}": emptyFields +
			"CreateProjectOptions.Namespace",
	} {
		result := moveText(t, strings.Replace(program, "STATEMENT", statement, 1))
		assert.Contains(t, string(result.Files[0].New), "serviceapi.NamespaceID(", statement)
		said := ""
		for _, note := range result.Report.Notes {
			if note.Reason == "refused" {
				said = note.Text
			}
		}
		assert.Equal(t, want, said, statement)
		assert.Contains(t, result.Report.Items[1].String(), "ParseISOTime becomes serviceapi.ParseDate")
	}
}

// A package of the program may have something of the name of a package that helpers import.
func TestHelpersBesideNamesOfPackages(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

// A context is what the program shows.
type context struct{ client *gitlab.Client }

func Version(client *gitlab.Client) (string, error) {
	c := context{client: client}
	version, _, err := c.client.Version.GetVersion()
	if err != nil {
		return "", err
	}
	return version.Version, nil
}
`)
	assert.Equal(t, 1, result.Report.Moved)
	assert.Empty(t, callsLeft(result.Report.Items))
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	assert.Contains(t, text, "\tgocontext \"context\"\n")
	assert.Contains(t, text, "func todoContext() gocontext.Context { return gocontext.TODO() }")
}

// A client whose error the program drops is nil if its address is refused.
func TestClientsWithoutTheirErrors(t *testing.T) {
	const program = `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Client(address string) *gitlab.Client {
	client, NAME := gitlab.NewClient("token", gitlab.WithBaseURL(address))
	USE
	return client
}
`
	for _, dropped := range []bool{true, false} {
		text := strings.NewReplacer("NAME", "err", "USE", "if err != nil {\n\t\treturn nil\n\t}").Replace(program)
		if dropped {
			text = strings.NewReplacer("NAME", "_", "\tUSE\n", "").Replace(program)
		}
		said := false
		for _, note := range moveText(t, text).Report.Notes {
			said = said || note.Reason == "refused" && strings.Contains(note.Text, "the client is nil then")
		}
		assert.Equal(t, dropped, said)
	}
}
