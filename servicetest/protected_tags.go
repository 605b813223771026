package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A protectedTag prevents some callers from creating tags that match a name, which may
// have wildcards. Nobody can delete these tags.
type protectedTag struct {
	id        int64 // not in the API
	project   *Project
	name      string
	create    []protectionLevel
	changedAt time.Time
}

func (t *protectedTag) key() int64 { return t.id }

var protectedTags = collection.Table[*call, *Project, protectedTag]{
	ID:   (*protectedTag).key,
	Home: (*call).project,
	Records: func(c *call, p *Project) []*protectedTag {
		return c.svc.protectedTags(func(t *protectedTag) bool { return t.project == p })
	},
	Find: func(c *call, p *Project) (*protectedTag, *reply) {
		if found := p.tagProtectionNamed(c.PathString("name")); found != nil {
			return found, nil
		}
		return nil, frame.NotFound("")
	},
	Fields: []collection.Field[protectedTag]{
		collection.Text("name", func(t *protectedTag) *string { return &t.name }).Required(),
	},
	New: func(c *call, p *Project) *protectedTag { return &protectedTag{project: p} },
	Check: func(c *call, p *Project, t, _ *protectedTag) (refusal *reply) {
		if p.tagProtectionNamed(t.name) != nil {
			return protectionRefusal("Name has already been taken")
		}
		t.create, refusal = c.refLevels(createLevels, p, nil, true)
		return refusal
	},
	Add:     func(c *call, _ *Project, t *protectedTag) { c.svc.addProtectedTag(t) },
	Changed: func(t *protectedTag) time.Time { return t.changedAt },
	Remove:  func(c *call, _ *Project, t *protectedTag) { state[protections](c.svc).tags.remove(t.id) },
	Extra: func(c *call, _ *Project, t *protectedTag, form *collection.Form) {
		form.Add("create_access_levels", c.refForms(t.create))
	},
}

func (s *Service) protectedTags(keep func(*protectedTag) bool) []*protectedTag {
	return state[protections](s).tags.all(keep)
}

func (s *Service) addProtectedTag(t *protectedTag) {
	t.id, _ = state[protections](s).tags.add(0, t)
	s.number(createLevels, t.create)
	t.changedAt = s.now()
}

// tagProtectionNamed returns the project's protection with this name.
func (p *Project) tagProtectionNamed(name string) *protectedTag {
	for _, t := range p.svc.protectedTags(func(t *protectedTag) bool { return t.project == p && t.name == name }) {
		return t
	}
	return nil
}

// ProtectTag protects a tag: nobody may delete it, and only maintainers may create it
// and run pipelines for it. The name may have wildcards, as in "v*".
func (p *Project) ProtectTag(name string) {
	defer p.svc.lock()()
	if p.tagProtectionNamed(name) == nil {
		p.svc.addProtectedTag(&protectedTag{project: p, name: name, create: []protectionLevel{{level: Maintainer}}})
	}
}

// tagRules returns the protections that apply to a tag of the project.
func (p *Project) tagRules(tag string) []*protectedTag {
	return p.svc.protectedTags(func(t *protectedTag) bool { return t.project == p && matchesWildcard(t.name, tag) })
}

// protectsTag reports whether a tag is protected.
func (p *Project) protectsTag(tag string) bool { return len(p.tagRules(tag)) > 0 }

// mayCreateTag reports whether a user may create a tag, or a release that creates it.
func (p *Project) mayCreateTag(user *User, tag string) bool {
	rules := p.tagRules(tag)
	return p.svc.projectLevel(user, p) >= Developer && (len(rules) == 0 ||
		slices.ContainsFunc(rules, func(t *protectedTag) bool { return allow(t.create, user, p) }))
}
