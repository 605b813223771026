package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Fault is a misbehavior of a route. Its exported fields do not change once it has
// been added to Faults.
type Fault struct {
	route              string // the template, or "*" for every request
	Skip, Times, Every int    // which requests to the route it affects
	When               func(*http.Request) bool
	Plan               Plan
	Handle             any // set by the service

	id         int64
	seen, hits int // guarded by Faults.mu
}

// NewFault returns a fault for all requests to a route. It changes nothing yet.
func NewFault(route string) *Fault { return &Fault{route: route, Every: 1, Times: -1} }

// A Plan is what a fault does to a request. Its zero value changes nothing.
type Plan struct {
	Delay    time.Duration
	Handler  http.Handler
	Label    string // says what the handler does
	Reset    bool
	Twice    bool
	Drop     bool
	Doubled  bool
	Cut      bool
	CutAfter int64
	Set      http.Header
	Remove   []string
}

// Faults holds the faults of a service. The one that was added first takes effect
// first.
type Faults struct {
	Closed <-chan struct{} // ends delays

	mu     sync.Mutex
	active []*Fault
	last   int64 // ID
}

// Add adds a fault. Earlier ones take effect before it.
func (fs *Faults) Add(f *Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.last++
	f.id = fs.last
	fs.active = append(fs.active, f)
}

// Clear removes all faults.
func (fs *Faults) Clear() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active = nil
}

// Remove ends a fault.
func (fs *Faults) Remove(f *Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active = slices.DeleteFunc(slices.Clone(fs.active), func(active *Fault) bool { return active == f })
}

// List returns the faults in the order in which they were added.
func (fs *Faults) List() []*Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return slices.Clone(fs.active)
}

// UsedUp reports whether a fault will affect no more requests.
func (fs *Faults) UsedUp(f *Fault) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return f.hits == f.Times
}

// ID returns the number of the fault: 1 for the first.
func (f *Fault) ID() int64 { return f.id }

// Route returns the template of the route, or "*" for all requests.
func (f *Fault) Route() string { return f.route }

// String says what the fault does, and to which requests.
func (f *Fault) String() string {
	p := f.Plan
	var does []string
	say := func(applies bool, format string, args ...any) {
		if applies {
			does = append(does, fmt.Sprintf(format, args...))
		}
	}
	say(p.Delay > 0, "delay %v", p.Delay)
	say(p.Reset, "reset")
	say(p.Handler != nil, "%s", p.Label)
	say(p.Twice, "duplicate effect")
	say(p.Drop, "dropped response")
	say(p.Doubled, "duplicate response")
	say(p.Cut, "body cut after %d bytes", p.CutAfter)
	say(len(p.Set) > 0 || len(p.Remove) > 0, "changed header")
	say(len(does) == 0, "nothing")
	say(f.When != nil, "if a condition holds")
	say(f.Skip > 0, "skip %d", f.Skip)
	say(f.Every > 1, "every %d", f.Every)
	say(f.Times >= 0, "times %d", f.Times)
	return f.route + ": " + strings.Join(does, ", ")
}

// Hits returns the number of requests that a fault has affected.
func (fs *Faults) Hits(f *Fault) int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return f.hits
}

var errClosed = errors.New("servicetest: closed")

// Any reports whether there are faults.
func (fs *Faults) Any() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.active) > 0
}

// pick returns the plan for a request.
func (fs *Faults) pick(route string, r *http.Request) Plan {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.active {
		if f.meets(route, r) {
			return f.Plan
		}
	}
	return Plan{}
}

func (f *Fault) meets(route string, r *http.Request) bool {
	if f.route != "*" && f.route != route || f.When != nil && !f.When(r) || f.hits == f.Times {
		return false
	}
	f.seen++
	if f.seen <= f.Skip || (f.seen-f.Skip)%f.Every != 0 {
		return false
	}
	f.hits++
	return true
}

// Serve serves a request, with the fault that applies to it, if any.
func (fs *Faults) Serve(route string, w http.ResponseWriter, r *http.Request, handle func() *Reply) {
	p := fs.pick(route, r)
	if p.Delay > 0 && fs.wait(r, p.Delay) != nil {
		abort(w, false)
	}
	if p.Reset {
		abort(w, true)
	}
	w = p.shape(w)
	if p.Handler != nil {
		p.Handler.ServeHTTP(w, r)
		return
	}
	if p.Twice {
		carryOut(r, handle)
	}
	answer := handle()
	switch {
	case p.Drop:
		answer.settle(r)
		abort(w, false)
	case p.Doubled:
		writeTwice(w, r, answer)
	default:
		answer.Write(w, r)
	}
}

// carryOut executes a request, and resets it so that it can be executed again.
func carryOut(r *http.Request, handle func() *Reply) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	handle().settle(r)
	r.Body = io.NopCloser(bytes.NewReader(body))
}

// wait sleeps, unless the client disconnects or the service is closed first.
func (fs *Faults) wait(r *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	case <-fs.Closed:
		return errClosed
	}
}

// abort breaks the connection and does not return. If reset is true, it resets a
// connection that is not shared.
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
func writeTwice(w http.ResponseWriter, r *http.Request, answer *Reply) {
	recorded := httptest.NewRecorder()
	maps.Copy(recorded.Header(), w.Header())
	answer.Write(recorded, r)
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
func (p Plan) shape(w http.ResponseWriter) http.ResponseWriter {
	if !p.Cut && p.Set == nil && p.Remove == nil {
		return w
	}
	return &shapedWriter{ResponseWriter: w, plan: p, left: p.CutAfter}
}

type shapedWriter struct {
	http.ResponseWriter

	plan Plan
	left int64
	sent bool
}

func (w *shapedWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.sent = true
		h := w.Header()
		for _, name := range w.plan.Remove {
			h.Del(name)
		}
		maps.Copy(h, w.plan.Set)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *shapedWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	if !w.plan.Cut || int64(len(p)) <= w.left {
		w.left -= int64(len(p))
		return w.ResponseWriter.Write(p)
	}
	w.ResponseWriter.Write(p[:w.left])
	http.NewResponseController(w.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *shapedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
