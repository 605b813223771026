// Package raw calls paths, passes methods as values, and scans lists.
package raw

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type name struct {
	Name string `json:"name"`
}

type search struct {
	Search string `url:"search"`
}

func read(ctx context.Context, client *gitlab.Client) ([]name, error) {
	req, err := client.NewRequest(http.MethodGet, "projects", &search{Search: "part-0"}, nil)
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	var names []name
	_, err = client.Do(req, &names)
	return names, err
}

func write(client *gitlab.Client) error {
	req, err := client.NewRequest(http.MethodPost, "projects/acme%2Fshop/labels",
		map[string]string{"name": "raw", "color": "#112233"}, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req, nil)
	if err != nil || resp.Body == nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	if resp.Body != nil && resp.StatusCode != http.StatusCreated {
		return errors.New(resp.Status)
	}
	return nil
}

// everything walks pages by a function that it gets.
func everything[O, T any](
	page func(*O, ...gitlab.RequestOptionFunc) ([]T, *gitlab.Response, error), opt *O, next func(*O, int64),
) ([]T, error) {
	var all []T
	for {
		items, resp, err := page(opt)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		if resp.NextPage == 0 {
			return all, nil
		}
		next(opt, resp.NextPage)
	}
}

// Run does each of these.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	names, err := read(context.Background(), client)
	if err != nil {
		return "", err
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := read(ended, client); !errors.Is(err, context.Canceled) {
		return "", fmt.Errorf("a context that has ended: %w", err)
	}
	fmt.Fprintln(&out, len(names), names[0].Name)
	if err := write(client); err != nil {
		return "", err
	}
	opt := &gitlab.ListProjectsOptions{ListOptions: gitlab.ListOptions{PerPage: 40}}
	all, err := everything(client.Projects.ListProjects, opt,
		func(o *gitlab.ListProjectsOptions, page int64) { o.Page = page })
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, len(all))
	for label, err := range gitlab.Scan2(func(p gitlab.PaginationOptionFunc) ([]*gitlab.Label, *gitlab.Response, error) {
		return client.Labels.ListLabels("acme/shop", &gitlab.ListLabelsOptions{ListOptions: gitlab.ListOptions{PerPage: 50}}, p)
	}) {
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, label.Name, label.Color)
	}
	issues, failure := gitlab.Scan(func(p gitlab.PaginationOptionFunc) ([]*gitlab.Issue, *gitlab.Response, error) {
		return client.Issues.ListProjectIssues("acme/shop",
			&gitlab.ListProjectIssuesOptions{ListOptions: gitlab.ListOptions{PerPage: 50}}, p)
	})
	for issue := range issues {
		fmt.Fprintln(&out, issue.IID)
	}
	if err := failure(); err != nil {
		return "", err
	}
	return out.String(), nil
}
