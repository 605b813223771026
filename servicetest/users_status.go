package servicetest

import (
	"html"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/emoji"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A userStatus is the status that users set for themselves.
type userStatus struct {
	emoji, message, availability string
	clearAt                      time.Time // zero if it stays set
}

// clearings maps the values of clear_status_after to durations.
var clearings = map[string]time.Duration{
	"30_minutes": 30 * time.Minute, "3_hours": 3 * time.Hour, "8_hours": 8 * time.Hour, "1_day": 24 * time.Hour,
	"3_days": 3 * 24 * time.Hour, "7_days": 7 * 24 * time.Hour, "30_days": 30 * 24 * time.Hour,
}

// getStatus returns the status of the user of the path, or of the caller.
func getStatus(c *call, user *User) *reply { return c.OK(user.statusForm()) }

// statusForm returns the JSON of a status. It is empty after its time has passed.
func (u *User) statusForm() object {
	status := u.status
	if !status.clearAt.IsZero() && !status.clearAt.After(u.svc.now()) {
		status = userStatus{}
	}
	return object{
		"emoji": jsonText(status.emoji), "message": jsonText(status.message),
		"availability": either(status.availability, "not_set"), "message_html": html.EscapeString(status.message),
		"clear_status_at": jsonTime(status.clearAt),
	}
}

// setStatus replaces the status of the caller.
func setStatus(c *call) *reply { return c.changeStatus(userStatus{}) }

// updateStatus keeps the message and the time of a status, and removes a status of nothing else.
func updateStatus(c *call) *reply {
	if !slices.ContainsFunc([]string{"emoji", "message", "availability", "clear_status_after"}, c.Has) {
		return &reply{Status: http.StatusOK}
	}
	before := c.user.status
	if c.String("emoji")+c.String("message") == "" && either(c.String("availability"), "not_set") == "not_set" {
		return c.changeStatus(userStatus{})
	}
	return c.changeStatus(userStatus{emoji: "speech_balloon", message: before.message, clearAt: before.clearAt})
}

// changeStatus sets what a call says of the status of the caller, and otherwise what stays.
func (c *call) changeStatus(status userStatus) *reply {
	status.emoji = either(c.String("emoji"), status.emoji)
	given(c, "message", c.String, &status.message)
	status.availability = c.StringIn("availability", "busy", "not_set")
	after := c.String("clear_status_after")
	if _, ok := clearings[after]; after != "" && !ok {
		c.Problem("clear_status_after does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	_, known := emoji.Main(status.emoji)
	switch {
	case status.emoji != "" && !known:
		return frame.FieldErrors("emoji", "is not a valid emoji name")
	case utf8.RuneCountInString(status.message) > 100:
		return frame.FieldErrors("message", "is too long (maximum is 100 characters)")
	}
	if after != "" {
		status.clearAt = c.now().Add(clearings[after])
	}
	c.user.status = status
	return c.OK(c.user.statusForm())
}

// listActivities lists the users who were active on a day or later.
func listActivities(c *call) *reply {
	from := c.Time("from")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if from.IsZero() {
		from = c.now().AddDate(0, -6, 0)
	}
	from = from.Truncate(24 * time.Hour)
	active := c.svc.users.all(func(u *User) bool { return !u.lastActivity.IsZero() && !u.lastActivity.Before(from) })
	day := func(u *User) time.Time { return u.lastActivity.Truncate(24 * time.Hour) }
	slices.SortStableFunc(active, func(a, b *User) int { return day(a).Compare(day(b)) })
	return frame.ListOf(c, active, func(u *User) object {
		return object{
			"username": u.username, "last_activity_on": jsonDate(u.lastActivity),
			"last_activity_at": jsonDate(u.lastActivity),
		}
	})
}

// listUserMemberships lists the groups and projects that a user is a direct member of.
func listUserMemberships(c *call, user *User) *reply {
	wanted := c.StringIn("type", "Project", "Namespace")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	list := slices.DeleteFunc(c.svc.membershipsOf(user), func(m object) bool {
		return wanted != "" && m["source_type"] != wanted
	})
	return frame.ListOf(c, list, func(m object) object { return m })
}

// membershipsOf returns the JSON of a user's direct memberships: groups first, then
// projects.
func (s *Service) membershipsOf(user *User) []object {
	list := []object{}
	add := func(kind, name string, id int64, level AccessLevel) {
		if level > NoAccess {
			list = append(list, object{"source_id": id, "source_name": name, "source_type": kind,
				"access_level": level})
		}
	}
	direct := func(members *table[*member]) AccessLevel {
		if m, ok := members.get(user.id); ok {
			return m.level
		}
		return NoAccess
	}
	for _, g := range s.groups.all(nil) {
		add("Namespace", g.name, g.id, direct(&g.members))
	}
	for _, p := range s.projects.all(nil) {
		level := direct(&p.members)
		if p.owner == user {
			level = Owner
		}
		add("Project", p.name, p.id, level)
	}
	return list
}

// countAssociations counts a user's memberships and contributions. Only administrators
// and the user may call it.
func countAssociations(c *call, user *User) *reply {
	if user != c.user && !c.admin() {
		return frame.Forbidden("")
	}
	groups, projects := 0, 0
	for _, m := range c.svc.membershipsOf(user) {
		if m["source_type"] == "Project" {
			projects++
		} else {
			groups++
		}
	}
	issues := state[issueState](c.svc).issues.all(func(i *Issue) bool { return i.author == user })
	requests := state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool { return m.author == user })
	return c.OK(object{
		"groups_count": groups, "projects_count": projects, "issues_count": len(issues),
		"merge_requests_count": len(requests),
	})
}
