package wiretests

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quickPolls keeps the waits of these tests short.
var quickPolls = serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)

// TestSecretsInGoodResponsesStayOutOfErrors lets a service write the token of a call, and a secret
// of its options, into good responses that become errors.
func TestSecretsInGoodResponsesStayOutOfErrors(t *testing.T) {
	const token, option = `t0ken-of-"the"-call+1`, "https://store.test/bucket?X-Amz-Signature=0123abcd4567&b=<2>"
	const signature = "0123abcd4567"
	said := "it says \x1b[31m " + token + " and " + option
	object := func(members string) string {
		text, err := json.Marshal(said)
		require.NoError(t, err)
		return fmt.Sprintf(members, text)
	}
	mergeRequest := serviceapi.ProjectPath("acme/engine").MergeRequest(7)
	project := serviceapi.ProjectID(1)
	upload := serviceapi.ScheduleExportOptions{Upload: &serviceapi.ExportUpload{URL: serviceapi.NewSecret(option)}}
	field := serviceapi.WithBodyField("later", serviceapi.NewSecret(option))
	for name, tc := range map[string]struct {
		body string
		call func(context.Context, *serviceapi.Client, ...serviceapi.RequestOption) error
		// onlyToken is set if the call has no options with a secret.
		onlyToken bool
	}{
		"rebase": {
			body: object(`{"iid":7,"state":"opened","title":%[1]s,"labels":[%[1]s],"merge_error":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				opts = append(opts, field)
				_, err := c.MergeRequests.RebaseAndWait(ctx, mergeRequest, serviceapi.RebaseOptions{}, opts...)
				return err
			},
		},
		"merge that failed": {
			body: object(`{"iid":7,"state":"opened","title":%[1]s,"merge_error":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				_, _, err := c.MergeRequests.Merge(ctx, mergeRequest, serviceapi.MergeOptions{}, append(opts, field)...)
				return err
			},
		},
		"not mergeable": {
			body: object(`{"iid":7,"state":"opened","detailed_merge_status":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				_, err := c.MergeRequests.WaitUntilMergeable(ctx, mergeRequest, opts...)
				return err
			},
			onlyToken: true,
		},
		"import": {
			body: object(`{"id":1,"import_status":"failed","path_with_namespace":%[1]s,"import_error":%[1]s,` +
				`"failed_relations":[{"id":1,"exception_message":%[1]s}]}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				_, err := c.ProjectImport.Wait(ctx, project, opts...)
				return err
			},
			onlyToken: true,
		},
		"export": {
			body: object(`{"id":1,"export_status":"none","path_with_namespace":%[1]s,"description":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				_, err := c.ProjectExport.ScheduleAndWait(ctx, project, upload, opts...)
				return err
			},
		},
		"stop": {
			body: object(`{"id":1,"state":%[1]s,"name":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				opts = append(opts, field)
				_, err := c.Environments.StopAndWait(ctx, project, 1, serviceapi.StopEnvironmentOptions{}, opts...)
				return err
			},
		},
		"wait that the context ends": {
			body: object(`{"id":1,"status":%[1]s}`),
			call: func(ctx context.Context, c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
				ctx, cancel := context.WithCancel(ctx)
				ends := serviceapi.WithPollObserver(func(serviceapi.Poll) { cancel() })
				_, err := c.Jobs.Wait(ctx, project, 1, append(opts, ends)...)
				return err
			},
			onlyToken: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusAccepted)
				}
				fmt.Fprint(w, tc.body)
			})
			err := tc.call(t.Context(), client, quickPolls, serviceapi.WithCredential(serviceapi.PrivateToken(token)))
			require.Error(t, err)
			var log bytes.Buffer
			slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "err", err)
			slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", err)
			data, problem := json.Marshal(err)
			require.NoError(t, problem)
			shown := fmt.Sprintf("%v %+v %#v %s %s", err, err, err, &log, data)
			assert.Contains(t, err.Error(), "[redacted]")
			assert.NotContains(t, err.Error(), "\x1b")
			assert.NotContains(t, shown, "t0ken-of-", "%T", err)
			if !tc.onlyToken {
				assert.NotContains(t, shown, signature, "%T", err)
			}
		})
	}
}
