package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/require"
)

// TestUpdatesSendNull sends null for each field of an update that takes something away.
func TestUpdatesSendNull(t *testing.T) {
	app, acme := serviceapi.ProjectID(3), serviceapi.GroupID(4)
	for _, test := range []struct {
		path, json string
		call       func(*serviceapi.Client) error
	}{
		{"/projects/3/issues/6", `{"weight":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.Issues.Update(t.Context(), app.Issue(6),
				serviceapi.UpdateIssueOptions{Weight: serviceapi.Null[int]()}))
		}},
		{"/projects/3/merge_requests/7", `{"merge_after":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.MergeRequests.Update(t.Context(), app.MergeRequest(7),
				serviceapi.UpdateMergeRequestOptions{MergeAfter: serviceapi.Null[time.Time]()}))
		}},
		{"/groups/4/epics/5", `{"start_date_fixed":null,"due_date_fixed":null,"parent_id":null}`,
			func(c *serviceapi.Client) error {
				return errorOf(c.Epics.Update(t.Context(), acme.Epic(5), serviceapi.UpdateEpicOptions{
					StartDateFixed: serviceapi.Null[serviceapi.Date](),
					DueDateFixed:   serviceapi.Null[serviceapi.Date](), ParentID: serviceapi.Null[int64]()}))
			}},
		{"/groups/4", `{"auto_devops_enabled":null,"max_artifacts_size":null,
			"extra_shared_runners_minutes_limit":null,"file_template_project_id":null}`,
			func(c *serviceapi.Client) error {
				return errorOf(c.Groups.Update(t.Context(), acme, serviceapi.UpdateGroupOptions{
					AutoDevOpsEnabled: serviceapi.Null[bool](), MaxArtifactsSize: serviceapi.Null[int64](),
					ExtraSharedRunnersMinutesLimit: serviceapi.Null[int64](),
					FileTemplateProjectID:          serviceapi.Null[int64]()}))
			}},
		{"/projects/3", `{"ci_default_git_depth":null,"ci_delete_pipelines_in_seconds":null,
			"max_artifacts_size":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.Projects.Update(t.Context(), app, serviceapi.UpdateProjectOptions{
				CIDefaultGitDepth: serviceapi.Null[int](), CIDeletePipelinesInSeconds: serviceapi.Null[int64](),
				MaxArtifactsSize: serviceapi.Null[int64]()}))
		}},
		{"/users/2", `{"extra_shared_runners_minutes_limit":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.Users.Update(t.Context(), serviceapi.UserID(2),
				serviceapi.UpdateUserOptions{ExtraSharedRunnersMinutesLimit: serviceapi.Null[int64]()}))
		}},
		{"/runners/8", `{"maximum_timeout":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.Runners.Update(t.Context(), 8,
				serviceapi.UpdateRunnerOptions{MaximumTimeout: serviceapi.Null[int64]()}))
		}},
		{"/groups/4/invitations/a@example.org", `{"expires_at":null}`, func(c *serviceapi.Client) error {
			return errorOf(c.Invitations.Update(t.Context(), acme, "a@example.org",
				serviceapi.UpdateInvitationOptions{ExpiresAt: serviceapi.Null[time.Time]()}))
		}},
	} {
		t.Run(test.path, func(t *testing.T) {
			client := onWire(t, exchange{Method: "PUT", Path: test.path, JSON: test.json, Body: `{"id":1}`})
			require.NoError(t, test.call(client))
		})
	}
}
