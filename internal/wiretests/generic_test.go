package wiretests

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newerJob is a job with a member that the library does not know.
type newerJob struct {
	serviceapi.Job
	New json.RawMessage `json:"new"`
}

func TestTypedCalls(t *testing.T) {
	ctx := t.Context()
	var requests []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method+" "+r.URL.EscapedPath()+"?"+r.URL.RawQuery)
		if r.URL.Query().Has("per_page") {
			io.WriteString(w, `[{"id":1,"name":"a","new":{"x":1}},{"id":2}]`)
			return
		}
		io.WriteString(w, `{"id":7,"status":"failed","new":[1]}`)
	})
	things := serviceapi.Route("/projects/:id/things/:name", serviceapi.ProjectPath("a/b"), "x/y")
	one, resp, err := serviceapi.Get[newerJob](ctx, client, things)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, &newerJob{serviceapi.Job{ID: 7, Status: serviceapi.JobStatusFailed}, json.RawMessage(`[1]`)}, one)

	page, _, err := serviceapi.List[*newerJob](ctx, client, things, &serviceapi.ListOptions{PerPage: 2})
	require.NoError(t, err)
	require.Len(t, page, 2)
	assert.JSONEq(t, `{"x":1}`, string(page[0].New))

	every, err := serviceapi.Collect(serviceapi.All[map[string]any](ctx, client, things, url.Values{"a": {"b"}}))
	require.NoError(t, err)
	assert.Len(t, every, 2)
	values, _, err := serviceapi.List[newerJob](ctx, client, things, &serviceapi.ListOptions{PerPage: 2})
	require.NoError(t, err)
	assert.EqualValues(t, 2, values[1].ID)

	path := "GET /api/v4/projects/a%2Fb/things/x%2Fy?"
	assert.Equal(t, []string{path, path + "per_page=2", path + "a=b&per_page=100", path + "per_page=2"}, requests)
}

func TestRoutesArePartOfErrors(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	_, _, err := serviceapi.Get[serviceapi.Job](
		t.Context(),
		client,
		serviceapi.Route("/groups/:id/things", serviceapi.GroupID(7)),
	)
	var e *serviceapi.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "/groups/:id/things", e.Operation)
	assert.Contains(t, err.Error(), "/api/v4/groups/7/things: 404")
}

func TestBadRoutes(t *testing.T) {
	client := onWire(t)
	for name, e := range map[string]serviceapi.Endpoint{
		"endpoint":     {},
		"id":           serviceapi.Route("/projects/:id"),
		"path":         serviceapi.EscapedPath("x"),
		"name":         serviceapi.Route("/things/:name", 1.5),
		"project path": serviceapi.Route("/things/:name", serviceapi.ProjectPath("https://service.test/a/b")),
	} {
		_, _, err := serviceapi.Get[serviceapi.Job](t.Context(), client, e)
		assertRefused(t, name, err)
	}
	for _, e := range []serviceapi.Endpoint{
		serviceapi.Route(""), serviceapi.Route("/"), serviceapi.Route("things"), serviceapi.Route("/things//x"),
		serviceapi.Route("/things?a=b"), serviceapi.Route("/things", 1),
		serviceapi.Route("/things/:id", 1, 2),
	} {
		_, _, err := serviceapi.Get[serviceapi.Job](t.Context(), client, e)
		assertRefused(t, "route", err)
	}
}

func TestDoRefusesWhatWouldLoseAResponse(t *testing.T) {
	client := onWire(t)
	var none *serviceapi.Job
	var b bytes.Buffer
	for _, tc := range []struct {
		method string
		out    any
	}{
		{"POST", serviceapi.Job{}}, {"POST", none}, {"POST", map[string]any{}}, {"GET", 7}, {"HEAD", &b},
		{"HEAD", new(serviceapi.Job)},
	} {
		_, err := client.Do(t.Context(), tc.method, serviceapi.EscapedPath("/things"), nil, tc.out)
		assertRefused(t, "out", err)
	}
	_, err := client.Do(
		t.Context(),
		"GET",
		serviceapi.EscapedPath("/things"),
		nil,
		nil,
		serviceapi.WithHeader("accept-encoding", "br"),
	)
	assertRefused(t, "header accept-encoding", err)
}
