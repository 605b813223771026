package servicetest

import (
	"fmt"
	"slices"

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
