package move

import (
	"fmt"
	"go/ast"
	"go/types"
)

// responseFields maps fields of a response to their names here.
var responseFields = map[string]string{"StatusCode": "StatusCode", "Header": "Header", "NextPage": "NextPage",
	"TotalPages": "TotalPages", "TotalItems": "Total", "ItemsPerPage": "PerPage", "CurrentPage": "Page",
	"PreviousPage": "PrevPage", "NextLink": "NextPageToken"}

func (r *mover) responseField(n *ast.SelectorExpr, name string) (string, bool) {
	if now := responseFields[name]; now != "" {
		if r.p.table.Meaning("Response", name) == "token" {
			r.noteToken(n)
		}
		return r.boxed(n, r.render(n.X)+"."+now, r.info.TypeOf(n), r.newResponseType(now)), true
	}
	if name == "Response" {
		if binary, ok := r.parents[n].(*ast.BinaryExpr); ok && isNil(r.info, binary.Y) {
			return r.render(n.X), true
		}
		if r.isWholeResponse(n) {
			r.note(n, "field", "httpResponse has the status, the header, and the method and the address of the "+
				"request: no more, and no body")
			r.help("requestOf")
			return r.help("httpResponse") + "(" + r.render(n.X) + ")", true
		}
	}
	return r.block(n, "response", "the response has no %s here: see its fields", name)
}

// newResponseType returns the type of a field of a response of this library.
func (r *reader) newResponseType(name string) types.Type {
	return fieldType(r.p.newType("Response"), name)
}

// isRequest reports whether a selector is the request of a response, or the whole of what has it.
func (r *reader) isRequest(n *ast.SelectorExpr) bool {
	return n.Sel.Name == "Request" && r.responseOf(n) != nil || r.isWholeResponse(n)
}

// isWholeResponse reports whether a selector is the embedded http.Response of a response, and
// neither one of its fields is selected nor is it compared with nil.
func (r *reader) isWholeResponse(n *ast.SelectorExpr) bool {
	if !r.isEmbedded(n) || r.isTarget(n) {
		return false
	}
	switch parent := r.parents[n].(type) {
	case *ast.SelectorExpr, *ast.StarExpr:
		return false
	case *ast.BinaryExpr:
		return !isNil(r.info, parent.Y)
	}
	return true
}

// responseOf returns resp for resp.Status and resp.Response.Status, which are fields of the embedded
// http.Response, or nil.
func (r *reader) responseOf(n *ast.SelectorExpr) ast.Expr {
	s := r.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal || isOld(s.Obj()) {
		return nil
	}
	if oldName(s.Recv()) == "Response" {
		return n.X
	}
	if r.isEmbedded(ast.Unparen(n.X)) {
		return ast.Unparen(n.X).(*ast.SelectorExpr).X
	}
	return nil
}

// httpField rewrites a field of the embedded http.Response.
func (r *mover) httpField(n *ast.SelectorExpr, resp ast.Expr) (string, bool) {
	name := n.Sel.Name
	switch name {
	case "StatusCode", "Header":
		return r.boxed(n, r.render(resp)+"."+name, r.info.TypeOf(n), r.newResponseType(name)), true
	case "Body":
		return r.readBody(n), true
	case "Request":
		r.note(n, "field", "requestOf has the method and the address of the request only")
		return r.help("requestOf") + "(" + r.render(resp) + ")", true
	case "Status":
		r.imports["strconv"], r.imports["net/http"] = true, true
		x := r.render(resp)
		return fmt.Sprintf("(strconv.Itoa(%s.StatusCode) + \" \" + http.StatusText(%s.StatusCode))", x, x), true
	}
	return r.block(n, "response", "the response has no %s here: it is already read", name)
}

// readBody renders the body of a response. One that is compared with nil is a value of an interface, and
// in the head of a statement, a literal has parentheses.
func (r *mover) readBody(n ast.Node) string {
	r.note(n, "field", "the body is read already: as with client-go, reading it fails")
	text := r.help("readBody") + "{}"
	if binary, ok := r.parents[n].(*ast.BinaryExpr); ok && (isNil(r.info, binary.X) || isNil(r.info, binary.Y)) {
		r.imports["io"] = true
		return "io.ReadCloser(" + text + ")"
	}
	if r.isInHead(n) {
		return "(" + text + ")"
	}
	return text
}

// isInHead reports whether an expression stands before the block of a statement, where a brace would
// begin that block.
func (r *reader) isInHead(n ast.Node) bool {
	for child, parent := n, r.parents[n]; parent != nil; child, parent = parent, r.parents[parent] {
		switch parent := parent.(type) {
		case *ast.ParenExpr, *ast.CallExpr:
			if call, ok := parent.(*ast.CallExpr); !ok || call.Fun != child {
				return false
			}
		case *ast.IfStmt:
			return child != parent.Body && child != parent.Else
		case *ast.ForStmt:
			return child != parent.Body
		case *ast.RangeStmt:
			return child != parent.Body
		case *ast.SwitchStmt:
			return child != parent.Body
		case *ast.TypeSwitchStmt:
			return child != parent.Body
		case *ast.BlockStmt, *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// errorField rewrites a field of an error response.
func (r *mover) errorField(n *ast.SelectorExpr, name string) (string, bool) {
	if text, ok := r.errorMessage(n); ok {
		return text, true
	}
	x := r.render(n.X)
	switch name {
	case "Message", "Body":
		return x + "." + name, true
	case "Response":
		switch parent := r.parents[n].(type) {
		case *ast.SelectorExpr:
			switch parent.Sel.Name {
			case "StatusCode":
				return x, true
			case "Status", "Request":
				return r.help("errorResponse") + "(" + x + ")", true
			}
		case *ast.BinaryExpr:
			if isNil(r.info, parent.Y) {
				return x, true
			}
		case *ast.StarExpr:
		default:
			if !r.isTarget(n) {
				r.note(n, "field", "errorResponse has the status, and the method and the address of the request: "+
					"no header, and no body")
				return r.help("errorResponse") + "(" + x + ")", true
			}
		}
	}
	return r.block(n, "error", "an error has no %s here: see the fields of serviceapi.Error", name)
}

// usesResponse reports whether the program may use the response of a call: the numbers of pages in it,
// among others.
func (r *reader) usesResponse(n *ast.CallExpr) bool {
	a, ok := r.parents[n].(*ast.AssignStmt)
	return !ok || len(a.Lhs) != 3 || idName(a.Lhs[1]) != "_"
}
