package servicetest

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// pictureFormats are the extensions of the files that can be the picture of a user.
var pictureFormats = []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".tif", ".tiff"}

func setUserAvatar(c *call) *reply {
	file := c.RequiredFile("avatar")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case !slices.Contains(pictureFormats, strings.ToLower(path.Ext(file.Name))):
		return frame.FieldErrors("avatar", "file format is not supported. Please try one of the following supported "+
			"formats: image/png, image/jpeg, image/gif, image/bmp, image/tiff, image/vnd.microsoft.icon")
	case file.Size > maxPictureSize:
		return frame.FieldErrors("avatar", "is too big (should be at most 200 KiB)")
	}
	c.user.avatar = file.Name
	c.svc.touch(c.user)
	return c.OK(object{"avatar_url": c.user.summary().AvatarURL})
}

// userPreferences are the preferences of a user that are not in the account.
type userPreferences struct {
	user                                       *User
	hidesWhitespace, passesIdentities, editsIt bool
}

var preferencesOfUsers = []collection.Field[userPreferences]{
	collection.Shown("id", func(p *userPreferences) int64 { return p.user.id }),
	collection.Shown("user_id", func(p *userPreferences) int64 { return p.user.id }),
	collection.Flag("view_diffs_file_by_file", func(p *userPreferences) *bool { return &p.user.viewFileByFile }),
	collection.Shown("show_whitespace_in_diffs", func(p *userPreferences) bool { return !p.hidesWhitespace }),
	collection.Flag("pass_user_identities_to_ci_jwt", func(p *userPreferences) *bool { return &p.passesIdentities }),
	collection.Flag("policy_advanced_editor", func(p *userPreferences) *bool { return &p.editsIt }),
}

func getPreferences(c *call) *reply {
	c.user.preferences.user = c.user
	return c.OK(collection.Show(preferencesOfUsers, &c.user.preferences))
}

func updatePreferences(c *call) *reply {
	u, names := c.user, []string{"view_diffs_file_by_file", "show_whitespace_in_diffs",
		"pass_user_identities_to_ci_jwt", "policy_advanced_editor"}
	if !slices.ContainsFunc(names, c.Given) {
		c.Problem(strings.Join(names, ", ") + " are missing, at least one parameter must be provided")
	}
	byFile, shows := c.BoolOr(names[0], u.viewFileByFile), c.BoolOr(names[1], !u.preferences.hidesWhitespace)
	passes, edits := c.BoolOr(names[2], u.preferences.passesIdentities), c.BoolOr(names[3], u.preferences.editsIt)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	u.viewFileByFile, u.preferences = byFile, userPreferences{u, !shows, passes, edits}
	c.svc.touch(u)
	return getPreferences(c)
}

func countUserWork(c *call) *reply {
	c.svc.follow(nil)
	has := func(users []*User) bool { return slices.Contains(users, c.user) }
	issue := func(i *Issue) bool { return i.state == "opened" && has(i.assignees) }
	issues := state[issueState](c.svc).issues.all(issue)
	requests := &state[mergeRequestState](c.svc).requests
	assigned := len(requests.all(func(m *MergeRequest) bool { return m.state == "opened" && has(m.assignees) }))
	reviews := requests.all(func(m *MergeRequest) bool { return m.state == "opened" && has(m.reviewers) })
	todos := state[todoState](c.svc).todos.all(func(t *todo) bool { return t.user == c.user && !t.done })
	return c.OK(object{
		"merge_requests": assigned, "assigned_issues": len(issues), "assigned_merge_requests": assigned,
		"review_requested_merge_requests": len(reviews), "todos": len(todos),
	})
}

// maxFollows is how many users a user may follow.
const maxFollows = 300

func followUser(c *call, user *User) *reply {
	switch {
	case user == c.user, user.followedBy(c.user):
		return &reply{Status: http.StatusNotModified}
	case len(c.user.follows) >= maxFollows:
		return frame.Message(http.StatusBadRequest, fmt.Sprintf("You can't follow more than %d users. "+
			"To follow more users, unfollow some others.", maxFollows))
	}
	c.user.follow(user)
	return c.Created(user.summary())
}

func unfollowUser(c *call, user *User) *reply {
	if !user.followedBy(c.user) {
		return &reply{Status: http.StatusNotModified}
	}
	c.user.unfollow(user)
	return c.Created(user.summary())
}

// listFollows lists the followers of a user, or whom the user follows, if the profile is not private.
func listFollows(of func(*User) []*User) handler {
	return func(c *call) *reply {
		if c.user == nil {
			return frame.Forbidden("Not authorized!")
		}
		user, refusal := c.pathUser()
		if refusal != nil || !c.seesProfile(user) {
			return frame.NotFound("User")
		}
		return frame.ListOf(c, of(user), (*User).summary)
	}
}

// A supportPIN is what a user proves with to the support who is calling.
type supportPIN struct {
	issued  int64 // how many there were
	pin     string
	expires time.Time
}

func getSupportPIN(c *call, user *User) *reply {
	if !user.pin.expires.After(c.now()) {
		return frame.NotFound("Support PIN not found or expired")
	}
	return c.OK(user.pin.json())
}

func (p supportPIN) json() object { return object{"pin": p.pin, "expires_at": jsonTime(p.expires)} }

func createSupportPIN(c *call) *reply {
	p := &c.user.pin
	p.issued++
	p.pin, p.expires = fmt.Sprintf("%06d", (c.user.id*7919+p.issued*104729)%1e6), c.now().AddDate(0, 0, 7)
	c.svc.touch(c.user)
	return c.Created(p.json())
}

func revokeSupportPIN(c *call, user *User) *reply {
	if !user.pin.expires.After(c.now()) {
		return frame.NotFound("Support PIN not found or already expired")
	}
	user.pin.expires = zeroTime
	c.svc.touch(user)
	return c.Accepted(http.StatusAccepted)
}
