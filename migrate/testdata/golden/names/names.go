// Package names has names of its own that the helpers of a moved program have, too.
package names

import (
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type clientOptions struct{ url, token string }

// withBaseURL sets an address.
func withBaseURL(url string) func(*clientOptions) {
	return func(o *clientOptions) { o.url = url }
}

// valueOf is no helper: it says what a number is worth.
func valueOf(n int64) string { return fmt.Sprintf("<%d>", n) }

func (o *clientOptions) options() []gitlab.ClientOptionFunc {
	return []gitlab.ClientOptionFunc{gitlab.WithBaseURL(o.url), gitlab.WithUserAgent("names")}
}

// Run lists the issues of a project.
func Run(url, token string) (string, error) {
	o := &clientOptions{token: token}
	withBaseURL(url)(o)
	client, err := gitlab.NewClient(o.token, o.options()...)
	if err != nil {
		return "", err
	}
	opts := &gitlab.ListProjectIssuesOptions{State: gitlab.Ptr("opened")}
	issues, _, err := client.Issues.ListProjectIssues("acme/shop", opts)
	if err != nil {
		return "", err
	}
	out := valueOf(int64(len(issues)))
	for _, issue := range issues {
		out += fmt.Sprintln(issue.Title, issue.Author.Username, issue.Weight)
	}
	note, _, err := client.Notes.CreateIssueNote("acme/shop", issues[0].IID, &gitlab.CreateIssueNoteOptions{
		Body: gitlab.Ptr("seen"),
	})
	if err != nil {
		return "", err
	}
	return out + note.Author.Username, nil
}
