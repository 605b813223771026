package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/internal/text"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MembersService manages the members of projects and groups. The owner is a
// [ProjectRef] or a [GroupRef]:
//
//	client.Members.All(ctx, serviceapi.ProjectPath("acme/app"), nil)
//	client.Members.All(ctx, serviceapi.GroupID(7), nil)
//
// Methods that exist only for groups take a [GroupRef]. A user must be a [UserID]:
// only Add and AddSeveral also accept a [Username].
//
// Its options are [AddMemberOptions], [ListBillableMembersOptions],
// [ListInheritedMembersOptions], [ListMembersOptions], [ListOptions],
// [RemoveMemberOptions], [SetMemberStateOptions] and [UpdateMemberOptions]. See recipe 7
// of docs/cookbook.md, the example OnboardUser of
// [example.com/serviceapi/examples/recipes].
type MembersService service

// MemberOwner is an owner of members: a [ProjectRef] or a [GroupRef].
type MemberOwner interface{ hasMembers() }

func (ProjectRef) hasMembers() {}

func (GroupRef) hasMembers() {}

func membersOf(owner MemberOwner, suffix string, args ...any) Endpoint {
	return below(owner, "/members"+suffix, args...)
}

const (
	oneMember         = "/:user_id"
	inheritedMembers  = "/all"
	inheritedMember   = "/all/:user_id"
	memberState       = "/:user_id/state"
	billableMembers   = "/billable_members"
	billableMember    = billableMembers + "/:user_id"
	memberMemberships = billableMember + "/memberships"
)

// List returns one page of the direct members of a project or group.
//
//	GET /projects/:id/members
//	GET /groups/:id/members
func (s *MembersService) List(
	ctx context.Context, owner MemberOwner, options *ListMembersOptions, opts ...RequestOption,
) ([]*Member, *Response, error) {
	return list[*Member](ctx, using(s), membersOf(owner, ""), queryOf(options), opts)
}

// All returns every direct member of a project or group.
//
//	GET /projects/:id/members
//	GET /groups/:id/members
func (s *MembersService) All(
	ctx context.Context, owner MemberOwner, options *ListMembersOptions, opts ...RequestOption,
) iter.Seq2[*Member, error] {
	return all[*Member](ctx, using(s), membersOf(owner, ""), queryOf(options), opts)
}

// ListInherited returns one page of all members of a project or group: direct
// members, members of parent groups, and members of invited groups. Each user
// is listed once, with the highest access level. Members of an invited group
// are listed only if that group is public or the caller belongs to it.
//
//	GET /projects/:id/members/all
//	GET /groups/:id/members/all
func (s *MembersService) ListInherited(
	ctx context.Context, owner MemberOwner, options *ListInheritedMembersOptions, opts ...RequestOption,
) ([]*Member, *Response, error) {
	return list[*Member](ctx, using(s), membersOf(owner, inheritedMembers), queryOf(options), opts)
}

// AllInherited returns every member of a project or group: direct members,
// members of parent groups, and members of invited groups. See
// [MembersService.ListInherited].
//
//	GET /projects/:id/members/all
//	GET /groups/:id/members/all
func (s *MembersService) AllInherited(
	ctx context.Context, owner MemberOwner, options *ListInheritedMembersOptions, opts ...RequestOption,
) iter.Seq2[*Member, error] {
	return all[*Member](ctx, using(s), membersOf(owner, inheritedMembers), queryOf(options), opts)
}

// Get returns one direct member of a project or group. The user must be a [UserID], which
// [UsersService.Find] finds by name. The call returns [ErrNotFound] for an inherited member.
//
//	GET /projects/:id/members/:user_id
//	GET /groups/:id/members/:user_id
func (s *MembersService) Get(
	ctx context.Context, owner MemberOwner, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, using(s), http.MethodGet, membersOf(owner, oneMember, onlyID(user)), nil, opts)
}

// GetInherited returns one member of a project or group, whether direct,
// inherited or invited, with the highest access level.
//
//	GET /projects/:id/members/all/:user_id
//	GET /groups/:id/members/all/:user_id
func (s *MembersService) GetInherited(
	ctx context.Context, owner MemberOwner, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, using(s), http.MethodGet, membersOf(owner, inheritedMember, onlyID(user)), nil, opts)
}

