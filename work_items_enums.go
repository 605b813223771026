package serviceapi

// WorkItemState is the state of a work item in results.
type WorkItemState string

// States of a work item. The service may send others.
const (
	WorkItemStateOpen   WorkItemState = "OPEN"
	WorkItemStateClosed WorkItemState = "CLOSED"
)

// WorkItemStateFilter selects work items by state.
type WorkItemStateFilter string

// States in filters.
const (
	WorkItemStateFilterOpened WorkItemStateFilter = "opened"
	WorkItemStateFilterClosed WorkItemStateFilter = "closed"
	WorkItemStateFilterAny    WorkItemStateFilter = "all"
)

// WorkItemEvent is a change of the state of a work item. One that changes nothing is ignored.
type WorkItemEvent string

// Events of a work item.
const (
	WorkItemEventClose  WorkItemEvent = "CLOSE"
	WorkItemEventReopen WorkItemEvent = "REOPEN"
)

// WorkItemTypeName is the name of a type of work items. Instances may have others of their own, and write
// names with other capitals: compare with [strings.EqualFold].
type WorkItemTypeName string

// Types of work items.
const (
	WorkItemTypeNameIssue    WorkItemTypeName = "Issue"
	WorkItemTypeNameIncident WorkItemTypeName = "Incident"
	WorkItemTypeNameTask     WorkItemTypeName = "Task"
	WorkItemTypeNameTicket   WorkItemTypeName = "Ticket"
	// WorkItemTypeNameEpic and the following ones are Premium.
	WorkItemTypeNameEpic        WorkItemTypeName = "Epic"
	WorkItemTypeNameTestCase    WorkItemTypeName = "Test Case"
	WorkItemTypeNameRequirement WorkItemTypeName = "Requirement"
	WorkItemTypeNameObjective   WorkItemTypeName = "Objective"
	WorkItemTypeNameKeyResult   WorkItemTypeName = "Key Result"
)

// WorkItemLinkType is the relation of a work item to another one.
type WorkItemLinkType string

// Relations. The service may send others.
const (
	WorkItemLinkTypeRelatesTo   WorkItemLinkType = "relates_to"
	WorkItemLinkTypeBlocks      WorkItemLinkType = "blocks"
	WorkItemLinkTypeIsBlockedBy WorkItemLinkType = "is_blocked_by"
)

// WorkItemHealthStatus says whether a work item is on its way. It is empty if nobody has said so.
type WorkItemHealthStatus string

// Health statuses. The service may send others.
const (
	WorkItemHealthStatusOnTrack        WorkItemHealthStatus = "onTrack"
	WorkItemHealthStatusNeedsAttention WorkItemHealthStatus = "needsAttention"
	WorkItemHealthStatusAtRisk         WorkItemHealthStatus = "atRisk"
	// WorkItemHealthStatusNone and WorkItemHealthStatusAny are only for filters.
	WorkItemHealthStatusNone WorkItemHealthStatus = "NONE"
	WorkItemHealthStatusAny  WorkItemHealthStatus = "ANY"
)

// WorkItemWildcard stands for values in a filter.
type WorkItemWildcard string

// Wildcards.
const (
	WorkItemWildcardNone WorkItemWildcard = "NONE"
	WorkItemWildcardAny  WorkItemWildcard = "ANY"
	// WorkItemWildcardStarted and WorkItemWildcardUpcoming are for milestones.
	WorkItemWildcardStarted  WorkItemWildcard = "STARTED"
	WorkItemWildcardUpcoming WorkItemWildcard = "UPCOMING"
	// WorkItemWildcardCurrent is for iterations.
	WorkItemWildcardCurrent WorkItemWildcard = "CURRENT"
)

// WorkItemSearchField is what a search looks at.
type WorkItemSearchField string

// Fields to search.
const (
	WorkItemSearchFieldTitle       WorkItemSearchField = "TITLE"
	WorkItemSearchFieldDescription WorkItemSearchField = "DESCRIPTION"
)

// WorkItemSubscription selects work items by the subscription of the caller.
type WorkItemSubscription string

// Subscriptions.
const (
	WorkItemSubscriptionSubscribed   WorkItemSubscription = "EXPLICITLY_SUBSCRIBED"
	WorkItemSubscriptionUnsubscribed WorkItemSubscription = "EXPLICITLY_UNSUBSCRIBED"
)

// WorkItemSort is the order of a list of work items.
type WorkItemSort string

