package serviceapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSettingsAppearance(t *testing.T) {
	const path, whole = "/application/appearance", "settings/appearance.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "PUT", Path: path, Fixture: whole,
			JSON: `{"title":"","message_font_color":"#EEEEEE","email_header_and_footer_enabled":false}`},
		exchange{Method: "PUT", Path: path, Fixture: whole, Multipart: []string{"title=Engines",
			"favicon[f.ico;application/octet-stream]=icon", "logo[l.png;image/png]=pixels"}})
	s, ctx := client.Settings, t.Context()
	appearance, _, err := s.GetAppearance(ctx)
	require.NoError(t, err)
	assert.Equal(t, &Appearance{
		Title: "Engines", Description: "Of all kinds",
		PWAName: "Engines app", PWAShortName: "Eng", PWADescription: "An app",
		PWAIcon:    "/uploads/-/system/appearance/pwa_icon/1/icon.png",
		Logo:       "/uploads/-/system/appearance/logo/1/logo.png",
		HeaderLogo: "/uploads/-/system/appearance/header_logo/1/header.png",
		Favicon:    "/uploads/-/system/appearance/favicon/1/favicon.ico", MemberGuidelines: "Be kind",
		NewProjectGuidelines: "Be brief", ProfileImageGuidelines: "Smile", HeaderMessage: "Hello", FooterMessage: "Bye",
		MessageBackgroundColor: "#000000", MessageFontColor: "#EEEEEE", EmailHeaderAndFooterEnabled: true,
	}, appearance)
	assertFilled(t, appearance)
	again, _, err := s.UpdateAppearance(ctx, UpdateAppearanceOptions{
		Title: new(""), MessageFontColor: new("#EEEEEE"), EmailHeaderAndFooterEnabled: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, appearance, again)
	_, _, err = s.UpdateAppearance(ctx, UpdateAppearanceOptions{
		Title: new("Engines"), Favicon: &Upload{Filename: "f.ico", Content: strings.NewReader("icon")},
		Logo: &Upload{Filename: "l.png", Content: strings.NewReader("pixels"), ContentType: "image/png"},
	})
	require.NoError(t, err)
	assertRefused(t, "upload", errorOf(s.UpdateAppearance(ctx, UpdateAppearanceOptions{Logo: new(Upload)})))
}
