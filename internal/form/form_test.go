package form

import (
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOf checks objects and lists of any depth, and null as an empty string.
func TestOf(t *testing.T) {
	values, err := Of([]byte(`{"text": "a\"b", "number": 1.5, "yes": true, "no": false, "null": null,
		"object": {"a": 1, "b": {"c": "d"}}, "list": [1, "two", null, [3], {"x": 4}], "nothing": [], "empty": {}}`))
	require.NoError(t, err)
	assert.Equal(t, url.Values{
		"text": {`a"b`}, "number": {"1.5"}, "yes": {"true"}, "no": {"false"}, "null": {""},
		"object[a]": {"1"}, "object[b][c]": {"d"}, "list[]": {"1", "two", ""}, "list[][]": {"3"}, "list[][x]": {"4"},
	}, values)
	values, err = Of([]byte("null"))
	require.NoError(t, err)
	assert.Empty(t, values)
	assert.NotNil(t, values, "fields can be added")
	for _, bad := range []string{"", "7", `"text"`, "[1]", `{"a":`} {
		_, err := Of([]byte(bad))
		assert.Error(t, err, bad)
	}
}

func TestOverlaps(t *testing.T) {
	fields := slices.Values([]string{"a[b]", "c", "d[]"})
	for name, want := range map[string]bool{
		"a": true, "a[b]": true, "a[b][c]": true, "a[c]": false, "c": true, "c[x]": true, "cc": false,
		"d": true, "e": false,
	} {
		assert.Equal(t, want, Overlaps(name, fields), name)
	}
}
