package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/serviceapi/bench"
)

// These are the thousands of the IDs of projects. Each kind of project behaves
// in a different way. The list of merge requests has the number of pages that
// listProject put into the ID.
const (
	kinds           = 1000
	limitedProjects = 429 // each job is refused for a second
	burstProjects   = 430 // all jobs of one are refused for a second
	failingProjects = 503 // each job fails once
	budgetProjects  = 600 // the responses say how many requests are left
	slowProjects    = 504 // each job takes a while
	hostileProjects = 666 // the list of jobs is longer than anybody wants
)

const (
	pageLatency = 20 * time.Millisecond
	slowLatency = 300 * time.Millisecond
	pageCount   = 100 // after this many pages, they repeat
	perPage     = 100
	maxPages    = 10_000
	retryAfter  = time.Second
	hostileSize = 65 << 20
)

// listProject returns the project with a list of this many pages, each of which
// takes this long.
func listProject(pages int, latency time.Duration) int {
	return int(latency/time.Millisecond)*maxPages + pages
}

// zippedProjects is added to the ID of a project whose list is compressed if the client
// allows it, which takes the service none of the time: the pages were compressed before.
const zippedProjects = 1000 * maxPages

// service returns responses that were made beforehand.
type service struct {
	connections, requests atomic.Int64
	job                   string
	pages, zipped         func() []string

	mu      sync.Mutex
	refused map[string]time.Time // until when, by path
}

// serveUntilClosed serves until the input ends. It writes its addresses: those
// of the service with HTTP/1.1, with TLS and with HTTP/2, and that of its
// statistics.
func serveUntilClosed(input io.Reader, output io.Writer) error {
	s := &service{job: bench.JobJSON(), pages: pages, zipped: zipped, refused: map[string]time.Time{}}
	plain, encrypted, multiplexed := s.server(), s.server(), s.server()
	plain.Start()
	encrypted.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	encrypted.StartTLS()
	multiplexed.EnableHTTP2 = true
	multiplexed.StartTLS()
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(statistics{s.connections.Load(), s.requests.Load()})
	}))
	for _, server := range []*httptest.Server{plain, encrypted, multiplexed, control} {
		defer func() {
			server.CloseClientConnections()
			server.Close()
		}()
		fmt.Fprintln(output, server.URL)
	}
	_, err := io.Copy(io.Discard, input)
	return err
}

func (s *service) server() *httptest.Server {
	server := httptest.NewUnstartedServer(s.handler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // about connections that were not needed
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	return server
}

// pages and zipped are the pages of all lists. They are made once for all services of a
// process.
var (
	pages  = sync.OnceValue(makePages)
	zipped = sync.OnceValue(func() []string { return compressed(pages()) })
)

func makePages() []string {
	pages := make([]string, pageCount)
	for i := range pages {
		pages[i] = bench.MergeRequests(i*perPage+1, perPage)
	}
	return pages
}

func compressed(pages []string) []string {
	zipped := make([]string, len(pages))
	for i, page := range pages {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, page)
		w.Close()
		zipped[i] = b.String()
	}
	return zipped
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v4/projects/{id}/jobs/{job}", s.getJob)
	mux.HandleFunc("GET /api/v4/projects/{id}/jobs/{job}/artifacts", sendFile)
	mux.HandleFunc("GET /api/v4/projects/{id}/merge_requests", s.listMergeRequests)
	mux.HandleFunc(fmt.Sprintf("GET /api/v4/projects/%d/jobs", hostileProjects*kinds), sendHostile)
	mux.HandleFunc("POST /api/v4/projects/import", takeFile)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		mux.ServeHTTP(w, r)
	})
}

func (s *service) getJob(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.PathValue("id"))
	switch id / kinds {
	case limitedProjects, burstProjects:
		what := r.URL.Path
		if id/kinds == burstProjects {
			what = r.PathValue("id")
		}
		if s.refuse(what, retryAfter) {
			w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
			http.Error(w, `{"message":"Too Many Requests"}`, http.StatusTooManyRequests)
			return
		}
	case failingProjects:
		if s.refuse(r.URL.Path, 0) {
			http.Error(w, `{"message":"Service Unavailable"}`, http.StatusServiceUnavailable)
			return
		}
	case slowProjects:
		time.Sleep(slowLatency)
	case budgetProjects:
		w.Header().Set("RateLimit-Limit", "600")
		w.Header().Set("RateLimit-Observed", "1")
		w.Header().Set("RateLimit-Remaining", "599")
		w.Header().Set("RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10))
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, s.job)
}

// refuse reports whether a request is refused: the first time, and for some
// time after it.
func (s *service) refuse(what string, long time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, known := s.refused[what]
	if !known {
		s.refused[what] = time.Now().Add(long)
		return true
	}
	return time.Now().Before(until)
}

func (s *service) listMergeRequests(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	zipped := id >= zippedProjects && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	id %= zippedProjects
	last, latency := id%maxPages, time.Duration(id/maxPages)*time.Millisecond
	number, err2 := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
	if err != nil || err2 != nil || number < 1 || number > last ||
		r.URL.Query().Get("per_page") != strconv.Itoa(perPage) {
		http.Error(w, `{"error":"no such page"}`, http.StatusBadRequest)
		return
	}
	time.Sleep(latency)
	setPageHeaders(w.Header(), r, number, last)
	pages := s.pages
	if zipped {
		pages = s.zipped
		w.Header().Set("Content-Encoding", "gzip")
	}
	io.WriteString(w, pages()[(number-1)%pageCount])
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

// sendHostile sends a list whose first object has an endless name, without a
// length.
func sendHostile(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `[{"id":1,"name":"`)
	for range hostileSize >> 20 {
		if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
			return
		}
	}
	io.WriteString(w, `"}]`)
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

// takeFile reads an upload of any form and discards it.
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
