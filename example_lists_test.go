package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// jobs makes a project with many jobs.
func jobs(service *servicetest.Service, n int) {
	pipeline := service.Project("acme/shop").Pipeline("main")
	for i := range n {
		pipeline.Job(fmt.Sprintf("test-%d", i+1))
	}
}

// Gather the items of all pages.
func ExampleCollect() {
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
	jobs(service, 250)

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	all, err := serviceapi.Collect(client.Jobs.All(ctx, shop, nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "jobs with", len(service.Requests()), "requests")
	// Output: 250 jobs with 3 requests
}

// Read one page at a time, with the totals.
func ExampleListOptions() {
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
	jobs(service, 5)

	options := &serviceapi.ListJobsOptions{}
	options.PerPage = 2
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for {
		page, resp, err := client.Jobs.List(ctx, shop, options)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("page %d of %d: %d of %d jobs\n",
			resp.Page, resp.TotalPages, len(page), resp.Total)
		if resp.NextPageToken == "" {
			break
		}
		options.PageToken = resp.NextPageToken // also good in another process
	}
	// Output:
	// page 1 of 3: 2 of 5 jobs
	// page 2 of 3: 2 of 5 jobs
	// page 3 of 3: 1 of 5 jobs
}

// Fetch several pages at once. The items still come in order.
func ExampleWithConcurrentPages() {
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
	jobs(service, 1000)

	n, last := 0, int64(1001)
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	fourAtOnce := serviceapi.WithConcurrentPages(4)
	for job, err := range client.Jobs.All(ctx, shop, nil, fourAtOnce) {
		if err != nil {
			log.Fatal(err)
		}
		if job.ID >= last {
			log.Fatal("out of order")
		}
		n, last = n+1, job.ID
	}
	fmt.Println(n, "jobs")
	// Output: 1000 jobs
}

func ExampleGraphQLAll() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	app := service.Project("acme/app")
	app.Pipeline("main").Job("test")
	app.Pipeline("dev").Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	type pipeline struct {
		Ref    string `json:"ref"`
		Status string `json:"status"`
	}
	type page struct {
		Project struct {
			Pipelines *serviceapi.GraphQLConnection[pipeline] `json:"pipelines"`
		} `json:"project"`
	}
	request := serviceapi.GraphQLRequest{
		Query: `query ($path: ID!, $after: String) {
			project(fullPath: $path) {
				pipelines(first: 1, after: $after) {
					nodes { ref status }
					pageInfo { hasNextPage endCursor }
				}
			}
		}`,
		Variables: map[string]any{"path": "acme/app"},
	}
	inPage := func(p *page) *serviceapi.GraphQLConnection[pipeline] {
		return p.Project.Pipelines
	}
	ctx := context.Background()
	// It is a query, so it can be repeated.
	retry := serviceapi.WithRetry(serviceapi.RetryPolicy{RetryUnsafe: true})
	for p, err := range serviceapi.GraphQLAll(ctx, client, request, inPage, retry) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Ref, p.Status)
	}
	// Output:
	// dev FAILED
	// main SUCCESS
}
