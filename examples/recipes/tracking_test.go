package recipes_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Say how long an issue should take, and how much of that is left.
func Example_timeTrackingAddSpentTime() {
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
	service.Project("acme/shop").Issue("Prices are wrong")

	ctx := context.Background()
	issue := serviceapi.ProjectPath("acme/shop").Issue(1)
	_, _, err = client.TimeTracking.SetEstimate(ctx, issue,
		serviceapi.SetTimeEstimateOptions{Duration: "1d 4h"})
	if err != nil {
		log.Fatal(err)
	}
	spent := 90 * time.Minute
	stats, _, err := client.TimeTracking.AddSpentTime(ctx, issue,
		serviceapi.AddSpentTimeOptions{
			Duration: serviceapi.WorkTime(spent),
			Summary:  new("Looked for the cause"),
		})
	if err != nil {
		log.Fatal(err)
	}
	left := time.Duration(stats.TimeEstimate-stats.TotalTimeSpent) * time.Second
	fmt.Println(stats.HumanTimeEstimate, stats.HumanTotalTimeSpent, left)
	// Output: 1d 4h 1h 30m 10h30m0s
}

// Say that an issue blocks another one, and see what has to be done first.
func Example_issueLinksCreate() {
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
	shop.Issue("Prices are wrong")
	shop.Issue("Order the goods")

	ctx, project := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.IssueLinks.Create(ctx, project.Issue(1),
		serviceapi.CreateIssueLinkOptions{
			Target:   project.Issue(2),
			LinkType: new(serviceapi.IssueLinkTypeBlocks),
		})
	if err != nil {
		log.Fatal(err)
	}
	order := project.Issue(2)
	for other, err := range client.IssueLinks.All(ctx, order, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(other.LinkType, other.References.Short, other.Title)
	}
	// Output: is_blocked_by #1 Prices are wrong
}
