package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func verifier(t testing.TB, opts ...Option) *Verifier {
	t.Helper()
	v, err := NewVerifier(opts...)
	require.NoError(t, err)
	return v
}

// serve returns how a handler responds to a request.
func serve(t *testing.T, h http.Handler, r *http.Request) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	resp := w.Result()
	content, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Empty(t, content, "the body of the response")
	return resp
}

func TestHandlerResponds(t *testing.T) {
	secret := Token(hookToken)
	var refused, received []string
	errSick := errors.New("sick")
	v := verifier(t, secret, Limit(100), OnError(func(_ *http.Request,
		err error) {
		refused = append(refused, err.Error())
	}))
	outcome := error(nil)
	h := Handler(v, ReceiverFunc(func(_ context.Context, event Event) error {
		received = append(received, fmt.Sprintf("%T", event))
		return outcome
	}))
	status := func(changes ...func(*http.Request)) int {
		return serve(t, h, request(t, []Option{secret}, changes...)).StatusCode
	}
	assert.Equal(t, 204, status())
	assert.Equal(t, 204, status(set("X-Service-Event", "Telepathy Hook"), body(`{"object_kind":"telepathy"}`)))
	assert.Equal(t, 204, status(body(`{"ref":{"not":"a string"}}`)))
	assert.Equal(t, []string{"*webhook.PushEvent", "*webhook.UnknownEvent", "*webhook.PushEvent"}, received)
	require.Empty(t, refused)

	assert.Equal(t, 401, status(drop("X-Service-Token")))
	assert.Equal(t, 401, status(set("X-Service-Token", "x")))
	assert.Equal(t, 400, status(drop("X-Service-Event")))
	assert.Equal(t, 400, status(body("x")))
	assert.Equal(t, 413, status(body(strings.Repeat(" ", 200))))
	assert.Equal(t, 415, status(set("Content-Type", "text/plain")))
	resp := serve(t, h, httptest.NewRequest(http.MethodGet, "/hook", nil))
	assert.Equal(t, 405, resp.StatusCode)
	assert.Equal(t, "POST", resp.Header.Get("Allow"))
	assert.Len(t, refused, 7)
	assert.Len(t, received, 3)

	outcome = errSick
	assert.Equal(t, 500, status())
	assert.Equal(t, "sick", refused[7])
}

// TestPanicsAreAnswered checks that the instance gets a response, and the log a stack.
func TestPanicsAreAnswered(t *testing.T) {
	var reported error
	v := verifier(t, Token(hookToken), OnError(func(_ *http.Request, err error) { reported = err }))
	cause := errors.New("oh")
	h := Handler(v, ReceiverFunc(func(context.Context, Event) error { panic(cause) }))
	assert.Equal(t, 500, serve(t, h, request(t, []Option{Token(hookToken)})).StatusCode)
	var panicked *PanicError
	require.ErrorAs(t, reported, &panicked)
	assert.ErrorIs(t, reported, cause)
	assert.Contains(t, reported.Error(), "handler_test.go")
	assert.NoError(t, (&PanicError{Value: 7}).Unwrap())
}

func TestErrorsAreLogged(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	h := Handler(verifier(t, Token(hookToken)), ReceiverFunc(func(context.Context,
		Event) error {
		return errors.New("sick")
	}))
	assert.Equal(t, 500, serve(t, h, request(t, []Option{Token(hookToken)})).StatusCode)
	assert.Contains(t, log.String(), "error=sick")
	log.Reset()
	assert.Equal(t, 401, serve(t, h, request(t, []Option{Token("another")})).StatusCode)
	assert.Empty(t, log.String(), "strangers cannot fill the log")
}

func TestHandlerWithoutVerifierPanics(t *testing.T) {
	assert.Panics(t, func() { serve(t, Handler(nil, new(Mux)), request(t, []Option{Token(hookToken)})) })
}

func TestMux(t *testing.T) {
	var log []string
	mux := new(Mux)
	require.NoError(t, mux.Receive(t.Context(), new(PushEvent)))
	On(mux, func(_ context.Context, event *PushEvent) error { log = append(log, "push "+event.Branch()); return nil })
	On(mux, func(_ context.Context, event Event) error { log = append(log, "any"); return nil })
	On(mux, func(_ context.Context, event *TagPushEvent) error { return errors.New("no") })
	On(mux, func(_ context.Context, event *TagPushEvent) error { log = append(log, "not reached"); return nil })
	require.NoError(t, mux.Receive(t.Context(), &PushEvent{Ref: "refs/heads/main"}))
	require.Error(t, mux.Receive(t.Context(), new(TagPushEvent)))
	assert.Equal(t, []string{"push main", "any", "any"}, log)

	mux, log = new(Mux), nil
	On(mux, func(context.Context, *PushEvent) error { return nil })
	mux.Otherwise(func(_ context.Context, event Event) error {
		log = append(log, fmt.Sprintf("%T", event))
		return nil
	})
	require.NoError(t, mux.Receive(t.Context(), new(PushEvent)))
	require.NoError(t, mux.Receive(t.Context(), new(JobEvent)))
	assert.Equal(t, []string{"*webhook.JobEvent"}, log)
}

