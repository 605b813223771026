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

// Keyset pagination stays fast on long lists. Loops look the same.
func ExamplePagination() {
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
	for _, name := range []string{"shop", "search", "site"} {
		service.Project("acme/" + name)
	}

	options := &serviceapi.ListProjectsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 1},
		Pagination:  serviceapi.PaginationKeyset,
		Sort:        serviceapi.SortAscending,
	}
	ctx := context.Background()
	projects := client.Projects.All(ctx, serviceapi.Instance, options)
	for project, err := range projects {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(project.Path)
	}
	// Output:
	// shop
	// search
	// site
}
