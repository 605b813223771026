package wiretests

import (
	"errors"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMergeThatFailed merges, and the service answers 200 with a merge request that is open.
func TestMergeThatFailed(t *testing.T) {
	const failed = `{"id":1,"iid":14,"state":"opened","merge_error":"pre-receive hook declined"}`
	for name, test := range map[string]struct {
		options serviceapi.MergeOptions
		sent    string
		body    string
		message string // of the error, empty without one
	}{
		"failed": {serviceapi.MergeOptions{}, `{}`, failed, "pre-receive hook declined"},
		"failed without a reason": {serviceapi.MergeOptions{}, `{}`,
			`{"id":1,"iid":14,"state":"opened","merge_error":null}`,
			"the service refused without a reason"},
		"failed, and asked for later": {serviceapi.MergeOptions{AutoMerge: new(true)}, `{"auto_merge":true}`, failed,
			"pre-receive hook declined"},
		"scheduled": {serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)},
			`{"merge_when_pipeline_succeeds":true}`,
			`{"id":1,"iid":14,"state":"opened","merge_when_pipeline_succeeds":true}`, ""},
		"scheduled by auto merge": {serviceapi.MergeOptions{AutoMerge: new(true)}, `{"auto_merge":true}`,
			`{"id":1,"iid":14,"state":"opened","merge_when_pipeline_succeeds":true,"merge_error":"of yesterday"}`, ""},
		"scheduled and not said so": {serviceapi.MergeOptions{AutoMerge: new(true)}, `{"auto_merge":true}`,
			`{"id":1,"iid":14,"state":"opened"}`, ""},
		"scheduled by another, and failed": {serviceapi.MergeOptions{}, `{}`,
			`{"id":1,"iid":14,"state":"opened","merge_when_pipeline_succeeds":true,"merge_error":"no"}`, "no"},
		"merged": {serviceapi.MergeOptions{}, `{}`, `{"id":1,"iid":14,"state":"merged"}`, ""},
		"locked": {serviceapi.MergeOptions{}, `{}`, `{"id":1,"iid":14,"state":"locked"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client := onWire(t, exchange{Method: "PUT", Path: "/projects/4/merge_requests/14/merge", JSON: test.sent,
				Body: test.body})
			mr, resp, err := client.MergeRequests.Merge(
				t.Context(),
				serviceapi.ProjectID(4).MergeRequest(14),
				test.options,
			)
			require.NotNil(t, mr)
			assert.Equal(t, []any{int64(14), 200}, []any{mr.IID, resp.StatusCode})
			if test.message == "" {
				require.NoError(t, err)
				return
			}
			refused, ok := errors.AsType[*serviceapi.MergeError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, serviceapi.MergeRefusalFailed, refused.Reason)
			assert.Same(t, mr, refused.MergeRequest)
			require.ErrorAs(t, err, new(*serviceapi.Error))
			assert.Equal(t, []any{200, test.message}, []any{refused.Err.StatusCode, refused.Err.Message})
			assert.EqualError(t, err, "PUT https://service.test/api/v4/projects/4/merge_requests/14/merge: 200 "+
				test.message+" (merge_failed)")
			assert.True(t, serviceapi.MayHaveExecuted(err), "the service has tried")
		})
	}
}