// TestOnceIgnoresReplays checks that a delivery is received once, unless that failed.
func TestOnceIgnoresReplays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		received, outcome := 0, error(nil)
		receiver := Once(10*time.Minute, ReceiverFunc(func(context.Context, Event) error {
			received++
			return outcome
		}))
		send := func(id string) error {
			return receiver.Receive(t.Context(), &PushEvent{Delivery: Delivery{IdempotencyKey: id}})
		}
		require.NoError(t, send("a"))
		require.NoError(t, send("a"))
		assert.Equal(t, 1, received)
		require.NoError(t, send(""))
		require.NoError(t, send(""))
		assert.Equal(t, 3, received, "without an ID")
		outcome = errors.New("sick")
		require.Error(t, send("b"))
		outcome = nil
		require.NoError(t, send("b"))
		assert.Equal(t, 5, received, "one that failed may come again")
		time.Sleep(11 * time.Minute)
		require.NoError(t, send("a"))
		assert.Equal(t, 6, received, "after the time")
		signed := &PushEvent{Delivery: Delivery{IdempotencyKey: "forged", MessageID: "a"}}
		require.NoError(t, receiver.Receive(t.Context(), signed))
		assert.Equal(t, 6, received, "the signed ID counts")
	})
}

// TestOnceRunsByTheClockOfTheHandler checks that a replay is ignored for a time of the
// verifier's clock, whatever the machine's says.
func TestOnceRunsByTheClockOfTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now, received := time.Date(2031, time.May, 4, 3, 2, 1, 0, time.UTC), 0
		v, err := NewVerifier(Token("secret"), Clock(func() time.Time { return now }))
		require.NoError(t, err)
		mux := new(Mux)
		On(mux, func(context.Context, *PushEvent) error { received++; return nil })
		h := Handler(v, Once(10*time.Minute, mux))
		send := func() {
			r, err := NewRequest("/hook", KindPush, []byte(`{"object_kind":"push"}`), Token("secret"))
			require.NoError(t, err)
			r.Header.Set("Idempotency-Key", "a")
			require.Equal(t, http.StatusNoContent, serve(t, h, r).StatusCode)
		}
		send()
		time.Sleep(time.Hour)
		send()
		assert.Equal(t, 1, received, "the clock of the handler stands still")
		now = now.Add(9 * time.Minute)
		send()
		assert.Equal(t, 1, received)
		now = now.Add(2 * time.Minute)
		send()
		assert.Equal(t, 2, received, "after the time")
	})
}

func TestOnceWaitsForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		received := 0
		receiver := Once(time.Minute, ReceiverFunc(func(context.Context, Event) error {
			received++
			time.Sleep(time.Second)
			panic("sick")
		}))
		event := &PushEvent{Delivery: Delivery{IdempotencyKey: "a"}}
		errs := make(chan error, 2)
		for range 2 {
			go func() { errs <- receiver.Receive(t.Context(), event) }()
		}
		for range 2 {
			var panicked *PanicError
			assert.ErrorAs(t, <-errs, &panicked)
		}
		assert.Equal(t, 1, received)
		go func() { _ = receiver.Receive(t.Context(), event) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		assert.ErrorIs(t, receiver.Receive(ctx, event), context.DeadlineExceeded)
		time.Sleep(time.Second)
	})
}

func TestOnceForgets(t *testing.T) {
	o := Once(time.Hour, new(Mux)).(*once)
	for i := range maxOnce + 10 {
		require.NoError(t, o.Receive(t.Context(), &PushEvent{Delivery: Delivery{IdempotencyKey: fmt.Sprint(i)}}))
	}
	assert.LessOrEqual(t, len(o.seen), maxOnce+1)
}

// TestOnceKeepsNoLongIDs checks that IDs of any length are told apart, and that few bytes of
// them are kept.
func TestOnceKeepsNoLongIDs(t *testing.T) {
	received := 0
	o := Once(time.Hour, ReceiverFunc(func(context.Context, Event) error { received++; return nil })).(*once)
	for range 2 {
		for _, last := range []string{"a", "b"} {
			for _, length := range []int{1, maxID - 1, maxID, maxID + 1, 500_000} {
				id := strings.Repeat("x", length) + last
				require.NoError(t, o.Receive(t.Context(), &PushEvent{Delivery: Delivery{IdempotencyKey: id}}))
			}
		}
	}
	assert.Equal(t, 10, received)
	for id, d := range o.seen {
		assert.LessOrEqual(t, len(id)+len(d.id), 2*maxID)
	}
}

