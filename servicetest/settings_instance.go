package servicetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// instanceSettings keeps the settings of the instance. The package documentation lists
// those with an effect.
type instanceSettings struct {
	values    preferences
	updatedAt time.Time
}

// instance returns the settings of the instance.
func (s *Service) instance() *instanceSettings {
	all := state[instanceSettings](s)
	if all.values == nil {
		all.values, all.updatedAt = make(preferences), s.admin.createdAt
	}
	return all
}

func (s *instanceSettings) flag(name string) bool { return s.values.flag(knownSettings, name) }

func (s *instanceSettings) text(name string) string { return s.values.choice(knownSettings, name) }

func (s *instanceSettings) number(name string) int64 {
	switch n := s.values.value(knownSettings, name).(type) {
	case int:
		return int64(n)
	case int64:
		return n
	}
	return 0
}

// sameAs maps settings to other names under which they are shown.
var sameAs = map[string]string{
	"signin_enabled":                                   "password_authentication_enabled_for_web",
	"password_authentication_enabled":                  "password_authentication_enabled_for_web",
	"throttle_unauthenticated_web_enabled":             "throttle_unauthenticated_enabled",
	"throttle_unauthenticated_web_period_in_seconds":   "throttle_unauthenticated_period_in_seconds",
	"throttle_unauthenticated_web_requests_per_period": "throttle_unauthenticated_requests_per_period",
}

func (s *instanceSettings) json(svc *Service) object {
	o := s.values.shown(knownSettings, Owner, svc.settings.tier)
	for name, other := range sameAs {
		o[name] = o[other]
	}
	o["id"], o["created_at"], o["updated_at"] = 1, jsonTime(svc.admin.createdAt), jsonTime(s.updatedAt)
	return o
}

func getSettings(c *call) *reply { return c.OK(c.svc.instance().json(c.svc)) }

// requiredBy lists the settings that a switch needs before it can be turned on. They
// must be in the same call.
var requiredBy = [][2]string{
	{"akismet_enabled", "akismet_api_key"},
	{"enforce_terms", "terms"},
	{"kroki_enabled", "kroki_url"},
	{"plantuml_enabled", "plantuml_url"},
	{"sourcegraph_enabled", "sourcegraph_url"},
	{"spam_check_endpoint_enabled", "spam_check_endpoint_url"},
}

// updateSettings changes settings, and ignores unknown names.
func updateSettings(c *call) *reply {
	set := c.readPreferences(knownSettings, false)
	for _, pair := range requiredBy {
		if set[pair[0]] == true && !c.Has(pair[1]) {
			c.Problem(pair[1] + " is missing")
		}
	}
	if len(set) == 0 {
		c.Problem("no setting is given, at least one parameter must be provided")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := refuseSettings(set); refusal != nil {
		return refusal
	}
	settings := c.svc.instance()
	before := frame.Encode(settings.json(c.svc))
	for name, value := range set {
		settings.values[name] = value
	}
	if !bytes.Equal(before, frame.Encode(settings.json(c.svc))) {
		settings.updatedAt = c.now()
	}
	return c.OK(settings.json(c.svc))
}

// refuseSettings refuses invalid values. A null list is empty.
func refuseSettings(set preferences) *reply {
	problems := object{}
	for _, p := range knownSettings {
		value, given := set[p.name]
		if !given {
			continue
		}
		if value == nil && p.kind == wordsPreference {
			set[p.name] = []string{}
		}
		if problem := p.problem(set[p.name]); problem != "" {
			problems[p.name] = []string{problem}
		}
	}
	for _, pair := range requiredBy {
		if value := set[pair[1]]; set[pair[0]] == true && (value == nil || value == "") {
			problems[pair[1]] = []string{"can't be blank"}
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return frame.JSONReply(400, object{"message": problems})
}

// problem says why a setting of the instance cannot have a value, or returns "".
func (p preference) problem(value any) string {
	switch value := value.(type) {
	case nil:
		nullable := p.kind == textPreference || p.kind == rawPreference || p.initial == nil
		if !nullable {
			return "can't be blank"
		}
	case int64:
		least := int64(0)
		if strings.HasSuffix(p.name, "_key_restriction") {
			least = -1
		}
		if value < least {
			return fmt.Sprint("must be greater than or equal to ", least)
		}
	case quoted:
		if value < 0 {
			return "must be greater than or equal to 0"
		}
	}
	return ""
}

// restricted refuses a visibility that only administrators can choose.
func (c *call) restricted(visibility string) *reply {
	levels, _ := c.svc.instance().values.value(knownSettings, "restricted_visibility_levels").([]string)
	if c.admin() || !slices.Contains(levels, visibility) {
		return nil
	}
	return frame.FieldErrors("visibility_level", visibility+" has been restricted by your administrator")
}

// complete fills in what a call that creates a project does not set.
func (s *instanceSettings) complete(d *projectDraft, home namespace) {
	d.visibility = either(d.visibility, narrower(s.text("default_project_visibility"), "public", home.group))
	d.branch = either(d.branch, s.text("default_branch_name"))
	if path := s.text("default_ci_config_path"); path != "" && d.preferences["ci_config_path"] == nil {
		d.preferences["ci_config_path"] = path
	}
	if d.runners == nil && !s.flag("shared_runners_enabled") {
		d.runners = new(false)
	}
}
