package wiretests

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/pages"
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
	status  = wire.Status
	okJob   = status(200, `{"id":8}`)
)

// onWire returns a client whose transport expects exactly these exchanges, in
// order. It cannot be used in parallel tests.
func onWire(t *testing.T, exchanges ...exchange) *serviceapi.Client {
	t.Helper()
	client, err := serviceapi.NewClient(wireHost, serviceapi.PrivateToken(wire.Token),
		serviceapi.WithHTTPClient(wire.Expect(t, exchanges...)),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return client
}

// assertRefused checks that an argument was refused before anything was sent.
func assertRefused(t testing.TB, argument string, err error) {
	t.Helper()
	var problem *serviceapi.ArgumentError
	require.ErrorAs(t, err, &problem)
	assert.Equal(t, argument, problem.Argument)
	assert.NotEmpty(t, problem.Problem)
}

// scriptedClient returns a client whose transport responds from a script.
func scriptedClient(
	t *testing.T, policy serviceapi.RetryPolicy, replies ...func(*http.Request) (*http.Response, error),
) (*serviceapi.Client, *wire.Script) {
	t.Helper()
	s := &wire.Script{Replies: replies}
	client, err := serviceapi.NewClient(wireHost, serviceapi.PrivateToken("x"),
		serviceapi.WithHTTPClient(&http.Client{Transport: s}), serviceapi.WithRetry(policy))
	require.NoError(t, err)
	return client, s
}

// serve returns a client of a server, which ends with the test.
func serve(
	t testing.TB, handler http.HandlerFunc, opts ...serviceapi.Option,
) (*serviceapi.Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	quick := serviceapi.WithRetry(serviceapi.RetryPolicy{MinWait: time.Millisecond, MaxWait: 2 * time.Second})
	opts = append([]serviceapi.Option{quick}, opts...)
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("token-S3cr3t-S3cr3t"), opts...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client, server
}

// decoded reads a result as a program does that has stored its JSON.
func decoded[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	require.NoError(t, json.Unmarshal([]byte(text), v))
	return v
}

func second(_ *serviceapi.Response, err error) error { return err }

// queryOfToken returns the query that a page token stands for.
func queryOfToken(t testing.TB, token string) string {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Greater(t, len(data), pages.MarkerSize)
	return string(data[pages.MarkerSize:])
}

// ownedList has the two forms of a list with several kinds of owners.
type ownedList[O, P, T any] struct {
	list func(context.Context, O, P, ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error)
	all  func(context.Context, O, P, ...serviceapi.RequestOption) iter.Seq2[T, error]
}

// ownedExchanges are the requests of ownedList.wants.
func ownedExchanges(path, query, fixture string) []exchange {
	filtered := exchange{Method: "GET", Path: path, Query: query, Fixture: fixture}
	return []exchange{filtered, {Method: "GET", Path: path, Body: "[]"}, filtered}
}

// wants calls both forms with the options, which have a page size, and one form
// without options.
func (l ownedList[O, P, T]) wants(t *testing.T, owner O, options P, want []T) {
	t.Helper()
	items, _, err := l.list(t.Context(), owner, options)
	require.NoError(t, err)
	assert.Equal(t, want, items)

	var none P
	items, _, err = l.list(t.Context(), owner, none)
	require.NoError(t, err)
	assert.Empty(t, items)

	items, err = serviceapi.Collect(l.all(t.Context(), owner, options))
	require.NoError(t, err)
	assert.Equal(t, want, items)
}

// withoutOwner makes an ownedList of the two forms of a list that has no owner.
func withoutOwner[P, T any](
	list func(context.Context, P, ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error),
	all func(context.Context, P, ...serviceapi.RequestOption) iter.Seq2[T, error],
) ownedList[any, P, T] {
	return ownedList[any, P, T]{
		func(ctx context.Context, _ any, p P, o ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error) {
			return list(ctx, p, o...)
		},
		func(ctx context.Context, _ any, p P, o ...serviceapi.RequestOption) iter.Seq2[T, error] {
			return all(ctx, p, o...)
		},
	}
}

// refuses checks that both forms refuse an argument before anything is sent.
func (l ownedList[O, P, T]) refuses(t *testing.T, argument string, options P, owners ...O) {
	t.Helper()
	for _, owner := range owners {
		_, _, err := l.list(t.Context(), owner, options)
		assertRefused(t, argument, err)
		_, err = serviceapi.Collect(l.all(t.Context(), owner, options))
		assertRefused(t, argument, err)
	}
}

// A pointer to a reference has the methods of the reference, so it compiles as
// an owner. But it may be nil.
var (
	somewhere  = serviceapi.ProjectID(4)
	someTeam   = serviceapi.GroupID(7)
	someone    = serviceapi.UserID(3)
	everything = serviceapi.Instance
	mine       = serviceapi.Own
)
