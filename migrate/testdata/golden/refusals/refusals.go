// Package refusals passes what client-go sends as it is, and the library refuses.
package refusals

import (
	"fmt"
	"os"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// Run filters by labels of every kind, and makes clients without a token.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	var out []any
	for _, labels := range [][]string{nil, {}, {"bug"}, {"bug,ui", "api"}, {"None"}, {"Any"}} {
		options := gitlab.LabelOptions(labels)
		issues, _, err := client.Issues.ListProjectIssues("acme/shop",
			&gitlab.ListProjectIssuesOptions{Labels: &options})
		if err != nil {
			return "", err
		}
		out = append(out, len(issues))
	}
	for _, title := range []string{"", "None", "Any", "1.0"} {
		issues, _, err := client.Issues.ListProjectIssues("acme/shop", &gitlab.ListProjectIssuesOptions{
			Milestone: &title, Labels: &gitlab.LabelOptions{"bug,ui"}, NotLabels: &gitlab.LabelOptions{}})
		if err != nil {
			return "", err
		}
		out = append(out, len(issues))
	}
	for _, labels := range []gitlab.LabelOptions{{"bug,ui"}, {}} {
		issue, _, err := client.Issues.UpdateIssue("acme/shop", 1, &gitlab.UpdateIssueOptions{
			Labels: &labels, AddLabels: &gitlab.LabelOptions{"a,b", "c"}})
		if err != nil {
			return "", err
		}
		out = append(out, issue.Labels)
	}
	for _, ids := range [][]int64{nil, {}, {1}} {
		mr, _, err := client.MergeRequests.UpdateMergeRequest("acme/shop", 1, &gitlab.UpdateMergeRequestOptions{
			Title: gitlab.Ptr("T"), ReviewerIDs: &ids})
		if err != nil {
			return "", err
		}
		out = append(out, mr.Title)
	}
	for _, other := range []func(string, string) (*gitlab.Client, error){plain, job, source, checked} {
		client, err := other(url, os.Getenv("NOTHING_IS_CALLED_SO"))
		if err != nil {
			out = append(out, "refused")
			continue
		}
		_, _, err = client.Projects.GetProject("acme/shop", nil)
		out = append(out, err != nil)
	}
	return fmt.Sprint(out...), nil
}

func plain(url, token string) (*gitlab.Client, error) {
	return gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
}

func job(url, token string) (*gitlab.Client, error) {
	options := []gitlab.ClientOptionFunc{gitlab.WithBaseURL(url), gitlab.WithoutRetries()}
	return gitlab.NewJobClient(token, options...)
}

func source(url, token string) (*gitlab.Client, error) {
	return gitlab.NewAuthSourceClient(gitlab.AccessTokenAuthSource{Token: token}, gitlab.WithBaseURL(url))
}

func checked(url, token string) (*gitlab.Client, error) {
	if token == "" {
		return nil, fmt.Errorf("no token")
	}
	return gitlab.NewClient(token, gitlab.WithBaseURL(url))
}
