package wiretests

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// proxied returns a client that reaches the service through a proxy.
func proxied(
	t *testing.T, transport *http.Transport, proxy string, opts ...serviceapi.Option,
) *serviceapi.Client {
	t.Helper()
	address, err := url.Parse(proxy)
	require.NoError(t, err)
	transport.Proxy = http.ProxyURL(address)
	t.Cleanup(transport.CloseIdleConnections)
	opts = append([]serviceapi.Option{
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}), serviceapi.WithRetry(
			serviceapi.RetryPolicy{MaxAttempts: 3, MinWait: time.Millisecond, MaxWait: time.Millisecond}),
	}, opts...)
	client, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken("x"), opts...)
	require.NoError(t, err)
	return client
}

// wrapping is a middleware that wraps errors.
func wrapping(next http.RoundTripper) http.RoundTripper {
	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if err != nil {
			err = fmt.Errorf("seen: %w", err)
		}
		return resp, err
	})
}

// TestProxiesThatRefuse checks that the refusal of a proxy is none of the service, that it says so,
// and that only a proxy that failed itself is asked again, for a write, too.
func TestProxiesThatRefuse(t *testing.T) {
	transports := map[string]func() *http.Transport{
		"default":  serviceapi.DefaultTransport,
		"own":      func() *http.Transport { return new(http.Transport) },
		"standard": func() *http.Transport { return http.DefaultTransport.(*http.Transport).Clone() },
	}
	for status, want := range map[int]int32{403: 1, 404: 1, 407: 1, 429: 1, 502: 3, 503: 3} {
		for name, newTransport := range transports {
			for _, opts := range [][]serviceapi.Option{nil, {serviceapi.WithMiddleware(wrapping)}} {
				var asked atomic.Int32
				proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					assert.Equal(t, http.MethodConnect, r.Method)
					asked.Add(1)
					w.WriteHeader(status)
				}))
				transport := newTransport()
				client := proxied(t, transport, proxy.URL, opts...)
				_, err := client.Branches.Delete(t.Context(), somewhere, "main")
				require.ErrorIs(t, err, serviceapi.ErrProxyRefused, "%d, %s", status, name)
				require.NotErrorIs(t, err, serviceapi.ErrForbidden)
				require.ErrorContains(t, err, fmt.Sprintf("the proxy refused the connection: %d ", status))
				assert.False(t, serviceapi.MayHaveExecuted(err), status)
				assert.Equal(t, want, asked.Load(), "%d, %s", status, name)
				assert.Equal(t, name == "default", transport.OnProxyConnectResponse != nil, "it is not changed")
				proxy.Close()
			}
		}
	}
}

// TestProxiesWithWordsOfTheirOwn checks what is known of a proxy whose status has another text.
func TestProxiesWithWordsOfTheirOwn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				fmt.Fprint(conn, "HTTP/1.1 403 Blocked by policy\r\nContent-Length: 0\r\n\r\n")
			}
			conn.Close()
		}
	}()
	for known, transport := range map[bool]*http.Transport{true: serviceapi.DefaultTransport(), false: {}} {
		client := proxied(t, transport, "http://"+listener.Addr().String())
		_, err := client.Branches.Delete(t.Context(), somewhere, "main")
		require.ErrorContains(t, err, "Blocked by policy")
		assert.Equal(t, known, errors.Is(err, serviceapi.ErrProxyRefused))
		assert.False(t, serviceapi.MayHaveExecuted(err))
	}
}

// TestRefusalsThroughAProxy checks that a refusal of the service itself is still one of the
// service, and so is the one of a proxy that passes requests on.
func TestRefusalsThroughAProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	transport := new(http.Transport)
	address, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	transport.Proxy = http.ProxyURL(address)
	defer transport.CloseIdleConnections()
	client, err := serviceapi.NewClient("http://service.test", serviceapi.PrivateToken("x"),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
	require.NoError(t, err)
	_, err = client.Branches.Delete(t.Context(), somewhere, "main")
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.False(t, errors.Is(err, serviceapi.ErrProxyRefused))
}
