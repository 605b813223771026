package servicetest

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// WithInMemory serves without sockets: only [Service.HTTPClient] reaches the service, at an
// address that means nothing elsewhere. Such a service runs inside of a bubble of
// testing/synctest, where waiting costs nothing:
//
//	synctest.Test(t, func(t *testing.T) {
//		svc := servicetest.New(t, servicetest.WithInMemory(),
//			servicetest.WithClock(time.Now))
//		client, err := serviceapi.NewClient(svc.URL(),
//			serviceapi.PrivateToken(svc.AdminToken()),
//			serviceapi.WithHTTPClient(svc.HTTPClient()))
//		…
//	})
//
// WithAddress has no effect then. Hooks are still sent over the network, which a bubble
// does not wait for: test those with sockets.
func WithInMemory() Option {
	return func(s *settings) { s.inMemory = true }
}

// memoryHost is the host of services in memory. The certificate of httptest is for it.
const memoryHost = "example.com"

// memoryListener accepts connections that its dial makes.
type memoryListener struct {
	dialed chan net.Conn
	closed chan struct{}
	close  sync.Once
}

func newMemoryListener() *memoryListener {
	return &memoryListener{dialed: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialed:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryAddr{} }

// dial makes a connection to the listener, whatever the address is.
func (l *memoryListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	err := net.ErrClosed
	select {
	case l.dialed <- theirs:
		return ours, nil
	case <-l.closed:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, &net.OpError{Op: "dial", Net: memoryAddr{}.Network(), Addr: memoryAddr{}, Err: err}
}

// connect makes the client of a server use the listener.
func (l *memoryListener) connect(client *http.Client) {
	transport := client.Transport.(*http.Transport)
	transport.DialContext, transport.Proxy = l.dial, nil
}

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return memoryHost }
