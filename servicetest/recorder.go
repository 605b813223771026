package servicetest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

const (
	maxRecorded      = 64 << 10 // bytes kept of one body
	maxRecordedTotal = 16 << 20 // bytes kept of all bodies; the oldest are dropped
)

// A Request is a request as the recorder kept it.
type Request struct {
	Method string
	// Path is the path as it was received, escaped.
	Path string
	// Route is the route's template, such as "GET /projects/:id/jobs". It is empty
	// if no route matched.
	Route string
	// Query is the query, which is never nil.
	Query  url.Values
	Header http.Header
	// Body is the part of the body that the service read, at most 64 KiB. The
	// recorder keeps 16 MiB of bodies altogether, those of the newest requests.
	Body []byte
	// User is the username of the caller, or of the user that the caller acts as
	// with sudo. It is empty if nobody was authenticated.
	User string
	// Status is the status of the response, or 0 if none was sent yet.
	Status int
	// ErrorBody is the body of a response with an error status, at most 1 KiB.
	ErrorBody []byte
	// At is the time of the service's clock.
	At time.Time
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
	return s.recorder.list(templates)
}

// template returns the template under which the service knows a route.
func (s *Service) template(route string) string {
	found := s.router.Load().lookup(route)
	if found == nil {
		if s.tb != nil {
			s.tb.Helper()
		}
		s.fail("no route %q; %s", route, s.router.Load().advice(route))
		return route
	}
	return found.template
}

// ClearRequests empties the recorder.
func (s *Service) ClearRequests() {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.recorder.ring, s.recorder.next = nil, 0
	s.recorder.bodies, s.recorder.total = nil, 0
}

// A recorder keeps the newest requests in a ring.
type recorder struct {
	limit int

	mu   sync.Mutex
	ring []*record
	next int // where the next request goes when the ring is full

	bodies []*record // those with a body, oldest first
	total  int       // bytes in bodies
}

type record struct {
	method, path, query, route, user string

	header http.Header
	body   bytes.Buffer
	answer []byte
	status int
	at     time.Time
}

// begin records the arrival of a request.
func (rec *recorder) begin(r *http.Request, route string, at time.Time) *record {
	entry := &record{
		method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery,
		route: route, header: r.Header, at: at,
	}
	if rec.limit <= 0 {
		return entry
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &recordedBody{ReadCloser: r.Body, recorder: rec, entry: entry}
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if len(rec.ring) < rec.limit {
		rec.ring = append(rec.ring, entry)
		return entry
	}
	rec.ring[rec.next] = entry
	rec.next = (rec.next + 1) % rec.limit
	return entry
}

// note adds what becomes known later.
func (rec *recorder) note(change func()) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	change()
}

func (rec *recorder) list(routes []string) []Request {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	var found []Request
	for i := range rec.ring {
		entry := rec.ring[(rec.next+i)%len(rec.ring)]
		if len(routes) == 0 || slices.Contains(routes, entry.route) {
			found = append(found, entry.public())
		}
	}
	return found
}

func (e *record) public() Request {
	query, _ := url.ParseQuery(e.query)
	return Request{
		Method: e.method, Path: e.path, Route: e.route, Query: query,
		Header: e.header.Clone(), Body: bytes.Clone(e.body.Bytes()),
		User: e.user, Status: e.status, ErrorBody: bytes.Clone(e.answer), At: e.at,
	}
}

// A recordedBody copies the beginning of what is read from it.
type recordedBody struct {
	io.ReadCloser

	recorder *recorder
	entry    *record
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.recorder.addBody(b.entry, p[:n])
	return n, err
}

// addBody keeps a part of a body, and drops the oldest bodies if there are too
// many bytes of them.
func (rec *recorder) addBody(entry *record, piece []byte) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	piece = piece[:min(len(piece), maxRecorded-entry.body.Len())]
	if len(piece) == 0 {
		return
	}
	if entry.body.Len() == 0 {
		rec.bodies = append(rec.bodies, entry)
	}
	entry.body.Write(piece)
	rec.total += len(piece)
	for rec.total > maxRecordedTotal {
		rec.total -= rec.bodies[0].body.Len()
		rec.bodies[0].body = bytes.Buffer{}
		rec.bodies = rec.bodies[1:]
	}
}
