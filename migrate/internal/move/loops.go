package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A pageLoop is a loop over the pages of a list in its common form:
//
//	for {
//		jobs, resp, err := client.Jobs.ListProjectJobs(7, opts)
//		if err != nil {
//			return err
//		}
//		for _, job := range jobs { … } // or all = append(all, jobs...)
//		if resp.NextPage == 0 {
//			break
//		}
//		opts.Page = resp.NextPage
//	}
type pageLoop struct {
	call      *ast.CallExpr
	items     *ast.Ident
	resp, err *ast.Ident
	failure   *ast.IfStmt
	counts    bool            // it ends by the number of pages
	each      *ast.RangeStmt  // either each or collect is set
	collect   *ast.AssignStmt // all = append(all, jobs...)
}

// loop rewrites a loop over pages in the common form into one over all items.
func (r *mover) loop(n *ast.ForStmt) (string, bool) {
	if n.Init != nil || n.Cond != nil || n.Post != nil || r.isLabeled(n) {
		return "", false
	}
	l, ok := r.pageLoop(n.Body.List)
	if !ok {
		return "", false
	}
	all, ok := r.allCall(l.call, "")
	if !ok {
		return "", false
	}
	if l.counts {
		r.note(n, "result", countedLoop)
	}
	item, body := r.itemOf(l)
	var b strings.Builder
	b.WriteString("for " + item + ", " + l.err.Name + " := range " + all + " {\n")
	b.WriteString(r.render(l.failure) + "\n")
	for _, group := range r.u.file.syntax.Comments {
		if l.failure.End() <= group.Pos() && group.End() <= n.Body.List[2].Pos() {
			b.WriteString(r.source(group) + "\n")
		}
	}
	b.WriteString(strings.TrimRight(strings.TrimLeft(body, "\n"), "\n\t "))
	end := n.Body.List[2].End()
	for _, c := range r.comments(r.offset(end), r.offset(n.Body.Rbrace)) {
		if l.collect != nil && r.p.fset.Position(c.Pos()).Line == r.line(l.collect) {
			b.WriteString(" " + c.Text)
			continue
		}
		b.WriteString("\n" + c.Text)
	}
	b.WriteString("\n}")
	return b.String(), true
}

// countedLoop says what a loop that compares CurrentPage with TotalPages did there.
const countedLoop = "the service does not say how many pages a list of more than 10,000 items has: the loop ended " +
	"after the first page of such a list, and All returns all of it"

func (r *reader) isLabeled(n ast.Node) bool {
	_, ok := r.parents[n].(*ast.LabeledStmt)
	return ok
}

func (r *reader) pageLoop(list []ast.Stmt) (*pageLoop, bool) {
	l := &pageLoop{}
	if len(list) < 4 || !l.readCall(r, list[0]) || !l.readFailure(r, list[1]) {
		return nil, false
	}
	rest := list[2:]
	// The last two statements leave the loop and go to the next page. The second may be
	// the other branch of the first.
	end := len(rest) - 2
	if end < 1 || !l.isLast(r, rest[end]) || !l.isNext(r, rest[end+1]) || end != 1 {
		return nil, false
	}
	if !l.readItems(r, rest[0]) {
		return nil, false
	}
	return l, true
}

// readCall reads "jobs, resp, err := client.Jobs.ListProjectJobs(…)".
func (l *pageLoop) readCall(r *reader, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 3 || len(a.Rhs) != 1 {
		return false
	}
	l.call, ok = a.Rhs[0].(*ast.CallExpr)
	l.items, l.resp, l.err = idOf(a.Lhs[0]), idOf(a.Lhs[1]), idOf(a.Lhs[2])
	if !ok || r.oldCall(l.call) == nil || l.items == nil || l.resp == nil || l.err == nil {
		return false
	}
	// The err of the new loop is not the err of the function.
	return r.info.Defs[l.items] != nil && r.info.Defs[l.err] != nil
}

// readFailure reads "if err != nil { … }", which leaves the loop.
func (l *pageLoop) readFailure(r *reader, s ast.Stmt) bool {
	var ok bool
	l.failure, ok = s.(*ast.IfStmt)
	if !ok || l.failure.Init != nil || l.failure.Else != nil {
		return false
	}
	cond, ok := l.failure.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || idOf(cond.X) == nil || idOf(cond.X).Name != l.err.Name || !isNil(r.info, cond.Y) {
		return false
	}
	return !r.mentions(l.failure, l.resp) && !r.mentions(l.failure, l.items) && !jumps(l.failure, token.CONTINUE) &&
		leaves(l.failure.Body)
}

// leaves reports whether a block ends the loop, because All yields nothing after an
// error.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && s.Label == nil
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		if id := idOf(call.Fun); id != nil {
			return id.Name == "panic"
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && (strings.HasPrefix(sel.Sel.Name, "Fatal") || sel.Sel.Name == "Exit" || sel.Sel.Name == "Panic")
	}
	return false
}

