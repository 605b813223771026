package servicetest

import (
	"fmt"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// errorTracking is where the errors of a project are collected.
type errorTracking struct {
	active, integrated bool
	set                bool
	keys               table[*errorKey]
}

type errorKey struct {
	id      int64
	project *Project
}

type errorTrackingState struct {
	of   map[*Project]*errorTracking
	last int64 // key
}

func (s *Service) errorTracking(p *Project) *errorTracking {
	return kept(&state[errorTrackingState](s).of, p)
}

// trackErrors makes a handler of the settings. PUT makes them, the others need those that there are.
func trackErrors(required ...string) handler {
	return withProject(func(c *call, p *Project) *reply {
		t := c.svc.errorTracking(p)
		c.RequireGiven(required...)
		draft := *t
		if len(required) > 0 {
			draft.active, draft.integrated = c.Bool("active"), c.BoolOr("integrated", t.integrated)
			draft.set = t.set || c.Request.Method == "PUT"
		}
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		if !draft.set {
			return frame.NotFound("Error Tracking Setting")
		}
		*t = draft
		return c.OK(object{"active": t.active, "integrated": t.integrated, "project_name": nil,
			"sentry_external_url": nil, "api_url": nil})
	})
}

func (k *errorKey) publicKey() string { return frame.SHA256Hex(fmt.Sprint("error-key-", k.id))[:32] }

var errorKeys = collection.Table[*call, *Project, errorKey]{
	Param: "key_id", Home: (*call).project, ID: func(k *errorKey) int64 { return k.id },
	Records: func(c *call, p *Project) []*errorKey { return c.svc.errorTracking(p).keys.all(nil) },
	Fields: []collection.Field[errorKey]{
		collection.Shown("id", func(k *errorKey) int64 { return k.id }),
		collection.Shown("active", func(*errorKey) bool { return true }),
		collection.Shown("public_key", (*errorKey).publicKey),
		collection.Shown("sentry_dsn", func(k *errorKey) string {
			return "https://" + k.publicKey() + "@errors.example/api/v4/error_tracking/collector/" +
				frame.Itoa(k.project.id)
		}),
	},
	New: func(_ *call, p *Project) *errorKey { return &errorKey{project: p} },
	Add: func(c *call, p *Project, k *errorKey) {
		all := state[errorTrackingState](c.svc)
		all.last++
		k.id, _ = c.svc.errorTracking(p).keys.add(all.last, k)
	},
}

// deleteErrorKey responds with the key that is gone.
func deleteErrorKey(c *call, p *Project, k *errorKey) *reply {
	c.svc.errorTracking(p).keys.remove(k.id)
	return c.OK(errorKeys.Form(c, p, k))
}

// countActivity makes a handler that counts what is new in a group: of the last 30 days, up to 1000.
func countActivity(member string, count func(s *Service, g *Group, since time.Time) int) handler {
	return func(c *call) *reply {
		path := c.RequiredString("group_path")
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		g := c.svc.findGroup(path)
		if g == nil || g.fullPath() != path || !c.svc.canSeeGroup(c.user, g) {
			return frame.NotFound("Group")
		}
		return c.OK(object{member: min(count(c.svc, g, c.now().AddDate(0, 0, -30)), 1000)})
	}
}

func newIssues(s *Service, g *Group, since time.Time) int {
	return len(state[issueState](s).issues.all(func(i *Issue) bool {
		return i.project.within(g) && i.createdAt.After(since)
	}))
}

func newRequests(s *Service, g *Group, since time.Time) (n int) {
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(g) }) {
		n += len(p.mergeRequests().all(func(m *MergeRequest) bool { return m.createdAt.After(since) }))
	}
	return n
}

func newMembers(s *Service, g *Group, since time.Time) (n int) {
	for _, of := range s.groups.all(func(other *Group) bool { return other.within(g) }) {
		for _, m := range of.members.all(nil) {
			if m.createdAt.After(since) {
				n++
			}
		}
	}
	return n
}
