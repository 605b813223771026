package wire

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Script is a transport that responds from a script and records when it was called.
type Script struct {
	mu sync.Mutex
	// Replies are the responses in order. The last one is repeated.
	Replies []func(*http.Request) (*http.Response, error)
	Times   []time.Time
	Methods []string
	Bodies  []string
}

// RoundTrip makes the next response.
func (s *Script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.Times)
	s.Times = append(s.Times, time.Now())
	s.Methods = append(s.Methods, r.Method)
	if r.Body != nil {
		data, _ := io.ReadAll(r.Body)
		r.Body.Close()
		s.Bodies = append(s.Bodies, string(data))
	}
	return s.Replies[min(n, len(s.Replies)-1)](r)
}

// Status returns a response with a body and headers, each a name and its value.
func Status(code int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{
			StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	}
}

// Failure returns an error of the transport.
func Failure(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}