// TestTenThousandAtOnce sends 10,000 events, each of them twice, with forged ones in
// between.
func TestTenThousandAtOnce(t *testing.T) {
	events := 10_000
	if racing.Enabled {
		events = 2_000 // of which each takes five times as long
	}
	opts := []Option{SigningToken(signingToken)}
	var received, refused atomic.Int64
	v := verifier(t, append(opts, OnError(func(*http.Request, error) { refused.Add(1) }))...)
	h := Handler(v, Once(time.Hour, ReceiverFunc(func(context.Context, Event) error {
		received.Add(1)
		return nil
	})))
	var wg sync.WaitGroup
	for range events {
		sent := request(t, opts)
		for _, change := range []func(*http.Request){func(*http.Request) {}, func(*http.Request) {},
			set(headerID, "forged")} {
			r := sent.Clone(t.Context())
			r.Body = io.NopCloser(bytes.NewReader(someBody))
			change(r)
			wg.Go(func() { h.ServeHTTP(httptest.NewRecorder(), r) })
		}
	}
	wg.Wait()
	assert.EqualValues(t, events, received.Load())
	assert.EqualValues(t, events, refused.Load())
}

// TestOnceOutlivesTheReceiver checks that a receiver that ends its goroutine lets nobody
// wait forever.
func TestOnceOutlivesTheReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		receiver := Once(time.Minute, ReceiverFunc(func(context.Context, Event) error {
			if calls++; calls == 1 {
				runtime.Goexit()
			}
			return nil
		}))
		event := &PushEvent{Delivery: Delivery{IdempotencyKey: "a"}}
		go func() { _ = receiver.Receive(t.Context(), event) }()
		synctest.Wait()
		require.NoError(t, receiver.Receive(t.Context(), event))
		assert.Equal(t, 2, calls)
	})
}

// TestHostileBodies checks that bodies made to cost much are decoded in a time proportional
// to their size, and that what is wrong with them is said in few words.
func TestHostileBodies(t *testing.T) {
	scale := 1
	if racing.Enabled {
		scale = 8 // it takes ten times as long
	}
	depth := 5000 / scale
	fill := func(before, item, after string) func(size int) []byte {
		return func(size int) []byte {
			n := (size - len(before) - len(after)) / (len(item) + 1)
			return []byte(before + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + after)
		}
	}
	for name, body := range map[string]func(size int) []byte{
		"items of the wrong kind": fill(`{"commits":[`, `"x"`, `]}`),
		"empty items":             fill(`{"commits":[`, `{}`, `]}`),
		"nested lists":            fill(`{"commits":[`, strings.Repeat("[", depth)+strings.Repeat("]", depth), `]}`),
		"deep unknown member": func(int) []byte {
			return []byte(`{"a":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000) + "}")
		},
		"long number": func(size int) []byte { return []byte(`{"user_id":` + strings.Repeat("9", size) + "}") },
		"long name":   func(size int) []byte { return []byte(`{"` + strings.Repeat("a", size) + `":1}`) },
		"long text": func(size int) []byte {
			return []byte(`{"ref":"` + strings.Repeat("\\u0000", size/6) + `"}`)
		},
	} {
		decode := func(size int) time.Duration {
			content, began := body(size), time.Now()
			event, err := Decode(KindPush, content)
			taken := time.Since(began)
			require.NoError(t, err, name)
			assert.IsType(t, &PushEvent{}, event, name)
			if problem := event.Info().Problem; problem != nil {
				assert.Less(t, len(problem.Error()), 300, name)
			}
			return taken
		}
		large, small := 1<<18/scale, 1<<15/scale
		// Eight times the body takes eight times as long. If it took 64 times as long, it would
		// do so each time, however busy the machine is.
		linear := false
		for range 3 {
			linear = linear || decode(large) < max(32*decode(small), 100*time.Millisecond)
		}
		assert.True(t, linear, name)
	}
	many := new(strings.Builder)
	for i := range 50_000 {
		fmt.Fprintf(many, `,"m%d":{"previous":7}`, i)
	}
	event, err := Decode(KindMergeRequest, []byte(`{"changes":{`+many.String()[1:]+`}}`))
	require.NoError(t, err)
	assert.Len(t, event.(*MergeRequestEvent).Changes.Extra, 50_000)
}

// TestProblemsDoNotQuote checks that a problem has no names that the sender chose.
func TestProblemsDoNotQuote(t *testing.T) {
	for body, want := range map[string]string{
		`{"changes":{"my secret":7}}`:                          "/changes/?",
		`{"object_attributes":{"iid":"my secret"}}`:            "/object_attributes/iid",
		`{"changes":{"title":{"previous":[7]}}}`:               "/changes/title/previous",
		`{"changes":{"title":{"previous":null,"current":{}}}}`: "/changes/title/current",
		`{"changes":{"labels":{"current":[{"id":"x"}]}}}`:      "/changes/labels/current/0/id",
		`{"changes":{"reviewers":[[],[{"id":"my secret"}]]}}`:  "/changes/reviewers/1/0/id",
		`{"reviewers":[{"id":1},{"id":"my secret"}]}`:          "/reviewers/1/id",
		`{"labels":[{"created_at":"my secret"}]}`:              "/labels/0/created_at",
		`{"project":{"visibility_level":"my secret"}}`:         "/project/visibility_level",
	} {
		event, err := Decode(KindMergeRequest, []byte(body))
		require.NoError(t, err)
		var problem *MemberError
		require.ErrorAs(t, event.Info().Problem, &problem, body)
		assert.Equal(t, want, problem.Pointer)
		assert.NotContains(t, problem.Error(), "secret")
	}
}
