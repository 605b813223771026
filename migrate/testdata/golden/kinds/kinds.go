// Package kinds has types of client-go that this library does not have: the languages of a project,
// and the options of a method that is two methods here.
package kinds

import (
	"fmt"
	"slices"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// A resolver resolves discussions.
type resolver interface {
	ResolveMergeRequestDiscussion(pid any, mergeRequest int64, discussion string,
		opt *gitlab.ResolveMergeRequestDiscussionOptions, options ...gitlab.RequestOptionFunc,
	) (*gitlab.Discussion, *gitlab.Response, error)
}

type payload struct{ Resolved bool }

type desk struct{ resolver resolver }

// set says in the call what to do.
func (d desk) set(discussion string, p *payload) (bool, error) {
	answer, _, err := d.resolver.ResolveMergeRequestDiscussion("acme/shop", 1, discussion,
		&gitlab.ResolveMergeRequestDiscussionOptions{Resolved: &p.Resolved})
	if err != nil {
		return false, err
	}
	return answer.Notes[0].Resolved, nil
}

// choice makes the options elsewhere.
func choice(resolved bool) *gitlab.ResolveMergeRequestDiscussionOptions {
	o := &gitlab.ResolveMergeRequestDiscussionOptions{}
	o.Resolved = gitlab.Ptr(resolved)
	return o
}

func resolve(client *gitlab.Client, discussion string) (bool, error) {
	answer, _, err := client.Discussions.ResolveMergeRequestDiscussion("acme/shop", 1, discussion, choice(true))
	if err != nil {
		return false, err
	}
	return answer.Notes[0].Resolved, nil
}

// A summary keeps the languages of a project.
type summary struct{ languages *gitlab.ProjectLanguages }

func languages(client *gitlab.Client) (*gitlab.ProjectLanguages, error) {
	found, _, err := client.Projects.GetProjectLanguages("acme/shop")
	return found, err
}

func (s *summary) read(client *gitlab.Client) (err error) {
	s.languages, err = languages(client)
	return err
}

func (s summary) names() []string {
	if s.languages == nil {
		return nil
	}
	var names []string
	for name, share := range *s.languages {
		if share > 0 {
			names = append(names, fmt.Sprint(name, share, (*s.languages)[name] == share))
		}
	}
	slices.Sort(names)
	return names
}

// Run resolves a discussion, and reads the languages of a project.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	d, _, err := client.Discussions.CreateMergeRequestDiscussion("acme/shop", 1,
		&gitlab.CreateMergeRequestDiscussionOptions{Body: gitlab.Ptr("Why?")})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, resolved := range []bool{true, false} {
		set, err := desk{client.Discussions}.set(d.ID, &payload{resolved})
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, set)
	}
	set, err := resolve(client, d.ID)
	if err != nil {
		return "", err
	}
	s := &summary{}
	fmt.Fprintln(&out, set, s.names())
	if err := s.read(client); err != nil {
		return "", err
	}
	return fmt.Sprint(out.String(), s.names()), nil
}
