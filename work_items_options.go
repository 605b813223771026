package serviceapi

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// GetWorkItemOptions selects the parts of a work item.
type GetWorkItemOptions struct {
	// Parts are the parts to read. Empty means [WorkItemPartBasic].
	Parts []WorkItemPart `url:"-"`
}

// ListWorkItemTypesOptions selects types of work items.
type ListWorkItemTypesOptions struct {
	GraphQLListOptions
	// WithEnabled reads [WorkItemType.Enabled]. Since 18.9.
	WithEnabled bool `url:"-"`
	// OnlyAvailable leaves out types that the license does not include. Since 18.6.
	OnlyAvailable *bool `url:"-" graphql:"onlyAvailable: Boolean"`
	// Name selects one type.
	Name WorkItemTypeName `url:"-" graphql:"name: IssueType"`
}

// ListWorkItemsOptions selects work items. Empty fields do not filter. A list has at most 100
// values.
//
// IncludeAncestors, IncludeDescendants, IncludeArchived, ExcludeProjects,
// ExcludeGroupWorkItems and Timeframe are only for groups.
type ListWorkItemsOptions struct {
	GraphQLListOptions
	// Parts are the parts to read. Empty means [WorkItemPartBasic].
	Parts []WorkItemPart `url:"-"`

	// IDs and IIDs select work items by ID, and by number in their project or group.
	IDs   []GlobalID          `url:"-" graphql:"ids: [WorkItemID!]"`
	IIDs  []int64             `url:"-" graphql:"iids: [String!]"`
	Types []WorkItemTypeName  `url:"-" graphql:"types: [IssueType!]"`
	State WorkItemStateFilter `url:"-" graphql:"state: IssuableState"`
	// Search searches titles and descriptions, or the fields in In.
	Search string                `url:"-" graphql:"search: String"`
	In     []WorkItemSearchField `url:"-" graphql:"in: [IssuableSearchableField!]"`
	// AuthorUsername and AssigneeUsernames are login names. All of the assignees must match.
	AuthorUsername    string           `url:"-" graphql:"authorUsername: String"`
	AssigneeUsernames []string         `url:"-" graphql:"assigneeUsernames: [String!]"`
	AssigneeWildcard  WorkItemWildcard `url:"-" graphql:"assigneeWildcardId: AssigneeWildcardId"`
	// LabelNames are labels that a work item must all have.
	LabelNames        []string         `url:"-" graphql:"labelName: [String!]"`
	MilestoneTitles   []string         `url:"-" graphql:"milestoneTitle: [String!]"`
	MilestoneWildcard WorkItemWildcard `url:"-" graphql:"milestoneWildcardId: MilestoneWildcardId"`
	// MyReactionEmoji is the name of an emoji that the caller reacted with.
	MyReactionEmoji string               `url:"-" graphql:"myReactionEmoji: String"`
	Confidential    *bool                `url:"-" graphql:"confidential: Boolean"`
	Subscribed      WorkItemSubscription `url:"-" graphql:"subscribed: SubscriptionStatus"`
	ParentIDs       []GlobalID           `url:"-" graphql:"parentIds: [WorkItemID!]"`
	// ParentWildcard is since 18.5.
	ParentWildcard WorkItemWildcard `url:"-" graphql:"parentWildcardId: WorkItemParentWildcardId"`

	IncludeAncestors   *bool `url:"-" graphql:"includeAncestors: Boolean"`
	IncludeDescendants *bool `url:"-" graphql:"includeDescendants: Boolean"`
	// IncludeDescendantWorkItems adds the descendants of the items of ParentIDs. Since 18.3.
	IncludeDescendantWorkItems *bool `url:"-" graphql:"includeDescendantWorkItems: Boolean"`
	// IncludeArchived adds those of archived projects. Since 18.5.
	IncludeArchived *bool `url:"-" graphql:"includeArchived: Boolean"`
	// ExcludeProjects leaves out those of projects. Since 17.5.
	ExcludeProjects *bool `url:"-" graphql:"excludeProjects: Boolean"`
	// ExcludeGroupWorkItems leaves out those of groups. Since 18.4.
	ExcludeGroupWorkItems *bool `url:"-" graphql:"excludeGroupWorkItems: Boolean"`

	ReleaseTags     []string         `url:"-" graphql:"releaseTag: [String!]"`
	ReleaseWildcard WorkItemWildcard `url:"-" graphql:"releaseTagWildcardId: ReleaseTagWildcardId"`
	// ContactID and OrganizationID are the numbers of a contact, and of its organization.
	ContactID      int64 `url:"-" graphql:"crmContactId: String"`
	OrganizationID int64 `url:"-" graphql:"crmOrganizationId: String"`

	// ClosedAfter and the following fields are Time or Date bounds, which are included.
	ClosedAfter   time.Time `url:"-" graphql:"closedAfter: Time"`
	ClosedBefore  time.Time `url:"-" graphql:"closedBefore: Time"`
	CreatedAfter  time.Time `url:"-" graphql:"createdAfter: Time"`
	CreatedBefore time.Time `url:"-" graphql:"createdBefore: Time"`
	DueAfter      time.Time `url:"-" graphql:"dueAfter: Time"`
	DueBefore     time.Time `url:"-" graphql:"dueBefore: Time"`
	UpdatedAfter  time.Time `url:"-" graphql:"updatedAfter: Time"`
	UpdatedBefore time.Time `url:"-" graphql:"updatedBefore: Time"`
	// Timeframe selects work items whose dates overlap with it.
	Timeframe *WorkItemTimeframe `url:"-" graphql:"timeframe: Timeframe"`

	// IterationIDs and the following fields are Premium.
	IterationIDs      []GlobalID           `url:"-" graphql:"iterationId: [ID]"`
	IterationWildcard WorkItemWildcard     `url:"-" graphql:"iterationWildcardId: IterationWildcardId"`
	CadenceIDs        []GlobalID           `url:"-" graphql:"iterationCadenceId: [IterationsCadenceID!]"`
	Weight            *int64               `url:"-" graphql:"weight: String"`
	WeightWildcard    WorkItemWildcard     `url:"-" graphql:"weightWildcardId: WeightWildcardId"`
	HealthStatus      WorkItemHealthStatus `url:"-" graphql:"healthStatusFilter: HealthStatusFilter"`
	// Status selects by the ID or the name of a status. Since 18.0.
	Status *WorkItemStatusFilter `url:"-" graphql:"status: WorkItemWidgetStatusFilterInput"`

	// Not leaves out work items to which any of its fields applies, and Or selects those to
	// which one value of each field applies.
	Not *WorkItemExclusion   `url:"-" graphql:"not: NegatedWorkItemFilterInput"`
	Or  *WorkItemAlternative `url:"-" graphql:"or: UnionedWorkItemFilterInput"`

	// Sort is the order. Empty means [WorkItemSortCreatedDesc].
	Sort WorkItemSort `url:"-" graphql:"sort: WorkItemSort"`
}