// Orders of work items.
const (
	WorkItemSortCreatedAsc           WorkItemSort = "CREATED_ASC"
	WorkItemSortCreatedDesc          WorkItemSort = "CREATED_DESC"
	WorkItemSortUpdatedAsc           WorkItemSort = "UPDATED_ASC"
	WorkItemSortUpdatedDesc          WorkItemSort = "UPDATED_DESC"
	WorkItemSortTitleAsc             WorkItemSort = "TITLE_ASC"
	WorkItemSortTitleDesc            WorkItemSort = "TITLE_DESC"
	WorkItemSortDueDateAsc           WorkItemSort = "DUE_DATE_ASC"
	WorkItemSortDueDateDesc          WorkItemSort = "DUE_DATE_DESC"
	WorkItemSortStartDateAsc         WorkItemSort = "START_DATE_ASC"
	WorkItemSortStartDateDesc        WorkItemSort = "START_DATE_DESC"
	WorkItemSortClosedAtAsc          WorkItemSort = "CLOSED_AT_ASC"
	WorkItemSortClosedAtDesc         WorkItemSort = "CLOSED_AT_DESC"
	WorkItemSortPriorityAsc          WorkItemSort = "PRIORITY_ASC"
	WorkItemSortPriorityDesc         WorkItemSort = "PRIORITY_DESC"
	WorkItemSortLabelPriorityAsc     WorkItemSort = "LABEL_PRIORITY_ASC"
	WorkItemSortLabelPriorityDesc    WorkItemSort = "LABEL_PRIORITY_DESC"
	WorkItemSortMilestoneDueAsc      WorkItemSort = "MILESTONE_DUE_ASC"
	WorkItemSortMilestoneDueDesc     WorkItemSort = "MILESTONE_DUE_DESC"
	WorkItemSortPopularityAsc        WorkItemSort = "POPULARITY_ASC"
	WorkItemSortPopularityDesc       WorkItemSort = "POPULARITY_DESC"
	WorkItemSortSeverityAsc          WorkItemSort = "SEVERITY_ASC"
	WorkItemSortSeverityDesc         WorkItemSort = "SEVERITY_DESC"
	WorkItemSortBlockingIssuesAsc    WorkItemSort = "BLOCKING_ISSUES_ASC"
	WorkItemSortBlockingIssuesDesc   WorkItemSort = "BLOCKING_ISSUES_DESC"
	WorkItemSortEscalationStatusAsc  WorkItemSort = "ESCALATION_STATUS_ASC"
	WorkItemSortEscalationStatusDesc WorkItemSort = "ESCALATION_STATUS_DESC"
	WorkItemSortRelativePositionAsc  WorkItemSort = "RELATIVE_POSITION_ASC"
	// WorkItemSortWeightAsc and the following ones are Premium.
	WorkItemSortWeightAsc        WorkItemSort = "WEIGHT_ASC"
	WorkItemSortWeightDesc       WorkItemSort = "WEIGHT_DESC"
	WorkItemSortHealthStatusAsc  WorkItemSort = "HEALTH_STATUS_ASC"
	WorkItemSortHealthStatusDesc WorkItemSort = "HEALTH_STATUS_DESC"
	WorkItemSortStatusAsc        WorkItemSort = "STATUS_ASC"
	WorkItemSortStatusDesc       WorkItemSort = "STATUS_DESC"
)

// WorkItemPosition is the place of a work item beside another one.
type WorkItemPosition string

// Places among the children of a parent.
const (
	WorkItemPositionBefore WorkItemPosition = "BEFORE"
	WorkItemPositionAfter  WorkItemPosition = "AFTER"
)

// WorkItemContactMode is how contacts change.
type WorkItemContactMode string

// Ways to change contacts.
const (
	WorkItemContactModeReplace WorkItemContactMode = "REPLACE"
	WorkItemContactModeAppend  WorkItemContactMode = "APPEND"
	WorkItemContactModeRemove  WorkItemContactMode = "REMOVE"
)

// WorkItemEmojiAction is what happens with a reaction of the caller.
type WorkItemEmojiAction string

// Actions on a reaction.
const (
	WorkItemEmojiActionAdd    WorkItemEmojiAction = "ADD"
	WorkItemEmojiActionRemove WorkItemEmojiAction = "REMOVE"
	WorkItemEmojiActionToggle WorkItemEmojiAction = "TOGGLE"
)

// WorkItemTodoAction is what happens with a to-do item of the caller.
type WorkItemTodoAction string

// Actions on to-do items.
const (
	WorkItemTodoActionAdd        WorkItemTodoAction = "ADD"
	WorkItemTodoActionMarkAsDone WorkItemTodoAction = "MARK_AS_DONE"
)
