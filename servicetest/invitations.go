package servicetest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/mail"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// invitations keeps the invitations to all projects and groups by ID of the membership.
type invitations struct{ table[*invitation] }

// An invitation is a membership for an address that does not belong to any account yet.
// Its user is nil.
type invitation struct {
	*member

	members *table[*member] // those of the project or group
	subject auditSubject
	email   string
	token   string
}

// invitationsTo returns the invitations to one project or group that have not expired.
func (s *Service) invitationsTo(members *table[*member]) []*invitation {
	return state[invitations](s).all(func(i *invitation) bool { return i.members == members && !i.ended(s.now()) })
}

// invitation returns the invitation of an address, or nil if there is none.
func (s *Service) invitation(members *table[*member], email string) *invitation {
	return one(s.invitationsTo(members), func(i *invitation) bool { return strings.EqualFold(i.email, email) })
}

// userWith returns the user who has an email address, or nil if there is none.
func (s *Service) userWith(email string) *User {
	return first(s.users.all(func(u *User) bool { return strings.EqualFold(u.email, email) }))
}

func (i *invitation) json(s *Service) object {
	o := object{
		"access_level": i.level, "created_at": jsonTime(i.createdAt), "expires_at": jsonTime(i.expiresAt),
		"invite_email": i.email, "invite_token": i.token, "created_by_name": nil,
	}
	if by := i.createdBy.shown(); by != nil {
		o["created_by_name"] = by.name
	}
	if user := s.userWith(i.email); user != nil {
		o["user_name"] = user.name
	}
	return o
}

func listInvitations(c *call, h *home) *reply {
	query := c.String("query")
	found := slices.DeleteFunc(c.svc.invitationsTo(h.members), func(i *invitation) bool {
		return query != "" && !strings.EqualFold(i.email, query)
	})
	return frame.ListOf(c, found, func(i *invitation) object { return i.json(c.svc) })
}

// invite adds users, by ID or by address, and invites all other addresses. The status
// is 201 even if everybody is refused.
func invite(c *call, h *home) *reply {
	c.Require("access_level")
	ids, addresses := c.Int64s("user_id"), c.SplitStrings("email")
	draft, refusal := c.memberDraft(h)
	if refusal != nil {
		return refusal
	}
	if len(ids) == 0 && len(addresses) == 0 {
		return frame.BadRequest("Must provide either email or user_id as a parameter")
	}
	draft.inviteSource = either(draft.inviteSource, "invitations-api")
	problems := object{}
	note := func(name, problem string) {
		if problem != "" {
			problems[name] = problem
		}
	}
	for _, id := range ids {
		note(c.nameOf(id), c.inviteUser(h, id, draft))
	}
	for _, address := range addresses {
		if user := c.svc.userWith(address); user != nil {
			note(address, c.inviteUser(h, user.id, draft))
		} else {
			note(address, c.inviteAddress(h, address, draft))
		}
	}
	if len(problems) > 0 {
		return c.Created(object{"status": "error", "message": problems})
	}
	return c.Created(object{"status": "success"})
}

// inviteUser makes a user a member at once, or says why that is impossible.
func (c *call) inviteUser(h *home, id int64, draft member) (problem string) {
	_, status, problem := c.addOne(h, id, draft)
	switch status {
	case http.StatusNotFound:
		return "User not found"
	case http.StatusConflict:
		return "User already exists in source"
	}
	switch problem {
	case "":
		return ""
	case pastDate:
		return frame.Sentence("expires_at", problem)
	default:
		return "Access level " + problem
	}
}

// inviteAddress invites an address without an account, or says why that is impossible.
func (c *call) inviteAddress(h *home, email string, draft member) (problem string) {
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email {
		return "Invite email is invalid"
	}
	if c.svc.invitation(h.members, email) != nil {
		return "Invite email has already been taken"
	}
	if c.isPast(draft.expiresAt) {
		return frame.Sentence("expires_at", pastDate)
	}
	ids := state[memberIDs](c.svc)
	ids.last++
	draft.id, draft.state, draft.createdAt, draft.createdBy = ids.last, memberActive, c.now(), c.user
	state[invitations](c.svc).add(draft.id, &invitation{
		member: &draft, members: h.members, subject: h.subject(), email: email,
		token: fmt.Sprintf("invitation-%d-secret", draft.id),
	})
	return ""
}

func updateInvitation(c *call, h *home) *reply {
	i := c.svc.invitation(h.members, c.PathString("email"))
	if i == nil {
		return frame.NotFound("")
	}
	if !c.Has("access_level") && !c.Has("expires_at") {
		c.Problem("access_level, expires_at are missing, at least one parameter must be provided")
	}
	level, until := c.memberLevel(i.level), i.expiresAt
	given(c, "expires_at", c.Time, &until)
	if refusal := cmp.Or(c.Refusal(), c.mayGrant(h, max(level, i.level))); refusal != nil {
		return refusal
	}
	if c.isPast(until) {
		return frame.FieldErrors("expires_at", pastDate)
	}
	i.level, i.expiresAt = level, until
	return c.OK(i.json(c.svc))
}

func deleteInvitation(c *call, h *home) *reply {
	i := c.svc.invitation(h.members, c.PathString("email"))
	if i == nil {
		return frame.NotFound("")
	}
	state[invitations](c.svc).remove(i.id)
	return c.NoContent()
}

// AcceptInvitation makes a user a member, as if the user had followed the link with the
// token of an invitation. The tokens are predictable: the token of the first membership or
// invitation of a service is invitation-1-secret. A list of invitations has them, too.
func (s *Service) AcceptInvitation(token string, user *User) {
	defer s.lock()()
	for _, i := range state[invitations](s).all(nil) {
		if i.token != token || i.ended(s.now()) {
			continue
		}
		state[invitations](s).remove(i.id)
		m := s.addMember(i.members, user, i.level)
		s.touchHome(i.subject.project, i.subject.group)
		m.createdBy, m.expiresAt, m.custom, m.inviteSource = i.createdBy, i.expiresAt, i.custom, i.inviteSource
		s.audit(user, i.subject, object{"add": "user_access", "as": m.level.String(), "target_id": user.id,
			"target_type": "User", "target_details": user.name})
		return
	}
	s.fail("no invitation has the token %q", token)
}
