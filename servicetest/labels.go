package servicetest

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A label belongs to a project or a group.
type label struct {
	id          int64
	project     *Project // nil for a label of a group
	group       *Group   // nil for a label of a project
	name        string
	color       string
	description string
	priorities  map[*Project]int64 // in the projects that can use it
	subscribers map[*User]bool
	archived    bool
}

// labelState keeps the labels of a service.
type labelState struct{ labels table[*label] }

// labelDetails are the fields of a label in another object, if the caller asks for
// details.
var labelDetails = []collection.Field[label]{
	collection.Shown("id", (*label).key),
	collection.Text("name", func(l *label) *string { return &l.name }).Required().Once(),
	collection.Text("color", func(l *label) *string { return &l.color }).Required(),
	collection.Note("description", func(l *label) *string { return &l.description }),
	collection.Shown("description_html", func(l *label) string { return html.EscapeString(l.description) }),
	collection.Shown("text_color", func(l *label) string { return textColor(l.color) }),
}

var labels = collection.Table[*call, any, label]{
	Name:    "Label",
	Home:    (*call).tokenHome,
	Records: (*call).labelsOf,
	Find:    (*call).findLabel,
	Fields: slices.Concat(
		labelDetails,
		[]collection.Field[label]{collection.Flag("archived", func(l *label) *bool { return &l.archived })},
	),
	Filters: []collection.Filter[label]{
		collection.Search("search",
			func(l *label) string { return l.name }, func(l *label) string { return l.description }),
		collection.Is("archived", func(l *label) bool { return l.archived }),
	},
	New:    func(_ *call, home any) *label { return newLabelOf(home) },
	Read:   (*call).readLabel,
	Check:  (*call).checkLabel,
	Add:    func(c *call, _ any, l *label) { l.id, _ = state[labelState](c.svc).labels.add(0, l) },
	Remove: func(c *call, _ any, l *label) { c.svc.silently(func() { c.svc.removeLabel(l) }) },
	Extra: func(c *call, home any, l *label, form *collection.Form) {
		form.Add("subscribed", l.subscribers[c.user])
		if p, inProject := home.(*Project); inProject {
			form.Add("priority", l.priorityIn(p))
			form.Add("is_project_label", l.project != nil)
		}
		if _, one := c.Path["label_id"]; !one && c.Bool("with_counts") {
			c.countUses(home, l, form)
		}
	},
}

// labelsOf returns the labels that the list of a project or a group shows.
func (c *call) labelsOf(home any) []*label {
	ancestors, descendants := c.BoolOr("include_ancestor_groups", true), c.Bool("include_descendant_groups")
	onlyGroups := c.BoolOr("only_group_labels", true)
	frame.Accept(c.Bool, "with_counts")
	found := state[labelState](c.svc).labels.all(func(l *label) bool {
		switch home := home.(type) {
		case *Project:
			return l.project == home || ancestors && l.group != nil && home.within(l.group)
		case *Group:
			if l.project != nil {
				return !onlyGroups && c.svc.canSeeProject(c.user, l.project) &&
					(l.project.group == home || descendants && l.project.within(home))
			}
			return l.group == home || ancestors && home.within(l.group) || descendants && l.group.within(home)
		}
		return false
	})
	slices.SortFunc(found, byName)
	return found
}

// countUses adds the numbers of issues and merge requests with a label in a project or
// a group. It counts only those that the caller can see.
func (c *call) countUses(home any, l *label, form *collection.Form) {
	used := func(p *Project, names []string) bool {
		group, _ := home.(*Group)
		within := home == any(p) || group != nil && p.within(group)
		return within && l.isOf(p) && slices.Contains(names, l.name) && c.svc.canSeeProject(c.user, p)
	}
	open, closed := 0, 0
	for _, i := range state[issueState](c.svc).issues.all(func(i *Issue) bool {
		return used(i.project, i.labels) && i.visibleTo(c.user)
	}) {
		if i.state == "opened" {
			open++
		} else {
			closed++
		}
	}
	requests := state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool {
		return m.state == "opened" && used(m.project, m.labels)
	})
	form.Add("open_issues_count", open)
	form.Add("closed_issues_count", closed)
	form.Add("open_merge_requests_count", len(requests))
}

// defaultLabelColor is the color of labels that are created by using their names.
const defaultLabelColor = "#6699cc"

// A LabelOption sets a property of a label.
type LabelOption func(*label)

// LabelPriority sets the priority of a project's label, from 0 for the most
// important. By default, labels have none.
func LabelPriority(n int64) LabelOption { return func(l *label) { l.prioritize(l.project, &n) } }

// LabelArchived makes an archived label.
func LabelArchived() LabelOption { return func(l *label) { l.archived = true } }

// Label makes a label of the project, with a color such as "#RRGGBB" and a description,
// or changes the label with that name. Labels that are only named, for example in the
// option Labels, have a default color and no description.
func (p *Project) Label(name, color, description string, opts ...LabelOption) {
	p.svc.seedLabel(label{project: p, name: name}, color, description, opts)
}

// Label makes a label of the group, or changes the label with that name. See
// Project.Label.
func (g *Group) Label(name, color, description string, opts ...LabelOption) {
	g.svc.seedLabel(label{group: g, name: name}, color, description, opts)
}

// seedLabel makes a label, or changes the one with its name in its project or group.
func (s *Service) seedLabel(draft label, color, description string, opts []LabelOption) {
	defer s.lock()()
	l := s.label(draft.name, func(l *label) bool { return l.project == draft.project && l.group == draft.group })
	if l == nil {
		l = s.newLabel(draft)
	}
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

// label returns the label with a name that a function accepts, or nil if there is none.
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
	own := state[labelState](p.svc).labels.all(func(l *label) bool { return l.project == p })
	return slices.Sorted(slices.Values(mapped(own, func(l *label) string { return l.name })))
}

// keepLabels makes labels for names that neither the project nor its parent groups
// have.
func (p *Project) keepLabels(names []string) { p.svc.keepLabels(names, label{project: p}) }

// keepLabels makes labels for names that neither the group nor its parent groups have.
func (g *Group) keepLabels(names []string) { g.svc.keepLabels(names, label{group: g}) }

func (s *Service) keepLabels(names []string, draft label) {
	for _, name := range names {
		if draft.name = name; s.label(name, usableIn(draft.home())) == nil {
			s.newLabel(draft)
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

// labelDetails returns the labels with these names that a function accepts.
func (s *Service) labelDetails(names []string, of func(*label) bool) []*collection.Form {
	return mapped(names, func(name string) *collection.Form {
		deleted := &label{name: name, color: defaultLabelColor}
		return collection.Show(labelDetails, cmp.Or(s.label(name, of), deleted))
	})
}

// labelDetails returns the labels of a project with these names.
func (p *Project) labelDetails(names []string) []*collection.Form {
	return p.svc.labelDetails(names, func(l *label) bool { return l.isOf(p) })
}
