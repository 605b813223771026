// Package flags sets options through pointers to them, and by functions that make pointers.
package flags

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A boolFlag sets a pointer when the flag is given.
type boolFlag struct{ to **bool }

func (f boolFlag) Set(text string) error {
	v, err := strconv.ParseBool(text)
	*f.to = &v
	return err
}

func (f boolFlag) String() string { return "" }

type textFlag struct{ to **string }

func (f textFlag) Set(text string) error {
	*f.to = &text
	return nil
}

func (f textFlag) String() string { return "" }

// given has flags that may be missing.
type given struct {
	confidential *bool
	title, state *string
}

// optional returns nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// number returns nil for what is no number.
func number(text string) *int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil
	}
	return gitlab.Ptr(n)
}

func pointer[T any](v T) *T { return &v }

func parse(args ...string) (*given, error) {
	g := &given{}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Var(boolFlag{&g.confidential}, "confidential", "")
	set.Var(textFlag{&g.title}, "title", "")
	set.Var(textFlag{&g.state}, "state", "")
	return g, set.Parse(args)
}

func (g *given) list(client *gitlab.Client, search string) (int, error) {
	issues, _, err := client.Issues.ListProjectIssues("acme/shop", &gitlab.ListProjectIssuesOptions{
		State:        g.state,
		Confidential: g.confidential,
		Search:       optional(search),
		OrderBy:      pointer("created_at"),
	})
	return len(issues), err
}

func (g *given) update(client *gitlab.Client, milestone string) error {
	options := &gitlab.UpdateIssueOptions{MilestoneID: number(milestone), Description: optional(milestone)}
	if g.title != nil {
		options.Title = g.title
	}
	options.Confidential = g.confidential
	_, _, err := client.Issues.UpdateIssue("acme/shop", 1, options)
	return err
}

// archived has flags that set options, whose types are the same in both libraries.
func archived(client *gitlab.Client, args ...string) (int, error) {
	options := &gitlab.ListProjectsOptions{}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.Var(boolFlag{&options.Archived}, "archived", "")
	if err := set.Parse(args); err != nil {
		return 0, err
	}
	projects, _, err := client.Projects.ListProjects(options)
	return len(projects), err
}

// search has a flag that sets an option, which is a plain text in this library.
func search(client *gitlab.Client, args ...string) (int, error) {
	options := &gitlab.ListProjectsOptions{}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.Var(textFlag{&options.Search}, "search", "")
	if err := set.Parse(args); err != nil {
		return 0, err
	}
	projects, _, err := client.Projects.ListProjects(options)
	return len(projects), err
}

// Run calls with flags that are given and with flags that are not.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, args := range [][]string{nil, {"-confidential=true", "-title=T", "-state=opened"}, {"-confidential=false"}} {
		g, err := parse(args...)
		if err != nil {
			return "", err
		}
		n, err := g.list(client, "Issue")
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, n)
		if err := g.update(client, "none"); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{nil, {"-archived=true"}} {
		n, err := archived(client, args...)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, n)
	}
	n, err := search(client, "-search=part-1")
	return fmt.Sprint(out.String(), n), err
}
