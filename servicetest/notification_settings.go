package servicetest

import (
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A notified is somebody who is told of a project or a group, or of everything if home is nil.
type notified struct {
	user *User
	home any
}

// notificationSettings say of what. Nothing is sent here.
type notificationSettings struct {
	level, email string
	events       map[string]bool
}

type notificationState struct {
	of map[notified]notificationSettings
}

var notificationLevels = []string{"disabled", "participating", "watch", "global", "mention", "custom"}

// Events that everybody can be told of, and those of the Premium tier.
var (
	notificationEvents = []string{
		"new_release", "new_note", "new_issue", "reopen_issue", "close_issue", "reassign_issue",
		"issue_due", "new_merge_request", "push_to_merge_request", "reopen_merge_request",
		"close_merge_request", "reassign_merge_request", "change_reviewer_merge_request",
		"merge_merge_request", "failed_pipeline", "fixed_pipeline", "success_pipeline", "moved_project",
		"merge_when_pipeline_succeeds",
	}
	premiumEvents = []string{
		"approver", "new_epic", "service_account_failed_pipeline", "service_account_success_pipeline",
		"service_account_fixed_pipeline",
	}
	neverNullEvents = append([]string{"failed_pipeline", "fixed_pipeline", "moved_project",
		"merge_when_pipeline_succeeds"}, premiumEvents...)
)

// events returns the events of a home.
func (n notified) events(tier Tier) []string {
	names := slices.Clone(notificationEvents)
	if tier >= Premium {
		names = append(names, premiumEvents...)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, ofProject := n.home.(*Project)
		_, ofGroup := n.home.(*Group)
		return ofProject && name == "new_epic" || ofGroup && name == "approver"
	})
}

func (c *call) notified() (n notified, settings notificationSettings, refusal *reply) {
	n = notified{user: c.user}
	settings = notificationSettings{level: "participating", email: c.user.email}
	if c.PathString("id") != "" {
		settings.level = "global"
		n.home, refusal = c.tokenHome()
	}
	if own, changed := state[notificationState](c.svc).of[n]; changed {
		settings = own
	}
	return n, settings, refusal
}

func getNotificationSettings(c *call, n notified, settings notificationSettings) *reply {
	form := object{"level": settings.level}
	if n.home == nil {
		form["notification_email"] = settings.email
	}
	if settings.level == "custom" {
		events := object{}
		for _, name := range n.events(c.svc.settings.tier) {
			events[name] = nil
			if on, set := settings.events[name]; set || slices.Contains(neverNullEvents, name) {
				events[name] = on
			}
		}
		form["events"] = events
	}
	return c.OK(form)
}

func updateNotificationSettings(c *call, n notified, settings notificationSettings) *reply {
	events := make(map[string]bool)
	for _, name := range n.events(c.svc.settings.tier) {
		if on, before := settings.events[name]; before || c.Given(name) {
			events[name] = c.BoolOr(name, on)
		}
	}
	settings.events, settings.level = events, either(c.String("level"), settings.level)
	if n.home == nil {
		settings.email = either(c.String("notification_email"), settings.email)
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case !slices.Contains(notificationLevels, settings.level):
		return frame.Message(http.StatusBadRequest, "'"+settings.level+"' is not a valid level")
	case !c.user.owns(settings.email):
		return frame.FieldErrors("notification_email", "must be an email you have verified")
	}
	all := state[notificationState](c.svc)
	put(&all.of, n, settings)
	return getNotificationSettings(c, n, settings)
}
