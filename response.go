package serviceapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"example.com/serviceapi/internal/header"
)

// Response is the metadata of an HTTP response: status, header, pagination and
// rate limit. It is nil if the call ended without a response.
type Response struct {
	// StatusCode is the HTTP status.
	StatusCode int
	// Header is the header of the response, without Set-Cookie. It is not printed
	// with the Response, because the service may have put anything into it.
	Header http.Header
	// RequestID identifies the request in the logs of the service. Print it with
	// %q: the service chose it.
	RequestID string
	// Attempts is the number of times the request was sent.
	Attempts int

	// Page and PerPage are the number and the size of the page, 0 if the service
	// does not say.
	Page, PerPage int
	// NextPage and PrevPage are the numbers of the next and the previous page.
	// They are 0 if there is none, or if pages are not numbered.
	NextPage, PrevPage int
	// NextPageToken continues the list when it is passed in [ListOptions.PageToken], with
	// offset and with keyset pagination. It is empty on the last page. After a full page whose
	// header does not say what follows, it leads to the next number, where nothing may be left.
	NextPageToken string
	// Total and TotalPages are 0 if the service does not send them, as with keyset
	// pagination and above 10,000 records. HasTotal distinguishes this from an
	// empty list.
	Total, TotalPages int

	// RateLimit is the caller's rate limit as reported by the service.
	RateLimit RateLimit

	hasTotal bool
}

// Format writes the status and the number of attempts, for every verb.
func (r *Response) Format(f fmt.State, _ rune) {
	if r == nil {
		fmt.Fprint(f, "no response")
		return
	}
	fmt.Fprintf(f, "status %d (attempt %d)", r.StatusCode, r.Attempts)
}

// LogValue returns what Format writes.
func (r *Response) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(r)) }

// HasTotal reports whether Total and TotalPages are known. It is false for nil.
func (r *Response) HasTotal() bool { return r != nil && r.hasTotal }

// RateLimit is the rate limit that the service reports in its headers. All
// fields are zero if it reports none.
type RateLimit struct {
	// Limit is the number of requests allowed in a period, and Remaining is the
	// number of requests left.
	Limit, Remaining int
	// Reset is when the next period begins.
	Reset time.Time
}

// readPage reads the pagination, which only lists have.
func (r *Response) readPage() {
	h := r.Header
	r.Page = header.Number(h, "X-Page")
	r.PerPage = header.Number(h, "X-Per-Page")
	r.NextPage = header.Number(h, "X-Next-Page")
	r.PrevPage = header.Number(h, "X-Prev-Page")
	r.Total = header.Number(h, "X-Total")
	r.TotalPages = header.Number(h, "X-Total-Pages")
	r.hasTotal = len(h["X-Total"]) > 0 && len(h["X-Total-Pages"]) > 0
}
