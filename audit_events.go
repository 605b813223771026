package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// AuditEventsService gives access to the audit events of the whole service, of
// groups and of projects.
//
//	client.AuditEvents.All(ctx, serviceapi.InGroup(serviceapi.Path("acme")), nil)
//
// Who sees what depends on the parent. [Instance] requires an administrator,
// and has no events of groups and projects. For [InGroup], an Owner sees the
// events of all users, a Developer or Maintainer only their own. For
// [InProject], a Maintainer sees all events, a Developer only their own.
type AuditEventsService service

// AuditEventParent is what audit events are listed for. Make one with
// [Instance], [InGroup] or [InProject].
type AuditEventParent interface {
	auditEvents() endpoint
	auditEvent(id int64) endpoint
	// lacks returns the options that the parent does not have.
	lacks(*ListAuditEventsOptions) string
}

func (InstanceParent) auditEvents() endpoint  { return route("/audit_events") }
func (p GroupParent) auditEvents() endpoint   { return p.below("/audit_events") }
func (p ProjectParent) auditEvents() endpoint { return p.below("/audit_events") }

func (InstanceParent) auditEvent(id int64) endpoint { return route("/audit_events/:id", id) }
func (p GroupParent) auditEvent(id int64) endpoint {
	return p.below("/audit_events/:audit_event_id", id)
}
func (p ProjectParent) auditEvent(id int64) endpoint {
	return p.below("/audit_events/:audit_event_id", id)
}

func (InstanceParent) lacks(o *ListAuditEventsOptions) string { return o.keysetOption() }
func (GroupParent) lacks(o *ListAuditEventsOptions) string    { return o.entityOption() }
func (ProjectParent) lacks(o *ListAuditEventsOptions) string {
	if option := o.entityOption(); option != "" {
		return option
	}
	return o.keysetOption()
}

func (o *ListAuditEventsOptions) entityOption() string {
	switch {
	case o.EntityType != "":
		return "EntityType"
	case o.EntityID != 0:
		return "EntityID"
	}
	return ""
}

func (o *ListAuditEventsOptions) keysetOption() string {
	switch {
	case o.Pagination != "":
		return "Pagination"
	case o.OrderBy != "":
		return "OrderBy"
	case o.Sort != "":
		return "Sort"
	}
	return ""
}

// auditEventsOf returns the endpoint of a list. An option that the parent does
// not have is refused here: the service would pass over it and answer with
// events that were not asked for.
func auditEventsOf(parent AuditEventParent, options *ListAuditEventsOptions) endpoint {
	if parent == nil {
		return noParent("audit_events")
	}
	e := parent.auditEvents()
	if options == nil || e.err != nil {
		return e
	}
	if option := parent.lacks(options); option != "" {
		e.err = &ArgumentError{Argument: option, Problem: "does not exist for this parent of audit events"}
	}
	return e
}

// List returns one page of audit events, the newest first. The call returns an
// [*ArgumentError] for an option that this parent does not support.
//
// GET /audit_events
// GET /groups/:id/audit_events
// GET /projects/:id/audit_events
func (s *AuditEventsService) List(ctx context.Context, parent AuditEventParent, options *ListAuditEventsOptions, opts ...RequestOption) ([]*AuditEvent, *Response, error) {
	return list[*AuditEvent](ctx, s.client, auditEventsOf(parent, options), queryOf(options), opts)
}

// All returns every audit event, the newest first. The call returns an
// [*ArgumentError] for an option that this parent does not support.
//
// GET /audit_events
// GET /groups/:id/audit_events
// GET /projects/:id/audit_events
func (s *AuditEventsService) All(ctx context.Context, parent AuditEventParent, options *ListAuditEventsOptions, opts ...RequestOption) iter.Seq2[*AuditEvent, error] {
	return all[*AuditEvent](ctx, s.client, auditEventsOf(parent, options), queryOf(options), opts)
}

// Get returns one audit event. It requires an administrator for [Instance], an
// Owner for [InGroup] and a Maintainer for [InProject].
//
// GET /audit_events/:id
// GET /groups/:id/audit_events/:audit_event_id
// GET /projects/:id/audit_events/:audit_event_id
func (s *AuditEventsService) Get(ctx context.Context, parent AuditEventParent, eventID int64, opts ...RequestOption) (*AuditEvent, *Response, error) {
	if parent == nil {
		return do[AuditEvent](ctx, s.client, http.MethodGet, noParent("audit_events"), nil, opts)
	}
	return do[AuditEvent](ctx, s.client, http.MethodGet, parent.auditEvent(eventID), nil, opts)
}
