package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// An identity provider takes away the access of somebody who left.
func ExampleSCIMService_Patch() {
	svc, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer svc.Close()
	svc.Group("acme").ProvisionSCIM(svc.User("ada"), "idp-1")

	client, err := serviceapi.NewClient(svc.URL(), serviceapi.BearerToken(svc.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	filter := serviceapi.SCIMEqual(serviceapi.SCIMAttributeExternalID, "idp-1")
	for user, err := range client.SCIM.All(ctx, serviceapi.GroupPath("acme"), &serviceapi.ListSCIMUsersOptions{Filter: filter}) {
		if err != nil {
			log.Fatal(err)
		}
		_, err := client.SCIM.Patch(ctx, serviceapi.GroupPath("acme"), user.ID, serviceapi.PatchSCIMUserOptions{
			Operations: []serviceapi.SCIMOperation{{Op: serviceapi.SCIMReplace, Path: "active", Value: false}},
		})
		if err != nil {
			log.Fatal(err)
		}
		user, _, err = client.SCIM.Get(ctx, serviceapi.GroupPath("acme"), user.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(user.UserName, *user.Active)
	}
	// Output: ada false
}
