package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPushRules(t *testing.T) {
	const whole = "push_rules/push_rule.json"
	const none = `{"id":1,"created_at":"2026-01-15T09:00:00Z","commit_committer_check":null}`
	const everything = `{"deny_delete_tag":true,"member_check":true,"prevent_secrets":true,
		"commit_message_regex":"Closes #\\d+",
		"commit_message_negative_regex":"wip","branch_name_regex":"^(fix|feature)/",
		"author_email_regex":"@acme\\.example$","file_name_regex":"\\.exe$",
		"max_file_size":5,"commit_committer_check":true,"commit_committer_name_check":true,
		"reject_unsigned_commits":true,"reject_non_dco_commits":true}`
	want := &serviceapi.PushRule{
		ID: 4, ProjectID: new(int64(3)), CreatedAt: time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC),
		DenyDeleteTag: true, MemberCheck: true, PreventSecrets: true, CommitMessageRegex: `Closes #\d+`,
		CommitMessageNegativeRegex: `wip`, BranchNameRegex: `^(fix|feature)/`, AuthorEmailRegex: `@acme\.example$`,
		FileNameRegex: `\.exe$`, MaxFileSize: 5, CommitCommitterCheck: new(true),
		CommitCommitterNameCheck: new(true), RejectUnsignedCommits: new(true), RejectNonDCOCommits: new(true),
	}
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/3/push_rule", Fixture: whole},
		exchange{Method: "GET", Path: "/projects/3/push_rule", Body: "null"},
		exchange{Method: "GET", Path: "/groups/7/push_rule", Body: none},
		exchange{Method: "POST", Path: "/projects/3/push_rule", JSON: everything, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: "/groups/7/push_rule", JSON: everything, Fixture: whole},
		exchange{Method: "DELETE", Path: "/projects/3/push_rule", Status: 204},
		exchange{Method: "GET", Path: "/projects/3/push_rule", Status: 404, Body: `{"message":"404 Not Found"}`})
	s, ctx, project, group := client.PushRules, t.Context(), serviceapi.ProjectID(3), serviceapi.GroupID(7)
	got, _, err := s.Get(ctx, project)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, resp, err := s.Get(ctx, project)
	require.NoError(t, err, "a project without rules")
	assert.Nil(t, got)
	assert.Equal(t, 200, resp.StatusCode)
	got, _, err = s.Get(ctx, group)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.PushRule{ID: 1, CreatedAt: want.CreatedAt}, got)

	got, _, err = s.Create(ctx, project, serviceapi.CreatePushRuleOptions{
		DenyDeleteTag: new(true), MemberCheck: new(true), PreventSecrets: new(true),
		CommitMessageRegex: new(`Closes #\d+`), CommitMessageNegativeRegex: new(`wip`),
		BranchNameRegex: new(`^(fix|feature)/`), AuthorEmailRegex: new(`@acme\.example$`),
		FileNameRegex: new(`\.exe$`), MaxFileSize: new(5), CommitCommitterCheck: new(true),
		CommitCommitterNameCheck: new(true), RejectUnsignedCommits: new(true), RejectNonDCOCommits: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.Update(ctx, group, serviceapi.UpdatePushRuleOptions{
		DenyDeleteTag: new(true), MemberCheck: new(true), PreventSecrets: new(true),
		CommitMessageRegex: new(`Closes #\d+`), CommitMessageNegativeRegex: new(`wip`),
		BranchNameRegex: new(`^(fix|feature)/`), AuthorEmailRegex: new(`@acme\.example$`),
		FileNameRegex: new(`\.exe$`), MaxFileSize: new(5), CommitCommitterCheck: new(true),
		CommitCommitterNameCheck: new(true), RejectUnsignedCommits: new(true), RejectNonDCOCommits: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = s.Delete(ctx, project)
	require.NoError(t, err)
	require.ErrorIs(t, errorOf(s.Get(ctx, project)), serviceapi.ErrNotFound)
	assertRefused(t, "owner", errorOf(s.Get(ctx, nil)))
}
