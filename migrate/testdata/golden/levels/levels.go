// Package levels passes results of lists and single ones to the same functions, and options in
// pointers that functions of the program make.
package levels

import (
	"errors"
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func to[T any](v T) *T { return &v }

func title(mr *gitlab.BasicMergeRequest) string { return mr.Title + " " + mr.State }

func subject(c *gitlab.Commit) string {
	if c == nil {
		return "none"
	}
	return c.Title
}

// requests has merge requests of a list, of a call for one, and of no call.
func requests(client *gitlab.Client) (string, error) {
	list, _, err := client.MergeRequests.ListProjectMergeRequests("acme/shop", &gitlab.ListProjectMergeRequestsOptions{
		State: to("opened"), SourceBranch: to("work")})
	if err != nil {
		return "", err
	}
	mr, _, err := client.MergeRequests.GetMergeRequest("acme/shop", list[0].IID, nil)
	if err != nil {
		return "", err
	}
	mine := &gitlab.MergeRequest{BasicMergeRequest: *list[0], ChangesCount: "2"}
	part := mine.BasicMergeRequest
	return strings.Join([]string{title(list[0]), title(&mr.BasicMergeRequest), mine.Title, part.State,
		mine.ChangesCount}, ", "), nil
}

// commits has commits of both levels.
func commits(client *gitlab.Client) (string, error) {
	list, _, err := client.Commits.ListCommits("acme/shop", &gitlab.ListCommitsOptions{RefName: to("work")})
	if err != nil {
		return "", err
	}
	one, _, err := client.Commits.GetCommit("acme/shop", "work", nil)
	if err != nil {
		return "", err
	}
	missing, _, failure := client.Commits.GetCommit("acme/shop", "nowhere", nil)
	if failure == nil {
		return "", errors.New("there is no such commit")
	}
	return subject(list[0]) + subject(one) + subject(missing), nil
}

// explain wraps an error twice.
func explain(client *gitlab.Client) string {
	_, _, err := client.Projects.GetProject("acme/nowhere", nil)
	err = fmt.Errorf("get: %w", err)
	if strings.Contains(err.Error(), "404") {
		err = errors.Join(errors.New("missing"), err)
	}
	return strings.Split(err.Error(), "\n")[0]
}

// Run calls everything once.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out []string
	for _, run := range []func(*gitlab.Client) (string, error){requests, commits} {
		text, err := run(client)
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return strings.Join(append(out, explain(client)), "\n"), nil
}
