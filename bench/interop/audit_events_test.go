package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func eventID(v *clientgo.AuditEvent) int64 { return v.ID }

func TestAuditEvents(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app)
	group := project.Group()
	details := servicetest.AuditDetails{
		"change": "visibility", "from": "private", "to": "public", "author_name": "Ada", "target_id": 7,
		"target_type":    "Project",
		"target_details": "acme/app", "ip_address": "203.0.113.9", "entity_path": app,
	}
	var instance, inGroup, inProject []int64
	for range 3 {
		instance = append(instance, e.svc.AuditEvent(ada, details).ID())
		inGroup = append(inGroup, group.AuditEvent(ada, details).ID())
		inProject = append(inProject, project.AuditEvent(ada, details).ID())
	}
	a := e.admin.AuditEvents
	assert.ElementsMatch(t, instance, each(walk0(e, a.ListInstanceAuditEvents, nil), eventID))
	assert.ElementsMatch(t, inGroup, each(walk1(e, a.ListGroupAuditEvents, acme, nil), eventID))
	keyset := &clientgo.ListAuditEventsOptions{ListOptions: clientgo.ListOptions{Pagination: "keyset", OrderBy: "id",
		Sort: "desc"}}
	assert.ElementsMatch(t, inGroup, each(walk1(e, a.ListGroupAuditEvents, acme, keyset), eventID))
	list := walk1(e, a.ListProjectAuditEvents, app, nil)
	assert.ElementsMatch(t, inProject, each(list, eventID))
	none := got(a.ListProjectAuditEvents(app,
		&clientgo.ListAuditEventsOptions{CreatedAfter: new(servicetest.Epoch.AddDate(0, 0, 1))})).ok(e, 200)
	assert.Empty(t, none)

	one := got(a.GetProjectAuditEvent(app, inProject[0])).ok(e, 200)
	assert.Equal(t, []any{ada.ID(), project.ID(), "Project", "visibility", "private", "public", 7.0},
		[]any{one.AuthorID, one.EntityID, one.EntityType, one.Details.Change, one.Details.From, one.Details.To,
			one.Details.TargetID})
	assert.Equal(t, "Group", got(a.GetGroupAuditEvent(acme, inGroup[0])).ok(e, 200).EntityType)
	assert.Equal(t, "User", got(a.GetInstanceAuditEvent(instance[0])).ok(e, 200).EntityType)
	got(a.GetInstanceAuditEvent(inProject[0])).refused(e, 404)
}
