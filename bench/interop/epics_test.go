package interop

import (
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestEpics(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	s := e.admin.Epics
	due := clientgo.ISOTime(servicetest.Epoch)
	made := got(s.CreateEpic(acme, &clientgo.CreateEpicOptions{
		Title: new("Grow"), Labels: &clientgo.LabelOptions{"a", "b"}, DueDateIsFixed: new(true), DueDateFixed: &due,
	})).ok(e, 201)
	assert.Equal(t, []any{"Grow", []string{"a", "b"}, due.String()},
		[]any{made.Title, made.Labels, made.DueDate.String()})
	changed := got(s.UpdateEpic(acme, made.IID, &clientgo.UpdateEpicOptions{
		RemoveLabels: &clientgo.LabelOptions{"a"}, StateEvent: new("close"), ParentID: nil,
	})).ok(e, 200)
	assert.Equal(t, []any{"closed", []string{"b"}}, []any{changed.State, changed.Labels})
	done(s.DeleteEpic(acme, made.IID)).ok(e, 204)
}

func TestIterations(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	e.svc.Group(acme).Iteration(servicetest.Iteration{
		Title: "Sprint", Start: servicetest.Epoch.Truncate(24 * time.Hour), Due: servicetest.Epoch.AddDate(0, 0, 7),
	})
	current := &clientgo.ListGroupIterationsOptions{State: new("current")}
	ofGroup := got(e.admin.GroupIterations.ListGroupIterations(acme, current)).ok(e, 200)
	assert.Equal(t, "Sprint", ofGroup[0].Title)
	ofProject := got(e.admin.ProjectIterations.ListProjectIterations(app, nil)).ok(e, 200)
	assert.Equal(t, ofGroup[0].ID, ofProject[0].ID)
}
