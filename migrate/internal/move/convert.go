package move

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
)

// convert returns an expression of another type with the same meaning, and false if
// there is none.
func (k *repairer) convert(n ast.Expr, text string, have, want types.Type) (string, bool) {
	if n != nil && isNil(k.info, n) {
		return k.zero(want)
	}
	if types.AssignableTo(have, want) {
		return text, true
	}
	if result, ok := k.convertSpecial(n, text, have, want); ok {
		return result, true
	}
	if result, ok := k.adapter(n, text, have, want); ok {
		return result, true
	}
	from, fromPointer := have.Underlying().(*types.Pointer)
	to, toPointer := want.Underlying().(*types.Pointer)
	switch {
	case fromPointer && toPointer:
		return k.convertPointer(n, text, from, to)
	case fromPointer:
		return k.convertFromPointer(n, text, from, want)
	case toPointer:
		inner, ok := k.convert(n, text, have, to.Elem())
		if ok && k.isNull(n, have) {
			return k.help("pointerTo") + "(" + inner + ")", true
		}
		return "new(" + inner + ")", ok
	}
	if a, ok := have.Underlying().(*types.Slice); ok {
		if b, ok := want.Underlying().(*types.Slice); ok {
			return k.convertSlice(n, text, a, b, want)
		}
	}
	if a, ok := have.Underlying().(*types.Map); ok {
		if b, ok := want.Underlying().(*types.Map); ok && types.Identical(a.Key(), b.Key()) {
			return k.convertMap(text, a, b)
		}
	}
	if a, b := structOf(have), structOf(want); a != nil && b != nil && k.v.m.canCopy(a, b) {
		if result, ok := k.convertLevel(n, text, a, b); ok {
			return result, true
		}
		from, to := k.v.p.nameOf(a), k.v.p.nameOf(b)
		k.helpers["copy "+from+" "+to] = true
		return k.f.pack.free(copierName(from, to)) + "(" + text + ")", true
	}
	if _, isBasic := have.Underlying().(*types.Basic); isBasic && !isBytes(want) {
		if b, ok := want.Underlying().(*types.Slice); ok { // a list of one
			inner, ok := k.convert(n, text, have, b.Elem())
			return k.typeString(want) + "{" + inner + "}", ok
		}
	}
	return k.convertBasic(n, text, have, want)
}

// isNull reports whether an expression is a text or a time of a result that client-go has a pointer
// to. An empty one is null there.
func (k *repairer) isNull(n ast.Expr, have types.Type) bool {
	if n == nil || !isString(have) && !isTime(have) {
		return false
	}
	switch ast.Unparen(n).(type) {
	case *ast.SelectorExpr:
	case *ast.Ident:
		if !isTime(have) {
			return false
		}
	default:
		return false
	}
	return k.isResult(n)
}

// structOf returns a named struct, or nil for other types.
func structOf(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct {
		return nil
	}
	return named
}

func (k *repairer) convertMap(text string, from, to *types.Map) (string, bool) {
	converted, ok := k.convert(nil, "v", from.Elem(), to.Elem())
	if !ok {
		return "", false
	}
	return k.help("mapValues") + "(" + text + ", func(v " + k.typeString(from.Elem()) + ") " +
		k.typeString(to.Elem()) +
		" { return " + converted + " })", true
}

func (k *repairer) zero(want types.Type) (string, bool) {
	switch u := want.Underlying().(type) {
	case *types.Struct:
		return k.typeString(want) + "{}", true
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	}
	return "", false
}

