package move

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Report says what moved, what stayed and why.
type Report struct {
	Sites   int            `json:"sites"`   // calls of client-go
	Covered int            `json:"covered"` // calls with a counterpart
	Moved   int            `json:"moved"`
	Left    int            `json:"left"`
	Reasons map[string]int `json:"reasons"` // sites that stay, by reason
	Items   []Item         `json:"items"`
	Notes   []Item         `json:"notes"`

	// Blockers are the lines that keep calls from moving, those that keep the most first.
	Blockers []Blocker `json:"blockers"`

	// Aside are the tests that are set aside.
	Aside []AsideTest `json:"aside,omitempty"`
}

// An AsideTest is a test that is set aside.
type AsideTest struct {
	Package string `json:"package"`
	Name    string `json:"name"`
}

// An Item is a line of the report.
type Item struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Call   string `json:"call,omitempty"`   // of client-go
	New    string `json:"new,omitempty"`    // the call that replaced it
	Reason string `json:"reason,omitempty"` // why it stays, in one word or two
	Text   string `json:"text,omitempty"`   // what to do
	Page   string `json:"page,omitempty"`   // section of docs/migration.md
}

func (i Item) String() string {
	at := fmt.Sprintf("%s:%d: ", i.File, i.Line)
	switch {
	case i.Reason == "" && i.Call != "":
		return at + i.Call + " becomes " + i.New
	case i.Call != "":
		return fmt.Sprintf("%s%s is left (%s): %s [%s]", at, i.Call, i.Reason, i.Text, i.Page)
	}
	return fmt.Sprintf("%s%s: %s", at, i.Reason, i.Text)
}

func (p *program) item(n ast.Node) Item {
	position := p.fset.Position(n.Pos())
	return Item{File: p.relative(position.Filename), Line: position.Line}
}

// newReport returns a report of nothing.
func newReport() Report {
	return Report{Reasons: map[string]int{}, Items: []Item{}, Notes: []Item{}, Blockers: []Blocker{}}
}

func (p *program) report() Report {
	report := newReport()
	said := map[Item]bool{} // what is said once in a package
	for _, u := range p.units {
		if u.file.stays == otherFile {
			continue
		}
		for _, site := range u.sites {
			p.addSite(&report, u, site)
		}
		if u.left {
			p.addReasons(&report, u)
		}
		if u.left && !u.twin {
			continue
		}
		for _, note := range u.notes {
			item := p.item(note.Pos)
			item.Reason, item.Text = note.Kind, note.Text
			once := item
			if note.Kind == "path" {
				once = Item{File: u.file.pack.path, Text: note.Text}
			}
			if said[once] {
				continue
			}
			said[once] = true
			report.Notes = append(report.Notes, item)
		}
	}
	p.noteFakes(&report)
	p.noteMocks(&report)
	p.noteGoVersions(&report)
	for _, e := range p.scope.problems {
		report.Items = append(report.Items, p.problem(e))
	}
	slices.SortStableFunc(report.Items, byPlace)
	report.Items = slices.CompactFunc(report.Items, func(a, b Item) bool { return a == b && a.Call == "" })
	slices.SortStableFunc(report.Notes, byPlace)
	report.Blockers = p.blockers()
	return report
}

// problem returns the go command's message about a package.
func (p *program) problem(e packages.Error) Item {
	name, rest, _ := strings.Cut(e.Pos, ":")
	line, _, _ := strings.Cut(rest, ":")
	number, _ := strconv.Atoi(line)
	return Item{File: p.relative(name), Line: number, Reason: "broken", Text: firstLine(e.Msg), Page: page("broken")}
}

func byPlace(a, b Item) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) }

// origin follows the causes of a unit to a unit with its own reason. It returns nil if
// there is none.
func (u *unit) origin() *unit {
	seen := map[*unit]bool{}
	for u != nil && len(u.reasons) == 0 && !seen[u] {
		seen[u] = true
		u = u.cause
	}
	if u == nil || len(u.reasons) == 0 {
		return nil
	}
	return u
}

func (p *program) addSite(report *Report, u *unit, site *Site) {
	report.Sites++
	if site.Covered {
		report.Covered++
	}
	item := p.item(site.node)
	item.Call, item.New = site.Old, site.New
	if !u.left {
		report.Moved++
		if item.New == "" {
			item.New = p.newFunction(site.Old)
		}
		report.Items = append(report.Items, item)
		return
	}
	report.Left++
	item.New = ""
	item.Page = page("")
	for _, reason := range u.reasons {
		if reason.Pos == site.node.Pos() {
			item.Reason, item.Text, item.Page = reason.Kind, firstLine(reason.Text), page(reason.Kind)
		}
	}
	switch {
	case item.Reason != "" || len(u.reasons) == 0:
	case u.file.stays != "":
		item.Reason, item.Text = u.file.stays, u.reasons[0].Text
	default:
		item.Reason = u.reasons[0].Kind
		item.Text = fmt.Sprintf("its function is left, see line %d", p.fset.Position(u.reasons[0].Pos).Line)
	}
	if item.Reason == "" {
		item.Reason, item.Text = "shared types", p.sharing(u)
	}
	report.Reasons[item.Reason]++
	report.Items = append(report.Items, item)
}

// newFunction returns the name of what replaces a function of client-go.
func (p *program) newFunction(old string) string {
	for _, f := range p.table.Function(old) {
		if name := f.New; name != "" {
			if strings.Contains(name, ".") {
				return name
			}
			return "serviceapi." + name
		}
	}
	return "serviceapi." + old
}

// sharing explains why a unit stays without a reason of its own.
func (p *program) sharing(u *unit) string {
	cause := u.origin()
	if cause == nil {
		return "it shares values with code that is left"
	}
	place := p.item(cause.node)
	if cause.file.stays == otherFile {
		return fmt.Sprintf("it shares values with %s (%s:%d), whose package is not named: name it too", cause.name,
			place.File, place.Line)
	}
	if u.twin {
		return fmt.Sprintf("%s (%s:%d) is left and needs it; moved code calls %s%s", cause.name, place.File,
			place.Line, u.name, twinSuffix)
	}
	return fmt.Sprintf("it shares values with %s (%s:%d), which is left", cause.name, place.File, place.Line)
}

// page returns the section of docs/migration.md about a reason.
func page(kind string) string {
	const name = "docs/migration.md"
	switch kind {
	case "no counterpart":
		return name + "#call-by-call"
	case "argument", "field", "literal":
		return name + "#options"
	case "client", "credential":
		return name + "#the-client"
	case "context":
		return name + "#the-context"
	case "error":
		return name + "#errors"
	case "response", "loop":
		return name + "#lists"
	}
	return name
}

// addReasons adds the reasons that do not belong to a call.
func (p *program) addReasons(report *Report, u *unit) {
	for _, reason := range u.reasons {
		if reason.foreign && slices.ContainsFunc(report.Items,
			func(i Item) bool { return i.Text == firstLine(reason.Text) }) {
			continue // said of the first unit that the error is about
		}
		if slices.ContainsFunc(u.sites, func(s *Site) bool { return s.node.Pos() == reason.Pos }) {
			continue
		}
		position := p.fset.Position(reason.Pos)
		report.Items = append(report.Items, Item{File: p.relative(position.Filename), Line: position.Line,
			Reason: reason.Kind, Text: firstLine(reason.Text), Page: page(reason.Kind)})
	}
}
