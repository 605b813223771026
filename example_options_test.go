package serviceapi_test

import (
	"cmp"
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Nil fields are left unchanged. Empty values clear the field.
func ExampleUpdateEnvironmentOptions() {
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
