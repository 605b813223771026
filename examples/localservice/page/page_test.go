package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/examples/localservice/page"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A browser is what a page in a browser would do.
type browser struct {
	t       *testing.T
	service *servicetest.Service
	url     string
}

// open serves the page of a service.
func open(t *testing.T, options page.Options, opts ...servicetest.Option) *browser {
	t.Helper()
	service := servicetest.New(t, opts...)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- page.New(service, options).Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return &browser{t, service, "http://" + listener.Addr().String()}
}

// send sends a request as the page itself does, unless the header says otherwise.
func (b *browser) send(method, path string, fields url.Values, header ...string) (int, string, http.Header) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(fields.Encode()))
	require.NoError(b.t, err)
	r.Header.Set("Origin", b.url)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i+1] == "" {
			r.Header.Del(header[i])
		}
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	patient := http.Client{Timeout: time.Minute} // a stream that should have been refused has no end
	response, err := patient.Do(r)
	require.NoError(b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return response.StatusCode, string(body), response.Header
}

// post uses a button.
func (b *browser) post(path string, pairs ...string) (int, string) {
	b.t.Helper()
	fields := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		fields.Set(pairs[i], pairs[i+1])
	}
	status, body, _ := b.send("POST", path, fields)
	return status, strings.TrimSpace(body)
}

// call calls the API, and returns the status, or 0 without a response.
func (b *browser) call(method, path string, body string) int {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.service.URL()+"/api/v4"+path, strings.NewReader(body))
	require.NoError(b.t, err)
	r.Header.Set("Private-Token", b.service.AdminToken())
	r.Header.Set("Content-Type", "application/json")
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return 0
	}
	require.NoError(b.t, response.Body.Close())
	return response.StatusCode
}

// An event is one of the stream.
type event struct{ kind, data string }

// events opens the stream, which ends with the test, or with the returned function.
func (b *browser) events() (next func() (event, bool), leave func()) {
	b.t.Helper()
	ctx, leave := context.WithTimeout(b.t.Context(), 20*time.Second)
	b.t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, "GET", b.url+"/events", nil)
	require.NoError(b.t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(b.t, err)
	b.t.Cleanup(func() { response.Body.Close() })
	require.Equal(b.t, "text/event-stream", response.Header.Get("Content-Type"))
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<22)
	return func() (event, bool) {
		var e event
		for lines.Scan() {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
			case "event":
				e.kind = value
			case "data":
				e.data = value
			case "":
				return e, true
			}
		}
		return e, false
	}, leave
}

// waitFor returns the next event of a kind that fits.
func waitFor[T any](t *testing.T, next func() (event, bool), kind string, fits func(T) bool) T {
	t.Helper()
	for {
		e, open := next()
		require.True(t, open, "the stream ended before a %s", kind)
		var value T
		if e.kind != kind {
			continue
		}
		require.NoError(t, json.Unmarshal([]byte(e.data), &value), e.data)
		if fits(value) {
			return value
		}
	}
}

type request struct {
	ID, Method, Address, Route, User, Body, Answer, Took, Curl string

	Status, Attempt int
	Ended           bool
	Header          [][2]string
}

func hasEnded(r request) bool { return r.Ended }

type state struct {
	Running int
	Faults  []struct {
		ID     int64
		Text   string
		Hits   int
		UsedUp bool
	}
	Objects []node
}

type node struct {
	Key, Kind, Label, Status, Note string

	Older    int
	Links    []struct{ Key, Label string }
	Children []node
}

