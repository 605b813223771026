package wiretests

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestErrorsThatAProxyEncodes checks that the error of a download, which accepts no encoding, is
// read if a proxy encodes it all the same, and that bytes which nobody can read are not shown.
func TestErrorsThatAProxyEncodes(t *testing.T) {
	const body = `{"message":"404 Artifact Not Found"}`
	encoders := map[string]func(io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	}
	for _, tc := range []struct{ encoding, encoder, want string }{
		{"gzip", "gzip", "404 Artifact Not Found"}, {"X-GZIP", "gzip", "404 Artifact Not Found"},
		{"deflate", "deflate", "404 Artifact Not Found"}, {"br", "gzip", "Not Found"}, {"gzip", "deflate", "Not Found"},
	} {
		var encoded bytes.Buffer
		encoder := encoders[tc.encoder](&encoded)
		_, err := io.WriteString(encoder, body)
		require.NoError(t, err)
		require.NoError(t, encoder.Close())
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "identity", r.Header.Get("Accept-Encoding"))
			w.Header().Set("Content-Encoding", tc.encoding)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			w.Write(encoded.Bytes())
		})
		_, _, err = client.JobArtifacts.Download(t.Context(), serviceapi.ProjectID(1), 2, nil)
		var e *serviceapi.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, tc.want, e.Message, "%s as %s", tc.encoder, tc.encoding)
		assert.NotContains(t, string(e.Body), "\x1f\x8b")
	}
}
