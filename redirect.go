package serviceapi

import (
	"net/http"
	"net/url"
	"slices"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/redact"
)

const maxRedirects = 10

// keptHeaders may be sent to another origin. Everything else is removed:
// credentials, Sudo, cookies, and headers of the caller that may contain
// secrets.
var keptHeaders = []string{
	"Accept", "Accept-Encoding", "User-Agent", "Range", "If-Range", "If-None-Match",
}

// redirects is the rule for redirects of a client. Within the origin of the base URL,
// they are followed unchanged. To another origin, only reads are followed, without
// anything that identifies the caller.
type redirects struct{ base address.Base }

// check is called by net/http before it follows a redirect.
func (r redirects) check(next *http.Request, via []*http.Request) error {
	if s := infoOf(next.Context()).sending; s != nil {
		next.Header = s.header(s.auth)
	}
	next.Header.Del("Referer") // it would carry the path and query of the call elsewhere
	if reason := r.refuse(next, via); reason != "" {
		return redirectError(next, via, reason)
	}
	if r.staysHome(next, via) {
		return nil
	}
	for name := range next.Header {
		if !slices.Contains(keptHeaders, name) {
			delete(next.Header, name)
		}
	}
	return nil
}

// refuse returns why a redirect is not followed, or "" if it is.
func (r redirects) refuse(next *http.Request, via []*http.Request) string {
	last := via[len(via)-1]
	switch {
	case len(via) >= maxRedirects:
		return "there were too many redirects"
	case next.Method != via[0].Method:
		return "it would turn " + via[0].Method + " into " + next.Method
	case last.URL.Scheme == "https" && next.URL.Scheme != "https":
		return "it leads from https to http"
	case r.staysHome(next, via):
		return ""
	case next.Method != http.MethodGet && next.Method != http.MethodHead:
		return "it would send a write to another origin"
	}
	return ""
}

// staysHome reports whether the request and all requests before it are sent to
// the origin of the base URL. After a redirect to another origin, a redirect
// back is not trusted.
func (r redirects) staysHome(next *http.Request, via []*http.Request) bool {
	for _, req := range via {
		if !r.base.Has(req.URL) {
			return false
		}
	}
	return r.base.Has(next.URL)
}

func redirectError(next *http.Request, via []*http.Request, reason string) error {
	e := newRedirectError(next, next.Response, reason)
	e.Method = via[0].Method // next may be the GET that it would turn into
	e.Location = redact.WithoutQuery(next.URL)
	return e
}

// newRedirectError describes a redirect that is not followed.
func newRedirectError(req *http.Request, resp *http.Response, reason string) *RedirectError {
	e := &RedirectError{CallInfo: CallInfo{Method: req.Method, Operation: Operation(req.Context())}, Reason: reason}
	if resp != nil {
		e.StatusCode = resp.StatusCode
		if resp.Request != nil {
			e.URL = redact.WithoutQuery(resp.Request.URL)
		}
	}
	return e
}

// checkLocation refuses a Location that cannot be followed. Otherwise net/http
// would quote it, including the query, in an error.
func checkLocation(req *http.Request, resp *http.Response) error {
	u, err := url.Parse(resp.Header.Get("Location")) // without one, the same URL
	if err == nil {
		u = req.URL.ResolveReference(u)
	}
	var reason string
	switch {
	case err != nil:
		reason = "its Location cannot be parsed"
	case u.User != nil:
		reason = "its Location contains a user name or password"
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		reason = "its Location is not an http or https URL"
	default:
		return nil
	}
	e := newRedirectError(req, resp, reason)
	e.URL = redact.WithoutQuery(req.URL)
	if u != nil {
		e.Location = redact.WithoutQuery(u)
	}
	return e
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}