// Add makes a user a member of a project or group. The level is one from [AccessLevelGuest]
// to [AccessLevelOwner] or, Premium and only in a top-level group, [AccessLevelMinimal].
// A [Username] is accepted since about 16.x; before, the user must be a [UserID].
//
// The call returns [ErrConflict] if the user is already a member, [ErrBadRequest] for another
// level and for one below that which the user has in a parent group, [ErrForbidden] for one
// above the caller's own, and a [*MembershipQueuedError] if an administrator must approve first.
//
//	POST /projects/:id/members
//	POST /groups/:id/members
func (s *MembersService) Add(
	ctx context.Context, owner MemberOwner, user UserRef, level AccessLevel,
	options AddMemberOptions, opts ...RequestOption,
) (*Member, *Response, error) {
	body := newMemberBody{AccessLevel: level, AddMemberOptions: options}
	return oneMembership(ctx, using(s), http.MethodPost, membersOf(owner, ""), body.of(user), opts)
}

// AddSeveral makes several users members of a project or group, all with the
// same access level, one that [MembersService.Add] accepts. The users are all IDs or,
// since about 16.x, all usernames.
// The service reports success (201) even if it did not add some of the users.
// AddSeveral then returns the result together with an [*Error] that has the
// reasons in its Fields, by username. The other users have been added, or wait
// for the approval of an administrator: see [AddMembersResult.Queued].
//
//	POST /projects/:id/members
//	POST /groups/:id/members
func (s *MembersService) AddSeveral(
	ctx context.Context, owner MemberOwner, users []UserRef, level AccessLevel,
	options AddMemberOptions, opts ...RequestOption,
) (*AddMembersResult, *Response, error) {
	body := newMemberBody{AccessLevel: level, AddMemberOptions: options}
	result, resp, err := checked(ctx, using(s), http.MethodPost,
		membersOf(owner, ""), body.of(users...), checkMembers, opts)
	return result.result(), resp, err
}

// checkMembers returns the reason why nobody was added.
func checkMembers(sent *outcome, r *membershipResponse) error {
	if r.Status == "" || r.Status == "success" {
		return nil
	}
	return sent.bodyError(r.Message)
}

// Update changes the access level of a direct member of a project or group, and the
// fields that the options set. The level is one that [MembersService.Add] accepts:
// [AccessLevelNone] ends no membership, [MembersService.Remove] does. The service requires
// the level, even if it does not change. The user must be a [UserID], as for
// [MembersService.Get]. The call returns a [*MembershipQueuedError] if an administrator must
// approve first.
//
//	PUT /projects/:id/members/:user_id
//	PUT /groups/:id/members/:user_id
func (s *MembersService) Update(
	ctx context.Context, owner MemberOwner, user UserRef, level AccessLevel,
	options UpdateMemberOptions, opts ...RequestOption,
) (*Member, *Response, error) {
	body := updateMemberBody{AccessLevel: level, UpdateMemberOptions: options, ExpiresAt: dayOrEmpty(options.ExpiresAt)}
	return oneMembership(ctx, using(s), http.MethodPut, membersOf(owner, oneMember, onlyID(user)), jsonOf(body), opts)
}

// SetState makes the memberships of a user in a group, and in all of its
// subgroups and projects, active or awaiting. It also returns an [*Error] if
// the service responds with 200 but reports that it did not change the state.
//
//	PUT /groups/:id/members/:user_id/state
func (s *MembersService) SetState(
	ctx context.Context, group GroupRef, user UserRef, options SetMemberStateOptions, opts ...RequestOption,
) (*Response, error) {
	_, resp, err := checked(ctx, using(s), http.MethodPut,
		membersOf(group, memberState, onlyID(user)), jsonOf(options), checkState, opts)
	return resp, err
}

// checkState returns the reason why a state was not set.
func checkState(sent *outcome, r *memberStateResponse) error {
	if r.Success {
		return nil
	}
	return sent.bodyError(r.Message)
}

type memberStateResponse struct {
	Success bool           `json:"success"`
	Message jsontext.Value `json:"message"`
}

// ListBillable returns one page of the billable members of a top-level group.
// The service updates them once a day, at 12:00 UTC.
//
//	GET /groups/:id/billable_members
func (s *MembersService) ListBillable(
	ctx context.Context, group GroupRef, options *ListBillableMembersOptions, opts ...RequestOption,
) ([]*BillableMember, *Response, error) {
	return list[*BillableMember](ctx, using(s), below(group, billableMembers), queryOf(options), opts)
}

