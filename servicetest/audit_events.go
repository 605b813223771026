package servicetest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listInstanceEvents(c *call) *reply {
	kind, id := c.OneOf("entity_type", "User", "Group", "Project"), c.Int64("entity_id")
	if kind == "" && c.Has("entity_id") {
		c.Problem("entity_type is missing")
	}
	return c.auditPage(func(e *AuditEvent) bool {
		return e.ofInstance() && (kind == "" || e.about.kind() == kind) && (id == 0 || e.about.id() == id)
	})
}

func listGroupEvents(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	mine := c.svc.groupLevel(c.user, group) < Owner
	return c.auditPage(func(e *AuditEvent) bool { return e.ofGroup(group) && (!mine || e.author == c.user) })
}

func listProjectEvents(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	mine := c.svc.projectLevel(c.user, project) < Maintainer
	return c.auditPage(func(e *AuditEvent) bool { return e.ofProject(project) && (!mine || e.author == c.user) })
}

// auditEvents returns the events for which keep reports true, in the span of
// time that the call asks for, oldest first.
func (c *call) auditEvents(keep func(*AuditEvent) bool) []*AuditEvent {
	after, before := c.Time("created_after"), c.Time("created_before")
	return state[auditState](c.svc).events.all(func(e *AuditEvent) bool {
		return keep(e) && !e.createdAt.Before(after) && (before.IsZero() || !e.createdAt.After(before))
	})
}

// auditPage returns one page of events, the newest first. In 15.2, only those of
// groups have keyset pagination; newer releases have it for all.
func (c *call) auditPage(keep func(*AuditEvent) bool) *reply {
	events := c.auditEvents(keep)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*AuditEvent]{
			OrderBy: "id", Sorts: []string{"desc"}, Param: "cursor", Items: events,
			Key:  func(e *AuditEvent) string { return fmt.Sprintf("%020d", e.id) },
			JSON: func(e *AuditEvent) *encoded { return &encoded{Data: frame.Encode(e.json())} },
		})
	}
	slices.Reverse(events)
	return frame.ListOf(c, events, (*AuditEvent).json)
}

func getInstanceEvent(c *call) *reply {
	return c.oneEvent("id", (*AuditEvent).ofInstance)
}

func getGroupEvent(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	return c.oneEvent("audit_event_id", func(e *AuditEvent) bool { return e.ofGroup(group) })
}

func getProjectEvent(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.oneEvent("audit_event_id", func(e *AuditEvent) bool { return e.ofProject(project) })
}

func (c *call) oneEvent(param string, belongs func(*AuditEvent) bool) *reply {
	event, ok := state[auditState](c.svc).events.get(c.PathID(param))
	if !ok || !belongs(event) {
		return frame.NotFound("Audit Event")
	}
	return c.OK(event.json())
}

// An AuditEvent is the record of something that a user did. Make one with the
// AuditEvent method of Service, Group or Project. Changes of members through
// the API are recorded automatically.
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

func (s auditSubject) kind() string {
	switch {
	case s.project != nil:
		return "Project"
	case s.group != nil:
		return "Group"
	}
	return "User"
}

func (s auditSubject) id() int64 {
	switch {
	case s.project != nil:
		return s.project.id
	case s.group != nil:
		return s.group.id
	}
	return s.user.id
}

func (s auditSubject) path() string {
	switch {
	case s.project != nil:
		return s.project.fullPath()
	case s.group != nil:
		return s.group.fullPath()
	}
	return s.user.username
}

// auditState keeps the audit events of a service.
type auditState struct{ events table[*AuditEvent] }

// AuditDetails are the details of an audit event. Values are of any type that
// JSON has. The names that the service uses are custom_message, add, change,
// from, to, author_name, target_id, target_type, target_details, ip_address and
// entity_path. If author_name, ip_address or entity_path is left out, the
// service sets it.
type AuditDetails map[string]any

// An AuditEventOption sets a property of an audit event. CreatedAt and ID are
// AuditEventOptions, too.
type AuditEventOption interface{ applyAuditEvent(e *AuditEvent) }

func (o IDOption) applyAuditEvent(e *AuditEvent) { e.id = int64(o) }

func (o CreatedAtOption) applyAuditEvent(e *AuditEvent) { e.createdAt = time.Time(o).UTC() }

type auditEventOption func(*AuditEvent)

func (f auditEventOption) applyAuditEvent(e *AuditEvent) { f(e) }

// AboutUser says which user an event of the instance is about. The default,
// without AboutUser, AboutGroup and AboutProject, is the author.
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
	for _, opt := range opts {
		opt.applyAuditEvent(e)
	}
	given := e.details
	e.details = object{"author_name": e.author.name, "ip_address": "127.0.0.1", "entity_path": e.about.path()}
	maps.Copy(e.details, given)
	seed(s, &state[auditState](s).events, &e.id, e, "an audit event")
	return e
}

// auditEventJSON is the JSON of an audit event.
type auditEventJSON struct {
	ID         int64    `json:"id"`
	AuthorID   int64    `json:"author_id"`
	EntityID   int64    `json:"entity_id"`
	EntityType string   `json:"entity_type"`
	Details    object   `json:"details"`
	CreatedAt  jsonTime `json:"created_at"`
}

func (e *AuditEvent) json() *auditEventJSON {
	return &auditEventJSON{e.id, e.author.id, e.about.id(), e.about.kind(), e.details, jsonTime(e.createdAt)}
}

func (e *AuditEvent) ofInstance() bool { return e.instance }

func (e *AuditEvent) ofGroup(g *Group) bool {
	return !e.instance && e.about.project == nil && e.about.group == g
}

func (e *AuditEvent) ofProject(p *Project) bool { return !e.instance && e.about.project == p }
