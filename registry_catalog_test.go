package serviceapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// catalogPair is a service and a registry at two origins. It fails the test for
// every request with more than its own credential.
type catalogPair struct {
	t             *testing.T
	service       *httptest.Server
	registry      *httptest.Server
	tokensGiven   atomic.Int64
	catalogCalled atomic.Int64
	// valid is the number of the token that the registry accepts.
	valid atomic.Int64
	// response is the registry's response to a request with that token.
	reply http.HandlerFunc
}

func newCatalogPair(t *testing.T, reply http.HandlerFunc) *catalogPair {
	p := &catalogPair{t: t, reply: reply}
	p.valid.Store(1)
	p.service = httptest.NewServer(http.HandlerFunc(p.serveToken))
	t.Cleanup(p.service.Close)
	p.registry = httptest.NewServer(http.HandlerFunc(p.serveCatalog))
	t.Cleanup(p.registry.Close)
	return p
}

func (p *catalogPair) serveToken(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	assert.Equal(p.t, "GET /sub/jwt/auth?scope=registry%3Acatalog%3A%2A&service=container_registry", r.Method+" "+
		r.URL.String())
	assert.Empty(p.t, r.Header.Get("Private-Token"))
	if user != "root" || password != "pass:word" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	fmt.Fprintf(w, `{"token":"registry-%d"}`, p.tokensGiven.Add(1))
}

func (p *catalogPair) serveCatalog(w http.ResponseWriter, r *http.Request) {
	p.catalogCalled.Add(1)
	assert.Equal(p.t, "/v2/_catalog", r.URL.Path)
	assert.Equal(p.t, []string{"Accept", "Accept-Encoding", "Authorization", "User-Agent"},
		slices.Sorted(maps.Keys(r.Header)))
	if r.Header.Get("Authorization") != fmt.Sprintf("Bearer registry-%d", p.valid.Load()) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)
		return
	}
	p.reply(w, r)
}

func (p *catalogPair) config() RegistryCatalogConfig {
	return RegistryCatalogConfig{
		BaseURL: p.service.URL + "/sub", RegistryURL: p.registry.URL,
		Username: "root", Password: NewSecret("pass:word"),
	}
}

func (p *catalogPair) catalog(opts ...Option) *RegistryCatalog {
	catalog, err := NewRegistryCatalog(p.config(), append(opts, WithRetry(RetryPolicy{MaxAttempts: 1}))...)
	require.NoError(p.t, err)
	return catalog
}