func (k *repairer) convertBasic(n ast.Expr, text string, have, want types.Type) (string, bool) {
	a, ok := have.Underlying().(*types.Basic)
	b, also := want.Underlying().(*types.Basic)
	if !ok || !also {
		if also && b.Info()&types.IsString != 0 && isBytes(have) ||
			ok && a.Info()&types.IsString != 0 && isBytes(want) {
			return k.typeString(want) + "(" + text + ")", true
		}
		return "", false
	}
	if value := k.constant(n); newName(want) == "Coverage" && value != nil && value.Kind() == constant.String {
		_, err := strconv.ParseFloat(constant.StringVal(value), 64)
		return "serviceapi.Coverage(" + constant.StringVal(value) + ")", err == nil
	}
	const number = types.IsInteger | types.IsFloat
	numbers := a.Info()&number != 0 && b.Info()&number != 0
	texts := a.Info()&types.IsString != 0 && b.Info()&types.IsString != 0
	booleans := a.Info()&types.IsBoolean != 0 && b.Info()&types.IsBoolean != 0
	if !numbers && !texts && !booleans {
		return "", false
	}
	if named := namedOf(want); texts && named != nil && newName(want) != "" && n != nil {
		if value := k.info.Types[n].Value; value != nil {
			return constantOf(named, value.ExactString()), true
		}
	}
	if numbers {
		text = k.withoutConversion(n, text, want)
		if n != nil && b.Kind() == types.Int && types.Identical(want, b) && isDigits(text) {
			return text, true
		}
	}
	return k.typeString(want) + "(" + text + ")", true
}

func isDigits(text string) bool {
	_, err := strconv.ParseUint(text, 10, 31)
	return err == nil
}

// constant returns the value of a constant expression, or nil.
func (k *repairer) constant(n ast.Expr) constant.Value {
	if n == nil {
		return nil
	}
	return k.info.Types[n].Value
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := slice.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

func (k *repairer) convertPointer(n ast.Expr, text string, from, to *types.Pointer) (string, bool) {
	if inner := k.pointed(n); inner != nil {
		if converted, ok := k.convert(inner, k.source(inner), k.info.TypeOf(inner), to.Elem()); ok {
			if lit, isLit := inner.(*ast.CompositeLit); isLit && lit.Type != nil {
				return "&" + converted, true
			}
			return "new(" + converted + ")", true
		}
		return "", false
	}
	if a, b := structOf(from.Elem()), structOf(to.Elem()); a != nil && b != nil {
		if result, ok := k.convertPart(n, text, a, b); ok {
			return result, true
		}
	}
	converted, ok := k.convert(nil, "v", from.Elem(), to.Elem())
	if !ok {
		return "", false
	}
	return k.help("mapPointer") + "(" + text + ", func(v " + k.typeString(from.Elem()) + ") " +
		k.typeString(to.Elem()) +
		" { return " + converted + " })", true
}

func (k *repairer) convertFromPointer(n ast.Expr, text string, from *types.Pointer, want types.Type) (string, bool) {
	if newName(want) == "Nullable" {
		elem := types.Unalias(want).(*types.Named).TypeArgs().At(0)
		if inner := k.pointed(n); inner != nil {
			converted, ok := k.convert(inner, k.source(inner), k.info.TypeOf(inner), elem)
			return "serviceapi.Value(" + converted + ")", ok
		}
		converted, ok := k.convert(n, text, types.NewPointer(from.Elem()), types.NewPointer(elem))
		return k.help("nullableOf") + "(" + converted + ")", ok
	}
	if inner := k.pointed(n); inner != nil {
		return k.convert(inner, k.source(inner), k.info.TypeOf(inner), want)
	}
	if n != nil && types.Identical(from.Elem(), want) {
		if value := k.plainValue(n, want); value != "" {
			return value, true
		}
	}
	if list, ok := want.Underlying().(*types.Slice); ok && !isBytes(want) && isScalar(from.Elem()) {
		return k.convert(nil, k.help("listOf")+"("+text+")", types.NewSlice(from.Elem()), list)
	}
	value := "v"
	if n != nil {
		value = k.valueOf(n, text)
	} else {
		value = k.help("valueOf") + "(" + text + ")"
	}
	return k.convert(nil, value, from.Elem(), want)
}

func (k *repairer) convertSlice(n ast.Expr, text string, from, to *types.Slice, want types.Type) (string, bool) {
	if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
		start := k.offset(lit.Type.End())
		rest := k.text[start:k.offset(lit.End())]
		return k.typeString(want) + rest, true
	}
	converted, ok := k.convert(nil, "v", from.Elem(), to.Elem())
	if !ok {
		return "", false
	}
	return k.help("mapSlice") + "(" + text + ", func(v " + k.typeString(from.Elem()) + ") " + k.typeString(to.Elem()) +
		" { return " + converted + " })", true
}

