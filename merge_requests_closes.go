package serviceapi

import (
	"strconv"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// ClosedIssue is an issue that a merge would close. For an issue in an external
// tracker only ID and Title are set: the others are empty, or nil.
type ClosedIssue struct {
	ID IssueID `json:"id"`
	// IID is the number of the issue in its project, and ProjectID the ID of the
	// project. Both are nil for an issue in an external tracker.
	IID       *int64 `json:"iid"`
	ProjectID *int64 `json:"project_id"`
	Title     string `json:"title"`
	// Description is empty if the issue has none.
	Description string     `json:"description"`
	State       IssueState `json:"state"`
	// Author is nil if the account no longer exists.
	Author *UserSummary `json:"author"`
	// Assignee and Milestone are nil if there is none.
	Assignee  *UserSummary    `json:"assignee"`
	Milestone *Milestone      `json:"milestone"`
	Labels    []*LabelSummary `json:"labels"`
	// CreatedAt, UpdatedAt and UserNotesCount are nil for an issue in an external
	// tracker.
	CreatedAt      *time.Time   `json:"created_at"`
	UpdatedAt      *time.Time   `json:"updated_at"`
	UserNotesCount *int         `json:"user_notes_count"`
	ChangesCount   ChangesCount `json:"changes_count"`
}

// IssueID identifies an issue: by Number in the built-in tracker, or by Key in
// an external one. The other field is empty.
type IssueID struct {
	Number int64
	Key    string
}

// External reports whether the issue is in an external tracker.
func (id IssueID) External() bool { return id.Key != "" }

// String returns the number or the key.
func (id IssueID) String() string {
	if id.External() {
		return id.Key
	}
	return strconv.FormatInt(id.Number, 10)
}

// MarshalJSON encodes the number or the key.
func (id IssueID) MarshalJSON() ([]byte, error) {
	if id.External() {
		return json.Marshal(id.Key)
	}
	return json.Marshal(id.Number)
}

// UnmarshalJSON decodes a number or a key.
func (id *IssueID) UnmarshalJSON(data []byte) error {
	*id = IssueID{}
	if jsonx.IsString(data) {
		return decodeString(data, &id.Key)
	}
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		id.Number = n
		return nil
	}
	return json.Unmarshal(data, &id.Number) // null, or an error
}
