package servicetest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// follow returns a function that returns the next exchange of a subscription.
func follow(t *testing.T, svc *servicetest.Service, past int) (next func() servicetest.Exchange) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	take, stop := iter.Pull(svc.Subscribe(ctx, past))
	t.Cleanup(func() { cancel(); stop() })
	return func() servicetest.Exchange {
		t.Helper()
		exchange, ok := take()
		if !ok {
			t.Fatal("the subscription has ended")
		}
		return exchange
	}
}

// ended returns the next request of a subscription that has ended.
func ended(t *testing.T, next func() servicetest.Exchange) *servicetest.Request {
	t.Helper()
	for {
		if r := next().Request; r != nil && r.Duration > 0 {
			return r
		}
	}
}

func TestSubscribe(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Project("acme/app", servicetest.Public())
	for i := range 3 {
		get(t, svc, fmt.Sprint("/before/", i))
	}
	next := follow(t, svc, 2)
	for _, path := range []string{"/1", "/2"} {
		if r := ended(t, next); !strings.HasSuffix(r.Path, path) || r.Status != 404 {
			t.Errorf("of the past: %s → %d, want …%s", r.Path, r.Status, path)
		}
	}
	answered := call(t, svc, "GET", "/projects/1?license=true", "", "Sudo", "ada")
	r := ended(t, next)
	if r.ID != answered.Header.Get("X-Request-Id") || r.ID == "" || r.User != "ada" || r.Status != 200 ||
		r.Route != "GET /projects/:id" || r.Query.Get("license") != "[redacted]" || r.Header.Get("Sudo") != "ada" {
		t.Errorf("%+v", r)
	}
	if kept := svc.Requests()[3]; kept.ID != r.ID || kept.Duration != r.Duration || kept.Duration <= 0 {
		t.Errorf("the recorder has %s, %v", kept.ID, kept.Duration)
	}
}

// TestSubscribersSeeWhatIsUnderWay: a subscriber sees a request when it arrives, and
// again when it has ended, even without a response.
func TestSubscribersSeeWhatIsUnderWay(t *testing.T) {
	svc := servicetest.New(t)
	begun, goOn := make(chan bool), make(chan bool)
	svc.Handle("GET /slow", func(w http.ResponseWriter, _ *http.Request) { begun <- true; <-goOn })
	next := follow(t, svc, 0)
	var group sync.WaitGroup
	group.Go(func() { get(t, svc, "/slow") })
	<-begun
	arrived := next().Request
	if arrived.Status != 0 || arrived.Duration != 0 || arrived.Path != "/api/v4/slow" {
		t.Errorf("arrived: %+v", arrived)
	}
	close(goOn)
	group.Wait()
	if r := next().Request; r.ID != arrived.ID || r.Status != 200 && r.Status != 0 || r.Duration <= 0 {
		t.Errorf("ended: %+v", r)
	}
	svc.Fault("*", servicetest.Reset())
	try(t, svc, "GET", "/projects/1/jobs")
	if r := ended(t, next); r.Status != 0 {
		t.Errorf("reset: %+v", r)
	}
}

// TestSlowSubscribers: a slow subscriber does not stop the service, has the newest
// 1,000 exchanges, and learns how many it has missed.
func TestSlowSubscribers(t *testing.T) {
	svc := servicetest.New(t)
	const sent, kept = 1300, 1000
	next := follow(t, svc, 0)
	for range sent {
		svc.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/v4/version", nil))
	}
	seen, missed := 0, 0
	for last := fmt.Sprintf("req-%08d", sent); ; {
		exchange := next()
		if seen > 0 && exchange.Missed != 0 {
			t.Errorf("%d were missed after %d", exchange.Missed, seen)
		}
		seen, missed = seen+1, missed+exchange.Missed
		if exchange.Request.Duration == 0 {
			t.Errorf("%s came before it has ended", exchange.Request.ID)
		}
		if exchange.Request.ID == last {
			break
		}
	}
	if seen != kept || missed != sent-kept {
		t.Errorf("%d seen, %d missed; want %d and %d", seen, missed, kept, sent-kept)
	}
}