// WorkItemTimeframe is a span of days, both of which are included.
type WorkItemTimeframe struct {
	Start Date `json:"start" required:"true"`
	End   Date `json:"end" required:"true"`
}

// WorkItemStatusFilter selects a status by its ID or by its name.
type WorkItemStatusFilter struct {
	ID   GlobalID `json:"id,omitzero"`
	Name string   `json:"name,omitzero"`
}

// WorkItemExclusion says which work items a list leaves out.
type WorkItemExclusion struct {
	// IIDs are numbers as text.
	IIDs              []string   `json:"iids,omitzero"`
	AuthorUsernames   []string   `json:"authorUsername,omitzero"`
	AssigneeUsernames []string   `json:"assigneeUsernames,omitzero"`
	LabelNames        []string   `json:"labelName,omitzero"`
	MilestoneTitles   []string   `json:"milestoneTitle,omitzero"`
	MyReactionEmoji   string     `json:"myReactionEmoji,omitzero"`
	ParentIDs         []GlobalID `json:"parentIds,omitzero"`
	ReleaseTags       []string   `json:"releaseTag,omitzero"`
	// Weight and IterationIDs are Premium. Weight is a number as text.
	Weight       string     `json:"weight,omitzero"`
	IterationIDs []GlobalID `json:"iterationId,omitzero"`
}

