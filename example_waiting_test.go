package serviceapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Waiting ends when the job ends, or with the context.
func ExampleJobsService_Wait() {
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
	job := service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Running())
	go func() {
		time.Sleep(100 * time.Millisecond)
		job.Fail("script_failure")
	}()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	shop := serviceapi.ProjectPath("acme/shop")
	done, err := client.Jobs.Wait(ctx, shop, job.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Status, done.FailureReason)
	// Output: failed script_failure
}

// Start a rebase and wait for its result in one call.
func ExampleMergeRequestsService_RebaseAndWait() {
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
	shop.MergeRequest("rounding")
	shop.Commit("main", "Go on", servicetest.Write("README.md", "# The shop\n"))

	ctx, project := context.Background(), serviceapi.ProjectPath("acme/shop")
	mergeRequest, err := client.MergeRequests.RebaseAndWait(ctx, project, 1,
		serviceapi.RebaseOptions{SkipCI: new(true)})
	if failure, ok := errors.AsType[*serviceapi.RebaseError](err); ok {
		fmt.Println(failure.Message)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mergeRequest.State, mergeRequest.MergeError == "")
	// Output: opened true
}

// Move a project from one instance to another without a file in between.
func ExampleMigrateProject() {
	var services []*servicetest.Service
	var clients []*serviceapi.Client
	for range 2 {
		// The clock of these services moves with each request.
		service, err := servicetest.Start(servicetest.WithTick(time.Minute))
		if err != nil {
			log.Fatal(err)
		}
		defer service.Close()
		client, err := serviceapi.NewClient(service.URL(),
			serviceapi.PrivateToken(service.AdminToken()))
		if err != nil {
			log.Fatal(err)
		}
		services, clients = append(services, service), append(clients, client)
	}
	services[0].Project("acme/shop", servicetest.Description("Sells things"))
	services[1].Group("new")

	from, to := clients[0], clients[1]
	status, err := serviceapi.MigrateProject(context.Background(),
		from, serviceapi.ProjectPath("acme/shop"), to,
		serviceapi.MigrateProjectOptions{
			Namespace: serviceapi.NamespacePath("new"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.PathWithNamespace, status.ImportStatus)
	// Output: new/shop finished
}
