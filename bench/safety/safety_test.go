package safety

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

const token = "not-a-real-token-4Vk2Zq9w"

// call is one call as both clients make it.
type call struct {
	ours func(ctx context.Context, c *serviceapi.Client) error
	peer func(ctx context.Context, c *clientgo.Client) error
}

var (
	get = call{func(ctx context.Context, c *serviceapi.Client) error {
		_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
		return err
	}, func(ctx context.Context, c *clientgo.Client) error {
		_, _, err := c.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
		return err
	}}
	create = call{func(ctx context.Context, c *serviceapi.Client) error {
		options := serviceapi.CreateBranchOptions{Branch: "a", Ref: "b"}
		_, _, err := c.Branches.Create(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context, c *clientgo.Client) error {
		options := &clientgo.CreateBranchOptions{Branch: new("a"), Ref: new("b")}
		_, _, err := c.Branches.CreateBranch(1, options, clientgo.WithContext(ctx))
		return err
	}}
	remove = call{func(ctx context.Context, c *serviceapi.Client) error {
		_, err := c.Branches.Delete(ctx, serviceapi.ProjectID(1), "a")
		return err
	}, func(ctx context.Context, c *clientgo.Client) error {
		_, err := c.Branches.DeleteBranch(1, "a", clientgo.WithContext(ctx))
		return err
	}}
)

// outcome is what came of a call.
type outcome struct {
	requests int64
	err      error
}

// with makes a call with each client, as it comes, to a service of its own.
func (c call) with(t *testing.T, service func() http.HandlerFunc) (ours, peer outcome) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	serve := func(do func(base string) error) (o outcome) {
		handler, requests := service(), new(atomic.Int64)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/projects/") { // client-go looks at the API first
				requests.Add(1)
				handler(w, r)
			}
		}))
		defer server.Close()
		o.err = do(server.URL)
		o.requests = requests.Load()
		return o
	}
	ours = serve(func(base string) error {
		client, err := serviceapi.NewClient(base, serviceapi.PrivateToken(token))
		if err != nil {
			return err
		}
		return c.ours(ctx, client)
	})
	peer = serve(func(base string) error {
		client, err := clientgo.NewClient(token, clientgo.WithBaseURL(base))
		if err != nil {
			return err
		}
		return c.peer(ctx, client)
	})
	return ours, peer
}

// always responds to each request in the same way.
func always(respond http.HandlerFunc) func() http.HandlerFunc {
	return func() http.HandlerFunc { return respond }
}

func respond(status int, contentType, body string) func() http.HandlerFunc {
	return always(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

const jsonType = "application/json"

// TestWritesAfterServerErrors: a write that met a 500, 502 or 503 may have been executed.
func TestWritesAfterServerErrors(t *testing.T) {
	t.Parallel()
	for _, status := range []int{500, 502, 503} {
		ours, peer := create.with(t, respond(status, jsonType, `{"message":"no"}`))
		if ours.requests != 1 || ours.err == nil {
			t.Errorf("%d: this client sent the write %d times, error %v", status, ours.requests, ours.err)
		}
		if peer.requests != 6 || peer.err == nil {
			t.Errorf("%d: client-go sent the write %d times, error %v", status, peer.requests, peer.err)
		}
	}
}

// TestWritesAfterBrokenConnections: the service has read a write, and the connection breaks.
func TestWritesAfterBrokenConnections(t *testing.T) {
	t.Parallel()
	ours, peer := create.with(t, always(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	}))
	if ours.requests != 1 || ours.err == nil || !serviceapi.MayHaveExecuted(ours.err) {
		t.Errorf("this client sent the write %d times, error %v", ours.requests, ours.err)
	}
	if peer.requests != 1 || peer.err == nil {
		t.Errorf("client-go sent the write %d times, error %v", peer.requests, peer.err)
	}
}

// TestRetryAfter: the service refuses with 429 for a second, and says so in Retry-After.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	ours, peer := get.with(t, func() http.HandlerFunc {
		began := time.Now()
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", jsonType)
			if time.Since(began) < time.Second {
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
			}
			io.WriteString(w, `{"id":8}`)
		}
	})
	if ours.requests != 2 || ours.err != nil {
		t.Errorf("this client sent %d requests, error %v", ours.requests, ours.err)
	}
	if peer.requests <= 2 || peer.err != nil {
		t.Errorf("client-go sent %d requests, error %v", peer.requests, peer.err)
	}
}

