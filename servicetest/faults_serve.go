package servicetest

import (
	"bytes"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// withFaults serves a request, with the fault that applies to it, if any.
func (s *Service) withFaults(route string, w http.ResponseWriter, r *http.Request, handle func() *reply) {
	p := s.faults.pick(route, r)
	if p.delay > 0 && s.wait(r, p.delay) != nil {
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
func (s *Service) wait(r *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	case <-s.done:
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
