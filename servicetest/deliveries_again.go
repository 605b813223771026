package servicetest

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// placeholder is a name in the template of a hook.
var placeholder = regexp.MustCompile(`\{\{[^{}]*\}\}`)

// hookHistory is how long lists show the requests of hooks.
const hookHistory = 7 * 24 * time.Hour

// listHookLogs responds with the requests of a hook in the last 7 days, newest first.
func listHookLogs(t *collection.Table[*call, any, Hook]) handler {
	return withRecord(t, func(c *call, _ any, h *Hook) *reply {
		if n := c.Int64("per_page"); c.Has("per_page") && (n < 1 || n > 20) {
			return hookError(http.StatusBadRequest, "per_page does not have a valid value")
		}
		keep := c.hookStatuses()
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		found := state[hookState](c.svc).logs.all(func(d *Delivery) bool {
			return d.Hook == h && c.now().Sub(d.SentAt) <= hookHistory && keep(d.Status)
		})
		slices.Reverse(found)
		return frame.ListOf(c, found, (*Delivery).json)
	})
}

// hookStatuses reads the parameter that selects requests by their response.
func (c *call) hookStatuses() func(status int) bool {
	wanted := c.SplitStrings("status")
	classes := map[string]int{"successful": 2, "client_failure": 4, "server_failure": 5}
	for _, w := range wanted {
		if _, err := strconv.Atoi(w); err != nil && classes[w] == 0 {
			c.Invalid("status")
		}
	}
	return func(status int) bool {
		return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool {
			return w == strconv.Itoa(status) || classes[w] != 0 && classes[w] == status/100
		})
	}
}

// testsHooks refuses the sixth test of a minute.
func (c *call) testsHooks(home any) *reply {
	all := state[hookState](c.svc)
	all.tests = slices.DeleteFunc(all.tests, func(t hookTest) bool { return c.now().Sub(t.at) >= time.Minute })
	n := 0
	for _, t := range all.tests {
		if t.user == c.user && t.home == home {
			n++
		}
	}
	if n >= 5 {
		return frame.Message(http.StatusTooManyRequests,
			"This endpoint has been requested too many times. Try again later.")
	}
	all.tests = append(all.tests, hookTest{c.user, home, c.now()})
	return nil
}

// sendNow sends a request before the call is answered. The outcome decides the
// response.
func (c *call) sendNow(h *Hook, d *sending, answer func(*Delivery) *reply) *reply {
	outcome := make(chan *Delivery, 1)
	d.tests, d.chain = true, c.svc.chainOfCall()
	d.done = func(made *Delivery) { outcome <- made }
	h.enqueue(d)
	done := c.svc.done
	return &reply{Acts: true, Stream: func(w http.ResponseWriter, r *http.Request) {
		select {
		case made := <-outcome:
			answer(made).Write(w, r)
		case <-done:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}}
}

// testHook sends a sample of an event.
func testHook(t *collection.Table[*call, any, Hook]) handler {
	return withRecord(t, func(c *call, home any, h *Hook) *reply {
		trigger := c.PathString("trigger")
		if h.switches[trigger] == nil {
			return hookError(http.StatusBadRequest, "trigger does not have a valid value")
		}
		if refusal := c.testsHooks(home); refusal != nil {
			return refusal
		}
		event, payload, problem := c.svc.sampleEvent(c.user, h, trigger)
		if problem != "" {
			return frame.Unprocessable(problem)
		}
		return c.sendNow(h, &sending{event: event, key: c.svc.newUUID(), payload: payload},
			func(made *Delivery) *reply {
				if made.Status/100 != 2 {
					return frame.Unprocessable("Hook executed unsuccessfully")
				}
				return frame.Message(http.StatusCreated, "201 Created")
			})
	})
}

// testSystemHook sends the sample of system hooks. Its values are fixed.
func testSystemHook(c *call, _ any, h *Hook) *reply {
	sample := object{
		"event_name": "project_create", "name": "Ruby", "path": "ruby", "project_id": 1,
		"owner_name": "Someone", "owner_email": "example@example.com",
	}
	d := &sending{event: "System Hook", key: c.svc.newUUID(), payload: frame.Encode(sample)}
	return c.sendNow(h, d, func(*Delivery) *reply { return c.Created(sample) })
}

// resendHookLog sends a request again.
func resendHookLog(t *collection.Table[*call, any, Hook]) handler {
	return withRecord(t, func(c *call, home any, h *Hook) *reply {
		old, ok := state[hookState](c.svc).logs.get(c.PathInt64("hook_event_id"))
		if !ok || old.Hook != h {
			return frame.NotFound("")
		}
		if refusal := c.testsHooks(home); refusal != nil {
			return refusal
		}
		if address, _ := h.address(); address != old.address {
			return frame.Unprocessable("The hook URL has changed. This log entry cannot be retried.")
		}
		d := &sending{event: old.Event, key: old.Header.Get("Idempotency-Key"), payload: old.payload}
		return c.sendNow(h, d, func(made *Delivery) *reply {
			if made.Status == 0 {
				return frame.Unprocessable("The hook could not be sent")
			}
			return frame.JSONReply(http.StatusCreated, object{"response_status": made.Status})
		})
	})
}
