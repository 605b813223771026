package serviceapi

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// bodyUse says what a call does with the body of a successful response.
type bodyUse uint8

const (
	decodeBody  bodyUse = iota // read whole, then decoded
	discardBody                // not wanted
	streamBody                 // handed to the caller as it comes
)

// call is what is asked of the service. It does not change after it is made:
// the attempts to send it are a [sending], and their outcome is an [answer].
type call struct {
	client *Client
	// parent is the caller's context, ctx the one that requests carry.
	parent, ctx context.Context
	method      string
	endpoint    Endpoint
	options     callOptions
	use         bodyUse
	// sensitive marks a response that may hold a secret, which no error may quote.
	sensitive bool
	payload
	// onHeader is called with the header of a successful response before its body
	// is read.
	onHeader func(http.Header)
}

type callKey struct{}

// Operation returns the path of the call that a request's context belongs to,
// with the names of its arguments: "/projects/:id/jobs/:job_id". A [Middleware]
// can use it to name spans and metrics. It is "" for any other context.
func Operation(ctx context.Context) string {
	if cl, ok := ctx.Value(callKey{}).(*call); ok {
		return cl.endpoint.template
	}
	return ""
}

// newCall prepares a call and checks all that can be checked before sending. An
// [*ArgumentError] gets the name of the call here.
func newCall(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*call, error) {
	cl, err := prepare(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, ofCall(method, e.template, err)
	}
	return cl, nil
}

func prepare(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*call, error) {
	switch {
	case c == nil || c.http == nil:
		return nil, &ArgumentError{Argument: "client", Problem: "was not made by NewClient"}
	case ctx == nil:
		return nil, &ArgumentError{Argument: "context", Problem: "is nil"}
	case e.err != nil:
		return nil, e.err
	case e.path == "":
		return nil, &ArgumentError{Argument: "endpoint", Problem: "was not made by Route or EscapedPath"}
	}
	cl := &call{client: c, method: method, endpoint: e}
	if err := cl.options.apply(&c.config, opts); err != nil {
		return nil, err
	}
	cl.payload = payload{
		pageToken: cl.options.pageToken, fields: cl.options.bodyFields, progress: cl.options.progress, types: c.config.types,
	}
	if in != nil {
		if err := in.encode(&cl.payload); err != nil {
			return nil, err
		}
	}
	if err := cl.checkFields(); err != nil {
		return nil, err
	}
	cl.addQuery()
	if token := cl.pageToken; token != "" {
		if err := cl.continueAt(token); err != nil {
			return nil, err
		}
	}
	cl.bind(ctx)
	return cl, nil
}

// expect says what the response will be decoded into.
func (cl *call) expect(t reflect.Type) { cl.sensitive = cl.types.of(t).secret }

// bind makes ctx the context of the call.
func (cl *call) bind(ctx context.Context) {
	cl.parent = ctx
	cl.ctx = context.WithValue(ctx, callKey{}, cl)
}

// at returns a copy of cl for the page with this query.
func (cl *call) at(ctx context.Context, query string) *call {
	next := *cl
	next.query = query
	next.bind(ctx)
	return &next
}

// addQuery merges the caller's own parameters into the endpoint's.
func (cl *call) addQuery() {
	if len(cl.options.query) == 0 {
		return
	}
	values := parseQuery(cl.query)
	maps.Copy(values, cl.options.query)
	cl.query = values.Encode()
}

func (cl *call) url() *url.URL {
	base := &cl.client.config.base
	path := base.path
	if cl.endpoint.root == apiRoot {
		path += apiPrefix
	}
	path += cl.endpoint.path
	u := &url.URL{Scheme: base.scheme, Host: base.host, Path: path, RawQuery: cl.query}
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

// header returns the header of a request, all but the credential.
func (cl *call) header() http.Header {
	h := make(http.Header, 8)
	// The values of one request share an array, but no two requests do: a
	// middleware may change them.
	values := make([]string, 0, 8)
	set := func(name, value string) {
		n := len(values)
		values = append(values, value)
		h[name] = values[n : n+1 : n+1]
	}
	if cl.use == streamBody {
		set("Accept", "*/*")
		// A stream is asked for as it is stored: its length, its ranges and its
		// checksum are those of the stored bytes.
		set("Accept-Encoding", "identity")
	} else {
		set("Accept", "application/json")
	}
	set("User-Agent", cl.client.config.userAgent)
	for name, own := range cl.options.header {
		h[name] = slices.Clone(own)
	}
	if cl.body != nil {
		set("Content-Type", cl.body.contentType())
		if n := cl.body.length(); n < 0 || n >= expectContinueFrom {
			set("Expect", "100-continue")
		}
	}
	if !cl.options.sudo.IsZero() {
		set("Sudo", cl.options.sudo.String())
	}
	return h
}
