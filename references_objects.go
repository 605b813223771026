package serviceapi

import (
	"fmt"
	"strconv"
)

// MergeRequestRef identifies a merge request of a project. Make it with
// [ProjectRef.MergeRequest], take it from a result with its method Ref, or read it with
// [ParseMergeRequestRef]. The zero MergeRequestRef is refused.
type MergeRequestRef struct {
	project ProjectRef
	iid     int64
}

// IssueRef identifies an issue of a project. Make it with [ProjectRef.Issue], take it from a
// result with its method Ref, or read it with [ParseIssueRef]. The zero IssueRef is refused.
type IssueRef struct {
	project ProjectRef
	iid     int64
}

// EpicRef identifies an epic of a group. Make it with [GroupRef.Epic], take it from a result
// with its method Ref, or read it with [ParseEpicRef]. The zero EpicRef is refused.
//
// An epic has two numbers. [EpicsService], to-do items and reactions identify it by its number
// in the group (IID), but notes, discussions and the calls about one child of an epic by its ID,
// and no call accepts the other number. An EpicRef from a result has both.
type EpicRef struct {
	group   GroupRef
	iid, id int64
}

// SnippetRef identifies a snippet of a project, as the owner of something such as notes.
// Make it with [ProjectRef.Snippet], or with [SnippetID] for calls that need no project. The zero
// SnippetRef is refused.
type SnippetRef struct {
	project ProjectRef
	id      int64
}

// WikiPageRef identifies a page of a wiki, as the owner of notes. Make it with
// [ProjectRef.WikiPage] or [GroupRef.WikiPage]. The zero WikiPageRef is refused.
type WikiPageRef struct {
	owner any // a WikiOwner
	id    int64
}

// CommitRef identifies a commit of a project, as the owner of something such as
// discussions. Make it with [ProjectRef.Commit]. The zero CommitRef is refused.
type CommitRef struct {
	project ProjectRef
	sha     string
}

// NoteRef identifies a note on an issue, a merge request, a snippet or an epic, as the
// owner of something such as reactions. Make it with a method of the object's reference,
// such as [IssueRef.Note]. The zero NoteRef is refused.
type NoteRef struct {
	owner any // a NoteOwner
	id    int64
}

// MergeRequest identifies the merge request with this number in the project (IID), the 7 of
// "!7", which must be positive. [MergeRequest.ID] is another number.
func (r ProjectRef) MergeRequest(iid int64) MergeRequestRef { return MergeRequestRef{r, iid} }

// Issue identifies the issue with this number in the project (IID), the 3 of "#3", which must
// be positive. [Issue.ID] is another number.
func (r ProjectRef) Issue(iid int64) IssueRef { return IssueRef{r, iid} }

// Snippet identifies the snippet of the project with this ID, which must be positive.
func (r ProjectRef) Snippet(id int64) SnippetRef { return SnippetRef{r, id} }

// SnippetID identifies the snippet with this ID, which must be positive, whether it is personal or
// that of a project. Only [StorageMovesService] takes it: what else a snippet owns, such as notes,
// is below its project.
func SnippetID(id int64) SnippetRef { return SnippetRef{id: id} }

// WikiPage identifies the page of the project's wiki with this ID, [WikiPage.WikiPageMetaID],
// which must be positive.
func (r ProjectRef) WikiPage(id int64) WikiPageRef { return WikiPageRef{r, id} }

// WikiPage identifies the page of the group's wiki with this ID, [WikiPage.WikiPageMetaID],
// which must be positive. Premium.
func (r GroupRef) WikiPage(id int64) WikiPageRef { return WikiPageRef{r, id} }

// Commit identifies a commit of the project by its hash. A branch or a tag stands for its
// newest commit.
func (r ProjectRef) Commit(sha string) CommitRef { return CommitRef{r, sha} }

// Epic identifies the epic with this number in the group (IID), the 5 of "&5", which must be
// positive. Notes, discussions and a child need the ID of an epic: for them, use the Ref of a
// result, or [GroupRef.EpicByID]. Premium.
func (r GroupRef) Epic(iid int64) EpicRef { return EpicRef{group: r, iid: iid} }

// EpicByID identifies the epic of the group with this ID, [Epic.ID], which must be positive,
// for notes and discussions, and for a child of another epic. The other methods of [EpicsService]
// need its number in the group: for them, use [GroupRef.Epic]. Premium.
func (r GroupRef) EpicByID(id int64) EpicRef { return EpicRef{group: r, id: id} }

// Note identifies the note on the issue with this ID, which must be positive.
func (r IssueRef) Note(id int64) NoteRef { return NoteRef{r, id} }

