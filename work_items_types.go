package serviceapi

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/jsonx"
)

// WorkItem is a work item. Fields whose part was not read, or that the type of the work item
// does not have, are zero: see [WorkItemPart].
type WorkItem struct {
	WorkItemSummary
	// Type is the name of the type. TypeID is its ID, which creates others of it.
	Type   WorkItemTypeName `json:"type"`
	TypeID GlobalID         `json:"typeId"`
	// Description is Markdown, empty if there is none.
	Description  string        `json:"description"`
	State        WorkItemState `json:"state"`
	Confidential bool          `json:"confidential"`
	// Author is nil if the account no longer exists.
	Author    *GraphQLUser `json:"author"`
	CreatedAt time.Time    `json:"createdAt"`
	UpdatedAt time.Time    `json:"updatedAt"`
	// ClosedAt is nil unless the work item is closed.
	ClosedAt *time.Time `json:"closedAt"`
	WebURL   string     `json:"webUrl"`
	// LockVersion grows with each change.
	LockVersion int `json:"lockVersion"`

	// Assignees and Labels are the first 100.
	Assignees []*GraphQLUser   `json:"assignees"`
	Labels    []*WorkItemLabel `json:"labels"`
	// Milestone is nil if there is none.
	Milestone *WorkItemMilestone `json:"milestone"`
	// Parent is nil if there is none, or if the caller may not read it: HasParent tells.
	Parent      *WorkItemSummary `json:"parent"`
	HasParent   bool             `json:"hasParent"`
	HasChildren bool             `json:"hasChildren"`
	// Children are the first 100.
	Children []*WorkItemSummary `json:"children"`
	// LinkedItems are the first 100.
	LinkedItems []*LinkedWorkItem `json:"linkedItems"`
	// Blocked reports whether an open work item blocks this one. BlockedByCount and
	// BlockingCount count such work items, and those that this one blocks.
	Blocked        bool `json:"blocked"`
	BlockedByCount int  `json:"blockedByCount"`
	BlockingCount  int  `json:"blockingCount"`
	// StartDate and DueDate are nil if there are none. DatesAreFixed reports that they were
	// set, and not taken from children and milestones.
	StartDate     *Date `json:"startDate"`
	DueDate       *Date `json:"dueDate"`
	DatesAreFixed bool  `json:"datesAreFixed"`
	// TimeEstimate and TotalTimeSpent are in seconds.
	TimeEstimate     int64 `json:"timeEstimate"`
	TotalTimeSpent   int64 `json:"totalTimeSpent"`
	DiscussionLocked bool  `json:"discussionLocked"`
	// Subscribed reports whether the caller is notified.
	Subscribed bool `json:"subscribed"`
	Upvotes    int  `json:"upvotes"`
	Downvotes  int  `json:"downvotes"`

	// Weight is nil if there is none.
	Weight       *int64               `json:"weight"`
	HealthStatus WorkItemHealthStatus `json:"healthStatus"`
	// Iteration is nil if there is none.
	Iteration *WorkItemIteration `json:"iteration"`
	// Status is nil if there is none.
	Status *WorkItemStatus `json:"status"`
	// Color and TextColor are like "#1068bf".
	Color     string `json:"color"`
	TextColor string `json:"textColor"`
	// Progress is nil if the type has none.
	Progress *WorkItemProgress `json:"progress"`
}

// Ref identifies the work item, with its ID.
func (w *WorkItem) Ref() WorkItemRef {
	w = orZero(w)
	return refToWorkItem(w.NamespacePath, w.IID, w.ID)
}

// refToWorkItem identifies a work item of a result. A path with a slash may be that of a group
// as well as that of a project, which makes no difference here.
func refToWorkItem(path string, iid int64, id GlobalID) WorkItemRef {
	if path == "" {
		return WorkItemRef{iid: iid, id: id}
	}
	if strings.Contains(path, "/") {
		return WorkItemRef{ProjectPath(path), iid, id}
	}
	return WorkItemRef{GroupPath(path), iid, id}
}

// WorkItemSummary is the short form of a work item in another one.
type WorkItemSummary struct {
	ID GlobalID `json:"id"`
	// IID is the number of the work item in its project or group, whose path is
	// NamespacePath.
	IID           int64  `json:"iid"`
	Title         string `json:"title"`
	NamespacePath string `json:"namespacePath"`
}

// Ref identifies the work item, with its ID.
func (w *WorkItemSummary) Ref() WorkItemRef {
	w = orZero(w)
	return refToWorkItem(w.NamespacePath, w.IID, w.ID)
}

