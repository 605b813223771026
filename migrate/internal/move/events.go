package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// noteFields are the fields of webhook.NoteEvent that are set for one event of client-go
// only: here, all comments are one type of event.
var noteFields = map[string]string{"CommitCommentEvent": "Commit", "IssueCommentEvent": "Issue",
	"MergeCommentEvent": "MergeRequest", "SnippetCommentEvent": "Snippet"}

// A noteCase is a case of a type switch for comments on one kind of object.
type noteCase struct {
	clause *ast.CaseClause
	field  string
}

// typeSwitch puts the cases for comments together: each becomes a case of a switch in the
// first one.
func (r *rewriter) typeSwitch(n *ast.TypeSwitchStmt) (string, bool) {
	var notes []noteCase
	var others *ast.CaseClause
	for _, s := range n.Body.List {
		clause := s.(*ast.CaseClause)
		if clause.List == nil {
			others = clause
		}
		for _, t := range clause.List {
			field := noteFields[oldName(r.info.TypeOf(t))]
			if field == "" {
				continue
			}
			if len(clause.List) > 1 {
				return r.block(clause, "webhook", "comments are a webhook.NoteEvent: see which field of it is set")
			}
			notes = append(notes, noteCase{clause, field})
		}
	}
	if len(notes) == 0 {
		return "", false
	}
	name, edits := r.boundName(n)
	edits = append(edits, r.noteEdit(n, notes[0].clause, r.noteText(n, name, notes, others)))
	for _, note := range notes[1:] {
		edits = append(edits, r.noteEdit(n, note.clause, ""))
	}
	return r.renderInside(n, edits...), true
}

// boundName returns the name of the event in the cases of a type switch, and the edit that
// gives it one.
func (r *rewriter) boundName(n *ast.TypeSwitchStmt) (string, []edit) {
	if a, ok := n.Assign.(*ast.AssignStmt); ok {
		return idName(a.Lhs[0]), nil
	}
	at := r.offset(n.Assign.Pos())
	return "note", []edit{{at, at, "note := "}}
}

// noteEdit replaces a case, up to the next one.
func (r *rewriter) noteEdit(n *ast.TypeSwitchStmt, clause *ast.CaseClause, text string) edit {
	return edit{r.offset(clause.Pos()), r.offset(r.clauseEnd(n, clause)), text}
}

// clauseEnd returns where the next case begins, or the switch ends.
func (r *rewriter) clauseEnd(n *ast.TypeSwitchStmt, clause *ast.CaseClause) token.Pos {
	for i, s := range n.Body.List {
		if s == clause && i+1 < len(n.Body.List) {
			return n.Body.List[i+1].Pos()
		}
	}
	return n.Body.Rbrace
}

// noteText renders the case for all comments.
func (r *rewriter) noteText(n *ast.TypeSwitchStmt, name string, notes []noteCase, others *ast.CaseClause) string {
	var b strings.Builder
	b.WriteString("case *" + r.use("webhook.NoteEvent") + ":\nswitch {\n")
	for _, note := range notes {
		b.WriteString("case " + name + "." + note.field + " != nil:" + r.clauseText(n, note.clause))
	}
	if others != nil && len(others.Body) > 0 {
		b.WriteString("default:" + r.clauseText(n, others))
	}
	b.WriteString("}\n")
	return b.String()
}

// clauseText renders what follows the colon of a case.
func (r *rewriter) clauseText(n *ast.TypeSwitchStmt, clause *ast.CaseClause) string {
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
func (r *rewriter) assertNote(n *ast.TypeAssertExpr) (string, bool) {
	if n.Type == nil {
		return "", false
	}
	field := noteFields[oldName(r.info.TypeOf(n.Type))]
	a, ok := r.parents[n].(*ast.AssignStmt)
	if _, isPointer := r.info.TypeOf(n.Type).(*types.Pointer); field == "" || !ok || !isPointer || len(a.Lhs) != 2 {
		return "", false
	}
	return r.help("noteWhere") + "(" + r.render(n.X) + ", func(note *" + r.use("webhook.NoteEvent") + ") bool { return note." +
		field + " != nil })", true
}
