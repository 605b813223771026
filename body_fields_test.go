package serviceapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWithBodyField(t *testing.T) {
	ctx := t.Context()
	more := []RequestOption{WithBodyField("later", map[string]any{"a": []int{1, 2}, "b": nil}), WithBodyField("also", true), WithBodyField("key", NewSecret("s3cret"))}
	client := onWire(t,
		exchange{Method: "POST", Path: "/things", JSON: `{"name":"a","later":{"a":[1,2],"b":null},"also":true,"key":"s3cret"}`, Body: `{"id":1}`},
		exchange{Method: "PUT", Path: "/runners/7", Form: "also=true&key=s3cret&later%5Ba%5D%5B%5D=1&later%5Ba%5D%5B%5D=2&later%5Bb%5D=&paused=true", Body: `{"id":7}`},
		exchange{Method: "POST", Path: "/projects/3/secure_files", Status: 201, Body: `{"id":1}`, Multipart: []string{
			"also=true", "key=s3cret", "later[a][]=1", "later[a][]=2", "later[b]=", "name=a", "file[a;application/octet-stream]=x"}},
	)
	var out Job
	_, err := client.Do(ctx, "POST", EscapedPath("/things"), map[string]string{"name": "a"}, &out, more...)
	require.NoError(t, err)
	_, _, err = client.Runners.Pause(ctx, 7, more...)
	require.NoError(t, err)
	_, _, err = client.SecureFiles.Create(ctx, ProjectID(3), CreateSecureFileOptions{Name: "a", File: Upload{Filename: "a", Content: strings.NewReader("x")}}, more...)
	require.NoError(t, err)
}

func TestBodyFieldsThatAreRefused(t *testing.T) {
	ctx := t.Context()
	client := onWire(t)
	set := WithBodyField("name", "b")
	_, err := client.Do(ctx, "POST", EscapedPath("/things"), map[string]string{"name": "a"}, nil, set)
	assertRefused(t, "body field name", err)
	_, err = client.Do(ctx, "POST", EscapedPath("/things"), []int{1}, nil, set)
	assertRefused(t, "body field name", err)
	_, err = client.Do(ctx, "POST", EscapedPath("/things"), nil, nil, set)
	assertRefused(t, "body field name", err)
	_, err = getJob(ctx, client, set)
	assertRefused(t, "body field name", err)
	_, _, err = client.Runners.Pause(ctx, 7, WithBodyField("paused", false))
	assertRefused(t, "body field paused", err)
	_, _, err = client.Runners.Pause(ctx, 7, WithBodyField("x", func() {}))
	assertRefused(t, "body field x", err)
	_, _, err = client.Runners.Pause(ctx, 7, WithBodyField("sudo", "root"))
	assertRefused(t, "body field sudo", err)
	_, _, err = client.Runners.Pause(ctx, 7, WithBodyField("", 1))
	assertRefused(t, "body field ", err)
}

func TestWithRawJSON(t *testing.T) {
	var raw json.RawMessage
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/jobs") {
			pagesOf(250, 0)(w, r)
			return
		}
		w.Write([]byte(` {"id":8,"new":[1, 2]} `))
	})
	_, err := getJob(t.Context(), client, WithRawJSON(&raw))
	require.NoError(t, err)
	assert.Equal(t, ` {"id":8,"new":[1, 2]} `, string(raw))

	for _, concurrent := range []int{1, 8} {
		n := 0
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithRawJSON(&raw), WithConcurrentPages(concurrent)) {
			require.NoError(t, err)
			var page []Job
			require.NoError(t, json.Unmarshal(raw, &page))
			assert.Equal(t, job.ID, page[n%100].ID)
			n++
		}
		assert.Equal(t, 250, n)
	}
}
