package serviceapi

import (
	"context"
	"net/http"
)

// NotificationSettingsService says what the caller is told of by email: everywhere, in a project or in
// a group. The owner is [Own], a [ProjectRef] or a [GroupRef]. A project or a group that the caller
// cannot see is [ErrNotFound].
//
//	shop := serviceapi.ProjectPath("acme/shop")
//	settings, _, err := client.NotificationSettings.Get(ctx, shop)
//
// Its options are [UpdateNotificationSettingsOptions]. See the example of
// [NotificationSettingsService.Update].
type NotificationSettingsService service

// NotificationSettingsOwner is an owner of notification settings: [Own], a [ProjectRef] or a
// [GroupRef]. The settings are always those of the caller.
type NotificationSettingsOwner interface{ hasNotificationSettings() }

func (CallerOwner) hasNotificationSettings() {}
func (ProjectRef) hasNotificationSettings()  {}
func (GroupRef) hasNotificationSettings()    {}

func notificationSettingsOf(owner NotificationSettingsOwner) Endpoint {
	if _, own := owner.(CallerOwner); own {
		return Route("/notification_settings")
	}
	return below(owner, "/notification_settings")
}

// Get returns what the caller is told of.
//
//	GET /notification_settings
//	GET /projects/:id/notification_settings
//	GET /groups/:id/notification_settings
func (s *NotificationSettingsService) Get(
	ctx context.Context, owner NotificationSettingsOwner, opts ...RequestOption,
) (*NotificationSettings, *Response, error) {
	return do[NotificationSettings](ctx, using(s), http.MethodGet, notificationSettingsOf(owner), nil, opts)
}

// Update changes what the caller is told of. Events count with [NotificationLevelCustom]; with another
// level, they are kept for later. The call returns [ErrBadRequest] for an unknown level, and for an
// email address that the caller has not verified.
//
//	PUT /notification_settings
//	PUT /projects/:id/notification_settings
//	PUT /groups/:id/notification_settings
func (s *NotificationSettingsService) Update(
	ctx context.Context, owner NotificationSettingsOwner, options UpdateNotificationSettingsOptions,
	opts ...RequestOption,
) (*NotificationSettings, *Response, error) {
	return do[NotificationSettings](ctx, using(s), http.MethodPut,
		notificationSettingsOf(owner), jsonFor(owner, options), opts)
}

// NotificationLevel says of how much somebody is told.
type NotificationLevel string

// Levels of notifications. NotificationLevelGlobal is what [Own] has, the default of projects and
// groups; NotificationLevelCustom are the events that are chosen. [Own] begins with
// NotificationLevelParticipating.
const (
	NotificationLevelDisabled      NotificationLevel = "disabled"
	NotificationLevelParticipating NotificationLevel = "participating"
	NotificationLevelWatch         NotificationLevel = "watch"
	NotificationLevelGlobal        NotificationLevel = "global"
	NotificationLevelMention       NotificationLevel = "mention"
	NotificationLevelCustom        NotificationLevel = "custom"
)

// NotificationSettings say what the caller is told of.
type NotificationSettings struct {
	Level NotificationLevel `json:"level"`
	// Events are nil unless Level is [NotificationLevelCustom].
	Events *NotificationEvents `json:"events"`
	// NotificationEmail is the address that emails go to. It is empty for projects and groups.
	NotificationEmail string `json:"notification_email"`
}