// AllBillable returns every billable member of a top-level group. See
// [MembersService.ListBillable].
//
//	GET /groups/:id/billable_members
func (s *MembersService) AllBillable(
	ctx context.Context, group GroupRef, options *ListBillableMembersOptions, opts ...RequestOption,
) iter.Seq2[*BillableMember, error] {
	return all[*BillableMember](ctx, using(s), below(group, billableMembers), queryOf(options), opts)
}

// ListBillableMemberships returns one page of the direct memberships of a
// billable member in a top-level group and everything below it. It requires the
// permission to manage memberships.
//
//	GET /groups/:id/billable_members/:user_id/memberships
func (s *MembersService) ListBillableMemberships(
	ctx context.Context, group GroupRef, user UserRef, options *ListOptions, opts ...RequestOption,
) ([]*BillableMembership, *Response, error) {
	return list[*BillableMembership](ctx, using(s),
		below(group, memberMemberships, onlyID(user)), queryOf(options), opts)
}

// AllBillableMemberships returns every direct membership of a billable member
// in a top-level group and everything below it. See
// [MembersService.ListBillableMemberships].
//
//	GET /groups/:id/billable_members/:user_id/memberships
func (s *MembersService) AllBillableMemberships(
	ctx context.Context, group GroupRef, user UserRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BillableMembership, error] {
	return all[*BillableMembership](ctx, using(s),
		below(group, memberMemberships, onlyID(user)), queryOf(options), opts)
}

// RemoveBillable removes a user from a top-level group and from all subgroups
// and projects in it. The user need not be a direct member of the group.
//
//	DELETE /groups/:id/billable_members/:user_id
func (s *MembersService) RemoveBillable(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(group, billableMember, onlyID(user)), nil, opts)
}

// Remove ends the direct membership of a user in a project or group. The caller
// must be that user, or have the Maintainer role in the project or the Owner
// role in the group. The call returns [ErrNotFound] if the user is not a direct
// member, and [ErrForbidden] for the last owner.
//
//	DELETE /projects/:id/members/:user_id
//	DELETE /groups/:id/members/:user_id
func (s *MembersService) Remove(
	ctx context.Context, owner MemberOwner, user UserRef, options *RemoveMemberOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, membersOf(owner, oneMember, onlyID(user)), queryOf(options), opts)
}

// Override lets the access level of a group member differ from that of a synchronized
// directory: the next synchronization no longer changes it. [MembersService.Update] then sets
// the level. Premium.
//
//	POST /groups/:id/members/:user_id/override
func (s *MembersService) Override(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, using(s), http.MethodPost, membersOf(group, memberOverride, onlyID(user)), nil, opts)
}

// EndOverride undoes [MembersService.Override]: the directory sets the access level of the
// member again. Premium.
//
//	DELETE /groups/:id/members/:user_id/override
func (s *MembersService) EndOverride(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, using(s), http.MethodDelete, membersOf(group, memberOverride, onlyID(user)), nil, opts)
}

// ListPending returns one page of the pending members of a top-level group and of everything
// in it: users whose membership is awaiting, and addresses that are invited. It requires the
// Owner role. Premium.
//
//	GET /groups/:id/pending_members
func (s *MembersService) ListPending(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*PendingMember, *Response, error) {
	return list[*PendingMember](ctx, using(s), below(group, pendingMembers), queryOf(options), opts)
}

// AllPending returns every pending member of a top-level group and of everything in it. See
// [MembersService.ListPending].
//
//	GET /groups/:id/pending_members
func (s *MembersService) AllPending(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PendingMember, error] {
	return all[*PendingMember](ctx, using(s), below(group, pendingMembers), queryOf(options), opts)
}

// Approve makes a pending membership active. It takes [PendingMember.ID], which is the ID of
// the membership and not of a user. Premium.
//
//	PUT /groups/:id/members/:member_id/approve
func (s *MembersService) Approve(
	ctx context.Context, group GroupRef, memberID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut, membersOf(group, "/:member_id/approve", memberID), nil, opts)
}

// ApproveAll makes all pending memberships of a group active. Premium.
//
//	POST /groups/:id/members/approve_all
func (s *MembersService) ApproveAll(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, membersOf(group, "/approve_all"), nil, opts)
}

