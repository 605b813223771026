package servicetest

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

// A reply is the response to a request. It is made while the state is locked,
// and written without the lock.
type reply struct {
	status int
	header http.Header
	body   []byte
	pooled *[]byte // the buffer of body, if it must be returned to the pool
	sum    uint32  // of the body, or 0 if unknown

	// stream writes the whole response instead of status and body. It runs without
	// the lock and must only use data that does not change.
	stream func(w http.ResponseWriter, r *http.Request)
	acts   bool // stream is a test's handler, which may do more than write
}

// ok returns 200 with a value or a record's cached encoding.
func (c *frameCall) ok(v any) *reply { return jsonReply(http.StatusOK, v) }

// created returns 201.
func (c *frameCall) created(v any) *reply { return jsonReply(http.StatusCreated, v) }

// accepted returns 202. Nil means an empty body.
func (c *frameCall) accepted(v any) *reply {
	if v == nil {
		return &reply{status: http.StatusAccepted}
	}
	return jsonReply(http.StatusAccepted, v)
}

// noContent returns 204.
func (c *frameCall) noContent() *reply { return &reply{status: http.StatusNoContent} }

// file returns content that supports ranges and conditional requests. The
// content must not change afterwards. etag is a quoted string, or empty.
func (c *frameCall) file(name, contentType, etag string, modified time.Time, content io.ReaderAt, size int64) *reply {
	return &reply{stream: func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		if etag != "" {
			h.Set("Etag", etag)
		}
		http.ServeContent(w, r, name, modified, io.NewSectionReader(content, 0, size))
	}}
}

func jsonReply(status int, v any) *reply {
	if e, ok := v.(*encoded); ok {
		return &reply{status: status, header: jsonHeader(), body: e.data, sum: e.sum}
	}
	return &reply{status: status, header: jsonHeader(), body: encode(v)}
}

func jsonHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}}
}

// set adds a header to the response.
func (r *reply) set(name, value string) *reply {
	if r.header == nil {
		r.header = make(http.Header)
	}
	r.header.Set(name, value)
	return r
}

// message returns {"message": text}.
func message(status int, text string) *reply {
	return jsonReply(status, object{"message": text})
}

// badRequest returns 400 with a reason.
func badRequest(reason string) *reply {
	return message(http.StatusBadRequest, withReason("400 Bad request", reason))
}

// fieldErrors returns 400 with messages by field, for records that are not
// valid: {"message": {"name": ["has already been taken"]}}.
func fieldErrors(field string, messages ...string) *reply {
	return jsonReply(http.StatusBadRequest, object{"message": object{field: messages}})
}

func unauthorized() *reply { return message(http.StatusUnauthorized, "401 Unauthorized") }

// forbidden returns 403. The reason may be empty.
func forbidden(reason string) *reply {
	return message(http.StatusForbidden, withReason("403 Forbidden", reason))
}

// notFound returns 404 and names what was not found, for example "Project". For
// an unknown path, see noRoute.
func notFound(what string) *reply {
	if what == "" {
		return message(http.StatusNotFound, "404 Not found")
	}
	return message(http.StatusNotFound, "404 "+what+" Not Found")
}

// conflict returns 409.
func conflict(text string) *reply { return message(http.StatusConflict, text) }

// unprocessable returns 422.
func unprocessable(text string) *reply { return message(http.StatusUnprocessableEntity, text) }

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + " - " + reason
}

// write sends the reply. The JSON of a read gets an entity tag, so that a
// repeated request can get a 304.
func (r *reply) write(w http.ResponseWriter, req *http.Request) {
	if r.pooled != nil {
		defer bodies.Put(r.pooled)
	}
	if r.stream != nil {
		r.stream(w, req)
		return
	}
	h := w.Header()
	maps.Copy(h, r.header)
	if r.status == http.StatusOK && req.Method == http.MethodGet && r.body != nil {
		etag := r.etag()
		h.Set("Etag", etag)
		h.Set("Cache-Control", "max-age=0, private, must-revalidate")
		if matches(req.Header.Get("If-None-Match"), etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if r.body != nil || r.status != http.StatusNoContent && r.status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	w.WriteHeader(r.status)
	w.Write(r.body)
}

// settle carries out what a reply does besides being written, for a response that
// nobody gets.
func (r *reply) settle(req *http.Request) {
	if r.acts {
		r.stream(httptest.NewRecorder(), req)
	}
}

func (r *reply) etag() string {
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

// bodies are buffers for the bodies of long lists.
var bodies = sync.Pool{New: func() any { return new([]byte) }}
