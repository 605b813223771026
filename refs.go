package serviceapi

import "strconv"

// IssueRef identifies an issue of a project, where it is the owner of something
// such as notes. Make it with [IssueIn]. The zero IssueRef is refused.
type IssueRef struct {
	project ProjectRef
	iid     int64
}

// MergeRequestRef identifies a merge request of a project, where it is the owner
// of something such as discussions. Make it with [MergeRequestIn]. The zero
// MergeRequestRef is refused.
type MergeRequestRef struct {
	project ProjectRef
	iid     int64
}

// SnippetRef identifies a snippet of a project, where it is the owner of
// something such as notes. Make it with [SnippetIn]. The zero SnippetRef is
// refused.
type SnippetRef struct {
	project ProjectRef
	id      int64
}

// EpicRef identifies an epic of a group, where it is the owner of something such
// as notes. Make it with [EpicIn]. The zero EpicRef is refused.
type EpicRef struct {
	group GroupRef
	id    int64
}

// CommitRef identifies a commit of a project, where it is the owner of something
// such as discussions. Make it with [CommitIn]. The zero CommitRef is refused.
type CommitRef struct {
	project ProjectRef
	sha     string
}

// IssueIn identifies the issue with this number in the project (IID), which must
// be positive.
func IssueIn(project ProjectRef, issueIID int64) IssueRef { return IssueRef{project, issueIID} }

// MergeRequestIn identifies the merge request with this number in the project
// (IID), which must be positive.
func MergeRequestIn(project ProjectRef, mergeRequestIID int64) MergeRequestRef {
	return MergeRequestRef{project, mergeRequestIID}
}

// SnippetIn identifies a snippet of a project by its ID, which must be positive.
func SnippetIn(project ProjectRef, snippetID int64) SnippetRef { return SnippetRef{project, snippetID} }

// EpicIn identifies an epic of a group by its ID, [Epic.ID], which must be
// positive. With its number in the group (IID), the service would not find it,
// or would find another epic. Premium.
func EpicIn(group GroupRef, epicID int64) EpicRef { return EpicRef{group, epicID} }

// CommitIn identifies a commit of a project by its hash. A branch or a tag means
// its newest commit.
func CommitIn(project ProjectRef, sha string) CommitRef { return CommitRef{project, sha} }

// String returns the project and the number, such as "acme/shop#12", "" for the
// zero value.
func (r IssueRef) String() string { return numbered(r.project.reference, "#", r.iid) }

// String returns the project and the number, such as "acme/shop!7", "" for the
// zero value.
func (r MergeRequestRef) String() string { return numbered(r.project.reference, "!", r.iid) }

// String returns the project and the ID, such as "acme/shop$3", "" for the zero
// value.
func (r SnippetRef) String() string { return numbered(r.project.reference, "$", r.id) }

// String returns the group and the ID, such as "acme&5", "" for the zero value.
func (r EpicRef) String() string { return numbered(r.group.reference, "&", r.id) }

// String returns the project and the hash, such as "acme/shop@1f3a", "" for the
// zero value.
func (r CommitRef) String() string {
	if r.project.IsZero() && r.sha == "" {
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
