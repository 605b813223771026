package servicetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An auditScope selects the events that a path lists.
type auditScope struct {
	holds func(*AuditEvent) bool
	mine  bool // only the caller's own events
}

var auditEvents = collection.Table[*call, auditScope, AuditEvent]{
	Name: "Audit Event",
	Home: (*call).auditScope,
	Records: func(c *call, in auditScope) []*AuditEvent {
		found := state[auditState](c.svc).events.all(func(e *AuditEvent) bool {
			return in.holds(e) && (!in.mine || e.author == c.user)
		})
		slices.Reverse(found)
		return found
	},
	Find: func(c *call, in auditScope) (*AuditEvent, *reply) {
		param := "id"
		if c.inHome() {
			param = "audit_event_id"
		}
		e, ok := state[auditState](c.svc).events.get(c.PathInt64(param))
		if !ok || !in.holds(e) {
			return nil, frame.NotFound("Audit Event")
		}
		return e, nil
	},
	Fields: []collection.Field[AuditEvent]{
		collection.Shown("id", (*AuditEvent).ID),
		collection.Shown("author_id", func(e *AuditEvent) int64 { return e.author.id }),
		collection.Shown("entity_id", func(e *AuditEvent) int64 { return e.about.entity().id }),
		collection.Shown("entity_type", func(e *AuditEvent) string { return e.about.entity().kind }),
		collection.Shown("details", func(e *AuditEvent) object { return e.details }),
		collection.Moment("created_at", func(e *AuditEvent) *time.Time { return &e.createdAt }).ReadOnly(),
	},
	Filters: []collection.Filter[AuditEvent]{
		collection.Span("created_after", "created_before", func(e *AuditEvent) time.Time { return e.createdAt }),
	},
	// In 15.2, only events of groups have keyset pagination. In newer releases, all
	// events have it.
	Keyset: &collection.Keyset[AuditEvent]{
		OrderBy: "id", Sorts: []string{"desc"}, Key: func(e *AuditEvent) string { return fmt.Sprintf("%020d", e.id) },
	},
}

// inHome reports whether the path is below a project or a group.
func (c *call) inHome() bool { return strings.Contains(c.route.template, "/:id/") }

// auditScope returns the events of the project or group of the path, or those of the
// instance.
func (c *call) auditScope() (auditScope, *reply) {
	if !c.inHome() {
		kind, id := c.StringIn("entity_type", "User", "Group", "Project"), c.Int64("entity_id")
		if kind == "" && c.Has("entity_id") {
			c.Problem("entity_type is missing")
		}
		return auditScope{holds: func(e *AuditEvent) bool {
			about := e.about.entity()
			return e.instance && (kind == "" || about.kind == kind) && (id == 0 || about.id == id)
		}}, nil
	}
	home, refusal := c.tokenHome()
	if refusal != nil {
		return auditScope{}, refusal
	}
	least := Owner
	if _, isProject := home.(*Project); isProject {
		least = Maintainer
	}
	return auditScope{
		holds: func(e *AuditEvent) bool { return !e.instance && e.about.entity().home == home },
		mine:  c.levelIn(home) < least,
	}, nil
}

// An AuditEvent is the record of something that a user did. Make one with the AuditEvent
// method of Service, Group or Project. Changes to members through the API are recorded
// automatically.
type AuditEvent struct {
	id        int64
	svc       *Service
	author    *User
	about     auditSubject
	instance  bool // the event belongs to the instance, not to its subject
	details   object
	createdAt time.Time
}

// auditSubject is what an event is about: a project, a group or a user.
type auditSubject struct {
	project *Project
	group   *Group
	user    *User
}

// An auditEntity is what the API says of a subject.
type auditEntity struct {
	kind string
	id   int64
	path string
	home any // the *Project or *Group, or nil for a user
}

func (s auditSubject) entity() auditEntity {
	switch {
	case s.project != nil:
		return auditEntity{"Project", s.project.id, s.project.fullPath(), s.project}
	case s.group != nil:
		return auditEntity{"Group", s.group.id, s.group.fullPath(), s.group}
	}
	return auditEntity{"User", s.user.id, s.user.username, nil}
}

// auditState keeps the audit events of a service.
type auditState struct{ events table[*AuditEvent] }

// AuditDetails are the details of an audit event. Values may have any JSON type. The
// service uses the names custom_message, add, change, from, to, author_name, target_id,
// target_type, target_details, ip_address and entity_path. If author_name, ip_address
// or entity_path is left out, the service sets it.
type AuditDetails map[string]any

// An AuditEventOption sets a property of an audit event. CreatedAt and ID are
// AuditEventOptions, too.
type AuditEventOption interface{ applyAuditEvent(e *AuditEvent) }

func (o IDOption) applyAuditEvent(e *AuditEvent) { e.id = int64(o) }

func (o CreatedAtOption) applyAuditEvent(e *AuditEvent) { e.createdAt = time.Time(o) }

type auditEventOption func(*AuditEvent)

func (f auditEventOption) applyAuditEvent(e *AuditEvent) { f(e) }

// AboutUser says which user an event of the instance is about. Without AboutUser,
// AboutGroup and AboutProject, the event is about the author.
func AboutUser(u *User) AuditEventOption {
	return auditEventOption(func(e *AuditEvent) { e.about = auditSubject{user: u} })
}

// AboutGroup says which group an event of the instance is about.
func AboutGroup(g *Group) AuditEventOption {
	return auditEventOption(func(e *AuditEvent) { e.about = auditSubject{group: g} })
}

// AboutProject says which project an event of the instance is about.
func AboutProject(p *Project) AuditEventOption {
	return auditEventOption(func(e *AuditEvent) { e.about = auditSubject{project: p} })
}

// AuditEvent records something that the author did to the instance.
func (s *Service) AuditEvent(author *User, details AuditDetails, opts ...AuditEventOption) *AuditEvent {
	defer s.lock()()
	e := &AuditEvent{author: author, about: auditSubject{user: author}, instance: true, details: object(details)}
	return s.record(e, opts)
}

// AuditEvent records something that the author did to the group.
func (g *Group) AuditEvent(author *User, details AuditDetails, opts ...AuditEventOption) *AuditEvent {
	defer g.svc.lock()()
	return g.svc.record(&AuditEvent{author: author, about: auditSubject{group: g}, details: object(details)}, opts)
}

// AuditEvent records something that the author did to the project.
func (p *Project) AuditEvent(author *User, details AuditDetails, opts ...AuditEventOption) *AuditEvent {
	defer p.svc.lock()()
	return p.svc.record(&AuditEvent{author: author, about: auditSubject{project: p}, details: object(details)}, opts)
}

// ID returns the event's ID.
func (e *AuditEvent) ID() int64 { return e.id }

// audit records what a call did to a project or group.
func (s *Service) audit(author *User, about auditSubject, details object) {
	s.record(&AuditEvent{author: author, about: about, details: details}, nil)
}

func (s *Service) record(e *AuditEvent, opts []AuditEventOption) *AuditEvent {
	e.svc, e.createdAt = s, s.now()
	apply(e, opts, AuditEventOption.applyAuditEvent)
	given := e.details
	e.details = object{"author_name": e.author.name, "ip_address": "127.0.0.1", "entity_path": e.about.entity().path}
	maps.Copy(e.details, given)
	seed(s, &state[auditState](s).events, &e.id, e, "an audit event")
	return e
}
