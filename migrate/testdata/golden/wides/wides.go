// Package wides makes options elsewhere than in the call, with fields that are arguments of the new
// call, or that the new options lack.
package wides

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"

	"example.com/serviceapi/migrate/testdata/golden/wides/api"
)

// target returns options for a link to another issue.
func target(project string, issue int) *gitlab.CreateIssueLinkOptions {
	return &gitlab.CreateIssueLinkOptions{
		TargetProjectID: gitlab.Ptr(project),
		TargetIssueIID:  gitlab.Ptr(strconv.Itoa(issue)),
		LinkType:        gitlab.Ptr("relates_to"),
	}
}

// archive returns the first bytes of an archive, which a format decides.
func archive(client *gitlab.Client, format, path string) (string, error) {
	options := &gitlab.ArchiveOptions{SHA: gitlab.Ptr("main")}
	if format != "" {
		options.Format = gitlab.Ptr(format)
	}
	if path != "" {
		options.Path = gitlab.Ptr(path)
	}
	name := "shop"
	if options.Format != nil {
		name += "." + *options.Format
	}
	data, _, err := client.Repositories.Archive("acme/shop", options)
	if err != nil {
		return "", err
	}
	zip := bytes.HasPrefix(data, []byte("PK"))
	return fmt.Sprintln(name, zip, len(data) > 0), nil
}

// rename changes a label. The service ignores the old field for the name.
func rename(client *gitlab.Client, id int64, name, color string) (string, error) {
	options := &gitlab.UpdateLabelOptions{}
	if name != "" {
		options.Name = &name
	}
	if color != "" {
		options.Color = gitlab.Ptr(color)
	}
	label, _, err := client.Labels.UpdateLabel("acme/shop", id, options)
	if err != nil {
		return "", err
	}
	return label.Name + " " + label.Color, nil
}

// add adds a member, whose level and last day are set later.
func add(client *gitlab.Client, username string, level gitlab.AccessLevelValue, until string) (string, error) {
	users, _, err := client.Users.ListUsers(&gitlab.ListUsersOptions{Username: &username})
	if err != nil || len(users) != 1 {
		return "", fmt.Errorf("users: %d, %w", len(users), err)
	}
	options := &gitlab.AddProjectMemberOptions{}
	options.AccessLevel = gitlab.Ptr(level)
	if until != "" {
		options.ExpiresAt = gitlab.Ptr(until)
	}
	options.UserID = users[0].ID
	member, _, err := client.ProjectMembers.AddProjectMember("acme/shop", options)
	if err != nil {
		return "", err
	}
	return fmt.Sprintln(member.Username, member.AccessLevel == level, member.ExpiresAt), nil
}

// branch makes two branches with the same options, whose name changes in between.
var branch = func(client *gitlab.Client, names *[]string, prefix string) error {
	name := prefix
	options := &gitlab.CreateBranchOptions{Branch: &name, Ref: gitlab.Ptr("main")}
	for range 2 {
		branch, _, err := client.Branches.CreateBranch("acme/shop", options)
		if err != nil {
			return err
		}
		*names = append(*names, branch.Name)
		name += "-again"
	}
	return nil
}

// A request is what a command asks for.
type request struct {
	Labels []string
	Source string
}

// merge makes a merge request with labels of an issue and more.
var merge = func(client *gitlab.Client, in *request) (gitlab.Labels, error) {
	options := &gitlab.CreateMergeRequestOptions{}
	if in.Source != "" {
		issue, _, err := client.Issues.GetIssue("acme/shop", 1)
		if err != nil {
			return nil, err
		}
		options.Labels = (*gitlab.LabelOptions)(&issue.Labels)
	}
	options.Title = gitlab.Ptr("More")
	options.SourceBranch = &in.Source
	options.TargetBranch = gitlab.Ptr("main")
	if options.Labels == nil {
		options.Labels = &gitlab.LabelOptions{}
	}
	*options.Labels = append(*options.Labels, in.Labels...)
	mr, _, err := client.MergeRequests.CreateMergeRequest("acme/shop", options)
	if err != nil {
		return nil, err
	}
	return mr.Labels, nil
}

// Run is the program.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	issue, _, err := client.Issues.CreateIssue("acme/shop", &gitlab.CreateIssueOptions{Title: gitlab.Ptr("Other")})
	if err != nil {
		return "", err
	}
	options := target("acme/shop", int(issue.IID))
	options.LinkType = nil
	linked, err := api.Link(client, "acme/shop", 1, options)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, linked == issue.IID)
	for _, format := range []string{"zip", "tar.gz"} {
		text, err := archive(client, format, "")
		if err != nil {
			return "", err
		}
		out.WriteString(text)
	}
	label, _, err := client.Labels.CreateLabel("acme/shop", &gitlab.CreateLabelOptions{
		Name: gitlab.Ptr("slow"), Color: gitlab.Ptr("#ff0000")})
	if err != nil {
		return "", err
	}
	for _, name := range []string{"", "slow"} {
		text, err := rename(client, label.ID, name, "#00ff00")
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, text)
	}
	for username, until := range map[string]string{"reviewer": "2035-01-02"} {
		text, err := add(client, username, gitlab.DeveloperPermissions, until)
		if err != nil {
			return "", err
		}
		out.WriteString(text)
	}
	var names []string
	if err := branch(client, &names, "fix"); err != nil {
		return "", err
	}
	labels, err := merge(client, &request{Labels: []string{"slow"}, Source: names[1]})
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, names, labels)
	_, err = client.UsageData.TrackEvent(&gitlab.TrackEventOptions{
		Event: "cli_command_used", AdditionalProperties: map[string]string{"label": "issue"}})
	fmt.Fprintln(&out, err == nil)
	return out.String(), nil
}
