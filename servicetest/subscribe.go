package servicetest

import (
	"context"
	"errors"
	"iter"
	"net/url"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An Exchange is a request that the service received, or a delivery that one of its
// hooks sent.
type Exchange struct {
	// Request is the request in its current state, or nil if this is a delivery. A
	// request comes twice: when it arrives, with Duration 0, and when it has ended.
	// Both have the same ID.
	Request *Request
	// Delivery is the delivery and its response, or nil if this is a request.
	Delivery *Delivery
	// Missed is the number of earlier exchanges that the subscriber lost, because it
	// was too slow.
	Missed int
}

// Subscribe returns requests and deliveries from now on, as they happen. Before them
// come the newest ones of the past: at most past requests that the recorder keeps, and
// as many deliveries, both oldest first.
//
//	for exchange := range svc.Subscribe(ctx, 100) {
//		if r := exchange.Request; r != nil && r.Duration > 0 {
//			fmt.Println(r.Method, r.Path, r.Status)
//		}
//	}
//
// It is meant for people who watch, so "[redacted]" replaces credentials: headers,
// parameters and members that hold credentials, the values of variables, user names and
// passwords in URLs, private keys, and every token that the service has issued,
// wherever it occurs. Files in multipart bodies are left out. Other secrets that a
// program puts into titles and descriptions are not hidden.
//
// The service never waits for a subscriber. It keeps 1,000 exchanges for a slow
// subscriber, and then drops the oldest; see Missed. If a request ends before the
// subscriber takes its arrival, it comes only once. With WithRecordedRequests(0), there
// are only deliveries.
//
// The subscription begins at once. It ends with ctx, with the loop (which can run only
// once), or when the service is closed.
func (s *Service) Subscribe(ctx context.Context, past int) iter.Seq[Exchange] {
	feed := s.feed(past)
	stop := context.AfterFunc(ctx, feed.Remove)
	return func(yield func(Exchange) bool) {
		defer feed.Remove()
		defer stop()
		known := masks{svc: s}
		for {
			what, missed, ok := feed.Next(ctx.Done(), s.done)
			if !ok {
				return
			}
			exchange := s.exchange(what, missed, known.now())
			if r := exchange.Request; r != nil && r.Duration > 0 {
				feed.Drop(what) // it ended after it arrived
			}
			if !yield(exchange) {
				return
			}
		}
	}
}

// feed begins a subscription in which nothing is missing or comes twice.
func (s *Service) feed(past int) *frame.Feed {
	defer s.lock()()
	deliveries := state[hookState](s).logs.all(nil)
	deliveries = deliveries[len(deliveries)-min(max(past, 0), len(deliveries)):]
	feed := s.recorder.Follow(past)
	for _, d := range deliveries {
		feed.Precede(d)
	}
	return feed
}

func (s *Service) exchange(what any, missed int, masker *frame.Masker) Exchange {
	if d, ok := what.(*Delivery); ok {
		return Exchange{Delivery: d.masked(masker), Missed: missed}
	}
	r := Request(masker.Request(s.recorder.Copy(what.(*frame.Record))))
	return Exchange{Request: &r, Missed: missed}
}

// masked returns the delivery without credentials. Deliveries no longer change.
func (d *Delivery) masked(masker *frame.Masker) *Delivery {
	m := *d
	m.URL = masker.Text(d.URL)
	m.Header = masker.Header(d.Header)
	for _, custom := range d.custom {
		if m.Header.Get(custom) != "" {
			m.Header.Set(custom, frame.Mask)
		}
	}
	m.Body = masker.Body("application/json", d.Body, true)
	m.payload, m.address = nil, ""
	m.ResponseHeader = masker.Header(d.ResponseHeader)
	m.ResponseBody = masker.Body(d.ResponseHeader.Get("Content-Type"), d.ResponseBody, true)
	if broken, ok := errors.AsType[*url.Error](d.Err); ok {
		m.Err = broken.Err // without the address, because its variables are filled in
	}
	return &m
}

// masks keeps a masker, and renews it when the service has issued more credentials.
type masks struct {
	svc    *Service
	known  int
	masker *frame.Masker
}

func (m *masks) now() *frame.Masker {
	if secrets := m.svc.secrets(); m.masker == nil || len(secrets) != m.known {
		m.known, m.masker = len(secrets), frame.NewMasker(secrets)
	}
	return m.masker
}

// secrets returns the credentials that the service has issued.
func (s *Service) secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	secrets := make([]string, 0, len(s.tokens))
	for secret := range s.tokens {
		secrets = append(secrets, secret)
	}
	return secrets
}
