package servicetest

import (
	"net/http"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// addMembers makes users members. For one user, the response is the member. For
// several, it only says who was refused.
func addMembers(c *call, h *home) *reply {
	ids, names := c.newcomers()
	draft, refusal := c.memberDraft(h)
	if refusal != nil {
		return refusal
	}
	if len(ids) == 1 {
		m, status, problem := c.addOne(h, ids[0], draft)
		switch {
		case m != nil:
		case status == http.StatusBadRequest:
			return frame.FieldErrors("access_level", problem)
		default:
			return frame.Message(status, problem)
		}
		return c.Created(memberRole{m, m.level}.json(h))
	}
	problems := object{}
	for i, id := range ids {
		if m, _, problem := c.addOne(h, id, draft); m == nil {
			problems[names[i]] = problem
		}
	}
	if len(problems) > 0 {
		return frame.JSONReply(http.StatusCreated, object{"status": "error", "message": problems})
	}
	return c.Created(object{"status": "success"})
}

// newcomers reads who is to be added: by id or, in newer releases, by name. The
// id of a name that nobody has is 0.
func (c *call) newcomers() (ids []int64, names []string) {
	c.Exclusive("user_id", "username")
	if !c.Has("username") {
		c.Require("user_id")
	}
	c.Require("access_level")
	for _, id := range c.Int64s("user_id") {
		ids, names = append(ids, id), append(names, c.nameOf(id))
	}
	for _, name := range c.List("username") {
		id := int64(0)
		if user := c.svc.findUser(name); user != nil && strings.EqualFold(user.username, name) {
			id = user.id
		}
		ids, names = append(ids, id), append(names, name)
	}
	return ids, names
}

// nameOf names a user, who may not exist.
func (c *call) nameOf(id int64) string {
	if user, ok := c.svc.users.get(id); ok {
		return user.username
	}
	return strconv.FormatInt(id, 10)
}

// memberDraft reads the parameters that all new members have in common.
func (c *call) memberDraft(h *home) (member, *reply) {
	level := AccessLevel(c.Int64("access_level"))
	draft := member{level: level, expiresAt: c.Time("expires_at"), inviteSource: c.Str("invite_source")}
	tasks, project := c.ManyOf("tasks_to_be_done", "ci", "code", "issues"), c.Int64("tasks_project_id")
	if !level.valid() {
		c.Problem("access_level does not have a valid value")
	}
	if (len(tasks) > 0) != (project != 0) {
		c.Problem("tasks_to_be_done, tasks_project_id provide all or none of parameters")
	}
	if refusal := c.Refusal(); refusal != nil {
		return draft, refusal
	}
	if c.svc.feature("invite_members_for_task") {
		draft.tasks, draft.tasksProject = tasks, project
	}
	return draft, c.mayGrant(h, level)
}

// mayGrant refuses to give or change a role above the caller's own.
func (c *call) mayGrant(h *home, level AccessLevel) *reply {
	if level > h.level {
		return frame.Forbidden("")
	}
	return nil
}

// belowInherited returns the message for a level that is lower than the one
// that a user inherits from a parent group, or "" if it is not lower.
func (c *call) belowInherited(h *home, user *User, level AccessLevel) string {
	above := h.group
	if h.project == nil {
		above = h.group.parent
	}
	for g := above; g != nil; g = g.parent {
		if m, ok := c.svc.currentMember(&g.members, user.id); ok && m.level > level {
			return "should be greater than or equal to " + m.level.String() + " inherited membership from group " + g.name
		}
	}
	return ""
}

// addOne makes one user a member, or returns the status and the message of the
// refusal.
func (c *call) addOne(h *home, id int64, draft member) (m *member, status int, problem string) {
	user, ok := c.svc.users.get(id)
	if !ok {
		return nil, http.StatusNotFound, "404 User Not Found"
	}
	if _, taken := c.svc.currentMember(h.members, id); taken {
		return nil, http.StatusConflict, "Member already exists"
	}
	if problem := c.belowInherited(h, user, draft.level); problem != "" {
		return nil, http.StatusBadRequest, problem
	}
	h.members.remove(id)
	m = c.svc.addMember(h.members, user, draft.level)
	m.createdBy, m.expiresAt = c.user, draft.expiresAt
	m.inviteSource, m.tasks, m.tasksProject = draft.inviteSource, draft.tasks, draft.tasksProject
	c.auditMember(h.subject(), user, object{"add": "user_access", "as": m.level.String()})
	return m, http.StatusCreated, ""
}
