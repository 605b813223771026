package servicetest

import (
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Fault is a misbehavior of a service, set with Service.Fault.
type Fault struct {
	of    *frame.Faults
	fault *frame.Fault
}

// A FaultOption says what a fault does, or which requests it affects.
type FaultOption func(*Fault)

// Fault makes a route misbehave, for example
//
//	svc.Fault("GET /projects/:id/jobs",
//		servicetest.Status(503, ""), servicetest.Times(2))
//
// The route is a template of the API's endpoint table, one that Handle added, or "*"
// for every request, even of unknown routes. Without Times, Every, Skip or If, every
// request is affected. If several faults apply to a request, the one that was
// set first takes effect. When it is used up, the next one does.
func (s *Service) Fault(route string, opts ...FaultOption) *Fault {
	if s.tb != nil {
		s.tb.Helper()
	}
	if route != "*" {
		route = s.template(route)
	}
	f := &Fault{&s.faults, frame.NewFault(route)}
	f.fault.Handle = f
	for _, opt := range opts {
		opt(f)
	}
	s.faults.Add(f.fault)
	return f
}

// ClearFaults removes all faults.
func (s *Service) ClearFaults() { s.faults.Clear() }

// Faults returns the faults that were set and not removed, in the order in which they
// take effect. It includes faults that are used up.
func (s *Service) Faults() []*Fault {
	var faults []*Fault
	for _, f := range s.faults.List() {
		faults = append(faults, f.Handle.(*Fault))
	}
	return faults
}

// ID returns the number of the fault: 1 for the first that was set, then 2, 3 and so on.
func (f *Fault) ID() int64 { return f.fault.ID() }

// Route returns the template of the route that misbehaves, or "*" if all requests do.
func (f *Fault) Route() string { return f.fault.Route() }

// String says what the fault does, for people:
// "GET /projects/:id/jobs: delay 2s, status 503, times 3".
func (f *Fault) String() string { return f.fault.String() }

// UsedUp reports whether the fault has affected as many requests as Times allows. It
// then affects no more.
func (f *Fault) UsedUp() bool { return f.of.UsedUp(f.fault) }

// Remove ends the fault.
func (f *Fault) Remove() { f.of.Remove(f.fault) }

// Hits returns the number of requests that the fault has affected.
func (f *Fault) Hits() int { return f.of.Hits(f.fault) }

// Times makes a fault affect the first n requests that it applies to, and no
// more.
func Times(n int) FaultOption { return func(f *Fault) { f.fault.Times = n } }

// Every makes a fault affect only every nth request to its route.
func Every(n int) FaultOption { return func(f *Fault) { f.fault.Every = max(n, 1) } }

// Skip makes a fault ignore the first n requests to its route.
func Skip(n int) FaultOption { return func(f *Fault) { f.fault.Skip = n } }

// If makes a fault affect only requests for which condition returns true. The
// condition must not read the body. Request.PathValue returns the parameters of the
// path.
func If(condition func(*http.Request) bool) FaultOption {
	return func(f *Fault) { f.fault.When = condition }
}

// Handler responds in place of the service, which never sees the request.
// Request.PathValue returns the parameters of the path.
func Handler(h http.HandlerFunc) FaultOption { return responds("handler", h) }

// responds is Handler with a text that says what the handler does.
func responds(label string, h http.HandlerFunc) FaultOption {
	return func(f *Fault) { f.fault.Plan.Handler, f.fault.Plan.Label = h, label }
}

// Status responds with a status and a body in place of the service. An empty body means
// a default such as {"message":"503 Service Unavailable"}. A body that begins with "<"
// is sent as HTML, any other as JSON.
func Status(status int, body string) FaultOption {
	kind := "application/json"
	switch {
	case body == "":
		body = string(frame.Encode(object{"message": strconv.Itoa(status) + " " + http.StatusText(status)}))
	case body[0] == '<':
		kind = "text/html"
	}
	return responds("status "+strconv.Itoa(status), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		w.Write([]byte(body))
	})
}

// RateLimit responds with 429, Retry-After and the RateLimit headers. They say
// that the limit is used up and is reset after wait, rounded up to seconds.
func RateLimit(wait time.Duration) FaultOption {
	return responds("rate limit for "+wait.String(), func(w http.ResponseWriter, _ *http.Request) {
		seconds := int64((wait + time.Second - 1) / time.Second)
		reset := time.Now().Add(time.Duration(seconds) * time.Second)
		h := w.Header()
		h.Set("Retry-After", strconv.FormatInt(seconds, 10))
		h.Set("RateLimit-Limit", "60")
		h.Set("RateLimit-Observed", "61")
		h.Set("RateLimit-Remaining", "0")
		h.Set("RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
		h.Set("RateLimit-ResetTime", reset.UTC().Format(http.TimeFormat))
		h.Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusTooManyRequests)
		w.Write([]byte("Retry later\n"))
	})
}

// Redirect responds with a redirect to an address, absolute or relative, in
// place of the service. Status 0 means 302.
func Redirect(address string, status int) FaultOption {
	if status == 0 {
		status = http.StatusFound
	}
	return responds("redirect "+strconv.Itoa(status), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", address)
		w.WriteHeader(status)
	})
}

// Delay waits, in real time, before anything else happens. The delay ends early if the
// client disconnects or the service is closed.
func Delay(d time.Duration) FaultOption { return func(f *Fault) { f.fault.Plan.Delay = d } }

// Reset resets the connection before the request takes effect.
func Reset() FaultOption { return func(f *Fault) { f.fault.Plan.Reset = true } }

// DropResponse lets the request take effect and then closes the connection
// without a response.
func DropResponse() FaultOption { return func(f *Fault) { f.fault.Plan.Drop = true } }

// DuplicateEffect executes the request twice, like a proxy that wrongly repeats
// requests. The response is the second one.
func DuplicateEffect() FaultOption { return func(f *Fault) { f.fault.Plan.Twice = true } }

// DuplicateResponse executes the request once and sends the response twice on
// the connection. It requires HTTP/1.
func DuplicateResponse() FaultOption { return func(f *Fault) { f.fault.Plan.Doubled = true } }

// CutBody breaks the connection after n bytes of the body, although the headers
// announce all of them. A body of up to n bytes is sent completely.
func CutBody(n int64) FaultOption {
	return func(f *Fault) { f.fault.Plan.Cut, f.fault.Plan.CutAfter = true, n }
}

// SetHeader sets a header of the response, for example RateLimit-Remaining.
func SetHeader(name, value string) FaultOption {
	return func(f *Fault) {
		if f.fault.Plan.Set == nil {
			f.fault.Plan.Set = make(http.Header)
		}
		f.fault.Plan.Set.Add(name, value)
	}
}

// RemoveHeader removes headers from the response, for example X-Total.
func RemoveHeader(names ...string) FaultOption {
	return func(f *Fault) { f.fault.Plan.Remove = append(f.fault.Plan.Remove, names...) }
}
