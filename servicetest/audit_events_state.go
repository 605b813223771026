package servicetest

import (
	"maps"
	"time"
)

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