// WorkItemAlternative selects work items that have one of the values of each field.
type WorkItemAlternative struct {
	AssigneeUsernames []string `json:"assigneeUsernames,omitzero"`
	AuthorUsernames   []string `json:"authorUsernames,omitzero"`
	LabelNames        []string `json:"labelNames,omitzero"`
}

// graphQLArguments returns the fields of options that are set. The tag of a field has the name
// and the type of its argument.
func graphQLArguments(options any) []graphQLArgument {
	var arguments []graphQLArgument
	v := reflect.ValueOf(options)
	for field, value := range v.Fields() {
		name, typ, isArgument := strings.Cut(field.Tag.Get("graphql"), ": ")
		if isArgument && !value.IsZero() {
			arguments = append(arguments, graphQLArgument{name, typ, graphQLValue(value.Interface())})
		}
	}
	return arguments
}

// graphQLValue returns the form in which an argument is sent: numbers as text, and types of
// work items in capital letters.
func graphQLValue(value any) any {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case *int64:
		return strconv.FormatInt(*v, 10)
	case []int64:
		return eachOf(v, func(n int64) string { return strconv.FormatInt(n, 10) })
	case WorkItemTypeName:
		return v.constant()
	case []WorkItemTypeName:
		return eachOf(v, WorkItemTypeName.constant)
	}
	return value
}

// constant returns the name of the type in the schema, such as "KEY_RESULT".
func (n WorkItemTypeName) constant() string {
	return strings.ReplaceAll(strings.ToUpper(string(n)), " ", "_")
}

func eachOf[T, R any](items []T, convert func(T) R) []R {
	converted := make([]R, len(items))
	for i, item := range items {
		converted[i] = convert(item)
	}
	return converted
}

// CreateWorkItemOptions describes a work item. Title, and Type or TypeID, are required. A field
// that the type does not have is refused with [ErrUnprocessable].
//
// Numbers are the IDs of the REST API.
type CreateWorkItemOptions struct {
	// Type is the name of the type, in any case. TypeID is its ID, from
	// [WorkItemsService.AllTypes] or [WorkItem.TypeID]; with it, Type is ignored.
	Type   WorkItemTypeName `json:"-"`
	TypeID GlobalID         `json:"-"`
	Title  string           `json:"-" required:"true"`
	// Parts are the parts of the result to read. Empty means [WorkItemPartBasic].
	Parts        []WorkItemPart `json:"-"`
	Confidential *bool          `json:"-"`
	// CreatedAt backdates the work item. It requires an administrator or an owner.
	CreatedAt *time.Time `json:"-"`
	// Description is Markdown. Quick actions in it are carried out.
	Description *string `json:"-"`
	AssigneeIDs []int64 `json:"-"`
	LabelIDs    []int64 `json:"-"`
	MilestoneID *int64  `json:"-"`
	// ParentID is the ID of the parent, from [WorkItemSummary.ID].
	ParentID GlobalID `json:"-"`
	// LinkedIDs are at most 10 work items, which LinkType relates to the new one. Nil means
	// [WorkItemLinkTypeRelatesTo]; others are Premium.
	LinkedIDs []GlobalID        `json:"-"`
	LinkType  *WorkItemLinkType `json:"-"`
	StartDate *Date             `json:"-"`
	DueDate   *Date             `json:"-"`
	// DatesAreFixed says that the dates are not taken from children and milestones.
	DatesAreFixed *bool   `json:"-"`
	ContactIDs    []int64 `json:"-"`
	// ResolveThread turns a thread of a merge request or an issue into the work item.
	ResolveThread *WorkItemThread `json:"-"`

	// Weight and the following fields are Premium.
	Weight       *int64                `json:"-"`
	HealthStatus *WorkItemHealthStatus `json:"-"`
	IterationID  *int64                `json:"-"`
	// Color is like "#1068bf", or a name.
	Color *string `json:"-"`
	// StatusID is a status, from [WorkItem.Status]. Since 17.11.
	StatusID GlobalID `json:"-"`
	// CustomFields are values of custom fields. Since 17.10.
	CustomFields []WorkItemCustomField `json:"customFieldsWidget,omitzero"`
}

