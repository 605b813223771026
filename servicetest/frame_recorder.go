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
	maxAnswer        = 1 << 10  // bytes kept of the body of an error response
)

// A received is a request as the recorder kept it. The service's own type, which has
// the same fields, says what they mean.
type received struct {
	Method    string
	Path      string
	Route     string
	Query     url.Values
	Header    http.Header
	Body      []byte
	User      string
	Status    int
	ErrorBody []byte
	At        time.Time
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

// clear forgets all requests.
func (rec *recorder) clear() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.ring, rec.next = nil, 0
	rec.bodies, rec.total = nil, 0
}

// noteUser records who sent a request.
func (rec *recorder) noteUser(entry *record, username string) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.user = username
}

func (rec *recorder) noteStatus(entry *record, status int) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.status = status
}

// list returns the requests of some routes, or all requests, oldest first.
func (rec *recorder) list(routes []string) []received {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	var found []received
	for i := range rec.ring {
		entry := rec.ring[(rec.next+i)%len(rec.ring)]
		if len(routes) == 0 || slices.Contains(routes, entry.route) {
			found = append(found, entry.public())
		}
	}
	return found
}

func (e *record) public() received {
	query, _ := url.ParseQuery(e.query)
	return received{
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

// addAnswer keeps the beginning of the body of an error response.
func (rec *recorder) addAnswer(entry *record, p []byte) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.answer = append(entry.answer, p[:min(len(p), maxAnswer-len(entry.answer))]...)
}

// watch returns a writer that records the response to a request.
func (rec *recorder) watch(w http.ResponseWriter, entry *record) http.ResponseWriter {
	return &statusWriter{ResponseWriter: w, recorder: rec, entry: entry}
}

// A statusWriter records the status of a response, and the body of one with an error
// status.
type statusWriter struct {
	http.ResponseWriter

	recorder *recorder
	entry    *record
	sent     bool
	failed   bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.sent, w.failed = true, status >= 400
		w.recorder.noteStatus(w.entry, status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	if w.failed {
		w.recorder.addAnswer(w.entry, p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
