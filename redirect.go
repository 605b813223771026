package serviceapi

import (
	"net/http"
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
	if s := infoOf(next.Context()).sender; s != nil {
		next.Header = s.requestHeader()
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
