package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// start starts an embedded service and returns it with a client of its
// administrator. A program would make the client with the address and the token
// of a real service, as in the example of the package.
func start() (*servicetest.Service, *serviceapi.Client) {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	return service, client
}

// All other examples begin with such a service and such a client.
func Example() {
	service, err := servicetest.Start() // in place of https://service.example.com
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("lint")
	pipeline.Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	options := &serviceapi.ListJobsOptions{Scope: []serviceapi.JobStatus{serviceapi.JobFailed}}
	for job, err := range client.Jobs.All(context.Background(), serviceapi.ProjectPath("acme/shop"), options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.ID, job.Name, job.FailureReason)
	}
	// Output: 2 test script_failure
}
