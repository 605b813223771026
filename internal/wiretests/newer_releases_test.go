package wiretests

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestJobListsWithoutTotals checks newer releases, which do not count jobs.
// Pages are then fetched one after the other, even with WithConcurrentPages,
// and without an error.
func TestJobListsWithoutTotals(t *testing.T) {
	const pages = 7
	var running, most atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		query := r.URL.Query()
		page := 1
		if text := query.Get("page"); text != "" {
			page, _ = strconv.Atoi(text)
		}
		assert.Equal(t, "2", query.Get("per_page"))
		w.Header().Set("X-Page", strconv.Itoa(page))
		w.Header().Set("X-Per-Page", "2")
		w.Header().Set("X-Next-Page", "")
		if page < pages {
			w.Header().Set("X-Next-Page", strconv.Itoa(page+1))
			query.Set("page", strconv.Itoa(page+1))
			w.Header().Set("Link",
				fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.EscapedPath(), query.Encode()))
		}
		fmt.Fprintf(w, `[{"id":%d},{"id":%d}]`, 100-2*page, 99-2*page)
	})
	var want []int64
	for id := int64(98); id > 98-2*pages; id-- {
		want = append(want, id)
	}
	options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 2}}
	for name, opts := range map[string][]serviceapi.RequestOption{"one by one": nil,
		"side by side": {serviceapi.WithConcurrentPages(8)}} {
		var got []int64
		for job, err := range client.Jobs.All(t.Context(), serviceapi.ProjectID(1), options, opts...) {
			require.NoError(t, err, name)
			got = append(got, job.ID)
		}
		assert.Equal(t, want, got, name)
	}
	assert.LessOrEqual(t, most.Load(), int32(2), "a page that is read ahead, and no more")
	_, resp, err := client.Jobs.List(t.Context(), serviceapi.ProjectID(1), options)
	require.NoError(t, err)
	assert.False(t, resp.HasTotal())
	assert.Equal(t, []int{1, 2, 2}, []int{resp.Page, resp.PerPage, resp.NextPage})
}

// TestJobListsByKeyset checks that pages without numbers are not fetched
// concurrently.
func TestJobListsByKeyset(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		assert.Equal(t, []string{"keyset", "id", "desc"},
			[]string{query.Get("pagination"), query.Get("order_by"), query.Get("sort")})
		assert.False(t, query.Has("page"))
		last := 6
		if text := query.Get("cursor"); text != "" {
			last, _ = strconv.Atoi(text)
		}
		if last == 0 {
			_, _ = io.WriteString(w, "[]")
			return
		}
		query.Set("cursor", strconv.Itoa(last-2))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.EscapedPath(), query.Encode()))
		fmt.Fprintf(w, `[{"id":%d},{"id":%d}]`, last, last-1)
	})
	options := &serviceapi.ListJobsOptions{
		Pagination: serviceapi.PaginationKeyset,
		OrderBy:    serviceapi.JobOrderByID,
		Sort:       serviceapi.SortDescending,
	}
	jobs, err := serviceapi.Collect(
		client.Jobs.All(t.Context(), serviceapi.ProjectID(1), options, serviceapi.WithConcurrentPages(8)),
	)
	require.NoError(t, err)
	require.Len(t, jobs, 6)
	assert.Equal(t, []int64{6, 1}, []int64{jobs[0].ID, jobs[5].ID})
}

