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
	issue := serviceapi.IssueIn(serviceapi.ProjectPath("acme/shop"), 1)
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