// readItems reads the loop over the items of a page, or their collection.
func (l *pageLoop) readItems(r *reader, s ast.Stmt) bool {
	if r.mentions(s, l.resp) {
		return false
	}
	switch s := s.(type) {
	case *ast.RangeStmt:
		value := idOf(s.Value)
		if s.Tok != token.DEFINE || idName(s.Key) != "_" || value == nil || idName(s.X) != l.items.Name {
			return false
		}
		l.each = s
		return value.Name != l.err.Name && !r.mentions(s.Body, l.items) && !jumps(s.Body, token.BREAK)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
			return false
		}
		call, ok := s.Rhs[0].(*ast.CallExpr)
		if !ok || idName(call.Fun) != "append" || !call.Ellipsis.IsValid() || len(call.Args) != 2 {
			return false
		}
		id := idOf(call.Args[1])
		l.collect = s
		return id != nil && id.Name == l.items.Name
	}
	return false
}

// isLast recognizes "if resp.NextPage == 0 { break }".
func (l *pageLoop) isLast(r *reader, s ast.Stmt) bool {
	branch, ok := s.(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 {
		return false
	}
	leave, ok := branch.Body.List[0].(*ast.BranchStmt)
	if !ok || leave.Tok != token.BREAK || leave.Label != nil {
		return false
	}
	cond, ok := branch.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	left, right := l.field(cond.X), l.field(cond.Y)
	switch {
	case left == "NextPage" && (cond.Op == token.EQL || cond.Op == token.LEQ):
		return r.isZero(cond.Y)
	case left == "CurrentPage" && right == "TotalPages":
		l.counts = true
		return cond.Op == token.GEQ || cond.Op == token.EQL
	}
	return false
}

// field returns the name of a field of the response.
func (l *pageLoop) field(n ast.Expr) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || idOf(sel.X) == nil || idOf(sel.X).Name != l.resp.Name {
		return ""
	}
	return sel.Sel.Name
}

// isNext recognizes "opts.Page = resp.NextPage" with the options of the call.
func (l *pageLoop) isNext(r *reader, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || l.field(a.Rhs[0]) != "NextPage" {
		return false
	}
	page, ok := a.Lhs[0].(*ast.SelectorExpr)
	if !ok || page.Sel.Name != "Page" {
		return false
	}
	x := page.X
	if inner, ok := x.(*ast.SelectorExpr); ok && inner.Sel.Name == "ListOptions" {
		x = inner.X
	}
	options := idOf(x)
	if options == nil {
		return false
	}
	for _, arg := range l.call.Args {
		if unary, ok := arg.(*ast.UnaryExpr); ok && unary.Op == token.AND {
			arg = unary.X
		}
		if id := idOf(arg); id != nil && r.info.Uses[id] == r.info.Uses[options] {
			return true
		}
	}
	return false
}

// scan rewrites the functions of client-go that walk pages, around a function that returns a
// page.
func (r *mover) scan(n *ast.CallExpr, name string) (string, bool) {
	all, ok := r.scanned(n)
	if !ok {
		return r.block(n, "loop", "write a loop over the method that begins with All, or serviceapi.Collect around it")
	}
	switch name {
	case "Scan":
		return r.help("itemsOf") + "(" + all + ")", true
	case "ScanAndCollect":
		return r.use("serviceapi.Collect(") + all + ")", true
	case "ScanAndCollectN":
		return r.help("collectAtMost") + "(" + all + ", " + r.render(n.Args[1]) + ")", true
	}
	return all, true
}

// scanned renders the method that returns the items of all pages. The function must
// only call the method for one page.
func (r *mover) scanned(n *ast.CallExpr) (string, bool) {
	lit, ok := ast.Unparen(n.Args[0]).(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 {
		return "", false
	}
	result, ok := lit.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return "", false
	}
	call, ok := result.Results[0].(*ast.CallExpr)
	if !ok {
		return "", false
	}
	param := ""
	if list := lit.Type.Params.List; len(list) == 1 && len(list[0].Names) == 1 {
		param = list[0].Names[0].Name
	}
	return r.allCall(call, param)
}

// itemOf returns the name of an item and the loop body that uses it.
func (r *mover) itemOf(l *pageLoop) (item, body string) {
	if l.each != nil {
		text := r.render(l.each.Body)
		return idOf(l.each.Value).Name, strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	}
	item = singular(l.items.Name)
	if item == l.err.Name || item == l.items.Name || names(l.failure, item) || names(l.collect, item) {
		item += "Item"
	}
	call := l.collect.Rhs[0].(*ast.CallExpr)
	return item, r.render(l.collect.Lhs[0]) + " = append(" + r.render(call.Args[0]) + ", " + item + ")"
}

// names reports whether a node has an identifier of that name.
func names(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// singular returns a name for one item of a plural name.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "ches"), strings.HasSuffix(name, "ses") && !strings.HasSuffix(name, "ases"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "s") && len(name) > 2:
		return name[:len(name)-1]
	}
	return "item"
}

// mentions reports whether a node uses the variable that an identifier defines.
func (r *reader) mentions(n ast.Node, id *ast.Ident) bool {
	obj := r.info.ObjectOf(id)
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if other, ok := n.(*ast.Ident); ok && obj != nil && r.info.Uses[other] == obj {
			found = true
		}
		return !found
	})
	return found && obj != types.Object(nil)
}

// jumps reports whether a statement contains a jump that belongs to a loop around it.
func jumps(n ast.Node, tok token.Token) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
			return tok != token.BREAK
		case *ast.BranchStmt:
			found = found || n.Tok == tok && n.Label == nil || n.Label != nil
		}
		return !found
	})
	return found
}
