package serviceapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
)

// TestDoSendsFiles checks a file as the body, and a form with files, over a
// socket. The first attempt is refused before it was executed, and the file is
// sent again from where it began.
func TestDoSendsFiles(t *testing.T) {
	attempts := 0
	var length int64
	var kind, sent string
	var form map[string][]string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		attempts++
		length, kind = r.ContentLength, r.Header.Get("Content-Type")
		if strings.HasPrefix(kind, "multipart/") {
			if !assert.NoError(t, r.ParseMultipartForm(1<<20)) {
				return
			}
			form = r.MultipartForm.Value
			sent = ""
			for _, name := range []string{"a", "b"} {
				f, header, err := r.FormFile(name)
				if !assert.NoError(t, err) {
					return
				}
				data, _ := io.ReadAll(f)
				sent += header.Filename + "=" + string(data) + ";"
			}
		} else {
			data, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			sent = string(data)
		}
		if attempts == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, `{"message":"201 Created"}`)
	}))
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	pkg := serviceapi.Route("/projects/:id/packages/generic/:name", serviceapi.ProjectID(7), "tool.tar.gz")

	content := strings.NewReader("skipped, content")
	_, _ = content.Seek(9, io.SeekStart)
	var reply struct{ Message string }
	resp, err := client.Do(t.Context(), http.MethodPut, pkg,
		serviceapi.Upload{Content: content, ContentType: "application/gzip"}, &reply)
	require.NoError(t, err)
	assert.Equal(t, []any{"201 Created", 2, " content"[1:], "application/gzip", int64(7)},
		[]any{reply.Message, resp.Attempts, sent, kind, length})

	attempts = 0
	body := serviceapi.Multipart{
		Fields: map[string]any{"name": "x", "list": []int{1, 2}, "token": serviceapi.NewSecret("s3cret")},
		Files: map[string]serviceapi.Upload{
			"b": {Filename: "b.txt", Content: strings.NewReader("second")},
			"a": {Filename: `a"1.txt`, Content: bytes.NewReader([]byte("first"))},
		},
	}
	var last serviceapi.Progress
	_, err = client.Do(t.Context(), http.MethodPost, pkg, &body, nil,
		serviceapi.WithBodyField("more", true), serviceapi.WithProgress(func(p serviceapi.Progress) { last = p }))
	require.NoError(t, err)
	assert.Equal(t, 2, attempts)
	assert.Equal(t, `a"1.txt=first;b.txt=second;`, sent)
	assert.Equal(t, map[string][]string{"name": {"x"}, "list[]": {"1", "2"}, "token": {"s3cret"}, "more": {"true"}},
		form)
	assert.Equal(t, serviceapi.Progress{Done: 11, Total: 11}, last)

	attempts = 0 // a reader that cannot be sent again
	_, err = client.Do(t.Context(), http.MethodPut, pkg,
		&serviceapi.Upload{Content: io.MultiReader(strings.NewReader("once"))}, nil)
	assert.ErrorIs(t, err, serviceapi.ErrRateLimited)
	assert.Equal(t, 1, attempts)
}

// TestDoRefusesBodiesThatAreNoJSON checks that the error says what to do.
func TestDoRefusesBodiesThatAreNoJSON(t *testing.T) {
	client := echo(t, func(string) string { t.Error("something was sent"); return "" })
	type blob []byte
	for _, tc := range []struct {
		body any
		want string
	}{
		{[]byte(`{}`), "json.RawMessage"}, {blob("x"), "json.RawMessage"}, {strings.NewReader("x"), "Upload"},
		{new(bytes.Buffer), "Upload"},
		{(*serviceapi.Upload)(nil), "nil"}, {(*serviceapi.Multipart)(nil), "nil"}, {serviceapi.Upload{}, "content"},
		{serviceapi.Multipart{Fields: map[string]int{"a": 1}}, "no files"},
		{serviceapi.Multipart{Files: map[string]serviceapi.Upload{"": {Filename: "a",
			Content: strings.NewReader("x")}}}, "field"},
		{serviceapi.Multipart{Fields: make(chan int),
			Files: map[string]serviceapi.Upload{"f": {Filename: "a", Content: strings.NewReader("x")}}}, "form"},
	} {
		_, err := client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), tc.body, nil)
		var argument *serviceapi.ArgumentError
		require.ErrorAs(t, err, &argument, "%T", tc.body)
		assert.ErrorContains(t, err, tc.want, "%T", tc.body)
	}
	_, err := client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"),
		serviceapi.Upload{Content: strings.NewReader("x")}, nil, serviceapi.WithBodyField("a", 1))
	assert.ErrorContains(t, err, "the body is a file")
	client = echo(t, func(string) string { return "{}" })
	_, err = client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), json.RawMessage(`{"a":1}`), nil)
	assert.NoError(t, err)
}
