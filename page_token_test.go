package serviceapi

import (
	"encoding/base64"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

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
	_, resp, err := client.Jobs.List(ctx, ProjectID(1), &ListJobsOptions{ListOptions: ListOptions{PerPage: 10}, Scope: failed})
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
		with("abc"), with("abc", JobStatusFailed), with("a\nb"), with("per_page=2&page=2"), with(string(damaged)), with(token[:len(token)-4]),
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
	assert.EqualError(t, err, "serviceapi: GET /projects/:id/jobs: page token is from another list, or was changed")
	_, _, err = client.Environments.List(ctx, ProjectID(1), &ListEnvironmentsOptions{ListOptions: ListOptions{PageToken: token}})
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
	_, _, err = List[*Job](t.Context(), client, Route("/projects/:id/others", ProjectID(1)), nil, WithPageToken(resp.NextPageToken))
	assertRefused(t, "page token", err)
}

// tokenCall returns a call of a list with a query.
func tokenCall(t *testing.T, e Endpoint, query url.Values, opts ...RequestOption) (*call, error) {
	t.Helper()
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	return newCall(t.Context(), client, http.MethodGet, e, queryOf(query), opts)
}

// TestPageTokenProblems checks that the error names the problem.
func TestPageTokenProblems(t *testing.T) {
	list := Route("/projects/:id/things", ProjectID(1))
	cl, err := tokenCall(t, list, nil)
	require.NoError(t, err)
	assert.Empty(t, cl.tokenOf(""), "there is no next page")
	token := cl.tokenOf("page=2&scope=a")
	encode := base64.RawURLEncoding.EncodeToString
	marker, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	long := strings.Repeat("n", 41)
	const foreign, changed, other = "is not from a Response", "is from another list, or was changed", "is from a list with other options: "
	for _, tc := range []struct {
		token string
		query url.Values
		want  string
	}{
		{"abc!", nil, foreign}, {"a", nil, foreign}, {encode(marker[:8]), nil, foreign}, {encode(marker[:7]), nil, foreign},
		{encode(marker[:9]), nil, changed}, {encode(append(marker[:len(marker):len(marker)], 'x')), nil, changed},
		{token, url.Values{"scope": {"b"}}, other + "scope differs"}, {token, url.Values{"scope": {"a", "a"}}, other + "scope differs"},
		{token, url.Values{"x": {"1"}}, other + "x differs"}, {token, url.Values{long: {"1"}}, other + long[:40] + "… differs"},
		{token, url.Values{"scope": {"a"}}, ""}, {token, nil, ""},
		{token, url.Values{"page": {"7"}, "per_page": {"50"}}, ""},
	} {
		cl, err := tokenCall(t, list, tc.query, WithPageToken(tc.token))
		if tc.want != "" {
			assert.EqualError(t, err, "serviceapi: GET /projects/:id/things: page token "+tc.want, "%s %v", tc.token, tc.query)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "page=2&scope=a", cl.query)
	}
	_, err = tokenCall(t, Route("/projects/:id/things", ProjectID(2)), nil, WithPageToken(token))
	assert.EqualError(t, err, "serviceapi: GET /projects/:id/things: page token "+changed)
}

// TestWhatSelectsAPage checks which parameters select a page; all others select
// a list.
func TestWhatSelectsAPage(t *testing.T) {
	for _, name := range []string{"page", "per_page", "n", "last", "page_token", "cursor", "id_after", "pagination", "order_by", "sort"} {
		assert.True(t, selectsPage(name), name)
	}
	for _, name := range []string{"", "scope", "Page", "pages", "search", "id_before"} {
		assert.False(t, selectsPage(name), name)
	}
}

// TestPageTokensComeBack checks that a token leads to the page that the link of
// the service names, and that a token is refused if it was changed in one
// place.
func TestPageTokensComeBack(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for n := range 500 {
		query := make(url.Values)
		for range 1 + random.IntN(4) {
			query.Add(randomText(random), randomText(random))
		}
		list := Route("/projects/:id/things", ProjectID(int64(n+1)))
		cl, err := tokenCall(t, list, nil)
		require.NoError(t, err)
		token := cl.tokenOf(query.Encode())
		continued, err := tokenCall(t, list, nil, WithPageToken(token))
		require.NoError(t, err)
		assert.Equal(t, query.Encode(), continued.query)

		changed := []byte(token)
		changed[random.IntN(len(changed))] ^= 1 << random.IntN(7)
		if continued, err = tokenCall(t, list, nil, WithPageToken(string(changed))); err == nil {
			assert.Equal(t, query.Encode(), continued.query, "only bits that mean nothing were changed")
		}
	}
}

func TestSecretsLeaveLinks(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "page=2": "page=2", "b=1&a=2": "b=1&a=2", "private_token=x": "", "b=1&private_token=x&a=2": "a=2&b=1",
		"sudo=root&page=2": "page=2", "access_token=x&job_token=y&page=3": "page=3", "Sudo=x": "Sudo=x",
	} {
		assert.Equal(t, want, withoutSecrets(raw), raw)
	}
}
