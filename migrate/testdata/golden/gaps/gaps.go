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

// replace makes the changes that leave one level.
func replace(
	existing []*gitlab.BranchAccessDescription, level gitlab.AccessLevelValue,
) *[]*gitlab.BranchPermissionOptions {
	var changes []*gitlab.BranchPermissionOptions
	for _, old := range existing {
		changes = append(changes, &gitlab.BranchPermissionOptions{ID: gitlab.Ptr(old.ID), Destroy: gitlab.Ptr(true)})
	}
	changes = append(changes, &gitlab.BranchPermissionOptions{AccessLevel: gitlab.Ptr(level)})
	return &changes
}

// protect protects a branch, and changes who may push.
func protect(client *gitlab.Client) (int, error) {
	branch, _, err := client.ProtectedBranches.ProtectRepositoryBranches("acme/shop",
		&gitlab.ProtectRepositoryBranchesOptions{Name: gitlab.Ptr("release")})
	if err != nil {
		return 0, err
	}
	branch, _, err = client.ProtectedBranches.UpdateProtectedBranch("acme/shop", "release",
		&gitlab.UpdateProtectedBranchOptions{
			AllowedToPush: replace(branch.PushAccessLevels, gitlab.DeveloperPermissions),
		})
	if err != nil {
		return 0, err
	}
	return len(branch.PushAccessLevels), nil
}

// search looks for two kinds of things with the same options.
func search(client *gitlab.Client, ref string) (string, error) {
	options := &gitlab.SearchOptions{}
	options.PerPage = 20
	if ref != "" {
		options.Ref = &ref
	}
	projects, _, err := client.Search.Projects("shop", options)
	if err != nil {
		return "", err
	}
	labels := gitlab.LabelOptions{}
	for _, label := range strings.Fields("new urgent") {
		labels = append(labels, label)
	}
	urgent, _, err := client.Issues.ListProjectIssues("acme/shop", &gitlab.ListProjectIssuesOptions{Labels: &labels})
	if err != nil {
		return "", err
	}
	issues, _, err := client.Search.Issues("Issue", options)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(len(projects), len(urgent), len(issues)), nil
}

// language finds the language that most of a project is written in.
func language(client *gitlab.Client) (string, error) {
	languages, _, err := client.Projects.GetProjectLanguages("acme/shop")
	if err != nil {
		return "", err
	}
	best, most := "", float32(0)
	for name, percent := range *languages {
		if percent > most {
			best, most = name, percent
		}
	}
	return fmt.Sprint(best, most > 50), nil
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
	found, err := search(client, "")
	if err != nil {
		return "", err
	}
	best, err := language(client)
	if err != nil {
		return "", err
	}
	levels, err := protect(client)
	if err != nil {
		return "", err
	}
	_, _, err = client.Projects.CreateProject(&gitlab.CreateProjectOptions{Path: gitlab.Ptr("gap")})
	message := err.(*gitlab.ErrorResponse).Message
	return fmt.Sprintln(created.Name, list, found, best, levels, message != "", invite(client, "ada@example.com")), nil
}
