package serviceapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// countFailed is code to be tested: it counts the failed jobs of
// a project.
func countFailed(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef) (int, error) {
	n := 0
	options := &serviceapi.ListJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed},
	}
	for _, err := range client.Jobs.All(ctx, project, options) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Code that uses the library is tested against package servicetest. In a test,
// call servicetest.New(t) instead of Start.
func Example_testing() {
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
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("lint")
	pipeline.Job("test", servicetest.Failed("script_failure"))
	count := func() {
		n, err := countFailed(context.Background(), client,
			serviceapi.ProjectPath("acme/shop"))
		fmt.Println(n, errors.Is(err, serviceapi.ErrForbidden))
	}

	count()
	fault := service.Fault("GET /projects/:id/jobs",
		servicetest.Status(503, ""), servicetest.Times(1))
	count() // the library tries again
	fmt.Println("met the fault:", fault.Hits())
	service.Fault("GET /projects/:id/jobs", servicetest.Status(403, ""))
	count()
	for _, request := range service.Requests("GET /projects/:id/jobs")[:1] {
		fmt.Println(request.Method, request.Path, request.Query["scope[]"])
	}
	// Output:
	// 1 false
	// 1 false
	// met the fault: 1
	// 0 true
	// GET /api/v4/projects/acme%2Fshop/jobs [failed]
}
