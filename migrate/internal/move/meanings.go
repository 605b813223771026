package move

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// encodedField returns the selector in an expression that is a field that is decoded here, or nil.
func (r *reader) encodedField(n ast.Expr) *ast.SelectorExpr {
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil ||
		r.p.table.Meaning(owner(s).Obj().Name(), sel.Sel.Name) != "base64" {
		return nil
	}
	return sel
}

// decodesField rewrites base64.StdEncoding.DecodeString(file.Content) if it is a whole
// assignment or return value, because the content is already decoded here.
func (r *mover) decodesField(n *ast.CallExpr) (string, bool) {
	field := r.base64Argument(n, "DecodeString")
	if field == nil || r.encodedField(field) == nil {
		return "", false
	}
	content := r.contentOf(r.encodedField(field))
	switch parent := r.parents[n].(type) {
	case *ast.AssignStmt:
		return content + ", error(nil)", len(parent.Lhs) == 2
	case *ast.ReturnStmt:
		return content + ", nil", len(parent.Results) == 1
	}
	return "", false
}

// base64Argument returns the argument of a call of a method of base64.StdEncoding, or
// nil for other calls.
func (r *reader) base64Argument(n ast.Expr, method string) ast.Expr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return nil
	}
	encoding, ok := sel.X.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := r.info.Uses[encoding.Sel].(*types.Var)
	if !ok || v.Pkg() == nil || v.Pkg().Path() != "encoding/base64" || v.Name() != "StdEncoding" {
		return nil
	}
	return call.Args[0]
}

// contentOf renders a field that is decoded here as it is here.
func (r *mover) contentOf(n *ast.SelectorExpr) string {
	from := owner(r.info.Selections[n])
	name := n.Sel.Name
	if f, _ := r.newField(n.X, from, name); f != nil {
		name = f.Name()
	}
	return r.render(n.X) + "." + name
}

// encoded renders a field that is decoded here in Base64 again, as the program expects it.
func (r *mover) encoded(n *ast.SelectorExpr) (string, bool) {
	if r.isTarget(n) {
		return r.block(n, "field", "%s is decoded here: write the content itself", n.Sel.Name)
	}
	r.imports["encoding/base64"] = true
	r.note(n, "field", n.Sel.Name+" is decoded here: it is encoded again for what decodes it")
	return "base64.StdEncoding.EncodeToString(" + r.contentOf(n) + ")", true
}

// encodedValue renders the value of a field that is decoded here in a literal: the content itself.
func (l *literal) encodedValue(kv *ast.KeyValueExpr, field *types.Var) bool {
	content := l.r.base64Argument(kv.Value, "EncodeToString")
	if content == nil {
		l.r.block(kv, "field", "%s is decoded here: write the content itself", field.Name())
		return false
	}
	l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()),
		field.Name() + ": " + l.r.render(content)})
	return true
}

// encodedAction renders the content of an action of a commit with an encoding: here, the content is
// not encoded. It reports false for other elements, and where the encoding is not known.
func (l *literal) encodedAction(i int, kv *ast.KeyValueExpr) bool {
	name, encoding := idName(kv.Key), l.valueOf("Encoding")
	if l.from.Obj().Name() != "CommitActionOptions" || encoding == nil || name != "Encoding" && name != "Content" {
		return false
	}
	value := l.r.info.Types[l.r.plain(encoding)].Value
	if value == nil || value.Kind() != constant.String {
		return false
	}
	switch constant.StringVal(value) {
	case "text":
		if name == "Content" {
			return false
		}
	case "base64":
		if name == "Content" {
			l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()),
				"Content: " + l.r.decodedText(kv.Value)})
			return true
		}
	default:
		return false
	}
	l.drop(i)
	return true
}

// decodedText renders the content that an option has in Base64.
func (r *mover) decodedText(value ast.Expr) string {
	if content := r.base64Argument(r.plain(value), "EncodeToString"); content != nil {
		return r.render(content)
	}
	text := r.render(r.plain(value))
	if r.pointed(value) == nil {
		text = r.help("valueOf") + "(" + text + ")"
	}
	r.note(value, "field", "Content is not encoded here: what is not Base64 is committed as it is")
	return r.help("decodedContent") + "(" + text + ")"
}

// noteToken notes that the address of the next page, which is a token here, is used for something
// else than a test for more pages or the options of the next call.
func (r *mover) noteToken(n *ast.SelectorExpr) {
	switch parent := r.parents[n].(type) {
	case *ast.BinaryExpr:
		return
	case *ast.CallExpr:
		if r.oldObject(parent.Fun) != nil {
			return
		}
	}
	r.note(n, "field", n.Sel.Name+" is a token for the next page here, and no address")
}
