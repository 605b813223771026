package servicetest

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A frameCall is a request with its parameters, as far as it does not depend on what
// the service is about.
type frameCall struct {
	fields // parameters: the path's, the body's and the query's

	r         *http.Request  // its body has been read
	template  string         // of the route
	path      map[string]any // only the parameters of the path
	query     url.Values     // only the parameters of the query
	body      []byte         // a JSON body as it came
	files     map[string]*upload
	uncounted bool // lists have no totals
}

// A caller is a call, or embeds one.
type caller interface{ frame() *frameCall }

// frame returns the call itself.
func (c *frameCall) frame() *frameCall { return c }

// newFrameCall reads the path and the query of a request.
func newFrameCall(r *http.Request, template string, path map[string]any) (frameCall, *reply) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return frameCall{}, badRequest("the query is not valid")
	}
	values := make(map[string]any)
	if err := nest(values, r.URL.RawQuery); err != nil {
		return frameCall{}, badRequest("the query is not valid")
	}
	return frameCall{fields: fields{values, new([]string)}, r: r, template: template, path: path, query: query}, nil
}

// pathText returns a path parameter. In contrast to str, a parameter of the
// body cannot replace it.
func (c *frameCall) pathText(name string) string {
	text, _ := c.path[name].(string)
	return text
}

// pathID returns a path parameter that is an ID; 0, which no record has, if it
// is not a number.
func (c *frameCall) pathID(name string) int64 {
	id, err := strconv.ParseInt(c.pathText(name), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// unchanged refuses a request with 412 if its If-Unmodified-Since is older than
// the last change. Handlers that change or delete a record with the time of its
// last change call it first.
func (c *frameCall) unchanged(since time.Time) *reply {
	asked, err := http.ParseTime(c.r.Header.Get("If-Unmodified-Since"))
	if err != nil || !since.Truncate(time.Second).After(asked) {
		return nil
	}
	return message(http.StatusPreconditionFailed, "412 Precondition Failed")
}
