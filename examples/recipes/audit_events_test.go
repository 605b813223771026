package recipes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// exportEvents writes the audit events of a group, from since up to but not
// including until, as JSON lines, oldest first. Begin each run where the last
// one ended, and end it a minute before now, because events can take a moment
// to be listed. Then no event is lost or written twice.
func exportEvents(ctx context.Context, client *serviceapi.Client,
	group serviceapi.GroupRef, since, until time.Time, w io.Writer) error {
	// The service includes both ends, and compares with its own precision.
	options := &serviceapi.ListAuditEventsOptions{
		CreatedAfter:  since.Add(-time.Second),
		CreatedBefore: until.Add(time.Second),
	}
	all := client.AuditEvents.All(ctx, group, options)
	events, err := serviceapi.Collect(all)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(w)
	for _, event := range slices.Backward(events) {
		if event.CreatedAt.IsZero() {
			return fmt.Errorf("event %d has no time", event.ID)
		}
		if event.CreatedAt.Before(since) || !event.CreatedAt.Before(until) {
			continue
		}
		if err := lines.Encode(event); err != nil {
			return err
		}
	}
	return nil
}

// Export audit events continuously.
func Example_exportAuditEvents() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada, acme := service.User("ada"), service.Group("acme")
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.CreateTemp("", "events-*.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()

	since := service.Now() // kept in a file or a database
	for run := range 3 {
		change := servicetest.AuditDetails{"change": "name", "to": run}
		acme.AuditEvent(ada, change)
		service.Advance(time.Hour)

		until := service.Now().Add(-time.Minute)
		err := exportEvents(context.Background(), client,
			serviceapi.GroupPath("acme"), since, until, file)
		if err != nil {
			log.Fatal(err) // the next run begins at since again
		}
		since = until
	}

	if _, err := file.Seek(0, io.SeekStart); err != nil {
		log.Fatal(err)
	}
	for lines := json.NewDecoder(file); lines.More(); {
		var event serviceapi.AuditEvent
		if err := lines.Decode(&event); err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.ID, event.Details.Change)
	}
	// Output:
	// 1 name
	// 2 name
	// 3 name
}
