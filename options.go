package serviceapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
	"github.com/hashicorp/go-retryablehttp"
)

// Option configures a client. Every [RequestOption] is also an Option: passed
// to a client, it applies to all of its calls. A nil Option is ignored.
type Option interface {
	applyClient(*config) error
}

// RequestOption configures one call. A nil RequestOption is ignored.
type RequestOption interface {
	Option
	applyRequest(*callOptions) error
}

type clientOption func(*config) error

func (o clientOption) applyClient(c *config) error { return o(c) }

type requestOption func(*callOptions) error

func (o requestOption) applyClient(c *config) error { return o(&c.options) }

func (o requestOption) applyRequest(co *callOptions) error { return o(co) }

// callOptions holds what the options of one call set. A call begins with those of its client,
// and shares them until it has some of its own. So an option replaces a map or a list, and
// never changes one.
type callOptions struct {
	credential Credential
	sudo       UserRef
	header     http.Header
	query      url.Values
	retry      RetryPolicy
	maxSize    int64
	maxObjects int
	maxItems   int
	progress   func(Progress)
	pages      int
	onPage     func(*Response)
	pageToken  string
	bodyFields []bodyField
	rawJSON    *json.RawMessage
	dump       func(dumpedCall, *http.Request, http.RoundTripper) (*http.Response, error)
	resume     resumePoint
	poll       pollOptions
	// secrets are those of an earlier call, whose effect this one looks at.
	secrets []string
}

// dumpedCall has what a dump needs to know about a call.
type dumpedCall struct {
	base      address.Base
	stream    bool
	sensitive bool
	// body is what the request sends, unless that has a file. Its size is -1 if unknown.
	body    []byte
	hasFile bool
	size    int64
	secrets func(*redact.Redactor)
}

// defaultOptions returns the options of a client that was made without any.
func defaultOptions(cred Credential) callOptions {
	return callOptions{credential: cred, retry: DefaultRetryPolicy(), maxSize: DefaultMaxResponseSize,
		maxObjects: DefaultMaxObjects, maxItems: DefaultMaxItems}
}

// apply applies the options of a call to those of its client.
func (o *callOptions) apply(opts []RequestOption) error {
	for _, opt := range opts {
		if opt == nil { // also the nil that a caller passes for options that a method does not have
			continue
		}
		if err := opt.applyRequest(o); err != nil {
			return err
		}
	}
	return nil
}

// WithHTTPClient makes the client use the Transport and the Timeout of hc,
// which is not changed. Its Jar and CheckRedirect are ignored, because they
// could bypass the library's rules for cookies and credentials. A Timeout also
// ends long downloads. A nil Transport means http.DefaultTransport. By default,
// the client has two transports like [DefaultTransport]: one for downloads and
// one for everything else, so that open downloads do not use up the connections
// of other calls. A transport that is passed here is used for both.
func WithHTTPClient(hc *http.Client) Option {
	return clientOption(func(c *config) error {
		if hc == nil {
			return badArgument("HTTP client", "is nil")
		}
		c.httpClient, c.transport = hc, hc.Transport
		if c.transport == nil {
			c.transport = http.DefaultTransport
		}
		c.streams = c.transport
		return nil
	})
}

// WithMiddleware wraps the transport. The first middleware is the outermost.
func WithMiddleware(middleware ...Middleware) Option {
	return clientOption(func(c *config) error {
		for _, m := range middleware {
			if m == nil {
				return badArgument("middleware", "is nil")
			}
		}
		c.middleware = append(c.middleware, middleware...)
		return nil
	})
}

// Middleware wraps the transport. It sees every attempt of every call, including redirects,
// with the credential in the header. Each request has a header of its own, which a middleware
// may change. [Operation] identifies the call.
type Middleware func(http.RoundTripper) http.RoundTripper