// convertSpecial converts to and from types of this library that are not plain values.
func (k *repairer) convertSpecial(n ast.Expr, text string, have, want types.Type) (string, bool) {
	switch {
	case isSecret(have) && !isSecret(want):
		return k.convert(nil, text+".Reveal()", types.Typ[types.String], want)
	case isSecret(want):
		inner, ok := k.convert(n, text, have, types.Typ[types.String])
		return "serviceapi.NewSecret(" + inner + ")", ok
	}
	switch newName(have) {
	case "Date", "DateOrTime":
		if _, isPointer := have.Underlying().(*types.Pointer); !isPointer {
			switch types.TypeString(want, nil) {
			case "time.Time":
				return text + ".Time", true
			case "string":
				return text + ".String()", true
			}
		}
	}
	if newName(want) == "LabelSummary" && isString(have) {
		address := ""
		if _, isPointer := want.Underlying().(*types.Pointer); isPointer {
			address = "&"
		}
		return address + k.typeString(namedOf(want)) + "{Name: " + text + "}", true
	}
	if _, isPointer := want.Underlying().(*types.Pointer); isPointer {
		return "", false
	}
	if newName(want) == "RequestOption" {
		return k.requestFunction(n, text, have)
	}
	if makers, ok := makersOf[newName(want)]; ok {
		if b, isBasic := have.Underlying().(*types.Basic); isBasic && b.Info()&types.IsInteger != 0 {
			return k.filter(n, text, have, types.Typ[types.Int64], "serviceapi."+makers[0]+"(", ")")
		}
		return k.filter(n, text, have, types.Typ[types.String], "serviceapi."+makers[1]+"(", ")")
	}
	switch newName(want) {
	case "Date":
		if types.TypeString(have, nil) == "time.Time" {
			return "serviceapi.DateOf(" + text + ")", true
		}
	case "Nullable":
		if _, isPointer := have.Underlying().(*types.Pointer); !isPointer {
			inner, ok := k.convert(n, text, have, types.Unalias(want).(*types.Named).TypeArgs().At(0))
			return "serviceapi.Value(" + inner + ")", ok
		}
	case "UserFilter":
		return k.filter(n, text, have, types.Typ[types.Int64], "serviceapi.UserIs(", ")")
	case "NumberFilter":
		return k.filter(n, text, have, types.Typ[types.Int64], "serviceapi.NumberIs(", ")")
	case "MilestoneFilter":
		return k.textFilter(n, text, have, "Milestone")
	case "EmojiFilter":
		return k.textFilter(n, text, have, "Emoji")
	case "LabelFilter":
		return k.labelFilter(n, text, have)
	case "UsersFilter":
		if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
			return k.filter(n, text, have, types.NewSlice(types.Typ[types.Int64]), "serviceapi.UsersAre(", "...)")
		}
		return k.filter(n, text, have, types.NewSlice(types.Typ[types.Int64]), k.help("usersFilter")+"(", ")")
	}
	return "", false
}

// makersOf maps types of references to the functions that make them.
var makersOf = map[string][2]string{"ProjectRef": references["project"], "GroupRef": references["group"],
	"UserRef": references["user"], "NamespaceRef": references["namespace"], "LabelRef": references["label"]}

// filter makes a filter from the value that it compares with. If the value may be
// missing, so may the filter.
func (k *repairer) filter(n ast.Expr, text string, have, inner types.Type, before, after string) (string, bool) {
	if _, isPointer := have.Underlying().(*types.Pointer); isPointer && k.pointed(n) == nil {
		return "", false
	}
	if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) > 0 && after == "...)" && types.AssignableTo(have, inner) {
		last := lit.Elts[len(lit.Elts)-1]
		return before + k.text[k.offset(lit.Elts[0].Pos()):k.offset(last.End())] + ")", true
	}
	converted, ok := k.convert(n, text, have, inner)
	return before + converted + after, ok
}