// LinkedWorkItem is a link from a work item to another one.
type LinkedWorkItem struct {
	LinkID   GlobalID         `json:"linkId"`
	LinkType WorkItemLinkType `json:"linkType"`
	// WorkItem is nil if the caller may not read it.
	WorkItem *WorkItemSummary `json:"workItem"`
}

// GraphQLUser is a user, as the GraphQL API describes one. Fields that a call does not read are
// empty.
type GraphQLUser struct {
	ID       GlobalID  `json:"id"`
	Username string    `json:"username"`
	Name     string    `json:"name"`
	State    UserState `json:"state"`
	// AvatarURL is a path without a host if the instance stores the picture, and empty if
	// there is none.
	AvatarURL string `json:"avatarUrl"`
	WebURL    string `json:"webUrl"`
}

// Ref identifies the user by ID.
func (u *GraphQLUser) Ref() UserRef { return UserID(orZero(u).ID.Number()) }

// WorkItemLabel is a label, in a work item.
type WorkItemLabel struct {
	ID    GlobalID `json:"id"`
	Title string   `json:"title"`
	// Color is the background color and TextColor the color of the text, as "#RRGGBB".
	Color     string `json:"color"`
	TextColor string `json:"textColor"`
	// Description and DescriptionHTML are empty if the label has none.
	Description     string `json:"description"`
	DescriptionHTML string `json:"descriptionHtml"`
}

// WorkItemMilestone is the milestone of a work item.
type WorkItemMilestone struct {
	ID GlobalID `json:"id"`
	// IID is the number of the milestone in its project or group, as text.
	IID   string `json:"iid"`
	Title string `json:"title"`
	// State is "active" or "closed".
	State string `json:"state"`
	// DueDate is nil if there is none.
	DueDate *Date `json:"dueDate"`
}

// WorkItemIteration is the iteration of a work item. Its Title is empty if it has none of its
// own.
type WorkItemIteration struct {
	ID    GlobalID `json:"id"`
	Title string   `json:"title"`
	// StartDate and DueDate are nil only if the service does not send them.
	StartDate *Date `json:"startDate"`
	DueDate   *Date `json:"dueDate"`
}

// WorkItemStatus is the status of a work item, such as "In progress".
type WorkItemStatus struct {
	ID   GlobalID `json:"id"`
	Name string   `json:"name"`
	// Category is what the status means, such as "in_progress". Compare it without case:
	// some releases send capital letters.
	Category string `json:"category"`
	Color    string `json:"color"`
}

// WorkItemProgress is the progress of an objective or a key result.
type WorkItemProgress struct {
	// Progress is in percent, and the others are in the unit of the key result. Each is nil
	// if it was not set.
	Progress     *float64 `json:"progress"`
	CurrentValue *float64 `json:"currentValue"`
	StartValue   *float64 `json:"startValue"`
	EndValue     *float64 `json:"endValue"`
}

// WorkItemType is a type that work items of a project or a group can have.
type WorkItemType struct {
	ID   GlobalID         `json:"id"`
	Name WorkItemTypeName `json:"name"`
	// Enabled reports whether work items of the type can be created here. It is nil unless
	// [ListWorkItemTypesOptions.WithEnabled] asks for it.
	Enabled *bool `json:"enabled"`
}

// WorkItemPart is a part of a work item that can be read. Types of work items have different
// parts: those that a type does not have stay zero.
type WorkItemPart string

// Parts of work items.
const (
	// WorkItemPartBasic stands for the parts that every edition has: all but those of the
	// Premium tier.
	WorkItemPartBasic WorkItemPart = "basic"
	// WorkItemPartFull stands for all parts. An instance whose edition does not have them
	// refuses the call with [ErrNotInSchema].
	WorkItemPartFull          WorkItemPart = "full"
	WorkItemPartAssignees     WorkItemPart = "assignees"
	WorkItemPartLabels        WorkItemPart = "labels"
	WorkItemPartMilestone     WorkItemPart = "milestone"
	WorkItemPartHierarchy     WorkItemPart = "hierarchy"
	WorkItemPartLinkedItems   WorkItemPart = "linkedItems"
	WorkItemPartDates         WorkItemPart = "startAndDueDate"
	WorkItemPartTimeTracking  WorkItemPart = "timeTracking"
	WorkItemPartNotes         WorkItemPart = "notes"
	WorkItemPartNotifications WorkItemPart = "notifications"
	WorkItemPartAwardEmoji    WorkItemPart = "awardEmoji"

	// These are in editions with a Premium tier.
	WorkItemPartWeight       WorkItemPart = "weight"
	WorkItemPartHealthStatus WorkItemPart = "healthStatus"
	WorkItemPartIteration    WorkItemPart = "iteration"
	WorkItemPartStatus       WorkItemPart = "status"
	WorkItemPartColor        WorkItemPart = "color"
	WorkItemPartProgress     WorkItemPart = "progress"
)

