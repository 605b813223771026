package servicetest

import (
	"path"
	"regexp"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An appearance is the look of the pages: texts, and paths of files, by name.
type appearance struct {
	texts  map[string]string
	emails bool
}

var (
	appearanceTexts = []string{"title", "description", "pwa_name", "pwa_short_name", "pwa_description",
		"member_guidelines",
		"new_project_guidelines", "profile_image_guidelines", "header_message", "footer_message",
		"message_background_color", "message_font_color"}
	appearanceFiles = []string{"pwa_icon", "logo", "header_logo", "favicon"}
	colorCode       = regexp.MustCompile(`^#(?:[0-9A-Fa-f]{3}){1,2}$`)
)

func (a *appearance) json() object {
	o := object{"email_header_and_footer_enabled": a.emails}
	for _, name := range appearanceTexts {
		o[name] = a.texts[name]
	}
	for _, name := range appearanceFiles {
		o[name] = jsonText(a.texts[name])
	}
	o["message_background_color"] = either(a.texts["message_background_color"], "#E75E40")
	o["message_font_color"] = either(a.texts["message_font_color"], "#FFFFFF")
	return o
}

func getAppearance(c *call) *reply { return c.OK(state[appearance](c.svc).json()) }

func updateAppearance(c *call) *reply {
	a, changed := state[appearance](c.svc), make(map[string]string)
	for _, name := range appearanceTexts {
		if value := c.String(name); c.Has(name) {
			changed[name] = value
		}
	}
	emails := c.BoolOr("email_header_and_footer_enabled", a.emails)
	for _, name := range appearanceFiles {
		c.readPicture(name, changed)
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for _, name := range []string{"message_background_color", "message_font_color"} {
		if color := changed[name]; color != "" && !colorCode.MatchString(color) {
			return frame.FieldErrors(name, "must be a valid color code")
		}
	}
	if icon := path.Ext(changed["favicon"]); icon != "" && icon != ".png" && icon != ".ico" {
		return frame.FieldErrors("favicon", "is not a PNG or ICO file")
	}
	if a.texts == nil {
		a.texts = make(map[string]string)
	}
	for name, value := range changed {
		a.texts[name] = value
	}
	a.emails = emails
	return c.OK(a.json())
}

// readPicture reads a file and keeps only its path. An empty string removes the
// picture.
func (c *call) readPicture(name string, changed map[string]string) {
	if file := c.Files[name]; file != nil {
		changed[name] = "/uploads/-/system/appearance/" + name + "/1/" + file.Name
		return
	}
	switch {
	case c.String(name) != "":
		c.Invalid(name)
	case c.Has(name):
		changed[name] = ""
	}
}
