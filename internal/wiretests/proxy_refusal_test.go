package wiretests

import (
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

// TestProxiesThatRefuse checks that the refusal of a proxy is none of the service, that it says so,
// and that only a proxy that failed itself is asked again, for a write, too.
func TestProxiesThatRefuse(t *testing.T) {
	for status, want := range map[int]int32{403: 1, 404: 1, 407: 1, 429: 1, 502: 3, 503: 3} {
		var asked atomic.Int32
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, http.MethodConnect, r.Method)
			asked.Add(1)
			w.WriteHeader(status)
		}))
		defer proxy.Close()
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		transport := serviceapi.DefaultTransport()
		transport.Proxy = http.ProxyURL(address)
		defer transport.CloseIdleConnections()
		client, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken("x"),
			serviceapi.WithHTTPClient(&http.Client{Transport: transport}), serviceapi.WithRetry(
				serviceapi.RetryPolicy{MaxAttempts: 3, MinWait: time.Millisecond, MaxWait: time.Millisecond}))
		require.NoError(t, err)
		_, err = client.Branches.Delete(t.Context(), somewhere, "main")
		require.ErrorIs(t, err, serviceapi.ErrProxyRefused, status)
		require.NotErrorIs(t, err, serviceapi.ErrForbidden)
		require.ErrorContains(t, err, "the proxy refused the connection: ")
		assert.False(t, serviceapi.MayHaveExecuted(err), status)
		assert.Equal(t, want, asked.Load(), status)
	}
}
