package serviceapi

import (
	"fmt"
	"time"
)

// Commit is a commit of a repository, as in a list. [CommitsService.Get] returns
// more: [CommitDetails].
type Commit struct {
	// ID is the full hash.
	ID      string `json:"id"`
	ShortID string `json:"short_id"`
	// Title is the first line of Message.
	Title       string `json:"title"`
	Message     string `json:"message"`
	AuthorName  string `json:"author_name"`
	AuthorEmail string `json:"author_email"`
	// AuthoredDate is when the change was written, which may be long before
	// it was committed.
	AuthoredDate   time.Time `json:"authored_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
	CommittedDate  time.Time `json:"committed_date"`
	// CreatedAt equals CommittedDate.
	CreatedAt time.Time `json:"created_at"`
	// ParentIDs are full hashes: none for a first commit, several for a merge.
	ParentIDs []string `json:"parent_ids"`
	WebURL    string   `json:"web_url"`
	// Stats is nil unless [ListCommitsOptions.WithStats] asks for it.
	Stats *CommitStats `json:"stats"`
	// Trailers are the lines such as "Signed-off-by: Ada" at the end of the
	// message, by name. They are set if they were asked for. If a name has several
	// lines, this is one of them; ExtendedTrailers has them all.
	Trailers map[string]string `json:"trailers"`
	// ExtendedTrailers are all values of the trailers, by name. Since about 15.11.
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
}

// CommitDetails is a single commit, with what lists leave out.
type CommitDetails struct {
	// ID is the full hash.
	ID      string `json:"id"`
	ShortID string `json:"short_id"`
	// Title is the first line of Message.
	Title       string `json:"title"`
	Message     string `json:"message"`
	AuthorName  string `json:"author_name"`
	AuthorEmail string `json:"author_email"`
	// AuthoredDate is when the change was written, which may be long before
	// it was committed.
	AuthoredDate   time.Time `json:"authored_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
	CommittedDate  time.Time `json:"committed_date"`
	// CreatedAt equals CommittedDate.
	CreatedAt time.Time `json:"created_at"`
	// ParentIDs are full hashes: none for a first commit, several for a merge.
	ParentIDs []string `json:"parent_ids"`
	WebURL    string   `json:"web_url"`
	// Stats is nil if it was declined with [GetCommitOptions.Stats] or
	// [CreateCommitOptions.Stats].
	Stats *CommitStats `json:"stats"`
	// Status is that of the last pipeline, empty if there was none.
	Status PipelineStatus `json:"status"`
	// LastPipeline is set only by Get. It is nil if there was no pipeline.
	LastPipeline *PipelineSummary `json:"last_pipeline"`
	// ProjectID is the ID of the project.
	ProjectID int64 `json:"project_id"`
	// Trailers are the lines such as "Signed-off-by: Ada" at the end of the
	// message, by name. They are set if they were asked for. If a name has several
	// lines, this is one of them; ExtendedTrailers has them all.
	Trailers map[string]string `json:"trailers"`
	// ExtendedTrailers are all values of the trailers, by name. Since about 15.11.
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
}

// CommitStats counts the lines that a commit changed.
type CommitStats struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	// Total is the sum of both.
	Total int `json:"total"`
}

// GitRefType is a kind of ref.
type GitRefType string

// Kinds of refs. GitRefTypeAll is only for [ListCommitRefsOptions].
const (
	GitRefTypeBranch GitRefType = "branch"
	GitRefTypeTag    GitRefType = "tag"
	GitRefTypeAll    GitRefType = "all"
)

// GitRef is a branch or a tag that contains a commit.
type GitRef struct {
	Type GitRefType `json:"type"`
	Name string     `json:"name"`
}

// CommitDiff is the change of a commit to one file.
type CommitDiff struct {
	// Diff is the change in the unified format, without the lines that name
	// the file.
	Diff string `json:"diff"`
	// OldPath and NewPath differ only where RenamedFile is true.
	OldPath string `json:"old_path"`
	NewPath string `json:"new_path"`
	// AMode and BMode are the file modes before and after, such as "100644".
	// AMode is empty if the service does not say.
	AMode       string `json:"a_mode"`
	BMode       string `json:"b_mode"`
	NewFile     bool   `json:"new_file"`
	RenamedFile bool   `json:"renamed_file"`
	DeletedFile bool   `json:"deleted_file"`
	// Collapsed and TooLarge report whether Diff is empty because the change is
	// large, or too large to be shown at all. Since 18.4.
	Collapsed bool `json:"collapsed"`
	TooLarge  bool `json:"too_large"`
}

// LineType says which side of a diff a line is on.
type LineType string

// Sides of a diff.
const (
	LineTypeNew LineType = "new"
	LineTypeOld LineType = "old"
)

// CommitComment is a comment on a commit.
type CommitComment struct {
	Note string `json:"note"`
	// Path and LineType are empty if the comment is not on a line.
	Path string `json:"path"`
	// Line counts from 1. It is nil if the comment is not on a line.
	Line     *int     `json:"line"`
	LineType LineType `json:"line_type"`
	// CreatedAt is nil in the lists of releases that do not send it.
	CreatedAt *time.Time `json:"created_at"`
	// Author is nil if the account no longer exists. In lists, it has an email
	// address and a creation date. In the response to CreateComment, it has an
	// avatar and a web page instead.
	Author *NoteAuthor `json:"author"`
}

// CreateCommitCommentOptions describes a comment on a commit. Note is required.
//
// A comment on a line requires the full hash of the commit, Path, Line and
// LineType. With a branch or a tag instead of the hash, or with a path or line
// that the commit does not have, the comment applies to the commit as a whole.
type CreateCommitCommentOptions struct {
	// Note is the comment, in Markdown.
	Note string  `json:"note"`
	Path *string `json:"path,omitzero"`
	// Line counts from 1.
	Line     *int      `json:"line,omitzero"`
	LineType *LineType `json:"line_type,omitzero"`
}

// ChangesetCode says why a commit cannot be applied or reverted.
type ChangesetCode string

// Codes of a [ChangesetError].
const (
	// ChangesetCodeEmpty: the branch would not change. The commit has already been
	// applied or reverted there.
	ChangesetCodeEmpty ChangesetCode = "empty"
	// ChangesetCodeConflict: the change conflicts with the branch.
	ChangesetCodeConflict ChangesetCode = "conflict"
)

// ChangesetError is the service's refusal of a cherry-pick or a revert. The
// branch has not changed. It unwraps to *[Error].
type ChangesetError struct {
	Err  *Error
	Code ChangesetCode
}

// Error describes the response and names the code.
func (e *ChangesetError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Code) }

// Unwrap returns the *[Error].
func (e *ChangesetError) Unwrap() error { return e.Err }

// changeset is changesetError for a call with a result.
func changeset[T any](v *T, resp *Response, err error) (*T, *Response, error) {
	return v, resp, changesetError(err)
}

// changesetError makes a ChangesetError of a response that says so, and returns
// every other error unchanged.
func changesetError(err error) error {
	if e := errorResponse(err); e != nil {
		switch code := ChangesetCode(e.Code); code {
		case ChangesetCodeEmpty, ChangesetCodeConflict:
			return &ChangesetError{Err: e, Code: code}
		}
	}
	return err
}
