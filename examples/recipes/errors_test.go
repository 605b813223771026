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

// A wait that is too long returns an error at once.
func Example_rateLimitError() {
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
	service.Project("acme/shop")
	service.Fault("GET /projects/:id", servicetest.RateLimit(10*time.Minute))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.Projects.Get(ctx, shop, nil)
	if limit, ok := errors.AsType[*serviceapi.RateLimitError](err); ok {
		fmt.Println("come back in", limit.RetryAfter)
	}
	// Output: come back in 10m0s
}

// A merge can be refused for several reasons.
func Example_mergeError() {
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
	service.Project("acme/shop").MergeRequest("rounding", servicetest.Draft())

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.MergeRequests.Merge(ctx, shop.MergeRequest(1),
		serviceapi.MergeOptions{})
	if refusal, ok := errors.AsType[*serviceapi.MergeError](err); ok {
		fmt.Println(refusal.Reason, refusal.Err.StatusCode)
	}
	// Output: not_ready 405
}

// A call without a response returns the cause.
func Example_transportError() {
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
	service.Project("acme/shop")
	service.Fault("GET /projects/:id", servicetest.Delay(time.Minute))

	tooLong := errors.New("nobody waits longer than that")
	ctx, cancel := context.WithTimeoutCause(context.Background(),
		50*time.Millisecond, tooLong)
	defer cancel()
	shop := serviceapi.ProjectPath("acme/shop")
	_, _, err = client.Projects.Get(ctx, shop, nil)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	fmt.Println(errors.Is(err, tooLong))
	// Output:
	// true
	// true
}

// A field of the wrong type affects only that field, not the response.
func Example_decodeError() {
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
	service.Fault("GET /projects/:id", servicetest.Status(200,
		`{"id": 7, "name": "Shop", "archived": "perhaps"}`))

	project, _, err := client.Projects.Get(context.Background(),
		serviceapi.ProjectID(7), nil)
	if e, ok := errors.AsType[*serviceapi.DecodeError](err); ok && e.Partial {
		fmt.Println(project.Name, "without", e.Pointer)
	}
	// Output: Shop without /archived
}

// Invalid arguments are not sent.
func Example_argumentError() {
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

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.RepositoryFiles.Get(ctx, shop, "../secrets",
		&serviceapi.GetRepositoryFileOptions{Ref: "main"})
	if e, ok := errors.AsType[*serviceapi.ArgumentError](err); ok {
		requests := len(service.Requests())
		fmt.Println(e.Argument, "was refused after", requests, "requests")
	}
	// Output: file_path was refused after 0 requests
}

// A write that may have been executed is repeated only if the caller says that
// this does no harm.
func Example_retryPolicy() {
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
	const cancel = "POST /projects/:id/jobs/:job_id/cancel"
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	service.Fault(cancel, servicetest.Status(502, ""), servicetest.Times(2))
	options := serviceapi.CancelJobOptions{}
	_, _, err = client.Jobs.Cancel(ctx, shop, job.ID(), options)
	fmt.Println(errors.Is(err, serviceapi.ErrServer), job.Status())

	harmless := serviceapi.WithRetry(serviceapi.RetryPolicy{
		RetryUnsafe: true,
		MinWait:     time.Millisecond,
	})
	_, resp, err := client.Jobs.Cancel(ctx, shop, job.ID(), options, harmless)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.Attempts, job.Status())
	// Output:
	// true running
	// 2 canceled
}