// TestSubscriptionsEnd: subscriptions end with their context, their loop or the
// service, which then keeps nothing for them.
func TestSubscriptionsEnd(t *testing.T) {
	svc := servicetest.New(t)
	get(t, svc, "/one")
	for exchange := range svc.Subscribe(t.Context(), 1) {
		if exchange.Request.Path != "/api/v4/one" {
			t.Errorf("%+v", exchange.Request)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	canceled, taken := svc.Subscribe(ctx, 1), svc.Subscribe(ctx, 1)
	svc.Subscribe(ctx, 0) // without a reader
	for range taken {
		cancel()
	}
	for exchange := range canceled {
		t.Errorf("after the end: %+v", exchange)
	}
	waitUntil(t, "the subscriptions have ended", func() bool { return svc.Subscribers() == 0 })

	open := svc.Subscribe(context.Background(), 0)
	done := make(chan bool)
	go func() {
		defer close(done)
		for range open {
		}
	}()
	svc.Close()
	<-done
	if n := svc.Subscribers(); n != 0 {
		t.Errorf("%d subscribers are left", n)
	}
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("it never happens that %s", what)
}

// TestSubscribersSeeDeliveries: a subscriber sees deliveries with their responses, but
// without credentials.
func TestSubscribersSeeDeliveries(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "session=hidden-cookie")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, `{"token":"hidden-answer","note":"no coffee"}`)
	}))
	defer target.Close()
	for _, recorded := range []int{10, 0} {
		svc := servicetest.New(t, servicetest.WithRecordedRequests(recorded))
		app := svc.Project("acme/app")
		withLogin := strings.Replace(target.URL, "://", "://bot:hidden-login@", 1)
		hook := app.Hook(withLogin+"/take?secret_token=hidden-query&a=b", servicetest.HookToken("hidden-token"),
			servicetest.HookHeader("X-Team", "hidden-header"), servicetest.HookEvents("issues_events"))
		next := follow(t, svc, 0)
		app.Issue("Of the token " + svc.AdminToken())
		svc.Flush()
		d := next().Delivery
		if d == nil || d.Hook != hook || d.Status != 418 || d.Event != "Issue Hook" || d.Duration <= 0 {
			t.Fatalf("%+v", d)
		}
		shown := fmt.Sprint(d.URL, d.Header, string(d.Body), d.ResponseHeader, string(d.ResponseBody))
		for _, secret := range []string{"hidden", svc.AdminToken()} {
			if strings.Contains(shown, secret) {
				t.Errorf("%q is shown: %s", secret, shown)
			}
		}
		if !strings.Contains(string(d.ResponseBody), "no coffee") || d.Header.Get("X-Team") != "[redacted]" ||
			!strings.Contains(d.URL, "a=b") {
			t.Errorf("too little is shown: %s", shown)
		}
		if own := svc.Deliveries()[0]; own.Header.Get("X-Team") != "hidden-header" || own.ID != d.ID {
			t.Errorf("the delivery itself has changed: %+v", own)
		}
		target := app.Hook("http://127.0.0.1:1/hidden-path?token=hidden", servicetest.HookEvents("push_events"))
		app.Commit("main", "Push")
		svc.Flush()
		if d := next().Delivery; d.Hook != target || d.Err == nil || strings.Contains(d.Err.Error(), "hidden") {
			t.Errorf("%+v", d)
		}
		if d := follow(t, svc, 1)().Delivery; d == nil || d.Hook != target {
			t.Errorf("of the past: %+v", d)
		}
	}
}

