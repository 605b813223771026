package table_test

import (
	"cmp"
	"go/types"
	"strings"
	"testing"

	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
)

// TestTypes checks that every type and every field in the table exists, and that a pair
// is named once.
func TestTypes(t *testing.T) {
	b := loaded(t)
	seen := map[[2]string]bool{}
	for i := range b.table.Types {
		pair := &b.table.Types[i]
		key := [2]string{pair.Old, pair.New}
		assert.False(t, seen[key], "%s: %s = %s is there twice", pair.Pos, pair.Old, pair.New)
		seen[key] = true
		if _, ok := b.old(pair.Old).(*types.TypeName); !ok {
			t.Errorf("%s: client-go has no type %s", pair.Pos, pair.Old)
			continue
		}
		if pair.ByHand != "" {
			continue
		}
		now, ok := b.object(pair.New).(*types.TypeName)
		if !ok {
			t.Errorf("%s: there is no type %s", pair.Pos, pair.New)
			continue
		}
		if pair.Within != "" && fieldAt(now.Type(), pair.Within) == nil {
			t.Errorf("%s: %s has no field %s", pair.Pos, pair.New, pair.Within)
		}
		b.checkFields(t, pair, now.Type())
	}
}

func (b *both) checkFields(t *testing.T, pair *table.Type, now types.Type) {
	t.Helper()
	for _, field := range pair.Fields {
		var old *types.Var
		for _, version := range table.Versions() {
			if object := b.versions[version].Object(pair.Old); object != nil {
				old = cmp.Or(fieldAt(object.Type(), field.Old), old) // the latest counts
			}
		}
		if old == nil {
			t.Errorf("%s: %s of client-go has no field %s", field.Pos, pair.Old, field.Old)
		}
		switch {
		case field.New != "":
			if found := fieldAt(now, field.New); found == nil {
				t.Errorf("%s: %s has no field %s", field.Pos, pair.New, field.New)
			} else if old != nil && single(old, found) {
				t.Errorf("%s: %s has several values, and %s only one", field.Pos, field.Old, field.New)
			}
			if field.Meaning == "" && fieldAt(now, field.Old) != nil {
				t.Errorf("%s: %s has a field %s, too", field.Pos, pair.New, field.Old)
			}
		case field.Note == "":
			t.Errorf("%s: say what becomes of %s", field.Pos, field.Old)
		}
	}
}

// fieldAt follows a path of fields through pointers and slices, and returns the last.
func fieldAt(t types.Type, path string) *types.Var {
	var found *types.Var
	for name := range strings.SplitSeq(path, ".") {
		if slice, ok := bare(t).Underlying().(*types.Slice); ok {
			t = slice.Elem()
		}
		object, _, _ := types.LookupFieldOrMethod(bare(t), true, nil, name)
		field, ok := object.(*types.Var)
		if !ok {
			return nil
		}
		found, t = field, field.Type()
	}
	return found
}