const (
	workItemUserSelection    = "id username name state avatarUrl webUrl"
	workItemSummarySelection = "id iid title namespace { fullPath }"
)

// partSelection is what the document of a part selects in the features of a work item.
type partSelection struct {
	part      WorkItemPart
	selection string
	premium   bool
}

func workItemSelections() []partSelection {
	return []partSelection{
		{WorkItemPartAssignees, "assignees { nodes { " + workItemUserSelection + " } }", false},
		{WorkItemPartLabels, "labels { nodes { id title color textColor description descriptionHtml } }", false},
		{WorkItemPartMilestone, "milestone { id iid title state dueDate }", false},
		{WorkItemPartHierarchy, "hasParent hasChildren parent { " + workItemSummarySelection +
			" } children { nodes { " + workItemSummarySelection + " } }", false},
		{WorkItemPartLinkedItems, "linkedItems { nodes { linkId linkType workItem { " + workItemSummarySelection +
			" } } } blocked blockedByCount blockingCount", false},
		{WorkItemPartDates, "startDate dueDate isFixed", false},
		{WorkItemPartTimeTracking, "timeEstimate totalTimeSpent", false},
		{WorkItemPartNotes, "discussionLocked", false},
		{WorkItemPartNotifications, "subscribed", false},
		{WorkItemPartAwardEmoji, "upvotes downvotes", false},
		{WorkItemPartWeight, "weight", true},
		{WorkItemPartHealthStatus, "healthStatus", true},
		{WorkItemPartIteration, "iteration { id title startDate dueDate }", true},
		{WorkItemPartStatus, "status { id name category color }", true},
		{WorkItemPartColor, "color textColor", true},
		{WorkItemPartProgress, "progress currentValue startValue endValue", true},
	}
}

// selectWorkItem returns the selection for parts of a work item, WorkItemPartBasic if there
// are none.
func selectWorkItem(parts []WorkItemPart) (string, error) {
	if len(parts) == 0 {
		parts = []WorkItemPart{WorkItemPartBasic}
	}
	known := []WorkItemPart{WorkItemPartBasic, WorkItemPartFull}
	var features []string
	for _, s := range workItemSelections() {
		known = append(known, s.part)
		if slices.Contains(parts, s.part) || slices.Contains(parts, WorkItemPartFull) ||
			slices.Contains(parts, WorkItemPartBasic) && !s.premium {
			features = append(features, string(s.part)+" { "+s.selection+" }")
		}
	}
	for _, part := range parts {
		if !slices.Contains(known, part) {
			return "", badArgument("Parts", "has an unknown part: "+strconv.Quote(string(part)))
		}
	}
	return "id iid title description state confidential createdAt updatedAt closedAt webUrl lockVersion " +
		"workItemType { id name } author { " + workItemUserSelection + " } namespace { fullPath } features { " +
		strings.Join(features, " ") + " }", nil
}

// workItemNode is a work item as the service sends it.
type workItemNode struct {
	WorkItem
	IID       textNumber        `json:"iid"`
	Type      *WorkItemType     `json:"workItemType"`
	Namespace workItemNamespace `json:"namespace"`
	Features  struct {
		Assignees struct {
			Assignees graphQLNodes[GraphQLUser] `json:"assignees"`
		} `json:"assignees"`
		Labels struct {
			Labels graphQLNodes[WorkItemLabel] `json:"labels"`
		} `json:"labels"`
		Milestone struct {
			Milestone *WorkItemMilestone `json:"milestone"`
		} `json:"milestone"`
		Hierarchy       workItemHierarchy `json:"hierarchy"`
		LinkedItems     workItemLinks     `json:"linkedItems"`
		StartAndDueDate struct {
			StartDate *Date `json:"startDate"`
			DueDate   *Date `json:"dueDate"`
			IsFixed   bool  `json:"isFixed"`
		} `json:"startAndDueDate"`
		TimeTracking struct {
			TimeEstimate   int64 `json:"timeEstimate"`
			TotalTimeSpent int64 `json:"totalTimeSpent"`
		} `json:"timeTracking"`
		Notes struct {
			DiscussionLocked bool `json:"discussionLocked"`
		} `json:"notes"`
		Notifications struct {
			Subscribed bool `json:"subscribed"`
		} `json:"notifications"`
		AwardEmoji struct {
			Upvotes   int `json:"upvotes"`
			Downvotes int `json:"downvotes"`
		} `json:"awardEmoji"`
		Weight struct {
			Weight *int64 `json:"weight"`
		} `json:"weight"`
		HealthStatus struct {
			HealthStatus WorkItemHealthStatus `json:"healthStatus"`
		} `json:"healthStatus"`
		Iteration struct {
			Iteration *WorkItemIteration `json:"iteration"`
		} `json:"iteration"`
		Status struct {
			Status *WorkItemStatus `json:"status"`
		} `json:"status"`
		Color struct {
			Color     string `json:"color"`
			TextColor string `json:"textColor"`
		} `json:"color"`
		Progress *WorkItemProgress `json:"progress"`
	} `json:"features"`
}

