package servicetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A customRole is an access level and more permissions. This service has those of the instance as well
// as those of groups: it is both kinds of instances at once.
type customRole struct {
	id                int64
	home              any // nil for the instance, a *Group or adminArea
	name, description string
	base              AccessLevel
	permissions       []string
}

// adminArea is the home of the roles of the admin area.
var adminArea any = new(string)

// customRoles keeps the custom roles.
type customRoles struct{ table[*customRole] }

// MemberRole defines a custom role for members with the access level base. It returns
// the ID, for the parameter member_role_id. Custom roles require the Ultimate tier. A
// permission is a name such as "read_code".
func (s *Service) MemberRole(name string, base AccessLevel, permissions ...string) int64 {
	defer s.lock()()
	made := &customRole{name: name, base: base, permissions: permissions}
	made.id, _ = state[customRoles](s).add(0, made)
	return made.id
}

// Permissions of custom roles, and of those of the admin area.
var (
	rolePermissions = strings.Fields(`admin_cicd_variables admin_compliance_framework admin_group_member
		admin_integrations admin_merge_request admin_protected_branch admin_protected_environments admin_push_rules
		admin_runners admin_security_attributes admin_security_testing admin_terraform_state admin_vulnerability
		admin_web_hook apply_security_scan_profiles archive_project manage_deploy_tokens manage_group_access_tokens
		manage_merge_request_settings manage_project_access_tokens manage_protected_tags manage_security_policy_link
		read_code read_compliance_dashboard read_crm_contact read_dependency read_runners read_security_attribute
		read_security_scan_profiles read_vulnerability remove_group remove_project`)
	adminPermissions = strings.Fields(`read_admin_cicd read_admin_groups read_admin_monitoring read_admin_projects
		read_admin_subscription read_admin_users`)
)

// neededPermissions are the permissions that others need, and the lowest level that has them anyhow.
var neededPermissions = map[string]struct {
	name string
	from AccessLevel
}{
	"admin_vulnerability": {"read_vulnerability", Developer}, "admin_runners": {"read_runners", Maintainer},
	"admin_compliance_framework":    {"read_compliance_dashboard", Owner},
	"admin_security_attributes":     {"read_security_attribute", Developer},
	"manage_merge_request_settings": {"read_code", Reporter},
}

// memberRoleFields are those that are no permissions.
var memberRoleFields = []collection.Field[customRole]{
	collection.Shown("id", func(r *customRole) int64 { return r.id }),
	collection.Shown("group_id", func(r *customRole) any {
		group, _ := r.home.(*Group)
		return idOf(group)
	}),
	collection.Text("name", func(r *customRole) *string { return &r.name }),
	collection.Note("description", func(r *customRole) *string { return &r.description }),
	collection.Shown("base_access_level", func(r *customRole) *AccessLevel {
		if r.home == adminArea {
			return nil
		}
		return &r.base
	}),
}

var memberRoles = collection.Table[*call, any, customRole]{
	Name: "Member Role", Param: "member_role_id", ID: func(r *customRole) int64 { return r.id },
	Fields: memberRoleFields,
	Home: func(c *call) (any, *reply) {
		switch {
		case strings.Contains(c.route.template, "/groups/"):
			return c.topLevelGroup()
		case strings.Contains(c.route.template, "/admin_"):
			return adminArea, nil
		}
		return nil, nil
	},
	Records: (*call).rolesOf,
	New:     func(_ *call, home any) *customRole { return &customRole{home: home} },
	Read:    (*call).readMemberRole,
	Check:   (*call).checkMemberRole,
	Add:     func(c *call, _ any, r *customRole) { r.id, _ = state[customRoles](c.svc).add(0, r) },
	Extra:   func(_ *call, _ any, r *customRole, form *collection.Form) { r.showPermissions(form) },
}

func (c *call) rolesOf(home any) []*customRole {
	return state[customRoles](c.svc).all(func(r *customRole) bool { return r.home == home })
}

func (r *customRole) known() []string {
	if r.home == adminArea {
		return adminPermissions
	}
	return rolePermissions
}

func (r *customRole) showPermissions(form *collection.Form) {
	for _, name := range slices.Concat(r.known(), r.permissions) {
		form.Add(name, slices.Contains(r.permissions, name))
	}
}

// json returns the role within a member, or nil.
func (r *customRole) json() *collection.Form {
	form := collection.Show(memberRoleFields, r)
	if r != nil {
		r.showPermissions(form)
	}
	return form
}

func (c *call) readMemberRole(home any, draft *customRole, _ bool) {
	draft.name = either(draft.name, "Admin role - custom")
	if home != adminArea {
		c.Require("base_access_level")
		draft.base = AccessLevel(c.Int64In("base_access_level", "10", "15", "20", "30", "40", "50"))
		draft.name = either(c.String("name"), draft.base.String()+" - custom")
	}
	for _, name := range draft.known() {
		if c.Bool(name) {
			draft.permissions = append(draft.permissions, name)
		}
	}
}

const maxGroupRoles = 10

func (c *call) checkMemberRole(home any, draft, _ *customRole) *reply {
	var problems []string
	others := c.rolesOf(home)
	if slices.ContainsFunc(others, func(r *customRole) bool { return r.name == draft.name }) {
		problems = append(problems, "Name has already been taken")
	}
	if _, ofGroup := home.(*Group); ofGroup && len(others) >= maxGroupRoles {
		problems = append(problems, fmt.Sprintf("Namespace has the maximum number of custom roles (%d)", maxGroupRoles))
	}
	if draft.base == Owner {
		problems = append(problems, "Base access level is not included in the list")
	}
	for _, name := range draft.permissions {
		need, some := neededPermissions[name]
		if some && draft.base < need.from && !slices.Contains(draft.permissions, need.name) {
			problems = append(problems, sentence(need.name)+" has to be enabled in order to enable "+sentence(name))
		}
	}
	if len(problems) > 0 {
		return frame.Message(http.StatusBadRequest, strings.Join(problems, ", "))
	}
	return nil
}

// sentence writes a name as the beginning of a sentence.
func sentence(name string) string {
	return strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " ")
}

// listMemberRoles responds with all roles: the list has no pages.
func listMemberRoles(c *call, home any) *reply {
	return c.OK(mapped(c.rolesOf(home), (*customRole).json))
}

func deleteMemberRole(c *call, _ any, role *customRole) *reply {
	has := func(m *member) bool { return m.custom == role }
	inGroup := func(g *Group) bool { return len(g.members.all(has)) > 0 }
	inProject := func(p *Project) bool { return len(p.members.all(has)) > 0 }
	if len(c.svc.groups.all(inGroup))+len(c.svc.projects.all(inProject)) > 0 {
		return frame.Message(http.StatusBadRequest, "Role is assigned to one or more group members. "+
			"Remove role from all group members, then delete role.")
	}
	state[customRoles](c.svc).remove(role.id)
	return c.NoContent()
}
