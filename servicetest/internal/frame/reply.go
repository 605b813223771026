package frame

import (
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Reply is the response to a request. Handlers make it while the state is locked. It
// is written without the lock.
type Reply struct {
	Status int
	Header http.Header
	body   []byte
	pooled *[]byte // the buffer of body, if it goes back to the pool
	sum    uint32  // of the body, or 0 if unknown

	// Stream writes the whole response instead of status and body. It runs without
	// the lock and must only use data that does not change.
	Stream func(w http.ResponseWriter, r *http.Request)
	Acts   bool // Stream is a test's handler, which may have effects
}

// OK returns 200 with a value or a record's cached encoding.
func (c *Call) OK(v any) *Reply { return JSONReply(http.StatusOK, v) }

// Created returns 201.
func (c *Call) Created(v any) *Reply { return JSONReply(http.StatusCreated, v) }

// Accepted returns 202. Nil means an empty body.
func (c *Call) Accepted(v any) *Reply {
	if v == nil {
		return &Reply{Status: http.StatusAccepted}
	}
	return JSONReply(http.StatusAccepted, v)
}

// NoContent returns 204.
func (c *Call) NoContent() *Reply { return &Reply{Status: http.StatusNoContent} }

// File returns content that supports ranges and conditional requests. The content must
// not change afterwards. etag is a quoted string or empty.
func (c *Call) File(name, contentType, etag string, modified time.Time, content io.ReaderAt, size int64) *Reply {
	return &Reply{Stream: func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		if etag != "" {
			h.Set("Etag", etag)
		}
		http.ServeContent(w, r, name, modified, io.NewSectionReader(content, 0, size))
	}}
}

// JSONReply returns a value or a record's cached encoding.
func JSONReply(status int, v any) *Reply {
	if e, ok := v.(*Encoded); ok {
		return &Reply{Status: status, Header: jsonHeader(), body: e.Data, sum: e.sum}
	}
	return &Reply{Status: status, Header: jsonHeader(), body: Encode(v)}
}

func jsonHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}}
}

// Set adds a header to the response.
func (r *Reply) Set(name, value string) *Reply {
	if r.Header == nil {
		r.Header = make(http.Header)
	}
	r.Header.Set(name, value)
	return r
}

// Message returns {"message": text}.
func Message(status int, text string) *Reply {
	return JSONReply(status, Object{"message": text})
}

// BadRequest returns 400 with a reason.
func BadRequest(reason string) *Reply {
	return Message(http.StatusBadRequest, withReason("400 Bad request", reason))
}

// FieldErrors returns 400 with messages by field, for records that are not
// valid: {"message": {"name": ["has already been taken"]}}.
func FieldErrors(field string, messages ...string) *Reply {
	return JSONReply(http.StatusBadRequest, Object{"message": Object{field: messages}})
}

// Sentence joins the name of a field and a problem, for refusals in one sentence: Name has
// already been taken.
func Sentence(field, problem string) string {
	return strings.ToUpper(field[:1]) + strings.ReplaceAll(field[1:], "_", " ") + " " + problem
}

// Unauthorized returns 401.
func Unauthorized() *Reply { return Message(http.StatusUnauthorized, "401 Unauthorized") }

// Forbidden returns 403. The reason may be empty.
func Forbidden(reason string) *Reply {
	return Message(http.StatusForbidden, withReason("403 Forbidden", reason))
}

// NotFound returns 404 and names the missing object, for example "Project". For an
// unknown path, see Match.NoRoute.
func NotFound(what string) *Reply {
	if what == "" {
		return Message(http.StatusNotFound, "404 Not found")
	}
	return Message(http.StatusNotFound, "404 "+what+" Not Found")
}

// NotFoundUnnamed returns 404 in the words of the areas that name nothing.
func NotFoundUnnamed() *Reply { return Message(http.StatusNotFound, "404 Not Found") }

// Conflict returns 409.
func Conflict(text string) *Reply { return Message(http.StatusConflict, text) }

// Unprocessable returns 422.
func Unprocessable(text string) *Reply { return Message(http.StatusUnprocessableEntity, text) }

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + " - " + reason
}

// Write sends the reply. The JSON of a read gets an entity tag, so that a
// repeated request can get a 304.
func (r *Reply) Write(w http.ResponseWriter, req *http.Request) {
	if r.pooled != nil {
		defer bodies.Put(r.pooled)
	}
	if r.Stream != nil {
		r.Stream(w, req)
		return
	}
	h := w.Header()
	maps.Copy(h, r.Header)
	if r.Status == http.StatusOK && req.Method == http.MethodGet && r.body != nil {
		etag := r.etag()
		h.Set("Etag", etag)
		h.Set("Cache-Control", "max-age=0, private, must-revalidate")
		if matches(req.Header.Get("If-None-Match"), etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if r.body != nil || r.Status != http.StatusNoContent && r.Status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	w.WriteHeader(r.Status)
	w.Write(r.body)
}

// settle has the effects of a reply, apart from writing it, for a response that nobody
// gets.
func (r *Reply) settle(req *http.Request) {
	if r.Acts {
		r.Stream(httptest.NewRecorder(), req)
	}
}

func (r *Reply) etag() string {
	sum := r.sum
	if sum == 0 {
		sum = crc32.ChecksumIEEE(r.body)
	}
	return fmt.Sprintf(`W/"%08x%x"`, sum, len(r.body))
}

func matches(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		if c := strings.TrimSpace(candidate); c == etag || c == "*" {
			return true
		}
	}
	return false
}

// bodies holds buffers for the bodies of long lists.
var bodies = sync.Pool{New: func() any { return new([]byte) }}
