package servicetest

// groupPreferences are the settings of groups that have no field of their own.
var groupPreferences = []preference{
	flag("share_with_group_lock", false),
	flag("require_two_factor_authentication", false),
	number("two_factor_grace_period", 48),
	choice("project_creation_level", []string{"developer", "noone", "maintainer"}),
	choice("subgroup_creation_level", []string{"maintainer", "owner"}),
	flag("auto_devops_enabled", nil),
	flag("emails_disabled", nil),
	flag("mentions_disabled", nil),
	flag("lfs_enabled", true),
	flag("request_access_enabled", true),
	number("default_branch_protection", 2),
	choice("shared_runners_setting", []string{"enabled", "disabled_with_override", "disabled_and_unoverridable"}, onUpdate),
	flag("prevent_sharing_groups_outside_hierarchy", false, onUpdate),
	flag("membership_lock", false, withPremium),
	number("shared_runners_minutes_limit", nil, withPremium),
	number("extra_shared_runners_minutes_limit", nil, withPremium),
	flag("prevent_forking_outside_group", nil, onUpdate, withPremium),
	number("file_template_project_id", nil, onUpdate, withPremium),
}

// lets reports whether a preference of the group is enabled.
func (g *Group) lets(name string) bool { return g.preferences.flag(groupPreferences, name) }

// settings returns the settings of the group that are shown.
func (g *Group) settings() object {
	form := g.preferences.shown(groupPreferences, Owner, g.svc.settings.tier)
	if g.parent != nil {
		delete(form, "prevent_sharing_groups_outside_hierarchy")
	}
	return form
}

// readGroupPreferences reads the settings of a group from a call.
func (c *call) readGroupPreferences(making bool) preferences {
	set := c.readPreferences(groupPreferences, making)
	if level, given := set["default_branch_protection"].(int64); given && (level < 0 || level > 3) {
		c.Problem("default_branch_protection does not have a valid value")
	}
	if !c.admin() {
		delete(set, "shared_runners_minutes_limit")
		delete(set, "extra_shared_runners_minutes_limit")
	}
	return set
}
