package webhook

import (
	"encoding/json"
	"strings"
	"time"

	"example.com/serviceapi"
)

// IssueEvent is sent when an issue or another work item is created or changed.
type IssueEvent struct {
	Delivery `json:"-"`

	ObjectKind       string       `json:"object_kind"` // "issue" or "work_item"
	EventType        string       `json:"event_type"`
	User             User         `json:"user"`       // who caused the event
	Project          *Project     `json:"project"`    // nil for work items of a group
	Repository       *Repository  `json:"repository"` // nil for work items of a group
	ObjectAttributes Issue        `json:"object_attributes"`
	Labels           []Label      `json:"labels"`    // the same as in ObjectAttributes; Changes has the old ones
	Assignees        []User       `json:"assignees"` // nil if nobody is assigned
	Assignee         *User        `json:"assignee"`  // the first of Assignees
	Changes          IssueChanges `json:"changes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Ref identifies the issue by the ID of its project and its number there. It is the
// zero reference for work items of a group.
func (e *IssueEvent) Ref() serviceapi.IssueRef { return e.ObjectAttributes.ref(e.Project) }

// Confidential reports whether the event is about a confidential issue. Such events are
// sent only to hooks that have them turned on.
func (e *IssueEvent) Confidential() bool {
	return e.Kind == KindConfidentialIssue || strings.HasPrefix(e.EventType, "confidential_") ||
		e.ObjectAttributes.Confidential
}

// Ref identifies the issue by the ID of its project and its number there. It is the zero
// reference for nil, for work items of a group, and if the event does not name the project in
// the issue itself: the methods of the events know more.
func (i *Issue) Ref() serviceapi.IssueRef { return i.ref(nil) }

func (i *Issue) ref(project *Project) serviceapi.IssueRef {
	switch {
	case i == nil:
		return serviceapi.IssueRef{}
	case i.ProjectID != nil:
		return serviceapi.ProjectID(*i.ProjectID).Issue(i.IID)
	case project != nil:
		return project.Ref().Issue(i.IID)
	}
	return serviceapi.IssueRef{}
}

// Issue is an issue or another work item as events show it.
type Issue struct {
	ID          int64   `json:"id"`
	IID         int64   `json:"iid"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	ProjectID   *int64  `json:"project_id"` // nil for work items of a group
	AuthorID    int64   `json:"author_id"`
	AssigneeIDs []int64 `json:"assignee_ids"`
	AssigneeID  *int64  `json:"assignee_id"` // the first of AssigneeIDs
	MilestoneID *int64  `json:"milestone_id"`
	// State is [serviceapi.IssueStateOpened] or [serviceapi.IssueStateClosed], and
	// StateID 1 or 2.
	State   serviceapi.IssueState `json:"state"`
	StateID int                   `json:"state_id"`
	// Action is "" in a [NoteEvent] and in some test deliveries.
	Action            IssueAction       `json:"action"`
	Type              WorkItemType      `json:"type"` // since 17.2
	Confidential      bool              `json:"confidential"`
	DiscussionLocked  *bool             `json:"discussion_locked"`
	DueDate           *serviceapi.Date  `json:"due_date"`
	StartDate         *serviceapi.Date  `json:"start_date"`
	ClosedAt          *time.Time        `json:"closed_at"`
	CreatedAt         time.Time         `json:"created_at"`
	UpdatedAt         time.Time         `json:"updated_at"`
	UpdatedByID       *int64            `json:"updated_by_id"`
	LastEditedByID    *int64            `json:"last_edited_by_id"`
	LastEditedAt      *time.Time        `json:"last_edited_at"`
	RelativePosition  *int64            `json:"relative_position"`
	MovedToID         *int64            `json:"moved_to_id"`
	DuplicatedToID    *int64            `json:"duplicated_to_id"`
	TimeEstimate      int64             `json:"time_estimate"`    // seconds
	TotalTimeSpent    int64             `json:"total_time_spent"` // seconds
	TimeChange        int64             `json:"time_change"`      // seconds
	HumanTimeEstimate string            `json:"human_time_estimate"`
	HumanTimeSpent    string            `json:"human_total_time_spent"`
	HumanTimeChange   string            `json:"human_time_change"`
	Weight            *int              `json:"weight"`        // premium
	HealthStatus      string            `json:"health_status"` // premium
	Severity          string            `json:"severity"`
	EscalationStatus  string            `json:"escalation_status"` // of incidents
	EscalationPolicy  *EscalationPolicy `json:"escalation_policy"` // of incidents
	Labels            []Label           `json:"labels"`
	Contacts          []json.RawMessage `json:"customer_relations_contacts"`
	URL               string            `json:"url"`
	// Position, BranchName and DeletedAt are sent by very old releases.
	Position   *int64     `json:"position"`
	BranchName string     `json:"branch_name"`
	DeletedAt  *time.Time `json:"deleted_at"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// EscalationPolicy is the policy of an incident.
type EscalationPolicy struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// An IssueAction says what happened to an issue.
type IssueAction string

// Actions on issues.
const (
	IssueActionOpen   IssueAction = "open"
	IssueActionClose  IssueAction = "close"
	IssueActionReopen IssueAction = "reopen"
	IssueActionUpdate IssueAction = "update"
)

// A WorkItemType is a type of issue, as events write it.
type WorkItemType string

// Types of work items. There are others.
const (
	WorkItemTypeIssue    WorkItemType = "Issue"
	WorkItemTypeIncident WorkItemType = "Incident"
	WorkItemTypeTask     WorkItemType = "Task"
	WorkItemTypeEpic     WorkItemType = "Epic"
)

// IssueChanges are the members of an issue that changed; the others are nil. If an
// issue is opened, the previous values are null.
type IssueChanges struct {
	ID                *Change[*int64]                `json:"id"`
	IID               *Change[*int64]                `json:"iid"`
	Title             *Change[string]                `json:"title"`
	Description       *Change[string]                `json:"description"`
	ProjectID         *Change[*int64]                `json:"project_id"`
	AuthorID          *Change[*int64]                `json:"author_id"`
	AssigneeIDs       *Change[[]int64]               `json:"assignee_ids"`
	AssigneeID        *Change[*int64]                `json:"assignee_id"`
	MilestoneID       *Change[*int64]                `json:"milestone_id"`
	State             *Change[serviceapi.IssueState] `json:"state"`
	StateID           *Change[*int]                  `json:"state_id"`
	Type              *Change[WorkItemType]          `json:"type"`
	Confidential      *Change[*bool]                 `json:"confidential"`
	DiscussionLocked  *Change[*bool]                 `json:"discussion_locked"`
	DueDate           *Change[*serviceapi.Date]      `json:"due_date"`
	StartDate         *Change[*serviceapi.Date]      `json:"start_date"`
	ClosedAt          *Change[*time.Time]            `json:"closed_at"`
	CreatedAt         *Change[*time.Time]            `json:"created_at"`
	UpdatedAt         *Change[*time.Time]            `json:"updated_at"`
	UpdatedByID       *Change[*int64]                `json:"updated_by_id"`
	LastEditedByID    *Change[*int64]                `json:"last_edited_by_id"`
	LastEditedAt      *Change[*time.Time]            `json:"last_edited_at"`
	RelativePosition  *Change[*int64]                `json:"relative_position"`
	MovedToID         *Change[*int64]                `json:"moved_to_id"`
	DuplicatedToID    *Change[*int64]                `json:"duplicated_to_id"`
	TimeEstimate      *Change[*int64]                `json:"time_estimate"`
	TotalTimeSpent    *Change[*int64]                `json:"total_time_spent"`
	TimeChange        *Change[*int64]                `json:"time_change"`
	HumanTimeEstimate *Change[string]                `json:"human_time_estimate"`
	HumanTimeSpent    *Change[string]                `json:"human_total_time_spent"`
	HumanTimeChange   *Change[string]                `json:"human_time_change"`
	Weight            *Change[*int]                  `json:"weight"`
	HealthStatus      *Change[string]                `json:"health_status"`
	Severity          *Change[string]                `json:"severity"`
	EscalationStatus  *Change[string]                `json:"escalation_status"`
	URL               *Change[string]                `json:"url"`
	Labels            *Change[[]Label]               `json:"labels"`
	Assignees         *Change[[]User]                `json:"assignees"`
	// Extra has the changes of members without a field.
	Extra map[string]*Change[json.RawMessage] `json:",inline,embed"`
}

// NoteEvent is sent when somebody comments on a commit, a merge request, an issue or a
// snippet, or edits such a comment. Of Commit, MergeRequest, Issue and Snippet, only the
// object that the comment is on is not nil.
type NoteEvent struct {
	Delivery `json:"-"`

	ObjectKind       string        `json:"object_kind"`
	EventType        string        `json:"event_type"`
	User             User          `json:"user"` // who caused the event
	ProjectID        int64         `json:"project_id"`
	Project          Project       `json:"project"`
	Repository       Repository    `json:"repository"`
	ObjectAttributes Note          `json:"object_attributes"`
	Commit           *Commit       `json:"commit"`
	MergeRequest     *MergeRequest `json:"merge_request"`
	Issue            *Issue        `json:"issue"`
	Snippet          *Snippet      `json:"snippet"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Confidential reports whether the comment is internal, or its issue is confidential.
func (e *NoteEvent) Confidential() bool {
	return e.Kind == KindConfidentialNote || e.EventType == "confidential_note" || e.ObjectAttributes.Internal
}

// MergeRequestRef identifies the merge request that the comment is on. It is the zero
// reference if the comment is on something else.
func (e *NoteEvent) MergeRequestRef() serviceapi.MergeRequestRef {
	return e.MergeRequest.ref(&e.Project)
}

// IssueRef identifies the issue that the comment is on. It is the zero reference if the
// comment is on something else.
func (e *NoteEvent) IssueRef() serviceapi.IssueRef { return e.Issue.ref(&e.Project) }

// SnippetRef identifies the snippet that the comment is on. It is the zero reference if the
// comment is on something else.
func (e *NoteEvent) SnippetRef() serviceapi.SnippetRef { return e.Snippet.ref(&e.Project) }

// CommitRef identifies the commit that the comment is on. It is the zero reference if the
// comment is on something else.
func (e *NoteEvent) CommitRef() serviceapi.CommitRef { return e.Commit.ref(&e.Project) }

// NoteRef identifies the comment, to react to it. It is the zero reference if the comment is on
// a commit.
func (e *NoteEvent) NoteRef() serviceapi.NoteRef {
	return e.ObjectAttributes.ref(e.MergeRequestRef(), e.IssueRef(), e.SnippetRef())
}

// ref identifies a comment on the one of these that is not zero.
func (n *Note) ref(
	mergeRequest serviceapi.MergeRequestRef, issue serviceapi.IssueRef, snippet serviceapi.SnippetRef,
) serviceapi.NoteRef {
	switch {
	case n == nil:
	case !mergeRequest.IsZero():
		return mergeRequest.Note(n.ID)
	case !issue.IsZero():
		return issue.Note(n.ID)
	case !snippet.IsZero():
		return snippet.Note(n.ID)
	}
	return serviceapi.NoteRef{}
}

// Note is a comment as events show it.
type Note struct {
	ID   int64  `json:"id"`
	Note string `json:"note"` // the text
	// Description is the text with absolute addresses of images. Newer releases send
	// it.
	Description  string       `json:"description"`
	NoteableType NoteableType `json:"noteable_type"`
	NoteableID   *int64       `json:"noteable_id"` // nil for commits
	CommitID     string       `json:"commit_id"`   // the hash, for commits
	AuthorID     int64        `json:"author_id"`
	ProjectID    int64        `json:"project_id"`
	Action       NoteAction   `json:"action"` // since 16.11; before, only new comments were sent
	CreatedAt    time.Time    `json:"created_at"`
	UpdatedAt    time.Time    `json:"updated_at"`
	System       bool         `json:"system"` // always false
	Internal     bool         `json:"internal"`
	Attachment   string       `json:"attachment"`
	LineCode     string       `json:"line_code"`
	DiscussionID string       `json:"discussion_id"`
	Type         string       `json:"type"`
	// StDiff is an old form of the diff, for comments on commits.
	StDiff           *StDiff    `json:"st_diff"`
	Position         *Position  `json:"position"`
	OriginalPosition *Position  `json:"original_position"`
	ChangePosition   *Position  `json:"change_position"`
	ResolvedAt       *time.Time `json:"resolved_at"`
	ResolvedByID     *int64     `json:"resolved_by_id"`
	ResolvedByPush   *bool      `json:"resolved_by_push"`
	UpdatedByID      *int64     `json:"updated_by_id"`
	URL              string     `json:"url"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// A NoteableType says what kind of object a comment is on.
type NoteableType string

// Types of objects that have comments. There are others.
const (
	NoteableTypeCommit       NoteableType = "Commit"
	NoteableTypeMergeRequest NoteableType = "MergeRequest"
	NoteableTypeIssue        NoteableType = "Issue"
	NoteableTypeSnippet      NoteableType = "Snippet"
)

// A NoteAction says what happened to a comment.
type NoteAction string

// Actions on comments.
const (
	NoteActionCreate NoteAction = "create"
	NoteActionUpdate NoteAction = "update"
)

// StDiff is the old form of a diff.
type StDiff struct {
	Diff        string `json:"diff"`
	NewPath     string `json:"new_path"`
	OldPath     string `json:"old_path"`
	AMode       string `json:"a_mode"`
	BMode       string `json:"b_mode"`
	NewFile     bool   `json:"new_file"`
	RenamedFile bool   `json:"renamed_file"`
	DeletedFile bool   `json:"deleted_file"`
}

// Position says where in a diff a comment is.
type Position struct {
	BaseSHA      string                  `json:"base_sha"`
	StartSHA     string                  `json:"start_sha"`
	HeadSHA      string                  `json:"head_sha"`
	OldPath      string                  `json:"old_path"`
	NewPath      string                  `json:"new_path"`
	PositionType serviceapi.PositionType `json:"position_type"`
	OldLine      *int                    `json:"old_line"`
	NewLine      *int                    `json:"new_line"`
	LineRange    json.RawMessage         `json:"line_range,omitzero"`
}

func (s *Snippet) ref(project *Project) serviceapi.SnippetRef {
	if s == nil {
		return serviceapi.SnippetRef{}
	}
	return project.Ref().Snippet(s.ID)
}

// Snippet is a snippet as events show it.
type Snippet struct {
	ID              int64           `json:"id"`
	Title           string          `json:"title"`
	Description     string          `json:"description"`
	Content         string          `json:"content"`
	AuthorID        int64           `json:"author_id"`
	ProjectID       int64           `json:"project_id"`
	CreatedAt       time.Time       `json:"created_at"`
	UpdatedAt       time.Time       `json:"updated_at"`
	FileName        string          `json:"file_name"`
	Type            string          `json:"type"`
	VisibilityLevel VisibilityLevel `json:"visibility_level"`
	URL             string          `json:"url"`
	// Secret, RepositoryReadOnly and ExpiresAt are sent by some releases.
	Secret             *bool      `json:"secret"`
	RepositoryReadOnly *bool      `json:"repository_read_only"`
	ExpiresAt          *time.Time `json:"expires_at"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// WikiPageEvent is sent when a page of a project's wiki is created, changed or deleted.
type WikiPageEvent struct {
	Delivery `json:"-"`

	ObjectKind       string   `json:"object_kind"`
	User             User     `json:"user"`
	Project          Project  `json:"project"`
	Wiki             Wiki     `json:"wiki"`
	ObjectAttributes WikiPage `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Wiki is the wiki of a [WikiPageEvent].
type Wiki struct {
	WebURL            string `json:"web_url"`
	GitSSHURL         string `json:"git_ssh_url"`
	GitHTTPURL        string `json:"git_http_url"`
	PathWithNamespace string `json:"path_with_namespace"`
	DefaultBranch     string `json:"default_branch"`
}

// WikiPage is the page of a [WikiPageEvent].
type WikiPage struct {
	Title     string         `json:"title"`
	Content   string         `json:"content"`
	Format    string         `json:"format"` // "markdown", "rdoc", "asciidoc", "org"
	Message   string         `json:"message"`
	Slug      string         `json:"slug"`
	URL       string         `json:"url"`
	Action    WikiPageAction `json:"action"`
	DiffURL   string         `json:"diff_url"`
	VersionID string         `json:"version_id"`
}

// A WikiPageAction says what happened to a page.
type WikiPageAction string

// Actions on pages.
const (
	WikiPageActionCreate WikiPageAction = "create"
	WikiPageActionUpdate WikiPageAction = "update"
	WikiPageActionDelete WikiPageAction = "delete"
)

// MilestoneEvent is sent when a milestone is created, closed, reopened or deleted. Since
// 18.2.
type MilestoneEvent struct {
	Delivery `json:"-"`

	ObjectKind       string          `json:"object_kind"`
	EventType        string          `json:"event_type"`
	Action           MilestoneAction `json:"action"`
	Project          *Project        `json:"project"` // nil for the milestone of a group
	Group            *Group          `json:"group"`   // nil for the milestone of a project
	ObjectAttributes Milestone       `json:"object_attributes"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Milestone is the milestone of a [MilestoneEvent].
type Milestone struct {
	ID          int64                     `json:"id"`
	IID         int64                     `json:"iid"`
	Title       string                    `json:"title"`
	Description string                    `json:"description"`
	State       serviceapi.MilestoneState `json:"state"`
	CreatedAt   time.Time                 `json:"created_at"`
	UpdatedAt   time.Time                 `json:"updated_at"`
	DueDate     *serviceapi.Date          `json:"due_date"`
	StartDate   *serviceapi.Date          `json:"start_date"`
	GroupID     *int64                    `json:"group_id"`
	ProjectID   *int64                    `json:"project_id"`
}

// A MilestoneAction says what happened to a milestone.
type MilestoneAction string

// Actions on milestones.
const (
	MilestoneActionCreate MilestoneAction = "create"
	MilestoneActionClose  MilestoneAction = "close"
	MilestoneActionReopen MilestoneAction = "reopen"
	MilestoneActionDelete MilestoneAction = "delete"
)
