package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Every example runs against an embedded service. A program passes the address
// and the token of a real one to NewClient.
func Example() {
	service, err := servicetest.Start() // instead of a real one
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("lint")
	pipeline.Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	options := &serviceapi.ListJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed},
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for job, err := range client.Jobs.All(ctx, shop, options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.ID, job.Name, job.FailureReason)
	}
	// Output: 2 test script_failure
}