func (o *CreateWorkItemOptions) check() error {
	return cmp.Or(missing("Type", o.Type == "" && o.TypeID == ""),
		optionalID("TypeID", o.TypeID), optionalID("ParentID", o.ParentID), optionalID("StatusID", o.StatusID))
}

func optionalID(name string, id GlobalID) error {
	if id == "" {
		return nil
	}
	return id.check(name)
}

// WorkItemThread identifies a thread, by its ID and that of the issue or merge request.
type WorkItemThread struct {
	// NoteableID is like "gid://app/MergeRequest/7".
	NoteableID GlobalID `json:"noteableId" required:"true"`
	// DiscussionID is the ID of one thread. Empty means all that are not resolved.
	DiscussionID string `json:"discussionId,omitzero"`
}

// WorkItemCustomField is the value of a custom field. Which member it has depends on the type
// of the field.
type WorkItemCustomField struct {
	ID     GlobalID `json:"customFieldId" required:"true"`
	Text   *string  `json:"textValue,omitzero"`
	Number *float64 `json:"numberValue,omitzero"`
	Date   *Date    `json:"dateValue,omitzero"`
	// OptionIDs are the IDs of the options that are chosen.
	OptionIDs []GlobalID `json:"selectedOptionIds,omitzero"`
}

// UpdateWorkItemOptions changes a work item. Zero fields are left unchanged. A field that its
// type does not have is refused with [ErrUnprocessable], and nothing is changed.
//
// Numbers are the IDs of the REST API.
type UpdateWorkItemOptions struct {
	// Parts are the parts of the result to read. Empty means [WorkItemPartBasic].
	Parts        []WorkItemPart `json:"-"`
	Title        *string        `json:"-"`
	Confidential *bool          `json:"-"`
	// StateEvent closes or reopens the work item.
	StateEvent *WorkItemEvent `json:"-"`
	// Description is Markdown. Quick actions in it are carried out.
	Description *string `json:"-"`
	// AssigneeIDs replaces all assignees; []int64{} removes them.
	AssigneeIDs    []int64         `json:"-"`
	AddLabelIDs    []int64         `json:"-"`
	RemoveLabelIDs []int64         `json:"-"`
	MilestoneID    Nullable[int64] `json:"-"`
	// ParentID is the ID of the parent, from [WorkItemSummary.ID]. Null takes the work item from it.
	ParentID Nullable[GlobalID] `json:"-"`
	// ChildIDs are work items that become children.
	ChildIDs []GlobalID `json:"-"`
	// AdjacentID is another child of the parent, which Position puts the work item beside.
	AdjacentID GlobalID         `json:"-"`
	Position   WorkItemPosition `json:"-"`
	StartDate  Nullable[Date]   `json:"-"`
	DueDate    Nullable[Date]   `json:"-"`
	// DatesAreFixed says that the dates are not taken from children and milestones.
	DatesAreFixed *bool `json:"-"`
	// ContactIDs changes the contacts as ContactMode says. Nil means
	// [WorkItemContactModeReplace].
	ContactIDs       []int64              `json:"-"`
	ContactMode      *WorkItemContactMode `json:"-"`
	DiscussionLocked *bool                `json:"-"`
	// Subscribed says whether the caller is notified.
	Subscribed *bool                  `json:"-"`
	Reaction   *WorkItemReactionInput `json:"-"`
	Todo       *WorkItemTodoInput     `json:"-"`
	// TimeEstimate is like "1h 30m".
	TimeEstimate *string          `json:"-"`
	Timelog      *WorkItemTimelog `json:"-"`

	// Weight and the following fields are Premium.
	Weight       Nullable[int64]                `json:"-"`
	HealthStatus Nullable[WorkItemHealthStatus] `json:"-"`
	IterationID  Nullable[int64]                `json:"-"`
	// Color is like "#1068bf", or a name. It cannot be removed.
	Color *string `json:"-"`
	// StatusID is a status, from [WorkItem.Status]. Since 17.11.
	StatusID GlobalID `json:"-"`
	// CustomFields are values of custom fields. Since 17.10.
	CustomFields []WorkItemCustomField `json:"customFieldsWidget,omitzero"`
	// Progress is for objectives and key results.
	Progress *WorkItemProgressInput `json:"progressWidget,omitzero"`
	// VerificationStatus is that of a requirement, "passed" or "failed".
	VerificationStatus *string `json:"-"`
}

