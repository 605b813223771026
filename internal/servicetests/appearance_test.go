package servicetests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceAppearance(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := asRoot(t, svc).Settings, t.Context()
	before, _, err := s.GetAppearance(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Appearance{MessageBackgroundColor: "#E75E40", MessageFontColor: "#FFFFFF"}, before)
	changed, _, err := s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{
		Title: new("Engines"), EmailHeaderAndFooterEnabled: new(true), MessageFontColor: new("#000000"),
		Logo: &serviceapi.Upload{Filename: "logo.png", Content: strings.NewReader("pixels")},
	})
	require.NoError(t, err)
	want := *before
	want.Title, want.EmailHeaderAndFooterEnabled, want.MessageFontColor = "Engines", true, "#000000"
	want.Logo = "/uploads/-/system/appearance/logo/1/logo.png"
	assert.Equal(t, &want, changed)
	_, _, err = s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{Title: new("")},
		serviceapi.WithBodyField("logo", ""))
	require.NoError(t, err)
	want.Title, want.Logo = "", ""
	after, _, err := s.GetAppearance(ctx)
	require.NoError(t, err)
	assert.Equal(t, &want, after)
	_, _, err = s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{MessageFontColor: new("red")})
	assert.ErrorContains(t, err, "must be a valid color code")
	_, _, err = as(t, svc, svc.User("ada")).Settings.GetAppearance(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
