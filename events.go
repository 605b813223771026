package serviceapi

import (
	"context"
	"iter"
	"time"
)

// EventsService reads what users have done: pushed, opened, closed, merged, commented and
// so on. The owner says whose events they are:
//
//	client.Events.All(ctx, serviceapi.Own, nil)
//	client.Events.All(ctx, serviceapi.Username("ada"), nil)
//	client.Events.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//
// For the changes of the labels and the state of one issue, see [ResourceEventsService].
// For the events that administrators audit, see [AuditEventsService].
//
// Its options are [ListEventsOptions]. See recipe 20 of docs/cookbook.md, the example
// ReportActivity of [example.com/serviceapi/examples/recipes].
type EventsService service

// EventOwner is an owner of events: [Own], a [UserRef] or a [ProjectRef].
type EventOwner interface{ hasEvents() }

func (CallerOwner) hasEvents() {}
func (UserRef) hasEvents()     {}
func (ProjectRef) hasEvents()  {}

func eventsOf(owner EventOwner) Endpoint {
	switch owner := owner.(type) {
	case CallerOwner:
		return Route("/events")
	case UserRef:
		return Route("/users/:id_or_username/events", owner)
	}
	return below(owner, "/events")
}

// List returns one page of events, the newest first:
//
//   - for [Own], what the caller did, or with [EventScopeAll] what happened in the projects
//     that the caller is a member of,
//   - for a user, what that user did, or nothing if the profile is private. Without a
//     credential, only events of public projects are listed,
//   - for a project, what happened in it. Public projects need no credential.
//
// For [Own] and a user, a token with the scope read_user suffices. Any page may have fewer
// events than PerPage, because the service removes those that the caller may not see from
// each page. The call returns an [*ArgumentError] for an option that this owner does not
// support.
//
//	GET /events
//	GET /users/:id_or_username/events
//	GET /projects/:id/events
func (s *EventsService) List(
	ctx context.Context, owner EventOwner, options *ListEventsOptions, opts ...RequestOption,
) ([]*Event, *Response, error) {
	return list[*Event](ctx, using(s), eventsOf(owner), queryFor(owner, options), opts)
}

// All returns every event, the newest first. See [EventsService.List] for what is listed
// for each owner. The sequence yields an [*ArgumentError] for an option that this owner
// does not support.
//
//	GET /events
//	GET /users/:id_or_username/events
//	GET /projects/:id/events
func (s *EventsService) All(
	ctx context.Context, owner EventOwner, options *ListEventsOptions, opts ...RequestOption,
) iter.Seq2[*Event, error] {
	return all[*Event](ctx, using(s), eventsOf(owner), queryFor(owner, options), opts)
}

// ListEventsOptions selects events.
type ListEventsOptions struct {
	ListOptions
	// Action selects events by the kind of action. Its values are not those of
	// [Event.ActionName].
	Action EventAction `url:"action,omitempty"`
	// TargetType selects events by the kind of object that they are about.
	TargetType EventTargetType `url:"target_type,omitempty"`
	// Before and After select whole days, and exclude the day itself: the events of June
	// 2026 are After 2026-05-31 and Before 2026-07-01. Zero means no limit.
	Before Date `url:"before,omitempty"`
	After  Date `url:"after,omitempty"`
	// Sort is [SortDescending] by default. Events are ordered by ID.
	Sort Sort `url:"sort,omitempty"`
	// Scope is [EventScopeAll] for the events of all projects that the caller is a member
	// of. Only for [Own].
	Scope EventScope `url:"scope,omitempty" only:"own"`
}

// EventScope says whose events are listed for the caller. There is only one scope today; a
// type of its own leaves room for others.
type EventScope string

// EventScopeAll selects the events of all projects that the caller is a member of.
const EventScopeAll EventScope = "all"

// EventAction is a kind of action, to select events.
type EventAction string

// Kinds of actions.
const (
	EventActionCreated   EventAction = "created"
	EventActionUpdated   EventAction = "updated"
	EventActionClosed    EventAction = "closed"
	EventActionReopened  EventAction = "reopened"
	EventActionPushed    EventAction = "pushed"
	EventActionCommented EventAction = "commented"
	EventActionMerged    EventAction = "merged"
	EventActionJoined    EventAction = "joined"
	EventActionLeft      EventAction = "left"
	EventActionDestroyed EventAction = "destroyed"
	// EventActionExpired: a membership expired.
	EventActionExpired  EventAction = "expired"
	EventActionApproved EventAction = "approved"
)

