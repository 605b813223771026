package servicetest

import (
	"net/http"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// dormantAfter is how long a user must not have been active to be deactivated.
const dormantAfter = 90 * 24 * time.Hour

// LDAPBlocked makes a user who was blocked by the directory sync.
func LDAPBlocked() UserOption { return userOption(func(u *User) { u.state = "ldap_blocked" }) }

// Deactivated makes a user who is deactivated: all calls get a 403.
func Deactivated() UserOption { return userOption(func(u *User) { u.state = "deactivated" }) }

func blockUser(c *call) *reply {
	return c.changeStanding("blocked", func(u *User) string {
		switch {
		case u.state == "ldap_blocked":
			return "A blocked LDAP user cannot be modified by the API"
		case u.internal:
			return "An internal user cannot be blocked"
		case u == c.user:
			return "The API initiating user cannot be blocked by the API"
		}
		return ""
	})
}

func unblockUser(c *call) *reply {
	return c.changeStanding("active", func(u *User) string {
		switch u.state {
		case "ldap_blocked":
			return "LDAP blocked users cannot be unblocked by the API"
		case "deactivated":
			return "Deactivated users cannot be unblocked by the API"
		}
		return ""
	})
}

func deactivateUser(c *call) *reply {
	return c.changeStanding("deactivated", func(u *User) string {
		switch {
		case u.state == "deactivated":
			return ""
		case u.state != "active":
			return "A blocked user cannot be deactivated by the API"
		case u.internal:
			return "An internal user cannot be deactivated by the API"
		case !u.isDormant(c.now()):
			return "The user has been active in the past 90 days and cannot be deactivated"
		}
		return ""
	})
}

func activateUser(c *call) *reply {
	return c.changeStanding("active", func(u *User) string {
		if u.state != "active" && u.state != "deactivated" {
			return "A blocked user must be unblocked to be activated"
		}
		return ""
	})
}

// isDormant reports whether the user has not been active for a long time. For
// one who was never active, it counts from the creation of the account.
func (u *User) isDormant(now time.Time) bool {
	last := u.lastActivity
	if last.IsZero() {
		last = u.createdAt
	}
	return now.Sub(last) > dormantAfter
}

// changeStanding sets the state of the user of the path, unless problem says
// why not. The response says whether that changed something.
func (c *call) changeStanding(state string, problem func(*User) string) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
	if text := problem(user); text != "" {
		return frame.Message(http.StatusForbidden, "403 Forbidden - "+text)
	}
	changed := user.state != state
	user.state, user.updatedAt = state, c.now()
	c.svc.touch(&user.stamp)
	return c.Created(changed)
}

// barred says why the user may not call. It returns "" if the user may.
func (u *User) barred() string {
	switch u.state {
	case "active":
		return ""
	case "deactivated":
		return "Your account has been deactivated."
	}
	return "Your account has been blocked."
}
