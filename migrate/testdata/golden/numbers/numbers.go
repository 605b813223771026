// Package numbers names what belongs to projects and groups, by numbers in these and by IDs.
package numbers

import (
	"fmt"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

const shop = "acme/shop"

// Run reviews a merge request, and comments on an epic and on a commit.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, step := range []func(*strings.Builder, *gitlab.Client) error{review, plan} {
		if err := step(&out, client); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

func review(out *strings.Builder, client *gitlab.Client) error {
	mrs, _, err := client.MergeRequests.ListProjectMergeRequests(shop, nil)
	if err != nil {
		return err
	}
	for _, mr := range mrs {
		if err := unsubscribe(client, mr.ProjectID, mr.IID); err != nil {
			return err
		}
		details, _, err := client.MergeRequests.GetMergeRequest(mr.ProjectID, mr.IID, nil)
		if err != nil {
			return err
		}
		versions, _, err := client.MergeRequests.GetMergeRequestDiffVersions(mr.ProjectID, mr.IID, nil)
		if err != nil {
			return err
		}
		version, _, err := client.MergeRequests.GetSingleMergeRequestDiffVersion(shop, mr.IID, versions[0].ID, nil)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, details.Title, version.State)
		if err := react(client, mr); err != nil {
			return err
		}
	}
	return nil
}

// unsubscribe takes the project as client-go does.
func unsubscribe(client *gitlab.Client, pid any, iid int64) error {
	_, _, err := client.MergeRequests.UnsubscribeFromMergeRequest(pid, iid)
	return err
}

func react(client *gitlab.Client, mr *gitlab.BasicMergeRequest) error {
	note, _, err := client.Notes.CreateMergeRequestNote(
		mr.ProjectID,
		mr.IID,
		&gitlab.CreateMergeRequestNoteOptions{Body: gitlab.Ptr("Fine")},
	)
	if err != nil {
		return err
	}
	emoji := &gitlab.CreateAwardEmojiOptions{Name: "tada"}
	_, _, err = client.AwardEmoji.CreateMergeRequestAwardEmojiOnNote(shop, mr.IID, note.ID, emoji)
	return err
}

func plan(out *strings.Builder, client *gitlab.Client) error {
	epic, _, err := client.Epics.CreateEpic("acme", &gitlab.CreateEpicOptions{Title: gitlab.Ptr("Plan")})
	if err != nil {
		return err
	}
	update := &gitlab.UpdateEpicOptions{Title: gitlab.Ptr("The plan")}
	if epic, _, err = client.Epics.UpdateEpic("acme", epic.IID, update); err != nil {
		return err
	}
	body := gitlab.Ptr("Soon")
	if _, _, err = client.Notes.CreateEpicNote("acme", epic.ID, &gitlab.CreateEpicNoteOptions{Body: body}); err != nil {
		return err
	}
	notes, _, err := client.Notes.ListEpicNotes(epic.GroupID, epic.ID, nil)
	if err != nil {
		return err
	}
	commit, _, err := client.Commits.GetCommit(shop, "work", nil)
	if err != nil {
		return err
	}
	options := &gitlab.CreateCommitDiscussionOptions{Body: body}
	discussion, _, err := client.Discussions.CreateCommitDiscussion(shop, commit.ID, options)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, epic.Title, len(notes), discussion.Notes[0].Body)
	return nil
}
