package recipes_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// follow writes the log of a job while the job runs, and returns an error
// unless the job succeeds.
func follow(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, jobID int64, w io.Writer,
	opts ...serviceapi.RequestOption) error {
	lines := client.Jobs.Follow(ctx, project, jobID, opts...)
	for line, err := range lines {
		if err != nil {
			return err
		}
		fmt.Fprintln(w, line)
	}
	job, _, err := client.Jobs.Get(ctx, project, jobID)
	if err != nil {
		return err
	}
	if job.Status != serviceapi.JobStatusSuccess {
		return fmt.Errorf("job %d: %s %s",
			job.ID, job.Status, job.FailureReason)
	}
	return nil
}

// Follow the log of a job.
func Example_followLog() {
	// The clock of this service moves by a second with each request.
	service, err := servicetest.Start(servicetest.WithTick(time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	job := service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Running())
	service.After(2*time.Second, func() { fmt.Fprintln(job, "$ make test") })
	service.After(4*time.Second, func() { fmt.Fprintln(job, "--- FAIL") })
	service.After(6*time.Second, func() { job.Fail("script_failure") })
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	shop := serviceapi.ProjectPath("acme/shop")
	err = follow(ctx, client, shop, job.ID(), os.Stdout,
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	fmt.Println(err)
	// Output:
	// $ make test
	// --- FAIL
	// job 1: failed script_failure
}