// TestFieldsThatWent checks that fields that newer releases have removed, or
// send empty, are zero and not an error.
func TestFieldsThatWent(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/1/environments/9",
			Body: `{"id":9,"name":"prod","enable_advanced_logs_querying":null,"logs_api_path":null}`},
		exchange{Method: "GET", Path: "/projects/1/environments/9", Body: `{"id":9,"name":"prod"}`},
		exchange{Method: "GET", Path: "/runners/6",
			Body: `{"id":6,"ip_address":null,"version":null,"status":"online"}`},
		exchange{Method: "GET", Path: "/runners/6", Body: `{"id":6,"ip_address":"","status":"online"}`},
		exchange{Method: "GET", Path: "/users/3", Body: `{"id":3,"username":"ada","public_email":null}`},
		exchange{Method: "GET", Path: "/projects/1/members/3",
			Body: `{"id":3,"username":"ada","access_level":15,"membership_state":"active"}`},
	)
	for range 2 {
		environment, _, err := client.Environments.Get(t.Context(), serviceapi.ProjectID(1), 9)
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.Environment{EnvironmentSummary: serviceapi.EnvironmentSummary{ID: 9, Name: "prod"}},
			environment,
		)
	}
	for range 2 {
		runner, _, err := client.Runners.Get(t.Context(), 6)
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.RunnerDetails{Runner: serviceapi.Runner{ID: 6, Status: serviceapi.RunnerStatusOnline}},
			runner,
		)
	}
	user, _, err := client.Users.Get(t.Context(), serviceapi.UserID(3), nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.User{UserSummary: serviceapi.UserSummary{ID: 3, Username: "ada"}}, user)
	member, _, err := client.Members.Get(t.Context(), serviceapi.ProjectID(1), serviceapi.UserID(3))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Member{
		UserSummary: serviceapi.UserSummary{ID: 3, Username: "ada"}, AccessLevel: serviceapi.AccessLevelPlanner,
		MembershipState: serviceapi.MembershipStateActive,
	}, member)
}

// TestNotesOfCommandsAlone checks that a response with 202 is not a note, with
// or without unknown members.
func TestNotesOfCommandsAlone(t *testing.T) {
	const path = "/projects/1/merge_requests/4/notes"
	client := onWire(t,
		exchange{
			Method: "POST", Path: path, Status: 202, JSON: `{"body":"/close\n/title Later"}`,
			Body: `{"commands_changes":{"state_event":"close","title":"Later"},"summary":["Closed this merge ` +
				`request.","Changed the title."]}`,
		},
		exchange{Method: "POST", Path: path, Status: 202, JSON: `{"body":"/close"}`,
			Body: `{"summary":"Closed","commands_changes":{"todo_event":null},"note":7}`},
	)
	request := serviceapi.ProjectID(1).MergeRequest(4)
	created, resp, err := client.Notes.CreateForMergeRequest(t.Context(), request,
		serviceapi.CreateMergeRequestNoteOptions{Body: "/close\n/title Later"})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Equal(t, &serviceapi.CreatedNote{
		CommandsChanges: map[string]json.RawMessage{"state_event": json.RawMessage(`"close"`),
			"title": json.RawMessage(`"Later"`)},
		Summary: []string{"Closed this merge request.", "Changed the title."},
	}, created)

	created, _, err = client.Notes.CreateForMergeRequest(t.Context(), request,
		serviceapi.CreateMergeRequestNoteOptions{Body: "/close"})
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, []any{true, "/summary"}, []any{decode.Partial, decode.Pointer})
	assert.Equal(t, &serviceapi.CreatedNote{
		CommandsChanges: map[string]json.RawMessage{"todo_event": json.RawMessage("null")},
		Extra:           map[string]json.RawMessage{"note": json.RawMessage("7")},
	}, created, "a member of the wrong type costs no other")
}

// TestListsThatEndAtAnOffset checks newer releases, which refuse pages beyond
// 50,000 rows. The items before them are not lost, and the error has the
// message of the service.
func TestListsThatEndAtAnOffset(t *testing.T) {
	const refusal = "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of " +
		"this type"
	for _, status := range []int{http.StatusMethodNotAllowed, http.StatusBadRequest} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			page := r.URL.Query().Get("page")
			if page == "3" {
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"error":%q}`, refusal)
				return
			}
			w.Header().Set("X-Next-Page", map[string]string{"": "2", "1": "2", "2": "3"}[page])
			_, _ = io.WriteString(w, `[{"id":7}]`)
		})
		for name, opts := range map[string][]serviceapi.RequestOption{"one by one": nil,
			"side by side": {serviceapi.WithConcurrentPages(4)}} {
			users, err := serviceapi.Collect(client.Users.All(t.Context(), nil, opts...))
			var e *serviceapi.Error
			require.ErrorAs(t, err, &e, name)
			assert.Equal(t, status, e.StatusCode)
			assert.ErrorContains(t, err, refusal)
			assert.Len(t, users, 2, name)
		}
	}
}
