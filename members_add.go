package serviceapi

import (
	"encoding/json"
	"strconv"
	"strings"
)

// AddMemberOptions describes a new member. AccessLevel and one of UserID and
// Username are required.
type AddMemberOptions struct {
	UserID int64 `json:"user_id,omitzero"`
	// Username identifies the user instead of UserID. Since about 16.x.
	Username    string      `json:"username,omitzero"`
	AccessLevel AccessLevel `json:"access_level"`
	// MemberRoleID is the ID of a custom role. Nil means none. Since about 15.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
	// ExpiresAt is the day on which the membership ends. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// InviteSource says where the invitation came from, for the service's
	// statistics.
	InviteSource *string `json:"invite_source,omitzero"`
	// TasksToBeDone are tasks for the new member in the project with the ID
	// TasksProjectID; each requires the other. They require the feature flag
	// invite_members_for_task, which is disabled by default. Releases since about
	// 16.0 no longer accept them.
	TasksToBeDone  []MemberTask `json:"tasks_to_be_done,omitzero"`
	TasksProjectID *int64       `json:"tasks_project_id,omitzero"`
}

func (o AddMemberOptions) check() error {
	if err := checkNewMembers(o.UserID != 0, o.Username != ""); err != nil {
		return err
	}
	if o.Username != "" {
		return checkMemberNames(nil, []string{o.Username})
	}
	return checkMemberNames([]int64{o.UserID}, nil)
}

// checkMemberNames refuses what would be another user than the caller means: a
// username with a comma would be two.
func checkMemberNames(ids []int64, names []string) error {
	if hasComma(names) {
		return &ArgumentError{Argument: "user name", Problem: "contains a comma"}
	}
	for _, id := range ids {
		if _, err := numberSegment("user_id", id); err != nil {
			return err
		}
	}
	return nil
}

// checkNewMembers refuses options that identify no user, or one in two ways.
func checkNewMembers(byID, byName bool) error {
	switch {
	case byID && byName:
		return &ArgumentError{Argument: "user", Problem: "is identified by both ID and username"}
	case !byID && !byName:
		return &ArgumentError{Argument: "user", Problem: "is missing: neither an ID nor a username is set"}
	}
	return nil
}

// AddMembersOptions describes several new members at once. AccessLevel and one
// of UserIDs and Usernames are required.
type AddMembersOptions struct {
	UserIDs UserIDs `json:"user_id,omitzero"`
	// Usernames identify the users instead of UserIDs. Since about 16.x.
	Usernames   Usernames   `json:"username,omitzero"`
	AccessLevel AccessLevel `json:"access_level"`
	// MemberRoleID is the ID of a custom role. Nil means none. Since about 15.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
	// ExpiresAt is the day on which the memberships end. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// InviteSource, TasksToBeDone and TasksProjectID are as in
	// [AddMemberOptions].
	InviteSource   *string      `json:"invite_source,omitzero"`
	TasksToBeDone  []MemberTask `json:"tasks_to_be_done,omitzero"`
	TasksProjectID *int64       `json:"tasks_project_id,omitzero"`
}

func (o AddMembersOptions) check() error {
	if err := checkNewMembers(len(o.UserIDs) > 0, len(o.Usernames) > 0); err != nil {
		return err
	}
	return checkMemberNames(o.UserIDs, o.Usernames)
}

// Usernames are the names of users. They are sent as one string, separated by
// commas: "ada,grace".
type Usernames []string

// MarshalText encodes the names, separated by commas.
func (names Usernames) MarshalText() ([]byte, error) {
	return []byte(strings.Join(names, ",")), nil
}

// UserIDs are the IDs of users. They are sent as one string, separated by
// commas: "3,5,8".
type UserIDs []int64

// MarshalText encodes the IDs, separated by commas.
func (ids UserIDs) MarshalText() ([]byte, error) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return []byte(strings.Join(texts, ",")), nil
}

// AddMembersResult is the result of [MembersService.AddSeveral].
type AddMembersResult struct {
	// Status is "success" or "error". It is empty if Member is set.
	Status string
	// Message is the service's message as JSON: an object of strings by username, or
	// a string. It is nil if there is none.
	Message json.RawMessage
	// Queued are the users who become members only when an administrator approves,
	// by username, each with the service's explanation. It is nil if there are
	// none. Since about 17.x.
	Queued map[string]string
	// Member is the member that was added, if the service returns it, which it
	// does for a single ID; nil otherwise.
	Member *Member
}
