package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// A Receiver handles events. It may be called by several goroutines at the same time.
type Receiver interface {
	Receive(ctx context.Context, event Event) error
}

// ReceiverFunc is a function that implements [Receiver].
type ReceiverFunc func(ctx context.Context, event Event) error

// Receive calls the function.
func (f ReceiverFunc) Receive(ctx context.Context, event Event) error { return f(ctx, event) }

// Handler returns an http.Handler that passes the events of verified requests to a
// receiver. It responds with an empty body: 204 if the receiver returns nil, 500 if it
// returns an error or panics, and the status that [StatusCode] returns if the request is
// refused. The receiver gets the context of the request, with the [Clock] for [Once].
//
// An instance waits 10 seconds for a response, and disables a hook that fails four times in
// a row, so a receiver should only store the event and return. For events that nobody
// needs, such as an [UnknownEvent], it should return nil.
//
// A refusal does not wait for the rest of the body. It closes the connection, because that
// rest would be taken for the next request.
//
// Set http.Server.ReadTimeout, too: this handler does not limit how long it takes to
// receive the body of a request that it does not refuse. A request that is signed is not
// refused before its body has arrived, unless its headers are wrong.
func Handler(v *Verifier, receiver Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := v.of()
		if err != nil {
			panic(err)
		}
		r, body := limited(r, c.limit)
		event, err := v.Parse(r)
		if err != nil {
			c.refuse(w, r, body, err)
			return
		}
		ctx := context.WithValue(r.Context(), clockKey{}, c.now)
		if err := receive(ctx, receiver, event); err != nil {
			c.tell(r, err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// clockKey is the key of the clock of a verifier in the context of its receiver.
type clockKey struct{}

// timeOf returns the time by the clock of the [Handler] that a context is from.
func timeOf(ctx context.Context) time.Time {
	if clock, ok := ctx.Value(clockKey{}).(func() time.Time); ok {
		return clock()
	}
	return time.Now()
}

// A limitedBody is a body up to a limit that knows whether it has ended.
type limitedBody struct {
	io.ReadCloser
	ended bool
}

// limited returns a copy of a request with a limited body. The server must keep its own: it
// reads the rest of a body that it does not know before it responds.
func limited(r *http.Request, limit int64) (*http.Request, *limitedBody) {
	r = r.WithContext(r.Context())
	if r.Body == nil {
		return r, &limitedBody{ended: true}
	}
	body := &limitedBody{http.MaxBytesReader(nil, r.Body, limit), r.ContentLength == 0}
	r.Body = body
	return r, body
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (c *config) refuse(w http.ResponseWriter, r *http.Request, body *limitedBody, err error) {
	if c.report != nil {
		c.report(r, err)
	}
	status := StatusCode(err)
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	if !body.ended && r.ProtoMajor == 1 {
		dropRest(w)
	}
	w.WriteHeader(status)
}

// maxRest is how long a refusal waits for the rest of a body after the response was sent. A
// sender that is still writing would lose the response if the connection ended at once.
const maxRest = 500 * time.Millisecond

// dropRest makes the server respond before it has the rest of the body, and give up soon
// after that. By default, it waits for up to 256 KiB before it responds.
func dropRest(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	// A writer that does not support this has no connection, or hides it.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(maxRest))
}

// tell reports an error of the receiver.
func (c *config) tell(r *http.Request, err error) {
	if c.report != nil {
		c.report(r, err)
		return
	}
	slog.ErrorContext(r.Context(), "webhook: the receiver failed", "error", err)
}

// A PanicError is the error that a panic of a receiver becomes.
type PanicError struct {
	Value any    // the value of the panic
	Stack []byte // where it happened
}

// Error returns the value of the panic and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("webhook: the receiver panicked: %v\n%s", e.Value, e.Stack)
}

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// receive calls the receiver, and turns a panic into an error.
func receive(ctx context.Context, receiver Receiver, event Event) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return receiver.Receive(ctx, event)
}

// A Mux is a [Receiver] that passes each event to the functions that [On] registered for
// its type. It ignores all other events. Its zero value is ready to use. Register all
// functions before the first event.
type Mux struct {
	receivers []func(context.Context, Event) (taken bool, err error)
	otherwise ReceiverFunc
}

// On makes a mux call a function for the events of one type:
//
//	webhook.On(mux, func(ctx context.Context, event *webhook.PushEvent) error {
//		return queue.Add(ctx, event.Project.Ref(), event.After)
//	})
//
// If there are several functions for a type, they are called in the order of registration,
// up to the first error. The type [Event] means all events.
func On[T Event](mux *Mux, receive func(ctx context.Context, event T) error) {
	mux.receivers = append(mux.receivers, func(ctx context.Context, event Event) (bool, error) {
		own, ok := event.(T)
		if !ok {
			return false, nil
		}
		return true, receive(ctx, own)
	})
}

// Otherwise makes the mux call a function for the events that no other function is
// registered for.
func (m *Mux) Otherwise(receive func(ctx context.Context, event Event) error) { m.otherwise = receive }

// Receive passes an event to the functions that are registered for it.
func (m *Mux) Receive(ctx context.Context, event Event) error {
	known := false
	for _, receive := range m.receivers {
		taken, err := receive(ctx, event)
		if err != nil {
			return err
		}
		known = known || taken
	}
	if !known && m.otherwise != nil {
		return m.otherwise(ctx, event)
	}
	return nil
}

// Once returns a receiver that ignores duplicates: deliveries with the same [Delivery.ID]
// that arrive within a time after the first was received without an error. A duplicate that
// arrives while the first is in progress waits for it and has the same result. Events
// without an ID are never ignored.
//
// To protect against the replay of signed requests, the time has to be twice the
// [Tolerance]: a request from the future is accepted until its time is in the past by as
// much. That is not enough for a delivery that somebody sends again, as Hooks.Resend of the client
// does: it has the same ID and a new signature, and is processed twice if it arrives after the time.
// Choose one as long as deliveries may be sent again; an instance keeps them for 7 days.
//
// The time runs by the [Clock] of the [Handler] that calls the receiver, and by that of the
// machine if the context is not from a Handler.
//
// At most 100,000 IDs are kept, in the memory of this process, and of a long one only a
// checksum. A program that runs in several processes has to keep the IDs in a place that all
// of them share.
func Once(within time.Duration, receiver Receiver) Receiver {
	return &once{receiver: receiver, within: within, seen: make(map[string]*delivered)}
}

// maxID is the length of an ID that is kept as it is: those of instances have 36 characters. Of
// a longer one, which only a sender without a signature makes up, a checksum is kept.
const maxID = 128

// maxOnce bounds the memory that a flood of events takes.
const maxOnce = 100_000

type once struct {
	receiver Receiver
	within   time.Duration

	mu    sync.Mutex
	seen  map[string]*delivered
	order []*delivered // of those that were received, oldest first
}

// delivered is a delivery that is in progress or was received.
type delivered struct {
	id   string
	done chan struct{}
	err  error
	at   time.Time
}

func (o *once) Receive(ctx context.Context, event Event) error {
	id := event.Info().ID()
	switch {
	case id == "":
		return o.receiver.Receive(ctx, event)
	case len(id) > maxID:
		sum := sha256.Sum256([]byte(id))
		id = string(sum[:])
	}
	d, first := o.begin(id, timeOf(ctx))
	if !first {
		select {
		case <-d.done:
			return d.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := errGone
	defer func() { o.end(d, err, timeOf(ctx)) }() // even if the receiver ends its goroutine
	err = receive(ctx, o.receiver, event)
	return err
}

var errGone = errors.New("webhook: the receiver did not return")

// begin returns the delivery with an ID, and whether it is the first one.
func (o *once) begin(id string, at time.Time) (d *delivered, first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.forget(at.Add(-o.within))
	if d := o.seen[id]; d != nil {
		return d, false
	}
	d = &delivered{id: id, done: make(chan struct{})}
	o.seen[id] = d
	return d, true
}

// end remembers a delivery that was received. One that failed may come again.
func (o *once) end(d *delivered, err error, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d.err, d.at = err, at
	close(d.done)
	if err != nil {
		delete(o.seen, d.id)
		return
	}
	o.order = append(o.order, d)
}

// forget drops the deliveries that are too old or too many.
func (o *once) forget(oldest time.Time) {
	n := 0
	for n < len(o.order) && (o.order[n].at.Before(oldest) || len(o.order)-n > maxOnce) {
		delete(o.seen, o.order[n].id)
		n++
	}
	o.order = o.order[n:]
}
