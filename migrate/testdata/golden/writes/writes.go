// Package writes creates, changes and deletes.
package writes

import (
	"context"
	"fmt"
	"strings"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

const title = "A title"

// Run writes to acme/shop.
func Run(url, token string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := gitlab.NewClient(
		token,
		gitlab.WithBaseURL(url+"/api/v4"),
		gitlab.WithCustomRetryMax(2),
		gitlab.WithUserAgent("golden"),
	)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	project, _, err := client.Projects.GetProject("acme/shop", nil, gitlab.WithContext(ctx))
	if err != nil {
		return "", err
	}
	labels := gitlab.LabelOptions{"bug", "urgent"}
	issue, _, err := client.Issues.CreateIssue(project.ID, &gitlab.CreateIssueOptions{
		Title:        gitlab.Ptr(title), // as it is shown
		Description:  gitlab.Ptr("Text"),
		Labels:       &labels,
		Confidential: gitlab.Ptr(true),
	}, gitlab.WithContext(ctx))
	if err != nil {
		return "", err
	}
	again := &gitlab.CreateIssueOptions{Title: &issue.Title, Labels: (*gitlab.LabelOptions)(&issue.Labels)}
	if _, _, err := client.Issues.CreateIssue(project.ID, again, gitlab.WithContext(ctx)); err != nil {
		return "", err
	}
	fmt.Fprintln(&out, issue.IID, issue.Title, strings.Join(issue.Labels, ","), issue.State)
	update := &gitlab.UpdateIssueOptions{}
	update.Title = gitlab.Ptr("Another")
	update.StateEvent = gitlab.Ptr("close")
	if _, _, err = client.Issues.UpdateIssue(project.ID, issue.IID, update, gitlab.WithContext(ctx)); err != nil {
		return "", err
	}
	note, _, err := client.Notes.CreateIssueNote(project.ID, issue.IID,
		&gitlab.CreateIssueNoteOptions{Body: gitlab.Ptr("Done")}, gitlab.WithContext(ctx))
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, note.Body, note.Author.Username)
	return out.String(), more(ctx, client, int(project.ID))
}

func more(ctx context.Context, client *gitlab.Client, project int) error {
	_, _, err := client.ProjectVariables.CreateVariable(project, &gitlab.CreateProjectVariableOptions{
		Key:   gitlab.Ptr("KEY"),
		Value: gitlab.Ptr("value-of-the-key"),
	}, gitlab.WithContext(ctx))
	if err != nil {
		return err
	}
	hook, _, err := client.Projects.AddProjectHook(project, &gitlab.AddProjectHookOptions{
		URL:        gitlab.Ptr("http://127.0.0.1:1/hook"),
		PushEvents: gitlab.Ptr(false),
		Token:      gitlab.Ptr("secret"),
	}, gitlab.WithContext(ctx))
	if err != nil {
		return err
	}
	if _, err := client.Projects.DeleteProjectHook(project, hook.ID, gitlab.WithContext(ctx)); err != nil {
		return err
	}
	_, err = client.ProjectVariables.RemoveVariable(project, "KEY", nil, gitlab.WithContext(ctx))
	return err
}
