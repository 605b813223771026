package recipes_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFailedJobsPastAnOddOne checks that the recipe goes on at a job whose time
// is of the wrong kind, and reports it at the end.
func TestFailedJobsPastAnOddOne(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/jobs") {
			_, _ = io.WriteString(w, `[{"name":"a","failure_reason":"x","duration":"long","runner":"r","created_at":5},
				{"name":"b","failure_reason":"y","created_at":"2026-03-01T10:00:00Z"},{"name":"c",
				"created_at":"2025-03-01T10:00:00Z"}]`)
			return
		}
		_, _ = io.WriteString(w, `[{"id":7,"path_with_namespace":"acme/shop"}]`)
	}))
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	var report strings.Builder
	require.NoError(t, reportFailures(t.Context(), client, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), &report))
	assert.Equal(t, "acme/shop a: x\nacme/shop b: y\n", report.String())
}
