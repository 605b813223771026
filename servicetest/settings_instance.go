package servicetest

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// instanceSettings keeps the settings of the instance that were set. The package
// documentation lists those with an effect.
type instanceSettings struct {
	values    map[string]any
	updatedAt time.Time
}

// instance returns the settings of the instance.
func (s *Service) instance() *instanceSettings {
	all := state[instanceSettings](s)
	if all.values == nil {
		all.values, all.updatedAt = make(map[string]any), s.admin.createdAt
	}
	return all
}

// value returns the value of a setting, which is that of another one if the setting is only
// another name of it.
func (s *instanceSettings) value(name string) any {
	k := settingsByName()[name]
	if k == nil {
		panic("servicetest: no setting " + name)
	}
	if k.same != "" {
		return s.value(k.same)
	}
	if value, set := s.values[name]; set {
		return value
	}
	return k.initial
}

func (s *instanceSettings) flag(name string) bool {
	on, _ := s.value(name).(bool)
	return on
}

func (s *instanceSettings) text(name string) string {
	text, _ := s.value(name).(string)
	return text
}

func (s *instanceSettings) number(name string) int64 {
	n, _ := s.value(name).(int64)
	return n
}

func (s *instanceSettings) list(name string) []string {
	items, _ := s.value(name).([]string)
	return items
}

// isAt reports whether a column of the table, such as premium, holds for a tier.
func isAt(column string, tier Tier) bool {
	switch column {
	case "no":
		return false
	case "premium":
		return tier >= Premium
	case "ultimate":
		return tier >= Ultimate
	}
	return true
}

func (s *instanceSettings) json(svc *Service) object {
	o := make(object, len(knownSettings()))
	for _, k := range knownSettings() {
		_, set := s.values[k.name]
		if isAt(k.shown, svc.settings.tier) && (k.shown != "set" || set) {
			o[k.name] = s.shown(k)
		}
	}
	o["id"], o["created_at"], o["updated_at"] = 1, jsonTime(svc.admin.createdAt), jsonTime(s.updatedAt)
	return o
}

// shown returns what a response has of a setting.
func (s *instanceSettings) shown(k *knownSetting) any {
	value := s.value(k.name)
	switch {
	case k.kind == "lines":
		lines, _ := value.([]string)
		return strings.Join(lines, "\n")
	case k.name == "duo_availability":
		return s.availability()
	}
	if members, isObject := value.(map[string]any); isObject {
		return s.withParts(k.name, members)
	}
	return value
}

// availability returns the setting that stands for two others.
func (s *instanceSettings) availability() string {
	switch {
	case s.value("duo_features_enabled") == true:
		return "default_on"
	case s.value("lock_duo_features_enabled") == true:
		return "never_on"
	}
	return "default_off"
}

// A settingPart is a member of a setting that is an object, which is a setting of its own, too.
type settingPart struct{ object, member, name string }

var settingParts = []settingPart{
	{"sign_in_restrictions", "disable_password_authentication_for_users_with_sso_identities",
		"disable_password_authentication_for_users_with_sso_identities"},
	{"sign_in_restrictions", "root_moved_permanently_redirection", "root_moved_permanently_redirection"},
	{"sign_in_restrictions", "session_expire_from_init", "session_expire_from_init"},
	{"vscode_extension_marketplace", "enabled", "vscode_extension_marketplace_enabled"},
	{"vscode_extension_marketplace", "extension_host_domain", "vscode_extension_marketplace_extension_host_domain"},
}

// withParts returns an object with the members that were set on their own. One with its initial
// value is there only if the object has it.
func (s *instanceSettings) withParts(name string, members map[string]any) map[string]any {
	whole := maps.Clone(members)
	for _, part := range settingParts {
		value, set := s.values[part.name]
		_, has := members[part.member]
		if set && part.object == name && (has || value != settingsByName()[part.name].initial) {
			whole[part.member] = value
		}
	}
	return whole
}

func getSettings(c *call) *reply { return c.OK(c.svc.instance().json(c.svc)) }

