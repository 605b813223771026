package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest"
)

// maxShown is how much of a body is shown.
const maxShown = 16 << 10

// A requestView is a request as the page shows it.
type requestView struct {
	ID      string      `json:"id"`
	At      string      `json:"at"`
	Method  string      `json:"method"`
	Address string      `json:"address"` // the path and the query
	Route   string      `json:"route"`
	User    string      `json:"user"`
	Status  int         `json:"status"`
	Ended   bool        `json:"ended"`
	Took    string      `json:"took"`
	Attempt int         `json:"attempt"` // 1 unless it repeats one that failed
	Header  [][2]string `json:"header"`
	Body    string      `json:"body"`
	Answer  string      `json:"answer"` // the body of the response
	Curl    string      `json:"curl"`
}

func viewRequest(base string, r *servicetest.Request) requestView {
	return requestView{
		ID: r.ID, At: r.At.Format(time.TimeOnly), Method: r.Method, Address: address(r), Route: r.Route, User: r.User,
		Status: r.Status, Ended: r.Duration > 0, Took: took(r.Duration), Attempt: 1,
		Header: lines(r.Header), Body: shown(r.Body), Answer: shown(append(r.ErrorBody, r.GoodBody...)),
		Curl: curl(base, r),
	}
}

// A deliveryView is a delivery as the page shows it.
type deliveryView struct {
	ID       int64       `json:"id"`
	At       string      `json:"at"`
	Event    string      `json:"event"`
	URL      string      `json:"url"`
	Status   int         `json:"status"`
	Problem  string      `json:"problem"` // why there was no response
	Took     string      `json:"took"`
	Header   [][2]string `json:"header"`
	Body     string      `json:"body"`
	Answered [][2]string `json:"answered"` // the header of the response
	Answer   string      `json:"answer"`   // its body
}

func viewDelivery(d *servicetest.Delivery) deliveryView {
	view := deliveryView{
		ID: d.ID, At: d.SentAt.Format(time.TimeOnly), Event: d.Event, URL: d.URL, Status: d.Status,
		Took: took(d.Duration), Header: lines(d.Header), Body: shown(d.Body),
		Answered: lines(d.ResponseHeader), Answer: shown(d.ResponseBody),
	}
	view.Problem = d.Hint
	if d.Err != nil {
		view.Problem = d.Err.Error()
	}
	return view
}

// address returns the path and the query, in which what was redacted is readable.
func address(r *servicetest.Request) string {
	if len(r.Query) == 0 {
		return r.Path
	}
	return r.Path + "?" + strings.ReplaceAll(r.Query.Encode(), "%5Bredacted%5D", redacted)
}

const redacted = "[redacted]"

// took returns a duration for people.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 100*time.Microsecond:
		return fmt.Sprintf("%d µs", max(d.Microseconds(), 1))
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// lines returns a header in the order of names.
func lines(h http.Header) [][2]string {
	lines := [][2]string{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			lines = append(lines, [2]string{name, value})
		}
	}
	return lines
}

// shown returns a body for people: JSON is indented, and what is no text has only its size.
func shown(body []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") == nil {
		body = indented.Bytes()
	}
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
		return fmt.Sprintf("(%d bytes)", len(body))
	}
	if len(body) <= maxShown {
		return string(body)
	}
	return strings.ToValidUTF8(string(body[:maxShown]), "") + fmt.Sprintf("… (%d bytes)", len(body))
}

// forgetAfter is how long a failure is remembered, by the clock of the service.
const forgetAfter = 10 * time.Minute

// retries tells requests that repeat one that has failed from others: those with the same
// method, address and user agent that follow it. The zero value is ready to use.
type retries struct {
	failed   map[string]failure // by what is repeated
	attempts map[string]int     // by ID
}

type failure struct {
	attempt int
	at      time.Time
}

// attempt returns 1 for a request that is the first, 2 for one that repeats it, and so on.
func (t *retries) attempt(r *servicetest.Request) int {
	if t.failed == nil || len(t.attempts) > 10*newest {
		t.failed, t.attempts = make(map[string]failure), make(map[string]int)
	}
	key := r.Method + " " + address(r) + "\n" + r.Header.Get("User-Agent")
	n := t.attempts[r.ID]
	if n == 0 {
		n = 1
		before, repeats := t.failed[key]
		if repeats && r.At.Sub(before.at) <= forgetAfter {
			n = before.attempt + 1
		}
		delete(t.failed, key)
		t.attempts[r.ID] = n
	}
	if r.Duration > 0 && isRepeated(r.Status) {
		t.failed[key] = failure{n, r.At}
	}
	return n
}

// isRepeated reports whether clients repeat a request after a status; 0 is no response.
func isRepeated(status int) bool {
	switch status {
	case 0, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}
