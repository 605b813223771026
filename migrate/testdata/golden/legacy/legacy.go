// Package legacy is on the client's first releases, whose IDs are int.
package legacy

import (
	"fmt"
	"strings"

	"github.com/xanzy/go-gitlab"
)

// Run lists merge requests and projects.
func Run(url, token string) (string, error) {
	git, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	all, err := projects(git)
	if err != nil {
		return "", err
	}
	names := map[int]string{}
	for _, p := range all {
		names[p.ID] = p.Path
	}
	fmt.Fprintln(&out, len(names))
	var found []*gitlab.MergeRequest
	for _, id := range []int{all[0].ID} {
		mrs, _, err := git.MergeRequests.ListProjectMergeRequests(id, &gitlab.ListProjectMergeRequestsOptions{
			State:      gitlab.String("opened"),
			AssigneeID: gitlab.AssigneeID(gitlab.UserIDAny),
		})
		if err != nil {
			return "", err
		}
		found = append(found, mrs...)
	}
	fmt.Fprintln(&out, titles(found))
	return out.String(), nil
}

func titles(mrs []*gitlab.MergeRequest) (list []string) {
	for _, mr := range mrs {
		list = append(list, fmt.Sprintf("%d %s", mr.IID, mr.Title))
	}
	return list
}

func projects(git *gitlab.Client) ([]*gitlab.Project, error) {
	opt := &gitlab.ListProjectsOptions{Search: gitlab.String("part-0"), ListOptions: gitlab.ListOptions{PerPage: 5}}
	var all []*gitlab.Project
	for {
		ps, resp, err := git.Projects.ListProjects(opt)
		if err != nil {
			return nil, err
		}
		all = append(all, ps...)
		if resp.CurrentPage >= resp.TotalPages {
			break
		}
		opt.Page = resp.NextPage
	}
	return all, nil
}
