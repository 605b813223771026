package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestBadges(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	p, g := e.admin.ProjectBadges, e.admin.GroupBadges
	made := got(p.AddProjectBadge(app, &clientgo.AddProjectBadgeOptions{
		LinkURL: new("https://a.example/%{project_path}"), ImageURL: new("https://b.example"), Name: new("CI"),
	})).ok(e, 201)
	assert.Equal(t, []string{"CI", "project", "https://a.example/acme/app"},
		[]string{made.Name, made.Kind, made.RenderedLinkURL})
	ofGroup := got(g.AddGroupBadge("acme", &clientgo.AddGroupBadgeOptions{
		LinkURL: new("https://c.example"), ImageURL: new("https://d.example"), Name: new("All"),
	})).ok(e, 201)
	assert.Equal(t, clientgo.GroupBadgeKind, ofGroup.Kind)
	more := got(g.AddGroupBadge("acme", &clientgo.AddGroupBadgeOptions{
		LinkURL: new("https://c.example"), ImageURL: new("https://d.example"), Name: new("More"),
	})).ok(e, 201)
	assert.Equal(t, []int64{made.ID, ofGroup.ID, more.ID}, each(walk1(e, p.ListProjectBadges, app, nil),
		func(b *clientgo.ProjectBadge) int64 { return b.ID }))
	got(g.AddGroupBadge("acme", &clientgo.AddGroupBadgeOptions{
		LinkURL: new("https://c.example"), ImageURL: new("https://d.example"), Name: new("Last"),
	})).ok(e, 201)
	assert.Len(t, walk1(e, g.ListGroupBadges, "acme", nil), 3)
	assert.Equal(t, made, got(p.GetProjectBadge(app, made.ID)).ok(e, 200))
	assert.Equal(t, ofGroup, got(g.GetGroupBadge("acme", ofGroup.ID)).ok(e, 200))
	got(p.GetProjectBadge(app, ofGroup.ID)).refused(e, 404)
	assert.Equal(t, "Tests", got(p.EditProjectBadge(app, made.ID,
		&clientgo.EditProjectBadgeOptions{Name: new("Tests")})).ok(e, 200).Name)
	assert.Equal(t, "Every", got(g.EditGroupBadge("acme", ofGroup.ID,
		&clientgo.EditGroupBadgeOptions{Name: new("Every")})).ok(e, 200).Name)
	rendered := got(p.PreviewProjectBadge(app, &clientgo.ProjectBadgePreviewOptions{
		LinkURL: new("https://a.example/%{project_id}"), ImageURL: new("https://b.example")})).ok(e, 200)
	assert.Equal(t, "https://a.example/1", rendered.RenderedLinkURL)
	got(g.PreviewGroupBadge("acme", &clientgo.GroupBadgePreviewOptions{
		LinkURL: new("x"), ImageURL: new("https://b.example")})).refused(e, 400)
	preview := got(g.PreviewGroupBadge("acme", &clientgo.GroupBadgePreviewOptions{
		LinkURL: new("https://a.example/%{project_id}"), ImageURL: new("https://b.example")})).ok(e, 200)
	assert.Equal(t, "https://a.example/1", preview.RenderedLinkURL)
	done(p.DeleteProjectBadge(app, made.ID)).ok(e, 204)
	done(g.DeleteGroupBadge("acme", ofGroup.ID)).ok(e, 204)
	assert.Len(t, got(p.ListProjectBadges(app, nil)).ok(e, 200), 2)
}

func TestTopics(t *testing.T) {
	e := start(t)
	s := e.admin.Topics
	made := got(s.CreateTopic(&clientgo.CreateTopicOptions{Name: new("go"), Title: new("Go")})).ok(e, 201)
	for _, name := range []string{"rust", "zig"} {
		got(s.CreateTopic(&clientgo.CreateTopicOptions{Name: &name, Title: &name})).ok(e, 201)
	}
	assert.Equal(t, []string{"go", "rust", "zig"},
		each(walk0(e, s.ListTopics, nil), func(t *clientgo.Topic) string { return t.Name }))
	assert.Equal(t, made, got(s.GetTopic(made.ID)).ok(e, 200))
	assert.Equal(t, "Golang", got(s.UpdateTopic(made.ID,
		&clientgo.UpdateTopicOptions{Title: new("Golang")})).ok(e, 200).Title)
	merged := request[clientgo.Topic](e.admin, "POST", "topics/merge",
		map[string]int64{"source_topic_id": 3, "target_topic_id": made.ID}).ok(e, 201)
	assert.Equal(t, "go", merged.Name)
	done(s.DeleteTopic(2)).ok(e, 204)
	got(s.GetTopic(2)).refused(e, 404)
}
