package recipes_test

import (
	"cmp"
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Nil fields are left unchanged. Empty values clear the field.
func Example_updateEnvironmentOptions() {
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
	service.Project("acme/shop").Environment("review/7",
		servicetest.ExternalURL("https://7.example.com"))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	for _, options := range []serviceapi.UpdateEnvironmentOptions{
		{Tier: new(serviceapi.EnvironmentTierTesting)},
		{ExternalURL: new("https://review.example.com")},
		{ExternalURL: new("")},
	} {
		environment, _, err := client.Environments.Update(ctx, shop, 1, options)
		if err != nil {
			log.Fatal(err)
		}
		address := cmp.Or(environment.ExternalURL, "none")
		fmt.Println(environment.Tier, address)
	}
	// Output:
	// testing https://7.example.com
	// testing https://review.example.com
	// testing none
}

// Keyset pagination stays fast on long lists. Loops look the same.
func Example_pagination() {
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
