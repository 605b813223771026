package servicetest

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Request is a request that the recorder kept.
type Request struct {
	// ID is the X-Request-Id of the response. Errors of clients show it.
	ID     string
	Method string
	// Path is the path as it was received, escaped.
	Path string
	// Route is the route's template, such as "GET /projects/:id/jobs". It is empty
	// if no route matched.
	Route string
	// Query is the query. It is never nil.
	Query  url.Values
	Header http.Header
	// Body is the part of the body that the service read, at most 64 KiB. The recorder
	// keeps 16 MiB of bodies in total, those of the newest requests.
	Body []byte
	// User is the username of the caller, or with sudo of the user that the caller acts
	// as. It is empty if nobody was authenticated.
	User string
	// Status is the status of the response, or 0 before it is sent.
	Status int
	// ErrorBody is the beginning of the body of an error response, at most 1 KiB.
	ErrorBody []byte
	// GoodBody is the body of another response, at most 4 KiB. It is kept only for requests
	// that are served while Subscribe has a subscriber.
	GoodBody []byte
	// At is the time of the service's clock.
	At time.Time
	// Duration is how long the request took, in real time. It is 0 until the request
	// has ended. If the request has ended and Status is 0, it got no response.
	Duration time.Duration
}

// Requests returns the requests received so far, oldest first. With routes,
// such as "GET /projects/:id/jobs", it returns only the requests of these
// routes. The newest 10,000 are kept, unless WithRecordedRequests sets another
// number.
func (s *Service) Requests(routes ...string) []Request {
	if s.tb != nil {
		s.tb.Helper()
	}
	templates := make([]string, len(routes))
	for i, route := range routes {
		templates[i] = s.template(route)
	}
	var requests []Request
	for _, r := range s.recorder.List(templates) {
		requests = append(requests, Request(r))
	}
	return requests
}

// template returns the template under which the service knows a route.
func (s *Service) template(route string) string {
	known, ok := s.router.Load().Lookup(route)
	if !ok {
		if s.tb != nil {
			s.tb.Helper()
		}
		s.fail("no route %q; %s", route, s.router.Load().Advice(route))
		return route
	}
	return known
}

// ClearRequests empties the recorder.
func (s *Service) ClearRequests() { s.recorder.Clear() }

// TranscriptOnFailure writes the requests that the service received to the log
// of the test if the test fails; see Transcript. It works with a TB that has
// the methods Failed and Logf, such as *testing.T, and does nothing otherwise.
func TranscriptOnFailure() Option {
	return func(s *settings) { s.transcript = true }
}

// logTranscript implements TranscriptOnFailure at the end of a test.
func (s *Service) logTranscript() {
	tb, ok := s.tb.(interface {
		Failed() bool
		Logf(format string, args ...any)
	})
	if !ok || !tb.Failed() {
		return
	}
	var text strings.Builder
	s.Transcript(&text) // writing to a Builder does not fail
	tb.Logf("servicetest received:\n%s", text.String())
}

// Transcript writes the requests that the recorder keeps in a readable form, oldest
// first: the caller, the method and path, the body, and the status of the response.
// Error responses have their body. Long bodies are cut, and bodies that are not text
// have only their size. With routes, as for Requests, it writes only requests to these
// routes.
//
//	09:00:00 POST /api/v4/projects/acme%2Fapp/deploy_keys → 400 (ada)
//	    > {"title":"ci"}
//	    < {"error":"key is missing"}
//
// Credentials are masked, as in what Subscribe returns.
func (s *Service) Transcript(w io.Writer, routes ...string) error {
	if s.tb != nil {
		s.tb.Helper()
	}
	out, masker := bufio.NewWriter(w), frame.NewMasker(s.secrets())
	for _, r := range s.Requests(routes...) {
		masker.Request(frame.Received(r)).Transcribe(out)
	}
	return out.Flush()
}

// FailOnUnknownRoute makes the test fail at its end if the service received a request
// for an endpoint that the API does not have. Without it, code that takes a 404 to mean
// "there is none" passes its tests even with a misspelled path. The responses stay the
// same: 404, or 405 if only the method is wrong. A request that a fault responds to
// does not count. FailOnUnknownRoute works with a TB that has the method Errorf, such
// as *testing.T, and does nothing otherwise.
func FailOnUnknownRoute() Option {
	return func(s *settings) { s.strict = true }
}

// failOnUnknown implements FailOnUnknownRoute at the end of a test.
func (s *Service) failOnUnknown() {
	tb, ok := s.tb.(interface {
		Errorf(format string, args ...any)
	})
	if lines := s.unknown.List(); ok && lines != "" {
		tb.Errorf("servicetest: the API has no such route:\n%s", lines)
	}
}
