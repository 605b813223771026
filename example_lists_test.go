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

// All items of all pages can be gathered.
func ExampleCollect() {
	service, client := start()
	defer service.Close()
	jobs(service, 250)

	all, err := serviceapi.Collect(client.Jobs.All(context.Background(), serviceapi.ProjectPath("acme/shop"), nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "jobs with", len(service.Requests()), "requests")
	// Output: 250 jobs with 3 requests
}

// Several pages can be fetched at once. They come in order all the same.
func ExampleWithConcurrentPages() {
	service, client := start()
	defer service.Close()
	jobs(service, 1000)

	n, last := 0, int64(1001)
	for job, err := range client.Jobs.All(context.Background(), serviceapi.ProjectPath("acme/shop"), nil, serviceapi.WithConcurrentPages(4)) {
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

// One page at a time, with what the service tells about all of them.
func ExampleListOptions() {
	service, client := start()
	defer service.Close()
	jobs(service, 5)

	options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 2}}
	for {
		page, resp, err := client.Jobs.List(context.Background(), serviceapi.ProjectPath("acme/shop"), options)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("page %d of %d: %d of %d jobs\n", resp.Page, resp.TotalPages, len(page), resp.Total)
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
	service, client := start()
	defer service.Close()
	for _, name := range []string{"shop", "search", "site"} {
		service.Project("acme/" + name)
	}

	options := &serviceapi.ListProjectsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 1},
		Pagination:  serviceapi.PaginationKeyset, Sort: serviceapi.SortAscending,
	}
	for project, err := range client.Projects.All(context.Background(), serviceapi.Instance, options) {
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
