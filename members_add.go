package serviceapi

import (
	"encoding/json"
	"strings"
)

// AddMemberOptions describes new memberships.
type AddMemberOptions struct {
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

// newMemberBody is the body of a call that adds members.
type newMemberBody struct {
	// UserID is a number, or several as one string.
	UserID      any         `json:"user_id,omitzero"`
	Username    string      `json:"username,omitzero"`
	AccessLevel AccessLevel `json:"access_level"`
	AddMemberOptions
}

// of is the body with these users, which are sent as one string, separated by
// commas.
func (b newMemberBody) of(users ...UserRef) input {
	texts := make([]string, len(users))
	for i, user := range users {
		if _, err := referenceSegment("user", "user name", user.reference); err != nil {
			return refusedInput{err}
		}
		if user.kind != users[0].kind {
			problem := "are IDs and usernames: use one or the other"
			return refusedInput{&ArgumentError{Argument: "users", Problem: problem}}
		}
		texts[i] = user.String()
	}
	joined := strings.Join(texts, ",")
	switch {
	case len(users) == 0:
		return refusedInput{&ArgumentError{Argument: "users", Problem: "are missing"}}
	case users[0].kind == byName:
		b.Username = joined
		return unless(noCommas("user name", texts), jsonOf(b))
	case len(users) == 1:
		b.UserID = users[0].id
	default:
		b.UserID = joined
	}
	return jsonOf(b)
}

// AddMembersResult is the result of [MembersService.AddSeveral].
type AddMembersResult struct {
	// Status is "success" or "error". It is empty if Member is set.
	Status string
	// Message is the service's message as JSON: an object of strings by username,
	// or a string. It is nil if there is none.
	Message json.RawMessage
	// Queued are the users who become members only when an administrator approves,
	// by username, each with the service's explanation. It is nil if there are
	// none. Since about 17.x.
	Queued map[string]string
	// Member is the member that was added, if the service returns it, which it
	// does for a single ID; nil otherwise.
	Member *Member
}
