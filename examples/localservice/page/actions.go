package page

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest"
)

// maxForm is the largest form that is read.
const maxForm = 16 << 10

// action returns a handler that does something, and responds with what was done or, with
// status 400, why it was not.
func (p *Page) action(do func(form) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			http.Error(w, "the form cannot be read", http.StatusBadRequest)
			return
		}
		done, err := do(form{r})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p.tellChange()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, done)
	}
}

// tellChange makes all streams look at the state at once.
func (p *Page) tellChange() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Page) nextChange() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// A form has what somebody entered.
type form struct{ r *http.Request }

func (f form) text(name string) string { return strings.TrimSpace(f.r.PostFormValue(name)) }

// number returns a number between two others, or 0 if nothing was entered.
func (f form) number(name string, least, most int) (int, error) {
	text := f.text(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s must be a number from %d to %d", name, least, most)
	}
	return n, nil
}

// steps are how far the clock can be moved at once.
var steps = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

func (p *Page) advance(f form) (string, error) {
	step, ok := steps[f.text("by")]
	if !ok {
		return "", errors.New("the clock moves by a minute, an hour or a day")
	}
	p.service.Advance(step)
	return "The clock was moved forward by one " + f.text("by") + ".", nil
}

func (p *Page) addFault(f form) (string, error) {
	route := f.text("route")
	if route != "*" && !slices.Contains(p.service.Routes(), route) {
		return "", fmt.Errorf("there is no route %q; choose one of the list, or * for all requests", route)
	}
	opts, err := f.faultOptions()
	if err != nil {
		return "", err
	}
	return "Added: " + p.service.Fault(route, opts...).String() + ".", nil
}

// faultOptions returns what a fault does, and how often.
func (f form) faultOptions() ([]servicetest.FaultOption, error) {
	var opts []servicetest.FaultOption
	var problems []error
	read := func(name string, least, most int, option func(n int) servicetest.FaultOption) {
		n, err := f.number(name, least, most)
		if err != nil {
			problems = append(problems, err)
		} else if n > 0 {
			opts = append(opts, option(n))
		}
	}
	read("status", 200, 599, func(n int) servicetest.FaultOption { return servicetest.Status(n, "") })
	read("delay", 1, 600_000, func(n int) servicetest.FaultOption {
		return servicetest.Delay(time.Duration(n) * time.Millisecond)
	})
	switch f.text("drop") {
	case "":
	case "before":
		opts = append(opts, servicetest.Reset())
	case "after":
		opts = append(opts, servicetest.DropResponse())
	default:
		problems = append(problems, errors.New("the connection drops before or after the request takes effect"))
	}
	if f.text("status") != "" && f.text("drop") != "" {
		problems = append(problems, errors.New("a fault has a status or drops the connection, not both"))
	}
	if len(opts) == 0 && len(problems) == 0 {
		problems = append(problems, errors.New("the fault does nothing: give it a status, a delay or a drop"))
	}
	read("times", 1, 1_000_000, servicetest.Times)
	read("every", 1, 1_000_000, servicetest.Every)
	return opts, errors.Join(problems...)
}

func (p *Page) removeFault(f form) (string, error) {
	for _, fault := range p.service.Faults() {
		if strconv.FormatInt(fault.ID(), 10) == f.text("id") {
			fault.Remove()
			return "Taken back: " + fault.String() + ".", nil
		}
	}
	return "", errors.New("this fault was taken back before")
}

func (p *Page) endJobs(f form) (string, error) {
	var ended []*servicetest.Job
	switch f.text("end") {
	case "success":
		ended = p.service.SucceedJobs()
	case "failed":
		ended = p.service.FailJobs("script_failure")
	default:
		return "", errors.New("jobs end with success or failed")
	}
	if len(ended) == 1 {
		return "1 job was ended.", nil
	}
	return fmt.Sprintf("%d jobs were ended.", len(ended)), nil
}
