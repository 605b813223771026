package serviceapi

import (
	"net/http"
	"testing"

	"example.com/serviceapi/internal/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const wireHost = wire.Host

// exchange is a request that a test expects, and the response to it.
type exchange = wire.Exchange

var (
	fixture = wire.Fixture
	at      = wire.At
)

// onWire returns a client whose transport expects exactly these exchanges, in
// order. It cannot be used in parallel tests.
func onWire(t *testing.T, exchanges ...exchange) *Client {
	t.Helper()
	client, err := NewClient(wireHost, PrivateToken(wire.Token), WithHTTPClient(wire.Expect(t, exchanges...)),
		WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return client
}

// assertRefused checks that an argument was refused before anything was sent.
func assertRefused(t testing.TB, argument string, err error) {
	t.Helper()
	var problem *ArgumentError
	require.ErrorAs(t, err, &problem)
	assert.Equal(t, argument, problem.Argument)
	assert.NotEmpty(t, problem.Problem)
}

func jobIs(s JobStatus) func(*http.Request) (*http.Response, error) {
	return status(200, `{"id":8,"status":"`+string(s)+`"}`)
}

func exportState(state ExportState) string {
	return `{"id":7,"path_with_namespace":"acme/engine","export_status":"` + string(state) + `"}`
}

// errorOf is the error of a call.
func errorOf[T any](_ T, _ *Response, err error) error { return err }
