package serviceapi

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"example.com/serviceapi/internal/pages"
	"example.com/serviceapi/internal/redact"
)

// call describes a call of the service. It does not change once it is sent: a [sending]
// and its [outcome] hold the state that does.
type call struct {
	config *config
	// ctx is the context of the caller.
	ctx      context.Context
	method   string
	endpoint Endpoint
	options  *callOptions
	use      bodyUse
	// result is the type that the response is decoded into, nil if it is not decoded.
	result reflect.Type
	payload
	// list is the query of the first page of a list, and query is that of one page. If that
	// may repeat the page before, before is the sum of this one.
	list, before string
	// onHeader is called with the header of a successful response before its body
	// is read.
	onHeader func(http.Header)
}

// using returns the client of a service, or nil for a service of a client that was not
// made by [NewClient]. Calls refuse a nil client.
func using[S ~struct{ client *Client }](s *S) *Client {
	if s == nil {
		return nil
	}
	return service(*s).client
}

// made reports whether the client was made by [NewClient] or [Client.With].
func (c *Client) made() bool { return c != nil && c.config.types != nil }

// newCall prepares a call and checks all that can be checked before sending. An
// [*ArgumentError] gets the name of the call here.
func newCall(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*call, error) {
	cl, err := prepare(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, ofCall(method, e.template, err)
	}
	return cl, nil
}

// knows returns an error if the endpoint has no address at the client's instance.
func (c *Client) knows(e Endpoint) error {
	switch {
	case !c.made():
		return badArgument("client", "was not made by NewClient")
	case e.err != nil:
		return e.err
	case e.path == "":
		return badArgument("endpoint", "was not made by Route or EscapedPath")
	}
	return nil
}

func prepare(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*call, error) {
	if ctx == nil {
		return nil, badArgument("context", "is nil")
	}
	if err := c.knows(e); err != nil {
		return nil, err
	}
	cl := &call{config: &c.config, ctx: ctx, method: method, endpoint: e, options: &c.config.options}
	if len(opts) > 0 {
		if err := cl.ownOptions().apply(opts); err != nil {
			return nil, err
		}
	}
	cl.payload = payload{
		pageToken: cl.options.pageToken, types: c.config.types,
		fields: cl.options.bodyFields, progress: cl.options.progress,
	}
	if in != nil {
		if err := in.encode(&cl.payload); err != nil {
			return nil, err
		}
	}
	if len(cl.fields) > 0 {
		if cl.mediaType == "" {
			return nil, errNoBody(cl.fields[0].name)
		}
		for _, f := range cl.fields {
			cl.secrets = secretsIn(cl.secrets, reflect.ValueOf(f.value), 0)
		}
	}
	options := cl.query
	if len(cl.options.query) > 0 {
		cl.addQuery()
	}
	if token := cl.pageToken; token != "" {
		if err := cl.continueAt(token, options); err != nil {
			return nil, err
		}
	}
	cl.list = cl.query
	return cl, nil
}

// ownOptions gives the call a copy of its options, and returns it to be changed. Until then,
// the options are those of the client, or of the call that this one is a copy of.
func (cl *call) ownOptions() *callOptions {
	own := *cl.options
	cl.options = &own
	return &own
}

// sensitive reports whether the response may hold a secret, which no error and no
// dump may quote.
func (cl *call) sensitive() bool { return cl.types.mayHoldSecret(cl.result) }

// mayRepeat reports whether the call may be sent again although the first
// attempt may have been executed.
func (cl *call) mayRepeat() bool {
	if cl.options.retry.RetryUnsafe || cl.endpoint.reads {
		return true
	}
	switch cl.method {
	case http.MethodGet, http.MethodHead:
		return true
	case http.MethodPut, http.MethodDelete:
		return cl.options.retry.RetryIdempotent && !cl.endpoint.repeatUnsafe
	}
	return false
}

// at returns a copy of cl for the page with this query.
func (cl *call) at(ctx context.Context, query string) *call {
	next := *cl
	if next.query != query {
		next.query, next.before = query, ""
	}
	next.ctx = ctx
	return &next
}

// addQuery merges the caller's own parameters into the endpoint's.
func (cl *call) addQuery() {
	values := pages.ParseQuery(cl.query)
	maps.Copy(values, cl.options.query)
	cl.query = values.Encode()
}

// tokenOf returns the token of a page of this list, "" for none.
func (cl *call) tokenOf(next string) string { return cl.tokenAfter("", next) }

// tokenAfter is tokenOf for a page that may repeat the one before, which has this sum.
func (cl *call) tokenAfter(before, next string) string {
	if next == "" {
		return ""
	}
	return pages.Token(redact.WithoutQuery(cl.url()), cl.list, cl.query, next, before)
}

// continueAt makes the call ask for the page that the token names. options is the
// query that comes from the options of the call, without the parameters of WithQuery.
func (cl *call) continueAt(token, options string) error {
	list := pages.Request{
		Address: redact.WithoutQuery(cl.url()), Query: cl.query, Options: options, Type: cl.queryType,
	}
	query, before, problem := list.Continue(token)
	if problem != "" {
		return badArgument("page token", problem)
	}
	cl.query, cl.before = query, before
	return nil
}

func (cl *call) url() *url.URL { return cl.config.url(cl.endpoint, cl.query) }

func (c *config) url(e Endpoint, query string) *url.URL {
	path := c.base.Path + e.path
	u := &url.URL{Scheme: c.base.Scheme, Host: c.base.Host, Path: path, RawQuery: query}
	if strings.IndexByte(path, '%') >= 0 {
		// Escaped as Route wrote it: %2F must not become a slash.
		if plain, err := url.PathUnescape(path); err == nil {
			u.Path, u.RawPath = plain, path
		}
	}
	return u
}

// expectContinueFrom is the size from which an upload waits for the service to
// agree before it sends its body.
const expectContinueFrom = 1 << 20

// header returns the header of a request, with the credential. Each request needs its own,
// because a middleware may change it.
func (cl *call) header(auth authorization) http.Header {
	values := []string{"application/json", cl.config.userAgent, auth.value, cl.mediaType}
	h := http.Header{"Accept": values[:1:1], "User-Agent": values[1:2:2]}
	if auth.header != "" {
		h[auth.header] = values[2:3:3]
	}
	if cl.use == streamBody {
		h["Accept"] = []string{"*/*"}
		// The length, the ranges and the checksum of a stream are those of the stored
		// bytes, so it must not be compressed on the way.
		h["Accept-Encoding"] = []string{"identity"}
	}
	for name, own := range cl.options.header {
		if strings.HasSuffix(name, "Idempotency-Key") && !cl.mayRepeat() {
			// With the canonical name, net/http would send a write again on its own,
			// over another connection.
			name = strings.ToLower(name)
		}
		h[name] = slices.Clone(own)
	}
	if cl.mediaType != "" {
		h["Content-Type"] = values[3:]
		if n := cl.bodyLength(); n < 0 || n >= expectContinueFrom {
			h["Expect"] = []string{"100-continue"}
		}
	}
	if !cl.options.sudo.IsZero() {
		h["Sudo"] = []string{cl.options.sudo.reference.String()}
	}
	return h
}
