package serviceapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A sentinel tests the status of an error; its fields have everything else.
func ExampleError() {
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
	service.Project("acme/shop").Environment("staging")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.Environments.Create(ctx, shop,
		serviceapi.CreateEnvironmentOptions{Name: "staging"})
	if errors.Is(err, serviceapi.ErrBadRequest) {
		fmt.Println("not created")
	}
	if e, ok := errors.AsType[*serviceapi.Error](err); ok {
		fmt.Println(e.StatusCode, e.Operation, e.Fields["name"])
	}
	// Output:
	// not created
	// 400 /projects/:id/environments [has already been taken]
}

// A write that failed is repeated only if the service did not execute it.
func ExampleMayHaveExecuted() {
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
	service.Fault("POST /projects/:id/environments",
		servicetest.Status(http.StatusBadGateway, ""), servicetest.Times(1))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	options := serviceapi.CreateEnvironmentOptions{Name: "review"}
	_, _, err = client.Environments.Create(ctx, shop, options)
	switch {
	case err == nil:
		fmt.Println("created")
	case !serviceapi.MayHaveExecuted(err):
		fmt.Println("not executed; try again")
	default:
		found, err := serviceapi.Collect(client.Environments.All(ctx, shop,
			&serviceapi.ListEnvironmentsOptions{Name: "review"}))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("looked:", len(found), "environments")
	}
	// Output: looked: 0 environments
}

// Limit retries for a client or, as here, for one call.
func ExampleWithRetry() {
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
	service.Fault("GET /projects/:id", servicetest.Status(503, ""))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.Projects.Get(ctx, shop, nil,
		serviceapi.WithRetry(serviceapi.RetryPolicy{
			MaxAttempts: 3,
			MinWait:     time.Millisecond,
		}))
	if e, ok := errors.AsType[*serviceapi.Error](err); ok {
		fmt.Println(e.StatusCode, "after", e.Attempts, "attempts")
	}
	// Output: 503 after 3 attempts
}

// If null has a meaning of its own, a field can be absent, null or a value.
func ExampleNullable() {
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
	ada, ctx := service.User("ada"), context.Background()

	for _, minutes := range []serviceapi.Nullable[int64]{
		serviceapi.Value[int64](2000), // a month
		serviceapi.Value[int64](0),    // no limit
		serviceapi.Null[int64](),      // the default of the instance
		{},                            // as it is
	} {
		user, _, err := client.Users.Update(ctx, serviceapi.UserID(ada.ID()),
			serviceapi.UpdateUserOptions{SharedRunnersMinutesLimit: minutes})
		if err != nil {
			log.Fatal(err)
		}
		if limit := user.SharedRunnersMinutesLimit; limit == nil {
			fmt.Println("default")
		} else {
			fmt.Println(*limit)
		}
	}
	// Output:
	// 2000
	// 0
	// default
	// default
}

// An endpoint that the library does not know can be called, too, with
// its credentials, retries and errors.
func ExampleClient_Do() {
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
	service.Project("acme/shop").Pipeline("main").Job("test")

	var reply struct{ Name, Stage string }
	job := serviceapi.Route("/projects/:id/jobs/:job_id",
		serviceapi.ProjectPath("acme/shop"), 1)
	_, err = client.Do(context.Background(), http.MethodGet, job, nil, &reply)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Name, reply.Stage)
	// Output: test test
}

// A middleware sees every attempt. Operation names it without IDs, for metrics
// and spans.
func ExampleWithMiddleware() {
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
	service.Fault("GET /projects/:id",
		servicetest.Status(503, ""), servicetest.Times(1))

	measure := func(next http.RoundTripper) http.RoundTripper {
		attempt := func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				operation := serviceapi.Operation(r.Context())
				fmt.Println(r.Method, operation, resp.StatusCode)
			}
			return resp, err
		}
		return serviceapi.RoundTripFunc(attempt)
	}
	measured, err := client.With(serviceapi.WithMiddleware(measure))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	if _, _, err := measured.Projects.Get(ctx, shop, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// GET /projects/:id 503
	// GET /projects/:id 200
}

// Show the requests and responses of one call, without the credential.
func ExampleWithDump() {
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

	var dump bytes.Buffer
	_, _, err = client.Projects.Get(context.Background(),
		serviceapi.ProjectPath("acme/shop"), nil,
		serviceapi.WithDump(&dump, serviceapi.DumpOptions{Curl: true}))
	if err != nil {
		log.Fatal(err)
	}
	command, _, _ := strings.Cut(dump.String(), "\n")
	fmt.Println(strings.ReplaceAll(command, service.URL(), "https://example.com"))
	// Output: curl -X GET 'https://example.com/api/v4/projects/acme%2Fshop' \
}
