package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/serviceapi/servicetest"
)

const (
	newest    = 500                    // exchanges that a page begins with
	lookEvery = 500 * time.Millisecond // at the clock and the objects, in real time
	patience  = 10 * time.Second       // with a browser that does not read
)

// events sends what happens, as server-sent events, until the browser leaves or the service
// is closed:
//
//	hello    at the beginning: which run of the page this is
//	request  a request, when it arrives and when it has ended
//	delivery a delivery of a hook
//	missed   how many exchanges this stream was too slow for
//	clock    the time of the service, whenever another second has begun
//	state    objects and faults, whenever they have changed
func (p *Page) events(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	exchanges := make(chan servicetest.Exchange)
	var pump sync.WaitGroup
	defer pump.Wait()
	defer cancel()
	all := p.service.Subscribe(ctx, newest)
	pump.Go(func() {
		defer close(exchanges)
		for exchange := range all {
			select {
			case exchanges <- exchange:
			case <-ctx.Done():
				return
			}
		}
	})
	w.Header().Set("Content-Type", "text/event-stream")
	s := &stream{page: p, w: w, control: http.NewResponseController(w)}
	s.send("hello", map[string]string{"run": p.run})
	s.follow(ctx, exchanges)
}

// A stream is the connection of one page in a browser.
type stream struct {
	page    *Page
	w       http.ResponseWriter
	control *http.ResponseController
	err     error // the browser has left
	retries retries
	clock   string // as it was sent
	state   []byte // likewise
}

func (s *stream) follow(ctx context.Context, exchanges <-chan servicetest.Exchange) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for s.err == nil {
		changed := s.page.nextChange()
		s.look()
		for waiting := true; waiting && s.err == nil; {
			select {
			case exchange, open := <-exchanges:
				if !open {
					return
				}
				s.show(exchange)
			case <-changed:
				waiting = false
			case <-ticker.C:
				waiting = false
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *stream) show(x servicetest.Exchange) {
	if x.Missed > 0 {
		s.send("missed", x.Missed)
	}
	if x.Delivery != nil {
		s.send("delivery", viewDelivery(x.Delivery))
		return
	}
	view := viewRequest(s.page.service.URL(), x.Request)
	view.Attempt = s.retries.attempt(x.Request)
	s.send("request", view)
}

// look sends what has changed since the last look.
func (s *stream) look() {
	if now := s.page.service.Now().Format(time.DateTime); now != s.clock {
		s.clock = now
		s.send("clock", now)
	}
	state, err := json.Marshal(s.page.state())
	if err == nil && !bytes.Equal(state, s.state) {
		s.state = state
		s.send("state", json.RawMessage(state))
	}
}

// send sends one event. JSON has no line breaks, which would end it.
func (s *stream) send(event string, data any) {
	if s.err != nil {
		return
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		s.err = err
		return
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(patience)) // not every writer can
	if _, s.err = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, encoded); s.err == nil {
		s.err = s.control.Flush()
	}
}
