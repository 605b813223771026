package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNotificationSettings(t *testing.T) {
	const global, inProject, inGroup = "/notification_settings", "/projects/acme%2Fapp/notification_settings",
		"/groups/7/notification_settings"
	const whole = "notification_settings/settings.json"
	client := onWire(t,
		exchange{Method: "GET", Path: global, Fixture: whole},
		exchange{Method: "GET", Path: inProject,
			Body: `{"level":"custom","events":{"new_note":null,"new_issue":false}}`},
		exchange{Method: "GET", Path: inGroup, Body: `{"level":"global"}`},
		exchange{Method: "PUT", Path: global, Fixture: whole,
			JSON: `{"level":"custom","notification_email":"a@b.test","new_release":false,"new_note":true,` +
				`"new_issue":true,"reopen_issue":false,"close_issue":true,"reassign_issue":true,"issue_due":false,` +
				`"new_merge_request":true,"push_to_merge_request":true,"reopen_merge_request":false,` +
				`"close_merge_request":true,` +
				`"reassign_merge_request":true,"change_reviewer_merge_request":false,` +
				`"merge_merge_request":true,"failed_pipe` +
				`line":true,"fixed_pipeline":false,"success_pipeline":true,"moved_project":true,` +
				`"merge_when_pipeline_` +
				`succeeds":false,"new_epic":true,"approver":true,"service_account_failed_pipeline":false,` +
				`"service_acc` +
				`ount_success_pipeline":true,"service_account_fixed_pipeline":true}`},
		exchange{Method: "PUT", Path: inProject, JSON: `{"level":"watch","approver":true}`, Body: `{"level":"watch"}`},
		exchange{Method: "PUT", Path: inGroup, JSON: `{"new_epic":false}`, Body: `{"level":"mention"}`})
	s, ctx := client.NotificationSettings, t.Context()
	want := &serviceapi.NotificationSettings{
		Level: serviceapi.NotificationLevelCustom, NotificationEmail: "ada@example.com",
		Events: &serviceapi.NotificationEvents{
			NewRelease: new(true), NewNote: new(false), NewIssue: new(false), ReopenIssue: new(true),
			CloseIssue: new(false), ReassignIssue: new(false), IssueDue: new(true), NewMergeRequest: new(false),
			PushToMergeRequest: new(false), ReopenMergeRequest: new(true), CloseMergeRequest: new(false),
			ReassignMergeRequest: new(false), ChangeReviewerMergeRequest: new(true), MergeMergeRequest: new(false),
			FailedPipeline: new(false), FixedPipeline: new(true), SuccessPipeline: new(false),
			MovedProject: new(false), MergeWhenPipelineSucceeds: new(true), NewEpic: new(false), Approver: new(false),
			ServiceAccountFailedPipeline: new(true), ServiceAccountSuccessPipeline: new(false),
			ServiceAccountFixedPipeline: new(false),
		},
	}
	app, team := serviceapi.ProjectPath("acme/app"), serviceapi.GroupID(7)
	got, _, err := s.Get(ctx, serviceapi.Own)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.Get(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NotificationSettings{
		Level: serviceapi.NotificationLevelCustom, Events: &serviceapi.NotificationEvents{NewIssue: new(false)},
	}, got, "null is not false")
	got, _, err = s.Get(ctx, team)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NotificationSettings{Level: serviceapi.NotificationLevelGlobal}, got)

	got, _, err = s.Update(ctx, serviceapi.Own, serviceapi.UpdateNotificationSettingsOptions{
		Level: new(serviceapi.NotificationLevelCustom), NotificationEmail: new("a@b.test"),
		NewRelease: new(false), NewNote: new(true), NewIssue: new(true), ReopenIssue: new(false),
		CloseIssue: new(true), ReassignIssue: new(true), IssueDue: new(false), NewMergeRequest: new(true),
		PushToMergeRequest: new(true), ReopenMergeRequest: new(false), CloseMergeRequest: new(true),
		ReassignMergeRequest: new(true), ChangeReviewerMergeRequest: new(false), MergeMergeRequest: new(true),
		FailedPipeline: new(true), FixedPipeline: new(false), SuccessPipeline: new(true),
		MovedProject: new(true), MergeWhenPipelineSucceeds: new(false), NewEpic: new(true), Approver: new(true),
		ServiceAccountFailedPipeline: new(false), ServiceAccountSuccessPipeline: new(true),
		ServiceAccountFixedPipeline: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.Update(ctx, app, serviceapi.UpdateNotificationSettingsOptions{
		Level: new(serviceapi.NotificationLevelWatch), Approver: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NotificationLevelWatch, got.Level)
	got, _, err = s.Update(ctx, team, serviceapi.UpdateNotificationSettingsOptions{NewEpic: new(false)})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NotificationLevelMention, got.Level)
}

func TestNotificationSettingsRefuse(t *testing.T) {
	s, ctx := onWire(t).NotificationSettings, t.Context()
	for argument, owner := range map[string]serviceapi.NotificationSettingsOwner{
		"owner": nil, "id": serviceapi.ProjectID(0),
	} {
		assertRefused(t, argument, errorOf(s.Get(ctx, owner)))
		assertRefused(t, argument, errorOf(s.Update(ctx, owner, serviceapi.UpdateNotificationSettingsOptions{})))
	}
	toOther := serviceapi.UpdateNotificationSettingsOptions{NotificationEmail: new("a@b.test")}
	for _, tc := range []struct {
		argument string
		owner    serviceapi.NotificationSettingsOwner
		options  serviceapi.UpdateNotificationSettingsOptions
	}{
		{"NotificationEmail", somewhere, toOther},
		{"NotificationEmail", someTeam, toOther},
		{"NewEpic", somewhere, serviceapi.UpdateNotificationSettingsOptions{NewEpic: new(true)}},
		{"Approver", someTeam, serviceapi.UpdateNotificationSettingsOptions{Approver: new(true)}},
	} {
		assertRefused(t, tc.argument, errorOf(s.Update(ctx, tc.owner, tc.options)))
	}
}
