package recipes_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// The token of a trigger is the only credential that starting a pipeline needs.
func Example_triggersRun() {
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

// A schedule starts pipelines at certain times. The embedded service does so
// when its clock advances.
func Example_pipelineSchedulesCreate() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	schedule, _, err := client.PipelineSchedules.Create(ctx, shop,
		serviceapi.CreatePipelineScheduleOptions{
			Description:  "Nightly build",
			Ref:          "main",
			Cron:         "0 4 * * mon-fri",
			CronTimezone: new("Europe/Berlin"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("next:", schedule.NextRunAt)
	service.Advance(24 * time.Hour)
	pipelines := client.PipelineSchedules.AllPipelines(ctx, shop, schedule.ID, nil)
	for pipeline, err := range pipelines {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(pipeline.CreatedAt, pipeline.Source, pipeline.Status)
	}
	// Output:
	// next: 2026-01-16 03:00:00 +0000 UTC
	// 2026-01-16 03:00:00 +0000 UTC schedule success
}

// A configuration that is wrong is no error of the call.
func Example_lintCheck() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	const content = `
build: {script: make}
test:  {script: make test, needs: [biuld]}
`
	result, _, err := client.Lint.Check(ctx, shop,
		serviceapi.LintOptions{Content: content})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("valid:", result.Valid)
	for _, problem := range result.Errors {
		fmt.Println(problem)
	}
	// Output:
	// valid: false
	// test job: undefined need: biuld
}
