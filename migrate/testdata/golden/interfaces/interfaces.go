// Package interfaces has interfaces of its own over the services, and a mock of one.
package interfaces

import (
	"context"
	"errors"
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// ProjectReader reads projects. The service of the client is one, and so is a mock.
type ProjectReader interface {
	GetProject(pid any, opt *gitlab.GetProjectOptions, options ...gitlab.RequestOptionFunc) (
		*gitlab.Project, *gitlab.Response, error)
	ListProjects(opt *gitlab.ListProjectsOptions, options ...gitlab.RequestOptionFunc) (
		[]*gitlab.Project, *gitlab.Response, error)
}

type pipelines interface {
	ListProjectPipelines(pid any, opt *gitlab.ListProjectPipelinesOptions, options ...gitlab.RequestOptionFunc) (
		[]*gitlab.PipelineInfo, *gitlab.Response, error)
}

type reporter struct {
	projects  ProjectReader
	pipelines pipelines
}

type mockProjects struct {
	names []string
	err   error
}

func (m *mockProjects) GetProject(
	pid any, _ *gitlab.GetProjectOptions, _ ...gitlab.RequestOptionFunc,
) (*gitlab.Project, *gitlab.Response, error) {
	if m.err != nil {
		return nil, nil, m.err
	}
	return &gitlab.Project{ID: 1, Name: fmt.Sprint(pid)}, &gitlab.Response{}, nil
}

func (m *mockProjects) ListProjects(
	_ *gitlab.ListProjectsOptions, _ ...gitlab.RequestOptionFunc,
) ([]*gitlab.Project, *gitlab.Response, error) {
	var projects []*gitlab.Project
	for _, name := range m.names {
		projects = append(projects, &gitlab.Project{Name: name})
	}
	return projects, &gitlab.Response{TotalItems: int64(len(projects))}, nil
}

func newReporter(client *gitlab.Client) *reporter {
	return &reporter{projects: client.Projects, pipelines: client.Pipelines}
}

func (r *reporter) report(ctx context.Context, path string) (string, error) {
	project, _, err := r.projects.GetProject(path, nil, gitlab.WithContext(ctx))
	if err != nil {
		return "", fmt.Errorf("project %s: %w", path, err)
	}
	opt := &gitlab.ListProjectsOptions{Search: gitlab.Ptr("part-1")}
	found, resp, err := r.projects.ListProjects(opt, gitlab.WithContext(ctx))
	if err != nil {
		return "", err
	}
	text := fmt.Sprint(project.Name, len(found), resp.TotalItems)
	if r.pipelines == nil {
		return text, nil
	}
	list, _, err := r.pipelines.ListProjectPipelines(project.ID, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(text, len(list), list[0].Ref), nil
}

// Run reports on a project, once through the client and twice through mocks.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	first, err := newReporter(client).report(ctx, "acme/shop")
	if err != nil {
		return "", err
	}
	second, err := (&reporter{projects: &mockProjects{names: []string{"a", "b"}}}).report(ctx, "x/y")
	if err != nil {
		return "", err
	}
	broken := &reporter{projects: &mockProjects{err: errors.New("broken")}}
	_, err = broken.report(ctx, "x/z")
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, late := newReporter(client).report(canceled, "acme/shop")
	return strings.Join([]string{first, second, fmt.Sprint(err), fmt.Sprint(errors.Is(late, context.Canceled))}, "\n"), nil
}
