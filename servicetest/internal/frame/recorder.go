package frame

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
	maxGood          = 4 << 10  // and of another response, while somebody looks on
)

// A Received is a request as the recorder keeps it. The service's own type has the same
// fields and documents them.
type Received struct {
	ID        string
	Method    string
	Path      string
	Route     string
	Query     url.Values
	Header    http.Header
	Body      []byte
	User      string
	Status    int
	ErrorBody []byte
	GoodBody  []byte
	At        time.Time
	Duration  time.Duration
}

// A Recorder keeps the newest requests in a ring.
type Recorder struct {
	Limit int
	Feeds Feeds // get each request when it arrives, and again when it ends

	mu   sync.Mutex
	ring []*Record
	next int // where the next request goes when the ring is full

	bodies []*Record // requests with a body, oldest first
	total  int       // bytes in bodies
}

// A Record is a request in the recorder. The recorder guards it.
type Record struct {
	id, method, path, query, route, user string

	header http.Header
	body   bytes.Buffer
	answer []byte
	good   []byte // instead of answer, if the status is no error
	status int
	at     time.Time
	began  time.Time // in real time
	took   time.Duration
}

// Begin records the arrival of a request.
func (rec *Recorder) Begin(r *http.Request, id, route string, at time.Time) *Record {
	entry := &Record{
		id: id, method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery,
		route: route, header: r.Header, at: at, began: time.Now(),
	}
	if rec.Limit <= 0 {
		return entry
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &recordedBody{ReadCloser: r.Body, recorder: rec, entry: entry}
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.Feeds.Push(entry)
	if len(rec.ring) < rec.Limit {
		rec.ring = append(rec.ring, entry)
		return entry
	}
	rec.ring[rec.next] = entry
	rec.next = (rec.next + 1) % rec.Limit
	return entry
}

// End records that a request was served, in whatever way.
func (rec *Recorder) End(entry *Record) {
	took := max(time.Since(entry.began), 1) // 0 means that it has not ended
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.took = took
	if rec.Limit > 0 {
		rec.Feeds.Push(entry)
	}
}

// Follow returns a feed of later requests. It begins with the newest of the kept ones.
func (rec *Recorder) Follow(newest int) *Feed {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	kept := len(rec.ring)
	past := make([]any, 0, min(max(newest, 0), kept))
	for i := kept - cap(past); i < kept; i++ {
		past = append(past, rec.ring[(rec.next+i)%kept])
	}
	return rec.Feeds.Add(past)
}

// Copy returns a request as it is now.
func (rec *Recorder) Copy(entry *Record) Received {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return entry.public()
}

// Clear forgets all requests.
func (rec *Recorder) Clear() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.ring, rec.next = nil, 0
	rec.bodies, rec.total = nil, 0
}

// NoteUser records who sent a request.
func (rec *Recorder) NoteUser(entry *Record, username string) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.user = username
}

func (rec *Recorder) noteStatus(entry *Record, status int) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	entry.status = status
}

// List returns the requests of some routes, or all requests, oldest first.
func (rec *Recorder) List(routes []string) []Received {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	var found []Received
	for i := range rec.ring {
		entry := rec.ring[(rec.next+i)%len(rec.ring)]
		if len(routes) == 0 || slices.Contains(routes, entry.route) {
			found = append(found, entry.public())
		}
	}
	return found
}

func (e *Record) public() Received {
	query, _ := url.ParseQuery(e.query)
	return Received{
		ID: e.id, Method: e.method, Path: e.path, Route: e.route, Query: query,
		Header: e.header.Clone(), Body: bytes.Clone(e.body.Bytes()),
		User: e.user, Status: e.status, ErrorBody: bytes.Clone(e.answer),
		GoodBody: bytes.Clone(e.good), At: e.at, Duration: e.took,
	}
}

// A recordedBody keeps the beginning of the bytes read from it.
type recordedBody struct {
	io.ReadCloser

	recorder *Recorder
	entry    *Record
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.recorder.addBody(b.entry, p[:n])
	return n, err
}

// addBody keeps a part of a body. It drops the oldest bodies if all of them are too
// large together.
func (rec *Recorder) addBody(entry *Record, piece []byte) {
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

// addAnswer keeps the beginning of the body of an error response, or of another one if
// somebody looks on.
func (rec *Recorder) addAnswer(entry *Record, failed bool, p []byte) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if !failed {
		if rec.Feeds.Len() > 0 {
			entry.good = append(entry.good, p[:min(len(p), maxGood-len(entry.good))]...)
		}
		return
	}
	entry.answer = append(entry.answer, p[:min(len(p), maxAnswer-len(entry.answer))]...)
}

// Watch returns a writer that records the response to a request.
func (rec *Recorder) Watch(w http.ResponseWriter, entry *Record) http.ResponseWriter {
	return &statusWriter{ResponseWriter: w, recorder: rec, entry: entry}
}

// A statusWriter records the status of a response, and the body of one with an error
// status.
type statusWriter struct {
	http.ResponseWriter

	recorder *Recorder
	entry    *Record
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
	w.recorder.addAnswer(w.entry, w.failed, p)
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
