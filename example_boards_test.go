package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// What is next in an epic? The most urgent issue moves to the top.
func ExampleEpicsService_MoveIssue() {
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
	shop := service.Project("acme/shop")
	checkout := shop.Group().Epic("Checkout")
	shop.Issue("Ask for a name", servicetest.InEpic(checkout))
	urgent := shop.Issue("Prices are wrong")

	ctx := context.Background()
	epic := serviceapi.GroupPath("acme").Epic(checkout.IID())
	issues, _, err := client.Epics.ListIssues(ctx, epic, nil)
	if err != nil {
		log.Fatal(err)
	}
	added, _, err := client.Epics.AddIssue(ctx, epic, urgent.ID())
	if err != nil {
		log.Fatal(err)
	}
	issues, _, err = client.Epics.MoveIssue(ctx, epic, added.ID,
		serviceapi.MoveEpicIssueOptions{MoveAfterID: &issues[0].EpicIssueID})
	if err != nil {
		log.Fatal(err)
	}
	for _, issue := range issues {
		fmt.Println(issue.References.Full, issue.Title)
	}
	// Output:
	// acme/shop#2 Prices are wrong
	// acme/shop#1 Ask for a name
}
