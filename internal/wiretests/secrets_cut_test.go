package wiretests

import (
	"io"
	"net/http"
	"strconv"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestErrorsThatBreakOffInASecret checks that no beginning of a secret is shown, however short, if
// an error breaks off where it quotes one.
func TestErrorsThatBreakOffInASecret(t *testing.T) {
	const secret = "s3cr3t-t0ken-of-the-test"
	length := 0
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(1000))
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, "this is wrong: "+secret[:length])
		assert.NoError(t, http.NewResponseController(w).Flush())
		panic(http.ErrAbortHandler)
	})
	for length = range len(secret) {
		_, _, err := client.Jobs.Get(t.Context(), serviceapi.ProjectID(1), 2,
			serviceapi.WithCredential(serviceapi.PrivateToken(secret)))
		var e *serviceapi.Error
		require.ErrorAs(t, err, &e)
		assert.Regexp(t, `^this is wrong:( \[redacted\])?$`, e.Message, length)
		assert.NotContains(t, string(e.Body), "s3", length)
	}
}
