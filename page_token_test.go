package serviceapi

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"example.com/serviceapi/internal/pages"
	"example.com/serviceapi/internal/redact"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPageTokensAreOfOneList(t *testing.T) {
	ctx := t.Context()
	var queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		w.Header().Set("Link", `<`+r.URL.Path+`?page=2&per_page=10&scope%5B%5D=failed>; rel=next`)
		w.Write([]byte(`[]`))
	})
	failed := []JobStatus{JobStatusFailed}
	_, resp, err := client.Jobs.List(ctx, ProjectID(1), &ListJobsOptions{ListOptions: ListOptions{PerPage: 10},
		Scope: failed})
	require.NoError(t, err)
	token := resp.NextPageToken
	require.NotEmpty(t, token)

	with := func(token string, scope ...JobStatus) *ListJobsOptions {
		return &ListJobsOptions{ListOptions: ListOptions{PageToken: token}, Scope: scope}
	}
	queries = nil
	_, _, err = client.Jobs.List(ctx, ProjectID(1), with(token))
	require.NoError(t, err)
	_, _, err = client.Jobs.List(ctx, ProjectID(1), with(token, JobStatusFailed))
	require.NoError(t, err)
	const second = "page=2&per_page=10&scope%5B%5D=failed"
	assert.Equal(t, []string{second, second}, queries)

	queries = nil
	damaged := []byte(token)
	damaged[len(damaged)/2] ^= 1
	for _, bad := range []*ListJobsOptions{
		with("abc"), with("abc", JobStatusFailed), with("a\nb"), with("per_page=2&page=2"), with(string(damaged)),
		with(token[:len(token)-4]),
		with(token, JobStatusSuccess), with(token, JobStatusFailed, JobStatusSuccess),
	} {
		_, _, err := client.Jobs.List(ctx, ProjectID(1), bad)
		assertRefused(t, "page token", err)
		_, err = Collect(client.Jobs.All(ctx, ProjectID(1), bad))
		assertRefused(t, "page token", err)
	}
	_, _, err = client.Jobs.List(ctx, ProjectID(1), with(token+"!"))
	assert.EqualError(t, err, "serviceapi: GET /projects/:id/jobs: page token is not from a Response")
	_, _, err = client.Jobs.List(ctx, ProjectID(2), with(token))
	assert.EqualError(t, err, "serviceapi: GET /projects/:id/jobs: page token is from another list or instance, or "+
		"was changed")
	_, _, err = client.Environments.List(ctx, ProjectID(1),
		&ListEnvironmentsOptions{ListOptions: ListOptions{PageToken: token}})
	assertRefused(t, "page token", err)
	assert.Empty(t, queries, "nothing was sent")
}

func TestPageTokensOfCustomCalls(t *testing.T) {
	client, _ := serve(t, pagesOf(30, 0))
	things := Route("/projects/:id/things", ProjectID(1))
	size := WithQuery("per_page", "10")
	var first []*Job
	resp, err := client.Do(t.Context(), "GET", things, nil, &first, size)
	require.NoError(t, err)
	require.Len(t, first, 10)
	require.NotEmpty(t, resp.NextPageToken)
	var second []*Job
	_, err = client.Do(t.Context(), "GET", things, nil, &second, WithPageToken(resp.NextPageToken))
	require.NoError(t, err)
	require.Len(t, second, 10)
	assert.EqualValues(t, 11, second[0].ID)

	rest, err := Collect(All[*Job](t.Context(), client, things, nil, WithPageToken(resp.NextPageToken)))
	require.NoError(t, err)
	assert.Len(t, rest, 20)
	_, _, err = List[*Job](t.Context(), client, Route("/projects/:id/others", ProjectID(1)), nil,
		WithPageToken(resp.NextPageToken))
	assertRefused(t, "page token", err)
}

// tokenCall returns a call of a list with a query.
func tokenCall(t *testing.T, e Endpoint, query url.Values, opts ...RequestOption) (*call, error) {
	t.Helper()
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	return newCall(t.Context(), client, http.MethodGet, e, queryOf(query), opts)
}

// forgedToken is a token that anyone can make who knows how tokens look.
func forgedToken(list *call, query string) string {
	marker := binary.BigEndian.AppendUint64(nil, pages.Marker(redact.WithoutQuery(list.url()), query))
	return base64.RawURLEncoding.EncodeToString(append(marker, query...))
}

