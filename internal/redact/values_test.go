package redact

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHideIn checks that a secret is hidden everywhere in a value, and that nothing else changes.
func TestHideIn(t *testing.T) {
	type text string
	type inner struct{ Text text }
	type outer struct {
		inner
		Plain   string
		Pointer *string
		Struct  *inner
		List    []inner
		Texts   map[string][]text
		Any     any
		Raw     json.RawMessage
		Number  json.RawMessage
		None    json.RawMessage
		NoRaw   []byte
		Nil     *inner
		NilMap  map[string]string
		NilAny  any
		Count   int
		hidden  string
	}
	make := func(s string) *outer {
		return &outer{
			inner: inner{text(s)}, Plain: "a " + s, Pointer: &s, Struct: &inner{text(s)}, List: []inner{{text(s)}},
			Texts: map[string][]text{s: {text(s)}, "key": {"x"}}, Any: map[string]any{"a": []any{s, 7.0}},
			Raw: json.RawMessage(fmt.Sprintf(`{"a":%q}`, s)), Number: json.RawMessage("12345678901234567890"),
			NoRaw: []byte{1}, Count: 3,
		}
	}
	const secret = "s3cr3t/value"
	var r Redactor
	r.Add(secret, "12345678901234567890")
	v := make(secret)
	r.HideIn(v)
	want := make(Placeholder)
	want.Number = json.RawMessage(`"` + Placeholder + `"`)
	assert.Equal(t, want, v)
	assert.Nil(t, v.None)

	v = &outer{Raw: json.RawMessage("broken"), hidden: secret}
	r.HideIn(v)
	assert.Equal(t, &outer{Raw: json.RawMessage(`"` + Placeholder + `"`), hidden: secret}, v)
	new(Redactor).HideIn(v)
	r.HideIn((*outer)(nil))
}

// TestHideInEnds checks that the search ends in a value that contains itself.
func TestHideInEnds(t *testing.T) {
	type loop struct {
		Next *loop
		Text string
	}
	l := &loop{Text: "s3cr3t/value"}
	l.Next = l
	var r Redactor
	r.Add("s3cr3t/value")
	r.HideIn(l)
	assert.Equal(t, Placeholder, l.Text)
}
