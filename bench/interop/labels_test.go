package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestLabels(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	issue := project.Issue("Crash", servicetest.Labels("kind/bug"))
	l := e.admin.Labels
	bug := got(l.GetLabel(app, "kind/bug")).ok(e, 200)
	changed := got(l.UpdateLabel(app, bug.ID, &clientgo.UpdateLabelOptions{
		NewName: new("a bug"), Color: new("red"), Description: new("Wrong"),
		Priority: clientgo.NewNullableWithValue(int64(2)),
	})).ok(e, 200)
	assert.Equal(t, []any{bug.ID, "a bug", "#ff0000"}, []any{changed.ID, changed.Name, changed.Color})
	assert.Equal(t, []string{"a bug"}, issue.LabelNames())
	assert.True(t, got(l.SubscribeToLabel(app, "a bug")).ok(e, 201).Subscribed)
	done(l.UnsubscribeFromLabel(app, "a bug")).ok(e, 201)
	made := got(l.CreateLabel(app, &clientgo.CreateLabelOptions{Name: new("x"), Color: new("#123456")})).ok(e, 201)
	done(l.DeleteLabel(app, made.ID, nil)).ok(e, 204)
	done(l.PromoteLabel(app, "a bug")).ok(e, 200)
	assert.Empty(t, project.LabelNames())

	g := e.admin.GroupLabels
	assert.Equal(t, "Wrong", got(g.GetGroupLabel(acme, "a bug")).ok(e, 200).Description)
	y := &clientgo.CreateGroupLabelOptions{Name: new("y"), Color: new("#123456")}
	ofGroup := got(g.CreateGroupLabel(acme, y)).ok(e, 201)
	z := &clientgo.UpdateGroupLabelOptions{NewName: new("z")}
	renamed := got(g.UpdateGroupLabel(acme, ofGroup.ID, z)).ok(e, 200)
	assert.Equal(t, "z", renamed.Name)
	assert.True(t, got(g.SubscribeToGroupLabel(acme, "z")).ok(e, 201).Subscribed)
	done(g.UnsubscribeFromGroupLabel(acme, "z")).ok(e, 201)
	done(g.DeleteGroupLabel(acme, "z", nil)).ok(e, 204)
}

// TestLabelsByName calls what older programs call: the label is a parameter, not in the path.
func TestLabelsByName(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Label("bug", "#ff0000", "")
	project.Label("typo", "#00ff00", "")
	project.Group().Label("old", "#0000ff", "")
	named := func(name string, more ...string) map[string]string {
		body := map[string]string{"name": name}
		if len(more) > 0 {
			body["new_name"] = more[0]
		}
		return body
	}
	const ofProject, ofGroup = "projects/acme%2Fapp/labels", "groups/acme/labels"
	defect := request[clientgo.Label](e.admin, "PUT", ofProject, named("bug", "defect")).ok(e, 200)
	assert.Equal(t, "defect", defect.Name)
	done(e.admin.Labels.DeleteLabel(app, nil, &clientgo.DeleteLabelOptions{Name: new("typo")})).ok(e, 204)
	assert.Equal(t, []string{"defect"}, project.LabelNames())
	request[any](e.admin, "PUT", ofProject+"/promote", named("defect")).ok(e, 200)
	assert.Empty(t, project.LabelNames())
	renamed := request[clientgo.GroupLabel](e.admin, "PUT", ofGroup, named("old", "new")).ok(e, 200)
	assert.Equal(t, "new", renamed.Name)
	byName := &clientgo.DeleteGroupLabelOptions{Name: new("new")}
	done(e.admin.GroupLabels.DeleteGroupLabel(acme, nil, byName)).ok(e, 204)
}
