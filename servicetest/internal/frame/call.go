// Package frame receives requests for a service and writes its responses: routes,
// parameters, bodies, replies, pages, filters, faults, and the record of requests. It
// depends on no area of the service, and only on the standard library.
//
// The service finds the route of a request with Routes, makes a Call with NewCall and
// DecodeBody, and gets a Reply from the route's handler. Faults.Serve writes the reply,
// and the Recorder keeps it. The service embeds Call in its own type, which adds more,
// such as the caller.
package frame

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Call is a request with its parameters. Nothing in it depends on the areas of the
// service.
type Call struct {
	Fields // parameters of the path, the body and the query

	Request   *http.Request  // the body has been read
	Path      map[string]any // only the parameters of the path
	Query     url.Values     // only the parameters of the query
	Body      []byte         // a JSON body as it was sent
	Files     map[string]*Upload
	Uncounted bool // lists have no totals

	Touch func(record any) // called with each record that a collection makes, changes or removes
}

// A Caller is a call, or embeds one.
type Caller interface{ Frame() *Call }

// Frame returns the call itself.
func (c *Call) Frame() *Call { return c }

// NewCall reads the path and the query of a request.
func NewCall(r *http.Request, path map[string]any) (Call, *Reply) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return Call{}, BadRequest("the query is not valid")
	}
	values := make(map[string]any)
	if err := nest(values, r.URL.RawQuery); err != nil {
		return Call{}, BadRequest("the query is not valid")
	}
	return Call{
		Fields: Fields{Values: values, Problems: new([]string)}, Request: r, Path: path, Query: query,
		Touch: func(any) {},
	}, nil
}

// PathString returns a path parameter. Unlike with String, a parameter of the body
// cannot replace it.
func (c *Call) PathString(name string) string {
	text, _ := c.Path[name].(string)
	return text
}

// PathInt64 returns a path parameter that is an ID. If it is not a number, PathInt64
// returns 0, which no record has.
func (c *Call) PathInt64(name string) int64 {
	id, err := strconv.ParseInt(c.PathString(name), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// Unchanged refuses a request with 412 if its If-Unmodified-Since is older than the
// last change. Handlers that change or delete a record call it first, with the time of
// the record's last change.
func (c *Call) Unchanged(since time.Time) *Reply {
	asked, err := http.ParseTime(c.Request.Header.Get("If-Unmodified-Since"))
	if err != nil || !since.Truncate(time.Second).After(asked) {
		return nil
	}
	return Message(http.StatusPreconditionFailed, "412 Precondition Failed")
}