func TestOtherHostsAndOriginsAreRefused(t *testing.T) {
	const evil = "http://evil.example"
	local, remote := open(t, page.Options{}), open(t, page.Options{Hosts: []string{"box.lan"}, AnyAddress: true})
	for _, c := range []struct {
		of           *browser
		method, path string
		header       []string
		want         int
	}{
		{local, "GET", "/", []string{"Origin", ""}, 200},
		{local, "GET", "/", []string{"Origin", "", "Host", "localhost:1"}, 200},
		{local, "GET", "/", []string{"Origin", "", "Host", "[::1]:8081"}, 200},
		{local, "GET", "/", []string{"Origin", "", "Host", "127.0.0.2"}, 200},
		{local, "GET", "/", []string{"Origin", "", "Host", "evil.example"}, 403},
		{local, "GET", "/", []string{"Origin", "", "Host", "127.0.0.1.evil.example:80"}, 403},
		{local, "GET", "/", []string{"Origin", "", "Host", "localhost.evil.example"}, 403},
		{local, "GET", "/", []string{"Origin", "", "Host", "192.0.2.1:8081"}, 403},
		{local, "GET", "/events", []string{"Origin", "", "Host", "evil.example"}, 403},
		{local, "GET", "/", []string{"Origin", "", "Host", "box.lan"}, 403},
		{remote, "GET", "/", []string{"Origin", "", "Host", "BOX.lan:8081"}, 200},
		{remote, "GET", "/", []string{"Origin", "", "Host", "192.0.2.1:8081"}, 200},
		{remote, "GET", "/", []string{"Origin", "", "Host", "evil.example"}, 403},

		{local, "POST", "/clock", nil, 200},
		{local, "POST", "/clock", []string{"Origin", ""}, 403},
		{local, "POST", "/clock", []string{"Origin", "null"}, 403},
		{local, "POST", "/clock", []string{"Origin", evil}, 403},
		{local, "POST", "/clock", []string{"Origin", strings.Replace(local.url, "http:", "https:", 1)}, 403},
		{local, "POST", "/clock", []string{"Origin", remote.url}, 403},
		{local, "POST", "/clock", []string{"Origin", evil, "Host", "evil.example"}, 403},
		{local, "POST", "/clock", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{local, "POST", "/clock", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{local, "GET", "/transcript", []string{"Origin", "", "Sec-Fetch-Site", "cross-site"}, 403},
		{local, "GET", "/page.js", []string{"Origin", "", "Sec-Fetch-Site", "same-site"}, 403},
		{local, "GET", "/transcript", []string{"Origin", evil}, 403},
		{local, "GET", "/", []string{"Origin", "", "Sec-Fetch-Site", "cross-site"}, 200}, // a link
		{local, "GET", "/", []string{"Origin", evil}, 403},
		{local, "GET", "/clock", []string{"Origin", ""}, 405},
		{local, "GET", "/api/v4/version", []string{"Origin", ""}, 404},
	} {
		before := c.of.service.Now()
		status, body, _ := c.of.send(c.method, c.path, url.Values{"by": {"hour"}}, c.header...)
		assert.Equal(t, c.want, status, "%s %s %q: %s", c.method, c.path, c.header, body)
		moved := c.of.service.Now().After(before)
		assert.Equal(t, c.method == "POST" && c.want == 200, moved, "%s %s %q", c.method, c.path, c.header)
	}
	assert.Empty(t, local.service.Requests(), "requests of the page are no requests of the API")
}

// TestThePageLoadsNothingOfOthers: it has a strict policy, and what it loads is its own.
func TestThePageLoadsNothingOfOthers(t *testing.T) {
	b := open(t, page.Options{})
	for path, kind := range map[string]string{"/": "text/html", "/page.css": "text/css", "/page.js": "text/javascript",
		"/icon.svg": "image/svg+xml", "/transcript": "text/plain"} {
		status, body, header := b.send("GET", path, nil)
		assert.Equal(t, 200, status, path)
		assert.True(t, strings.HasPrefix(header.Get("Content-Type"), kind), header.Get("Content-Type"))
		policy := header.Get("Content-Security-Policy")
		assert.Contains(t, policy, "default-src 'none'")
		assert.NotContains(t, policy, "unsafe")
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		assert.Equal(t, "same-origin", header.Get("Cross-Origin-Resource-Policy"))
		if path == "/" {
			assert.NotContains(t, body, "<script>")
			assert.NotContains(t, body, "style=")
			assert.NotContains(t, body, " on")
			assert.Contains(t, body, b.service.URL()+"/api/v4")
			assert.Contains(t, body, `<option value="GET /projects/:id/jobs">`)
		}
		body = strings.ReplaceAll(body, "http://www.w3.org/2000/svg", "")
		assert.NotContains(t, strings.ReplaceAll(body, b.service.URL(), ""), "://", path)
		assert.NotContains(t, body, "innerHTML", path)
	}
}

func TestRequestsAppear(t *testing.T) {
	b := open(t, page.Options{})
	b.service.Project("acme/app")
	b.call("GET", "/before", "")
	next, _ := b.events()
	before := waitFor(t, next, "request", hasEnded)
	assert.Equal(t, "/api/v4/before", before.Address)

	body := `{"title":"It's","key":"ssh-ed25519 AAAA","password":"hidden-password"}`
	b.call("POST", "/projects/1/deploy_keys?private_token=hidden-token&a=b", body)
	r := waitFor(t, next, "request", hasEnded)
	assert.Equal(t, "POST /projects/:id/deploy_keys", r.Route)
	assert.Equal(t, "/api/v4/projects/1/deploy_keys?a=b&private_token=[redacted]", r.Address)
	assert.Equal(t, "root", r.User)
	assert.NotZero(t, r.Status)
	assert.Contains(t, r.Header, [2]string{"Private-Token", "[redacted]"})
	assert.Contains(t, r.Body, "\"title\": \"It's\"")
	assert.NotContains(t, fmt.Sprint(r), "hidden")
	assert.NotContains(t, fmt.Sprint(r), b.service.AdminToken())
	assert.Equal(t, `curl --globoff \
  --request 'POST' \
  --header 'Content-Type: application/json' \
  --header "PRIVATE-TOKEN: $SERVICE_TOKEN" \
  --data-raw '{"title":"It'\''s","key":"ssh-ed25519 AAAA","password":"[redacted]"}' \
  '`+b.service.URL()+`/api/v4/projects/1/deploy_keys?a=b'`, r.Curl)
}

// TestAnswersAppear: of errors and of successes, without credentials, and only the beginning.
func TestAnswersAppear(t *testing.T) {
	b := open(t, page.Options{})
	app := b.service.Project("acme/app")
	for i := range 30 {
		app.Label(fmt.Sprint("label ", i), "#123456", strings.Repeat("x", 100))
	}
	next, _ := b.events()
	answer := func(method, path, body string) string {
		b.call(method, path, body)
		r := waitFor(t, next, "request", hasEnded)
		assert.Regexp(t, `^\d+ µs$|^\d+\.\d m?s$`, r.Took)
		return r.Answer
	}
	assert.Contains(t, answer("GET", "/projects/1", ""), `"path_with_namespace":"acme/app"`)
	assert.Contains(t, answer("GET", "/projects/7", ""), "404 Project Not Found")
	made := answer("POST", "/projects/1/variables", `{"key":"A","value":"hidden-value"}`)
	assert.Contains(t, made, `"key": "A"`)
	assert.NotContains(t, made, "hidden-value")
	issued := answer("POST", "/projects/1/access_tokens", `{"name":"ci","scopes":["api"],"expires_at":"2026-02-01"}`)
	assert.Contains(t, issued, `"token": "[redacted]"`)
	long := answer("GET", "/projects/1/labels?per_page=100", "")
	assert.Contains(t, long, "label 0")
	assert.Less(t, len(long), 8<<10)
}

// TestThePageHasItsParts: what the script fills in stands where it belongs.
func TestThePageHasItsParts(t *testing.T) {
	b := open(t, page.Options{})
	_, body, _ := b.send("GET", "/", nil)
	form := body[strings.Index(body, `<form id="fault-form"`):]
	form = form[:strings.Index(form, "</form>")]
	assert.Contains(t, form, `id="fault-problem"`, "the problem of a fault stands in its form")
	for _, id := range []string{"clear", "older-requests", "older-deliveries"} {
		assert.Contains(t, body, fmt.Sprintf("id=%q", id))
	}
	_, css, _ := b.send("GET", "/page.css", nil)
	everywhere := css[strings.LastIndex(css[:strings.Index(css, "sticky")], "}"):]
	assert.True(t, strings.HasPrefix(everywhere, "}\nheader { position: sticky"), "not only in wide windows")
}

// TestRetriesAreToldApart: a request that repeats a failed one is another attempt, and one
// that repeats a success is not.
func TestRetriesAreToldApart(t *testing.T) {
	b := open(t, page.Options{})
	b.service.Project("acme/app")
	next, _ := b.events()
	b.service.Fault("*", servicetest.Status(503, ""), servicetest.Times(2))
	b.service.Fault("*", servicetest.Reset(), servicetest.Times(1))
	// A request is in the stream more than once: when it begins, and when it has ended.
	seen := map[string]bool{}
	attempt := func(path string) int {
		b.call("GET", path, "")
		r := waitFor(t, next, "request", func(r request) bool { return r.Ended && !seen[r.ID] })
		seen[r.ID] = true
		return r.Attempt
	}
	var attempts []int
	for _, path := range []string{"/projects/1", "/projects/1", "/projects/1", "/projects/1", "/projects/1",
		"/projects/2", "/projects/2"} {
		attempts = append(attempts, attempt(path))
	}
	assert.Equal(t, []int{1, 2, 3, 4, 1, 1, 1}, attempts)

	b.service.Fault("*", servicetest.Status(503, ""), servicetest.Times(1))
	assert.Equal(t, 1, attempt("/projects/1"))
	b.service.Advance(time.Hour)
	assert.Equal(t, 1, attempt("/projects/1"), "an hour later, it is a new call")
}

func TestDeliveriesAppear(t *testing.T) {
	b := open(t, page.Options{})
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thank you")
	}))
	app := b.service.Project("acme/app")
	app.Hook(target.URL+"/hook", servicetest.HookToken("hidden-token"), servicetest.HookEvents("issues_events"))
	next, _ := b.events()
	app.Issue("Crash")
	type delivery struct {
		Event, URL, Body, Answer, Problem string
		Status                            int
		Header                            [][2]string
	}
	d := waitFor(t, next, "delivery", func(delivery) bool { return true })
	assert.Equal(t, "Issue Hook", d.Event)
	assert.Equal(t, target.URL+"/hook", d.URL)
	assert.Equal(t, 202, d.Status)
	assert.Equal(t, "thank you", d.Answer)
	assert.Contains(t, d.Body, `"title": "Crash"`)
	assert.NotContains(t, fmt.Sprint(d), "hidden")
	target.Close()
	app.Issue("Another")
	d = waitFor(t, next, "delivery", func(delivery) bool { return true })
	assert.Zero(t, d.Status)
	assert.NotEmpty(t, d.Problem)
}

