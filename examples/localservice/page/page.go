// Package page shows an embedded service in a browser: requests and deliveries as they
// come, what there is, and buttons for what tests do in code.
//
// It is for the machine that it runs on. It answers only under names of that machine, so
// that a site which points its own name there gets nothing, and refuses what comes from
// pages of other origins. Credentials are replaced before anything leaves the service; see
// [servicetest.Service.Subscribe].
package page

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi/servicetest"
)

//go:embed static
var static embed.FS

var index = template.Must(template.ParseFS(static, "static/page.html"))

// A Page shows a service. It is an http.Handler, to be served at an address of its own.
type Page struct {
	service *servicetest.Service
	options Options
	run     string // tells this page from one that was here before
	mux     *http.ServeMux

	mu      sync.Mutex
	changed chan struct{} // is closed when somebody has used a button
}

// Options are those of a page.
type Options struct {
	// Hosts are the names, without a port, under which browsers reach the page in addition
	// to those of the loopback interface.
	Hosts []string
	// AnyAddress also lets browsers reach it under any IP address, for a page that does not
	// listen on the loopback interface alone.
	AnyAddress bool
}

// New returns a page that shows a service.
func New(service *servicetest.Service, options Options) *Page {
	p := &Page{
		service: service, options: options, run: rand.Text(),
		mux: http.NewServeMux(), changed: make(chan struct{}),
	}
	p.mux.HandleFunc("GET /{$}", p.index)
	for _, name := range []string{"page.css", "page.js", "icon.svg"} {
		p.mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, static, "static/"+name)
		})
	}
	p.mux.HandleFunc("GET /events", p.events)
	p.mux.HandleFunc("GET /transcript", p.transcript)
	p.mux.HandleFunc("POST /clock", p.action(p.advance))
	p.mux.HandleFunc("POST /faults", p.action(p.addFault))
	p.mux.HandleFunc("POST /faults/remove", p.action(p.removeFault))
	p.mux.HandleFunc("POST /jobs", p.action(p.endJobs))
	return p
}

// Serve serves the page until ctx ends, and then ends its streams of events, too. It
// closes the listener.
func (p *Page) Serve(ctx context.Context, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	var closing sync.WaitGroup
	defer closing.Wait()
	defer cancel()
	closing.Go(func() {
		<-ctx.Done()
		server.Close()
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// policy lets the page load and send only what is its own, and keeps scripts from making
// elements of text.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// ServeHTTP serves the page.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cache-Control":                "no-store",
	} {
		w.Header().Set(name, value)
	}
	if problem := p.refuses(r); problem != "" {
		http.Error(w, problem, http.StatusForbidden)
		return
	}
	p.mux.ServeHTTP(w, r)
}

// refuses says why a request is not served, or returns "".
func (p *Page) refuses(r *http.Request) string {
	if !p.isOwn(r.Host) {
		return fmt.Sprintf("%q is not a name of this page; use 127.0.0.1 or localhost", r.Host)
	}
	origin := r.Header.Get("Origin")
	switch {
	case origin != "" && origin != "http://"+r.Host:
		return "requests of other origins are refused"
	case origin == "" && r.Method != http.MethodGet && r.Method != http.MethodHead:
		return "only the page itself may change something; the header Origin is missing"
	}
	// A link on another site may lead to the page itself, and to nothing else.
	from := r.Header.Get("Sec-Fetch-Site")
	if (from == "cross-site" || from == "same-site") && r.URL.Path != "/" {
		return "requests of other sites are refused"
	}
	return ""
}

// isOwn reports whether a browser that asks for a host means this page. A name that somebody
// else controls may lead here as well.
func (p *Page) isOwn(host string) bool {
	name := host
	if withoutPort, _, err := net.SplitHostPort(host); err == nil {
		name = withoutPort
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if name == "localhost" || slices.Contains(p.options.Hosts, name) {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && (address.IsLoopback() || p.options.AnyAddress)
}

func (p *Page) index(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = index.Execute(w, map[string]any{ // fails only if the browser is gone
		"API": p.service.URL() + "/api/v4", "Now": p.service.Now().Format(time.DateTime),
		"Routes": append([]string{"*"}, p.service.Routes()...),
	})
}

func (p *Page) transcript(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="localservice-transcript.txt"`)
	_ = p.service.Transcript(w) // likewise
}
