package servicetests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

// hanging is a server that does not respond.
func hanging(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the end of the request is noticed
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestHooksStayLocal checks the bounds of a hook: addresses, time and redirects.
func TestHooksStayLocal(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithHookTimeout(time.Second))
	app := svc.Project("acme/app")
	followed := 0
	target := receiverFunc(t, func(http.ResponseWriter, *http.Request) { followed++ })
	redirect := httptest.NewServer(http.RedirectHandler(target, http.StatusFound))
	defer redirect.Close()
	var remote []*servicetest.Hook
	for _, address := range []string{
		"http://192.0.2.1/", "http://service.invalid/", "http://0.0.0.0:1/", "http://[::ffff:192.0.2.1]/",
		"http://127.0.0.1.nip.io/",
		"http://localhost.invalid/", "http://2130706433/",
	} {
		remote = append(remote, app.Hook(address))
	}
	slow, moved := app.Hook(hanging(t)), app.Hook(redirect.URL)
	named := app.Hook(strings.Replace(target, "127.0.0.1", "localhost", 1))
	app.Issue("Broken")
	svc.Flush()
	for _, hook := range remote {
		sent := hook.Deliveries()[0]
		assert.ErrorContains(t, sent.Err, "loopback", sent.URL)
	}
	assert.ErrorIs(t, slow.Deliveries()[0].Err, context.DeadlineExceeded)
	assert.Equal(t, 302, moved.Deliveries()[0].Status)
	assert.Equal(t, "executable", moved.AlertStatus())
	assert.Equal(t, 200, named.Deliveries()[0].Status)
	assert.Equal(t, 1, followed, "the redirect is not followed")

	open := servicetest.New(t, servicetest.AllowRemoteHooks(), servicetest.WithHookTimeout(time.Millisecond))
	hook := open.Project("acme/app").Hook("http://192.0.2.1/")
	open.FindProject("acme/app").Issue("Broken")
	open.Flush()
	// It has tried: no network, or no response in time.
	assert.NotContains(t, fmt.Sprint(hook.Deliveries()[0].Err), "loopback")
	assert.Error(t, hook.Deliveries()[0].Err)
}

func receiverFunc(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server.URL
}

// TestHooksKeepOrder checks that each hook sends one request after the other, and that a
// slow one does not delay the others.
func TestHooksKeepOrder(t *testing.T) {
	const issues = 50
	svc := servicetest.New(t, servicetest.WithHookTimeout(time.Minute))
	app := svc.Project("acme/app")
	got, busy, done := []int64{}, false, make(chan struct{})
	mux := new(webhook.Mux)
	webhook.On(mux, func(_ context.Context, e *webhook.IssueEvent) error {
		assert.False(t, busy, "two at once")
		busy = true
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
		got, busy = append(got, e.ObjectAttributes.IID), false
		if len(got) == issues {
			close(done)
		}
		return nil
	})
	app.Hook(hanging(t))
	app.Hook(serve(t, mux, webhook.Token("secret")), servicetest.HookToken("secret"))
	want := []int64{}
	for i := range issues {
		app.Issue(fmt.Sprint(i))
		want = append(want, int64(i+1))
	}
	<-done
	assert.Equal(t, want, got)
	svc.Close() // before the server that hangs
}

// TestClosingEndsHooks closes services while their hooks are busy, and while others make
// them busy. No goroutine of a hook is left.
func TestClosingEndsHooks(t *testing.T) {
	address := hanging(t)
	for range 10 {
		svc, err := servicetest.Start()
		require.NoError(t, err)
		app := svc.Project("acme/app")
		app.Hook(address)
		app.Hook(address)
		client := with(t, svc, serviceapi.PrivateToken(svc.AdminToken()),
			serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
		tested, seeded, flushed := make(chan error), make(chan struct{}), make(chan struct{})
		go func() {
			tested <- errOf(client.Hooks.Test(t.Context(), serviceapi.ProjectID(app.ID()), 1,
				serviceapi.HookTriggerPush))
		}()
		go func() {
			defer close(seeded)
			for i := range 30 {
				app.Issue(fmt.Sprint(i))
			}
		}()
		go func() { svc.Flush(); close(flushed) }()
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		svc.Close()
		svc.Flush()
		<-seeded
		<-flushed
		err = <-tested // the service has cut the connection, or still answers that it closes
		_, cut := errors.AsType[*serviceapi.TransportError](err)
		assert.True(t, cut || errors.Is(err, serviceapi.ErrServer), err)
	}
	left := func() string {
		stacks := make([]byte, 1<<20)
		return string(stacks[:runtime.Stack(stacks, true)])
	}
	require.Eventually(t, func() bool {
		return !strings.Contains(left(), "servicetest.(*Hook)") && !strings.Contains(left(), "servicetest.(*Delivery)")
	}, 5*time.Second, 10*time.Millisecond, "%s", left())
}

// TestHooksChoose checks which hooks get an event.
func TestHooksChoose(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/web/app"), svc.Project("acme/web/other")
	status, sent := 0, map[string]*servicetest.Hook{}
	address := receiver(t, &status)
	on := servicetest.HookEvents
	sent["the project"] = app.Hook(address)
	sent["another project"] = other.Hook(address)
	sent["the top group"] = svc.Group("acme").Hook(address)
	sent["another group"] = svc.Group("tools").Hook(address)
	sent["issues"] = app.Hook(address, on("issues_events"))
	sent["confidential issues"] = app.Hook(address, on("confidential_issues_events"))
	sent["confidential notes"] = app.Hook(address, on("confidential_note_events"))
	sent["release branches"] = app.Hook(address, on("push_events", "tag_push_events"),
		servicetest.BranchFilter("release/*"))
	sent["nothing"] = app.Hook(address, on())
	sent["the system"] = svc.SystemHook(address)
	before := map[string]int{}
	check := func(what string, want ...string) {
		t.Helper()
		svc.Flush()
		var got []string
		for name, hook := range sent {
			if n := len(hook.Deliveries()); n > before[name] {
				before[name] = n
				got = append(got, name)
			}
		}
		assert.ElementsMatch(t, want, got, what)
	}
	check("nothing yet")
	issue := app.Issue("Broken")
	check("an issue", "the project", "the top group", "issues")
	secret := app.Issue("Leaking", servicetest.Confidential())
	check("a confidential issue", "the project", "the top group", "confidential issues")
	secret.Note("Hush.")
	check("a note on it", "the project", "the top group", "confidential notes")
	issue.Note("Internal.", servicetest.ConfidentialNote())
	check("an internal note", "the project", "the top group", "confidential notes")
	issue.Note("closed", servicetest.SystemNote())
	check("a note of the service")
	app.Branch("topic", "main")
	check("a branch", "the project", "the top group", "the system")
	app.Branch("release/1", "main")
	check("a release branch", "the project", "the top group", "release branches", "the system")
	app.Tag("v1", "main")
	check("a tag, which no filter is for", "the project", "the top group", "release branches", "the system")

	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	theirs := free.Project("acme/app")
	group, own := free.Group("acme").Hook(address), theirs.Hook(address)
	theirs.Issue("Broken")
	free.Flush()
	assert.Empty(t, group.Deliveries(), "group hooks are Premium")
	assert.Len(t, own.Deliveries(), 1)
}
