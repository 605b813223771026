// Package mixed calls an endpoint that this library does not have.
package mixed

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type server struct {
	client *gitlab.Client
	out    strings.Builder
}

func newServer(client *gitlab.Client) *server { return &server{client: client} }

// Run reads a project, and what only client-go reads.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	s := newServer(client)
	if err := s.project("acme/shop"); err != nil {
		return "", err
	}
	s.statistics()
	return s.out.String(), nil
}

func (s *server) project(path string) error {
	project, _, err := s.client.Projects.GetProject(path, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(&s.out, project.Name)
	return nil
}

func (s *server) statistics() {
	_, _, err := s.client.InstanceCluster.ListClusters()
	fmt.Fprintln(&s.out, err != nil)
}
