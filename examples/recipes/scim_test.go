package recipes_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Remove the access of a user who left, as an identity provider does.
func Example_scimPatch() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Group("acme").ProvisionSCIM(service.User("ada"), "idp-1")

	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.BearerToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	filter := serviceapi.SCIMEqual(serviceapi.SCIMAttributeExternalID, "idp-1")
	acme := serviceapi.GroupPath("acme")
	options := &serviceapi.ListSCIMUsersOptions{Filter: filter}
	for user, err := range client.SCIM.All(ctx, acme, options) {
		if err != nil {
			log.Fatal(err)
		}
		if user.ExternalID != "idp-1" {
			continue // a service that ignores the filter sends everybody
		}
		_, err := client.SCIM.Patch(ctx, acme, user.ID,
			serviceapi.PatchSCIMUserOptions{
				Operations: []serviceapi.SCIMOperation{{
					Op:    serviceapi.SCIMOperatorReplace,
					Path:  "active",
					Value: false,
				}},
			})
		if err != nil {
			log.Fatal(err)
		}
		user, _, err = client.SCIM.Get(ctx, acme, user.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(user.UserName, *user.Active)
	}
	// Output: ada false
}
