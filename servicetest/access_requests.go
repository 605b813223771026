package servicetest

import (
	"cmp"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// accessRequests keeps the open requests for all projects and groups.
type accessRequests struct{ table[*accessRequest] }

// An accessRequest is a user who wants to become a member.
type accessRequest struct {
	id      int64
	members *table[*member] // those of the project or group
	user    *User
	at      time.Time
}

// requestsFor returns the open requests for a project or a group, oldest first.
func (s *Service) requestsFor(members *table[*member]) []*accessRequest {
	return state[accessRequests](s).all(func(r *accessRequest) bool { return r.members == members })
}

// openRequest returns the request of a user, or nil if there is none.
func (s *Service) openRequest(members *table[*member], userID int64) *accessRequest {
	return one(s.requestsFor(members), func(r *accessRequest) bool { return r.user.id == userID })
}

// endRequests ends the requests of a user for one project or group, or with nil for all.
func (s *Service) endRequests(members *table[*member], user *User) {
	open := state[accessRequests](s)
	for _, r := range open.all(nil) {
		if r.user == user && (members == nil || r.members == members) {
			open.remove(r.id)
		}
	}
}

func (r *accessRequest) json() jsonBytes {
	return joined(r.user.summary(), inOrder("requested_at", jsonTime(r.at)))
}

func listAccessRequests(c *call, h *home) *reply {
	return frame.ListOf(c, c.svc.requestsFor(h.members), (*accessRequest).json)
}

// takesRequests reports whether users may ask for access.
func (h *home) takesRequests() bool {
	if h.project != nil {
		return h.project.preferences.flag(projectPreferences, "request_access_enabled")
	}
	return h.group.lets("request_access_enabled")
}

// isMember reports whether the caller is a member, directly or by inheritance. A direct
// membership counts even before it begins.
func (c *call) isMember(h *home) bool {
	level := c.svc.groupMembership(c.user, h.group)
	if h.project != nil {
		level = c.svc.projectMembership(c.user, h.project)
	}
	_, direct := c.svc.currentMember(h.members, c.user.id)
	return direct || level > NoAccess
}

func requestAccess(c *call, h *home) *reply {
	if c.isMember(h) || !h.takesRequests() {
		return frame.Forbidden("")
	}
	if c.svc.openRequest(h.members, c.user.id) != nil {
		return frame.FieldErrors("user_id", "has already been taken")
	}
	r := &accessRequest{members: h.members, user: c.user, at: c.now()}
	r.id, _ = state[accessRequests](c.svc).add(0, r)
	return c.Created(r.json())
}

// approveAccess makes the requesting user a member and ends the request.
func approveAccess(c *call, h *home) *reply {
	r := c.svc.openRequest(h.members, c.PathInt64("user_id"))
	if r == nil {
		return frame.NotFound("")
	}
	draft := member{level: c.memberLevel(Developer)}
	if refusal := cmp.Or(c.Refusal(), c.mayGrant(h, draft.level)); refusal != nil {
		return refusal
	}
	m, _, problem := c.addOne(h, r.user.id, draft)
	if m == nil {
		return frame.FieldErrors("access_level", problem)
	}
	return c.Created(memberRole{m, m.level}.json(h))
}

// denyAccess ends a request. Users may withdraw their own.
func denyAccess(c *call, h *home) *reply {
	least := Maintainer
	if h.project == nil {
		least = Owner
	}
	r := c.svc.openRequest(h.members, c.PathInt64("user_id"))
	if h.level < least && c.PathInt64("user_id") != c.user.id {
		return frame.Forbidden("")
	}
	if r == nil {
		return frame.NotFound("")
	}
	state[accessRequests](c.svc).remove(r.id)
	return c.NoContent()
}