// RoundTripFunc makes a function an http.RoundTripper, for a [Middleware]:
//
//	func trace(next http.RoundTripper) http.RoundTripper {
//		attempt := func(r *http.Request) (*http.Response, error) {
//			log.Print(serviceapi.Operation(r.Context()))
//			return next.RoundTrip(r)
//		}
//		return serviceapi.RoundTripFunc(attempt)
//	}
type RoundTripFunc func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// WithLimiter makes every attempt wait for the limiter first. By default, there is none,
// and only the service's own rate limit slows the client down. A call that the limiter refuses
// returns [ErrLimiterRefused]: golang.org/x/time/rate does so at once if the wait would outlast
// the deadline of the context. This error is not context.DeadlineExceeded, because the deadline
// has not passed.
func WithLimiter(limiter Limiter) Option {
	return clientOption(func(c *config) error {
		c.limiter = limiter
		return nil
	})
}

// Limiter paces the attempts of a client. golang.org/x/time/rate.Limiter is
// one.
type Limiter interface {
	// Wait blocks until the next attempt may be sent, and returns an error if ctx
	// ends first. It may return an error earlier, such as when it knows that ctx
	// will end first, or when it cannot count: the attempt is not sent then.
	Wait(ctx context.Context) error
}

// WithLogger logs every attempt at debug level, and every wait before another attempt at
// info level. Headers, bodies and queries are never logged. By default, nothing is logged.
func WithLogger(logger *slog.Logger) Option {
	return clientOption(func(c *config) error {
		c.log = nil
		if logger != nil {
			c.log = logger
		}
		return nil
	})
}

// WithUserAgent puts the name of the calling program, such as "deployer/1.2",
// before the library's own in User-Agent.
func WithUserAgent(product string) Option {
	return clientOption(func(c *config) error {
		if product == "" || !header.IsValue(product) {
			return badArgument("user agent", "is empty or contains a control character")
		}
		c.userAgent = product + " " + defaultUserAgent
		return nil
	})
}

// WithRetryBudget sets the number of retries that the calls of a client may
// owe, in addition to one for each call in progress. A call that succeeds after
// a retry pays it back, and every fifth call that succeeds at once pays back
// one more. When the budget is spent, calls are not repeated, to spare a
// service that is down. Retries after 429, and after a wait that the service
// asked for, do not count. The default is 100. Derived clients share the budget
// unless they have this option.
func WithRetryBudget(size int) Option {
	return clientOption(func(c *config) error {
		if size < 0 {
			return negative("retry budget")
		}
		c.budget = pace.NewBudget(size)
		return nil
	})
}

// bodyUse says what a call does with the body of a successful response.
type bodyUse uint8

const (
	decodeBody  bodyUse = iota // read whole, then decoded
	discardBody                // not wanted
	streamBody                 // handed to the caller as it arrives
)

// attemptLogger is a [slog.Logger]. As an interface, it lets the linker drop slog's
// handlers from programs that do not log.
type attemptLogger interface {
	Enabled(context.Context, slog.Level) bool
	LogAttrs(ctx context.Context, level slog.Level, msg string, attrs ...slog.Attr)
}

// config holds what the options of a client set. It is copied for every derivation.
type config struct {
	base address.Base
	// httpClient is the caller's, or nil.
	httpClient *http.Client
	transport  http.RoundTripper
	// streams is the transport of streams: a separate one, unless the caller
	// passed one.
	streams http.RoundTripper
	// loops send the calls, one for each bodyUse: streams have their own, so that unread
	// ones do not use up the connections of other calls.
	loops      [3]*retryablehttp.Client
	middleware []Middleware
	limiter    Limiter
	// log logs attempts; nil without a logger.
	log       attemptLogger
	userAgent string
	budget    *pace.Budget
	pauses    *pace.Pauses
	buffers   *buffers.Pool
	types     *typeFacts
	// options are those that every call starts with.
	options callOptions
}

// WithCredential makes calls with a credential other than the client's.
func WithCredential(cred Credential) RequestOption {
	err := checkCredential(cred)
	return requestOption(func(o *callOptions) error {
		o.credential = cred
		return err
	})
}

