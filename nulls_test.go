package serviceapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUpdatesSendNull sends null for each field of an update that takes something away.
func TestUpdatesSendNull(t *testing.T) {
	app, acme := ProjectID(3), GroupID(4)
	for _, test := range []struct {
		path, json string
		call       func(*Client) error
	}{
		{"/projects/3/issues/6", `{"weight":null}`, func(c *Client) error {
			return errorOf(c.Issues.Update(t.Context(), app.Issue(6), UpdateIssueOptions{Weight: Null[int]()}))
		}},
		{"/projects/3/merge_requests/7", `{"merge_after":null}`, func(c *Client) error {
			return errorOf(c.MergeRequests.Update(t.Context(), app.MergeRequest(7),
				UpdateMergeRequestOptions{MergeAfter: Null[time.Time]()}))
		}},
		{"/groups/4/epics/5", `{"start_date_fixed":null,"due_date_fixed":null,"parent_id":null}`,
			func(c *Client) error {
				return errorOf(c.Epics.Update(t.Context(), acme.Epic(5), UpdateEpicOptions{
					StartDateFixed: Null[Date](), DueDateFixed: Null[Date](), ParentID: Null[int64]()}))
			}},
		{"/groups/4", `{"auto_devops_enabled":null,"max_artifacts_size":null,
			"extra_shared_runners_minutes_limit":null,"file_template_project_id":null}`, func(c *Client) error {
			return errorOf(c.Groups.Update(t.Context(), acme, UpdateGroupOptions{
				AutoDevOpsEnabled: Null[bool](), MaxArtifactsSize: Null[int64](),
				ExtraSharedRunnersMinutesLimit: Null[int64](), FileTemplateProjectID: Null[int64]()}))
		}},
		{"/projects/3", `{"ci_default_git_depth":null,"ci_delete_pipelines_in_seconds":null,
			"max_artifacts_size":null}`, func(c *Client) error {
			return errorOf(c.Projects.Update(t.Context(), app, UpdateProjectOptions{
				CIDefaultGitDepth: Null[int](), CIDeletePipelinesInSeconds: Null[int64](),
				MaxArtifactsSize: Null[int64]()}))
		}},
		{"/users/2", `{"extra_shared_runners_minutes_limit":null}`, func(c *Client) error {
			return errorOf(c.Users.Update(t.Context(), UserID(2),
				UpdateUserOptions{ExtraSharedRunnersMinutesLimit: Null[int64]()}))
		}},
		{"/runners/8", `{"maximum_timeout":null}`, func(c *Client) error {
			return errorOf(c.Runners.Update(t.Context(), 8, UpdateRunnerOptions{MaximumTimeout: Null[int64]()}))
		}},
		{"/groups/4/invitations/a@example.org", `{"expires_at":null}`, func(c *Client) error {
			return errorOf(c.Invitations.Update(t.Context(), acme, "a@example.org",
				UpdateInvitationOptions{ExpiresAt: Null[time.Time]()}))
		}},
	} {
		t.Run(test.path, func(t *testing.T) {
			client := onWire(t, exchange{Method: "PUT", Path: test.path, JSON: test.json, Body: `{"id":1}`})
			require.NoError(t, test.call(client))
		})
	}
}
