package serviceapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/text"
)

// TestBadResponses checks that every response that is not the expected object is
// a typed error.
func TestBadResponses(t *testing.T) {
	for name, tc := range map[string]struct {
		body, kind string
		want       error
	}{
		"cut":              {`{"id":8,"name":"x`, "application/json", nil},
		"empty":            {``, "application/json", errEmptyBody},
		"white space":      {" \r\n\t", "application/json", errEmptyBody},
		"html":             {"<!DOCTYPE html><html><body>Sign in</body></html>", "text/html", errNotJSON},
		"text":             {"hello", "text/plain", nil},
		"null":             {`null`, "application/json", errNull},
		"empty object":     {" { } ", "application/json", errEmptyObject},
		"list":             {`[{"id":8}]`, "application/json", nil},
		"number":           {`8`, "application/json", nil},
		"text in json":     {`"8"`, "application/json", nil},
		"two values":       {`{"id":8}{"id":9}`, "application/json", nil},
		"text behind":      {`{"id":8} x`, "application/json", nil},
		"duplicate member": {`{"id":8,"id":9}`, "application/json", nil},
		"deep":             {strings.Repeat(`{"commit":`, 20_000), "application/json", nil},
		"deep unknown": {`{"id":8,"x":` + strings.Repeat(`[`, 200_000) + strings.Repeat(`]`, 200_000) + `}`,
			"application/json", nil},
		"control": {"{\"id\":8,\"name\":\"\x01\"}", "application/json", nil},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tc.kind)
				io.WriteString(w, tc.body)
			})
			job, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
			var decode *DecodeError
			require.ErrorAs(t, err, &decode)
			assert.Nil(t, job)
			assert.Equal(t, 200, decode.StatusCode)
			assert.Equal(t, 200, resp.StatusCode)
			assert.Equal(t, tc.kind, decode.ContentType)
			assert.Equal(t, "/projects/:id/jobs/:job_id", decode.Operation)
			assert.LessOrEqual(t, len(decode.Excerpt), maxExcerpt)
			assert.Less(t, len(err.Error()), 2000)
			if tc.want != nil {
				assert.ErrorIs(t, err, tc.want)
			}
		})
	}
}

func TestBadLists(t *testing.T) {
	for _, body := range []string{``, `null`, `{}`, `{"id":1}`, `[{"id":1}`, `[{"id":1},`, `"x"`, `[[]]`, `<html>`,
		`[null,{"id":2}]`, `[1,{"id":2}]`} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) })
		jobs, _, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, body)
		for _, job := range jobs {
			require.NotNil(t, job, body)
		}
		if strings.HasSuffix(body, `{"id":2}]`) {
			assert.True(t, decode.Partial, body)
			assert.EqualValues(t, 2, jobs[len(jobs)-1].ID, body)
		}
	}
}

func TestGoodOddResponses(t *testing.T) {
	for name, body := range map[string]string{
		"unknown members":   `{"id":8,"unheard_of":{"a":[1,2]},"name":"x"}`,
		"white space":       " \n{\"id\": 8, \"name\":\"x\"}\n ",
		"other status word": `{"id":8,"name":"x","status":"dancing"}`,
		"bad utf-8":         "{\"id\":8,\"name\":\"x\",\"ref\":\"a\xffb\"}",
	} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) })
		job, err := getJob(t.Context(), client)
		require.NoError(t, err, name)
		assert.Equal(t, "x", job.Name, name)
		if name == "bad utf-8" {
			assert.Equal(t, "a\uFFFDb", job.Ref)
		}
	}
}

func TestWrongKindCostsOneField(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"id":8,"name":5,"tag":"x","runner":{"id":"y","description":"kept"},`+
			`"created_at":"2026-03-31","stage":"test","artifacts":[{"size":"big","filename":"f"},{"size":2}]}`)
	})
	job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.True(t, decode.Partial)
	assert.Equal(t, "/name", decode.Pointer)
	require.NotNil(t, job)
	assert.EqualValues(t, 8, job.ID)
	assert.Equal(t, "test", job.Stage)
	assert.Equal(t, "kept", job.Runner.Description)
	assert.Equal(t, []*JobArtifact{{Filename: "f"}, {Size: 2}}, job.Artifacts)
}

// TestBrokenBodiesOfReadsAreReadAgain checks that a body that breaks off is a
// failed attempt like any other.
func TestBrokenBodiesOfReadsAreReadAgain(t *testing.T) {
	hits := 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if hits++; hits < 3 {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"id":8`)
			return
		}
		io.WriteString(w, `{"id":8}`)
	})
	job, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	assert.EqualValues(t, 8, job.ID)
	assert.Equal(t, 3, resp.Attempts)
	hits = 0
	_, _, err = client.Jobs.Cancel(t.Context(), ProjectID(1), 8, CancelJobOptions{})
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, 1, hits, "a write is not")
}

