package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// AccessRequestsService manages the requests of users to become members of a project or a
// group. The owner is a [ProjectRef] or a [GroupRef].
//
//	client.AccessRequests.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//
// Reading and approving requests requires the Maintainer role in the project, or the Owner
// role in the group. A request has no ID of its own: it is identified by the user who made
// it, who must be a [UserID].
//
// Its options are [ApproveAccessRequestOptions] and [ListOptions]. See the example of
// [AccessRequestsService.Approve].
type AccessRequestsService service

// AccessRequestOwner is an owner of access requests: a [ProjectRef] or a [GroupRef].
type AccessRequestOwner interface{ hasAccessRequests() }

func (ProjectRef) hasAccessRequests() {}
func (GroupRef) hasAccessRequests()   {}

// List returns one page of the open requests for a project or a group.
//
//	GET /projects/:id/access_requests
//	GET /groups/:id/access_requests
func (s *AccessRequestsService) List(
	ctx context.Context, owner AccessRequestOwner, options *ListOptions, opts ...RequestOption,
) ([]*AccessRequest, *Response, error) {
	return list[*AccessRequest](ctx, using(s), below(owner, "/access_requests"), queryOf(options), opts)
}

// All returns every open request for a project or a group.
//
//	GET /projects/:id/access_requests
//	GET /groups/:id/access_requests
func (s *AccessRequestsService) All(
	ctx context.Context, owner AccessRequestOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*AccessRequest, error] {
	return all[*AccessRequest](ctx, using(s), below(owner, "/access_requests"), queryOf(options), opts)
}

// Create requests access for the caller. The call returns [ErrForbidden] if the caller is
// already a member, or if the project or group accepts no requests. It returns
// [ErrBadRequest] if the caller already has an open request, and [ErrNotFound] if the
// caller cannot see the project or group.
//
//	POST /projects/:id/access_requests
//	POST /groups/:id/access_requests
func (s *AccessRequestsService) Create(
	ctx context.Context, owner AccessRequestOwner, opts ...RequestOption,
) (*AccessRequest, *Response, error) {
	return do[AccessRequest](ctx, using(s), http.MethodPost, below(owner, "/access_requests"), nil, opts)
}

// Approve makes a user who requested access a member, and returns the member. In older
// releases, the result has only the fields of the user, CreatedAt and AccessLevel. The call
// returns [ErrNotFound] if the user has no open request.
//
//	PUT /projects/:id/access_requests/:user_id/approve
//	PUT /groups/:id/access_requests/:user_id/approve
func (s *AccessRequestsService) Approve(
	ctx context.Context, owner AccessRequestOwner, user UserRef,
	options ApproveAccessRequestOptions, opts ...RequestOption,
) (*Member, *Response, error) {
	return do[Member](ctx, using(s), http.MethodPut,
		below(owner, "/access_requests/:user_id/approve", onlyID(user)), jsonOf(options), opts)
}

// Delete denies a request. The user who made it may also withdraw it, and may ask again later.
// The call returns [ErrNotFound] if the user has no open request.
//
//	DELETE /projects/:id/access_requests/:user_id
//	DELETE /groups/:id/access_requests/:user_id
func (s *AccessRequestsService) Delete(
	ctx context.Context, owner AccessRequestOwner, user UserRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		below(owner, "/access_requests/:user_id", onlyID(user)), nil, opts)
}

// AccessRequest is the request of a user to become a member. It has the [UserSummary] of that
// user in it: ID is the ID of the user.
type AccessRequest struct {
	UserSummary

	RequestedAt time.Time `json:"requested_at"`
	// CreatedAt is when the service recorded the request. Only older releases send it; it
	// is nil otherwise.
	CreatedAt *time.Time `json:"created_at"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (r *AccessRequest) Ref() UserRef { return UserID(orZero(r).ID) }

// ApproveAccessRequestOptions sets the role of the new member.
type ApproveAccessRequestOptions struct {
	// AccessLevel is the role of the new member, at most the caller's own. The default is
	// [AccessLevelDeveloper].
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
}
