package wiretests

import (
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProtectedBranchesInOtherObjects checks that approval rules and status checks keep the
// levels of their protected branches.
func TestProtectedBranchesInOtherObjects(t *testing.T) {
	branch := fixture(t, "protected_branches/protected_branch.json")
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `[{"id":1,"protected_branches":[`+branch+`]}]`)
	})
	rules, _, err := client.Approvals.ListRules(t.Context(), serviceapi.ProjectID(3), nil)
	require.NoError(t, err)
	checks, _, err := client.StatusChecks.List(t.Context(), serviceapi.ProjectID(3), nil)
	require.NoError(t, err)
	want := []*serviceapi.ProtectedBranch{wantProtectedBranch()}
	assert.Equal(t, want, rules[0].ProtectedBranches)
	assert.Equal(t, want, checks[0].ProtectedBranches)
}

// TestRelatedMergeRequestsAreWhole checks that the list keeps what a single merge request has.
func TestRelatedMergeRequestsAreWhole(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "["+fixture(t, "merge_requests/merge_request.json")+"]")
	})
	project := serviceapi.ProjectID(4)
	got, err := serviceapi.Collect(client.Issues.AllRelatedMergeRequests(t.Context(), project.Issue(6), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MergeRequestDetails{wholeMergeRequest(t)}, got)
}
