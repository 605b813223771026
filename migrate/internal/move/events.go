package move

import (
	"cmp"
	"go/ast"
	"go/token"
	"strings"
)

// noteFields are the fields of webhook.NoteEvent that are set for one event of client-go
// only: here, all comments are one type of event.
var noteFields = map[string]string{"CommitCommentEvent": "Commit", "IssueCommentEvent": "Issue",
	"MergeCommentEvent": "MergeRequest", "SnippetCommentEvent": "Snippet"}

// tokenFields are the same for events before tokens expire.
var tokenFields = map[string]string{"GroupResourceAccessTokenEvent": "Group",
	"ProjectResourceAccessTokenEvent": "Project"}

// A partCase is a case of a type switch for those events of a type that have a certain field.
type partCase struct {
	clause *ast.CaseClause
	field  string
}

// eventCases are the cases of a type switch with events that share a type in this
// library.
type eventCases struct {
	parts  map[string][]partCase      // by type of this library, or pointer to it
	jobs   map[string]*ast.CaseClause // by type of client-go, which has two types for jobs
	others *ast.CaseClause            // default
}

// typeSwitch merges cases whose events share a type in this library. Each becomes a case of a
// switch inside the first.
func (r *mover) typeSwitch(n *ast.TypeSwitchStmt) (string, bool) {
	r.noteCases(n)
	cases, ok := r.eventCases(n)
	if !ok {
		return r.source(n), true
	}
	r.noteFailureCase(n)
	name, bound := r.boundName(n)
	var edits []edit
	for event, parts := range cases.parts {
		for i, part := range parts {
			text := ""
			if i == 0 {
				text = r.partsText(n, event, name, parts, cases.others)
			}
			edits = append(edits, r.caseEdit(n, part.clause, text))
		}
	}
	if len(edits) > 0 {
		edits = append(edits, bound...)
	}
	if build := cases.jobs["BuildEvent"]; build != nil && cases.jobs["JobEvent"] != nil {
		r.note(build, "webhook", "a BuildEvent is a webhook.JobEvent: the case for JobEvent gets it")
		edits = append(edits, r.caseEdit(n, build, ""))
	}
	if len(edits) == 0 {
		return "", false
	}
	return r.renderInside(n, edits...), true
}

// eventCases finds the cases that share a type. It reports false if one of them is for
// other events, too.
func (r *mover) eventCases(n *ast.TypeSwitchStmt) (*eventCases, bool) {
	cases := &eventCases{parts: map[string][]partCase{}, jobs: map[string]*ast.CaseClause{}}
	for _, s := range n.Body.List {
		clause := s.(*ast.CaseClause)
		if clause.List == nil {
			cases.others = clause
		}
		for _, t := range clause.List {
			old := oldName(r.info.TypeOf(t))
			field := cmp.Or(noteFields[old], tokenFields[old])
			switch {
			case old == "JobEvent", old == "BuildEvent" && len(clause.List) == 1:
				cases.jobs[old] = clause
			case field == "":
			case len(clause.List) > 1:
				r.block(clause, "webhook", "%s is a %s: test which of its fields is set", old, r.m.typeName(old))
				return nil, false
			default:
				event := r.m.typeName(old)
				if isPointer(r.info.TypeOf(t)) {
					event = "*" + event
				}
				cases.parts[event] = append(cases.parts[event], partCase{clause, field})
			}
		}
	}
	return cases, true
}

// boundName returns the name of the event in the cases of a type switch, and the edit that
// gives it one.
func (r *reader) boundName(n *ast.TypeSwitchStmt) (string, []edit) {
	if a, ok := n.Assign.(*ast.AssignStmt); ok {
		return idName(a.Lhs[0]), nil
	}
	at := r.offset(n.Assign.Pos())
	return "event", []edit{{at, at, "event := "}}
}

// caseEdit replaces a case, up to the next one.
func (r *mover) caseEdit(n *ast.TypeSwitchStmt, clause *ast.CaseClause, text string) edit {
	return edit{r.offset(clause.Pos()), r.offset(r.clauseEnd(n, clause)), text}
}

// clauseEnd returns the beginning of the next case, or the end of the switch.
func (r *reader) clauseEnd(n *ast.TypeSwitchStmt, clause *ast.CaseClause) token.Pos {
	for i, s := range n.Body.List {
		if s == clause && i+1 < len(n.Body.List) {
			return n.Body.List[i+1].Pos()
		}
	}
	return n.Body.Rbrace
}

// partsText renders the case for all events of a type.
func (r *mover) partsText(
	n *ast.TypeSwitchStmt, event, name string, parts []partCase, others *ast.CaseClause,
) string {
	var b strings.Builder
	b.WriteString("case " + r.use(event) + ":\nswitch {\n")
	for _, part := range parts {
		b.WriteString("case " + name + "." + part.field + " != nil:" + r.clauseText(n, part.clause))
	}
	if others != nil && len(others.Body) > 0 {
		b.WriteString("default:" + r.clauseText(n, others))
	}
	b.WriteString("}\n")
	return b.String()
}

// clauseText renders what follows the colon of a case.
func (r *mover) clauseText(n *ast.TypeSwitchStmt, clause *ast.CaseClause) string {
	start, end := r.offset(clause.Colon)+1, r.offset(r.clauseEnd(n, clause))
	var edits []edit
	for _, s := range clause.Body {
		edits = append(edits, r.edits(s)...)
	}
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	return strings.TrimRight(apply(string(r.u.file.text[start:end]), edits), "\n\t ") + "\n"
}

// assertNote rewrites event.(*MergeCommentEvent) with two results.
func (r *mover) assertNote(n *ast.TypeAssertExpr) (string, bool) {
	if n.Type == nil {
		return "", false
	}
	field := noteFields[oldName(r.info.TypeOf(n.Type))]
	a, ok := r.parents[n].(*ast.AssignStmt)
	if field == "" || !ok || len(a.Lhs) != 2 {
		return "", false
	}
	helper := "noteWhere"
	if !isPointer(r.info.TypeOf(n.Type)) {
		helper = "noteValueWhere"
	}
	return r.help(helper) + "(" + r.render(n.X) + ", func(note *" + r.use("webhook.NoteEvent") +
		") bool { return note." + field + " != nil })", true
}

// subject returns the field with what a comment is about, if a literal lacks it and becomes a value of any
// type: what looks at such a value tells comments by that field.
func (r *reader) subject(n *ast.CompositeLit) string {
	field := noteFields[oldName(r.info.TypeOf(n))]
	if field == "" || r.literalField(n, field) != nil || len(n.Elts) > 0 && !isKeyed(n.Elts[0]) {
		return ""
	}
	value := ast.Expr(n)
	if unary, ok := r.parents[n].(*ast.UnaryExpr); ok {
		value = unary
	}
	if !r.becomesInterface(value) {
		return ""
	}
	return field
}

// literalOfAny rewrites a literal. One of a comment gets what the comment is about.
func (r *mover) literalOfAny(n *ast.CompositeLit) (string, bool) {
	text, changed := r.compositeLit(n)
	field := r.subject(n)
	if field == "" {
		return text, changed
	}
	if !changed {
		text = r.renderInside(n)
	}
	text = strings.TrimRight(strings.TrimSpace(strings.TrimSuffix(text, "}")), ",")
	if len(n.Elts) > 0 {
		text += ", "
	}
	return text + field + ": &" + r.use("webhook."+field) + "{}}", true
}