// WithSudo makes calls as another user, identified by ID or username. It requires an
// administrator's token with the scope sudo; otherwise calls return [ErrForbidden]. They
// return [ErrNotFound] if there is no such user.
func WithSudo(user UserRef) RequestOption {
	err := checkSudo(user)
	return requestOption(func(o *callOptions) error {
		o.sudo = user
		return err
	})
}

// WithoutSudo cancels the [WithSudo] that the client was made with.
func WithoutSudo() RequestOption {
	return requestOption(func(o *callOptions) error {
		o.sudo = UserRef{}
		return nil
	})
}

func checkSudo(user UserRef) error {
	if err := user.checkUsername("sudo"); err != nil {
		return err
	}
	text := user.reference.String()
	if user.kind == byID && user.id > 0 || user.kind == byName && text != "" && header.IsValue(text) {
		return nil
	}
	return badArgument("sudo", "does not identify a user")
}

// WithHeader sets a header that the library does not model. Credentials, Sudo, headers that
// describe the body, Range and If-Range are refused with an [*ArgumentError]: a part of a
// download is read by [WithDownloadOffset]. Setting Idempotency-Key does not make the client
// repeat a call.
func WithHeader(name, value string) RequestOption {
	return requestOption(func(o *callOptions) error {
		if err := checkHeader(name, value); err != nil {
			return err
		}
		o.setHeader(name, value)
		return nil
	})
}

func (o *callOptions) setHeader(name, value string) {
	h := o.header.Clone()
	if h == nil {
		h = make(http.Header)
	}
	h.Set(name, value)
	o.header = h
}

// WithQuery sets a query parameter that the library does not model to one or
// several values. It replaces a parameter with the same name. Credentials and
// sudo are refused with an [*ArgumentError]: they would end up in logs.
func WithQuery(name string, values ...string) RequestOption {
	values = slices.Clone(values)
	return requestOption(func(o *callOptions) error {
		if name == "" || redact.IsParam(name) {
			return badArgument("query parameter "+name, "cannot be set here: use WithCredential or WithSudo")
		}
		query := maps.Clone(o.query)
		if query == nil {
			query = make(url.Values)
		}
		query[name] = values
		o.query = query
		return nil
	})
}

// WithRawJSON stores the JSON of the response in raw, in addition to the typed result, so
// that members that the library does not model can be read. For an All… method, it is the
// JSON of the page whose items are being yielded. Only a response that was received
// completely sets it; downloads do not.
func WithRawJSON(raw *json.RawMessage) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.rawJSON = raw
		return nil
	})
}

// WithIfNoneMatch asks for the object only if its entity tag differs from etag,
// which is the Etag header of an earlier [Response]. If it does not differ, the
// call returns [ErrNotModified].
func WithIfNoneMatch(etag string) RequestOption { return WithHeader("If-None-Match", etag) }

// WithIfUnmodifiedSince makes a write fail with [ErrPreconditionFailed] if the
// resource was changed after t, such as the UpdatedAt of a result.
//
// The header has whole seconds, and the service compares it with microseconds, which its
// responses do not show. So that it does not refuse an unchanged object, the header names the
// next whole second after t: another change before that second is not noticed. Where that
// matters, use what names a version, such as [MergeOptions.SHA] or
// [UpdateRepositoryFileOptions.LastCommitID].
func WithIfUnmodifiedSince(t time.Time) RequestOption {
	next := t.UTC().Truncate(time.Second).Add(time.Second)
	return WithHeader("If-Unmodified-Since", next.Format(http.TimeFormat))
}

// DefaultMaxObjects is the maximum number of objects in a JSON response, unless
// [WithMaxObjects] sets another one.
const DefaultMaxObjects = 100_000

// WithMaxObjects limits the number of objects in JSON responses, nested ones included. A short
// response with many of them needs several hundred times its size in memory. One with more is a
// [*DecodeError]. [WithMaxItems] limits the items of a list.
func WithMaxObjects(objects int) RequestOption {
	return requestOption(func(o *callOptions) error {
		if objects <= 0 {
			return badArgument("maximum number of objects", "must be positive")
		}
		o.maxObjects = objects
		return nil
	})
}