// TestFaults: one that is added makes calls fail, is listed with its hits, and can be taken
// back.
func TestFaults(t *testing.T) {
	b := open(t, page.Options{})
	b.service.Project("acme/app")
	next, _ := b.events()
	status, done := b.post("/faults", "route", "GET /projects/:id", "status", "503", "delay", "20", "times", "3")
	assert.Equal(t, 200, status)
	assert.Equal(t, "Added: GET /projects/:id: delay 20ms, status 503, times 3.", done)
	assert.Equal(t, 503, b.call("GET", "/projects/1", ""))
	assert.Equal(t, 200, b.call("GET", "/projects", ""))
	listed := waitFor(t, next, "state", func(s state) bool { return len(s.Faults) == 1 && s.Faults[0].Hits == 1 })
	fault := listed.Faults[0]
	assert.Equal(t, "GET /projects/:id: delay 20ms, status 503, times 3", fault.Text)
	assert.False(t, fault.UsedUp)

	status, done = b.post("/faults/remove", "id", fmt.Sprint(fault.ID))
	assert.Equal(t, 200, status, done)
	assert.Equal(t, 200, b.call("GET", "/projects/1", ""))
	waitFor(t, next, "state", func(s state) bool { return len(s.Faults) == 0 })
	status, done = b.post("/faults/remove", "id", fmt.Sprint(fault.ID))
	assert.Equal(t, 400, status, done)

	for _, drop := range []string{"before", "after"} {
		b.post("/faults", "route", "*", "drop", drop, "times", "1")
		assert.Zero(t, b.call("POST", "/projects/1/labels", `{"name":"`+drop+`","color":"#123456"}`), drop)
	}
	assert.Equal(t, []string{"after"}, b.service.Project("acme/app").LabelNames())
	b.post("/faults", "route", "*", "status", "429", "every", "2")
	assert.Equal(t, []int{200, 429, 200}, []int{b.call("GET", "/projects/1", ""), b.call("GET", "/projects/1", ""),
		b.call("GET", "/projects/1", "")})
}

