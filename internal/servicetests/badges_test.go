package servicetests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceBadges goes through the life of badges of a project and of the group above it.
func TestServiceBadges(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	s, ctx, acme := asRoot(t, svc).Badges, t.Context(), serviceapi.GroupPath("acme")
	options := serviceapi.CreateBadgeOptions{
		LinkURL: "https://ci.example/%{project_path}", ImageURL: "https://ci.example/%{project_id}.svg",
		Name: new("CI"),
	}
	ofProject, _, err := s.Create(ctx, app, options)
	require.NoError(t, err)
	want := &serviceapi.Badge{
		BadgePreview: serviceapi.BadgePreview{Name: "CI", LinkURL: options.LinkURL, ImageURL: options.ImageURL,
			RenderedLinkURL: "https://ci.example/acme/app", RenderedImageURL: "https://ci.example/1.svg"},
		ID: 1, Kind: serviceapi.BadgeKindProject,
	}
	assert.Equal(t, want, ofProject)
	ofGroup, _, err := s.Create(ctx, acme, serviceapi.CreateBadgeOptions{LinkURL: "https://a.example",
		ImageURL: "https://b.example"})
	require.NoError(t, err)
	assert.Equal(t, []any{int64(2), serviceapi.BadgeKindGroup, ""}, []any{ofGroup.ID, ofGroup.Kind, ofGroup.Name})
	both, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Badge{ofProject, ofGroup}, both)
	named, _, err := s.List(ctx, app, &serviceapi.ListBadgesOptions{Name: "CI"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Badge{ofProject}, named)

	_, _, err = s.Get(ctx, app, ofGroup.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is the group's")
	changed, _, err := s.Update(ctx, acme, ofGroup.ID, serviceapi.UpdateBadgeOptions{Name: new("All")})
	require.NoError(t, err)
	assert.Equal(t, []string{"All", "https://a.example"}, []string{changed.Name, changed.LinkURL})
	got, _, err := s.Get(ctx, acme, ofGroup.ID)
	require.NoError(t, err)
	assert.Equal(t, changed, got)
	preview, _, err := s.Render(ctx, acme,
		&serviceapi.RenderBadgeOptions{LinkURL: options.LinkURL, ImageURL: options.ImageURL})
	require.NoError(t, err)
	want.BadgePreview.Name = ""
	assert.Equal(t, &want.BadgePreview, preview)
	_, _, err = s.Update(ctx, app, ofProject.ID, serviceapi.UpdateBadgeOptions{ImageURL: new("ftp://b.example")})
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, refused.Fields, "image_url")
	_, err = s.Delete(ctx, acme, ofGroup.ID)
	require.NoError(t, err)
	left, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Badge{ofProject}, left)
}

func TestServiceTopics(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app", servicetest.Topics("go", "web"))
	svc.Project("acme/site", servicetest.Topics("web", "golang"))
	root, ctx := asRoot(t, svc), t.Context()
	s := root.Topics
	names := func(options *serviceapi.ListTopicsOptions) (found []string) {
		for topic, err := range s.All(ctx, options) {
			require.NoError(t, err)
			found = append(found, topic.Name)
		}
		return found
	}
	assert.Equal(t, []string{"go", "web", "golang"}, names(nil))
	assert.Equal(t, []string{"go", "golang"}, names(&serviceapi.ListTopicsOptions{Search: "GO"}))

	made, _, err := s.Create(ctx, serviceapi.CreateTopicOptions{
		Name: "math", Title: "Math", Description: new("Numbers"),
		Avatar: &serviceapi.Upload{Filename: "pi.png", Content: strings.NewReader("picture")}})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Topic{ID: 4, Name: "math", Title: "Math", Description: "Numbers",
		OrganizationID: new(int64(1)),
		AvatarURL:      svc.URL() + "/uploads/-/system/projects/topic/avatar/4/pi.png"}, made)
	assert.Equal(t, []string{"math"}, names(&serviceapi.ListTopicsOptions{WithoutProjects: true}))
	plain, _, err := s.Update(ctx, made.ID, serviceapi.UpdateTopicOptions{RemoveAvatar: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"", "Numbers"}, []string{plain.AvatarURL, plain.Description})
	_, _, err = s.Create(ctx, serviceapi.CreateTopicOptions{Name: "Math", Title: "Math"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	merged, _, err := s.Merge(ctx, serviceapi.MergeTopicsOptions{SourceTopicID: 3, TargetTopicID: 1})
	require.NoError(t, err)
	assert.Equal(t, []any{"go", 2}, []any{merged.Name, merged.TotalProjectsCount})
	renamed, _, err := s.Update(ctx, 2, serviceapi.UpdateTopicOptions{Name: new("www")})
	require.NoError(t, err)
	assert.Equal(t, []any{"www", "web", 2}, []any{renamed.Name, renamed.Title, renamed.TotalProjectsCount})
	topics := func(path string) []string {
		project, _, err := root.Projects.Get(ctx, serviceapi.ProjectPath(path), nil)
		require.NoError(t, err)
		return project.Topics
	}
	assert.Equal(t, []string{"www", "go"}, topics("acme/site"))
	_, err = s.Delete(ctx, 1)
	require.NoError(t, err)
	assert.Equal(t, []string{"www"}, topics("acme/app"))
	_, _, err = s.Get(ctx, 1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = as(t, svc, svc.User("ada")).Topics.Delete(ctx, 2)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
