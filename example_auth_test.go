package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

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

// Call as another user, as an administrator.
func ExampleWithSudo() {
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
	service.User("ada")

	user, _, err := client.Users.Current(context.Background(),
		serviceapi.WithSudo(serviceapi.Username("ada")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Username)
	// Output: ada
}

// Use another credential for one call.
func ExampleWithCredential() {
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

	current, _, err := client.Jobs.Current(context.Background(),
		serviceapi.WithCredential(serviceapi.JobToken(job.Token())))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(current.Name, current.Status)
	// Output: test running
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

// A credential never prints its secret.
func ExamplePrivateToken() {
	client, err := serviceapi.NewClient("https://api.example.com",
		serviceapi.PrivateToken("very-secret"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", client)
	// Output: serviceapi.Client(https://api.example.com, PrivateToken([redacted]))
}

// Public data can be read without a credential.
func ExampleAnonymous() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/public", servicetest.Public())
	service.Project("acme/secret")

	client, err := serviceapi.NewClient(service.URL(), serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for project, err := range client.Projects.All(ctx, serviceapi.Instance, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(project.PathWithNamespace)
	}
	// Output: acme/public
}