// DefaultMaxItems is the maximum number of items in a response to a call for a list, unless
// [WithMaxItems] sets another one. It is that of a hundred full pages. A page has 100 at most, but
// the service does not divide every list into pages, and older releases ignore per_page for more
// of them: such a list comes whole, with up to some thousands of items.
const DefaultMaxItems = 10_000

// WithMaxItems limits the number of items in one page of a list. A page with more is a
// [*DecodeError], and is not decoded. The sequence of an All… method has no limit.
func WithMaxItems(items int) RequestOption {
	return requestOption(func(o *callOptions) error {
		if items <= 0 {
			return badArgument("maximum number of items", "must be positive")
		}
		o.maxItems = items
		return nil
	})
}

// DefaultMaxResponseSize is the maximum size of a JSON response, 64 MiB, unless
// [WithMaxResponseSize] sets another one.
const DefaultMaxResponseSize = 64 << 20

// WithMaxResponseSize limits the size of JSON responses, in bytes after decompression. A
// larger response results in a [*DecodeError]. Downloads have no limit.
func WithMaxResponseSize(bytes int64) RequestOption {
	return requestOption(func(o *callOptions) error {
		if bytes <= 0 {
			return badArgument("maximum response size", "must be positive")
		}
		o.maxSize = min(bytes, math.MaxInt64-1) // so that one more can be read
		return nil
	})
}

// WithRetry sets how a call is repeated, instead of [DefaultRetryPolicy].
func WithRetry(policy RetryPolicy) RequestOption {
	err := policy.check() // here, once: it fills in what is 0
	return requestOption(func(o *callOptions) error {
		o.retry = policy
		return err
	})
}

// WithConcurrentPages lets an All… method fetch up to n pages at once. The
// items still come in order. If the service does not send the number of pages,
// as with keyset pagination and above 10,000 records, pages are fetched one
// after the other.
func WithConcurrentPages(n int) RequestOption {
	return requestOption(func(o *callOptions) error {
		if n < 1 || n > maxConcurrentPages {
			return badArgument("number of concurrent pages", "must be from 1 to 64")
		}
		o.pages = n
		return nil
	})
}

const maxConcurrentPages = 64

// WithPageObserver calls observe with the metadata of every page that an All… method reads,
// in order, before the items of the page are yielded. The metadata includes totals, the
// rate limit and, in [Response.NextPageToken], the place to continue from if the program is
// stopped. The observer runs on the goroutine that consumes the items.
func WithPageObserver(observe func(*Response)) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.onPage = observe
		return nil
	})
}

// WithPageToken continues a list where an earlier call ended, like
// [ListOptions.PageToken], for calls without such options: [Client.Do], [List]
// and [All]. Parameters of [WithQuery] or of a url.Values have to be set again.
func WithPageToken(token string) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.pageToken = token
		return nil
	})
}

// WithProgress calls report with the progress of a download or an upload: with the first
// bytes, then at most ten times a second, and once at the end, whether the transfer
// succeeded or failed. It runs on the goroutine that copies the bytes, so it should return
// quickly.
func WithProgress(report func(Progress)) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.progress = report
		return nil
	})
}

// reservedHeaders are set only by the library. Otherwise a caller could, for
// example, send two credentials at once.
var reservedHeaders = map[string]string{
	"Authorization":     "use WithCredential",
	"Private-Token":     "use WithCredential",
	"Job-Token":         "use WithCredential",
	"Cookie":            "use WithCredential",
	"Sudo":              "use WithSudo",
	"Host":              "it follows from the base URL",
	"Content-Length":    "it follows from the body",
	"Transfer-Encoding": "it follows from the body",
	"Connection":        "it belongs to the transport",
	"Content-Type":      "it follows from the body",
	"Accept-Encoding":   "the library decodes what it asks for",
	"Range":             "use WithDownloadOffset",
	"If-Range":          "use WithDownloadOffset",
}

