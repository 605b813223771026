// Package embeds has structs with services in them, and asks responses for their requests.
package embeds

import (
	"encoding/base64"
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// projects adds to a service.
type projects struct {
	gitlab.ProjectsServiceInterface
	calls int
}

// GetProject replaces a method of the service.
func (p *projects) GetProject(
	id any, opt *gitlab.GetProjectOptions, options ...gitlab.RequestOptionFunc,
) (*gitlab.Project, *gitlab.Response, error) {
	p.calls++
	return p.ProjectsServiceInterface.GetProject(id, opt, options...)
}

// Get has the name of a method of this library.
func (p *projects) Get(path string) (string, error) {
	project, resp, err := p.GetProject(path, nil)
	if err != nil {
		return "", err
	}
	_, _, err = p.EditProject(project.ID, &gitlab.EditProjectOptions{Description: gitlab.Ptr("of embeds")})
	return fmt.Sprint(project.Name, p.calls, resp.Request.Method, resp.Request.URL.Path), err
}

// An app has the whole client, and more of a service.
type app struct {
	*gitlab.Client
	*projects
	branch string
}

// Run uses what the structs embed.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	a := app{client, &projects{ProjectsServiceInterface: client.Projects}, "work"}
	name, err := a.Get("acme/shop")
	if err != nil {
		return "", err
	}
	if err := a.commit([]byte{0xff, 0, 1}); err != nil {
		return "", err
	}
	group, _, err := a.Groups.GetGroup("acme", nil)
	if err != nil {
		return "", err
	}
	first, err := runner(client, "group_type", group.ID)
	if err != nil {
		return "", err
	}
	second, err := runner(client, "instance_type", 0)
	return fmt.Sprint(name, first, second), err
}

// commit writes the same content twice, which is no text, and a text.
func (a *app) commit(data []byte) error {
	encoded := base64.StdEncoding.EncodeToString(data)
	_, _, err := a.Commits.CreateCommit("acme/shop", &gitlab.CreateCommitOptions{
		Branch:        gitlab.Ptr(a.branch),
		CommitMessage: gitlab.Ptr("Add two files"),
		Actions: []*gitlab.CommitActionOptions{
			{
				Action:   gitlab.Ptr(gitlab.FileCreate),
				FilePath: gitlab.Ptr("a.bin"),
				Content:  gitlab.Ptr(base64.StdEncoding.EncodeToString(data)),
				Encoding: gitlab.Ptr("base64"),
			},
			{
				Action:   gitlab.Ptr(gitlab.FileCreate),
				FilePath: gitlab.Ptr("b.bin"),
				Content:  &encoded,
				Encoding: gitlab.Ptr("base64"),
			},
			{
				Action:   gitlab.Ptr(gitlab.FileCreate),
				FilePath: gitlab.Ptr("c.txt"),
				Content:  gitlab.Ptr("text"),
			},
		},
	})
	return err
}

// runner makes a runner of a kind that is known at run time.
func runner(client *gitlab.Client, kind string, id int64) (bool, error) {
	options := &gitlab.CreateUserRunnerOptions{RunnerType: &kind, TagList: &[]string{"a"}}
	if kind == "group_type" {
		options.GroupID = &id
	}
	options.Description = gitlab.Ptr("of embeds")
	created, _, err := client.Users.CreateUserRunner(options)
	if err != nil {
		return false, err
	}
	return created.ID > 0, nil
}
