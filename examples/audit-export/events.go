package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

// A selection says which events are exported, and how.
type selection struct {
	group   serviceapi.GroupRef
	project serviceapi.ProjectRef
	format  string
}

func (s *selection) check(args []string) error {
	if demo.Embedded() && s.group.IsZero() && s.project.IsZero() {
		s.group = serviceapi.GroupPath("acme")
	}
	switch {
	case len(args) > 0:
		return demo.Usage("what is %q? Flags say everything", args[0])
	case !s.group.IsZero() && !s.project.IsZero():
		return demo.Usage("choose one of -group and -project")
	case s.format != "jsonl" && s.format != "csv":
		return demo.Usage("-format is jsonl or csv")
	}
	return nil
}

func (s *selection) owner() serviceapi.AuditEventOwner {
	switch {
	case !s.group.IsZero():
		return s.group
	case !s.project.IsZero():
		return s.project
	}
	return serviceapi.Instance
}

// An instant is a time as a command line flag.
type instant struct{ time.Time }

func (i *instant) Set(text string) (err error) {
	if i.Time, err = time.Parse(time.DateOnly, text); err != nil {
		i.Time, err = time.Parse(time.RFC3339, text)
	}
	return err
}

// between returns the events from since up to but not including until, oldest
// first. It requests a little more and drops the excess, so that it does not
// matter whether the service includes the ends, and with which precision. The
// span is in the past, so no event is added while the pages are read.
func (x *export) between(ctx context.Context, since, until time.Time) ([]*serviceapi.AuditEvent, error) {
	var events []*serviceapi.AuditEvent
	options := &serviceapi.ListAuditEventsOptions{CreatedAfter: since.Add(-time.Second),
		CreatedBefore: until.Add(time.Second)}
	for event, err := range x.client.AuditEvents.All(ctx, x.what.owner(), options) {
		if err != nil {
			return nil, err
		}
		if event.CreatedAt.IsZero() {
			return nil, fmt.Errorf("event %d has no time", event.ID)
		}
		if !event.CreatedAt.Before(since) && event.CreatedAt.Before(until) {
			events = append(events, event)
		}
	}
	slices.SortFunc(events, func(a, b *serviceapi.AuditEvent) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return events, nil
}

// writeEvents writes events in a format. With head, it begins with the header
// line of a table.
func writeEvents(w io.Writer, format string, head bool, events []*serviceapi.AuditEvent) error {
	if format == "csv" {
		return writeTable(csv.NewWriter(w), head, events)
	}
	lines := json.NewEncoder(w)
	for _, event := range events {
		if err := lines.Encode(event); err != nil {
			return err
		}
	}
	return nil
}

func writeTable(table *csv.Writer, head bool, events []*serviceapi.AuditEvent) error {
	if head {
		table.Write([]string{"id", "created_at", "author_id", "author", "entity_type", "entity_id", "entity", "action",
			"target", "ip_address"})
	}
	for _, event := range events {
		d := cmp.Or(event.Details, &serviceapi.AuditEventDetails{})
		table.Write([]string{
			strconv.FormatInt(event.ID, 10), event.CreatedAt.UTC().Format(time.RFC3339Nano),
			strconv.FormatInt(event.AuthorID, 10), demo.Cell(d.AuthorName),
			string(event.EntityType), strconv.FormatInt(event.EntityID, 10), demo.Cell(d.EntityPath),
			demo.Cell(action(d)), demo.Cell(d.TargetDetails.String()), d.IPAddress,
		})
	}
	table.Flush()
	return table.Error()
}

// action describes briefly what was done.
func action(d *serviceapi.AuditEventDetails) string {
	switch {
	case !d.CustomMessage.IsZero():
		return d.CustomMessage.String()
	case !d.Add.IsZero():
		return "add " + d.Add.String()
	case !d.Change.IsZero():
		return fmt.Sprintf("change %s from %v to %v", d.Change, d.From, d.To)
	}
	return ""
}
