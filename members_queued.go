package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"example.com/serviceapi/internal/text"
	jsonv2 "github.com/go-json-experiment/json"
)

// MembershipQueuedError means that the service has accepted a new member, or a
// new role of a member, which takes effect only when an administrator approves.
// Nothing has changed yet. It unwraps to *[Error], whose status is 2xx. Since
// about 17.x.
type MembershipQueuedError struct {
	Err *Error
	// Users are the users in question by username, each with the service's
	// explanation.
	Users map[string]string
}

// Error describes the response and names the users.
func (e *MembershipQueuedError) Error() string {
	names := strings.Join(slices.Sorted(maps.Keys(e.Users)), ", ")
	return e.Err.Error() + " (waiting for an administrator: " + text.Printable(names, maxErrorText) + ")"
}

// Unwrap returns the *[Error].
func (e *MembershipQueuedError) Unwrap() error { return e.Err }

// membershipResponse is any response to a new or changed member: the member, a
// status with messages, or the users who wait for an administrator.
type membershipResponse struct {
	Member
	Status      string          `json:"status"`
	Message     json.RawMessage `json:"message"`
	QueuedUsers json.RawMessage `json:"queued_users"`
}

// queued returns the users who wait for approval, nil if there are none. A
// response that has neither a member nor a status lists them in its message.
func (a *membershipResponse) queued() map[string]string {
	users := a.QueuedUsers
	if len(users) == 0 && a.ID == 0 && a.Status == "" {
		users = a.Message
	}
	var explained map[string]string
	if jsonv2.Unmarshal(users, &explained, decodeOptions) == nil {
		return explained
	}
	var names []string
	if jsonv2.Unmarshal(users, &names, decodeOptions) != nil || len(names) == 0 {
		return nil
	}
	explained = make(map[string]string, len(names))
	for _, name := range names {
		explained[name] = ""
	}
	return explained
}

// result is the response to several new members.
func (a *membershipResponse) result() *AddMembersResult {
	if a == nil {
		return nil
	}
	r := &AddMembersResult{Status: a.Status, Message: a.Message, Queued: a.queued()}
	if a.ID != 0 {
		r.Member = &a.Member
	}
	return r
}

var errNoMember = errors.New("the response has no member")

// oneMembership makes a call that adds or changes one member.
func oneMembership(
	ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption,
) (*Member, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	result, resp, err := fetch(cl, (*sending).checkMember)
	if result == nil || result.ID == 0 && !isPartial(err) {
		return nil, resp, err
	}
	return &result.Member, resp, err
}

// checkMember returns the reason why a response has no member.
func (s *sending) checkMember(r *membershipResponse) error {
	if r.ID != 0 {
		return nil
	}
	if users := r.queued(); len(users) > 0 {
		message := r.Message
		if len(message) == 0 {
			message = r.QueuedUsers
		}
		hidden := make(map[string]string, len(users))
		for name, explanation := range users {
			hidden[s.secrets().Hide(name)] = s.secrets().Hide(explanation)
		}
		return &MembershipQueuedError{Err: s.bodyError(message), Users: hidden}
	}
	if r.Status != "" && r.Status != "success" {
		return s.bodyError(r.Message)
	}
	return s.decodeError(errNoMember)
}
