// Package mocks has a generated mock of its own interface, and a generated function that calls the
// service.
package mocks

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A projectReader reads projects.
type projectReader interface {
	GetProject(pid any, opt *gitlab.GetProjectOptions, options ...gitlab.RequestOptionFunc) (
		*gitlab.Project, *gitlab.Response, error)
	ListProjects(opt *gitlab.ListProjectsOptions, options ...gitlab.RequestOptionFunc) (
		[]*gitlab.Project, *gitlab.Response, error)
}

// names returns the names of projects.
func names(reader projectReader) (string, error) {
	p, _, err := reader.GetProject("acme/shop", nil)
	if err != nil {
		return "", err
	}
	list, _, err := reader.ListProjects(&gitlab.ListProjectsOptions{Search: gitlab.Ptr("part-01")})
	if err != nil {
		return "", err
	}
	all := []string{p.Name}
	for _, p := range list {
		all = append(all, p.Name)
	}
	return strings.Join(all, ","), nil
}

// Run reads projects from the service and from the mock.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	served, err := names(client.Projects)
	if err != nil {
		return "", err
	}
	mock := &projectReaderMock{
		GetProjectFunc: func(pid any, _ *gitlab.GetProjectOptions, _ ...gitlab.RequestOptionFunc) (
			*gitlab.Project, *gitlab.Response, error,
		) {
			return &gitlab.Project{Name: fmt.Sprint("mock of ", pid)}, nil, nil
		},
		ListProjectsFunc: func(*gitlab.ListProjectsOptions, ...gitlab.RequestOptionFunc) (
			[]*gitlab.Project, *gitlab.Response, error,
		) {
			return []*gitlab.Project{{Name: "listed"}}, nil, nil
		},
	}
	mocked, err := names(mock)
	if err != nil {
		return "", err
	}
	known, err := generatedVersion(client)
	return fmt.Sprint(served, mocked, len(mock.GetProjectCalls()), len(mock.ListProjectsCalls()[0].Options), known), err
}
