package wiretests

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
)

// TestRefusalsOfTheServiceOnly checks which responses are refusals of an area, which programs
// act on: those of the service, and not the pages of a proxy with the same status.
func TestRefusalsOfTheServiceOnly(t *testing.T) {
	const page = "<!DOCTYPE html>\n<html><body>This site is protected</body></html>"
	mergeRequest := serviceapi.ProjectID(4).MergeRequest(14)
	refused := func(err error) bool {
		_, merge := errors.AsType[*serviceapi.MergeError](err)
		_, approval := errors.AsType[*serviceapi.ApprovalError](err)
		_, protected := errors.AsType[*serviceapi.ProtectedRefError](err)
		return merge || approval || protected
	}
	for _, tc := range []struct {
		name     string
		call     func(context.Context, *serviceapi.Client) error
		statuses []int
		body     string
	}{
		{"merge", func(ctx context.Context, client *serviceapi.Client) error {
			_, _, err := client.MergeRequests.Merge(ctx, mergeRequest, serviceapi.MergeOptions{})
			return err
		}, []int{401, 405, 406, 409, 422}, `{"message":"Branch cannot be merged"}`},
		{"cancel", func(ctx context.Context, client *serviceapi.Client) error {
			_, _, err := client.MergeRequests.CancelMergeWhenPipelineSucceeds(ctx, mergeRequest)
			return err
		}, []int{401, 405, 406}, `{"message":"no"}`},
		{"approve", func(ctx context.Context, client *serviceapi.Client) error {
			_, _, err := client.Approvals.Approve(ctx, mergeRequest, serviceapi.ApproveOptions{})
			return err
		}, []int{401}, `{"message":"401 Unauthorized"}`},
		{"delete a branch", func(ctx context.Context, client *serviceapi.Client) error {
			return second(client.Branches.Delete(ctx, serviceapi.ProjectID(4), "main"))
		}, []int{400, 403}, `{"message":"The branch is protected"}`},
	} {
		for _, code := range tc.statuses {
			for body, want := range map[string]bool{tc.body: true, page: false} {
				client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(code)
					_, _ = io.WriteString(w, body)
				})
				err := tc.call(t.Context(), client)
				var reply *serviceapi.Error
				if assert.ErrorAs(t, err, &reply) {
					assert.Equal(t, code, reply.StatusCode)
				}
				assert.Equal(t, want, refused(err), "%s, %d: %v", tc.name, code, err)
			}
		}
	}
}
