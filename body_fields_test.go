package serviceapi

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWithBodyField(t *testing.T) {
	ctx := t.Context()
	more := []RequestOption{WithBodyField("later", map[string]any{"a": []int{1, 2}, "b": nil}),
		WithBodyField("also", true), WithBodyField("key", NewSecret("s3cret"))}
	client := onWire(t,
		exchange{Method: "POST", Path: "/things",
			JSON: `{"name":"a","later":{"a":[1,2],"b":null},"also":true,"key":"s3cret"}`, Body: `{"id":1}`},
		exchange{Method: "PUT", Path: "/runners/7",
			Form: "also=true&key=s3cret&later%5Ba%5D%5B%5D=1&later%5Ba%5D%5B%5D=2&later%5Bb%5D=&paused=true",
			Body: `{"id":7}`},
		exchange{Method: "POST", Path: "/projects/3/secure_files", Status: 201, Body: `{"id":1}`, Multipart: []string{
			"also=true", "key=s3cret", "later[a][]=1", "later[a][]=2", "later[b]=", "name=a",
			"file[a;application/octet-stream]=x"}},
	)
	var out Job
	_, err := client.Do(ctx, "POST", EscapedPath("/things"), map[string]string{"name": "a"}, &out, more...)
	require.NoError(t, err)
	_, _, err = client.Runners.Pause(ctx, 7, more...)
	require.NoError(t, err)
	_, _, err = client.SecureFiles.Create(ctx, ProjectID(3),
		CreateSecureFileOptions{Name: "a", File: Upload{Filename: "a", Content: strings.NewReader("x")}}, more...)
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
	_, _, err = client.Runners.Pause(ctx, 7, WithBodyField("a\tb", 1))
	assertRefused(t, `body field a\tb`, err)
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
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithRawJSON(&raw),
			WithConcurrentPages(concurrent)) {
			require.NoError(t, err)
			var page []Job
			require.NoError(t, json.Unmarshal(raw, &page))
			assert.Equal(t, job.ID, page[n%100].ID)
			n++
		}
		assert.Equal(t, 250, n)
	}
}

// TestBodyFieldsThatAreSetTwice checks forms, whose fields have nested names, and
// files, whose names are fields, too.
func TestBodyFieldsThatAreSetTwice(t *testing.T) {
	var sent []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.NoError(t, r.ParseMultipartForm(1<<20))
		sent = slices.Sorted(maps.Keys(r.MultipartForm.Value))
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"id":1}`)
	})
	options := ImportFromFileOptions{
		Path: "app", OverrideParams: ProjectOverrides{"visibility": "private"},
		File: Upload{Filename: "a", Content: strings.NewReader("x")},
	}
	do := func(opts ...RequestOption) error {
		_, _, err := client.ProjectImport.FromFile(t.Context(), options, opts...)
		return err
	}
	for _, tc := range []struct {
		refused string
		fields  []RequestOption
	}{
		{"file", []RequestOption{WithBodyField("file", "x")}},
		{"file", []RequestOption{WithBodyField("file", map[string]int{"name": 1})}},
		{"file[name]", []RequestOption{WithBodyField("file[name]", "x")}},
		{"path", []RequestOption{WithBodyField("path", "x")}},
		{"path[]", []RequestOption{WithBodyField("path[]", "x")}},
		{"override_params", []RequestOption{WithBodyField("override_params", "x")}},
		{"override_params",
			[]RequestOption{WithBodyField("override_params", map[string]string{"visibility": "public"})}},
		{"override_params[visibility]", []RequestOption{WithBodyField("override_params[visibility]", "public")}},
		{"override_params[visibility][x]", []RequestOption{WithBodyField("override_params[visibility][x]", "public")}},
		{"later", []RequestOption{WithBodyField("later", 1), WithBodyField("later", 2)}},
		{"later[a]", []RequestOption{WithBodyField("later", map[string]int{"a": 1}), WithBodyField("later[a]", 2)}},
	} {
		assertRefused(t, "body field "+tc.refused, do(tc.fields...))
		assert.Nil(t, sent)
	}
	require.NoError(t,
		do(WithBodyField("override_params", map[string]bool{"newer": true}),
			WithBodyField("override_params[newest]", 1),
			WithBodyField("files", "x"), WithBodyField("later[a]", 1), WithBodyField("later[b]", 2)))
	assert.Equal(t,
		[]string{"files", "later[a]", "later[b]", "override_params[newer]", "override_params[newest]",
			"override_params[visibility]", "path"}, sent)
}

// TestNamesOfBodyFields checks names that a body cannot have, and names that are
// written in another way.
func TestNamesOfBodyFields(t *testing.T) {
	var body []byte
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { body, _ = io.ReadAll(r.Body) })
	do := func(in any, opts ...RequestOption) error {
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), in, nil, opts...)
		return err
	}
	for _, name := range []string{"a\x00b", "a\nb", "\x7f", "\xff", "", "sudo", "Private_Token"} {
		var refused *ArgumentError
		require.ErrorAs(t, do(map[string]int{"a": 1}, WithBodyField(name, 1)), &refused, "%q", name)
		assert.Contains(t, refused.Argument, "body field ")
	}
	assert.Nil(t, body)
	in := json.RawMessage(`{"n\u0061me":1,"nested":{"other":[{"deep":1}]}}`)
	assertRefused(t, "body field name", do(in, WithBodyField("name", 2)))
	assertRefused(t, "body field x", do(in, WithBodyField("x", 2), WithBodyField("x", 3)))
	require.NoError(t, do(in, WithBodyField("other", 2), WithBodyField(`de"ep`, nil)))
	assert.JSONEq(t, `{"name":1,"nested":{"other":[{"deep":1}]},"other":2,"de\"ep":null}`, string(body))
	require.NoError(t, do(struct{}{}, WithBodyField("a", 1)))
	assert.Equal(t, `{"a":1}`, string(body))
	assertRefused(t, "body field a", do("text", WithBodyField("a", 1)))
	assertRefused(t, "body field a", do(json.RawMessage("null"), WithBodyField("a", 1)))
}