// TestForgedPageTokens checks that a token sets nothing that its list does not
// have, in whatever way servers read the names of parameters.
func TestForgedPageTokens(t *testing.T) {
	var queries []string
	client, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		w.Write([]byte(`[]`))
	})
	list, err := newCall(t.Context(), client, http.MethodGet, Route("/projects/:id/jobs", ProjectID(1)), nil, nil)
	require.NoError(t, err)
	forge := func(query string) ListOptions { return ListOptions{PageToken: forgedToken(list, query)} }
	for _, query := range []string{
		"page=2&sudo=root&private_token=x", "page=2&Sudo=root", "page=2&PRIVATE_TOKEN=x", "page=2&private-token=x",
		"page=2&sudo[]=root",
		"page=2&[sudo]=root", "page=2&%73udo=root", "page=2& sudo=root", "page=2&+access_token=x",
		"page=2&job_token%00=x", "page=2&sudo=%zz",
		"page=2;sudo=root", "page=2&x=1;sudo=root", "page=2&statistics=true", "page=2&scope[]=failed&statistics=true",
	} {
		for _, scope := range [][]JobStatus{nil, {JobStatusFailed}} {
			options := &ListJobsOptions{ListOptions: forge(query), Scope: scope}
			_, _, err := client.Jobs.List(t.Context(), ProjectID(1), options)
			assertRefused(t, "page token", err)
			_, err = Collect(client.Jobs.All(t.Context(), ProjectID(1), options))
			assertRefused(t, "page token", err)
		}
		_, _, err := List[*Job](t.Context(), client, Route("/projects/:id/jobs", ProjectID(1)), nil,
			WithPageToken(forgedToken(list, query)))
		assertRefused(t, "page token", err)
	}
	assert.Empty(t, queries, "nothing was sent")

	// Options that are set again are not extended.
	environments, err := newCall(t.Context(), client, http.MethodGet, Route("/projects/:id/environments", ProjectID(1)),
		nil, nil)
	require.NoError(t, err)
	token := ListOptions{PageToken: forgedToken(environments, "name=a&page=2&states=available")}
	_, _, err = client.Environments.List(t.Context(), ProjectID(1), &ListEnvironmentsOptions{ListOptions: token,
		Name: "a"})
	assert.ErrorContains(t, err, "is from a list with other options: states differs")
	_, _, err = client.Environments.List(t.Context(), ProjectID(1), &ListEnvironmentsOptions{ListOptions: token})
	require.NoError(t, err, "without options, those of the token hold")
	assert.Equal(t, []string{"name=a&page=2&states=available"}, queries)

	// The same project of another instance is another list.
	other := clientOf(t, server.URL+"/other")
	_, _, err = other.Jobs.List(t.Context(), ProjectID(1), &ListJobsOptions{ListOptions: forge("page=2")})
	assert.ErrorContains(t, err, "page token is from another list or instance, or was changed")
	second := clientOf(t, strings.Replace(server.URL, "127.0.0.1", "localhost", 1))
	_, _, err = second.Jobs.List(t.Context(), ProjectID(1), &ListJobsOptions{ListOptions: forge("page=2")})
	assertRefused(t, "page token", err)
	assert.Len(t, queries, 1)
}

// TestLinksCannotActForTheCaller checks that neither a walk nor a token takes a
// credential or sudo from a link, in whatever way servers read their names.
func TestLinksCannotActForTheCaller(t *testing.T) {
	for _, foreign := range []string{
		"PRIVATE_TOKEN=x&Sudo=root", "private_token=x", "sudo[]=root", "%53udo=root", "[sudo]=root", "Access-Token=x",
		"JOB_TOKEN=x&job_token=y",
		"sudo=%zz", "search=a;sudo=root",
	} {
		var queries []string
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			queries = append(queries, r.URL.RawQuery)
			if r.URL.Query().Get("page") != "2" {
				w.Header().Set("Link", `<`+r.URL.Path+`?`+foreign+`&page=2>; rel=next`)
			}
			w.Write([]byte(`[{"id":1}]`))
		})
		_, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
		require.NoError(t, err)
		_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		require.NoError(t, err)
		options := &ListJobsOptions{ListOptions: ListOptions{PageToken: resp.NextPageToken}}
		_, _, err = client.Jobs.List(t.Context(), ProjectID(1), options)
		require.NoError(t, err)
		require.Len(t, queries, 4)
		want := "page=2"
		if strings.Contains(foreign, ";") {
			want = "search=a%3Bsudo=root&page=2"
		}
		assert.Equal(t, []string{"per_page=100", want, "", "page=2"}, queries, foreign)
	}
}