// TestSubscribersSeeNoCredentials sends credentials in every way to a route that reads
// the body. Each contains the word "hidden". Everything else must stay readable.
func TestSubscribersSeeNoCredentials(t *testing.T) {
	const form, plain = "application/x-www-form-urlencoded", "text/plain"
	pem := `-----BEGIN RSA PRIVATE KEY-----\nhidden\n-----END RSA PRIVATE KEY-----`
	for _, c := range []struct{ kind, body, want string }{
		{"", `{"title":"A","password":"hidden"}`, `{"title":"A","password":"[redacted]"}`},
		{"", ` { "private-token" : "hidden" , "n" : 1 } `, ` { "private-token" : "[redacted]" , "n" : 1 } `},
		{"", `{"":"x","password":"hidden"}`, `{"":"x","password":"[redacted]"}`},
		{"", `{"tokens":["hidden",{"a":"hidden"},true,null],"b":"c"}`,
			`{"tokens":["[redacted]",{"a":"[redacted]"},true,null],"b":"c"}`},
		{"", `[{"otp":123456},{"password_length":8},{"value":5}]`,
			`[{"otp":"[redacted]"},{"password_length":8},{"value":"[redacted]"}]`},
		{"", `{"variables":[{"key":"A","value":"hidden"}],"ref":"main"}`,
			`{"variables":[{"key":"A","value":"[redacted]"}],"ref":"main"}`},
		{"", `{"variables":{"A":"hidden","B":["hidden-too"]},"ref":"main"}`,
			`{"variables":{"A":"[redacted]","B":["[redacted]"]},"ref":"main"}`},
		{"", `{"key":"` + pem + `","public":"ssh-ed25519 AAAA"}`, `{"key":"[redacted]","public":"ssh-ed25519 AAAA"}`},
		{"", `{"import_url":"https://me:hidden@code.example/a.git?hidden"}`,
			`{"import_url":"https://[redacted]@code.example/a.git?[redacted]"}`},
		{"", `{"text":"see https://a.example/?X-Amz-Signature=hidden&n=1"}`,
			`{"text":"see https://a.example/?X-Amz-Signature=[redacted]\u0026n=1"}`},
		{"", `{"text":"token-1-root is it","b":"token\u002d1-root"}`, `{"text":"[redacted] is it","b":"[redacted]"}`},
		{"", `{"title":"cut o`, `{"title":"cut o`},
		{"", `{"title":"A","password":"hidd`, `{"title":"A","password":(5 bytes that cannot be read)`},
		{"", `{"title":nonsense,"password":"hidden"}`, `{"title":(29 bytes that cannot be read)`},
		{"", `[1] {"password":"hidden"} {`, `[1] {"password":"[redacted]"} {`},
		{form, "title=A&password=hidden&b=%7B", "title=A&password=[redacted]&b=%7B"},
		{form, "user%5Bpassword%5D=hidden&variables[][key]=A&variables[][value]=hidden&variables[B]=hidden",
			"user%5Bpassword%5D=[redacted]&variables[][key]=A&variables[][value]=[redacted]&variables[B]=[redacted]"},
		{form, "a=token-1-root+it&%zz=1&token=hid", "a=%5Bredacted%5D+it&%zz=1&token=[redacted]"},
		{plain, "token-1-root and https://me:hidden@code.example/\n",
			"[redacted] and https://[redacted]@code.example/\n"},
		{plain, strings.ReplaceAll(pem, `\n`, "\n") + " end", "[redacted] end"},
		{plain, "-----BEGIN PRIVATE KEY-----\nhidden", "[redacted]"},
	} {
		if r := maskedRequest(t, c.kind, c.body); string(r.Body) != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, r.Body, c.want)
		}
	}
}

