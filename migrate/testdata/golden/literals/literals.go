// Package literals makes values of client-go itself, as the mocks of tests do.
package literals

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// branches is a mock that answers page by page.
type branches struct{ pages [][]*gitlab.Branch }

func (b *branches) list(page int64) ([]*gitlab.Branch, *gitlab.Response, error) {
	if page < 1 || int(page) > len(b.pages) {
		return nil, &gitlab.Response{Response: &http.Response{StatusCode: http.StatusNotFound}},
			errors.New("no such page")
	}
	resp := &gitlab.Response{
		Response:     &http.Response{StatusCode: http.StatusOK, Header: http.Header{"X-Mock": {"yes"}}},
		TotalItems:   2,
		TotalPages:   int64(len(b.pages)),
		ItemsPerPage: 1,
		CurrentPage:  page,
	}
	if int(page) < len(b.pages) {
		resp.NextPage = page + 1
	}
	return b.pages[page-1], resp, nil
}

func walk(b *branches) (string, error) {
	var out strings.Builder
	for page := int64(1); page != 0; {
		list, resp, err := b.list(page)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, list[0].Name, resp.StatusCode, resp.Header.Get("X-Mock"), resp.CurrentPage, resp.TotalPages)
		page = resp.NextPage
	}
	_, resp, err := b.list(9)
	fmt.Fprintln(&out, resp.StatusCode == http.StatusNotFound, err)
	return out.String(), nil
}

// options has literals without types.
func options() []*gitlab.ListOptions {
	return []*gitlab.ListOptions{{Page: 1, PerPage: 20}, {PerPage: 5}}
}

func merged(client *gitlab.Client) (string, error) {
	mine := &gitlab.MergeRequest{BasicMergeRequest: gitlab.BasicMergeRequest{IID: 4, Title: "mine", State: "opened"}}
	all := []*gitlab.MergeRequest{mine}
	theirs, _, err := client.MergeRequests.ListProjectMergeRequests("acme/shop", nil)
	if err != nil {
		return "", err
	}
	for _, mr := range theirs {
		all = append(all, &gitlab.MergeRequest{BasicMergeRequest: *mr})
	}
	var out strings.Builder
	for _, mr := range all {
		fmt.Fprintln(&out, mr.IID, mr.Title != "", mr.State)
	}
	return out.String(), nil
}

func positional(client *gitlab.Client) (string, error) {
	user := gitlab.BasicUser{ID: 3, Username: "ada"}
	pair := struct {
		user   gitlab.BasicUser
		branch *gitlab.Branch
	}{user, &gitlab.Branch{Name: "main", Protected: true}}
	variable := gitlab.PipelineVariable{"KEY", "value", gitlab.EnvVariableType}
	opt := options()[1]
	list, _, err := client.Branches.ListBranches("acme/shop", &gitlab.ListBranchesOptions{ListOptions: *opt})
	return fmt.Sprint(pair.user.Username, pair.branch.Name, pair.branch.Protected, variable.Key, variable.Value, len(list) > 0), err
}

// Run makes values, and reads some.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	first, err := walk(&branches{pages: [][]*gitlab.Branch{{{Name: "main"}}, {{Name: "next"}}}})
	if err != nil {
		return "", err
	}
	second, err := merged(client)
	if err != nil {
		return "", err
	}
	third, err := positional(client)
	if err != nil {
		return "", err
	}
	fourth, err := elsewhere(client)
	return first + second + third + fourth, err
}

// A found is a result that comes from another goroutine.
type found struct {
	rules []*gitlab.MergeRequestApprovalRule
	err   error
}

// elsewhere hands on rules by the place of a field.
func elsewhere(client *gitlab.Client) (string, error) {
	results := make(chan found, 1)
	go func() {
		rules, _, err := client.MergeRequestApprovals.GetApprovalRules("acme/shop", 1)
		results <- found{rules, err}
	}()
	got := <-results
	return fmt.Sprint(approvers(got.rules)), got.err
}

func approvers(rules []*gitlab.MergeRequestApprovalRule) (names []string) {
	for _, rule := range rules {
		for _, user := range rule.EligibleApprovers {
			names = append(names, user.Username)
		}
	}
	return names
}
