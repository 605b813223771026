package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/cron"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A freezePeriod is a time in which a project should not be deployed. Nothing here stops
// because of it.
type freezePeriod struct {
	record[*Project]

	start, end, zone string
}

var freezePeriods = shelved(collection.Table[*call, *Project, freezePeriod]{
	Param: "freeze_period_id", Home: (*call).project,
	Fields: dated(
		collection.Text("freeze_start", func(f *freezePeriod) *string { return &f.start }).Required(),
		collection.Text("freeze_end", func(f *freezePeriod) *string { return &f.end }).Required(),
		collection.Text("cron_timezone", func(f *freezePeriod) *string { return &f.zone }),
	),
	New: func(*call, *Project) *freezePeriod { return &freezePeriod{zone: "UTC"} },
	Check: func(_ *call, _ *Project, draft, _ *freezePeriod) *reply {
		if wrong := draft.tidy(); wrong != "" {
			return frame.FieldErrors(wrong, "syntax is invalid")
		}
		return nil
	},
	Changed: (*freezePeriod).changed,
})

// tidy cuts off blanks around expressions. It returns the name of a wrong field, or "".
func (f *freezePeriod) tidy() (wrong string) {
	f.start, f.end = strings.TrimSpace(f.start), strings.TrimSpace(f.end)
	zone, known := cron.Zone(f.zone)
	if !known {
		return "cron_timezone"
	}
	for _, field := range [][2]string{{"freeze_start", f.start}, {"freeze_end", f.end}} {
		if _, err := cron.Parse(field[1], zone); err != nil {
			return field[0]
		}
	}
	return ""
}

// includes reports whether the period has begun and not ended: its next end comes before its
// next start.
func (f *freezePeriod) includes(now time.Time) bool {
	next := func(expression string) time.Time {
		zone, _ := cron.Zone(f.zone)
		times, err := cron.Parse(expression, zone)
		if err != nil {
			return time.Time{}
		}
		return times.Next(now)
	}
	start, end := next(f.start), next(f.end)
	return !end.IsZero() && (start.IsZero() || end.Before(start))
}

// FreezePeriod makes a freeze period of the project and returns its ID. It lasts from a time
// of the first cron expression to the next time of the second one, in a time zone such as
// "Europe/Berlin"; "" means UTC. A wrong expression or zone fails the test.
func (p *Project) FreezePeriod(start, end, zone string) int64 {
	defer p.svc.lock()()
	f := &freezePeriod{start: start, end: end, zone: either(zone, "UTC")}
	if wrong := f.tidy(); wrong != "" {
		p.svc.fail("the %s of a freeze period is wrong: %q, %q in %q", wrong, start, end, f.zone)
	}
	return shelve(p.svc, p, f).id
}

// Frozen reports whether a freeze period of the project lasts, by the service's clock. It is
// what the variable CI_DEPLOY_FREEZE tells a pipeline.
func (p *Project) Frozen() bool {
	defer p.svc.lock()()
	lasts := func(f *freezePeriod) bool { return f.includes(p.svc.now()) }
	return slices.ContainsFunc(recordsOf[freezePeriod](p.svc, p), lasts)
}