func (o *UpdateWorkItemOptions) check() error {
	parent, isSet := o.ParentID.Get()
	switch {
	case isSet && parent == "":
		return badArgument("ParentID", "is empty: Null takes the work item from its parent")
	case (o.AdjacentID == "") != (o.Position == ""):
		return badArgument("Position", "goes together with AdjacentID")
	}
	return cmp.Or(optionalID("ParentID", parent), optionalID("AdjacentID", o.AdjacentID),
		optionalID("StatusID", o.StatusID))
}

// WorkItemReactionInput changes a reaction of the caller. Name is that of an emoji.
type WorkItemReactionInput struct {
	Action WorkItemEmojiAction `json:"action" required:"true"`
	Name   string              `json:"name" required:"true"`
}

// WorkItemTodoInput adds a to-do item for the caller, or marks one as done. TodoID is its ID
// in the REST API; nil marks all of the work item.
type WorkItemTodoInput struct {
	Action WorkItemTodoAction
	TodoID *int64
}

// WorkItemTimelog is time that the caller spent.
type WorkItemTimelog struct {
	// TimeSpent is like "1h 30m".
	TimeSpent string `json:"timeSpent" required:"true"`
	// SpentAt is when. Nil means now.
	SpentAt *time.Time `json:"spentAt,omitzero"`
	Summary string     `json:"summary,omitzero"`
}

// WorkItemProgressInput sets the progress of an objective or a key result.
type WorkItemProgressInput struct {
	CurrentValue int64  `json:"currentValue"`
	StartValue   *int64 `json:"startValue,omitzero"`
	EndValue     *int64 `json:"endValue,omitzero"`
}

// workItemInput are the members of the input of a mutation. Those of widgets are left out if
// nothing in them is set.
type workItemInput map[string]any

// widget adds a member of a widget, unless its value is zero.
func (in workItemInput) widget(name, member string, value any) {
	if reflect.ValueOf(value).IsZero() {
		return
	}
	widget, ok := in[name].(workItemInput)
	if !ok {
		widget = workItemInput{}
		in[name] = widget
	}
	widget[member] = value
}

// set adds a member of the input itself, unless its value is zero.
func (in workItemInput) set(member string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		in[member] = value
	}
}

// globalIDs returns the IDs of objects by their numbers. It is nil for nil, and empty, which
// removes all, for an empty list.
func globalIDs(of GlobalID, kind string, numbers []int64) []GlobalID {
	if numbers == nil {
		return nil
	}
	return eachOf(numbers, func(n int64) GlobalID { return of.sibling(kind, n) })
}

func nullableID(of GlobalID, kind string, number Nullable[int64]) Nullable[GlobalID] {
	if n, ok := number.Get(); ok {
		return Value(of.sibling(kind, n))
	}
	return Nullable[GlobalID]{state: number.state}
}

// nullableOf returns what a pointer points to, or nothing for nil.
func nullableOf[T any](value *T) Nullable[T] {
	if value == nil {
		return Nullable[T]{}
	}
	return Value(*value)
}

