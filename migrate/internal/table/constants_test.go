package table_test

import (
	"go/types"
	"testing"

	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
)

// TestConstants checks that constants exist and that both of a pair have the same value.
func TestConstants(t *testing.T) {
	b := loaded(t)
	for _, pair := range b.table.Constants {
		old := b.old(pair.Old)
		if old == nil {
			t.Errorf("%s: client-go has no %s", pair.Pos, pair.Old)
			continue
		}
		if pair.ByHand != "" {
			continue
		}
		now := b.object(pair.New)
		if now == nil {
			t.Errorf("%s: there is no %s", pair.Pos, pair.New)
			continue
		}
		value, isConst := old.(*types.Const)
		if other, ok := now.(*types.Const); ok && isConst {
			assert.Equal(t, value.Val().ExactString(), other.Val().ExactString(),
				"%s: %s = %s", pair.Pos, pair.Old, pair.New)
		}
	}
}

// TestEveryConstant checks that the table has every constant of client-go whose type it
// has, apart from the values that this library has no name for.
func TestEveryConstant(t *testing.T) {
	b := loaded(t)
	for version, library := range b.versions {
		for _, name := range library.Package.Scope().Names() {
			constant, ok := library.Object(name).(*types.Const)
			if !ok || !constant.Exported() || len(b.table.Type(named(constant.Type()))) == 0 {
				continue
			}
			assert.NotNil(t, b.table.Constant(name), "%s of %s has no line in constants.txt", name, version)
		}
	}
}

// TestFunctions checks that functions exist, with as many parameters, and that what
// replaces them exists.
func TestFunctions(t *testing.T) {
	b := loaded(t)
	for i := range b.table.Functions {
		f := &b.table.Functions[i]
		found := false
		for version, library := range b.versions {
			signature, ok := typeOf(library.Object(f.Old)).(*types.Signature)
			if !ok || !f.Has(version) {
				continue
			}
			found = true
			assert.Equal(t, len(f.Params), signature.Params().Len(),
				"%s: the parameters of %s in %s", f.Pos, f.Old, version)
		}
		assert.True(t, found, "%s: client-go has no function %s", f.Pos, f.Old)
		if f.New != "" && table.Meaning(f.New) == "" {
			assert.NotNil(t, b.object(f.New), "%s: there is no %s", f.Pos, f.New)
		}
		for _, arg := range f.Args {
			if arg.Kind == table.Make || arg.Kind == table.Value {
				assert.NotNil(t, b.object(arg.Name), "%s: there is no %s", f.Pos, arg.Name)
			}
		}
	}
}

func typeOf(object types.Object) types.Type {
	if object == nil {
		return nil
	}
	return object.Type()
}