// EventTargetType is a kind of object, to select events.
type EventTargetType string

// Kinds of objects that events are about.
const (
	EventTargetTypeIssue        EventTargetType = "issue"
	EventTargetTypeMilestone    EventTargetType = "milestone"
	EventTargetTypeMergeRequest EventTargetType = "merge_request"
	EventTargetTypeNote         EventTargetType = "note"
	EventTargetTypeProject      EventTargetType = "project"
	EventTargetTypeSnippet      EventTargetType = "snippet"
	EventTargetTypeUser         EventTargetType = "user"
	EventTargetTypeWiki         EventTargetType = "wiki"
	EventTargetTypeDesign       EventTargetType = "design"
	// EventTargetTypeEpic was added in 17.3.
	EventTargetTypeEpic EventTargetType = "epic"
)

// EventActionName is the action of an [Event].
type EventActionName string

// Actions of events. The service may send others.
const (
	// EventActionNameOpened: the object was created, reopened or changed.
	EventActionNameOpened EventActionName = "opened"
	EventActionNameClosed EventActionName = "closed"
	// EventActionNameAccepted: the merge request was merged.
	EventActionNameAccepted EventActionName = "accepted"
	// EventActionNamePushedTo: commits were pushed to a branch, or a tag was moved.
	EventActionNamePushedTo EventActionName = "pushed to"
	// EventActionNamePushedNew: a branch or a tag was created.
	EventActionNamePushedNew EventActionName = "pushed new"
	// EventActionNameDeleted: a branch or a tag was deleted.
	EventActionNameDeleted     EventActionName = "deleted"
	EventActionNameCommentedOn EventActionName = "commented on"
	// EventActionNameCreated: the project was created.
	EventActionNameCreated EventActionName = "created"
	// EventActionNameImported: the project was imported.
	EventActionNameImported EventActionName = "imported"
	EventActionNameUpdated  EventActionName = "updated"
	EventActionNameJoined   EventActionName = "joined"
	EventActionNameLeft     EventActionName = "left"
	// EventActionNameExpired: the membership expired.
	EventActionNameExpired   EventActionName = "removed due to membership expiration from"
	EventActionNameDestroyed EventActionName = "destroyed"
	EventActionNameApproved  EventActionName = "approved"
)

// EventTarget is the kind of object that an event is about.
type EventTarget string

// Kinds of objects in events. The service may send others.
const (
	EventTargetIssue          EventTarget = "Issue"
	EventTargetMergeRequest   EventTarget = "MergeRequest"
	EventTargetMilestone      EventTarget = "Milestone"
	EventTargetNote           EventTarget = "Note"
	EventTargetDiffNote       EventTarget = "DiffNote"
	EventTargetDiscussionNote EventTarget = "DiscussionNote"
	EventTargetProject        EventTarget = "Project"
	EventTargetWikiPage       EventTarget = "WikiPage::Meta"
	EventTargetDesign         EventTarget = "DesignManagement::Design"
	// EventTargetWorkItem exists in later releases.
	EventTargetWorkItem EventTarget = "WorkItem"
)

// Event is something that a user did.
type Event struct {
	ID int64 `json:"id"`
	// ProjectID is nil if the event did not happen in a project.
	ProjectID  *int64          `json:"project_id"`
	ActionName EventActionName `json:"action_name"`
	// TargetID is the ID of the object, and TargetIID its number in the project, or the
	// same as TargetID if it has none. Both are nil for pushes and members, and for a
	// milestone that has been deleted.
	TargetID  *int64 `json:"target_id"`
	TargetIID *int64 `json:"target_iid"`
	// TargetType is "" for pushes and members.
	TargetType EventTarget `json:"target_type"`
	AuthorID   int64       `json:"author_id"`
	// TargetTitle is the title that the object has now. For a comment, it is the title of
	// the object that was commented on.
	TargetTitle string    `json:"target_title"`
	CreatedAt   time.Time `json:"created_at"`
	// Author is nil if the user was deleted.
	Author         *UserSummary `json:"author"`
	AuthorUsername string       `json:"author_username"`
	// Note is the comment, nil for other events.
	Note *Note `json:"note"`
	// PushData is what was pushed, nil for other events.
	PushData *EventPushData `json:"push_data"`
	// WikiPage is the page, nil for other events.
	WikiPage *EventWikiPage `json:"wiki_page"`
	// Imported reports whether the event was imported, and ImportedFrom names the source,
	// which is "none" for other events. Since 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
	// Title is always empty. Only older releases send it.
	Title string `json:"title"`
	// Data is what was pushed, in the form that older releases send instead of PushData. It
	// is nil otherwise.
	Data *EventData `json:"data"`
}

