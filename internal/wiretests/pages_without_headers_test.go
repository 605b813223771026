package wiretests

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPagesWithoutHeaders reads lists whose pages do not say what follows them.
func TestPagesWithoutHeaders(t *testing.T) {
	type options = serviceapi.ListJobsOptions
	for _, tc := range []struct {
		name           string
		items, perPage int
		header         string // one that every page has
		ignoresPage    bool
		null           bool
		want, requests int
	}{
		{"the last page is not full", 103, 100, "", false, false, 103, 2},
		{"the last page is full", 200, 100, "", false, false, 200, 3},
		{"of another size", 7, 3, "", false, false, 7, 3},
		{"one page", 99, 100, "", false, false, 99, 1},
		{"empty", 0, 100, "", false, false, 0, 1},
		{"no pages", 100, 100, "", true, false, 100, 2},
		{"one item cannot be decoded", 103, 100, "", false, true, 102, 2},
		{"the header says that none follows", 103, 100, "X-Next-Page", false, false, 100, 1},
		{"the number of pages is known", 200, 100, "X-Total-Pages", false, false, 200, 2},
	} {
		for _, concurrent := range []int{1, 4} {
			requests := 0
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				requests++
				page := max(1, atoi(r.FormValue("page")))
				size := atoi(r.FormValue("per_page"))
				if tc.ignoresPage {
					page, size = 1, tc.items
				}
				switch tc.header {
				case "X-Next-Page":
					w.Header().Set(tc.header, "")
				case "X-Total-Pages":
					w.Header().Set(tc.header, strconv.Itoa(tc.items/tc.perPage))
				}
				jobs := []any{}
				for n := (page - 1) * size; n < min(page*size, tc.items); n++ {
					jobs = append(jobs, map[string]int{"id": n + 1})
				}
				if tc.null && page == 1 {
					jobs[3] = nil
				}
				_ = json.NewEncoder(w).Encode(jobs)
			})
			jobs, err := serviceapi.Collect(client.Jobs.All(t.Context(), somewhere,
				&options{ListOptions: serviceapi.ListOptions{PerPage: tc.perPage}},
				serviceapi.WithConcurrentPages(concurrent)))
			if tc.null {
				require.ErrorContains(t, err, "null", tc.name)
			} else {
				require.NoError(t, err, tc.name)
			}
			assert.Len(t, jobs, tc.want, tc.name)
			assert.Equal(t, tc.requests, requests, tc.name)
			seen := map[int64]bool{}
			for _, job := range jobs {
				assert.False(t, seen[job.ID], "%s: %d", tc.name, job.ID)
				seen[job.ID] = true
			}
		}
	}
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// TestKeysetPagesWithoutHeaders checks that a full page ends a keyset list, whose last page says
// nothing.
func TestKeysetPagesWithoutHeaders(t *testing.T) {
	requests := 0
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		_, _ = w.Write([]byte(`[{"id":1},{"id":2}]`))
	})
	projects, err := serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Instance,
		&serviceapi.ListProjectsOptions{
			Pagination: serviceapi.PaginationKeyset, ListOptions: serviceapi.ListOptions{PerPage: 2},
		}))
	require.NoError(t, err)
	assert.Len(t, projects, 2)
	assert.Equal(t, 1, requests)
}

// TestTokensWithoutHeaders reads lists page by page, as a program with checkpoints does, from a
// service whose pages do not say what follows them.
func TestTokensWithoutHeaders(t *testing.T) {
	for _, tc := range []struct {
		name           string
		items, perPage int
		ignoresPage    bool
		want, requests int
	}{
		{"the last page is not full", 103, 100, false, 103, 2},
		{"the last page is full", 9, 3, false, 9, 4},
		{"pages of the default size", 45, 0, false, 45, 3},
		{"one page", 19, 0, false, 19, 1},
		{"empty", 0, 0, false, 0, 1},
		{"no pages", 20, 0, true, 20, 2},
		{"no pages, of another size", 21, 0, true, 21, 1},
	} {
		requests := 0
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			page, size := max(1, atoi(r.FormValue("page"))), cmp.Or(atoi(r.FormValue("per_page")), 20)
			if tc.ignoresPage {
				page, size = 1, tc.items
			}
			jobs := []any{}
			for n := (page - 1) * size; n < min(page*size, tc.items); n++ {
				jobs = append(jobs, map[string]int{"id": n + 1})
			}
			_ = json.NewEncoder(w).Encode(jobs)
		})
		options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: tc.perPage}}
		var ids []int64
		var rest []*serviceapi.Job
		for {
			jobs, resp, err := client.Jobs.List(t.Context(), somewhere, options)
			require.NoError(t, err, tc.name)
			assert.Zero(t, resp.NextPage, "%s: nothing says that there is one", tc.name)
			for _, job := range jobs {
				ids = append(ids, job.ID)
			}
			if resp.NextPageToken == "" || len(ids) > 1000 {
				break
			}
			options.PageToken = resp.NextPageToken
			if len(ids) == len(jobs) {
				before := requests
				rest, err = serviceapi.Collect(client.Jobs.All(t.Context(), somewhere, options))
				require.NoError(t, err, tc.name)
				requests = before
			}
		}
		assert.Len(t, ids, tc.want, tc.name)
		for i, id := range ids {
			assert.Equal(t, int64(i+1), id, tc.name)
		}
		assert.Equal(t, tc.requests, requests, tc.name)
		if tc.requests > 1 {
			first := cmp.Or(tc.perPage, 20)
			assert.Len(t, rest, tc.want-first, "%s: what All continues with", tc.name)
		}
	}
}

// TestTokensKeepTheSizeOfPages checks that a list is continued with pages of the size that the
// service used, if only headers say so.
func TestTokensKeepTheSizeOfPages(t *testing.T) {
	var queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		if r.FormValue("page") == "" {
			w.Header().Set("X-Next-Page", "2")
			w.Header().Set("X-Per-Page", "20")
		}
		_, _ = w.Write([]byte(`[{"id":1}]`))
	})
	_, resp, err := client.Jobs.List(t.Context(), somewhere, nil)
	require.NoError(t, err)
	options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}}
	_, err = serviceapi.Collect(client.Jobs.All(t.Context(), somewhere, options))
	require.NoError(t, err)
	assert.Equal(t, []string{"", "page=2&per_page=20"}, queries)
}