// heapGrowth runs f and returns how much the heap grew at most.
func heapGrowth(t testing.TB, f func()) uint64 {
	t.Helper()
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	done, stopped := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
			select {
			case <-done:
				stopped <- peak
				return
			default:
				runtime.Gosched()
			}
		}
	}()
	f()
	close(done)
	peak := <-stopped
	if peak < before.HeapAlloc {
		return 0
	}
	return peak - before.HeapAlloc
}

// TestHugeResponsesAreBounded reads a gigabyte of JSON, and a small body that
// decompresses to a gigabyte.
func TestHugeResponsesAreBounded(t *testing.T) {
	piece := bytes.Repeat([]byte(" "), 1<<20)
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	for range 16 {
		zip.Write(piece)
	}
	zip.Close()
	for name, handler := range map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for range 1024 {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
		"bomb": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		},
		"claims much": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "999999999999")
			io.WriteString(w, `{"id":8}`)
		},
		"endless error": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(404)
			for range 1024 {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, handler, WithMaxResponseSize(4<<20), WithRetry(RetryPolicy{MaxAttempts: 1}))
			grown := heapGrowth(t, func() {
				_, err := getJob(t.Context(), client)
				require.Error(t, err)
				var decode *DecodeError
				switch name {
				case "endless error":
					assert.ErrorIs(t, err, ErrNotFound)
				case "endless", "bomb":
					require.ErrorAs(t, err, &decode)
					assert.Contains(t, decode.Error(), "longer than 4194304 bytes")
				}
			})
			assert.Less(t, grown, uint64(40<<20))
		})
	}
}

func TestContentEncodings(t *testing.T) {
	encoding, body := "", ""
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		io.WriteString(w, body)
	})
	encoding, body = "br", `{"id":8}`
	_, err := getJob(t.Context(), client)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	_, _, err = client.Jobs.Trace(t.Context(), ProjectID(1), 8)
	require.ErrorAs(t, err, &decode)
	encoding = "identity"
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, `{"id":8}`)
	z.Close()
	encoding, body = "gzip", zipped.String()
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	_, _, err = client.Jobs.Trace(t.Context(), ProjectID(1), 8)
	require.ErrorAs(t, err, &decode, "a stream is asked for as it is stored")
}

