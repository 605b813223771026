package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// securitySettings keeps the settings of projects that have changed them.
type securitySettings struct{ of map[*Project]*securitySetting }

type securitySetting struct {
	createdAt, updatedAt time.Time
	pushProtection       bool
}

func (p *Project) securitySettings() *securitySetting { return state[securitySettings](p.svc).of[p] }

// protectsPushes reports whether the project refuses pushes with secrets. Nothing else
// uses this setting.
func (p *Project) protectsPushes() bool {
	settings := p.securitySettings()
	return settings != nil && settings.pushProtection
}

// secured returns the project of the path, if the caller has the role. Other callers
// get a 401.
func (c *call) secured() (*Project, *reply) {
	least := Developer
	if c.route.writes() {
		least = Maintainer
	}
	project, refusal := c.project()
	switch {
	case refusal != nil:
		return nil, refusal
	case c.svc.projectLevel(c.user, project) < least:
		return nil, frame.Unauthorized()
	}
	return project, c.requireTier(Ultimate)
}

// getSecuritySettings responds with null before the first change.
func getSecuritySettings(c *call, project *Project) *reply {
	settings := project.securitySettings()
	if settings == nil {
		return c.OK(nil)
	}
	return c.OK(settings.json(project))
}

func (s *securitySetting) json(project *Project) object {
	return object{
		"project_id": project.id, "created_at": jsonTime(s.createdAt), "updated_at": jsonTime(s.updatedAt),
		"auto_fix_container_scanning": true, "auto_fix_dast": true, "auto_fix_dependency_scanning": true,
		"auto_fix_sast": true, "continuous_vulnerability_scans_enabled": false,
		"container_scanning_for_registry_enabled": false, "secret_push_protection_enabled": s.pushProtection,
	}
}

func updateSecuritySettings(c *call, project *Project) *reply {
	c.Require("secret_push_protection_enabled")
	protects := c.Bool("secret_push_protection_enabled")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(project.protectPushes(protects).json(project))
}

// protectPushes sets whether the project refuses pushes with secrets.
func (p *Project) protectPushes(protects bool) *securitySetting {
	all := state[securitySettings](p.svc)
	if all.of[p] == nil {
		put(&all.of, p, &securitySetting{createdAt: p.svc.now()})
	}
	settings := all.of[p]
	settings.pushProtection, settings.updatedAt = protects, p.svc.now()
	p.svc.touch(p)
	return settings
}

// updateGroupSecurity changes the settings of all projects below a group at once.
func updateGroupSecurity(c *call, group *Group) *reply {
	if c.svc.groupLevel(c.user, group) < Maintainer {
		return frame.Unauthorized()
	}
	if refusal := c.requireTier(Ultimate); refusal != nil {
		return refusal
	}
	c.Require("secret_push_protection_enabled")
	protects, excluded := c.Bool("secret_push_protection_enabled"), c.Int64s("projects_to_exclude")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for _, p := range c.svc.projects.all(func(p *Project) bool { return p.within(group) }) {
		if !slices.Contains(excluded, p.id) {
			p.protectPushes(protects)
		}
	}
	return c.OK(object{"secret_push_protection_enabled": protects, "errors": []string{}})
}

// compliancePolicy has the group with the security policies of the instance, which do nothing here.
type compliancePolicy struct{ group *int64 }

func getCompliancePolicy(c *call) *reply {
	if !c.hasTier(Ultimate) {
		return frame.Forbidden("security_orchestration_policies license feature not available")
	}
	return c.OK(object{"csp_namespace_id": state[compliancePolicy](c.svc).group})
}

func updateCompliancePolicy(c *call) *reply {
	if !c.Has("csp_namespace_id") {
		c.Problem("csp_namespace_id is missing")
	}
	id := c.Int64OrNil("csp_namespace_id")
	if refusal := c.Refusal(); refusal != nil || !c.hasTier(Ultimate) {
		return cmp.Or(refusal, getCompliancePolicy(c))
	}
	if id != nil {
		if group, ok := c.svc.groups.get(*id); !ok || group.parent != nil {
			return frame.Unprocessable("Validation failed: CSP namespace must be a top-level group")
		}
	}
	state[compliancePolicy](c.svc).group = id
	return getCompliancePolicy(c)
}
