package move

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A field of the program's own in a result moves only if all that uses it is seen.
func TestFieldsThatTheProgramSets(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		left bool
	}{
		"seen":          {"commit.ProjectID = 7\nuse(commit)\nids = append(ids, commit.ProjectID)", false},
		"of itself":     {"commit.ProjectID = int64(len(commit.ID))\nids = append(ids, commit.ProjectID)", false},
		"read before":   {"ids = append(ids, commit.ProjectID)\ncommit.ProjectID = 7", true},
		"in a branch":   {"if len(ids) > 0 {\ncommit.ProjectID = 7\n}\nuse(commit)", true},
		"later another": {"commit.ProjectID = 7\ncommit = commits[0]\nuse(commit)", true},
		"its address":   {"commit.ProjectID = 7\nother := &commit\nuse(*other)", true},
		"no later use":  {"commit.ProjectID = 7", true},
		"of a list":     {"commit.ProjectID = 7\nuse(commit)\n}\nfor range commits {", true},
		"of an element": {"use(commit)\nfirst := commits[0]\nfirst.ProjectID = 7\nuse(first)", true},
		"held before":   {"show := func() { use(commit) }\ncommit.ProjectID = 7\nshow()", true},
	} {
		t.Run(name, func(t *testing.T) {
			result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func use(any) {}

func IDs(client *gitlab.Client) (ids []int64) {
	commits, _, err := client.Commits.ListCommits("acme/shop", nil)
	if err != nil {
		return nil
	}
	for _, commit := range commits {
		`+test.body+`
	}
	return ids
}
`)
			require.Len(t, result.Report.Items, 1+map[bool]int{true: 1}[test.left], "%s", result.Report.Items)
			assert.Equal(t, test.left, result.Report.Items[0].Reason != "", "%s", result.Report.Items)
		})
	}
}
