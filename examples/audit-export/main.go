// Audit-export writes audit events as JSON lines or CSV, oldest first. If it
// writes to a file, each run continues exactly where the last one ended,
// however it ended: no event is lost or written twice.
//
//	export SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=…
//	go run ./examples/audit-export -group acme -since 2026-01-01 -o events.jsonl
//	go run ./examples/audit-export -group acme -o events.jsonl   # what is new
//	go run ./examples/audit-export -project acme/shop -format csv -since 2026-01-01 -until 2026-02-01
//
// Without these variables, it calls an embedded service with a sample project.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("audit-export", run) }

// settling is how long it can take until an event is listed. An export ends
// this long before the current time.
const settling = time.Minute

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("audit-export [flags]", notes)
	var what selection
	var since, until instant
	flags.TextVar(&what.group, "group", serviceapi.GroupRef{}, "export the events of a `group`, by path or ID")
	flags.TextVar(&what.project, "project", serviceapi.ProjectRef{},
		"export the events of a `project`;\nwithout this and -group, those of the instance")
	flags.StringVar(&what.format, "format", "jsonl", "jsonl or csv")
	flags.Var(&since, "since", "export events from this `time` on: 2026-01-31 or 2026-01-31T12:00:00Z")
	flags.Var(&until, "until", "export events before this `time`; the default is a minute ago")
	file := flags.String("o", "", "append to this `file`, and keep in file.state how far it goes")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if err := what.check(flags.Args()); err != nil {
		return err
	}
	client, closeService, err := demo.Connect(notes)
	if err != nil {
		return err
	}
	defer closeService()

	x := &export{client: client, what: what}
	now, err := x.now(ctx)
	if err != nil {
		return err
	}
	target, err := open(*file, out, what)
	if err != nil {
		return err
	}
	defer target.close()
	if x.since, err = start(since, target, now); err != nil {
		return err
	}
	if x.until = now.Add(-settling); !until.IsZero() && until.Before(x.until) {
		x.until = until.Time
	}
	n, err := x.writeTo(ctx, target)
	fmt.Fprintf(notes, "%d events, up to %s\n", n, x.since.Format(time.RFC3339))
	return err
}

// start returns the time at which an export begins: the end of the last one, or
// the time that the user gave.
func start(since instant, t *target, now time.Time) (time.Time, error) {
	switch {
	case !t.state.Until.IsZero() && !since.IsZero():
		return now, demo.Usage("-since does not go with a file that there is already: it goes on where that ends")
	case !t.state.Until.IsZero():
		return t.state.Until, nil
	case !since.IsZero():
		return since.Time, nil
	case demo.Embedded():
		return now.AddDate(0, -1, 0), nil
	}
	return now, demo.Usage("-since is needed to begin with")
}

// An export includes events from since up to but not including until.
type export struct {
	client       *serviceapi.Client
	what         selection
	since, until time.Time
}

// now returns the time of the service. With a local clock that is fast, an
// export would end in the future, and the events until then would be lost.
func (x *export) now(ctx context.Context) (time.Time, error) {
	options := &serviceapi.ListAuditEventsOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}}
	_, resp, err := x.client.AuditEvents.List(ctx, x.what.owner(), options)
	if err != nil {
		return time.Time{}, err
	}
	return http.ParseTime(resp.Header.Get("Date"))
}

// writeTo writes day by day, and saves its position after each day. When there
// are no events, the steps become longer.
func (x *export) writeTo(ctx context.Context, t *target) (n int, err error) {
	for days := 1; x.since.Before(x.until); days = min(max(1, 2*days), 64) {
		end := x.since.AddDate(0, 0, days)
		if end.After(x.until) {
			end = x.until
		}
		events, err := x.between(ctx, x.since, end)
		if err != nil {
			return n, err
		}
		if err := t.write(events, end); err != nil {
			return n, err
		}
		if n, x.since = n+len(events), end; len(events) > 0 {
			days = 0
		}
	}
	return n, nil
}