// maskedRequest sends a body, and returns the request that a subscriber sees.
func maskedRequest(t *testing.T, kind, body string, header ...string) *servicetest.Request {
	t.Helper()
	svc := servicetest.New(t)
	svc.Handle("POST /things", func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	next := follow(t, svc, 0)
	r := httptest.NewRequest("POST", "/api/v4/things?private_token=hidden&page_token=3&a[password]=hidden",
		strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	svc.ServeHTTP(httptest.NewRecorder(), r)
	seen := ended(t, next)
	if fmt.Sprint(seen.Query) != "map[a[password]:[[redacted]] page_token:[3] private_token:[[redacted]]]" {
		t.Errorf("query: %v", seen.Query)
	}
	return seen
}

func TestSubscribersSeeNoCredentialsInHeaders(t *testing.T) {
	for _, h := range [][3]string{
		{"Private-Token", "hidden", "[redacted]"},
		{"Job-Token", "hidden", "[redacted]"},
		{"Deploy-Token", "hidden", "[redacted]"},
		{"Authorization", "Bearer hidden", "Bearer [redacted]"},
		{"Authorization", "hidden of no scheme", "[redacted]"},
		{"Proxy-Authorization", "Basic hidden", "Basic [redacted]"},
		{"Cookie", "a=hidden", "[redacted]"},
		{"X-Vendor-Api-Key", "hidden", "[redacted]"},
		{"Referer", "http://127.0.0.1/token-1-root?private_token=hidden",
			"http://127.0.0.1/[redacted]?private_token=[redacted]"},
		{"Accept", "application/json", "application/json"},
	} {
		if got := maskedRequest(t, "", "", h[0], h[1]).Header.Get(h[0]); got != h[2] {
			t.Errorf("%s: %s is shown as %s", h[0], h[1], got)
		}
	}
}

// TestSubscribersSeeNoFiles: a form with a file shows only its fields.
func TestSubscribersSeeNoFiles(t *testing.T) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	w.WriteField("path", "app")
	w.WriteField("password", "hidden")
	file, _ := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="key.pem"`}, "Content-Type": {plainText}})
	file.Write([]byte("hidden too"))
	w.Close()
	for _, cut := range []int{0, 60} {
		r := maskedRequest(t, w.FormDataContentType(), body.String()[:body.Len()-cut])
		got := string(r.Body)
		size := "(10 bytes)"
		if cut > 0 {
			size = "(the beginning of a file)"
		}
		if strings.Contains(got, "hidden") || !strings.Contains(got, "\r\n\r\napp\r\n") ||
			!strings.Contains(got, "[redacted]") || !strings.Contains(got, `filename="key.pem"`) ||
			!strings.Contains(got, size) {
			t.Errorf("without the last %d bytes: %q", cut, got)
		}
	}
}

const plainText = "text/plain"

// TestVariablesOfGraphQL: variables of a query are ordinary parameters.
func TestVariablesOfGraphQL(t *testing.T) {
	svc := servicetest.New(t)
	next := follow(t, svc, 0)
	body := `{"query":"query($p: ID!){project(fullPath:$p){id}}","variables":{"p":"acme/app","password":"hidden"}}`
	request(t, "POST", svc.URL()+"/api/graphql", body, "PRIVATE-TOKEN", svc.AdminToken(),
		"Content-Type", "application/json")
	if got := string(ended(t, next).Body); got != strings.Replace(body, "hidden", "[redacted]", 1) {
		t.Errorf("%s", got)
	}
}

// TestErrorsAreMasked: error responses and paths may repeat credentials, so they are
// masked, too. A transcript is masked in the same way.
func TestErrorsAreMasked(t *testing.T) {
	svc := servicetest.New(t)
	svc.Fault("*", servicetest.Status(400, `{"message":"token-1-root is wrong","token":"hidden-token"}`))
	next := follow(t, svc, 0)
	call(t, svc, "GET", "/things/token-1-root?token=hidden-query", "")
	r := ended(t, next)
	const want = `{"message":"[redacted] is wrong","token":"[redacted]"}`
	if string(r.ErrorBody) != want || r.Path != "/api/v4/things/[redacted]" {
		t.Errorf("%s %s", r.Path, r.ErrorBody)
	}
	var transcript strings.Builder
	if err := svc.Transcript(&transcript); err != nil || strings.Contains(transcript.String(), "hidden") ||
		strings.Contains(transcript.String(), "token-1-root") || !strings.Contains(transcript.String(), want) {
		t.Errorf("%v in %s", err, transcript.String())
	}
	if kept := svc.Requests()[0]; kept.Header.Get("Private-Token") != "token-1-root" || kept.Query.Get("token") == "" {
		t.Errorf("a test does not see what was sent: %+v", kept)
	}
}

// TestNewTokensAreMasked: a subscription also masks tokens that are issued later.
func TestNewTokensAreMasked(t *testing.T) {
	svc := servicetest.New(t)
	next := follow(t, svc, 0)
	get(t, svc, "/one")
	ended(t, next)
	token := svc.Token(svc.User("ada"))
	get(t, svc, "/"+token)
	if r := ended(t, next); r.Path != "/api/v4/[redacted]" {
		t.Errorf("%s is shown: %s", token, r.Path)
	}
}

// TestRequestsEndOnce: a request ends once, even while a subscriber looks at its
// arrival.
func TestRequestsEndOnce(t *testing.T) {
	svc := servicetest.New(t)
	begun, goOn := make(chan bool), make(chan bool)
	svc.Handle("GET /slow", func(http.ResponseWriter, *http.Request) { begun <- true; <-goOn })
	next := follow(t, svc, 0)
	var group sync.WaitGroup
	group.Go(func() {
		svc.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/v4/slow", nil))
	})
	<-begun
	unlock := svc.Lock() // the subscriber waits for the lock after taking the arrival
	looking := make(chan *servicetest.Request)
	go func() { looking <- next().Request }()
	time.Sleep(50 * time.Millisecond)
	close(goOn)
	group.Wait()
	unlock()
	first := <-looking
	get(t, svc, "/another")
	if second := next().Request; first.Duration <= 0 || second.ID == first.ID {
		t.Errorf("%s ended in %v, and then came %s", first.ID, first.Duration, second.ID)
	}
}

// TestManySubscribers: subscribers come, go and read at the same time.
func TestManySubscribers(t *testing.T) {
	svc := servicetest.New(t)
	var readers, writers sync.WaitGroup
	seen := make([]int, 4)
	ctx, cancel := context.WithCancel(t.Context())
	for i := range seen {
		all := svc.Subscribe(ctx, 0)
		readers.Go(func() {
			for exchange := range all {
				if r := exchange.Request; r.Duration > 0 {
					if seen[i]++; seen[i] == 100 {
						return
					}
				}
			}
		})
	}
	for range 4 {
		writers.Go(func() {
			for range 25 {
				svc.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/v4/version", nil))
				for range svc.Subscribe(ctx, 1) {
					break
				}
			}
		})
	}
	writers.Wait()
	readers.Wait()
	cancel()
	for i, n := range seen {
		if n != 100 {
			t.Errorf("subscriber %d saw %d of 100", i, n)
		}
	}
}
