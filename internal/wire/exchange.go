package wire

import (
	"cmp"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/h2non/gock.v1"
)

// Host is the instance of the tests, and Token the credential that it expects.
const (
	Host  = "https://service.test"
	Token = "wire-token"
)

// Exchange is a request that a test expects, and the response to it. Everything
// about the request is compared exactly: a header, parameter or body that is
// not named here fails the test.
type Exchange struct {
	Method string
	// Path is escaped and relative to /api/v4, or to the host with Root.
	Path string
	Root bool
	// Query is the encoded query, sorted by name; "" means none.
	Query string
	// JSON and Form are the body; if both are empty, there is none. JSON is
	// compared by value. ContentType is the type of a JSON body; the default is
	// application/json.
	JSON, Form, ContentType string
	// Multipart is the body as "name=value" and, for files,
	// "name[filename;type]=content", in order.
	Multipart []string
	// File is a body that is a file as it is, application/octet-stream.
	File string
	// Header has the headers in addition to those that every request has.
	Header map[string]string

	// Status 0 means 200. Fixture names a file under testdata; Body is the body
	// itself.
	Status         int
	Fixture, Body  string
	ResponseHeader map[string]string
}

// Expect returns an HTTP client that expects exactly these exchanges, in order. It cannot be
// used in parallel tests: gock's registry is global.
func Expect(t *testing.T, exchanges ...Exchange) *http.Client {
	t.Helper()
	t.Cleanup(gock.OffAll)
	for i, x := range exchanges {
		mock := gock.New(Host)
		mock.AddMatcher(func(req *http.Request, _ *gock.Request) (bool, error) {
			x.compare(t, fmt.Sprintf("request %d", i+1), req)
			return true, nil
		})
		x.reply(t, mock)
	}
	t.Cleanup(func() {
		assert.Empty(t, gock.Pending(), "requests that were not made")
		assert.False(t, gock.HasUnmatchedRequest(), "more requests were made than expected")
	})
	return &http.Client{Transport: gock.NewTransport()}
}

func (x Exchange) compare(t *testing.T, name string, req *http.Request) {
	t.Helper()
	path := "/api/v4" + x.Path
	if x.Root {
		path = x.Path
	}
	assert.Equal(t, x.Method, req.Method, "%s: method", name)
	assert.Equal(t, path, req.URL.EscapedPath(), "%s: path", name)
	assert.Equal(t, x.Query, req.URL.RawQuery, "%s: query", name)
	x.compareBody(t, name, req)
	for key, value := range x.Header {
		assert.Equal(t, value, req.Header.Get(key), "%s: header %s", name, key)
	}
	for key := range req.Header {
		switch key {
		case "Accept", "Accept-Encoding", "User-Agent", "Private-Token", "Content-Type", "Expect":
			continue
		}
		assert.Contains(t, x.Header, key, "%s: an unexpected header", name)
	}
	if _, other := x.Header["Authorization"]; !other && x.Header["Job-Token"] == "" {
		assert.Equal(t, Token, req.Header.Get("Private-Token"), "%s: credential", name)
	}
}

func (x Exchange) compareBody(t *testing.T, name string, req *http.Request) {
	t.Helper()
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		assert.NoError(t, err, name)
	}
	switch {
	case x.JSON != "":
		assert.Equal(t, cmp.Or(x.ContentType, "application/json"), req.Header.Get("Content-Type"), "%s: content type",
			name)
		assert.JSONEq(t, x.JSON, string(body), "%s: body", name)
	case x.Form != "":
		assert.Equal(t, "application/x-www-form-urlencoded", req.Header.Get("Content-Type"), "%s: content type", name)
		assert.Equal(t, x.Form, string(body), "%s: body", name)
	case x.File != "":
		assert.Equal(t, "application/octet-stream", req.Header.Get("Content-Type"), "%s: content type", name)
		assert.Equal(t, x.File, string(body), "%s: body", name)
	case x.Multipart != nil:
		assert.Equal(t, x.Multipart, readMultipart(t, req.Header.Get("Content-Type"), string(body)), "%s: body", name)
	default:
		assert.Empty(t, string(body), "%s: body", name)
		assert.Empty(t, req.Header.Get("Content-Type"), "%s: content type", name)
	}
}

func readMultipart(t *testing.T, contentType, body string) []string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	require.NoError(t, err)
	require.Equal(t, "multipart/form-data", kind)
	var parts []string
	for r := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
		part, err := r.NextPart()
		if err == io.EOF {
			return parts
		}
		require.NoError(t, err)
		content, err := io.ReadAll(part)
		require.NoError(t, err)
		text := part.FormName()
		if part.FileName() != "" {
			text += "[" + part.FileName() + ";" + part.Header.Get("Content-Type") + "]"
		}
		parts = append(parts, text+"="+string(content))
	}
}

func (x Exchange) reply(t *testing.T, mock *gock.Request) {
	t.Helper()
	status := x.Status
	if status == 0 {
		status = http.StatusOK
	}
	reply := mock.Reply(status)
	body := x.Body
	if x.Fixture != "" {
		body = Fixture(t, x.Fixture)
		reply.SetHeader("Content-Type", "application/json")
	}
	if body != "" {
		reply.BodyString(body)
	}
	for key, value := range x.ResponseHeader {
		reply.SetHeader(key, value)
	}
}

// Fixture reads a file below testdata of the module.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), "testdata", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(data)
}

// root returns the folder of the module.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		require.NotEqual(t, filepath.Dir(dir), dir, "no module")
		dir = filepath.Dir(dir)
	}
}

// At reads a time.
func At(t testing.TB, text string) *time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return &v
}
