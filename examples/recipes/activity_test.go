package recipes_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// lastEvent says how far a report came.
type lastEvent struct {
	Day serviceapi.Date
	ID  int64
}

// reportActivity writes what happened in a project since the last report, and
// returns where the next one begins. The zero lastEvent begins with the first
// event that the service keeps.
func reportActivity(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, last lastEvent, w io.Writer,
) (lastEvent, error) {
	options := &serviceapi.ListEventsOptions{Sort: serviceapi.SortAscending}
	if last.ID != 0 {
		// After excludes its day, of which there may be more events by now, and
		// which begins hours later where the instance is west of UTC.
		options.After = serviceapi.DateOf(last.Day.AddDate(0, 0, -2))
	}
	events := client.Events.All(ctx, project, options)
	for event, err := range events {
		if err != nil {
			return last, err
		}
		if event.ID <= last.ID {
			continue // it was in the last report
		}
		what := event.TargetTitle
		if event.PushData != nil {
			what = event.PushData.Ref
		}
		day := serviceapi.DateOf(event.CreatedAt.UTC())
		_, err := fmt.Fprintln(w, day, event.AuthorUsername,
			event.ActionName, cmp.Or(what, "the project"))
		if err != nil {
			return last, err
		}
		last = lastEvent{Day: day, ID: event.ID}
	}
	return last, nil
}

// Report what happened in a project, each time from where the last report
// ended.
func Example_reportActivity() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ada := service.User("ada")
	shop := service.Project("acme/shop")
	issue := shop.Issue("Tea is sold out", servicetest.By(ada))

	ctx, ref := context.Background(), serviceapi.ProjectPath("acme/shop")
	last, err := reportActivity(ctx, client, ref, lastEvent{}, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	issue.Note("Ordered.", servicetest.By(ada))
	fmt.Println("later:")
	_, err = reportActivity(ctx, client, ref, last, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2026-01-15 root created Shop
	// 2026-01-15 ada opened Tea is sold out
	// later:
	// 2026-01-15 ada commented on Tea is sold out
}

// See what waits for the caller, and mark a part of it as done.
func Example_todos() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada := service.User("ada")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.Token(ada)))
	if err != nil {
		log.Fatal(err)
	}
	shop := service.Project("acme/shop",
		servicetest.Member(ada, servicetest.Developer))
	shop.Issue("Tea is sold out", servicetest.AssignedTo(ada))
	shop.Issue("Prices", servicetest.Description("Ask @ada."))

	// Collect first: what is done moves the others to an earlier page.
	ctx := context.Background()
	todos, err := serviceapi.Collect(client.Todos.All(ctx, nil))
	if err != nil {
		log.Fatal(err)
	}
	for _, todo := range todos {
		fmt.Println(todo.ActionName, todo.Body)
		if todo.ActionName != serviceapi.TodoActionMentioned {
			continue
		}
		if _, _, err := client.Todos.MarkAsDone(ctx, todo.ID); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// mentioned Prices
	// assigned Tea is sold out
}