func checkHeader(name, value string) error {
	if !header.IsName(name) {
		return badArgument("header name", "is not one: "+text.Printable(name, 60))
	}
	if why, reserved := reservedHeaders[http.CanonicalHeaderKey(name)]; reserved {
		return badArgument("header "+name, "cannot be set here: "+why)
	}
	if !header.IsValue(value) {
		return badArgument("header "+name, "contains a control character")
	}
	return nil
}

// pollOptions are the options of a call for polling.
type pollOptions struct {
	first, longest time.Duration
	observe        func(Poll)
}

// bodyField is a member of a body that the library does not model.
type bodyField struct {
	name  string
	value any
}

func bodyFieldProblem(name, problem string) error {
	return badArgument("body field "+text.Printable(name, 60), problem)
}

// resumePoint is where a stream begins.
type resumePoint struct {
	offset int64
	etag   string
	// primed is set if the content up to the offset will be added to a checksum.
	primed bool
}

// WithBodyField adds a parameter that has no field in the options to the body of a call.
// The body may be JSON, a form, or a file with fields. The value is encoded as
// encoding/json does it; in a form, the members of an object become name[key] and the items
// of a list name[]. A name that is already set by the options, by another WithBodyField or
// by a file, and a call without a body, are refused with an [*ArgumentError]. In a form,
// this applies to each name[key] by itself.
func WithBodyField(name string, value any) RequestOption {
	return requestOption(func(o *callOptions) error {
		switch {
		case redact.IsParam(name):
			return bodyFieldProblem(name, "cannot be set here: use WithCredential or WithSudo")
		case name == "" || text.HasControl(name) || !utf8.ValidString(name):
			return bodyFieldProblem(name, "is empty, or contains a control character or invalid UTF-8")
		}
		o.bodyFields = append(slices.Clip(o.bodyFields), bodyField{name, value})
		return nil
	})
}

// ListOptions selects a page of a list. The options of every list are, or
// embed, ListOptions. An All… method starts at the page chosen here, and asks
// for 100 items a page if PerPage is 0.
type ListOptions struct {
	// Page is the number of the page, from 1. 0 is the first.
	Page int `url:"page,omitempty"`
	// PerPage is the number of items on a page: 20 if it is 0, at most 100. The service
	// takes 100 for a larger number, without an error.
	PerPage int `url:"per_page,omitempty"`
	// PageToken continues a list where an earlier call of the same method ended:
	// it is the [Response.NextPageToken] of that call. It includes the options of
	// that call: set them all again, or none. The token of another list or another
	// instance, or of the same list with other options, is refused with an
	// [*ArgumentError]. A token does not prove its origin: if it comes from users of
	// your program, set the options again, so that it can only choose the page.
	PageToken string `url:"-"`
}

// Pagination is a way to divide a list into pages.
type Pagination string

// Sort is the direction in which a list is ordered.
type Sort string

// Poll describes one poll of a Wait… method.
type Poll struct {
	// Target names what is waited for, such as "pipeline 7".
	Target string
	// State is the state of the target in the service's words, such as "running".
	State string
	// Done reports whether the wait is over.
	Done bool
	// Count is the number of this poll, from 1.
	Count int
	// Elapsed is the time since the wait began.
	Elapsed time.Duration
}

// Ways to divide a list into pages. PaginationOffset numbers the pages and is
// the default. PaginationKeyset continues after the last item: it stays fast on
// long lists and neither repeats nor skips items while the list changes, but
// has no page numbers and no totals. Options that have a field for it say what
// it requires.
const (
	PaginationOffset Pagination = "offset"
	PaginationKeyset Pagination = "keyset"
)

// Directions in which a list can be ordered.
const (
	SortAscending  Sort = "asc"
	SortDescending Sort = "desc"
)

// Version is the version of this library, which it sends in User-Agent.
const Version = "0.1.0"

const defaultUserAgent = "serviceapi-go/" + Version