type workItemNamespace struct {
	FullPath string `json:"fullPath"`
}

type workItemHierarchy struct {
	HasParent   bool                              `json:"hasParent"`
	HasChildren bool                              `json:"hasChildren"`
	Parent      *workItemSummaryNode              `json:"parent"`
	Children    graphQLNodes[workItemSummaryNode] `json:"children"`
}

type workItemLinks struct {
	LinkedItems graphQLNodes[struct {
		LinkID   GlobalID             `json:"linkId"`
		LinkType WorkItemLinkType     `json:"linkType"`
		WorkItem *workItemSummaryNode `json:"workItem"`
	}] `json:"linkedItems"`
	Blocked        bool `json:"blocked"`
	BlockedByCount int  `json:"blockedByCount"`
	BlockingCount  int  `json:"blockingCount"`
}

type workItemSummaryNode struct {
	ID        GlobalID          `json:"id"`
	IID       textNumber        `json:"iid"`
	Title     string            `json:"title"`
	Namespace workItemNamespace `json:"namespace"`
}

func (n *workItemSummaryNode) summary() *WorkItemSummary {
	if n == nil {
		return nil
	}
	return &WorkItemSummary{n.ID, int64(n.IID), n.Title, n.Namespace.FullPath}
}

// graphQLNodes are the items of a connection that is read without its pages.
type graphQLNodes[T any] struct {
	Nodes []*T `json:"nodes"`
}

// items returns the items without those that the caller may not see.
func (n graphQLNodes[T]) items() []*T { return slices.DeleteFunc(n.Nodes, isNil) }

// textNumber is a number that the service sends as text.
type textNumber int64

// UnmarshalJSON reads a number with quotes or without.
func (n *textNumber) UnmarshalJSON(data []byte) error {
	if jsonx.IsNull(data) {
		return nil
	}
	number, err := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	*n = textNumber(number)
	return err
}

// workItem returns the work item with its parts, or nil for nil.
func (n *workItemNode) workItem() *WorkItem {
	if n == nil {
		return nil
	}
	w, f := &n.WorkItem, &n.Features
	w.IID, w.NamespacePath = int64(n.IID), n.Namespace.FullPath
	w.Type, w.TypeID = orZero(n.Type).Name, orZero(n.Type).ID
	w.Assignees, w.Labels, w.Milestone = f.Assignees.Assignees.items(), f.Labels.Labels.items(), f.Milestone.Milestone
	w.HasParent, w.HasChildren, w.Parent = f.Hierarchy.HasParent, f.Hierarchy.HasChildren, f.Hierarchy.Parent.summary()
	for _, child := range f.Hierarchy.Children.items() {
		w.Children = append(w.Children, child.summary())
	}
	for _, l := range f.LinkedItems.LinkedItems.items() {
		w.LinkedItems = append(w.LinkedItems, &LinkedWorkItem{l.LinkID, l.LinkType, l.WorkItem.summary()})
	}
	w.Blocked, w.BlockedByCount, w.BlockingCount = f.LinkedItems.Blocked, f.LinkedItems.BlockedByCount,
		f.LinkedItems.BlockingCount
	dates := f.StartAndDueDate
	w.StartDate, w.DueDate, w.DatesAreFixed = dates.StartDate, dates.DueDate, dates.IsFixed
	w.TimeEstimate, w.TotalTimeSpent = f.TimeTracking.TimeEstimate, f.TimeTracking.TotalTimeSpent
	w.DiscussionLocked, w.Subscribed = f.Notes.DiscussionLocked, f.Notifications.Subscribed
	w.Upvotes, w.Downvotes = f.AwardEmoji.Upvotes, f.AwardEmoji.Downvotes
	w.Weight, w.HealthStatus, w.Iteration = f.Weight.Weight, f.HealthStatus.HealthStatus, f.Iteration.Iteration
	w.Status, w.Progress, w.Color, w.TextColor = f.Status.Status, f.Progress, f.Color.Color, f.Color.TextColor
	return w
}