// catalogOf responds as the distribution API does.
func catalogOf(names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		start, found := slices.BinarySearch(names, r.URL.Query().Get("last"))
		if found {
			start++
		}
		rest := names[start:]
		if n > 0 && n < len(rest) {
			rest = rest[:n]
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%s&n=%d>; rel="next"`, rest[n-1], n))
		}
		fmt.Fprintf(w, `{"repositories":[%s]}`, quotedList(rest))
	}
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, ",")
}

func TestRegistryCatalogPages(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a/one", "a/two", "b/one", "b/two", "c"))
	catalog := p.catalog(WithUserAgent("deployer/1"))

	names, resp, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"a/one", "a/two", "b/one", "b/two", "c"}, names)
	assert.Empty(t, resp.NextPageToken)

	names, resp, err = catalog.List(t.Context(), &ListRegistryCatalogOptions{PerPage: 2, Last: "a/one"})
	require.NoError(t, err)
	assert.Equal(t, []string{"a/two", "b/one"}, names)
	assert.Equal(t, "last=b/one&n=2", queryOfToken(t, resp.NextPageToken))

	names, resp, err = catalog.List(t.Context(), &ListRegistryCatalogOptions{PageToken: resp.NextPageToken})
	require.NoError(t, err)
	assert.Equal(t, []string{"b/two", "c"}, names)
	assert.Empty(t, resp.NextPageToken)

	before := p.catalogCalled.Load()
	all := catalog.All(t.Context(), &ListRegistryCatalogOptions{PerPage: 2})
	for range 2 { // it can be walked again
		names, err = Collect(all)
		require.NoError(t, err)
		assert.Equal(t, []string{"a/one", "a/two", "b/one", "b/two", "c"}, names)
	}
	assert.Equal(t, before+6, p.catalogCalled.Load())

	names, err = Collect(catalog.All(t.Context(), nil))
	require.NoError(t, err)
	assert.Len(t, names, 5)
	assert.Equal(t, int64(1), p.tokensGiven.Load(), "the token is kept")
}

func TestRegistryCatalogStopsWhereTheConsumerDoes(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a", "b", "c"))
	for name, err := range p.catalog().All(t.Context(), &ListRegistryCatalogOptions{PerPage: 1}) {
		require.NoError(t, err)
		assert.Equal(t, "a", name)
		break
	}
	assert.Equal(t, int64(1), p.catalogCalled.Load())
}

func TestRegistryCatalogEmpty(t *testing.T) {
	for _, body := range []string{`{"repositories":[]}`, `{"repositories":null}`} {
		p := newCatalogPair(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
		names, err := Collect(p.catalog().All(t.Context(), nil))
		require.NoError(t, err)
		assert.Empty(t, names)
	}
}

func TestRegistryCatalogRefusesOddResponses(t *testing.T) {
	for _, body := range []string{
		``, `{}`, `null`, `[]`, `{"names":["a"]}`, `{"repositories":["a",7]}`, `{"repositories":["a",null]}`,
		`{"repositories":"a"}`, `<html>`, `{"repositories":["a"`,
	} {
		p := newCatalogPair(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
		names, err := Collect(p.catalog().All(t.Context(), nil))
		var decode *DecodeError
		assert.ErrorAs(t, err, &decode, body)
		assert.Empty(t, names, body)
	}
}

func TestRegistryCatalogRenewsItsToken(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a", "b", "c"))
	catalog := p.catalog()
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)

	p.valid.Store(2) // the first token has expired
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			names, err := Collect(catalog.All(t.Context(), &ListRegistryCatalogOptions{PerPage: 1}))
			assert.NoError(t, err)
			assert.Equal(t, []string{"a", "b", "c"}, names)
		})
	}
	group.Wait()
	assert.Equal(t, int64(2), p.tokensGiven.Load(), "one caller renews it for all")
}

func TestRegistryCatalogRenewsItsTokenOnce(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a"))
	p.valid.Store(-1) // the registry accepts none
	_, resp, err := p.catalog().List(t.Context(), nil)
	assert.ErrorIs(t, err, ErrUnauthorized)
	assert.ErrorContains(t, err, "/v2/_catalog: 401 code UNAUTHORIZED")
	assert.NotContains(t, err.Error(), "registry-")
	assert.Equal(t, 401, resp.StatusCode)
	assert.Equal(t, []int64{2, 2}, []int64{p.tokensGiven.Load(), p.catalogCalled.Load()})
}

func TestRegistryCatalogWrongPassword(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a"))
	config := p.config()
	config.Password = NewSecret("hunter2")
	catalog, err := NewRegistryCatalog(config)
	require.NoError(t, err)
	_, _, err = catalog.List(t.Context(), nil)
	assert.ErrorIs(t, err, ErrUnauthorized)
	assert.ErrorContains(t, err, "/sub/jwt/auth: 401")
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, catalog, config), "hunter2")
	assert.Zero(t, p.catalogCalled.Load())
}

func TestRegistryCatalogTokenThatCannotBeSent(t *testing.T) {
	for _, body := range []string{`{"token":""}`, `{"token":"a\nb"}`, `{"access":"x"}`, ``} {
		var requested atomic.Bool
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requested.Store(true)
			fmt.Fprint(w, body)
		}))
		catalog, err := NewRegistryCatalog(RegistryCatalogConfig{service.URL, "http://127.0.0.1:1", "root",
			NewSecret("x")})
		require.NoError(t, err)
		_, _, err = catalog.List(t.Context(), nil)
		assert.Error(t, err, body)
		assert.NotErrorIs(t, err, context.DeadlineExceeded)
		assert.True(t, requested.Load())
		service.Close()
	}
}

// TestRegistryCatalogBoundsHostileLinks checks that no link makes the walk go
// on forever or leads to another host.
func TestRegistryCatalogBoundsHostileLinks(t *testing.T) {
	var count atomic.Int64
	for name, reply := range map[string]http.HandlerFunc{
		"the same link": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", `</v2/_catalog?last=a&n=1>; rel="next"`)
			fmt.Fprintf(w, `{"repositories":["r%d"]}`, count.Add(1))
		},
		"the same page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d>; rel="next"`, count.Add(1)))
			fmt.Fprint(w, `{"repositories":["a","b"]}`)
		},
		"the same page of one name": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d>; rel="next"`, count.Add(1)))
			fmt.Fprint(w, `{"repositories":["a"]}`)
		},
		"empty pages": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d>; rel="next"`, count.Add(1)))
			fmt.Fprint(w, `{"repositories":[]}`)
		},
		"endless link": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%010000d>; rel="next"`, count.Add(1)))
			fmt.Fprintf(w, `{"repositories":["r%d"]}`, count.Load())
		},
		"no query": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", `<https://elsewhere.test/>; rel="next"`)
			fmt.Fprint(w, `{"repositories":["a"]}`)
		},
		"malformed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", `/v2/_catalog?last=a; rel="next"`)
			fmt.Fprint(w, `{"repositories":["a"]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newCatalogPair(t, reply)
			_, err := Collect(p.catalog().All(t.Context(), nil))
			var pagination *PaginationError
			require.ErrorAs(t, err, &pagination)
			assert.LessOrEqual(t, p.catalogCalled.Load(), int64(maxEmptyPages+1))
		})
	}
}

// TestRegistryCatalogWhoseLastPageIsTheSame has the names twice: a page that leads
// nowhere is the end of any walk.
func TestRegistryCatalogWhoseLastPageIsTheSame(t *testing.T) {
	var sizes []string
	p := newCatalogPair(t, func(w http.ResponseWriter, r *http.Request) {
		if sizes = append(sizes, r.FormValue("n")); len(sizes) == 1 {
			w.Header().Set("Link", `</v2/_catalog?last=b&n=100>; rel="next"`)
		}
		fmt.Fprint(w, `{"repositories":["a","b"]}`)
	})
	names, err := Collect(p.catalog().All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "a", "b"}, names)
	assert.Equal(t, []string{"100", "100"}, sizes)
}

func TestRegistryCatalogLinkToAnotherHost(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("another host was asked")
	}))
	defer elsewhere.Close()
	p := newCatalogPair(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("last") == "" {
			w.Header().Set("Link", "<"+elsewhere.URL+`/v2/_catalog?last=a&private_token=x>; rel="next"`)
			fmt.Fprint(w, `{"repositories":["a"]}`)
			return
		}
		assert.Equal(t, "last=a", r.URL.RawQuery)
		fmt.Fprint(w, `{"repositories":["b"]}`)
	})
	names, err := Collect(p.catalog().All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, names)
}

// TestRegistryCatalogRedirects checks that the service and the registry get
// only their own secrets, wherever they redirect.
func TestRegistryCatalogRedirects(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"repositories":["a"],"token":"stolen"}`)
	}))
	defer elsewhere.Close()
	p := newCatalogPair(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	})
	names, _, err := p.catalog().List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)

	away := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer away.Close()
	config := p.config()
	config.BaseURL = away.URL
	catalog, err := NewRegistryCatalog(config, WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	_, _, err = catalog.List(t.Context(), nil)
	assert.ErrorIs(t, err, ErrUnauthorized, "the token that it found elsewhere is not the registry's")
}

