package jsonx

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestText(t *testing.T) {
	for value, want := range map[string]string{
		`"a"`: "a", `""`: "", `"ä ✓"`: "ä ✓", `"a\nb"`: "a\nb", `"\u0041"`: "A", "\"a\xff\"": "a\uFFFD",
		"": "", "null": "", "7": "", `["a"]`: "", `"`: "", `"a`: "a",
	} {
		assert.Equal(t, want, Text([]byte(value)), value)
	}
}

func TestPlain(t *testing.T) {
	for _, value := range []string{`""`, `"a"`, `"ä"`} {
		content, ok := Plain([]byte(value))
		assert.True(t, ok, value)
		assert.Equal(t, value[1:len(value)-1], string(content))
	}
	for _, value := range []string{"", `"`, "a", `"a`, `a"`, `"a\nb"`, `"a"b"`, "\"a\nb\"", "\"\xff\"", "null", "7"} {
		_, ok := Plain([]byte(value))
		assert.False(t, ok, value)
	}
}

func TestKinds(t *testing.T) {
	assert.True(t, IsNull([]byte(" null\n")))
	assert.False(t, IsNull([]byte(`"null"`)))
	assert.False(t, IsNull(nil))
	assert.True(t, IsString([]byte(` "a"`)))
	assert.False(t, IsString([]byte("null")))
	assert.False(t, IsString(nil))
}

// FuzzText checks that a string that encoding/json can read is read alike.
func FuzzText(f *testing.F) {
	for _, seed := range []string{`"a"`, `"\ud83d\ude00"`, `"\ud800"`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want string
		if json.Unmarshal(data, &want) == nil && IsString(data) && data[0] == '"' && data[len(data)-1] == '"' {
			if got := Text(data); got != want {
				t.Fatalf("%q: %q instead of %q", data, got, want)
			}
		}
	})
}
