// Package splits calls an endpoint that this library does not have, in a function that shares
// others with what moves.
package splits

import (
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// api embeds the client.
type api struct {
	*gitlab.Client
	out strings.Builder
}

// store hands its client out.
type store struct{ client *gitlab.Client }

func (s store) api() *gitlab.Client { return s.client }

func connect(url, token string) (*gitlab.Client, error) {
	options := []gitlab.ClientOptionFunc{gitlab.WithBaseURL(url)}
	if strings.HasPrefix(url, "http://") {
		options = append(options, gitlab.WithHTTPClient(&http.Client{}))
	}
	client, err := gitlab.NewClient(token, options...)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return client, nil
}

// project is called by what moves and by what stays.
func project(client *gitlab.Client, path string) (*gitlab.Project, error) {
	p, _, err := client.Projects.GetProject(path, nil)
	return p, err
}

func (a *api) issues(path string) error {
	p, err := project(a.Client, path)
	if err != nil {
		return err
	}
	issues, _, err := a.Issues.ListProjectIssues(p.ID, nil)
	fmt.Fprintln(&a.out, p.Name, len(issues))
	return err
}

func (a *api) statistics(path string) error {
	p, err := project(a.Client, path)
	if err != nil {
		return err
	}
	_, _, err = a.InstanceCluster.ListClusters()
	fmt.Fprintln(&a.out, p.Name, err != nil)
	return nil
}

func (s store) version() (string, error) {
	v, _, err := s.api().Version.GetVersion()
	if err != nil {
		return "", err
	}
	return v.Version, nil
}

func (s store) nodes() bool {
	_, _, err := s.api().InstanceCluster.ListClusters()
	return err == nil
}

// Run reads with both.
func Run(url, token string) (string, error) {
	client, err := connect(url, token)
	if err != nil {
		return "", err
	}
	a := &api{Client: client}
	if err := a.issues("acme/shop"); err != nil {
		return "", err
	}
	if err := a.statistics("acme/shop"); err != nil {
		return "", err
	}
	s := store{client: client}
	version, err := s.version()
	if err != nil {
		return "", err
	}
	return fmt.Sprint(a.out.String(), version != "", s.nodes()), nil
}
