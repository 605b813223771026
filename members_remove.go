package serviceapi

import (
	"context"
	"net/http"
)

// RemoveMemberOptions says what else happens when a member is removed.
type RemoveMemberOptions struct {
	// SkipSubresources keeps the user's memberships in subgroups and projects,
	// which are removed otherwise.
	SkipSubresources bool `url:"skip_subresources,omitempty"`
	// UnassignIssuables removes the user from the assignees of issues and merge
	// requests in the project or group.
	UnassignIssuables bool `url:"unassign_issuables,omitempty"`
}

// Remove ends the direct membership of a user in a project or group. The caller
// must be that user, or have the Maintainer role in the project or the Owner
// role in the group. The call returns [ErrNotFound] if the user is not a direct
// member, and [ErrForbidden] for the last owner.
//
//	DELETE /projects/:id/members/:user_id
//	DELETE /groups/:id/members/:user_id
func (s *MembersService) Remove(ctx context.Context, owner MemberOwner, userID int64, options *RemoveMemberOptions, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, membersOf(owner, oneMember, userID), queryOf(options), opts)
}
