package servicetest

import (
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A reply is the response to a request, made with the state locked and written
// without it.
type reply struct {
	status int
	header http.Header
	body   []byte
	pooled *[]byte // the buffer behind body, if it returns to the pool
	sum    uint32  // of the body; 0 if not known

	// stream writes the whole response in place of status and body. It runs
	// without the lock and must use only what does not change.
	stream func(w http.ResponseWriter, r *http.Request)
}

// ok answers 200 with a value, or a record's cached encoding.
func (c *call) ok(v any) *reply { return jsonReply(http.StatusOK, v) }

// created answers 201.
func (c *call) created(v any) *reply { return jsonReply(http.StatusCreated, v) }

// accepted answers 202; nil is an empty body.
func (c *call) accepted(v any) *reply {
	if v == nil {
		return &reply{status: http.StatusAccepted}
	}
	return jsonReply(http.StatusAccepted, v)
}

// noContent answers 204.
func (c *call) noContent() *reply { return &reply{status: http.StatusNoContent} }

// file answers with content that supports ranges and conditions. The content
// must not change afterwards; etag is a quoted string, or empty.
func (c *call) file(name, contentType, etag string, modified time.Time, content io.ReaderAt, size int64) *reply {
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

// message answers {"message": text}.
func message(status int, text string) *reply {
	return jsonReply(status, object{"message": text})
}

// badRequest answers 400 with a reason.
func badRequest(reason string) *reply {
	return message(http.StatusBadRequest, withReason("400 Bad request", reason))
}

// fieldErrors answers 400 with messages by field, for records that are not
// valid: {"message": {"name": ["has already been taken"]}}.
func fieldErrors(field string, messages ...string) *reply {
	return jsonReply(http.StatusBadRequest, object{"message": object{field: messages}})
}

func unauthorized() *reply { return message(http.StatusUnauthorized, "401 Unauthorized") }

// forbidden answers 403; the reason may be empty.
func forbidden(reason string) *reply {
	return message(http.StatusForbidden, withReason("403 Forbidden", reason))
}

// notFound answers 404 and names what was not found, for example "Project". An
// unknown path has an answer of its own; see noRoute.
func notFound(what string) *reply {
	if what == "" {
		return message(http.StatusNotFound, "404 Not found")
	}
	return message(http.StatusNotFound, "404 "+what+" Not Found")
}

// conflict answers 409.
func conflict(text string) *reply { return message(http.StatusConflict, text) }

// unprocessable answers 422.
func unprocessable(text string) *reply { return message(http.StatusUnprocessableEntity, text) }

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + " - " + reason
}

// write sends the reply. JSON that was read gets an entity tag, so that a
// repeated request can be answered 304.
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