// TestWrongFormsAreRefused: with a reason, and without an effect.
func TestWrongFormsAreRefused(t *testing.T) {
	b := open(t, page.Options{})
	now := b.service.Now()
	for want, c := range map[string][]string{
		"there is no route":           {"/faults", "route", "GET /nonsense", "status", "503"},
		"does nothing":                {"/faults", "route", "*", "times", "2"},
		"status must be a number":     {"/faults", "route", "*", "status", "99"},
		"delay must be":               {"/faults", "route", "*", "delay", "-5"},
		"every must be":               {"/faults", "route", "*", "status", "503", "every", "x"},
		"not both":                    {"/faults", "route", "*", "status", "503", "drop", "after"},
		"before or after":             {"/faults", "route", "*", "drop", "sideways"},
		"a minute, an hour or a day":  {"/clock", "by", "year"},
		"with success or failed":      {"/jobs", "end", "tired"},
		"taken back before":           {"/faults/remove", "id", "x"},
		"the form cannot be read":     {"/faults", "route", strings.Repeat("x", 20<<10)},
		`there is no route "<script>`: {"/faults", "route", "<script>"},
	} {
		status, got := b.post(c[0], c[1:]...)
		assert.Equal(t, 400, status, "%q", c)
		assert.Contains(t, got, want)
	}
	assert.Empty(t, b.service.Faults())
	assert.Equal(t, now, b.service.Now())
}

