package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Only the response of CreateToken contains the token, so it goes to the
// agent at once.
func ExampleClusterAgentsService_CreateToken() {
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
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	agent, _, err := client.ClusterAgents.Create(ctx, shop,
		serviceapi.CreateClusterAgentOptions{Name: "eu-1"})
	if err != nil {
		log.Fatal(err)
	}
	token, _, err := client.ClusterAgents.CreateToken(ctx, shop, agent.ID,
		serviceapi.CreateClusterAgentTokenOptions{Name: "first"})
	if err != nil {
		log.Fatal(err)
	}
	install := func(agent, token string) { fmt.Println("installed", agent) }
	install(agent.Name, token.Token.Reveal())
	fmt.Println(token.Token)
	// Output:
	// installed eu-1
	// [redacted]
}

// Nobody should deploy from Friday evening to Monday morning.
func ExampleFreezePeriodsService_Create() {
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
	shop := service.Project("acme/shop")

	_, _, err = client.FreezePeriods.Create(context.Background(),
		serviceapi.ProjectPath("acme/shop"), serviceapi.CreateFreezePeriodOptions{
			FreezeStart: "0 18 * * fri", FreezeEnd: "0 7 * * mon",
			CronTimezone: new("Europe/Berlin"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(service.Now().Weekday(), shop.Frozen())
	service.Advance(2 * 24 * time.Hour)
	fmt.Println(service.Now().Weekday(), shop.Frozen())
	// Output:
	// Thursday false
	// Saturday true
}

// Two jobs that deploy do not run at once: the second one waits.
func ExampleResourceGroupsService_CurrentJob() {
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
	service.Project("acme/shop").Pipeline("main").Job("deploy",
		servicetest.Running(), servicetest.InResourceGroup("production"))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	for job, err := range client.Jobs.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		holder, _, err := client.ResourceGroups.CurrentJob(ctx, shop, "production")
		if err != nil {
			log.Fatal(err)
		}
		if holder != nil { // nil if no job has the group
			fmt.Println(job.Name, holder.ID == job.ID)
		}
	}
	// Output: deploy true
}
