package wiretests

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLongUploadsAreNeverComplete checks that a service does not receive all announced bytes of a
// content that has more.
func TestLongUploadsAreNeverComplete(t *testing.T) {
	for _, tc := range []struct {
		size int64
		have int
	}{{100, 1 << 20}, {100, 101}, {1, 2}, {100, 100}, {1, 1}, {200 << 10, 200 << 10}, {200 << 10, 200<<10 + 1}} {
		for name, content := range map[string]func() io.Reader{
			"seekable": func() io.Reader { return strings.NewReader(strings.Repeat("x", tc.have)) },
			"not seekable": func() io.Reader {
				return io.MultiReader(strings.NewReader(strings.Repeat("x", tc.have)))
			},
			"with its end": func() io.Reader {
				return io.LimitReader(bytes.NewReader(bytes.Repeat([]byte("x"), tc.have)), int64(tc.have))
			},
		} {
			complete, read := make(chan bool, 9), make(chan int, 9)
			client, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				data, err := io.ReadAll(r.Body)
				complete <- err == nil
				read <- len(data)
				w.WriteHeader(http.StatusCreated)
				_, _ = io.WriteString(w, `{"id":1}`)
			})
			_, _, err := client.Packages.PublishGeneric(t.Context(), somewhere,
				serviceapi.GenericPackageFile{PackageName: "p", PackageVersion: "1", FileName: "f"},
				serviceapi.PublishGenericPackageOptions{File: serviceapi.Upload{Size: tc.size, Content: content()}})
			exact := int64(tc.have) == tc.size
			if exact {
				require.NoError(t, err, name)
			} else {
				require.ErrorContains(t, err, "longer than the announced", name)
			}
			server.Close()
			for range len(complete) {
				assert.Equal(t, exact, <-complete, "%s: %d of %d", name, tc.size, tc.have)
				assert.Equal(t, exact, int64(<-read) == tc.size, name)
			}
		}
	}
}
