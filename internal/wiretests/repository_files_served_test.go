package wiretests

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRepositoryFileWithLessSaid checks that a file keeps its content if the service, or what
// stands before it, says less about it, and that what it says is still compared.
func TestRepositoryFileWithLessSaid(t *testing.T) {
	const path = "/api/v4/projects/7/repository/files/docs%2Fa.txt"
	for body, want := range map[string]string{
		`{"content":"SGVsbG8K"}`:                                                    "",
		`{"content":"SGVsbG8K","encoding":"base64"}`:                                "",
		`{"content":"SGVsbG8K","size":6}`:                                           "",
		`{"content":"SGVsbG8K","size":null,"encoding":null}`:                        "",
		`{"content":"SGVsbG8K","size":0}`:                                           "6 bytes instead of 0",
		`{"content":"SGVsbG8K","size":7,"encoding":null}`:                           "6 bytes instead of 7",
		`{"content":"SGVsbG8K","encoding":"text"}`:                                  "unknown encoding",
		`{"content":"SGVsbG8K","content_sha256":"` + strings.Repeat("0", 64) + `"}`: "checksum",
	} {
		client, server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		file, _, err := client.RepositoryFiles.Get(t.Context(), serviceapi.ProjectID(7), "docs/a.txt",
			&serviceapi.GetRepositoryFileOptions{Ref: "main"})
		require.NotNil(t, file, body)
		if want == "" {
			require.NoError(t, err, body)
			assert.Equal(t, "Hello\n", string(file.Content), body)
			assert.EqualValues(t, 6, file.Size, body)
			continue
		}
		var decode *serviceapi.DecodeError
		require.ErrorAs(t, err, &decode, body)
		assert.Nil(t, file.Content, body)
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, server.URL+path, "the URL that was read")
		assert.Equal(t, server.URL+path, decode.URL)
		assert.NotContains(t, err.Error(), "SGVs")
	}
}
