package main

import (
	"os"
	"testing"

	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPage checks that the tables on the page are what the command writes.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../" + page)
	require.NoError(t, err)
	all, err := table.Load()
	require.NoError(t, err)
	written, err := replace(string(text), tables(all))
	require.NoError(t, err)
	if string(text) != written {
		t.Error("docs/migration.md differs from the table; run: go generate ./...")
	}
}

func TestRows(t *testing.T) {
	all, err := table.Load()
	require.NoError(t, err)
	row := func(name string, form int) string { return rowOf(all.Method(name)[form]) }
	assert.Equal(t, "| `Jobs.GetJob` | `client.Jobs.Get(ctx, project, jobID)` | |\n", row("Jobs.GetJob", 0))
	assert.Equal(t, "| `Runners.ListRunners` | `client.Runners.All(ctx, serviceapi.Own, options)` | |\n",
		row("Runners.ListRunners", 0))
	assert.Equal(t, "| `Notes.GetIssueNote` | `client.Notes.Get(ctx, project.Issue(issue), note)` | |\n",
		row("Notes.GetIssueNote", 0))
	assert.Contains(t, row("AwardEmoji.GetIssuesAwardEmojiOnNote", 0),
		"(ctx, project.Issue(issueID).Note(noteID), awardID)")
	assert.Contains(t, row("Jobs.DownloadArtifactsFile", 0), "| `refName` is the field `Ref`; ")
	assert.Contains(t, row("Discussions.ResolveMergeRequestDiscussion", 0), "| if `Resolved` is true |")
	assert.Contains(t, row("Discussions.ResolveMergeRequestDiscussion", 1), "| if `Resolved` is false |")
	assert.Contains(t, row("Validate.Lint", 0), "| `Validate.Lint` (earlier versions) | ")
	assert.Contains(t, row("Repositories.StreamArchive", 0), "| copy the stream of ")
	assert.Contains(t, row("GroupMembers.AddGroupMember", 0), "(ctx, group, user, opt.AccessLevel, options)")
}

func TestReplace(t *testing.T) {
	written, err := replace("a\n"+begin+"old\n"+end+"b\n", "new\n")
	require.NoError(t, err)
	assert.Equal(t, "a\n"+begin+"\nnew\n\n"+end+"b\n", written)
	_, err = replace("a\n"+end+begin, "")
	assert.Error(t, err)
	assert.Error(t, write("no such page"))
}
