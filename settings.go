package serviceapi

import (
	"context"
	"net/http"
)

// SettingsService manages the settings of the instance and the appearance of its pages. All
// calls require an administrator, and return [ErrForbidden] to everybody else.
//
// Its options are [UpdateAppearanceOptions] and [UpdateApplicationSettingsOptions]. See
// the example of [SettingsService.UpdateAppearance].
type SettingsService service

// Get returns the settings of the instance.
//
//	GET /application/settings
func (s *SettingsService) Get(ctx context.Context, opts ...RequestOption) (*ApplicationSettings, *Response, error) {
	return do[ApplicationSettings](ctx, using(s), http.MethodGet, Route("/application/settings"), nil, opts)
}

// Update changes settings, and returns all of them. [ErrBadRequest] means that a value is
// refused, or that a switch is turned on without the settings that it requires, such as
// PlantUMLEnabled without PlantUMLURL: set both in one call.
//
//	PUT /application/settings
func (s *SettingsService) Update(
	ctx context.Context, options UpdateApplicationSettingsOptions, opts ...RequestOption,
) (*ApplicationSettings, *Response, error) {
	in := settingsInput{options}
	return do[ApplicationSettings](ctx, using(s), http.MethodPut, Route("/application/settings"), in, opts)
}

// GetAppearance returns the texts, colors and pictures of the instance.
//
//	GET /application/appearance
func (s *SettingsService) GetAppearance(ctx context.Context, opts ...RequestOption) (*Appearance, *Response, error) {
	return do[Appearance](ctx, using(s), http.MethodGet, Route("/application/appearance"), nil, opts)
}

// UpdateAppearance changes texts, colors and pictures, and returns all of them.
//
//	PUT /application/appearance
func (s *SettingsService) UpdateAppearance(
	ctx context.Context, options UpdateAppearanceOptions, opts ...RequestOption,
) (*Appearance, *Response, error) {
	return do[Appearance](ctx, using(s), http.MethodPut, Route("/application/appearance"), options.input(), opts)
}

// Appearance describes how the pages of the instance look. Texts are empty until they are
// set.
type Appearance struct {
	// Title and Description are shown on the sign-in page.
	Title       string `json:"title"`
	Description string `json:"description"`
	// PWAName, PWAShortName and PWADescription are the names and the description of the
	// progressive web app. Since 15.8, like PWAIcon.
	PWAName        string `json:"pwa_name"`
	PWAShortName   string `json:"pwa_short_name"`
	PWADescription string `json:"pwa_description"`
	// PWAIcon, Logo, HeaderLogo and Favicon are paths below the address of the instance, such
	// as "/uploads/-/system/appearance/logo/1/logo.png", empty if there is no such picture.
	PWAIcon    string `json:"pwa_icon"`
	Logo       string `json:"logo"`
	HeaderLogo string `json:"header_logo"`
	Favicon    string `json:"favicon"`
	// MemberGuidelines are shown on the page of members to users who can change members.
	// Since about 15.3.
	MemberGuidelines string `json:"member_guidelines"`
	// NewProjectGuidelines are shown on the page for creating projects, and
	// ProfileImageGuidelines below the picture of a user.
	NewProjectGuidelines   string `json:"new_project_guidelines"`
	ProfileImageGuidelines string `json:"profile_image_guidelines"`
	// HeaderMessage and FooterMessage are shown on every page.
	HeaderMessage string `json:"header_message"`
	FooterMessage string `json:"footer_message"`
	// MessageBackgroundColor and MessageFontColor are the colors of the two messages,
	// "#E75E40" and "#FFFFFF" by default.
	MessageBackgroundColor string `json:"message_background_color"`
	MessageFontColor       string `json:"message_font_color"`
	// EmailHeaderAndFooterEnabled reports whether emails also contain the two messages.
	EmailHeaderAndFooterEnabled bool `json:"email_header_and_footer_enabled"`
}

// UpdateAppearanceOptions changes the appearance of the instance. Nil fields are left
// unchanged, and an empty string removes the old text. See [Appearance] for what they mean.
// With a picture, the call is sent as multipart/form-data instead of JSON. To remove a
// picture, use WithBodyField("logo", "").
type UpdateAppearanceOptions struct {
	Title          *string `json:"title,omitzero"`
	Description    *string `json:"description,omitzero"`
	PWAName        *string `json:"pwa_name,omitzero"`
	PWAShortName   *string `json:"pwa_short_name,omitzero"`
	PWADescription *string `json:"pwa_description,omitzero"`
	// PWAIcon, Logo, HeaderLogo and Favicon are pictures. Favicon is a PNG or ICO file.
	PWAIcon                *Upload `json:"-" url:"pwa_icon"`
	Logo                   *Upload `json:"-" url:"logo"`
	HeaderLogo             *Upload `json:"-" url:"header_logo"`
	Favicon                *Upload `json:"-" url:"favicon"`
	MemberGuidelines       *string `json:"member_guidelines,omitzero"`
	NewProjectGuidelines   *string `json:"new_project_guidelines,omitzero"`
	ProfileImageGuidelines *string `json:"profile_image_guidelines,omitzero"`
	HeaderMessage          *string `json:"header_message,omitzero"`
	FooterMessage          *string `json:"footer_message,omitzero"`
	// MessageBackgroundColor and MessageFontColor are colors such as "#E75E40".
	MessageBackgroundColor      *string `json:"message_background_color,omitzero"`
	MessageFontColor            *string `json:"message_font_color,omitzero"`
	EmailHeaderAndFooterEnabled *bool   `json:"email_header_and_footer_enabled,omitzero"`
}

// input sends a form if there are pictures.
func (o UpdateAppearanceOptions) input() input {
	files := make(map[string]Upload)
	for name, file := range map[string]*Upload{
		"pwa_icon": o.PWAIcon, "logo": o.Logo, "header_logo": o.HeaderLogo, "favicon": o.Favicon,
	} {
		if file != nil {
			files[name] = *file
		}
	}
	if len(files) == 0 {
		return jsonOf(o)
	}
	return Multipart{Fields: o, Files: files}
}
