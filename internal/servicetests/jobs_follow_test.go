package servicetests

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

const traceRoute = "GET /projects/:id/jobs/:job_id/trace"

// quickly polls without waiting, because the clock of the service moves with
// each request.
var quickly = serviceapi.WithPollInterval(time.Microsecond, time.Microsecond)

// TestFollowAgainstService follows a job that waits, runs, writes and fails.
func TestFollowAgainstService(t *testing.T) {
	for name, fault := range map[string][]servicetest.FaultOption{
		"well":         nil,
		"cut":          {servicetest.CutBody(20), servicetest.Every(2)},
		"down":         {servicetest.Status(http.StatusServiceUnavailable, ""), servicetest.Every(2)},
		"without tags": {servicetest.RemoveHeader("Etag", "Last-Modified")},
	} {
		t.Run(name, func(t *testing.T) {
			svc := servicetest.New(t, servicetest.WithTick(time.Second))
			job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Pending())
			svc.After(5*time.Second, job.Start)
			var want []string
			for i := range 40 {
				want = append(want, fmt.Sprintf("line %d", i))
				svc.After(time.Duration(10+2*i)*time.Second, func() { fmt.Fprintln(job, want[i]) })
			}
			svc.After(100*time.Second, func() { job.Fail("script_failure") })
			if fault != nil {
				svc.Fault(traceRoute, fault...)
			}
			got, err := serviceapi.Collect(asRoot(t, svc).Jobs.Follow(t.Context(), serviceapi.ProjectPath("acme/app"),
				job.ID(), quickly))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

// TestFollowARetriedJob checks that the lines of a job end with the job, and
// that its retry has its own lines.
func TestFollowARetriedJob(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	app := serviceapi.ProjectPath("acme/app")
	first := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running(), servicetest.Trace("first\n"))
	again := make(chan *servicetest.Job, 1)
	svc.After(10*time.Second, func() {
		fmt.Fprintln(first, "failed")
		first.Fail("script_failure")
		retry := first.Retry()
		svc.After(5*time.Second, retry.Start)
		svc.After(6*time.Second, func() { fmt.Fprintln(retry, "second") })
		svc.After(9*time.Second, retry.Succeed)
		again <- retry
	})
	client := asRoot(t, svc)
	got, err := serviceapi.Collect(client.Jobs.Follow(t.Context(), app, first.ID(), quickly))
	require.NoError(t, err)
	assert.Equal(t, []string{"first", "failed"}, got)
	got, err = serviceapi.Collect(client.Jobs.Follow(t.Context(), app, (<-again).ID(), quickly))
	require.NoError(t, err)
	assert.Equal(t, []string{"second"}, got)
}

// Print the lines of a running job while it writes them.
func ExampleJobsService_Follow() {
	// The clock of this service moves by a second with each request.
	service, err := servicetest.Start(servicetest.WithTick(time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	job := service.Project("acme/shop").Pipeline("main").Job("test", servicetest.Running(),
		servicetest.Trace("$ make test\n"))
	service.After(10*time.Second, func() { fmt.Fprintln(job, "ok  shop/cart") })
	service.After(20*time.Second, func() { fmt.Fprintln(job, "ok  shop/till") })
	service.After(30*time.Second, job.Succeed)
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	often := serviceapi.WithPollInterval(time.Millisecond, 10*time.Millisecond) // poll a real service less often
	for line, err := range client.Jobs.Follow(ctx, shop, job.ID(), often) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(line)
	}
	ended, _, err := client.Jobs.Get(ctx, shop, job.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ended.Status)
	// Output:
	// $ make test
	// ok  shop/cart
	// ok  shop/till
	// success
}