// TestErrorShapes reads every form of error of the service, or of a proxy
// before it.
func TestErrorShapes(t *testing.T) {
	for name, tc := range map[string]struct {
		body, kind, message string
		fields              map[string][]string
	}{
		"message": {`{"message":"404 Project Not Found"}`, "application/json", "404 Project Not Found", nil},
		"list":    {`{"message":["a is bad","b is bad"]}`, "application/json", "a is bad; b is bad", nil},
		"fields": {`{"message":{"name":["is taken","is short"],"path":["is odd"]}}`, "application/json",
			"name is taken; name is short; path is odd", map[string][]string{"name": {"is taken", "is short"},
				"path": {"is odd"}}},
		"field text": {`{"message":{"name":"is taken"}}`, "application/json", "name is taken",
			map[string][]string{"name": {"is taken"}}},
		"nested": {`{"message":{"a":{"b":["c"]},"base":["whole"]}}`, "application/json", "a.b c; whole",
			map[string][]string{"a.b": {"c"}, "base": {"whole"}}},
		"number": {`{"message":42}`, "application/json", "42", nil},
		"error":  {`{"error":"name is missing"}`, "application/json", "name is missing", nil},
		"error object": {`{"error":{"message":"deep"}}`, "application/json", "deep",
			map[string][]string{"message": {"deep"}}},
		"errors":   {`{"errors":["x","y"]}`, "application/json", "x; y", nil},
		"top list": {`["x","y"]`, "application/json", "x; y", nil},
		"top text": {`"x"`, "application/json", "x", nil},
		"text":     {"Retry later\n", "text/plain", "Retry later", nil},
		"html": {"<html><head><title>Bad &amp; Gateway</title></head><body>…</body></html>", "text/html",
			"Bad & Gateway", nil},
		"html body": {"<html><style>x{}</style><h1>Too much</h1>\n<p>traffic</p></html>", "text/html",
			"Too much traffic", nil},
		"empty":        {"", "application/json", "I'm a teapot", nil},
		"null":         {"null", "application/json", "I'm a teapot", nil},
		"empty object": {"{}", "application/json", "I'm a teapot", nil},
		"unknown":      {`{"code":7}`, "application/json", `{"code":7}`, nil},
		"broken":       {`{"message":"x`, "application/json", `{"message":"x`, nil},
		"bad utf-8":    {"a\xffb", "text/plain", "a\uFFFDb", nil},
		"deep": {`{"message":` + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5001),
			"application/json", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tc.kind)
				w.Header().Set(header.RequestID, "r-1")
				w.WriteHeader(http.StatusTeapot)
				io.WriteString(w, tc.body)
			})
			_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 418, e.StatusCode)
			assert.Equal(t, 418, resp.StatusCode)
			assert.Equal(t, "r-1", e.RequestID)
			assert.Equal(t, tc.body, string(e.Body))
			assert.NotEmpty(t, e.Message)
			if name != "deep" {
				assert.Equal(t, tc.message, e.Message)
			}
			assert.Equal(t, tc.fields, e.Fields)
		})
	}
}

func TestErrorMembersAndTypes(t *testing.T) {
	code, body := 403, `{"error":"insufficient_scope","error_description":"needs more","scope":"sudo"}`
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Extra", "e")
		w.WriteHeader(code)
		io.WriteString(w, body)
	}, WithRetry(RetryPolicy{MaxAttempts: 1}))
	_, err := getJob(t.Context(), client)
	var scope *InsufficientScopeError
	require.ErrorAs(t, err, &scope)
	assert.Equal(t, "sudo", scope.Scope)
	assert.ErrorIs(t, err, ErrForbidden)
	assert.Equal(t, "needs more", scope.Err.Description)
	assert.Equal(t, "e", scope.Err.Header("x-extra"))
	code, body = 409, `{"message":"no","error_code":"conflict"}`
	_, err = getJob(t.Context(), client)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, ErrorCodeConflict, e.Code)
	for status, sentinel := range map[int]error{
		304: ErrNotModified, 400: ErrBadRequest, 401: ErrUnauthorized, 403: ErrForbidden, 404: ErrNotFound,
		405: ErrMethodNotAllowed,
		406: ErrNotAcceptable, 409: ErrConflict, 412: ErrPreconditionFailed, 422: ErrUnprocessable, 429: ErrRateLimited,
		500: ErrServer, 503: ErrServer, 599: ErrServer,
	} {
		code, body = status, ""
		_, err := getJob(t.Context(), client)
		assert.ErrorIs(t, err, sentinel)
		for _, other := range []error{ErrNotModified, ErrBadRequest, ErrNotFound, ErrServer} {
			if other != sentinel {
				assert.NotErrorIs(t, err, other)
			}
		}
	}
}

func TestErrorStringsAreSafeToPrint(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(400)
		json.NewEncoder(w).Encode(map[string]string{"message": "a\x1b[31mred\r\nforged line \u202e" +
			strings.Repeat("x", 5000)})
	})
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	assert.False(t, text.HasControl(err.Error()))
	assert.NotContains(t, err.Error(), "\u202e")
	assert.Contains(t, err.Error(), `a\x1b[31mred\r\nforged line \u202e`)
	assert.Less(t, len(err.Error()), 1300)
}

// TestSuccessWithoutABodyNobodyNeeds checks that an unreadable body that is no web page is
// ignored if no body is expected.
func TestSuccessWithoutABodyNobodyNeeds(t *testing.T) {
	for _, body := range []string{"", "<br", "null", `{"cut`} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) })
		resp, err := client.JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
	}
}

