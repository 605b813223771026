package servicetest

import (
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
func (c *call) secured(least AccessLevel) (*Project, *reply) {
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
func getSecuritySettings(c *call) *reply {
	project, refusal := c.secured(Developer)
	if refusal != nil {
		return refusal
	}
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

func updateSecuritySettings(c *call) *reply {
	project, refusal := c.secured(Maintainer)
	if refusal != nil {
		return refusal
	}
	c.Require("secret_push_protection_enabled")
	protects := c.Bool("secret_push_protection_enabled")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	all := state[securitySettings](c.svc)
	if all.of == nil {
		all.of = make(map[*Project]*securitySetting)
	}
	if all.of[project] == nil {
		all.of[project] = &securitySetting{createdAt: c.now()}
	}
	settings := all.of[project]
	settings.pushProtection, settings.updatedAt = protects, c.now()
	c.svc.touch(project)
	return c.OK(settings.json(project))
}
