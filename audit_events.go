package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// AuditEventsService reads the audit events of the instance, groups and
// projects.
//
//	client.AuditEvents.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// What the caller sees depends on the owner. [Instance] requires an
// administrator, and has no events of groups and projects. For a group, an
// Owner sees the events of all users, and a Developer or Maintainer only their
// own. For a project, a Maintainer sees all events, and a Developer only their
// own.
type AuditEventsService service

// AuditEventOwner is an owner of audit events: [Instance], a [GroupRef] or a
// [ProjectRef].
type AuditEventOwner interface{ hasAuditEvents() }

func (InstanceOwner) hasAuditEvents() {}
func (GroupRef) hasAuditEvents()      {}
func (ProjectRef) hasAuditEvents()    {}

func auditEventOf(owner AuditEventOwner, id int64) Endpoint {
	if owner == Instance {
		return Route("/audit_events/:id", id)
	}
	return below(owner, "/audit_events/:audit_event_id", id)
}

// List returns one page of audit events, the newest first. The call returns an
// [*ArgumentError] for an option that this owner does not support.
//
//	GET /audit_events
//	GET /groups/:id/audit_events
//	GET /projects/:id/audit_events
func (s *AuditEventsService) List(
	ctx context.Context, owner AuditEventOwner, options *ListAuditEventsOptions, opts ...RequestOption,
) ([]*AuditEvent, *Response, error) {
	return list[*AuditEvent](ctx, s.client, below(owner, "/audit_events"), queryFor(owner, options), opts)
}

// All returns every audit event, the newest first. The sequence yields an
// [*ArgumentError] for an option that this owner does not support.
//
//	GET /audit_events
//	GET /groups/:id/audit_events
//	GET /projects/:id/audit_events
func (s *AuditEventsService) All(
	ctx context.Context, owner AuditEventOwner, options *ListAuditEventsOptions, opts ...RequestOption,
) iter.Seq2[*AuditEvent, error] {
	return all[*AuditEvent](ctx, s.client, below(owner, "/audit_events"), queryFor(owner, options), opts)
}

// Get returns one audit event. It requires an administrator for [Instance], the
// Owner role for a group and the Maintainer role for a project.
//
//	GET /audit_events/:id
//	GET /groups/:id/audit_events/:audit_event_id
//	GET /projects/:id/audit_events/:audit_event_id
func (s *AuditEventsService) Get(
	ctx context.Context, owner AuditEventOwner, eventID int64, opts ...RequestOption,
) (*AuditEvent, *Response, error) {
	return do[AuditEvent](ctx, s.client, http.MethodGet, auditEventOf(owner, eventID), nil, opts)
}
