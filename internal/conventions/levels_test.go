package conventions

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"example.com/serviceapi/internal/inventory"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
)

// smallestLevel is how many members a result has at least that is a level of others: names
// such as ID and Name are part of many by chance.
const smallestLevel = 3

// notLevels are results that those with all of their members do not embed, or that the one
// named after it does not, and why.
var notLevels = map[string]string{
	"BlameCommit":                    "what a blame selects; each literal of a commit would name a blame",
	"Email User":                     "the members of an address have the same names by chance",
	"NoteAuthor":                     "what notes say of a user; a user has a UserSummary",
	"ProjectAlias":                   "an ID, a project and a name, which many have",
	"RegistryTag RegistryRepository": "a tag is no part of a repository's own members",
	"WorkItemIteration":              "an iteration is no part of a work item's own members",
	"SSHCertificate":                 "a key with a title, as those of users and of projects are",
	"GPGKey":                         "three members that other keys have, too",
	"TagSignature CommitSignature":   "the signature of a commit is not that of a tag",
	"VulnerabilityProject":           "a group has the same members by chance",
	"Uploader":                       "three members that tokens and service accounts have, too",
}

// TestLevelsEmbed checks that every result that has all members of another one has that one in
// it, so that a function takes both.
func TestLevelsEmbed(t *testing.T) {
	found, used, levels := violations{}, map[string]bool{}, 0
	defer found.check(t, "levels")
	members := map[reflect.Type]map[string]reflect.StructField{}
	for _, typ := range structsOfResults() {
		members[typ] = maps.Collect(inventory.JSONFields(typ))
	}
	for smaller := range members {
		for larger := range members {
			if smaller == larger || !hasAll(members[larger], members[smaller]) {
				continue
			}
			if embeds(larger, smaller) {
				levels++
				continue
			}
			excused := false
			for _, key := range []string{smaller.Name(), smaller.Name() + " " + larger.Name()} {
				excused = excused || notLevels[key] != ""
				used[key] = true
			}
			found.add(!excused, larger.Name(), "has all members of "+smaller.Name()+", but does not embed it")
		}
	}
	for key := range notLevels {
		assert.True(t, used[key], "%s is embedded, or no part of another result", key)
	}
	assert.Positive(t, levels)
}

// hasAll reports whether the members of a result are those of a smaller one and more, with the
// same names, types and tags.
func hasAll(larger, smaller map[string]reflect.StructField) bool {
	for name, field := range smaller {
		member := larger[name]
		if member.Name != field.Name || member.Type != field.Type || member.Tag != field.Tag {
			return false
		}
	}
	return len(smaller) >= smallestLevel && len(smaller) < len(larger)
}

// embeds reports whether a struct has another one in it, by value and at any depth.
func embeds(larger, smaller reflect.Type) bool {
	for field := range larger.Fields() {
		if field.Anonymous && (field.Type == smaller || field.Type.Kind() == reflect.Struct && embeds(field.Type,
			smaller)) {
			return true
		}
	}
	return false
}

// encodings are the interfaces of types that decode or encode themselves.
var encodings = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
	reflect.TypeFor[jsonv2.MarshalerTo](), reflect.TypeFor[jsonv2.UnmarshalerFrom](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	reflect.TypeFor[encoding.TextAppender](),
}

// TestEmbeddedLevelsArePlain checks that an embedded level comes first, by value and without a
// tag, and that nothing of it hides, or is hidden by, what the larger one has. It has no method
// that decodes or encodes: the larger level would then be decoded as the smaller one. Its other
// methods are written again for the larger one, because one that is promoted panics for nil.
func TestEmbeddedLevelsArePlain(t *testing.T) {
	found, embedded := violations{}, 0
	defer found.check(t, "levels")
	written := map[string]bool{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil {
			written[funcName(f)] = true
		}
	}
	for _, larger := range structsOfResults() {
		for level := range larger.Fields() {
			if !level.Anonymous || !inventory.HasMembers(larger) {
				continue // a field, or a scalar such as a date
			}
			embedded++
			name, pointer := larger.Name(), reflect.PointerTo(level.Type)
			found.add(level.Index[0] != 0 || level.Type.Kind() != reflect.Struct || level.Tag != "", name,
				level.Name+" is not the first field, a pointer or has a tag")
			for _, encodes := range encodings {
				found.add(pointer.Implements(encodes), name, level.Name+" is a "+encodes.Name())
			}
			for method := range pointer.Methods() {
				found.add(!written[name+"."+method.Name], name, method.Name+" is that of "+level.Name)
			}
			for _, field := range reflect.VisibleFields(level.Type) {
				same, ok := larger.FieldByName(field.Name)
				found.add(!ok || same.Index[0] != 0, name, "hides "+level.Name+"."+field.Name)
			}
		}
	}
	assert.Positive(t, embedded)
}
