// Package pools keeps clients in maps and slices, and calls an endpoint that this library does not
// have through some of them.
package pools

import (
	"fmt"
	"strings"
	"sync"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A pool has a client for each instance.
type pool struct {
	mu      sync.Mutex
	clients map[string]*gitlab.Client
	all     []*gitlab.Client
	out     strings.Builder
}

func newPool() *pool { return &pool{clients: make(map[string]*gitlab.Client)} }

// get returns the client for an instance, and makes it at the first time.
func (p *pool) get(url, token string) (*gitlab.Client, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if client, ok := p.clients[url]; ok {
		return client, true, nil
	}
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return nil, false, err
	}
	p.clients[url] = client
	p.all = append(p.all, client)
	return client, false, nil
}

func (p *pool) project(url, token string) error {
	client, known, err := p.get(url, token)
	if err != nil {
		return err
	}
	project, _, err := client.Projects.GetProject("acme/shop", nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(&p.out, project.Name, known, len(p.all), len(p.clients))
	return nil
}

// clusters stays.
func (p *pool) clusters() {
	for _, client := range p.all {
		_, _, err := client.InstanceCluster.ListClusters()
		fmt.Fprintln(&p.out, err != nil)
	}
}

func (p *pool) versions() error {
	for i, client := range p.all {
		v, _, err := client.Version.GetVersion()
		if err != nil {
			return err
		}
		fmt.Fprintln(&p.out, i, v.Version != "")
	}
	return nil
}

// first looks a client up, without a test.
func (p *pool) first(url string) (int, error) {
	branches, _, err := p.clients[url].Branches.ListBranches("acme/shop", nil)
	return len(branches), err
}

// both has both clients: one that stays, and one that moves.
func (p *pool) both(url string) int {
	client, ok := p.clients[url]
	if !ok {
		return -1
	}
	clusters(client)
	return issues(client)
}

func clusters(client *gitlab.Client) bool {
	_, _, err := client.InstanceCluster.ListClusters()
	return err == nil
}

func issues(client *gitlab.Client) int {
	list, _, err := client.Issues.ListProjectIssues("acme/shop", nil)
	if err != nil {
		return -1
	}
	return len(list)
}

// count calls both for each client.
func (p *pool) count() (n int) {
	for _, client := range p.clients {
		if client == nil || clusters(client) {
			continue
		}
		n += issues(client)
	}
	return n
}

// close forgets a client.
func (p *pool) close(url string) {
	delete(p.clients, url)
	p.all = nil
}

// Run uses one client again and again.
func Run(url, token string) (string, error) {
	p := newPool()
	for range 2 {
		if err := p.project(url, token); err != nil {
			return "", err
		}
	}
	p.clusters()
	if err := p.versions(); err != nil {
		return "", err
	}
	n, err := p.first(url)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&p.out, n, p.both(url), p.both("elsewhere"), p.count())
	p.close(url)
	fmt.Fprintln(&p.out, p.both(url))
	err = p.project(url, token)
	return p.out.String(), err
}
