package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// jobLister is all that slowest needs of a client. client.Jobs is one.
type jobLister interface {
	All(ctx context.Context, project serviceapi.ProjectRef,
		options *serviceapi.ListJobsOptions, opts ...serviceapi.RequestOption,
	) iter.Seq2[*serviceapi.Job, error]
}

// slowest returns the name of the job that took longest.
func slowest(ctx context.Context, jobs jobLister,
	project serviceapi.ProjectRef) (name string, err error) {
	longest := -1.0
	for job, err := range jobs.All(ctx, project, nil) {
		if err != nil {
			return "", err
		}
		if job.Duration != nil && *job.Duration > longest {
			name, longest = job.Name, *job.Duration
		}
	}
	return name, nil
}

// fakeJobs is a jobLister for tests: it has some jobs, and then may fail.
type fakeJobs struct {
	jobs []*serviceapi.Job
	err  error
}

func (f fakeJobs) All(context.Context, serviceapi.ProjectRef,
	*serviceapi.ListJobsOptions, ...serviceapi.RequestOption,
) iter.Seq2[*serviceapi.Job, error] {
	return func(yield func(*serviceapi.Job, error) bool) {
		for _, job := range f.jobs {
			if !yield(job, nil) {
				return
			}
		}
		if f.err != nil {
			yield(nil, f.err)
		}
	}
}

// An interface of your own takes a service of the client, and a fake in a test.
func Example_interface() {
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	fake := fakeJobs{jobs: []*serviceapi.Job{
		{Name: "build", Duration: new(12.5)},
		{Name: "test", Duration: new(90.0)},
	}}
	fmt.Println(slowest(ctx, fake, shop))
	fake.err = errors.New("the line is down")
	fmt.Println(slowest(ctx, fake, shop))

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
	service.Project("acme/shop").Pipeline("main").Job("lint")
	fmt.Println(slowest(ctx, client.Jobs, shop))
	// Output:
	// test <nil>
	//  the line is down
	// lint <nil>
}
