package conventions

import (
	"reflect"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
)

// Why a field of an update cannot be sent as null although the result may have none.
const (
	neverSet      = "null says that nobody has set it, and false is the same"
	defaultIsSent = "null says that nobody has set it, and the default can be sent"
	alwaysThere   = "only older releases leave it out; it always has a value"
	onlyOlder     = "only older releases have it; it always has a value"
	zeroIsNone    = "0 means none"
	emptyClears   = "an empty string clears it"
	notSettable   = "null says that it does not apply to this object"
	neverNull     = "the object is always there"
	replaced      = "it can be replaced, but not removed"
)

// cannotBeNull are the fields of updates that are not sent as null, and why.
var cannotBeNull = map[string]string{
	"UpdateApprovalConfigurationOptions.DisableOverridingApproversPerMergeRequest": neverSet,
	"UpdateApprovalConfigurationOptions.MergeRequestsAuthorApproval":               neverSet,
	"UpdateApprovalConfigurationOptions.MergeRequestsDisableCommittersApproval":    neverSet,
	"UpdateApprovalConfigurationOptions.ResetApprovalsOnPush":                      neverSet,
	"UpdateApprovalConfigurationOptions.SelectiveCodeOwnerRemovals":                neverSet,
	"UpdateApprovalSettingOptions.AllowAuthorApproval":                             neverNull,
	"UpdateApprovalSettingOptions.AllowCommitterApproval":                          neverNull,
	"UpdateApprovalSettingOptions.AllowOverridesToApproverListPerMergeRequest":     neverNull,
	"UpdateApprovalSettingOptions.RequirePasswordToApprove":                        neverNull,
	"UpdateApprovalSettingOptions.RequireReauthenticationToApprove":                neverNull,
	"UpdateApprovalSettingOptions.RetainApprovalsOnPush":                           neverNull,
	"UpdateApprovalSettingOptions.SelectiveCodeOwnerRemovals":                      neverNull,
	"UpdateApplicationSettingsOptions.DefaultBranchProtectionDefaults":             replaced,
	"UpdateApplicationSettingsOptions.SignInRestrictions":                          replaced,
	"UpdateApplicationSettingsOptions.UserEmailLookupLimit":                        onlyOlder,
	"UpdateApplicationSettingsOptions.VSCodeExtensionMarketplace":                  replaced,
	"UpdateBroadcastMessageOptions.Dismissable":                                    neverSet,
	"UpdateDraftNoteOptions.Position":                                              replaced,
	"UpdateEpicOptions.DueDateIsFixed":                                             neverSet,
	"UpdateEpicOptions.StartDateIsFixed":                                           neverSet,
	"UpdateGroupOptions.DefaultBranchProtection":                                   alwaysThere,
	"UpdateGroupOptions.DefaultBranchProtectionDefaults":                           replaced,
	"UpdateGroupOptions.EmailsDisabled":                                            neverSet,
	"UpdateGroupOptions.EmailsEnabled":                                             defaultIsSent,
	"UpdateGroupOptions.MembershipLock":                                            neverSet,
	"UpdateGroupOptions.MentionsDisabled":                                          neverSet,
	"UpdateGroupOptions.PreventForkingOutsideGroup":                                neverSet,
	"UpdateGroupOptions.UniqueProjectDownloadLimit":                                zeroIsNone,
	"UpdateGroupOptions.UniqueProjectDownloadLimitIntervalInSeconds":               zeroIsNone,
	"UpdateIssueOptions.DiscussionLocked":                                          neverSet,
	"UpdateMergeRequestOptions.AllowCollaboration":                                 notSettable,
	"UpdateMergeRequestOptions.DiscussionLocked":                                   neverSet,
	"UpdatePagesDomainOptions.Certificate":                                         emptyClears,
	"UpdateProjectOptions.AllowMergeOnSkippedPipeline":                             neverSet,
	"UpdateProjectOptions.ApprovalsBeforeMerge":                                    zeroIsNone,
	"UpdateProjectOptions.BuildTimeout":                                            alwaysThere,
	"UpdateProjectOptions.CIForwardDeploymentEnabled":                              defaultIsSent,
	"UpdateProjectOptions.EmailsDisabled":                                          neverSet,
	"UpdateProjectOptions.MirrorUserID":                                            replaced,
	"UpdateProjectOptions.PackagesEnabled":                                         defaultIsSent,
	"UpdateProjectOptions.RemoveSourceBranchAfterMerge":                            defaultIsSent,
	"UpdateProjectOptions.ResolveOutdatedDiffDiscussions":                          neverSet,
	"UpdateProjectOptions.ServiceDeskEnabled":                                      defaultIsSent,
	"UpdatePullMirrorOptions.MirrorOverwritesDivergedBranches":                     neverSet,
	"UpdatePullMirrorOptions.OnlyMirrorProtectedBranches":                          neverSet,
	"UpdatePushRuleOptions.CommitCommitterCheck":                                   neverSet,
	"UpdatePushRuleOptions.RejectNonDCOCommits":                                    neverSet,
	"UpdatePushRuleOptions.RejectUnsignedCommits":                                  neverSet,
	"UpdateRemoteMirrorOptions.KeepDivergentRefs":                                  neverSet,
	"UpdateUserOptions.ColorSchemeID":                                              alwaysThere,
	"UpdateUserOptions.ProjectsLimit":                                              alwaysThere,
	"UpdateUserOptions.ThemeID":                                                    alwaysThere,
	"UpdateWikiPageOptions.FrontMatter":                                            replaced,
}

// TestUpdatesCanSendNull checks that what a result may lack can also be taken away: a field
// of an update, whose parameter is a member of its result that may be null, is a Nullable, or
// stands above with the reason why not. In text, null is "", which can be sent. A switch that
// only older releases leave out is never null.
func TestUpdatesCanSendNull(t *testing.T) {
	listed := nullableMembers(t)
	used := map[string]bool{}
	canBeNull := 0
	for service, method := range inventory.Methods(clientType) {
		_, options := optionsOf(method)
		result := inventory.ResultOf(method.Type)
		if !strings.HasPrefix(method.Name, "Update") || options == nil || result == nil {
			continue
		}
		members := map[string]reflect.StructField{}
		for name, member := range inventory.JSONFields(result) {
			members[name] = member
		}
		for name, field := range inventory.JSONFields(options) {
			member, ok := members[name]
			if !ok || member.Type.Kind() != reflect.Pointer || valueKind(member.Type) == "text" ||
				member.Type.Elem().Kind() == reflect.Bool && listed[result.Name()+"."+name] == leftOut {
				continue
			}
			key := options.Name() + "." + field.Name
			if strings.HasPrefix(field.Type.Name(), "Nullable[") {
				canBeNull++
				assert.Empty(t, cannotBeNull[key], "%s is a Nullable", key)
				continue
			}
			used[key] = true
			assert.NotEmpty(t, cannotBeNull[key], "%s.%s: %s may be null in %s, but cannot be sent as null",
				service.Name, method.Name, key, result.Name())
		}
	}
	assert.Positive(t, canBeNull)
	for key := range cannotBeNull {
		assert.True(t, used[key], "%s is no field of an update, or its member of the result is never null", key)
	}
}