// TestTokensLeaveDefaultsOut checks that a token continues a list whose links
// repeat what the service has set by itself.
func TestTokensLeaveDefaultsOut(t *testing.T) {
	var last string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		last = r.URL.RawQuery
		w.Header().Set("Link", `<`+r.URL.Path+`?include_pending_delete=false&labels%5B%5D=a&order_by=id`+
			`&owned=false&page=2&per_page=20>; rel=next`)
		w.Write([]byte(`[]`))
	})
	options := url.Values{"labels": {"a"}}
	things := Route("/things")
	_, resp, err := List[*Job](t.Context(), client, things, options)
	require.NoError(t, err)
	assert.Equal(t, "labels%5B%5D=a&order_by=id&page=2&per_page=20", queryOfToken(t, resp.NextPageToken))

	type labeled struct {
		Labels []string `url:"labels,omitempty"`
	}
	_, _, err = List[*Job](t.Context(), client, things, &labeled{}, WithPageToken(resp.NextPageToken))
	require.NoError(t, err)
	assert.Equal(t, "labels%5B%5D=a&order_by=id&page=2&per_page=20", last)

	// A position that is not known here is kept, and has to be allowed by name:
	// without it, the list would begin again.
	list, err := tokenCall(t, things, nil)
	require.NoError(t, err)
	token := list.tokenOf("starting_after=7")
	_, err = tokenCall(t, things, nil, WithPageToken(token))
	assert.EqualError(t, err, "serviceapi: GET /things: page token sets starting_after, which the options have no "+
		"field for: set it again")
	list, err = tokenCall(t, things, nil, WithPageToken(token), WithQuery("starting_after", "7"))
	require.NoError(t, err)
	assert.Equal(t, "starting_after=7", list.query)
}

// TestPageTokenProblems checks that the error names the problem.
func TestPageTokenProblems(t *testing.T) {
	list := Route("/projects/:id/things", ProjectID(1))
	cl, err := tokenCall(t, list, url.Values{"scope": {"a"}})
	require.NoError(t, err)
	assert.Empty(t, cl.tokenOf(""), "there is no next page")
	token := cl.tokenOf("page=2&scope=a")
	encode := base64.RawURLEncoding.EncodeToString
	marker, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	long := strings.Repeat("n", 41)
	const foreign, changed, other = "is not from a Response", "is from another list or instance, or was changed",
		"is from a list with other options: "
	for _, tc := range []struct {
		token string
		query url.Values
		want  string
	}{
		{"abc!", nil, foreign}, {"a", nil, foreign}, {encode(marker[:8]), nil, foreign},
		{encode(marker[:7]), nil, foreign},
		{encode(marker[:9]), nil, changed}, {encode(append(marker[:len(marker):len(marker)], 'x')), nil, changed},
		{token, url.Values{"scope": {"b"}}, other + "scope differs"}, {token, url.Values{"scope": {"a", "a"}}, other +
			"scope differs"},
		{token, url.Values{"x": {"1"}}, other + "x differs"},
		{token, url.Values{long: {"1"}}, other + long[:40] + "… differs"},
		{token, nil, "sets scope, which the options have no field for: set it again"},
		{token, url.Values{"scope": {"a"}}, ""},
		{token, url.Values{"page": {"7"}, "per_page": {"50"}, "scope": {"a"}}, ""},
	} {
		cl, err := tokenCall(t, list, tc.query, WithPageToken(tc.token))
		if tc.want != "" {
			assert.EqualError(t, err, "serviceapi: GET /projects/:id/things: page token "+tc.want, "%s %v", tc.token,
				tc.query)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "page=2&scope=a", cl.query)
	}
	_, err = tokenCall(t, Route("/projects/:id/things", ProjectID(2)), nil, WithPageToken(token))
	assert.EqualError(t, err, "serviceapi: GET /projects/:id/things: page token "+changed)
}

// TestPageTokensComeBack checks that a token leads to the page that the link of
// the service names, and that a token is refused if it was changed in one
// place.
func TestPageTokensComeBack(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for n := range 500 {
		options := make(url.Values)
		for range random.IntN(4) {
			options.Add(randomText(random), randomText(random))
		}
		page := maps.Clone(options)
		page.Set("page", strconv.Itoa(2+n))
		query := strings.ReplaceAll(page.Encode(), ";", "%3B")
		list := Route("/projects/:id/things", ProjectID(int64(n+1)))
		cl, err := tokenCall(t, list, options)
		require.NoError(t, err)
		token := cl.tokenOf(query)
		continued, err := tokenCall(t, list, options, WithPageToken(token))
		require.NoError(t, err)
		assert.Equal(t, query, continued.query)

		changed := []byte(token)
		changed[random.IntN(len(changed))] ^= 1 << random.IntN(7)
		if continued, err = tokenCall(t, list, options, WithPageToken(string(changed))); err == nil {
			assert.Equal(t, query, continued.query, "only bits that mean nothing were changed")
		}
	}
}

// TestPageTokenKeepsItsSize checks that the size of a page is not added to a token, which has
// one.
func TestPageTokenKeepsItsSize(t *testing.T) {
	assert.Equal(t, maxLogsPerPage, (*ListHookLogsOptions)(nil).whole().PerPage)
	options := ListHookLogsOptions{ListOptions: ListOptions{PageToken: "x"}}
	assert.Equal(t, &options, options.whole())
	options = ListHookLogsOptions{ListOptions: ListOptions{PerPage: 7}}
	assert.Equal(t, &options, options.whole())
}
