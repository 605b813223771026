// Package line is a long line between a client and a service in one process: it delays,
// it loses segments, and it does about the loss what TCP does.
//
// Each direction of a connection is a sender as RFC 5681 and RFC 6582 describe it, with
// selective acknowledgments: the window begins with 10 segments, doubles in each round
// trip until the first loss, and is then halved by a loss and grows by a segment in each
// round trip. A loss is noticed when three later segments have arrived, or after two
// round trips if fewer follow. The receiver gets bytes in order: what comes after a lost
// segment waits for it. So one connection is slow because of its window, and whatever
// shares it waits together.
//
// The line has no limit of bandwidth and no queues, and acknowledgments are not lost.
package line

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Line says what a line does.
type Line struct {
	// RoundTrip is the time until a segment is acknowledged.
	RoundTrip time.Duration
	// Loss is the share of segments that are lost, from 0 to 1.
	Loss float64
	// Seed decides which segments are lost: those of the first connection, of the second
	// and so on are the same for the same seed.
	Seed uint64
}

// Proxy forwards connections over a line.
type Proxy struct {
	line     Line
	target   string
	listener net.Listener
	stop     context.CancelFunc
	count    atomic.Uint64
	running  sync.WaitGroup
}

// Start begins to forward connections to the address of a service. The caller closes the
// proxy.
func (l Line) Start(target string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &Proxy{line: l, target: target, listener: listener, stop: stop}
	p.running.Go(func() { p.accept(ctx) })
	return p, nil
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Connections is how many connections came so far.
func (p *Proxy) Connections() uint64 { return p.count.Load() }

// Close ends the proxy and all of its connections.
func (p *Proxy) Close() error {
	p.stop()
	err := p.listener.Close()
	p.running.Wait()
	return err
}

func (p *Proxy) accept(ctx context.Context) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		n := p.count.Add(1)
		p.running.Go(func() { p.forward(ctx, client, n) })
	}
}

// forward connects a client to the service. The handshake takes a round trip, during
// which nothing else can be sent, and a second if one of its segments is lost.
func (p *Proxy) forward(ctx context.Context, client net.Conn, n uint64) {
	defer client.Close()
	service, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer service.Close()
	defer context.AfterFunc(ctx, func() {
		client.Close()
		service.Close()
	})()
	up, down := p.line.losses(2*n), p.line.losses(2*n+1)
	handshake := p.line.RoundTrip
	for up() || down() {
		handshake += lostHandshake
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(handshake):
	}
	var both sync.WaitGroup
	both.Go(func() { carry(ctx, service, client, newSender(p.line.RoundTrip, up)) })
	both.Go(func() { carry(ctx, client, service, newSender(p.line.RoundTrip, down)) })
	both.Wait()
}

// losses returns a function that reports whether the next segment is lost.
func (l Line) losses(stream uint64) func() bool {
	random := rand.New(rand.NewPCG(l.Seed, stream))
	return func() bool { return random.Float64() < l.Loss }
}

// unsentLimit is how much the sender's socket takes before its program has to wait.
const unsentLimit = 256 << 10

// carry reads from src, and writes to dst when and as the sender delivers it.
func carry(ctx context.Context, dst io.Writer, src io.Reader, s *sender) {
	defer closeWrite(dst)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	data := make(chan []byte)
	go read(ctx, src, data)
	for open := true; open || s.busy(); {
		next, err := s.advance(time.Now(), dst)
		if err != nil {
			return
		}
		more := data
		if !open || len(s.unsent) > unsentLimit {
			more = nil
		}
		var wake <-chan time.Time
		if !next.IsZero() {
			wake = time.After(time.Until(next))
		}
		if more == nil && wake == nil {
			continue // all has been delivered just now
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case chunk, ok := <-more:
			open = ok
			s.unsent = append(s.unsent, chunk...)
		}
	}
}

// read sends what it reads until an error or the end.
func read(ctx context.Context, src io.Reader, data chan<- []byte) {
	defer close(data)
	for {
		buffer := make([]byte, 32<<10)
		n, err := src.Read(buffer)
		if n > 0 {
			select {
			case data <- buffer[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func closeWrite(w io.Writer) {
	if c, ok := w.(interface{ CloseWrite() error }); ok {
		c.CloseWrite()
	}
}
