package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/serviceapi/bench"
)

// Projects of the service, each of which shows something of its own. The list
// of merge requests of any project has as many pages as its id says.
const (
	limitedProject = 429 // each of its jobs is refused for a second
	budgetProject  = 600 // its answers tell how many requests are left
)

const (
	pageLatency = 20 * time.Millisecond
	pageCount   = 100
	perPage     = 100
	retryAfter  = time.Second
)

// service answers with what was made beforehand.
type service struct {
	connections, requests atomic.Int64
	job                   string
	pages                 func() []string

	mu      sync.Mutex
	refused map[string]time.Time // until when, by path
}

// serveUntilClosed serves until the input ends. It writes where: the address
// of the service, and that of its statistics.
func serveUntilClosed(input io.Reader, output io.Writer) error {
	s := &service{job: bench.JobJSON(), pages: sync.OnceValue(makePages), refused: map[string]time.Time{}}
	server := &http.Server{Handler: s.handler(), ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}}
	control := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(statistics{s.connections.Load(), s.requests.Load()})
	})}
	for _, h := range []*http.Server{server, control} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		go h.Serve(listener)
		fmt.Fprintf(output, "http://%s\n", listener.Addr())
	}
	_, err := io.Copy(io.Discard, input)
	return err
}

func makePages() []string {
	pages := make([]string, pageCount)
	for i := range pages {
		pages[i] = bench.MergeRequests(i*perPage+1, perPage)
	}
	return pages
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v4/projects/{id}/jobs/{job}", s.getJob)
	mux.HandleFunc("GET /api/v4/projects/{id}/jobs/{job}/artifacts", sendFile)
	mux.HandleFunc("GET /api/v4/projects/{id}/merge_requests", s.listMergeRequests)
	mux.HandleFunc("POST /api/v4/projects/import", takeFile)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		mux.ServeHTTP(w, r)
	})
}

func (s *service) getJob(w http.ResponseWriter, r *http.Request) {
	switch r.PathValue("id") {
	case strconv.Itoa(limitedProject):
		if s.refuse(r.URL.Path) {
			w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
			http.Error(w, `{"message":"Too Many Requests"}`, http.StatusTooManyRequests)
			return
		}
	case strconv.Itoa(budgetProject):
		w.Header().Set("RateLimit-Limit", "600")
		w.Header().Set("RateLimit-Observed", "1")
		w.Header().Set("RateLimit-Remaining", "599")
		w.Header().Set("RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10))
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, s.job)
}

// refuse tells whether a path is refused still: for some time from the first
// request on.
func (s *service) refuse(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, known := s.refused[path]
	if !known {
		s.refused[path] = time.Now().Add(retryAfter)
		return true
	}
	return time.Now().Before(until)
}

func (s *service) listMergeRequests(w http.ResponseWriter, r *http.Request) {
	last, err := strconv.Atoi(r.PathValue("id"))
	number, err2 := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
	if err != nil || err2 != nil || number < 1 || number > min(last, pageCount) ||
		r.URL.Query().Get("per_page") != strconv.Itoa(perPage) {
		http.Error(w, `{"error":"no such page"}`, http.StatusBadRequest)
		return
	}
	time.Sleep(pageLatency)
	setPageHeaders(w.Header(), r, number, last)
	io.WriteString(w, s.pages()[number-1])
}

func setPageHeaders(h http.Header, r *http.Request, number, last int) {
	link := func(page int, rel string) string {
		query := r.URL.Query()
		query.Set("page", strconv.Itoa(page))
		return fmt.Sprintf(`<http://%s%s?%s>; rel=%q`, r.Host, r.URL.Path, query.Encode(), rel)
	}
	links := link(1, "first") + ", " + link(last, "last")
	if number < last {
		links = link(number+1, "next") + ", " + links
		h.Set("X-Next-Page", strconv.Itoa(number+1))
	}
	h.Set("Link", links)
	h.Set("X-Page", strconv.Itoa(number))
	h.Set("X-Per-Page", strconv.Itoa(perPage))
	h.Set("X-Total", strconv.Itoa(last*perPage))
	h.Set("X-Total-Pages", strconv.Itoa(last))
	h.Set("Content-Type", "application/json")
}

// sendFile sends a file as long as the number of the job says, in MiB.
func sendFile(w http.ResponseWriter, r *http.Request) {
	mib, err := strconv.ParseInt(r.PathValue("job"), 10, 32)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Length", strconv.FormatInt(mib<<20, 10))
	io.Copy(w, content(mib<<20))
}

// takeFile takes an upload of whatever form and throws it away.
func takeFile(w http.ResponseWriter, r *http.Request) {
	n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, r.Body, make([]byte, 256<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"id":1,"name":"app","description":"%d bytes","path":"app","import_status":"scheduled"}`, n)
}
