package interop

import (
	"fmt"
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

// TestEpicRelations calls what an epic contains and what it is linked with. The client has no
// methods for most of it.
func TestEpicRelations(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	goal, child := e.svc.Group(acme).Epic("Goal"), e.svc.Group(acme).Epic("Part")
	one, two := project.Issue("One"), project.Issue("Two", servicetest.InEpic(goal))
	three := project.Issue("Three", servicetest.InEpic(goal))
	i, iid := e.admin.EpicIssues, goal.IID()
	added := got(i.AssignEpicIssue(acme, iid, one.ID())).ok(e, 201)
	assert.Equal(t, []any{"One", "Goal"}, []any{added.Issue.Title, added.Epic.Title})
	moved := got(i.UpdateEpicIssueAssignment(acme, iid, added.ID,
		&clientgo.UpdateEpicIssueAssignmentOptions{MoveAfterID: new(int64(1))})).ok(e, 200)
	titles := func(issue *clientgo.Issue) string { return issue.Title }
	assert.Equal(t, []string{"One", "Two", "Three"}, each(moved, titles))
	listed := walk2(e, i.ListEpicIssues, any(acme), iid, &clientgo.ListOptions{})
	assert.Equal(t, []int64{one.ID(), two.ID(), three.ID()},
		each(listed, func(issue *clientgo.Issue) int64 { return issue.ID }))
	got(i.RemoveEpicIssue(acme, iid, added.ID)).ok(e, 200)

	path := "groups/acme/epics/" + fmt.Sprint(iid)
	part := path + "/epics/" + fmt.Sprint(child.ID())
	assert.Equal(t, goal.ID(), request[clientgo.Epic](e.admin, "POST", part, nil).ok(e, 201).ParentID)
	request[map[string]any](e.admin, "POST", path+"/epics", map[string]string{"title": "New"}).ok(e, 201)
	order := request[[]*clientgo.Epic](e.admin, "PUT", part, map[string]int64{"move_before_id": 3}).ok(e, 200)
	names := func(epic *clientgo.Epic) string { return epic.Title }
	assert.Equal(t, []string{"New", "Part"}, each(order, names))
	assert.Equal(t, []string{"New", "Part"}, each(got(e.admin.Epics.GetEpicLinks(acme, iid)).ok(e, 200), names))
	assert.Zero(t, request[clientgo.Epic](e.admin, "DELETE", part, nil).ok(e, 200).ParentID)

	link := request[map[string]any](e.admin, "POST", path+"/related_epics",
		map[string]any{"target_group_id": acme, "target_epic_iid": child.IID()}).ok(e, 201)["id"]
	links := request[[]map[string]any](e.admin, "GET", "groups/acme/related_epic_links", nil).ok(e, 200)
	assert.Equal(t, link, links[0]["id"])
	assert.Empty(t, secondPage(e, "groups/acme/related_epic_links"))
	related := request[[]map[string]any](e.admin, "GET", path+"/related_epics", nil).ok(e, 200)
	assert.EqualValues(t, child.ID(), related[0]["id"])
	removed := request[map[string]any](e.admin, "DELETE", path+"/related_epics/"+fmt.Sprint(link), nil).ok(e, 200)
	assert.Equal(t, link, removed["id"])

	todo := request[map[string]any](e.admin, "POST", path+"/todo", nil).ok(e, 201)
	assert.Equal(t, []any{"Goal", "Epic"}, []any{todo["body"], todo["target_type"]})
	note := path + "/notes/" + fmt.Sprint(goal.Note("Go on.").ID())
	for place, kind := range map[string]string{path: "Epic", note: "Note"} {
		place += "/award_emoji"
		given := request[clientgo.AwardEmoji](e.admin, "POST", place, map[string]string{"name": "tada"}).ok(e, 201)
		assert.Equal(t, kind, given.AwardableType)
		assert.Len(t, request[[]map[string]any](e.admin, "GET", place, nil).ok(e, 200), 1)
		assert.Empty(t, secondPage(e, place))
		place += "/" + fmt.Sprint(given.ID)
		assert.Equal(t, "tada", request[clientgo.AwardEmoji](e.admin, "GET", place, nil).ok(e, 200).Name)
		bare(e.admin, "DELETE", place).ok(e, 204)
	}
}

// secondPage reads the second page of a list, with pages of one item.
func secondPage(e *env, path string) []map[string]any {
	e.Helper()
	return request[[]map[string]any](e.admin, "GET", path, &clientgo.ListOptions{Page: 2, PerPage: 1}).ok(e, 200)
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
