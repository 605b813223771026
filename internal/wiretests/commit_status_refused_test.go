package wiretests

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStatusTransitions checks which refusals of a commit status say that it cannot change to
// the state, and from which one.
func TestStatusTransitions(t *testing.T) {
	const page = "<!DOCTYPE html><html><body>Cannot transition status via :run from :running</body></html>"
	for _, tc := range []struct {
		status int
		body   string
		is     bool
		from   serviceapi.CommitStatusState
	}{
		{400, `{"message":"Cannot transition status via :run from :running (Reason(s): Status cannot transition ` +
			`via \"run\")"}`, true, "running"},
		{400, `{"message":"Cannot transition status via :enqueue from :pending"}`, true, "pending"},
		{400, `{"message":{"base":["Cannot transition status via :run from :waiting_for_resource"]}}`, true,
			"waiting_for_resource"},
		{400, `{"message":"400 Bad request - Cannot transition status from running to running"}`, true, "running"},
		{400, `{"message":"Cannot transition status via :run"}`, true, ""},
		{400, `{"message":"Cannot transition status via :run from "}`, true, ""},
		{400, `{"message":"Cannot transition status from <b>"}`, true, "b"},
		{400, `{"error":"state does not have a valid value"}`, false, ""},
		{400, page, false, ""},
		{404, `{"message":"Cannot transition status via :run from :running"}`, false, ""},
		{409, `{"message":"Cannot transition status via :run from :running"}`, false, ""},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tc.status)
			_, _ = io.WriteString(w, tc.body)
		})
		_, _, err := client.Commits.SetStatus(t.Context(), serviceapi.ProjectID(7), commitSHA,
			serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateRunning})
		var reply *serviceapi.Error
		require.ErrorAs(t, err, &reply)
		assert.Equal(t, tc.status, reply.StatusCode)
		refused, ok := errors.AsType[*serviceapi.StatusTransitionError](err)
		require.Equal(t, tc.is, ok, tc.body)
		if !ok {
			continue
		}
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.Equal(t, serviceapi.CommitStatusStateRunning, refused.State)
		assert.Equal(t, tc.from, refused.From, tc.body)
		assert.ErrorContains(t, err, "annot transition")
	}
}
