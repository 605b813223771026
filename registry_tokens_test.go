package serviceapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// registryPair is a service and a registry without a network.
type registryPair struct {
	mu               sync.Mutex
	given, listed    int
	give, list       func(*http.Request) (*http.Response, error)
	authorization    []string
	waitBeforeGiving time.Duration
}

func (p *registryPair) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.URL.Path == "/jwt/auth" {
		p.given++
		time.Sleep(p.waitBeforeGiving)
		if p.give != nil {
			return p.give(r)
		}
		return status(200, fmt.Sprintf(`{"token":"registry-token-%d"}`, p.given))(r)
	}
	p.listed++
	p.authorization = append(p.authorization, r.Header.Get("Authorization"))
	if p.list != nil {
		return p.list(r)
	}
	return status(200, `{"repositories":["a"]}`)(r)
}

func (p *registryPair) catalog(t *testing.T) *RegistryCatalog {
	t.Helper()
	catalog, err := NewRegistryCatalog(RegistryCatalogConfig{
		BaseURL: "https://service.test", RegistryURL: "https://registry.test", Username: "root",
		Password: NewSecret("pass-S3cr3t"),
	}, WithHTTPClient(&http.Client{Transport: p}), WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return catalog
}

// TestRegistryThatRefusesEveryToken checks that it gets one new token a minute.
func TestRegistryThatRefusesEveryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{list: status(401,
			`{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)}
		catalog := p.catalog(t)
		for range 30 {
			_, _, err := catalog.List(t.Context(), nil)
			require.ErrorIs(t, err, ErrUnauthorized)
			time.Sleep(time.Second)
		}
		assert.Equal(t, 2, p.given)
		assert.Equal(t, 31, p.listed)
		assert.Equal(t, []string{"Bearer registry-token-1", "Bearer registry-token-2", "Bearer registry-token-2"},
			p.authorization[:3])
	})
}

// TestRefusedRegistryAccount checks that a refused account is not tried
// repeatedly, because it might be locked.
func TestRefusedRegistryAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{give: status(401, `{"message":"pass-S3cr3t is wrong"}`)}
		catalog := p.catalog(t)
		for range 30 {
			_, _, err := catalog.List(t.Context(), nil)
			var failed *RefreshError
			require.ErrorAs(t, err, &failed)
			require.ErrorIs(t, failed, ErrUnauthorized)
			time.Sleep(time.Second)
		}
		assert.Equal(t, 1, p.given)
		assert.Zero(t, p.listed)
		p.give = nil
		time.Sleep(time.Minute)
		names, _, err := catalog.List(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"a"}, names)
	})
}

// TestRegistryTokenThatCannotBeRenewed checks that the error is the registry's
// response.
func TestRegistryTokenThatCannotBeRenewed(t *testing.T) {
	p := &registryPair{}
	catalog := p.catalog(t)
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	p.list, p.give = status(401, `{"errors":[{"code":"UNAUTHORIZED","message":"registry-token-1 expired"}]}`),
		status(503, ``)
	_, _, err = catalog.List(t.Context(), nil)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "https://registry.test/v2/_catalog", e.URL)
	assert.NotContains(t, err.Error(), "registry-token")
	var failed *RefreshError
	require.ErrorAs(t, err, &failed)
	assert.ErrorIs(t, failed, ErrServer)
}

func TestUnusableRegistryTokens(t *testing.T) {
	for _, body := range []string{`{}`, `{"token":""}`, `{"token":"a\r\nb"}`, `{"token":null}`, `[]`, ``} {
		p := &registryPair{give: status(200, body)}
		_, _, err := p.catalog(t).List(t.Context(), nil)
		assert.True(t, hasType[*RefreshError](err), body)
		assert.Zero(t, p.listed, body)
	}
}

// TestCallerWhoLeavesTheRegistryToken checks that a caller who stops waiting
// for a token does not lose it for others.
func TestCallerWhoLeavesTheRegistryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &registryPair{waitBeforeGiving: 10 * time.Second}
		catalog := p.catalog(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := catalog.List(ctx, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, _, err = catalog.List(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, 1, p.given)
	})
}

func TestRegistryCredentialPrintsNoToken(t *testing.T) {
	p := &registryPair{}
	catalog := p.catalog(t)
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	cred := catalog.registry.config.options.credential
	var b strings.Builder
	fmt.Fprintf(&b, "%v %+v %#v %s %v", cred, cred, cred, cred, cred.LogValue())
	assert.NotContains(t, b.String(), "registry-token")
	assert.Contains(t, b.String(), "RegistryToken")
}
