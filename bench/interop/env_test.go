package interop

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// These are paths that most tests use.
const (
	app  = "acme/app"
	acme = "acme"
)

// env is an embedded service, and an administrator's client of it.
type env struct {
	*testing.T
	svc   *servicetest.Service
	admin *clientgo.Client
}

func start(t *testing.T) *env {
	t.Helper()
	var opts []servicetest.Option
	if vendor != "" {
		opts = []servicetest.Option{servicetest.Vendor(vendor), servicetest.WithoutJobTotals()}
	}
	e := &env{T: t, svc: servicetest.New(t, opts...)}
	e.admin = e.client(e.svc.AdminToken())
	t.Cleanup(func() { called.note(e.svc) })
	return e
}

// client returns a client with an access token.
func (e *env) client(token string) *clientgo.Client {
	e.Helper()
	c, err := clientgo.NewClient(token, e.options()...)
	require.NoError(e, err)
	return c
}

// as returns the client of a user.
func (e *env) as(user *servicetest.User) *clientgo.Client {
	e.Helper()
	return e.client(e.svc.Token(user))
}

func (e *env) options() []clientgo.ClientOptionFunc {
	return []clientgo.ClientOptionFunc{
		clientgo.WithBaseURL(e.svc.URL()),
		clientgo.WithHTTPClient(&http.Client{Transport: keeper{}}),
	}
}

// keeper keeps the body of each response, unnoticed by the client.
type keeper struct{}

// keptBody is a body that keeps what was read from it.
type keptBody struct {
	io.Reader
	io.Closer
	read bytes.Buffer
}

func (keeper) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kept := &keptBody{Closer: resp.Body}
	kept.Reader = io.TeeReader(resp.Body, &kept.read)
	resp.Body = kept
	return resp, nil
}

func bodyOf(t *testing.T, resp *clientgo.Response) []byte {
	t.Helper()
	kept, ok := resp.Body.(*keptBody)
	require.True(t, ok, "the body was not kept")
	return kept.read.Bytes()
}

// answer is what a call of the client returned.
type answer[T any] struct {
	value T
	resp  *clientgo.Response
	err   error
}

// got takes the results of a call that returns a value.
func got[T any](value T, resp *clientgo.Response, err error) answer[T] {
	return answer[T]{value, resp, err}
}

// done takes the results of a call that returns only a status.
func done(resp *clientgo.Response, err error) answer[any] { return answer[any]{nil, resp, err} }

// ok checks that a call succeeded with a status, and that the client decoded
// every member of the response as it was sent.
func (a answer[T]) ok(e *env, status int) T {
	e.Helper()
	require.NoError(e, a.err)
	require.Equal(e, status, a.resp.StatusCode)
	if any(a.value) != nil {
		sameAsSent(e.T, bodyOf(e.T, a.resp), a.value)
	}
	return a.value
}

// raw is like ok, for responses that are not JSON.
func (a answer[T]) raw(e *env) T {
	e.Helper()
	require.NoError(e, a.err)
	require.Equal(e, http.StatusOK, a.resp.StatusCode)
	return a.value
}

// refused checks that a call returned an error.
func (a answer[T]) refused(e *env, status int) {
	e.Helper()
	require.Error(e, a.err)
	require.NotNil(e, a.resp, "%v", a.err)
	require.Equal(e, status, a.resp.StatusCode, "%v", a.err)
}

// request makes a call that the client has no method for.
func request[T any](
	c *clientgo.Client, method, path string, options any, opts ...clientgo.RequestOptionFunc,
) answer[T] {
	var value T
	req, err := c.NewRequest(method, path, options, opts)
	if err != nil {
		return answer[T]{err: err}
	}
	resp, err := c.Do(req, &value)
	return answer[T]{value, resp, err}
}

// lister is a method that lists.
type lister[T any] = func(...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error)

// pageSize is small, so that a short list has several pages.
const pageSize = 2

func smallPages(req *retryablehttp.Request) error {
	q := req.URL.Query()
	q.Set("per_page", "2")
	req.URL.RawQuery = q.Encode()
	return nil
}

// walk reads a list of more than one page as client-go does: by the link to the
// next page.
func walk[T any](e *env, list lister[T]) []T {
	e.Helper()
	var all []T
	pages, total := 0, int64(0)
	for item, err := range clientgo.Scan2(func(page clientgo.PaginationOptionFunc) ([]T, *clientgo.Response, error) {
		items, resp, err := list(smallPages, page)
		if err == nil {
			require.LessOrEqual(e, len(items), pageSize)
			sameAsSent(e.T, bodyOf(e.T, resp), items)
			pages++
			total = resp.TotalItems
		}
		return items, resp, err
	}) {
		require.NoError(e, err)
		all = append(all, item)
	}
	require.Greater(e, pages, 1, "the list has too few items to be cut into pages")
	if total > 0 {
		require.EqualValues(e, total, len(all), "X-Total")
	}
	return all
}

// walk0, walk1 and walk2 walk with a method of the client that has this many
// arguments before the options.
func walk0[O, T any](
	e *env, list func(O, ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error), options O,
) []T {
	e.Helper()
	return walk(e, func(opts ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error) {
		return list(options, opts...)
	})
}

func walk1[A, O, T any](
	e *env, list func(A, O, ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error), a A, options O,
) []T {
	e.Helper()
	return walk(e, func(opts ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error) {
		return list(a, options, opts...)
	})
}

func walk2[A, B, O, T any](
	e *env, list func(A, B, O, ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error), a A, b B, options O,
) []T {
	e.Helper()
	return walk(e, func(opts ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error) {
		return list(a, b, options, opts...)
	})
}

// walkPath walks a list that the client has no method for.
func walkPath[T any](e *env, path string) []T {
	e.Helper()
	return walk(e, func(opts ...clientgo.RequestOptionFunc) ([]T, *clientgo.Response, error) {
		a := request[[]T](e.admin, http.MethodGet, path, nil, opts...)
		return a.value, a.resp, a.err
	})
}

// each returns one property of every item.
func each[T, V any](items []T, of func(T) V) []V {
	values := make([]V, len(items))
	for i, item := range items {
		values[i] = of(item)
	}
	return values
}
