package serviceapi

import (
	"encoding/json"
	"time"
)

// NoteableType is the kind of object that a note is on.
type NoteableType string

// Kinds of objects that notes are on. The service may send others.
const (
	NoteableTypeIssue        NoteableType = "Issue"
	NoteableTypeMergeRequest NoteableType = "MergeRequest"
	NoteableTypeCommit       NoteableType = "Commit"
)

// NoteType is the type of a note in a discussion.
type NoteType string

// Types of notes in discussions. The service may send others.
const (
	NoteTypeDiscussion NoteType = "DiscussionNote"
	NoteTypeDiff       NoteType = "DiffNote"
	NoteTypeLegacyDiff NoteType = "LegacyDiffNote"
)

// Note is a comment, or a record of a change that the service wrote. Notes on
// snippets and epics may have a shorter form, without the fields from Body to
// Resolvable.
type Note struct {
	ID int64 `json:"id"`
	// Type is empty for a note that is in no discussion.
	Type NoteType `json:"type"`
	// Body is Markdown.
	Body string `json:"body"`
	// Attachment is the address of a file, empty if there is none.
	Attachment string `json:"attachment"`
	// System reports whether the service wrote the note, about a change.
	System       bool         `json:"system"`
	NoteableType NoteableType `json:"noteable_type"`
	// NoteableID is the ID of the object that the note is on. NoteableIID is its
	// number in its project or group, 0 if it has none.
	NoteableID  int64 `json:"noteable_id"`
	NoteableIID int64 `json:"noteable_iid"`
	// ProjectID is the ID of the project, nil for a note on an epic. Since about
	// 15.11.
	ProjectID *int64 `json:"project_id"`
	// CommitID is the hash of the commit that the note is on, empty if it is not on
	// a commit.
	CommitID string `json:"commit_id"`
	// Position is the line of the diff that the note is on, nil if it is not on a
	// line.
	Position *DiffPosition `json:"position"`
	// Resolvable reports whether the note belongs to a discussion that can be
	// resolved.
	Resolvable bool `json:"resolvable"`
	// Resolved is set only if Resolvable is true.
	Resolved bool `json:"resolved"`
	// ResolvedBy is nil if the note is not resolved, and if the account no longer
	// exists.
	ResolvedBy *UserSummary `json:"resolved_by"`
	// ResolvedAt is nil if the note is not resolved.
	ResolvedAt *time.Time `json:"resolved_at"`

	// Confidential notes are visible to fewer users; the service decides to whom.
	Confidential bool `json:"confidential"`
	// Internal has the same meaning as Confidential, and replaces it. Since about
	// 15.5; older releases do not send it, so check both.
	Internal bool `json:"internal"`
	// Imported reports whether the note was imported. ImportedFrom says from
	// where. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
	// Author is nil if the account no longer exists.
	Author    *NoteAuthor `json:"author"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
	// Suggestions are the changes of the diff that the body suggests. Older
	// releases do not send them.
	Suggestions []*NoteSuggestion `json:"suggestions"`
	// CommandsChanges is what the quick actions in the body changed, by the name of
	// the attribute.
	CommandsChanges map[string]json.RawMessage `json:"commands_changes"`

	// Title and FileName are set only in the shorter form.
	Title    string `json:"title"`
	FileName string `json:"file_name"`
	// ExpiresAt is nil if the note does not expire. It is set only in the shorter
	// form.
	ExpiresAt *Date `json:"expires_at"`
}

// NoteAuthor is the author of a note. AvatarURL and WebURL are missing in some
// responses, Email and CreatedAt in others.
type NoteAuthor struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Username string    `json:"username"`
	State    UserState `json:"state"`
	// Locked reports whether the user cannot sign in after too many failed
	// attempts. Since about 16.x.
	Locked bool `json:"locked"`
	// PublicEmail is the email address that everyone can see, in later releases.
	// It is empty if there is none.
	PublicEmail string `json:"public_email"`
	// AvatarURL is empty if the user has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
	Email     string `json:"email"`
	// CreatedAt is when the user was created, nil if the response leaves it out.
	CreatedAt *time.Time `json:"created_at"`
}

// NoteSuggestion is a change of some lines that a note on a diff suggests.
type NoteSuggestion struct {
	// FromLine and ToLine are the first and the last line that the suggestion
	// replaces.
	FromLine int `json:"from_line"`
	ToLine   int `json:"to_line"`
	// Appliable reports whether the suggestion can still be applied.
	Appliable bool `json:"appliable"`
	// FromContent are the lines that the suggestion replaces, and ToContent are
	// the new lines.
	FromContent string `json:"from_content"`
	ToContent   string `json:"to_content"`
}

// CreatedNote is what the service created for a new note. This is almost always
// a note. But a body that is just an award emoji (":thumbsup:") creates a
// reaction, and a body of only quick actions ("/close") creates neither: the
// service executes them and responds with 202. Nothing in the response is lost:
//
//	created, _, err := client.Notes.CreateForIssue(ctx, issue, options)
//	switch {
//	case err != nil:
//	case created.Note != nil:  // a note
//	case created.Award != nil: // a reaction to the issue
//	default:                   // created.Summary says what the actions did
//	}
type CreatedNote struct {
	// Note is nil if no note was created.
	Note *Note
	// Award is nil unless the body was an award emoji.
	Award *AwardEmoji
	// CommandsChanges is what the quick actions in the body changed, by the name
	// of the attribute, and Summary describes it, one sentence for each. They are
	// set only if Note and Award are nil; a note has its own CommandsChanges.
	CommandsChanges map[string]json.RawMessage
	Summary         []string
	// Extra has the members of the response that have no field here. It is nil if
	// Note is not nil.
	Extra map[string]json.RawMessage
}

// AwardEmoji is a reaction to an issue, a merge request, a snippet or an epic.
// The service does not document its fields. Fields that it does not send are
// zero.
type AwardEmoji struct {
	ID int64 `json:"id"`
	// Name is the name of the emoji, without colons: "thumbsup".
	Name string `json:"name"`
	// User is the user who reacted.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	// AwardableID is the ID of the object of the reaction. AwardableType is its
	// type, such as "Issue".
	AwardableID   int64  `json:"awardable_id"`
	AwardableType string `json:"awardable_type"`
}

// createdAnswer is any object that the service may send for a new note.
type createdAnswer struct {
	Note
	Name          string                     `json:"name"`
	User          *UserSummary               `json:"user"`
	AwardableID   int64                      `json:"awardable_id"`
	AwardableType string                     `json:"awardable_type"`
	Summary       []string                   `json:"summary"`
	Extra         map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (a *createdAnswer) UnmarshalJSON(data []byte) error {
	type plain createdAnswer
	var p plain
	extra, err := decodeWithExtra(data, &p)
	*a = createdAnswer(p)
	a.Extra = extra
	return err
}

// created distinguishes the objects: every note has an author or a body, and
// every reaction has the name of its emoji.
func (a *createdAnswer) created() *CreatedNote {
	switch {
	case a == nil:
		return nil
	case a.Author != nil || a.Body != "":
		return &CreatedNote{Note: &a.Note}
	case a.Name == "":
		return &CreatedNote{CommandsChanges: a.CommandsChanges, Summary: a.Summary, Extra: a.Extra}
	}
	return &CreatedNote{Extra: a.Extra, Award: &AwardEmoji{
		ID: a.ID, Name: a.Name, User: a.User, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
		AwardableID: a.AwardableID, AwardableType: a.AwardableType,
	}}
}
