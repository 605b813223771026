// Package refs names projects, groups and users in every way.
package refs

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A finder finds things; programs replace it in tests.
type finder interface {
	Find(pid any) (*gitlab.Project, *gitlab.Response, error)
}

type client struct{ api *gitlab.Client }

func (c client) Find(pid any) (*gitlab.Project, *gitlab.Response, error) {
	return c.api.Projects.GetProject(pid, &gitlab.GetProjectOptions{Statistics: gitlab.Ptr(true)})
}

func newClient(url, token string) (*gitlab.Client, error) {
	hc := &http.Client{Timeout: time.Minute}
	return gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithHTTPClient(hc))
}

// Run finds a project by its ID and by its path, its group and its members.
func Run(url, token string) (string, error) {
	api, err := newClient(url, token)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	var f finder = client{api}
	byPath, _, err := f.Find("acme/shop")
	if err != nil {
		return "", err
	}
	byID, resp, err := f.Find(byPath.ID)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, byID.PathWithNamespace, resp.StatusCode, byID.Namespace.FullPath)
	group, _, err := api.Groups.GetGroup("acme", &gitlab.GetGroupOptions{WithProjects: gitlab.Ptr(false)})
	if err != nil {
		return "", err
	}
	members, _, err := api.Groups.ListAllGroupMembers(group.ID, &gitlab.ListGroupMembersOptions{Query: gitlab.Ptr("r")})
	if err != nil {
		return "", err
	}
	for _, m := range members {
		fmt.Fprintln(&out, m.Username, m.AccessLevel >= gitlab.MaintainerPermissions)
	}
	user, _, err := api.Users.CurrentUser()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, user.Username, user.IsAdmin)
	users, _, err := api.Users.ListUsers(&gitlab.ListUsersOptions{Username: gitlab.Ptr(user.Username)})
	if err != nil {
		return "", err
	}
	ids := make([]int64, 0, len(users))
	seen := map[int64]bool{}
	for i, u := range users {
		ids = append(ids, u.ID)
		seen[u.ID] = i == 0
	}
	fmt.Fprintln(&out, ids, seen[user.ID])
	return out.String(), nil
}
