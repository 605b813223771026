// Package factories makes clients when they are needed, by functions in fields and variables,
// beside a command that calls an endpoint which this library does not have.
package factories

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A factory is what every command gets.
type factory struct {
	client func() (*gitlab.Client, error)
	base   func() *gitlab.Client
	out    strings.Builder
}

// options are those of one command.
type options struct {
	connect func() (*gitlab.Client, error)
	path    string
}

type login struct{ url, token string }

func (l login) open() (*gitlab.Client, error) {
	return gitlab.NewClient(l.token, gitlab.WithBaseURL(l.url))
}

func newFactory(url, token string) *factory {
	f := &factory{client: login{url, token}.open}
	f.base = func() *gitlab.Client {
		client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
		if err != nil {
			return nil
		}
		return client
	}
	return f
}

func (f *factory) view(path string) error {
	client, err := f.client()
	if err != nil {
		return err
	}
	project, _, err := client.Projects.GetProject(path, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(&f.out, project.Name)
	return nil
}

func (f *factory) statistics() error {
	client, err := f.client()
	if err != nil {
		return err
	}
	_, _, err = client.InstanceCluster.ListClusters()
	fmt.Fprintln(&f.out, err != nil, branches(client), branches(f.base()))
	_, _, err = f.base().InstanceCluster.ListClusters()
	fmt.Fprintln(&f.out, err != nil)
	return nil
}

// branches moves, and is called by what stays.
func branches(client *gitlab.Client) int {
	list, _, err := client.Branches.ListBranches("acme/shop", nil)
	if err != nil {
		return -1
	}
	return len(list)
}

func (f *factory) issues(path string) error {
	o := &options{path: path, connect: f.client}
	if o.connect == nil {
		return fmt.Errorf("no client")
	}
	return o.run(f)
}

func (o *options) open() (*gitlab.Client, error) { return o.connect() }

func (o *options) run(f *factory) error {
	client, err := o.open()
	if err != nil {
		return err
	}
	issues, _, err := client.Issues.ListProjectIssues(o.path, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(&f.out, len(issues))
	return nil
}

// Run calls every command.
func Run(url, token string) (string, error) {
	f := newFactory(url, token)
	if err := f.view("acme/shop"); err != nil {
		return "", err
	}
	if err := f.issues("acme/shop"); err != nil {
		return "", err
	}
	if err := f.statistics(); err != nil {
		return "", err
	}
	empty := factory{client: func() (*gitlab.Client, error) { return &gitlab.Client{}, nil }}
	_, err := empty.client()
	return f.out.String() + fmt.Sprint(err), nil
}
