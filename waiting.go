package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"time"

	"example.com/serviceapi/internal/pace"
)

// Waits between two polls of something that the service finishes later: short at first, for
// what finishes soon, and then longer.
const (
	firstPoll = 500 * time.Millisecond
	maxPoll   = 10 * time.Second
)

// WithPollInterval sets the interval at which a Wait… method, and [JobsService.Follow], polls:
// first at the beginning, then longer by half each time, up to longest. Each interval
// varies at random by half. The default is 500 ms, up to 10 s.
func WithPollInterval(first, longest time.Duration) RequestOption {
	return requestOption(func(o *callOptions) error {
		if first <= 0 {
			return &ArgumentError{Argument: "first poll interval", Problem: "must be positive"}
		}
		if longest < first {
			return &ArgumentError{Argument: "longest poll interval", Problem: "must not be shorter than the first"}
		}
		o.poll.first, o.poll.longest = first, longest
		return nil
	})
}

// WithPollObserver calls observe after each poll of a Wait… method, on the
// goroutine that waits. It may call the client, for example to list the jobs of the pipeline
// that is waited for: the next poll begins after it has returned.
func WithPollObserver(observe func(Poll)) RequestOption {
	return requestOption(func(o *callOptions) error {
		o.poll.observe = observe
		return nil
	})
}

// forPolls returns the options for the polls of a call that starts something, with these
// options of its own, and waits for it. They lack the options for the body of the write, and for
// the state in which it may be executed. But they know its secrets, which a poll may show.
func forPolls(options any, opts []RequestOption) []RequestOption {
	return append(slices.Clip(opts), requestOption(func(o *callOptions) error {
		o.secrets = secretsIn(slices.Clip(o.secrets), reflect.ValueOf(options), 0)
		for _, f := range o.bodyFields {
			o.secrets = secretsIn(o.secrets, reflect.ValueOf(f.value), 0)
		}
		o.bodyFields, o.header = nil, o.header.Clone()
		for _, name := range []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
			o.header.Del(name)
		}
		return nil
	}))
}

// wait polls an object until state says that it is done, and returns it. On
// error, it also returns the object as last seen, or nil. The target is the
// name of the object for errors and observers.
func wait[T any](
	ctx context.Context, c *Client, target string, e Endpoint, in input, opts []RequestOption,
	state func(*T) (name string, done bool),
) (*T, error) {
	return waitFor(ctx, c, target, e, in, opts, state, nil)
}

// waitFor is wait for an object that may end in a state that is an error. The check, if any,
// returns it, for the object and the last response.
func waitFor[T any](
	ctx context.Context, c *Client, target string, e Endpoint, in input, opts []RequestOption,
	state func(*T) (name string, done bool), check func(*outcome, *T) error,
) (*T, error) {
	first, err := newCall(ctx, c, http.MethodGet, e, in, opts)
	if err != nil {
		return nil, err
	}
	w := waiter[T]{first: first, target: target, state: state, began: time.Now()}
	if err := w.run(); err != nil || check == nil {
		return w.last, err
	}
	return w.last, check(w.seen, w.last)
}

// waiter is one wait.
type waiter[T any] struct {
	first  *call
	target string
	state  func(*T) (string, bool)
	began  time.Time

	last *T
	// seen is the response with the last object.
	seen *outcome
	poll Poll
	etag string
}

func (w *waiter[T]) run() error {
	for interval, longest := w.intervals(); ; interval = min(interval+interval/2, longest) {
		done, err := w.pollOnce()
		if err != nil || done {
			return err
		}
		if err := pace.Pause(w.first.ctx, jitter(interval)); err != nil {
			return w.gaveUp("waiting for", err)
		}
	}
}

// gaveUp returns the error of a wait that the context ended.
func (w *waiter[T]) gaveUp(what string, err error) error {
	state := w.seen.redaction().Quote(w.poll.State, 100)
	return fmt.Errorf("serviceapi: gave up %s %s in state %q: %w", what, w.target, state, err)
}

// intervals returns the first and the longest interval between two polls.
func (w *waiter[T]) intervals() (first, longest time.Duration) {
	if o := w.first.options.poll; o.first > 0 {
		return o.first, o.longest
	}
	return firstPoll, maxPoll
}

// pollOnce polls the object. If the service identifies its version, an
// unchanged object is not sent again.
func (w *waiter[T]) pollOnce() (bool, error) {
	cl := w.first.at(w.first.ctx, w.first.query)
	if w.etag != "" {
		cl.ownOptions().setHeader("If-None-Match", w.etag)
	}
	object, resp, err := fetch(cl, func(o *outcome, _ *T) error {
		w.seen = o
		return nil
	})
	switch {
	case w.etag != "" && errors.Is(err, ErrNotModified):
		object = w.last
	case err != nil:
		return false, err
	default:
		w.etag = resp.Header.Get("Etag")
	}
	w.last = object
	name, done := w.state(object)
	w.poll = Poll{Target: w.target, State: name, Done: done, Count: w.poll.Count + 1, Elapsed: time.Since(w.began)}
	if observe := w.first.options.poll.observe; observe != nil {
		observe(w.poll)
	}
	return done, nil
}

// jitter varies a wait by half, so that clients that started together do not
// keep polling at the same time.
func jitter(wait time.Duration) time.Duration { return wait/2 + rand.N(wait) }
