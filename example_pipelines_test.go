package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// The token of a trigger is the only credential that starting a pipeline needs.
func ExampleTriggersService_Run() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	trigger := service.Project("acme/shop").Trigger("deploy from chat")
	client, err := serviceapi.NewClient(service.URL(), serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	pipeline, _, err := client.Triggers.Run(ctx, shop,
		serviceapi.RunTriggerOptions{
			Token: serviceapi.NewSecret(trigger.Token()),
			Ref:   "main",
			Variables: map[string]serviceapi.Secret{
				"DEPLOY_TO": serviceapi.NewSecret("staging"),
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pipeline.Source, pipeline.Ref, pipeline.User.Username)
	// Output:
	// trigger main root
}