// Note identifies the note on the merge request with this ID, which must be positive.
func (r MergeRequestRef) Note(id int64) NoteRef { return NoteRef{r, id} }

// Note identifies the note on the snippet with this ID, which must be positive.
func (r SnippetRef) Note(id int64) NoteRef { return NoteRef{r, id} }

// Note identifies the note on the epic with this ID, which must be positive.
func (r EpicRef) Note(id int64) NoteRef { return NoteRef{r, id} }

// IsZero reports whether the reference is the zero value.
func (r MergeRequestRef) IsZero() bool { return r == MergeRequestRef{} }

// IsZero reports whether the reference is the zero value.
func (r IssueRef) IsZero() bool { return r == IssueRef{} }

// IsZero reports whether the reference is the zero value.
func (r EpicRef) IsZero() bool { return r == EpicRef{} }

// IsZero reports whether the reference is the zero value.
func (r SnippetRef) IsZero() bool { return r == SnippetRef{} }

// IsZero reports whether the reference is the zero value.
func (r WikiPageRef) IsZero() bool { return r == WikiPageRef{} }

// IsZero reports whether the reference is the zero value.
func (r CommitRef) IsZero() bool { return r == CommitRef{} }

// IsZero reports whether the reference is the zero value.
func (r NoteRef) IsZero() bool { return r == NoteRef{} }

// Project returns the project of the merge request.
func (r MergeRequestRef) Project() ProjectRef { return r.project }

// IID returns the number of the merge request in its project.
func (r MergeRequestRef) IID() int64 { return r.iid }

// Project returns the project of the issue.
func (r IssueRef) Project() ProjectRef { return r.project }

// IID returns the number of the issue in its project.
func (r IssueRef) IID() int64 { return r.iid }

// Group returns the group of the epic.
func (r EpicRef) Group() GroupRef { return r.group }

// IID returns the number of the epic in its group, 0 if the reference has only its ID.
func (r EpicRef) IID() int64 { return r.iid }

// String returns the project and the number, such as "acme/shop#12", or "" for the zero
// value.
func (r IssueRef) String() string { return numbered(r.project.reference, "#", r.iid) }

// String returns the project and the number, such as "acme/shop!7", or "" for the zero
// value.
func (r MergeRequestRef) String() string { return numbered(r.project.reference, "!", r.iid) }

// String returns the project and the ID, such as "acme/shop$3", or "" for the zero value.
func (r SnippetRef) String() string { return numbered(r.project.reference, "$", r.id) }

// String returns the group and the number, such as "acme&5", or "" for the zero value. If
// only the ID of the epic is known, it is "acme, epic 105".
func (r EpicRef) String() string {
	if r.iid == 0 && r.id != 0 {
		return r.group.String() + ", epic " + strconv.FormatInt(r.id, 10)
	}
	return numbered(r.group.reference, "&", r.iid)
}

// String returns the owner and the ID, such as "acme/shop#12, note 301", or "" for the zero
// value.
func (r NoteRef) String() string {
	if r.IsZero() {
		return ""
	}
	return fmt.Sprint(r.owner) + ", note " + strconv.FormatInt(r.id, 10)
}

// String returns the owner and the ID, such as "acme/shop, wiki page 7", or "" for the zero value.
func (r WikiPageRef) String() string {
	if r.IsZero() {
		return ""
	}
	return fmt.Sprint(r.owner) + ", wiki page " + strconv.FormatInt(r.id, 10)
}

// String returns the project and the hash, such as "acme/shop@1f3a", or "" for the zero
// value.
func (r CommitRef) String() string {
	if r.IsZero() {
		return ""
	}
	return r.project.String() + "@" + r.sha
}

func numbered(owner reference, mark string, number int64) string {
	if owner.IsZero() && number == 0 {
		return ""
	}
	return owner.String() + mark + strconv.FormatInt(number, 10)
}

// AlertRef identifies an alert of a project, as the owner of metric images. Make it with
// [ProjectRef.Alert]. The zero AlertRef is refused.
type AlertRef struct {
	project ProjectRef
	iid     int64
}

// Alert identifies the alert with this number in the project (IID), which must be positive.
func (r ProjectRef) Alert(iid int64) AlertRef { return AlertRef{r, iid} }

// IsZero reports whether the reference is the zero value.
func (r AlertRef) IsZero() bool { return r == AlertRef{} }

// String returns the project and the number, such as "acme/shop, alert 4", or "" for the zero value.
func (r AlertRef) String() string {
	if r.IsZero() {
		return ""
	}
	return r.project.String() + ", alert " + strconv.FormatInt(r.iid, 10)
}