func TestRegistryCatalogEndsWithItsContext(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	}))
	defer service.Close()
	defer close(release)
	catalog, err := NewRegistryCatalog(RegistryCatalogConfig{service.URL, "http://127.0.0.1:1", "root", NewSecret("x")})
	require.NoError(t, err)
	asking, stopAsking := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, _, err := catalog.List(asking, nil)
		done <- err
	}()
	<-arrived
	waiting, stopWaiting := context.WithCancel(t.Context())
	stopWaiting()
	_, _, err = catalog.List(waiting, nil)
	assert.ErrorIs(t, err, context.Canceled)
	stopAsking()
	assert.ErrorIs(t, <-done, context.Canceled)
}

func TestNewRegistryCatalogRefuses(t *testing.T) {
	good := RegistryCatalogConfig{"https://service.test", "https://registry.test", "root", NewSecret("x")}
	with := func(change func(*RegistryCatalogConfig)) RegistryCatalogConfig {
		c := good
		change(&c)
		return c
	}
	for name, config := range map[string]RegistryCatalogConfig{
		"base URL":               with(func(c *RegistryCatalogConfig) { c.BaseURL = "" }),
		"registry URL":           with(func(c *RegistryCatalogConfig) { c.RegistryURL = "registry.test" }),
		"registry with password": with(func(c *RegistryCatalogConfig) { c.RegistryURL = "https://a:b@registry.test" }),
		"user name":              with(func(c *RegistryCatalogConfig) { c.Username = "" }),
		"colon in user name":     with(func(c *RegistryCatalogConfig) { c.Username = "a:b" }),
		"password":               with(func(c *RegistryCatalogConfig) { c.Password = Secret{} }),
	} {
		_, err := NewRegistryCatalog(config)
		var argument *ArgumentError
		if assert.ErrorAs(t, err, &argument, name) && name == "password" {
			assert.Equal(t, name, argument.Argument)
		}
	}
	_, err := NewRegistryCatalog(with(func(c *RegistryCatalogConfig) { c.RegistryURL = "ftp://x" }))
	assert.ErrorContains(t, err, "registry URL must start with https://")

	for _, opt := range []RequestOption{WithCredential(PrivateToken("api-token")), WithSudo(UserID(2))} {
		_, err := NewRegistryCatalog(good, opt)
		assert.ErrorIs(t, err, errForeignCredential)
		assertRefused(t, "option", err)
		assert.ErrorContains(t, err, "WithCredential and WithSudo cannot be used here")
		catalog, err := NewRegistryCatalog(good)
		require.NoError(t, err)
		_, _, err = catalog.List(t.Context(), nil, opt)
		assert.ErrorIs(t, err, errForeignCredential)
		_, err = Collect(catalog.All(t.Context(), nil, opt))
		assert.ErrorIs(t, err, errForeignCredential)
	}
	catalog, err := NewRegistryCatalog(good)
	require.NoError(t, err)
	_, _, err = catalog.List(t.Context(), &ListRegistryCatalogOptions{PerPage: -1})
	assertRefused(t, "PerPage", err)
	_, _, err = (*RegistryCatalog)(nil).List(t.Context(), nil)
	assert.Error(t, err)
	_, _, err = new(RegistryCatalog).List(t.Context(), nil)
	assert.Error(t, err)
}