// input returns the input of the mutation. The ID of the type has the word of the instance.
func (o *CreateWorkItemOptions) input(path string) workItemInput {
	in := workItemInput{"namespacePath": path, "title": o.Title, "workItemTypeId": o.TypeID}
	in.set("createdAt", o.CreatedAt)
	in.set("discussionsToResolve", o.ResolveThread)
	in.widget("labelsWidget", "labelIds", globalIDs(o.TypeID, "Label", o.LabelIDs))
	in.widget("linkedItemsWidget", "workItemsIds", o.LinkedIDs)
	if o.LinkType != nil && len(o.LinkedIDs) > 0 {
		in.widget("linkedItemsWidget", "linkType", o.LinkType.input())
	}
	parent := Nullable[GlobalID]{}
	if o.ParentID != "" {
		parent = Value(o.ParentID)
	}
	UpdateWorkItemOptions{
		Confidential: o.Confidential, Description: o.Description, AssigneeIDs: o.AssigneeIDs,
		MilestoneID: nullableOf(o.MilestoneID), ParentID: parent,
		StartDate: nullableOf(o.StartDate), DueDate: nullableOf(o.DueDate), DatesAreFixed: o.DatesAreFixed,
		ContactIDs: o.ContactIDs, Weight: nullableOf(o.Weight), HealthStatus: nullableOf(o.HealthStatus),
		IterationID: nullableOf(o.IterationID), Color: o.Color, StatusID: o.StatusID, CustomFields: o.CustomFields,
	}.common(in, o.TypeID)
	return in
}

// input returns the form of a relation in inputs, which differs from that in results.
func (t WorkItemLinkType) input() string {
	switch t {
	case WorkItemLinkTypeRelatesTo:
		return "RELATED"
	case WorkItemLinkTypeIsBlockedBy:
		return "BLOCKED_BY"
	}
	return strings.ToUpper(string(t))
}

// input returns the input of the mutation for the work item with an ID.
func (o *UpdateWorkItemOptions) input(id GlobalID) workItemInput {
	in := workItemInput{"id": id}
	in.set("title", o.Title)
	in.set("stateEvent", o.StateEvent)
	in.widget("labelsWidget", "addLabelIds", globalIDs(id, "Label", o.AddLabelIDs))
	in.widget("labelsWidget", "removeLabelIds", globalIDs(id, "Label", o.RemoveLabelIDs))
	in.widget("hierarchyWidget", "childrenIds", o.ChildIDs)
	in.widget("hierarchyWidget", "adjacentWorkItemId", o.AdjacentID)
	in.widget("hierarchyWidget", "relativePosition", o.Position)
	in.widget("crmContactsWidget", "operationMode", o.ContactMode)
	in.widget("notesWidget", "discussionLocked", o.DiscussionLocked)
	in.widget("notificationsWidget", "subscribed", o.Subscribed)
	in.set("awardEmojiWidget", o.Reaction)
	if o.Todo != nil {
		in.widget("currentUserTodosWidget", "action", o.Todo.Action)
		in.widget("currentUserTodosWidget", "todoId", nullableID(id, "Todo", nullableOf(o.Todo.TodoID)))
	}
	in.widget("timeTrackingWidget", "timeEstimate", o.TimeEstimate)
	in.widget("timeTrackingWidget", "timelog", o.Timelog)
	in.set("progressWidget", o.Progress)
	in.widget("verificationStatusWidget", "verificationStatus", o.VerificationStatus)
	o.common(in, id)
	return in
}

// common adds what both mutations have. The ID is one of the instance.
func (o UpdateWorkItemOptions) common(in workItemInput, id GlobalID) {
	in.set("confidential", o.Confidential)
	in.widget("descriptionWidget", "description", o.Description)
	in.widget("assigneesWidget", "assigneeIds", globalIDs(id, "User", o.AssigneeIDs))
	in.widget("milestoneWidget", "milestoneId", nullableID(id, "Milestone", o.MilestoneID))
	in.widget("hierarchyWidget", "parentId", o.ParentID)
	in.widget("startAndDueDateWidget", "startDate", o.StartDate)
	in.widget("startAndDueDateWidget", "dueDate", o.DueDate)
	in.widget("startAndDueDateWidget", "isFixed", o.DatesAreFixed)
	in.widget("crmContactsWidget", "contactIds", globalIDs(id, "CustomerRelations::Contact", o.ContactIDs))
	in.widget("weightWidget", "weight", o.Weight)
	in.widget("healthStatusWidget", "healthStatus", o.HealthStatus)
	in.widget("iterationWidget", "iterationId", nullableID(id, "Iteration", o.IterationID))
	in.widget("colorWidget", "color", o.Color)
	in.widget("statusWidget", "status", o.StatusID)
	in.set("customFieldsWidget", o.CustomFields)
}
