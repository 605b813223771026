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
