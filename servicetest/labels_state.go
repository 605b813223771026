package servicetest

import (
	"html"
	"strconv"
	"strings"
)

// A label is what a project knows of one of its labels.
type label struct {
	color       string
	description string
}

// labelState keeps the labels of projects by name.
type labelState struct{ of map[*Project]map[string]label }

// Label sets the color of a label of the project, as "#RRGGBB", and its
// description. By default labels are blue and have no description.
func (p *Project) Label(name, color, description string) {
	defer p.svc.lock()()
	all := state[labelState](p.svc)
	if all.of == nil {
		all.of = make(map[*Project]map[string]label)
	}
	if all.of[p] == nil {
		all.of[p] = make(map[string]label)
	}
	all.of[p][name] = label{color, description}
}

// labelJSON is the form of a label where details are asked for.
type labelJSON struct {
	Name            string   `json:"name"`
	Color           string   `json:"color"`
	Description     jsonText `json:"description"`
	DescriptionHTML string   `json:"description_html"`
	TextColor       string   `json:"text_color"`
}

// labelDetails returns the labels of a project that have these names.
func (p *Project) labelDetails(names []string) []labelJSON {
	details := make([]labelJSON, 0, len(names))
	for _, name := range names {
		l, known := state[labelState](p.svc).of[p][name]
		if !known {
			l.color = "#428BCA"
		}
		details = append(details, labelJSON{
			Name: name, Color: l.color, TextColor: textColor(l.color),
			Description: jsonText(l.description), DescriptionHTML: html.EscapeString(l.description),
		})
	}
	return details
}

// textColor returns the color that can be read on another.
func textColor(background string) string {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(background, "#"), 16, 32)
	if err == nil && (rgb>>16&0xff)+(rgb>>8&0xff)+rgb&0xff > 500 {
		return "#333333"
	}
	return "#FFFFFF"
}
