package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// badgePreview is testdata/badges/preview.json.
var badgePreview = serviceapi.BadgePreview{
	Name: "CI", LinkURL: "https://ci.test/%{project_path}", ImageURL: "https://ci.test/%{project_id}.svg",
	RenderedLinkURL: "https://ci.test/acme/app", RenderedImageURL: "https://ci.test/4.svg",
}

// TestBadges makes every call for both kinds of owners.
func TestBadges(t *testing.T) {
	const whole = "badges/badge.json"
	want := &serviceapi.Badge{BadgePreview: badgePreview, ID: 7, Kind: serviceapi.BadgeKindGroup}
	ctx := t.Context()
	for path, owner := range map[string]serviceapi.BadgeOwner{
		"/projects/4/badges": somewhere, "/groups/7/badges": someTeam,
	} {
		listed := exchange{Method: "GET", Path: path, Query: "name=CI&page=2&per_page=5",
			Body: "[" + fixture(t, whole) + "]"}
		client := onWire(t, listed, exchange{Method: "GET", Path: path, Body: "[]"}, listed,
			exchange{Method: "GET", Path: path + "/7", Fixture: whole},
			exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"link_url":"a","image_url":"b"}`},
			exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
				JSON: `{"link_url":"a","image_url":"b","name":"c"}`},
			exchange{Method: "PUT", Path: path + "/7", Fixture: whole, JSON: `{}`},
			exchange{Method: "PUT", Path: path + "/7", Fixture: whole,
				JSON: `{"link_url":"d","image_url":"e","name":"f"}`},
			exchange{Method: "DELETE", Path: path + "/7", Status: 204},
			exchange{Method: "GET", Path: path + "/render", Query: "image_url=b&link_url=a%26",
				Fixture: "badges/preview.json"})
		s := client.Badges
		type o = serviceapi.ListBadgesOptions
		ownedList[serviceapi.BadgeOwner, *o, *serviceapi.Badge]{s.List, s.All}.wants(t, owner,
			&serviceapi.ListBadgesOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Name: "CI"},
			[]*serviceapi.Badge{want})
		got, _, err := s.Get(ctx, owner, 7)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		for _, name := range []*string{nil, new("c")} {
			got, resp, err := s.Create(ctx, owner,
				serviceapi.CreateBadgeOptions{LinkURL: "a", ImageURL: "b", Name: name})
			require.NoError(t, err)
			assert.Equal(t, []any{201, want}, []any{resp.StatusCode, got})
		}
		for _, options := range []serviceapi.UpdateBadgeOptions{
			{}, {LinkURL: new("d"), ImageURL: new("e"), Name: new("f")},
		} {
			got, _, err := s.Update(ctx, owner, 7, options)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
		resp, err := s.Delete(ctx, owner, 7)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
		preview, _, err := s.Render(ctx, owner, &serviceapi.RenderBadgeOptions{LinkURL: "a&", ImageURL: "b"})
		require.NoError(t, err)
		assert.Equal(t, &badgePreview, preview)

		assertRefused(t, "LinkURL", errorOf(s.Create(ctx, owner, serviceapi.CreateBadgeOptions{ImageURL: "b"})))
		assertRefused(t, "ImageURL", errorOf(s.Create(ctx, owner, serviceapi.CreateBadgeOptions{LinkURL: "a"})))
		assertRefused(t, "LinkURL", errorOf(s.Render(ctx, owner, &serviceapi.RenderBadgeOptions{ImageURL: "b"})))
		assertRefused(t, "ImageURL", errorOf(s.Render(ctx, owner, &serviceapi.RenderBadgeOptions{LinkURL: "a"})))
		assertRefused(t, "LinkURL", errorOf(s.Render(ctx, owner, nil)))
		assertRefused(t, "badge_id", errorOf(s.Get(ctx, owner, 0)))
		assertRefused(t, "badge_id", errorOf(s.Update(ctx, owner, -1, serviceapi.UpdateBadgeOptions{})))
		assertRefused(t, "badge_id", second(s.Delete(ctx, owner, 0)))
	}
	s := onWire(t).Badges
	for _, owner := range []serviceapi.BadgeOwner{nil, &somewhere} {
		assertRefused(t, "owner", errorOf(s.Get(ctx, owner, 7)))
	}
}