func TestClockAndJobs(t *testing.T) {
	b := open(t, page.Options{})
	app := b.service.Project("acme/app")
	app.Commit("main", "Begin")
	job := app.Pipeline("main").Job("by hand", servicetest.Running())
	next, _ := b.events()
	waitFor(t, next, "state", func(s state) bool { return s.Running == 1 })
	require.Equal(t, 201, b.call("POST", "/projects/1/pipeline?ref=main", ""))
	for _, by := range []string{"minute", "hour", "day"} {
		status, done := b.post("/clock", "by", by)
		assert.Equal(t, 200, status)
		assert.Contains(t, done, by)
	}
	assert.Equal(t, servicetest.Epoch.Add(25*time.Hour+time.Minute), b.service.Now())
	assert.Equal(t, "success", app.Pipelines()[1].Status(), "the clock has finished it")
	waitFor(t, next, "clock", func(now string) bool { return now == "2026-01-16 10:01:00" })

	_, done := b.post("/jobs", "end", "failed")
	assert.Equal(t, "1 job was ended.", done)
	assert.Equal(t, "failed", job.Status())
	waitFor(t, next, "state", func(s state) bool { return s.Running == 0 })
	again := app.Pipeline("main").Job("again", servicetest.Running())
	_, done = b.post("/jobs", "end", "success")
	assert.Equal(t, "1 job was ended.", done)
	assert.Equal(t, "success", again.Status())
	_, done = b.post("/jobs", "end", "success")
	assert.Equal(t, "0 jobs were ended.", done)
}