// ListIndirectBillableMemberships returns one page of the memberships that a billable member
// has in groups that are invited to a top-level group or to something in it. The endpoint is
// experimental. Since 16.11.
//
//	GET /groups/:id/billable_members/:user_id/indirect
func (s *MembersService) ListIndirectBillableMemberships(
	ctx context.Context, group GroupRef, user UserRef, options *ListOptions, opts ...RequestOption,
) ([]*BillableMembership, *Response, error) {
	return list[*BillableMembership](ctx, using(s),
		below(group, indirectMemberships, onlyID(user)), queryOf(options), opts)
}

// AllIndirectBillableMemberships returns every membership that a billable member has in
// groups that are invited to a top-level group or to something in it. See
// [MembersService.ListIndirectBillableMemberships].
//
//	GET /groups/:id/billable_members/:user_id/indirect
func (s *MembersService) AllIndirectBillableMemberships(
	ctx context.Context, group GroupRef, user UserRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BillableMembership, error] {
	return all[*BillableMembership](ctx, using(s),
		below(group, indirectMemberships, onlyID(user)), queryOf(options), opts)
}

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

// result returns the response to several new members.
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
	result, resp, err := checked(ctx, c, method, e, in, checkMember, opts)
	if result == nil || result.ID == 0 && !isPartial(err) {
		return nil, resp, err
	}
	return &result.Member, resp, err
}

// checkMember returns the reason why a response has no member.
func checkMember(sent *outcome, r *membershipResponse) error {
	if r.ID != 0 {
		return nil
	}
	if users := r.queued(); len(users) > 0 {
		message := r.Message
		if len(message) == 0 {
			message = r.QueuedUsers
		}
		shown := make(map[string]string, len(users))
		for name, explanation := range users {
			shown[sent.redaction().Hide(name)] = sent.redaction().Hide(explanation)
		}
		return &MembershipQueuedError{Err: sent.bodyError(message), Users: shown}
	}
	if r.Status != "" && r.Status != "success" {
		return sent.bodyError(r.Message)
	}
	return sent.decodeError(errNoMember)
}

// RemoveMemberOptions says what else happens when a member is removed.
type RemoveMemberOptions struct {
	// SkipSubresources keeps the user's memberships in subgroups and projects,
	// which are removed otherwise.
	SkipSubresources bool `url:"skip_subresources,omitempty"`
	// UnassignIssuables removes the user from the assignees of issues and merge
	// requests in the project or group.
	UnassignIssuables bool `url:"unassign_issuables,omitempty"`
}

// AddMemberOptions describes new memberships.
type AddMemberOptions struct {
	// MemberRoleID is the ID of a custom role. Nil means none. Since about 15.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
	// ExpiresAt is the first day without the membership, by UTC. Nil means never. A day that
	// is over is refused with [ErrBadRequest]; today is not, and the membership has ended then.
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

// of returns the body with these users, which are sent as one string, separated by
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
		texts[i] = user.reference.String()
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
	// Member is the member that was added, if the service returns one, as it does for
	// a single ID. It is nil otherwise.
	Member *Member
}

// MembershipQueuedError means that the service has accepted a new member, or a
// new role of a member, which takes effect only when an administrator approves.
// Nothing has changed yet. It unwraps to *[Error], whose status is 2xx. Since
// about 17.x.
type MembershipQueuedError struct {
	// Err is the response, never nil in an error that the library returns.
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

// LogValue returns what [Error.LogValue] does.
func (e *MembershipQueuedError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

const (
	memberOverride      = "/:user_id/override"
	indirectMemberships = billableMember + "/indirect"
	pendingMembers      = "/pending_members"
)

// PendingMember is a membership that is not in effect yet.
type PendingMember struct {
	// ID is the ID of the membership.
	ID int64 `json:"id"`
	// Name, Username and WebURL are empty for an address that is invited.
	Name     string `json:"name"`
	Username string `json:"username"`
	Email    string `json:"email"`
	// AvatarURL is empty if the user has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
	// Approved reports whether the membership is active. For an invitation, it reports
	// whether the membership will be active once it is accepted.
	Approved bool `json:"approved"`
	// Invited reports whether this is an invitation that nobody has accepted.
	Invited bool `json:"invited"`
}
