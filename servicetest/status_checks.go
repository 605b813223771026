package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A statusCheck is an external service that the product asks about merge requests. It
// cannot change here, and no merge request waits for it.
type statusCheck struct {
	id        int64
	name, url string
	branches  []string // names of protected branches; none means all
}

// statusCheckState keeps the checks of projects.
type statusCheckState struct {
	of   map[*Project][]*statusCheck
	last int64
}

var statusChecks = collection.Table[*call, *Project, statusCheck]{
	Home: func(c *call) (*Project, *reply) {
		if !c.hasTier(Ultimate) {
			return nil, frame.Unauthorized()
		}
		return c.project()
	},
	Records: func(c *call, p *Project) []*statusCheck { return state[statusCheckState](c.svc).of[p] },
	Fields: []collection.Field[statusCheck]{
		collection.Shown("id", func(s *statusCheck) int64 { return s.id }),
		collection.Shown("name", func(s *statusCheck) string { return s.name }),
		collection.Shown("external_url", func(s *statusCheck) string { return s.url }),
	},
	Extra: func(c *call, p *Project, s *statusCheck, form *collection.Form) {
		form.Add("project_id", p.id)
		form.Add("protected_branches", c.branchesOfCheck(p, s))
	},
}

func (c *call) branchesOfCheck(p *Project, s *statusCheck) []*collection.Form {
	forms := []*collection.Form{}
	for _, b := range c.svc.protectedBranches(func(b *protectedBranch) bool { return b.appliesTo(p) }) {
		if slices.Contains(s.branches, b.name) {
			form := protectedBranches.Form(c, p, b)
			form.Add("project_id", p.id)
			form.Add("created_at", jsonTime(p.createdAt))
			form.Add("updated_at", jsonTime(b.changedAt))
			forms = append(forms, form)
		}
	}
	return forms
}

// StatusCheck gives the project an external status check. Lists show it, but merge
// requests do not wait for it. branches are names that ProtectBranch has protected.
func (p *Project) StatusCheck(name, url string, branches ...string) {
	defer p.svc.lock()()
	all := state[statusCheckState](p.svc)
	if all.of == nil {
		all.of = make(map[*Project][]*statusCheck)
	}
	all.last++
	all.of[p] = append(all.of[p], &statusCheck{id: all.last, name: name, url: url, branches: branches})
}
