package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"golang.org/x/oauth2"
)

// Every example runs against an embedded service. A program passes the address
// and the token of a real one to NewClient.
func Example() {
	service, err := servicetest.Start() // instead of a real one
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("lint")
	pipeline.Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	options := &serviceapi.ListJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed},
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for job, err := range client.Jobs.All(ctx, shop, options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.ID, job.Name, job.FailureReason)
	}
	// Output: 2 test script_failure
}

// Read the instance and the credential from the environment.
func ExampleFromEnv() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	os.Setenv("SERVICE_BASE_URL", service.URL()) // as a shell would
	os.Setenv("SERVICE_TOKEN", service.Token(service.User("ada")))
	defer os.Unsetenv("SERVICE_BASE_URL")
	defer os.Unsetenv("SERVICE_TOKEN")

	client, err := serviceapi.FromEnv(
		serviceapi.WithUserAgent("nightly-report/1.2"))
	if err != nil {
		log.Fatal(err)
	}
	user, _, err := client.Users.Current(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Username)
	// Output: ada
}

// A derived client shares the connections of the original, which does not
// change.
func ExampleClient_With() {
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
	ada := service.User("ada")

	asAda, err := client.With(
		serviceapi.WithCredential(serviceapi.PrivateToken(service.Token(ada))),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range []*serviceapi.Client{client, asAda} {
		user, _, err := c.Users.Current(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(user.Username)
	}
	// Output:
	// root
	// ada
}

func ExampleNewTokenSource() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/app").Pipeline("main").Job("test")
	app := service.OAuthApplication("deployer")
	grant := app.Authorize(service.Root())

	endpoint, err := serviceapi.OAuth2Endpoint(service.URL())
	if err != nil {
		log.Fatal(err)
	}
	source, err := serviceapi.NewTokenSource(
		&oauth2.Config{
			ClientID:     app.ClientID(),
			ClientSecret: app.ClientSecret(),
			Endpoint:     endpoint,
		},
		&oauth2.Token{
			AccessToken:  grant.AccessToken(),
			RefreshToken: grant.RefreshToken(),
		},
		&serviceapi.TokenSourceOptions{OnRefresh: func(*oauth2.Token) {
			fmt.Println("a new token, to be stored")
		}})
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.OAuth2(source))
	if err != nil {
		log.Fatal(err)
	}
	grant.RevokeAccessToken() // the library notices this by the 401
	job, _, err := client.Jobs.Get(context.Background(),
		serviceapi.ProjectPath("acme/app"), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Name)
	// Output:
	// a new token, to be stored
	// test
}

// A flag that holds an ID, a path, or an address from the browser or a clone.
func ExampleClient_ParseProjectRef() {
	client, err := serviceapi.NewClient("https://service.example.com",
		serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}
	for _, flag := range []string{
		"42",
		"acme/shop",
		"https://service.example.com/acme/shop/-/issues/3",
		"git@service.example.com:acme/shop.git",
		"https://elsewhere.example.com/acme/shop",
	} {
		project, err := client.ParseProjectRef(flag)
		if err != nil {
			fmt.Println("no project of this instance:", flag)
			continue
		}
		fmt.Println(project)
	}
	// Output:
	// 42
	// acme/shop
	// acme/shop
	// acme/shop
	// no project of this instance: https://elsewhere.example.com/acme/shop
}