// TestTheTree: groups have projects, these have merge requests and pipelines, newest first,
// which link each other.
func TestTheTree(t *testing.T) {
	b := open(t, page.Options{})
	app := b.service.Project("acme/app")
	app.MergeRequest("work")
	for range 30 {
		app.Pipeline("main")
	}
	app.Pipeline("work").Job("test", servicetest.Failed("script_failure"), servicetest.Stage("check"))
	b.service.User("ada")
	b.service.Project("ada/own")
	next, _ := b.events()
	s := waitFor(t, next, "state", func(state) bool { return true })
	require.Len(t, s.Objects, 2)
	assert.Equal(t, "ada/own", s.Objects[1].Label)
	project := s.Objects[0].Children[0]
	assert.Equal(t, "project-1", project.Key)
	require.Len(t, project.Children, 1+25)
	assert.Equal(t, 6, project.Older)
	request, pipeline := project.Children[0], project.Children[1]
	assert.Equal(t, "!1 Work", request.Label)
	assert.Equal(t, "work → main", request.Note)
	assert.Equal(t, "failed", pipeline.Status)
	require.Len(t, request.Links, 1)
	assert.Equal(t, pipeline.Key, request.Links[0].Key)
	require.Len(t, pipeline.Links, 1)
	assert.Equal(t, request.Key, pipeline.Links[0].Key)
	assert.Equal(t, "test", pipeline.Children[0].Label)
	assert.Equal(t, "check", pipeline.Children[0].Note)
}

// TestHostileNames: names with markup and line breaks stay text, and break no event.
func TestHostileNames(t *testing.T) {
	const hostile = "</script><script>alert(1)</script>\n\nevent: hello\r\ndata: {\u2028<img src=x onerror=alert(1)>"
	b := open(t, page.Options{}, servicetest.WithExternalURL("http://x\"><script>alert(1)</script>"))
	app := b.service.Project("acme/app")
	app.MergeRequest("work", servicetest.Title(hostile))
	app.Pipeline("main").Job(hostile)
	next, leave := b.events()
	b.call("GET", "/projects/1?"+url.QueryEscape(hostile)+"=1", "")
	hellos := 0
	for {
		e, open := next()
		if !open {
			break
		}
		assert.NotContains(t, e.data, "<", e.kind)
		if e.kind == "hello" {
			hellos++
		}
		var r request
		if e.kind == "request" && json.Unmarshal([]byte(e.data), &r) == nil && r.Ended {
			leave()
		}
	}
	assert.Equal(t, 1, hellos)
	_, html, _ := b.send("GET", "/", nil)
	assert.NotContains(t, html, "<script>")
}

// TestStreamsEnd: with the browser, with the page, and with the service.
func TestStreamsEnd(t *testing.T) {
	running := servicetest.New(t)
	handler := page.New(running, page.Options{})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	for _, c := range []struct {
		with string
		ctx  context.Context
		end  func()
	}{{"browser", ctx, leave}, {"service", t.Context(), running.Close}} {
		ended := make(chan bool)
		go func() {
			r := httptest.NewRequestWithContext(c.ctx, "GET", "http://127.0.0.1/events", nil)
			handler.ServeHTTP(httptest.NewRecorder(), r)
			close(ended)
		}()
		select {
		case <-ended:
			t.Fatal("the stream has ended by itself")
		case <-time.After(50 * time.Millisecond):
		}
		c.end()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatalf("the stream does not end with the %s", c.with)
		}
	}

	service := servicetest.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	serving, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- page.New(service, page.Options{}).Serve(serving, listener) }()
	next, _ := (&browser{t, service, "http://" + listener.Addr().String()}).events()
	_, isOpen := next()
	require.True(t, isOpen)
	stop()
	require.NoError(t, <-served)
	for isOpen {
		_, isOpen = next()
	}
}

// TestTranscript: it can be downloaded, without credentials.
func TestTranscript(t *testing.T) {
	b := open(t, page.Options{})
	b.call("GET", "/projects/7?private_token=hidden-token", "")
	_, body, header := b.send("GET", "/transcript", nil)
	assert.Contains(t, header.Get("Content-Disposition"), "attachment")
	assert.Contains(t, body, "GET /api/v4/projects/7")
	assert.NotContains(t, body, "hidden")
}
