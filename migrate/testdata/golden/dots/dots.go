// Package dots imports the client by a dot.
package dots

import (
	"fmt"

	. "gitlab.com/gitlab-org/api/client-go"
)

type finder struct{ client *Client }

func (f finder) open() ([]*Issue, error) {
	opt := &ListProjectIssuesOptions{State: Ptr("opened"), ListOptions: ListOptions{PerPage: 2}}
	issues, _, err := f.client.Issues.ListProjectIssues("acme/shop", opt)
	return issues, err
}

// Run lists issues, and changes a project.
func Run(url, token string) (string, error) {
	client, err := NewClient(token, WithBaseURL(url))
	if err != nil {
		return "", err
	}
	issues, err := finder{client}.open()
	if err != nil {
		return "", err
	}
	project, _, err := client.Projects.EditProject("acme/shop", &EditProjectOptions{
		Visibility: Ptr(PrivateVisibility),
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprint(len(issues), issues[0].Title, project.Visibility == PrivateVisibility), nil
}