func TestRegistryCatalogPrintsNoSecret(t *testing.T) {
	config := RegistryCatalogConfig{"https://service.test", "https://registry.test/v", "root", NewSecret("hunter2")}
	catalog, err := NewRegistryCatalog(config)
	require.NoError(t, err)
	text := fmt.Sprintf("%v %+v %#v %s %v", catalog, catalog, catalog, catalog.LogValue(), config)
	assert.Contains(t, text, "serviceapi.RegistryCatalog(https://registry.test/v)")
	assert.NotContains(t, text, "hunter2")
	token := catalog.registry.config.options.credential
	assert.Equal(t, "RegistryToken([redacted]) RegistryToken([redacted])",
		fmt.Sprintf("%#v %v", token, token.LogValue()))
	assert.Equal(t, "serviceapi.RegistryCatalog(none)", fmt.Sprint((*RegistryCatalog)(nil)))
	catalog.CloseIdleConnections()
}

// TestRegistryCatalogClosesItsConnections to the registry.
func TestRegistryCatalogClosesItsConnections(t *testing.T) {
	p := newCatalogPair(t, catalogOf("a"))
	var open atomic.Int32
	p.registry = httptest.NewUnstartedServer(http.HandlerFunc(p.serveCatalog))
	countConnections(p.registry, &open)
	p.registry.Start()
	t.Cleanup(p.registry.Close)
	catalog := p.catalog()
	_, _, err := catalog.List(t.Context(), nil)
	require.NoError(t, err)
	assert.EqualValues(t, 1, open.Load(), "it is kept for the next call")
	catalog.CloseIdleConnections()
	assert.Eventually(t, func() bool { return open.Load() == 0 }, 10*time.Second, time.Millisecond)
	assert.Equal(t, fmt.Sprint(catalog), catalog.LogValue().String())
	assert.NotEmpty(t, fmt.Sprint(catalog))
}

// TestCatalogErrorHidesTheToken checks that a registry that sends its token back in a
// header does not get it into an error.
func TestCatalogErrorHidesTheToken(t *testing.T) {
	p := newCatalogPair(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Next-Page", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		fmt.Fprint(w, `{"repositories":["a"]}`)
	})
	_, _, err := p.catalog().List(t.Context(), nil)
	var problem *PaginationError
	require.ErrorAs(t, err, &problem)
	assert.ErrorContains(t, err, "x-next-page")
	assert.NotContains(t, err.Error(), "registry-1")
}

// TestEmptyPagesOfACatalog checks that pages without items are not taken for a registry that
// sends the same page forever.
func TestEmptyPagesOfACatalog(t *testing.T) {
	sent := 0
	p := newCatalogPair(t, func(w http.ResponseWriter, _ *http.Request) {
		if sent++; sent <= 3 {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d&n=1>; rel="next"`, sent))
			fmt.Fprint(w, `{"repositories":[]}`)
			return
		}
		fmt.Fprint(w, `{"repositories":["a"]}`)
	})
	names, err := Collect(p.catalog().All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)
	assert.Equal(t, 4, sent)
}
