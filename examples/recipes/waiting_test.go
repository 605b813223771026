package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Start a rebase and wait for its result in one call.
func Example_mergeRequestsRebaseAndWait() {
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
	mergeRequest, err := client.MergeRequests.RebaseAndWait(ctx,
		project.MergeRequest(1), serviceapi.RebaseOptions{SkipCI: new(true)})
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
func Example_migrateProject() {
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
