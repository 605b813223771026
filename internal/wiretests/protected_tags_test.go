package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProtectedTags(t *testing.T) {
	const whole = "protected_tags/protected_tag.json"
	want := &serviceapi.ProtectedTag{Name: "v*", CreateAccessLevels: []*serviceapi.ProtectionLevel{
		{
			ID:                     new(int64(1)),
			AccessLevel:            new(serviceapi.AccessLevelDeveloper),
			AccessLevelDescription: "Developers + Maintainers",
		},
		{ID: new(int64(2)), AccessLevelDescription: "Ada Lovelace", UserID: new(int64(8))},
	}}
	listed := exchange{
		Method: "GET", Path: "/projects/3/protected_tags", Query: "per_page=50",
		Fixture: "protected_tags/protected_tags.json",
	}
	client := onWire(t, listed, listed,
		exchange{Method: "GET", Path: "/projects/3/protected_tags/v%2A", Fixture: whole},
		exchange{
			Method: "POST", Path: "/projects/3/protected_tags", Status: 201, Fixture: whole,
			JSON: `{"name":"v*","create_access_level":30,"allowed_to_create":[{"user_id":8},
				{"group_id":9},{"deploy_key_id":3}]}`,
		},
		exchange{Method: "DELETE", Path: "/projects/3/protected_tags/v%2A", Status: 204})
	s, ctx, project := client.ProtectedTags, t.Context(), serviceapi.ProjectID(3)
	tags, _, err := s.List(ctx, project, &serviceapi.ListOptions{PerPage: 50})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProtectedTag{want}, tags)
	tags, err = serviceapi.Collect(s.All(ctx, project, &serviceapi.ListOptions{PerPage: 50}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProtectedTag{want}, tags)
	got, _, err := s.Get(ctx, project, "v*")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.Create(ctx, project, serviceapi.CreateProtectedTagOptions{
		Name: "v*", CreateAccessLevel: new(serviceapi.AccessLevelDeveloper),
		AllowedToCreate: []serviceapi.NewProtectionLevel{{UserID: 8}, {GroupID: 9}, {DeployKeyID: 3}},
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = s.Delete(ctx, project, "v*")
	require.NoError(t, err)

	assertRefused(t, "Name", errorOf(s.Create(ctx, project, serviceapi.CreateProtectedTagOptions{})))
	empty := serviceapi.CreateProtectedTagOptions{Name: "v*", AllowedToCreate: []serviceapi.NewProtectionLevel{{}}}
	assertRefused(t, "AllowedToCreate", errorOf(s.Create(ctx, project, empty)))
}
