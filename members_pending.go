package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

const (
	memberOverride      = "/:user_id/override"
	indirectMemberships = billableMember + "/indirect"
	pendingMembers      = "/pending_members"
)

// Override lets the access level of a group member differ from that of a synchronized
// directory: the next synchronization no longer changes it. [MembersService.Update] then sets
// the level. Premium.
//
//	POST /groups/:id/members/:user_id/override
func (s *MembersService) Override(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, s.client, http.MethodPost, membersOf(group, memberOverride, onlyID(user)), nil, opts)
}

// EndOverride undoes [MembersService.Override]: the directory sets the access level of the
// member again. Premium.
//
//	DELETE /groups/:id/members/:user_id/override
func (s *MembersService) EndOverride(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, s.client, http.MethodDelete, membersOf(group, memberOverride, onlyID(user)), nil, opts)
}

// ListPending returns one page of those who are not members of a top-level group, or of
// something in it, yet: users whose membership is awaiting, and addresses that are invited. It
// requires the Owner role. Premium.
//
//	GET /groups/:id/pending_members
func (s *MembersService) ListPending(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*PendingMember, *Response, error) {
	return list[*PendingMember](ctx, s.client, below(group, pendingMembers), queryOf(options), opts)
}

// AllPending returns everybody who is not a member of a top-level group, or of something in
// it, yet. See [MembersService.ListPending].
//
//	GET /groups/:id/pending_members
func (s *MembersService) AllPending(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PendingMember, error] {
	return all[*PendingMember](ctx, s.client, below(group, pendingMembers), queryOf(options), opts)
}

// Approve makes a pending membership active. It takes [PendingMember.ID], which is the ID of
// the membership and not of a user. Premium.
//
//	PUT /groups/:id/members/:member_id/approve
func (s *MembersService) Approve(
	ctx context.Context, group GroupRef, memberID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPut, membersOf(group, "/:member_id/approve", memberID), nil, opts)
}

// ApproveAll makes all pending memberships of a group active. Premium.
//
//	POST /groups/:id/members/approve_all
func (s *MembersService) ApproveAll(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, membersOf(group, "/approve_all"), nil, opts)
}

// ListIndirectBillableMemberships returns one page of the memberships that a billable member
// has in groups that are invited to a top-level group or to something in it. It is an
// experiment of the service. Since 16.11.
//
//	GET /groups/:id/billable_members/:user_id/indirect
func (s *MembersService) ListIndirectBillableMemberships(
	ctx context.Context, group GroupRef, user UserRef, options *ListOptions, opts ...RequestOption,
) ([]*BillableMembership, *Response, error) {
	return list[*BillableMembership](ctx, s.client,
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
	return all[*BillableMembership](ctx, s.client,
		below(group, indirectMemberships, onlyID(user)), queryOf(options), opts)
}

// PendingMember is a membership that is not in effect yet.
type PendingMember struct {
	// ID is that of the membership.
	ID int64 `json:"id"`
	// Name, Username and WebURL are empty for an address that is invited.
	Name     string `json:"name"`
	Username string `json:"username"`
	Email    string `json:"email"`
	// AvatarURL is empty if the user has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
	// Approved reports whether the membership is active. Of an invitation, it says what the
	// membership will be.
	Approved bool `json:"approved"`
	// Invited reports whether it is an invitation that nobody has accepted.
	Invited bool `json:"invited"`
}