// TestNotHTTP talks to a server that does not speak HTTP at all.
func TestNotHTTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 mail.example.com ESMTP\r\n")
			conn.Close()
		}
	}()
	client := clientOf(t, "http://"+listener.Addr().String(), WithRetry(RetryPolicy{MaxAttempts: 2}))
	_, err = getJob(t.Context(), client)
	var te *TransportError
	require.ErrorAs(t, err, &te)
}

func FuzzErrorBody(f *testing.F) {
	for _, seed := range []string{`{"message":{"a":["b"]}}`, `{"error":"x"}`, `<title>x`, `[`, `"\ud800"`,
		`{"message":{"a":{"a":{}}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a := responseTo(t, "", nil)
		a.resp.StatusCode, a.resp.Header = 400, http.Header{"Content-Type": {"application/json"}}
		err := a.text.Read(buffers.NewPool(), bytes.NewReader(body), -1, maxErrorBody)
		require.True(t, err == nil || err == buffers.ErrLong, err)
		e := a.statusError()
		if e.Message == "" {
			t.Fatal("the message was lost")
		}
		if text.HasControl(e.Error()) {
			t.Fatalf("%q", e.Error())
		}
	})
}

func FuzzRoute(f *testing.F) {
	for _, seed := range []string{"a/b", "..", "a%2e", "\\..\\", "x\x00", "ü?#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		e := Route("/projects/:id/artifacts/*path", ProjectPath(arg), arg)
		if e.err != nil {
			return
		}
		for segment := range strings.SplitSeq(e.path, "/") {
			if plain, _ := url.PathUnescape(segment); plain == "." || plain == ".." {
				t.Fatalf("%q got through as %q", arg, e.path)
			}
		}
		if strings.ContainsAny(e.path, "?# \x00\r\n") {
			t.Fatalf("%q got through as %q", arg, e.path)
		}
	})
}

// A caller may decode what is no JSON.
func TestDecodersReportWhatIsNoJSON(t *testing.T) {
	for _, target := range []json.Unmarshaler{
		new(InstancePagesDomain), new(UserMembership), new(GraphQLPath),
	} {
		require.Error(t, target.UnmarshalJSON([]byte("{")), "%T", target)
	}
}

// TestLongBodyThatIsWrong checks a body that is kept in pieces: what is wrong in it is an error,
// as in a short one.
func TestLongBodyThatIsWrong(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for body, partial := range map[string]bool{
		`{"name":"` + long + `","id":"seven","ref":"main"}`: true, `{"id":7,"ref":"main","name":"` + long: false,
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, err := getJob(t.Context(), client)
		var wrong *DecodeError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, partial, wrong.Partial)
		if partial {
			assert.Equal(t, "/id", wrong.Pointer)
			assert.Equal(t, "main", job.Ref)
		}
	}
}

// TestOneBlankSetting checks settings of which all but one have a value: what is written back
// has no other value for it than was read.
func TestOneBlankSetting(t *testing.T) {
	all := map[string]json.RawMessage{}
	for name, place := range settingMembers() {
		typ := reflect.TypeFor[ApplicationSettings]().Field(place).Type
		for _, sample := range []string{"1", "true", `"x"`, `["x"]`, `[1]`, `[{"a":1}]`, `{"a":1}`, `{"a":true}`,
			`"2026-03-31T10:20:30Z"`} {
			if unmarshal([]byte(sample), reflect.New(typ).Interface()) == nil {
				all[name] = json.RawMessage(sample)
			}
		}
	}
	for _, name := range []string{"home_page_url", "max_artifacts_size", "signup_enabled", "domain_denylist"} {
		require.Contains(t, all, name)
		for _, value := range []json.RawMessage{nil, json.RawMessage("null")} {
			changed := maps.Clone(all)
			if changed[name] = value; value == nil {
				delete(changed, name)
			}
			body, err := json.Marshal(changed)
			require.NoError(t, err)
			var settings ApplicationSettings
			require.NoError(t, json.Unmarshal(body, &settings))
			noted := 1
			if name == "domain_denylist" && value != nil {
				noted = 0 // nil says it
			}
			require.Equal(t, noted, len(settings.blanks.leftOut)+len(settings.blanks.null))
			body, err = json.Marshal(settings)
			require.NoError(t, err)
			var written map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(body, &written))
			assert.Equal(t, value, written[name], name)
			assert.Len(t, written, len(changed))
		}
	}
}
