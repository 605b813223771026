package servicetest

import (
	"net/http"

	"example.com/serviceapi/servicetest/internal/frame"
)

// PendingApproval makes a user whose sign-up waits for the approval of an
// administrator. All calls of the user get a 403.
func PendingApproval() UserOption {
	return userOption(func(u *User) { u.state = "blocked_pending_approval" })
}

func banUser(c *call, user *User) *reply {
	return c.changeStanding(user, "banned", func(u *User) string {
		if u.state != "active" {
			return "Only an active user can be banned"
		}
		return ""
	})
}

func unbanUser(c *call, user *User) *reply {
	return c.changeStanding(user, "active", func(u *User) string {
		if u.state != "banned" {
			return "The user is not banned"
		}
		return ""
	})
}

// approveUser approves a user whose sign-up waits for approval.
func approveUser(c *call, user *User) *reply {
	switch user.state {
	case "blocked_pending_approval":
		user.state, user.updatedAt = "active", c.now()
		c.svc.touch(user)
		return c.Created(object{"message": "Success"})
	case "blocked", "ldap_blocked", "banned":
		return frame.Message(http.StatusForbidden, "The user you are trying to approve is blocked")
	}
	return frame.Conflict("The user you are trying to approve is not pending approval")
}

// rejectUser deletes a user who waits for approval.
func rejectUser(c *call, user *User) *reply {
	if user.state != "blocked_pending_approval" {
		return frame.Conflict("User does not have a pending request")
	}
	c.svc.removeUser(user, true)
	return c.OK(object{"message": "Success"})
}

// disableTwoFactor disables the two-factor authentication of a user who is not an
// administrator.
func disableTwoFactor(c *call, user *User) *reply {
	switch {
	case user.admin:
		return frame.Forbidden("")
	case !user.twoFactor:
		return frame.BadRequest("Two-factor authentication is not enabled for this user")
	}
	user.twoFactor, user.updatedAt = false, c.now()
	c.svc.touch(user)
	return c.NoContent()
}
