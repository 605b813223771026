package recipes_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Call as another user, as an administrator.
func Example_withSudo() {
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
func Example_withCredential() {
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

// A credential never prints its secret.
func Example_privateToken() {
	client, err := serviceapi.NewClient("https://api.example.com",
		serviceapi.PrivateToken("very-secret"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", client)
	// Output: serviceapi.Client(https://api.example.com, PrivateToken([redacted]))
}

// Public data can be read without a credential.
func Example_anonymous() {
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