// MergeRequestRef identifies the merge request that the event is about, or that was
// commented on. It is the zero reference if there is none.
func (e *Event) MergeRequestRef() MergeRequestRef {
	project, iid := e.target(EventTargetMergeRequest, NoteableTypeMergeRequest)
	if iid == 0 {
		return MergeRequestRef{}
	}
	return project.MergeRequest(iid)
}

// IssueRef identifies the issue that the event is about, or that was commented on. It is the
// zero reference if there is none.
func (e *Event) IssueRef() IssueRef {
	project, iid := e.target(EventTargetIssue, NoteableTypeIssue)
	if iid == 0 {
		return IssueRef{}
	}
	return project.Issue(iid)
}

// target returns the project of an event, and the number of the object there if it is of
// this kind, 0 otherwise. A comment is about what was commented on.
func (e *Event) target(kind EventTarget, noteable NoteableType) (ProjectRef, int64) {
	switch {
	case e == nil || e.ProjectID == nil:
	case e.Note != nil && e.Note.NoteableType == noteable:
		return ProjectID(*e.ProjectID), *orZero(e.Note.NoteableIID)
	case e.TargetType == kind && e.TargetIID != nil:
		return ProjectID(*e.ProjectID), *e.TargetIID
	}
	return ProjectRef{}, 0
}

// EventPushAction is what a push did to a branch or a tag.
type EventPushAction string

// Actions of a push.
const (
	EventPushActionCreated EventPushAction = "created"
	EventPushActionRemoved EventPushAction = "removed"
	EventPushActionPushed  EventPushAction = "pushed"
)

// EventPushData is what was pushed. If one push changed more branches or tags than the
// instance lists, one event stands for them all: RefCount is set, CommitCount is 0, and the
// strings are empty.
type EventPushData struct {
	CommitCount int             `json:"commit_count"`
	Action      EventPushAction `json:"action"`
	RefType     GitRefType      `json:"ref_type"`
	// CommitFrom is the hash before the push, "" for a new branch or tag. CommitTo is the
	// hash after it, "" for one that was deleted.
	CommitFrom string `json:"commit_from"`
	CommitTo   string `json:"commit_to"`
	// Ref is the name of the branch or the tag.
	Ref string `json:"ref"`
	// CommitTitle is the title of the last commit.
	CommitTitle string `json:"commit_title"`
	// RefCount is the number of branches or tags, nil for one.
	RefCount *int `json:"ref_count"`
}

// EventWikiPage is a page of a wiki that an event is about.
type EventWikiPage struct {
	Format string `json:"format"`
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	// WikiPageMetaID identifies the page even after it is renamed. It is nil in older
	// releases.
	WikiPageMetaID *int64 `json:"wiki_page_meta_id"`
}

// EventData is what was pushed, in the form that older releases send.
type EventData struct {
	// Before and After are hashes. Ref is a full name, such as "refs/heads/main".
	Before   string `json:"before"`
	After    string `json:"after"`
	Ref      string `json:"ref"`
	UserID   int64  `json:"user_id"`
	UserName string `json:"user_name"`
	// Repository is nil only if the service does not send it.
	Repository        *EventRepository `json:"repository"`
	Commits           []*EventCommit   `json:"commits"`
	TotalCommitsCount int              `json:"total_commits_count"`
}

// EventRepository is the repository of a push in an [EventData].
type EventRepository struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Homepage    string `json:"homepage"`
}

// EventCommit is a commit in an [EventData].
type EventCommit struct {
	ID        string    `json:"id"`
	Message   string    `json:"message"`
	Timestamp time.Time `json:"timestamp"`
	URL       string    `json:"url"`
	// Author is nil only if the service does not send it.
	Author *EventCommitAuthor `json:"author"`
}

// EventCommitAuthor is the author of an [EventCommit].
type EventCommitAuthor struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}