// NotificationEvents say of which events somebody is told. Nil means the default of the event, or that
// the release or the edition does not have it.
type NotificationEvents struct {
	NewRelease                 *bool `json:"new_release"`
	NewNote                    *bool `json:"new_note"`
	NewIssue                   *bool `json:"new_issue"`
	ReopenIssue                *bool `json:"reopen_issue"`
	CloseIssue                 *bool `json:"close_issue"`
	ReassignIssue              *bool `json:"reassign_issue"`
	IssueDue                   *bool `json:"issue_due"`
	NewMergeRequest            *bool `json:"new_merge_request"`
	PushToMergeRequest         *bool `json:"push_to_merge_request"`
	ReopenMergeRequest         *bool `json:"reopen_merge_request"`
	CloseMergeRequest          *bool `json:"close_merge_request"`
	ReassignMergeRequest       *bool `json:"reassign_merge_request"`
	ChangeReviewerMergeRequest *bool `json:"change_reviewer_merge_request"`
	MergeMergeRequest          *bool `json:"merge_merge_request"`
	FailedPipeline             *bool `json:"failed_pipeline"`
	FixedPipeline              *bool `json:"fixed_pipeline"`
	SuccessPipeline            *bool `json:"success_pipeline"`
	MovedProject               *bool `json:"moved_project"`
	MergeWhenPipelineSucceeds  *bool `json:"merge_when_pipeline_succeeds"`
	// NewEpic is nil for projects. Premium.
	NewEpic *bool `json:"new_epic"`
	// Approver is whether the caller is told of a merge request that the caller may approve. It is
	// nil for groups. Premium.
	Approver *bool `json:"approver"`
	// The next three are about pipelines of service accounts. Premium. Since about 17.x.
	ServiceAccountFailedPipeline  *bool `json:"service_account_failed_pipeline"`
	ServiceAccountSuccessPipeline *bool `json:"service_account_success_pipeline"`
	ServiceAccountFixedPipeline   *bool `json:"service_account_fixed_pipeline"`
}

// UpdateNotificationSettingsOptions changes notification settings. Nil fields are left unchanged: an
// event that was set cannot return to its default.
type UpdateNotificationSettingsOptions struct {
	Level *NotificationLevel `json:"level,omitzero"`
	// NotificationEmail is an address that the caller has verified. It is only for [Own].
	NotificationEmail          *string `json:"notification_email,omitzero" only:"own"`
	NewRelease                 *bool   `json:"new_release,omitzero"`
	NewNote                    *bool   `json:"new_note,omitzero"`
	NewIssue                   *bool   `json:"new_issue,omitzero"`
	ReopenIssue                *bool   `json:"reopen_issue,omitzero"`
	CloseIssue                 *bool   `json:"close_issue,omitzero"`
	ReassignIssue              *bool   `json:"reassign_issue,omitzero"`
	IssueDue                   *bool   `json:"issue_due,omitzero"`
	NewMergeRequest            *bool   `json:"new_merge_request,omitzero"`
	PushToMergeRequest         *bool   `json:"push_to_merge_request,omitzero"`
	ReopenMergeRequest         *bool   `json:"reopen_merge_request,omitzero"`
	CloseMergeRequest          *bool   `json:"close_merge_request,omitzero"`
	ReassignMergeRequest       *bool   `json:"reassign_merge_request,omitzero"`
	ChangeReviewerMergeRequest *bool   `json:"change_reviewer_merge_request,omitzero"`
	MergeMergeRequest          *bool   `json:"merge_merge_request,omitzero"`
	FailedPipeline             *bool   `json:"failed_pipeline,omitzero"`
	FixedPipeline              *bool   `json:"fixed_pipeline,omitzero"`
	SuccessPipeline            *bool   `json:"success_pipeline,omitzero"`
	MovedProject               *bool   `json:"moved_project,omitzero"`
	MergeWhenPipelineSucceeds  *bool   `json:"merge_when_pipeline_succeeds,omitzero"`
	// NewEpic is not for projects, and Approver not for groups. They and the next three are Premium.
	NewEpic                       *bool `json:"new_epic,omitzero" only:"own,group"`
	Approver                      *bool `json:"approver,omitzero" only:"own,project"`
	ServiceAccountFailedPipeline  *bool `json:"service_account_failed_pipeline,omitzero"`
	ServiceAccountSuccessPipeline *bool `json:"service_account_success_pipeline,omitzero"`
	ServiceAccountFixedPipeline   *bool `json:"service_account_fixed_pipeline,omitzero"`
}
