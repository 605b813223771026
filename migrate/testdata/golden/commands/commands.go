// Package commands has commands that get their clients from an interface, beside one that calls an
// endpoint which this library does not have, and flags that set options.
package commands

import (
	"flag"
	"fmt"
	"io"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A Factory makes clients, and knows more.
type Factory interface {
	Client() (*gitlab.Client, error)
	Name() string
}

type login struct{ url, token string }

func (l *login) Client() (*gitlab.Client, error) {
	if l.token == "" {
		return nil, fmt.Errorf("no token")
	}
	return gitlab.NewClient(l.token, gitlab.WithBaseURL(l.url))
}

func (l *login) Name() string { return "login" }

// A nested factory asks another one.
type nested struct{ Factory }

func (n nested) Client() (*gitlab.Client, error) { return n.Factory.Client() }

// command gets its client before it runs.
type command struct {
	client *gitlab.Client
	path   string
	tree   *gitlab.ListTreeOptions
	list   *gitlab.ListBranchesOptions
}

func newCommand(path string) *command {
	return &command{path: path,
		tree: &gitlab.ListTreeOptions{ListOptions: gitlab.ListOptions{PerPage: 1}, Ref: gitlab.Ptr("main")},
		list: &gitlab.ListBranchesOptions{ListOptions: gitlab.ListOptions{PerPage: 10}, Search: gitlab.Ptr("")}}
}

func (c *command) complete(f Factory) error {
	var err error
	c.client, err = f.Client()
	return err
}

// pages adds flags for the numbers of any list.
func pages(set *flag.FlagSet, page *gitlab.ListOptions) {
	set.Int64Var(&page.Page, "page", page.Page, "the page")
	set.Int64Var(&page.PerPage, "per-page", page.PerPage, "the items of a page")
}

func (c *command) parse(args ...string) error {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	pages(set, &c.list.ListOptions)
	set.StringVar(c.tree.Ref, "ref", *c.tree.Ref, "the branch")
	if err := set.Parse(args); err != nil {
		return err
	}
	byDefault(c.list.Search, "w")
	return nil
}

// byDefault sets a text that is empty.
func byDefault(text *string, value string) {
	if *text == "" {
		*text = value
	}
}

func (c *command) run(out *strings.Builder) error {
	branches, _, err := c.client.Branches.ListBranches(c.path, c.list)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, len(branches))
	for {
		tree, more, err := c.page()
		if err != nil {
			return err
		}
		fmt.Fprintln(out, len(tree), tree[0].Path)
		if !more {
			return nil
		}
	}
}

// page returns the next page of a tree, and whether there are more.
func (c *command) page() ([]*gitlab.TreeNode, bool, error) {
	tree, resp, err := c.client.Repositories.ListTree(c.path, c.tree)
	if err != nil {
		return nil, false, err
	}
	c.tree.Page = resp.NextPage
	return tree, resp.NextPage != 0, nil
}

// query is handed on as a value.
type query struct {
	path, state string
	issues      struct{ sort string }
}

func (q query) options() *gitlab.ListProjectIssuesOptions {
	return &gitlab.ListProjectIssuesOptions{State: &q.state, Sort: &q.issues.sort}
}

func list(f Factory, q query, out *strings.Builder) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	issues, _, err := client.Issues.ListProjectIssues(q.path, q.options())
	fmt.Fprintln(out, f.Name(), len(issues), err)
	return nil
}

// projects has a flag for an order, and sets what is missing.
func projects(f Factory, args []string, out *strings.Builder) error {
	options := &gitlab.ListProjectsOptions{OrderBy: gitlab.Ptr("id"), Sort: gitlab.Ptr("desc"), Search: gitlab.Ptr(" ")}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.StringVar(options.OrderBy, "order", *options.OrderBy, "the order")
	if err := set.Parse(args); err != nil {
		return err
	}
	byDefault(options.Sort, "asc")
	if options.Search != nil && strings.TrimSpace(*options.Search) == "" {
		options.Search = nil
	}
	client, err := f.Client()
	if err != nil {
		return err
	}
	list, _, err := client.Projects.ListProjects(options)
	fmt.Fprintln(out, len(list), err)
	return nil
}

// closed changes its own query.
func closed(f Factory, out *strings.Builder) error {
	q := query{path: "acme/shop"}
	q.state = "closed"
	q.issues.sort = "asc"
	return list(f, q, out)
}

// clusters stays.
func clusters(f Factory, out *strings.Builder) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	_, _, err = client.InstanceCluster.ListClusters()
	fmt.Fprintln(out, err != nil)
	return nil
}

// Run runs every command.
func Run(url, token string) (string, error) {
	var out strings.Builder
	for _, f := range []Factory{&login{url, token}, nested{&login{url, token}}, &login{url, ""}} {
		c := newCommand("acme/shop")
		if err := c.parse("-per-page=2", "-page=1", "-ref=work"); err != nil {
			return "", err
		}
		if err := c.complete(f); err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		if err := c.run(&out); err != nil {
			return "", err
		}
		if err := projects(f, []string{"-order=name"}, &out); err != nil {
			return "", err
		}
		for _, run := range []func(Factory, *strings.Builder) error{closed, clusters} {
			if err := run(f, &out); err != nil {
				return "", err
			}
		}
	}
	return out.String(), nil
}
