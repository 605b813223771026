package serviceapi

import (
	stdjson "encoding/json"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnknownMembersSurvive checks decoding and encoding, also with the
// standard library's JSON package.
func TestUnknownMembersSurvive(t *testing.T) {
	const text = `{"change":"visibility","from":20,"target_id":"a/b","ip_address":"10.0.0.1","odd":["x",1],"zoo":null}`
	for name, unmarshal := range map[string]func([]byte, any) error{
		"v1": stdjson.Unmarshal,
		"v2": func(data []byte, v any) error { return json.Unmarshal(data, v) },
	} {
		var d AuditEventDetails
		require.NoError(t, unmarshal([]byte(text), &d), name)
		assert.Equal(t,
			map[string]stdjson.RawMessage{"odd": stdjson.RawMessage(`["x",1]`), "zoo": stdjson.RawMessage("null")},
			d.Extra, name)
		assert.Equal(t, "visibility", d.Change.String(), name)
		for _, marshal := range []func(any) ([]byte, error){stdjson.Marshal,
			func(v any) ([]byte, error) { return json.Marshal(v) }} {
			data, err := marshal(d)
			require.NoError(t, err)
			assert.JSONEq(t, text, string(data), name)
		}
	}
	var d AuditEventDetails
	require.NoError(t, json.Unmarshal([]byte(`null`), &d))
	data, err := json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(data))
	d.Extra = map[string]stdjson.RawMessage{"a": stdjson.RawMessage("1")}
	data, err = json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, `{"a":1}`, string(data))
	assert.Error(t, json.Unmarshal([]byte(`{"author_name":5,"x":1}`), &d))
	assert.Contains(t, d.Extra, "x", "a member of the wrong type costs no other")
}
