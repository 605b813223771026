package servicetest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// A fault is a misbehavior of a route. Its exported fields do not change once it has
// been added to faults.
type fault struct {
	route              string // a template, or "*" for every request
	skip, times, every int    // which of its requests it affects
	when               func(*http.Request) bool
	plan               plan

	seen, hits int // guarded by faults.mu
}

// newFault returns a fault of all requests of a route, which changes nothing yet.
func newFault(route string) *fault { return &fault{route: route, every: 1, times: -1} }

// A plan is what a fault does to a request. Its zero value changes nothing.
type plan struct {
	delay    time.Duration
	handler  http.Handler
	reset    bool
	twice    bool
	drop     bool
	doubled  bool
	cut      bool
	cutAfter int64
	set      http.Header
	remove   []string
}

// faults are those of a service. The one that was added first takes effect first.
type faults struct {
	closed <-chan struct{} // ends delays

	mu     sync.Mutex
	active []*fault
}

func (fs *faults) add(f *fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active = append(fs.active, f)
}

func (fs *faults) clear() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active = nil
}

func (fs *faults) remove(f *fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active = slices.DeleteFunc(slices.Clone(fs.active), func(active *fault) bool { return active == f })
}

// hits returns the number of requests that a fault has affected.
func (fs *faults) hits(f *fault) int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return f.hits
}

var errClosed = errors.New("servicetest: closed")

// any reports whether there are faults.
func (fs *faults) any() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.active) > 0
}

// pick returns the plan for a request.
func (fs *faults) pick(route string, r *http.Request) plan {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.active {
		if f.meets(route, r) {
			return f.plan
		}
	}
	return plan{}
}

func (f *fault) meets(route string, r *http.Request) bool {
	if f.route != "*" && f.route != route || f.when != nil && !f.when(r) || f.hits == f.times {
		return false
	}
	f.seen++
	if f.seen <= f.skip || (f.seen-f.skip)%f.every != 0 {
		return false
	}
	f.hits++
	return true
}

// serve serves a request, with the fault that applies to it, if any.
func (fs *faults) serve(route string, w http.ResponseWriter, r *http.Request, handle func() *reply) {
	p := fs.pick(route, r)
	if p.delay > 0 && fs.wait(r, p.delay) != nil {
		abort(w, false)
	}
	if p.reset {
		abort(w, true)
	}
	w = p.shape(w)
	if p.handler != nil {
		p.handler.ServeHTTP(w, r)
		return
	}
	if p.twice {
		carryOut(r, handle)
	}
	answer := handle()
	switch {
	case p.drop:
		answer.settle(r)
		abort(w, false)
	case p.doubled:
		writeTwice(w, r, answer)
	default:
		answer.write(w, r)
	}
}

// carryOut executes a request and makes it ready to be executed again.
func carryOut(r *http.Request, handle func() *reply) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	handle().settle(r)
	r.Body = io.NopCloser(bytes.NewReader(body))
}

// wait sleeps, unless the client disconnects or the service is closed first.
func (fs *faults) wait(r *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	case <-fs.closed:
		return errClosed
	}
}

// abort breaks the connection, with a reset if reset is true and the connection
// is not shared. It does not return.
func abort(w http.ResponseWriter, reset bool) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, ok := conn.(*net.TCPConn); ok && reset {
			tcp.SetLinger(0)
		}
		conn.Close()
	}
	panic(http.ErrAbortHandler)
}

// writeTwice writes the same response to the connection twice.
func writeTwice(w http.ResponseWriter, r *http.Request, answer *reply) {
	recorded := httptest.NewRecorder()
	maps.Copy(recorded.Header(), w.Header())
	answer.write(recorded, r)
	response := recorded.Result()
	response.ContentLength = int64(recorded.Body.Len())
	var wire bytes.Buffer
	response.Write(&wire)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer conn.Close()
	conn.Write(slices.Repeat(wire.Bytes(), 2))
}

// shape wraps a writer so that headers are changed and the body is cut as
// planned.
func (p plan) shape(w http.ResponseWriter) http.ResponseWriter {
	if !p.cut && p.set == nil && p.remove == nil {
		return w
	}
	return &shapedWriter{ResponseWriter: w, plan: p, left: p.cutAfter}
}

type shapedWriter struct {
	http.ResponseWriter

	plan plan
	left int64
	sent bool
}

func (w *shapedWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.sent = true
		h := w.Header()
		for _, name := range w.plan.remove {
			h.Del(name)
		}
		maps.Copy(h, w.plan.set)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *shapedWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	if !w.plan.cut || int64(len(p)) <= w.left {
		w.left -= int64(len(p))
		return w.ResponseWriter.Write(p)
	}
	w.ResponseWriter.Write(p[:w.left])
	http.NewResponseController(w.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *shapedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
