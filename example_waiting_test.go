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

// Waiting ends when the job has, or with the context.
func ExampleJobsService_Wait() {
	service, client := start()
	defer service.Close()
	job := service.Project("acme/shop").Pipeline("main").Job("test", servicetest.Running())
	go func() {
		time.Sleep(100 * time.Millisecond)
		job.Fail("script_failure")
	}()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	done, err := client.Jobs.Wait(ctx, serviceapi.ProjectPath("acme/shop"), job.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Status, done.FailureReason)
	// Output: failed script_failure
}

// What was begun and what came of it are one call.
func ExampleMergeRequestsService_RebaseAndWait() {
	service, client := start()
	defer service.Close()
	shop := service.Project("acme/shop")
	shop.MergeRequest("rounding")
	shop.Commit("main", "Go on", servicetest.Write("README.md", "# The shop\n"))

	mergeRequest, err := client.MergeRequests.RebaseAndWait(context.Background(), serviceapi.ProjectPath("acme/shop"), 1,
		serviceapi.RebaseOptions{SkipCI: new(true)})
	if failure, ok := errors.AsType[*serviceapi.RebaseError](err); ok {
		fmt.Println(failure.Message)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mergeRequest.State, mergeRequest.RebaseInProgress)
	// Output: opened false
}

// A project moves from one service to another, without a file in between.
func ExampleMigrateProject() {
	source, from := start()
	defer source.Close()
	target, to := start()
	defer target.Close()
	source.Project("acme/shop", servicetest.Description("Sells things"))
	target.Group("new")
	for _, service := range []*servicetest.Service{source, target} {
		go func() { // the services take their time
			for range 20 {
				time.Sleep(50 * time.Millisecond)
				service.Advance(time.Second)
			}
		}()
	}

	status, err := serviceapi.MigrateProject(context.Background(), from, serviceapi.ProjectPath("acme/shop"), to,
		serviceapi.MigrateProjectOptions{Namespace: serviceapi.GroupPath("new")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.PathWithNamespace, status.ImportStatus)
	// Output: new/shop finished
}
