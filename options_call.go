package serviceapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"example.com/serviceapi/internal/header"
)

// WithCredential calls with another credential instead of the client's.
func WithCredential(cred Credential) RequestOption {
	err := checkCredential(cred)
	return requestOption(func(o *callOptions) error {
		o.credential = cred
		return err
	})
}

// WithSudo calls as another user, identified by ID or username. It requires an
// administrator's token with the scope sudo; otherwise calls return
// [ErrForbidden]. They return [ErrNotFound] if there is no such user.
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
	if text := user.String(); user.kind == byID && user.id > 0 || user.kind == byName && text != "" && header.IsValue(text) {
		return nil
	}
	return &ArgumentError{Argument: "sudo", Problem: "does not identify a user"}
}

// WithHeader sets a header that the library does not model. Credentials, Sudo
// and headers that describe the body are refused with an [*ArgumentError].
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
	if o.header == nil {
		o.header = make(http.Header)
	}
	o.header.Set(name, value)
}

// WithQuery sets a query parameter that the library does not model to one or
// several values. It replaces a parameter with the same name. Credentials and
// sudo are refused with an [*ArgumentError]: they would end up in logs.
func WithQuery(name string, values ...string) RequestOption {
	return requestOption(func(o *callOptions) error {
		if name == "" || isSecretParam(name) {
			return &ArgumentError{Argument: "query parameter " + name, Problem: "cannot be set here: use WithCredential or WithSudo"}
		}
		if o.query == nil {
			o.query = make(url.Values)
		}
		o.query[name] = append([]string(nil), values...)
		return nil
	})
}

func isSecretParam(name string) bool {
	switch name {
	case "private_token", "access_token", "job_token", "sudo":
		return true
	}
	return false
}

// WithRawJSON stores the JSON of the response in raw, in addition to the typed
// result, so that members that the library does not model can be read. For an
// All… method, it is the JSON of the page whose items are being yielded. It is
// set only by a response that was received completely, and not by downloads.
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
// resource was changed after t, to the second.
func WithIfUnmodifiedSince(t time.Time) RequestOption {
	return WithHeader("If-Unmodified-Since", t.UTC().Format(http.TimeFormat))
}

// DefaultMaxResponseSize is the maximum size of a JSON response, 64 MiB, unless
// [WithMaxResponseSize] sets another one.
const DefaultMaxResponseSize = 64 << 20

// WithMaxResponseSize limits the size of JSON responses, in bytes after
// decompression. A larger response is a [*DecodeError]. Downloads have no
// limit.
func WithMaxResponseSize(bytes int64) RequestOption {
	return requestOption(func(o *callOptions) error {
		if bytes <= 0 {
			return &ArgumentError{Argument: "maximum response size", Problem: "must be positive"}
		}
		o.maxSize = bytes
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
			return &ArgumentError{Argument: "number of concurrent pages", Problem: "must be from 1 to 64"}
		}
		o.pages = n
		return nil
	})
}

const maxConcurrentPages = 64

// WithPageObserver calls observe with the metadata of every page that an All… method
// reads, in order, before the items of the page are yielded: with totals, the
// rate limit, and in [Response.NextPageToken] the place to continue from if
// the program is stopped. It runs on the goroutine that consumes the items.
func WithPageObserver(observe func(*Response)) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.onPage = observe
		return nil
	})
}

// WithPageToken continues a list where an earlier call ended, like
// [ListOptions.PageToken], for calls without such options: [Client.Do], [List]
// and [All].
func WithPageToken(token string) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.pageToken = token
		return nil
	})
}

// WithProgress calls report with the progress of a download or an upload: with
// the first bytes, then at most ten times a second, and once at the end,
// complete or broken. It is called on the goroutine that copies the bytes, so
// report should return quickly.
func WithProgress(report func(Progress)) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.progress = report
		return nil
	})
}
