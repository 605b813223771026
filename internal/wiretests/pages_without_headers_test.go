package wiretests

import (
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
