// Package api makes the calls of program wides with the options that it hands over.
package api

import gitlab "gitlab.com/gitlab-org/api/client-go"

// Link links an issue to another one.
func Link(client *gitlab.Client, project string, issue int64, options *gitlab.CreateIssueLinkOptions) (int64, error) {
	link, _, err := client.IssueLinks.CreateIssueLink(project, issue, options)
	if err != nil {
		return 0, err
	}
	return link.TargetIssue.IID, nil
}
