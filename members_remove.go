package serviceapi

import (
	"context"
	"net/http"
)

// RemoveMemberOptions says what else happens when a member is removed.
type RemoveMemberOptions struct {
	// SkipSubresources keeps the user's memberships in the groups and projects
	// below, which are removed otherwise.
	SkipSubresources bool `url:"skip_subresources,omitempty"`
	// UnassignIssuables takes the user off the issues and merge requests of the
	// project or group.
	UnassignIssuables bool `url:"unassign_issuables,omitempty"`
}

// Remove ends the direct membership of a user in a project or group. This
// requires Maintainer in a project and Owner in a group, or to be that user. The
// call returns [ErrNotFound] if the user is not a direct member, and
// [ErrForbidden] for the last owner.
//
//	DELETE /projects/:id/members/:user_id
//	DELETE /groups/:id/members/:user_id
func (s *MembersService) Remove(ctx context.Context, owner MemberOwner, userID int64, options *RemoveMemberOptions, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, membersOf(owner, oneMember, userID), queryOf(options), opts)
}
