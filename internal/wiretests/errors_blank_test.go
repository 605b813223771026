package wiretests

import (
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestErrorsWithoutAMessage checks that the message of an error is the name of its status if the
// response says nothing, in whatever form.
func TestErrorsWithoutAMessage(t *testing.T) {
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, body)
	})
	for _, body = range []string{
		``, ` `, `{}`, `[]`, `null`, `""`, `{"message":null}`, `{"error":null}`, `{"message":{"base":[null]}}`,
		`{"errors":[]}`, `{"message":""}`,
	} {
		_, _, err := client.Jobs.Get(t.Context(), serviceapi.ProjectID(1), 2)
		var e *serviceapi.Error
		require.ErrorAs(t, err, &e, body)
		assert.Equal(t, "Bad Request", e.Message, body)
		assert.Nil(t, e.Fields, body)
	}
}