// updateSettings changes settings, and ignores unknown names.
func updateSettings(c *call) *reply {
	set, known := c.readSettings()
	if !known {
		c.Problem("no setting is given, at least one parameter must be provided")
	}
	c.Exclusive("password_authentication_enabled", "password_authentication_enabled_for_web")
	c.Exclusive("password_authentication_enabled", "signin_enabled")
	c.Exclusive("password_authentication_enabled_for_web", "signin_enabled")
	c.Exclusive("housekeeping_incremental_repack_period", "housekeeping_optimize_repository_period")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	settings := c.svc.instance()
	changed := &instanceSettings{values: maps.Clone(settings.values)}
	changed.merge(set)
	if refusal := changed.refuse(set); refusal != nil {
		return refusal
	}
	before := frame.Encode(settings.json(c.svc))
	settings.values = changed.values
	if !bytes.Equal(before, frame.Encode(settings.json(c.svc))) {
		settings.updatedAt = c.now()
	}
	return c.OK(settings.json(c.svc))
}

// readSettings reads the settings that a call gives. It reports whether there are any, also of
// those that are ignored, and notes those that a switch lacks.
func (c *call) readSettings() (set map[string]any, known bool) {
	set = make(map[string]any)
	for _, k := range knownSettings() {
		if !c.Has(k.name) || k.taken == "no" {
			continue
		}
		known = true
		if k.taken == "ignored" || !isAt(k.taken, c.svc.settings.tier) {
			continue
		}
		set[k.name] = c.settingOrNil(k)
		if set[k.name] != true || k.needsValues {
			continue
		}
		for _, needed := range k.needs {
			if needed = strings.TrimSuffix(needed, mayBeEmpty); !c.Has(needed) {
				c.Problem(needed + " is missing")
			}
		}
	}
	return set, known
}

// settingOrNil reads a setting that may be null. A null list is empty.
func (c *call) settingOrNil(k *knownSetting) any {
	isText := k.kind == "text" || k.kind == "lines" || k.kind == "group"
	if value := c.Values[k.name]; value != nil && (isText || value != "") {
		return c.setting(k)
	}
	switch k.kind {
	case "words", "lines":
		return []string{}
	case "numbers":
		return []int64{}
	}
	return nil
}

// merge applies what a call sets, under the names that settings are kept by. Of several names
// for one, the last counts.
func (s *instanceSettings) merge(set map[string]any) {
	names := slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(rankOfName(a), rankOfName(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		keeps := set[name] == "*****" && // as a form shows a secret
			(name == "elasticsearch_password" || name == "elasticsearch_aws_secret_access_key")
		if !keeps {
			s.values[cmp.Or(settingsByName()[name].same, name)] = set[name]
			s.follow(name, set[name])
		}
	}
}

// rankOfName orders the names of a setting by how much they count in one call. An object
// counts less than a setting that is a member of it.
func rankOfName(name string) int {
	switch k := settingsByName()[name]; {
	case k.wins:
		return 3
	case k.same == "" && k.kind != "object":
		return 2
	case k.same == "":
		return 1
	}
	return 0
}

// follow sets the settings that another one stands for.
func (s *instanceSettings) follow(name string, value any) {
	switch name {
	case "duo_availability":
		s.values["duo_features_enabled"] = value == "default_on"
		s.values["lock_duo_features_enabled"] = value == "never_on"
	case "duo_remote_flows_availability":
		s.values["lock_duo_remote_flows_enabled"] = value != true
	case "performance_bar_enabled":
		if value == false {
			s.values["performance_bar_allowed_group_id"] = nil
		}
	}
	members, _ := value.(map[string]any)
	for _, part := range settingParts {
		if part.object != name {
			continue
		}
		delete(s.values, part.name)
		member := members[part.member]
		_, isFlag := member.(bool)
		_, isText := member.(string)
		if kind := settingsByName()[part.name].kind; kind == "flag" && isFlag || kind == "text" && isText {
			s.values[part.name] = member
		}
	}
}

// refuse refuses invalid values, and a switch that is on without the values that it needs.
func (s *instanceSettings) refuse(set map[string]any) *reply {
	problems := object{}
	for name, value := range set {
		if problem := settingsByName()[name].problem(value); problem != "" {
			problems[name] = []string{problem}
		}
	}
	for _, k := range knownSettings() {
		if s.values[k.name] != true || !k.needsValues && set[k.name] != true {
			continue
		}
		for _, needed := range k.needs {
			if !strings.HasSuffix(needed, mayBeEmpty) && isBlank(s.value(needed)) {
				problems[needed] = []string{"can't be blank"}
			}
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return frame.JSONReply(400, object{"message": problems})
}

func isBlank(value any) bool {
	items, isList := value.([]string)
	return value == nil || value == "" || isList && len(items) == 0
}

// restricted refuses a visibility that only administrators can choose.
func (c *call) restricted(visibility string) *reply {
	if c.admin() || !slices.Contains(c.svc.instance().list("restricted_visibility_levels"), visibility) {
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
