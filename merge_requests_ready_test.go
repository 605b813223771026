package serviceapi

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mergeRequestIs is a response with a merge request that has these members.
func mergeRequestIs(members string) func(*http.Request) (*http.Response, error) {
	return status(200, `{"id":84,"iid":14,"state":"opened",`+members+`}`)
}

const (
	noDiffYet = `"changes_count":null,"diff_refs":null`
	halfADiff = `"diff_refs":{"base_sha":null,"head_sha":null,"start_sha":"2222"}`
	wholeRefs = `"diff_refs":{"base_sha":"1111","head_sha":"8888","start_sha":"2222"}`
)

func TestWaitUntilPrepared(t *testing.T) {
	for name, last := range map[string]string{
		"by the time":                  `"prepared_at":"2026-03-01T08:46:02Z",` + wholeRefs,
		"by the diff, in old releases": wholeRefs,
		"with another status":          `"detailed_merge_status":"checking","prepared_at":null,` + wholeRefs,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
					mergeRequestIs(noDiffYet), mergeRequestIs(halfADiff), mergeRequestIs(`"detailed_merge_status":"preparing",`+wholeRefs), mergeRequestIs(last))
				var polls []Poll
				mr, err := client.MergeRequests.WaitUntilPrepared(t.Context(), ProjectID(4), 14, WithPollObserver(func(p Poll) { polls = append(polls, p) }))
				require.NoError(t, err)
				assert.Equal(t, "8888", mr.DiffRefs.HeadSHA)
				assert.Len(t, s.times, 4)
				require.Len(t, polls, 4)
				assert.Equal(t, "the diff of merge request !14", polls[0].Target)
				assert.Equal(t, "preparing", polls[2].State)
				assert.Equal(t, "prepared", polls[3].State)
				assert.True(t, polls[3].Done)
			})
		})
	}
}

func TestWaitUntilMergeable(t *testing.T) {
	for _, waits := range []string{
		"preparing", "unchecked", "checking", "approvals_syncing", "ci_still_running", "merge_time", "status_checks_must_pass",
	} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
				mergeRequestIs(`"detailed_merge_status":"`+waits+`"`), mergeRequestIs(`"detailed_merge_status":"mergeable"`))
			mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), ProjectID(4), 14)
			require.NoError(t, err, waits)
			assert.Equal(t, DetailedMergeStatusMergeable, mr.DetailedMergeStatus)
			assert.Len(t, s.times, 2)
		})
	}
}

func TestWaitUntilMergeableOfOldReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, mergeRequestIs(`"merge_status":null`),
			mergeRequestIs(`"merge_status":"unchecked"`), mergeRequestIs(`"merge_status":"checking"`),
			mergeRequestIs(`"merge_status":"cannot_be_merged_recheck"`), status(200, `{"id":84,"iid":14,"state":"locked","merge_status":"can_be_merged"}`),
			mergeRequestIs(`"merge_status":"can_be_merged"`))
		mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), ProjectID(4), 14)
		require.NoError(t, err)
		assert.Equal(t, MergeStatusCanBeMerged, mr.MergeStatus)
		assert.Len(t, s.times, 6)
	})
}

// A problem that does not go away by itself ends the wait at once.
func TestWaitUntilMergeableGivesUp(t *testing.T) {
	for want, answer := range map[string]func(*http.Request) (*http.Response, error){
		"conflict":                 mergeRequestIs(`"detailed_merge_status":"conflict"`),
		"not_approved":             mergeRequestIs(`"detailed_merge_status":"not_approved","merge_status":"can_be_merged"`),
		"some_later_status":        mergeRequestIs(`"detailed_merge_status":"some_later_status"`),
		"draft_status":             mergeRequestIs(`"draft":true,"merge_status":"can_be_merged"`),
		"cannot_be_merged":         mergeRequestIs(`"merge_status":"cannot_be_merged"`),
		"merged":                   status(200, `{"id":84,"iid":14,"state":"merged","detailed_merge_status":"not_open"}`),
		"closed":                   status(200, `{"id":84,"iid":14,"state":"closed","detailed_merge_status":"mergeable"}`),
		"without a state":          status(200, `{"id":84,"iid":14}`),
		`can\u202enot`:             mergeRequestIs(`"detailed_merge_status":"can\u202enot"`),
		"discussions_not_resolved": mergeRequestIs(`"detailed_merge_status":"discussions_not_resolved"`),
	} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, answer)
			mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), ProjectID(4), 14)
			var stuck *NotMergeableError
			require.ErrorAs(t, err, &stuck, want)
			assert.Same(t, mr, stuck.MergeRequest)
			assert.Equal(t, "serviceapi: merge request !14 cannot be merged: "+want, err.Error())
			assert.Len(t, s.times, 1)
		})
	}
}

func TestWaitUntilMergeableEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, mergeRequestIs(`"detailed_merge_status":"checking"`))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		mr, err := client.MergeRequests.WaitUntilMergeable(ctx, ProjectID(4), 14)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, mr)
		assert.ErrorContains(t, err, `merge request !14 in state "checking"`)
	})
}
