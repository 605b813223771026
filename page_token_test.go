package serviceapi

import (
	"net/http"
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
	failed := []JobStatus{JobFailed}
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
	_, _, err = client.Jobs.List(ctx, ProjectID(1), with(token, JobFailed))
	require.NoError(t, err)
	const second = "page=2&per_page=10&scope%5B%5D=failed"
	assert.Equal(t, []string{second, second}, queries)

	queries = nil
	damaged := []byte(token)
	damaged[len(damaged)/2] ^= 1
	for _, bad := range []*ListJobsOptions{
		with("abc"), with("abc", JobFailed), with("a\nb"), with("per_page=2&page=2"), with(string(damaged)), with(token[:len(token)-4]),
		with(token, JobSuccess), with(token, JobFailed, JobSuccess),
	} {
		_, _, err := client.Jobs.List(ctx, ProjectID(1), bad)
		assertRefused(t, "page token", err)
		_, err = Collect(client.Jobs.All(ctx, ProjectID(1), bad))
		assertRefused(t, "page token", err)
	}
	_, _, err = client.Jobs.List(ctx, ProjectID(2), with(token))
	assertRefused(t, "page token", err)
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
