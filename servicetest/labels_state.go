package servicetest

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
)

// A label belongs to a project or a group.
type label struct {
	id          int64
	project     *Project // nil for a label or milestone of a group
	group       *Group   // nil for a label or milestone of a project
	name        string
	color       string
	description string
	priority    *int64
	archived    bool
}

// labelState keeps the labels of a service.
type labelState struct{ labels table[*label] }

// defaultLabelColor is the color of labels that are made by using their name.
const defaultLabelColor = "#428BCA"

// A LabelOption sets a property of a label.
type LabelOption func(*label)

// LabelPriority sets the priority of a project's label, from 0 for the most
// important. By default, labels have none.
func LabelPriority(n int64) LabelOption { return func(l *label) { l.priority = &n } }

// LabelArchived makes a label that is archived.
func LabelArchived() LabelOption { return func(l *label) { l.archived = true } }

// Label makes a label of the project, with a color such as "#RRGGBB" and a
// description, or changes the one with that name. Labels that are only named,
// for example by the option Labels, are blue and have no description.
func (p *Project) Label(name, color, description string, opts ...LabelOption) {
	defer p.svc.lock()()
	l := p.svc.label(name, func(l *label) bool { return l.project == p })
	if l == nil {
		l = p.svc.newLabel(label{project: p, name: name})
	}
	l.set(color, description, opts)
}

// Label makes a label of the group, or changes the one with that name. See
// Project.Label.
func (g *Group) Label(name, color, description string, opts ...LabelOption) {
	defer g.svc.lock()()
	l := g.svc.label(name, func(l *label) bool { return l.group == g })
	if l == nil {
		l = g.svc.newLabel(label{group: g, name: name})
	}
	l.set(color, description, opts)
}

func (l *label) set(color, description string, opts []LabelOption) {
	l.color, l.description = color, description
	for _, opt := range opts {
		opt(l)
	}
}

func (s *Service) newLabel(draft label) *label {
	l := &draft
	l.color = either(l.color, defaultLabelColor)
	l.id, _ = state[labelState](s).labels.add(0, l)
	return l
}

// label returns the label with a name for which of reports true, or nil if
// there is none.
func (s *Service) label(name string, of func(*label) bool) *label {
	labels := &state[labelState](s).labels
	for i := range labels.len() {
		if l := labels.at(i); l.name == name && of(l) {
			return l
		}
	}
	return nil
}

// LabelNames returns the names of the project's own labels, in alphabetical
// order.
func (p *Project) LabelNames() []string {
	defer p.svc.lock()()
	var names []string
	for _, l := range state[labelState](p.svc).labels.all(func(l *label) bool { return l.project == p }) {
		names = append(names, l.name)
	}
	slices.Sort(names)
	return names
}

// keepLabels makes the labels that exist neither in the project nor in its
// parent groups.
func (p *Project) keepLabels(names []string) {
	for _, name := range names {
		if p.svc.label(name, func(l *label) bool { return l.isOf(p) }) == nil {
			p.svc.newLabel(label{project: p, name: name})
		}
	}
}

// keepLabels makes the labels that exist neither in the group nor in its parent
// groups.
func (g *Group) keepLabels(names []string) {
	for _, name := range names {
		if g.svc.label(name, func(l *label) bool { return l.group != nil && g.within(l.group) }) == nil {
			g.svc.newLabel(label{group: g, name: name})
		}
	}
}

// isOf reports whether a label can be used in a project: it belongs to the
// project or to one of its parent groups.
func (l *label) isOf(p *Project) bool {
	return l.project == p || l.group != nil && p.within(l.group)
}

func (l *label) key() int64 { return l.id }

// byName compares labels by name.
func byName(a, b *label) int {
	return cmp.Or(strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.id, b.id))
}

// labelJSON is the JSON of a label in objects, if details are asked for.
type labelJSON struct {
	Name            string   `json:"name"`
	Color           string   `json:"color"`
	Description     jsonText `json:"description"`
	DescriptionHTML string   `json:"description_html"`
	TextColor       string   `json:"text_color"`
}

func (l *label) json() labelJSON {
	return labelJSON{
		Name: l.name, Color: l.color, TextColor: textColor(l.color),
		Description: jsonText(l.description), DescriptionHTML: html.EscapeString(l.description),
	}
}

// labelDetails returns the labels that have these names, of those for which of
// reports true.
func (s *Service) labelDetails(names []string, of func(*label) bool) []labelJSON {
	details := make([]labelJSON, 0, len(names))
	for _, name := range names {
		l := s.label(name, of)
		if l == nil { // it was deleted
			l = &label{name: name, color: defaultLabelColor}
		}
		details = append(details, l.json())
	}
	return details
}

// labelDetails returns the labels of a project that have these names.
func (p *Project) labelDetails(names []string) []labelJSON {
	return p.svc.labelDetails(names, func(l *label) bool { return l.isOf(p) })
}

// labelObject is the JSON of a single label.
type labelObject struct {
	ID int64 `json:"id"`
	labelJSON

	Subscribed     bool   `json:"subscribed"`
	Priority       *int64 `json:"priority"`
	IsProjectLabel *bool  `json:"is_project_label,omitempty"`
	Archived       bool   `json:"archived"`

	*labelCounts
}

// labelCounts are what with_counts adds.
type labelCounts struct {
	OpenIssues        int `json:"open_issues_count"`
	ClosedIssues      int `json:"closed_issues_count"`
	OpenMergeRequests int `json:"open_merge_requests_count"`
}

// textColor returns a color that is readable on another.
func textColor(background string) string {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(background, "#"), 16, 32)
	if err == nil && (rgb>>16&0xff)+(rgb>>8&0xff)+rgb&0xff > 500 {
		return "#333333"
	}
	return "#FFFFFF"
}
