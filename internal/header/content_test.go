package header

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestContentRangeIsRead checks every form of Content-Range.
func TestContentRangeIsRead(t *testing.T) {
	for value, want := range map[string]Range{
		"bytes 10-99/100": {10, 99, 100}, "bytes 0-0/1": {0, 0, 1}, "bytes 5-9/*": {5, 9, -1},
	} {
		got, err := parseRange(value)
		require.NoError(t, err, value)
		assert.Equal(t, want, got, value)
	}
	for _, value := range []string{
		"", "bytes", "bytes */100", "bytes 10-99", "bytes 10/100", "10-99/100", "items 1-2/3", "bytes a-99/100",
		"bytes 10-b/100", "bytes 10-99/c",
		"bytes 99-10/100", "bytes 10-100/100", "bytes -5-9/10", "bytes 10-99/-1", "bytes 10-99/99999999999999999999",
		"bytes 9223372036854775808-9223372036854775809/*",
		"bytes 0-0/0", "bytes 10-/100", "bytes -99/100",
	} {
		_, err := parseRange(value)
		assert.Error(t, err, value)
	}
}

func TestStrongTags(t *testing.T) {
	for _, tag := range []string{`""`, `"a"`, `"a b,c"`} {
		assert.True(t, IsStrongTag(tag), tag)
	}
	for _, tag := range []string{``, `"`, `a`, `W/"a"`, `"a`, `a"`, `"a"b`, `"a""`, `"a", "b"`, "\"a\nb\""} {
		assert.False(t, IsStrongTag(tag), tag)
	}
}

// TestDownloadNamesShowWhatTheyAre checks that invisible formatting characters
// cannot make a program look like a picture, or dots look like a name.
func TestDownloadNamesShowWhatTheyAre(t *testing.T) {
	for name, want := range map[string]string{
		"invoice\u202Egpj.exe":             "invoicegpj.exe",
		"a\u200Bb\u2066c\u2069\uFEFFd.zip": "abcd.zip",
		"a\u2028b\u2029c":                  "abc",
		".\u202E.":                         "",
		"\u200B":                           "",
		"größe ✓.zip":                      "größe ✓.zip",
	} {
		disposition := "attachment; filename*=UTF-8''"
		for _, b := range []byte(name) {
			disposition += fmt.Sprintf("%%%02X", b)
		}
		assert.Equal(t, want, FileName(disposition), name)
	}
}

func TestHostileFileNames(t *testing.T) {
	for disposition, want := range map[string]string{
		``: ``, `attachment`: ``, `attachment; filename=..`: ``, `attachment; filename="a/.."`: ``,
		`attachment; filename="C:\\x\\evil.exe"`: `evil.exe`,
		`attachment; filename="/etc/passwd"`:     `passwd`, `attachment; filename*=UTF-8''%C3%BC.zip`: `ü.zip`,
		"attachment; filename=\"a\x01b\"": ``,
		`attachment; filename=plain.zip`:  `plain.zip`, `;;;"`: ``, `attachment; filename="/plain.zip"`: `plain.zip`,
		`attachment; filename=.bashrc`: `_bashrc`, `attachment; filename="-rf"`: `_rf`,
		`attachment; filename="a/.b"`: `_b`,
		`attachment; filename=...`:    `_..`, `attachment; filename=a-b.c`: `a-b.c`, `attachment; filename=_.`: `_.`,
		`attachment; filename=.`: ``, `attachment; filename="a/."`: ``, `attachment; filename=a; filename=b`: ``,
	} {
		assert.Equal(t, want, FileName(disposition), disposition)
	}
}

func TestIsHTML(t *testing.T) {
	for kind, want := range map[string]bool{
		"text/html": true, "Text/HTML; charset=utf-8": true, " text/html ;": true, "application/xhtml+xml": true,
		"": false, "text/plain": false, "application/zip; x=text/html": false, "text/htmlx": false,
	} {
		assert.Equal(t, want, IsHTML(http.Header{"Content-Type": {kind}}), kind)
	}
	assert.False(t, IsHTML(nil))
}
