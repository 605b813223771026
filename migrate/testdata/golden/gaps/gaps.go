// Package gaps uses what has no place of its own in this library.
package gaps

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// pipelines says which commits have one: a list never does.
func pipelines(client *gitlab.Client) (string, error) {
	commits, _, err := client.Commits.ListCommits("acme/shop", nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, commit := range commits {
		if commit.LastPipeline != nil {
			out.WriteString(commit.LastPipeline.Status)
		}
		fmt.Fprintln(&out, commit.Title)
	}
	return out.String(), nil
}

// invite says what the service says of an address.
func invite(client *gitlab.Client, email string) string {
	result, _, err := client.Invites.ProjectInvites("acme/shop", &gitlab.InvitesOptions{
		Email: gitlab.Ptr(email), AccessLevel: gitlab.Ptr(gitlab.GuestPermissions),
	})
	if err != nil {
		return err.(*gitlab.ErrorResponse).Message
	}
	return result.Status + result.Message[email]
}

// Run creates a project with a field of old, and asks for what is not there.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	options := &gitlab.CreateProjectOptions{
		Name:        gitlab.Ptr("gap"),
		JobsEnabled: gitlab.Ptr(true),
	}
	created, _, err := client.Projects.CreateProject(options)
	if err != nil {
		return "", err
	}
	list, err := pipelines(client)
	if err != nil {
		return "", err
	}
	_, _, err = client.Projects.CreateProject(&gitlab.CreateProjectOptions{Path: gitlab.Ptr("gap")})
	message := err.(*gitlab.ErrorResponse).Message
	return fmt.Sprintln(created.Name, list, message != "", invite(client, "ada@example.com")), nil
}
