// Package shares has functions that hand clients on in ways that have no place for two, beside
// functions that call an endpoint which this library does not have.
package shares

import (
	"fmt"
	"strings"
	"sync"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

var address, key string

// shared is a client behind the value of a function.
var shared = sync.OnceValue(func() *gitlab.Client {
	client, err := gitlab.NewClient(key, gitlab.WithBaseURL(address))
	if err != nil {
		panic(err)
	}
	return client
})

// eachProject is called for every project.
type eachProject func(project *gitlab.Project) error

func projects(client *gitlab.Client, call eachProject) error {
	list, _, err := client.Projects.ListProjects(nil)
	if err != nil {
		return err
	}
	for _, project := range list {
		if err := call(project); err != nil {
			return err
		}
	}
	return nil
}

// A page has no names for its fields where it is made.
type page struct {
	client *gitlab.Client
	title  string
}

func (p page) version() (string, error) {
	v, _, err := p.client.Version.GetVersion()
	if err != nil {
		return "", err
	}
	return p.title + " " + fmt.Sprint(v.Version != ""), nil
}

func (p page) nodes() string {
	_, _, err := p.client.InstanceCluster.ListClusters()
	return fmt.Sprint(p.title, " ", err != nil)
}

// issues is called with the clients of moved functions, and with one out of a channel.
func issues(client *gitlab.Client, path string) (int, error) {
	list, _, err := client.Issues.ListProjectIssues(path, nil)
	return len(list), err
}

// isOffline never calls a client.
func isOffline(client *gitlab.Client) bool { return client == nil }

func names(out *strings.Builder) error {
	return projects(shared(), func(project *gitlab.Project) error {
		fmt.Fprintln(out, project.PathWithNamespace)
		return nil
	})
}

func counts(out *strings.Builder) error {
	_, _, err := shared().InstanceCluster.ListClusters()
	fmt.Fprintln(out, err != nil)
	return projects(shared(), func(project *gitlab.Project) error {
		fmt.Fprintln(out, project.ID)
		return nil
	})
}

func fromChannel(clients chan *gitlab.Client, out *strings.Builder) error {
	client := <-clients
	n, err := issues(client, "acme/shop")
	if err != nil {
		return err
	}
	_, _, err = client.InstanceCluster.ListClusters()
	fmt.Fprintln(out, n, err != nil)
	return nil
}

// Run calls what stays and what moves.
func Run(url, token string) (string, error) {
	address, key = url, token
	var out strings.Builder
	if err := names(&out); err != nil {
		return "", err
	}
	if err := counts(&out); err != nil {
		return "", err
	}
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	p := page{client, "page"}
	version, err := p.version()
	if err != nil {
		return "", err
	}
	n, err := issues(client, "acme/shop")
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, version, p.nodes(), n, isOffline((*gitlab.Client)(nil)))
	err = more(url, token, &out)
	return out.String(), err
}

func more(url, token string, out *strings.Builder) error {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return err
	}
	clients := make(chan *gitlab.Client, 1)
	clients <- client
	return fromChannel(clients, out)
}
