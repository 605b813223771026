package serviceapi

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a call sends must reach no other request that is made on its behalf,
// such as one for a token, although that has the context of the call.
func TestCompleteLeavesForeignRequestsAlone(t *testing.T) {
	own, _ := url.Parse("https://service.test/api/v4/user")
	s := &sending{call: &call{}, target: own, sentHeader: http.Header{"Private-Token": {"secret"}}}
	s.bound = sendingContext{t.Context(), s}
	request := func(u *url.URL) *http.Request {
		r := &http.Request{URL: u, Header: http.Header{"Accept": {"*/*"}}}
		return r.WithContext(&s.bound)
	}
	r := request(own)
	complete(r)
	assert.Equal(t, s.sentHeader, r.Header)
	assert.Equal(t, "service.test", r.Host)

	same := *own // the same address is not the same request
	r = request(&same)
	complete(r)
	assert.Equal(t, http.Header{"Accept": {"*/*"}}, r.Header)
	assert.Empty(t, r.Host)
}

// net/http's client no longer knows the header of the first request, so that
// ours has to take it along.
func TestRedirectWithinOriginKeepsHeader(t *testing.T) {
	var seen []http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Clone())
		if len(seen) < 3 {
			http.Redirect(w, r, "/api/v4/moved", http.StatusTemporaryRedirect)
			return
		}
		w.Write([]byte(`{"id":5}`))
	}))
	defer server.Close()
	for _, timeout := range []bool{false, true} { // with a time-out, net/http copies the request
		seen = nil
		hc := server.Client()
		if timeout {
			hc.Timeout = 1 << 40
		}
		client, err := NewClient(server.URL, PrivateToken("not-a-real-token"), WithHTTPClient(hc), WithHeader("X-Trace", "7"))
		require.NoError(t, err)
		_, _, err = client.DeployKeys.Create(t.Context(), ProjectID(1), CreateDeployKeyOptions{Title: "a", Key: "b"})
		require.NoError(t, err)
		require.Len(t, seen, 3)
		for _, h := range seen {
			assert.Equal(t, seen[0], h)
			assert.Equal(t, "not-a-real-token", h.Get("Private-Token"))
			assert.Equal(t, "application/json", h.Get("Content-Type"))
			assert.Equal(t, "7", h.Get("X-Trace"))
			assert.Empty(t, h.Get("Referer"))
		}
	}
}