// TestRedirects: the service redirects to another origin, as an open redirect or a taken
// domain would.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var leaked atomic.Value
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked.Store(r.Header.Get("PRIVATE-TOKEN"))
		w.Header().Set("Content-Type", jsonType)
		io.WriteString(w, `{"id":8}`)
	}))
	defer foreign.Close()
	for i, only := range []call{{get.ours, nothing}, {nothingOfOurs, get.peer}} {
		leaked.Store("")
		only.with(t, always(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, foreign.URL+"/projects/1/jobs/8", http.StatusFound)
		}))
		if got, want := leaked.Load() == token, i == 1; got != want {
			t.Errorf("client %d sent the credential to another origin: %t", i, got)
		}
	}
}

func nothing(context.Context, *clientgo.Client) error         { return nil }
func nothingOfOurs(context.Context, *serviceapi.Client) error { return nil }

// TestWebPages: a proxy responds to a deletion with its sign-in page.
func TestWebPages(t *testing.T) {
	t.Parallel()
	ours, peer := remove.with(t, respond(200, "text/html", "<!DOCTYPE html><title>Sign in</title>"))
	if ours.err == nil {
		t.Error("this client takes a web page for a success")
	}
	if peer.err != nil {
		t.Errorf("client-go does not take a web page for a success: %v", peer.err)
	}
}

// TestEchoedCredentials: the service quotes the credential in its message.
func TestEchoedCredentials(t *testing.T) {
	t.Parallel()
	ours, peer := get.with(t, respond(400, jsonType, `{"message":"bad token `+token+`"}`))
	if strings.Contains(fmt.Sprintf("%v %+v %#v", ours.err, ours.err, ours.err), token) {
		t.Error("an error of this client has the credential")
	}
	if !strings.Contains(peer.err.Error(), token) {
		t.Errorf("an error of client-go has no credential: %v", peer.err)
	}
}

// TestPrintedClients: a client is printed.
func TestPrintedClients(t *testing.T) {
	t.Parallel()
	ours, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken(token))
	if err != nil || strings.Contains(fmt.Sprintf("%+v %#v", ours, *ours), token) {
		t.Errorf("this client prints its credential, error %v", err)
	}
	peer, err := clientgo.NewClient(token)
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", peer), token) {
		t.Errorf("client-go does not print its credential, error %v", err)
	}
}

// TestLongResponses: a response does not end.
func TestLongResponses(t *testing.T) {
	t.Parallel()
	const size = 80 << 20
	ours, peer := get.with(t, always(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		io.WriteString(w, `{"id":8,"name":"`)
		for range size / (1 << 20) {
			io.WriteString(w, strings.Repeat("x", 1<<20))
		}
		io.WriteString(w, `"}`)
	}))
	if _, ok := errors.AsType[*serviceapi.DecodeError](ours.err); !ok {
		t.Errorf("this client took a response of %d bytes, error %v", size, ours.err)
	}
	if peer.err != nil {
		t.Errorf("client-go did not take a response of %d bytes: %v", size, peer.err)
	}
}

// TestNotFound: the message of a 404 says which of the objects is missing.
func TestNotFound(t *testing.T) {
	t.Parallel()
	ours, peer := get.with(t, respond(404, jsonType, `{"message":"404 Project Not Found"}`))
	if !errors.Is(ours.err, serviceapi.ErrNotFound) || !strings.Contains(ours.err.Error(), "Project Not Found") {
		t.Errorf("the error of this client is %v", ours.err)
	}
	if !errors.Is(peer.err, clientgo.ErrNotFound) || strings.Contains(peer.err.Error(), "Project") {
		t.Errorf("the error of client-go is %v", peer.err)
	}
}
