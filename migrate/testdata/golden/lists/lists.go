// Package lists reads lists in the ways that programs do.
package lists

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A reader reads lists.
type reader struct {
	client *gitlab.Client
	seen   map[string]*gitlab.Project
	out    strings.Builder
}

// Run reads projects and issues.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	r := &reader{client: client, seen: make(map[string]*gitlab.Project)}
	if err := r.projects(); err != nil {
		return "", err
	}
	if err := r.issues("acme/shop"); err != nil {
		return "", err
	}
	return r.out.String(), nil
}

func (r *reader) projects() error {
	// Those that are not archived, page by page.
	opt := &gitlab.ListProjectsOptions{
		ListOptions: gitlab.ListOptions{PerPage: 20, Page: 1}, // the first page
		Archived:    gitlab.Ptr(false),
		Visibility:  gitlab.Ptr(gitlab.PrivateVisibility),
		OrderBy:     gitlab.Ptr("id"),
	}
	for {
		projects, resp, err := r.client.Projects.ListProjects(opt)
		if err != nil {
			return err
		}
		// Remember each of them.
		for _, p := range projects {
			r.seen[p.PathWithNamespace] = p
			fmt.Fprintln(&r.out, p.ID, p.Name, p.Visibility == gitlab.PrivateVisibility)
		}
		// The last page has no next one.
		if resp.NextPage == 0 {
			break
		}
		opt.Page = resp.NextPage
	}
	return nil
}

func (r *reader) issues(path string) error {
	issues, resp, err := r.client.Issues.ListProjectIssues(path, &gitlab.ListProjectIssuesOptions{
		State:       gitlab.Ptr("opened"),
		ListOptions: gitlab.ListOptions{PerPage: 2},
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(&r.out, resp.TotalItems, resp.TotalPages, resp.StatusCode)
	for _, issue := range issues {
		var iid int = int(issue.IID)
		fmt.Fprintln(&r.out, iid, issue.Title, issue.Author.Username, issue.CreatedAt != nil)
	}
	return nil
}
