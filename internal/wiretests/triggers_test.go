package wiretests

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nightlyTrigger is triggers/trigger.json.
func nightlyTrigger(t *testing.T) *serviceapi.Trigger {
	return &serviceapi.Trigger{
		ID: 10, Token: serviceapi.NewSecret("6d056f63e50fe6f8c5f8f4aa10edb7"), Description: "nightly deploy",
		CreatedAt: *at(t, "2026-01-07T09:53:58.235Z"), UpdatedAt: *at(t, "2026-01-08T09:53:58.235Z"),
		LastUsed: at(t, "2026-02-01T00:00:01Z"), ExpiresAt: at(t, "2027-01-07T00:00:00Z"), Owner: &adaWithPicture,
	}
}

func TestTriggers(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/triggers", "triggers/trigger.json"
	page := "[" + fixture(t, whole) + `,{"id":11,"token":"6d05","deleted_at":"2026-01-09T00:00:00Z"}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: page},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: page},
		exchange{Method: "GET", Path: path + "/10", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"description":"nightly"}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: path, JSON: `{"description":"x","expires_at":"2027-01-07T00:00:00Z"}`,
			Status: 201, Fixture: whole,
		},
		exchange{Method: "PUT", Path: path + "/10", JSON: `{"description":""}`, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/10", Status: 204})
	s, ctx, app := client.Triggers, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.Trigger{
		nightlyTrigger(t),
		{ID: 11, Token: serviceapi.NewSecret("6d05"), DeletedAt: at(t, "2026-01-09T00:00:00Z")},
	}
	got, _, err := s.List(ctx, app, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	wantWhole := func(trigger *serviceapi.Trigger, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, nightlyTrigger(t), trigger)
	}
	wantWhole(s.Get(ctx, app, 10))
	wantWhole(s.Create(ctx, app, serviceapi.CreateTriggerOptions{Description: "nightly"}))
	wantWhole(
		s.Create(ctx, app, serviceapi.CreateTriggerOptions{Description: "x", ExpiresAt: at(t, "2027-01-07T00:00:00Z")}),
	)
	wantWhole(s.Update(ctx, app, 10, serviceapi.UpdateTriggerOptions{Description: new("")}))
	resp, err := s.Delete(ctx, app, 10)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

// TestTriggersRun checks the form: the token is in the body and nowhere else.
func TestTriggersRun(t *testing.T) {
	const path = "/projects/acme%2Fapp/trigger/pipeline"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Form: "ref=main&token=t", Status: 201, Fixture: "pipelines/pipeline.json"},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "pipelines/pipeline.json",
			Form: "inputs%5Bdry%5D=true&inputs%5Bn%5D=1.5&inputs%5Bzones%5D%5B%5D=a&inputs%5Bzones%5D%5B%5D=b" +
				"&ref=feature%2Fx" +
				"&token=a%2Fb&variables%5BA%5D=1&variables%5BB%5D=",
		})
	s, ctx, app := client.Triggers, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []serviceapi.RunTriggerOptions{
		{Token: serviceapi.NewSecret("t"), Ref: "main"},
		{
			Token: serviceapi.NewSecret("a/b"), Ref: "feature/x",
			Variables: map[string]serviceapi.Secret{"A": serviceapi.NewSecret("1"), "B": {}},
			Inputs:    map[string]any{"dry": true, "n": 1.5, "zones": []string{"a", "b"}},
		},
	} {
		pipeline, resp, err := s.Run(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assertPipeline(t, nightlyPipeline(t), `{"image":"illustrations/empty.svg"}`, pipeline)
	}
	_, _, err := s.Run(ctx, app, serviceapi.RunTriggerOptions{Ref: "main"})
	assertRefused(t, "Token", err)
	_, _, err = s.Run(ctx, serviceapi.ProjectRef{}, serviceapi.RunTriggerOptions{Token: serviceapi.NewSecret("t")})
	assertRefused(t, "id", err)
	_, _, err = s.Run(ctx, app, serviceapi.RunTriggerOptions{
		Token: serviceapi.NewSecret("t"), Ref: "main", Inputs: map[string]any{"f": func() {}},
	})
	assertRefused(t, "options", err)
}

// TestTriggersRunOnce checks that a run that the service may have begun is not repeated,
// and one that it has refused is.
func TestTriggersRunOnce(t *testing.T) {
	requests, statuses := 0, []int{}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, "ref=main&token=t", string(body))
		w.WriteHeader(statuses[requests])
		requests++
		fmt.Fprint(w, `{"id":1}`)
	})
	run := func(replies ...int) error {
		requests, statuses = 0, replies
		_, _, err := client.Triggers.Run(
			t.Context(),
			serviceapi.ProjectID(1),
			serviceapi.RunTriggerOptions{Token: serviceapi.NewSecret("t"),
				Ref: "main"},
		)
		return err
	}
	assert.Error(t, run(503, 201))
	assert.Equal(t, 1, requests)
	assert.NoError(t, run(429, 201))
	assert.Equal(t, 2, requests)
}

// TestTriggersRunHidesSecrets checks that neither the token nor the values of variables
// get into an error, a log or a dump, although the service echoes them.
func TestTriggersRunHidesSecrets(t *testing.T) {
	const token, value = "trigger/token-S3cr3t", "value of S3cr3t"
	var logs, dump bytes.Buffer
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"message":"cannot run %s with %s: %s"}`, token, value, body)
	}, serviceapi.WithLogger(slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	options := serviceapi.RunTriggerOptions{
		Token: serviceapi.NewSecret(
			token,
		), Ref: "main", Variables: map[string]serviceapi.Secret{"KEY": serviceapi.NewSecret(value)},
	}
	_, _, err := client.Triggers.Run(t.Context(), serviceapi.ProjectID(1), options,
		serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Contains(t, err.Error(), "cannot run [redacted] with [redacted]")
	assert.Contains(t, dump.String(), "ref=main")
	assert.NotEmpty(t, logs.String())
	everything := fmt.Sprintf("%s %+v %#v %v %s %s", err, err, err, options, &dump, &logs)
	for _, secret := range []string{token, value, "S3cr3t"} {
		assert.NotContains(t, everything, secret)
	}
}
