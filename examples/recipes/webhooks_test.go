package recipes_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

// greeter responds to the requests of a hook: it thanks the authors of new
// merge requests.
func greeter(client *serviceapi.Client, hookToken string) (
	http.Handler, error,
) {
	verifier, err := webhook.NewVerifier(webhook.Token(hookToken))
	if err != nil {
		return nil, err
	}
	mux := new(webhook.Mux)
	webhook.On(mux, func(
		ctx context.Context, event *webhook.MergeRequestEvent,
	) error {
		if event.ObjectAttributes.Action != webhook.MergeRequestActionOpen {
			return nil
		}
		note := serviceapi.CreateMergeRequestNoteOptions{
			Body: "Thank you, @" + event.User.Username + "!",
		}
		_, _, err := client.Notes.CreateForMergeRequest(ctx, event.Ref(), note)
		return err
	})
	return webhook.Handler(verifier, webhook.Once(time.Hour, mux)), nil
}

// addGreeter makes the project send its merge requests to an address.
func addGreeter(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, address, hookToken string) error {
	_, _, err := client.Hooks.Create(ctx, project, serviceapi.CreateHookOptions{
		URL:                 address,
		Token:               serviceapi.NewSecret(hookToken),
		PushEvents:          new(false), // which is on by default
		MergeRequestsEvents: new(true),
	})
	return err
}

// React to events.
func Example_reactToEvents() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	shop := service.Project("acme/shop")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	handler, err := greeter(client, "a long random string")
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()

	err = addGreeter(context.Background(), client,
		serviceapi.ProjectID(shop.ID()), server.URL, "a long random string")
	if err != nil {
		log.Fatal(err)
	}
	shop.MergeRequest("cart", servicetest.By(service.User("ada")))
	service.Flush() // waits until all events are delivered
	for _, delivery := range service.Deliveries() {
		fmt.Println(delivery.Event, delivery.Status)
	}
	// Output:
	// Merge Request Hook 204
}
