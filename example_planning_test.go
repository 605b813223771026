package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Which issues belong to the iteration that a group is in?
func ExampleIterationsService_All() {
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
	sprint := shop.Group().Iteration(servicetest.Iteration{
		Title: "Sprint 1",
		Start: time.Date(2026, 1, 12, 0, 0, 0, 0, time.UTC),
		Due:   time.Date(2026, 1, 23, 0, 0, 0, 0, time.UTC),
	})
	shop.Issue("Prices are wrong", servicetest.InIteration(sprint))

	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	current := client.Iterations.All(ctx, acme,
		&serviceapi.ListIterationsOptions{
			State: serviceapi.IterationStateFilterCurrent,
		})
	for iteration, err := range current {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(iteration.Title, "until", iteration.DueDate)
		issues := client.Issues.All(ctx, acme,
			&serviceapi.ListIssuesOptions{
				IterationID: serviceapi.NumberIs(iteration.ID),
			})
		for issue, err := range issues {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(issue.References.Full, issue.Title)
		}
	}
	// Output:
	// Sprint 1 until 2026-01-23
	// acme/shop#1 Prices are wrong
}

// Send merge requests from branches of developers to the branch "develop".
func ExampleTargetBranchRulesService_Create() {
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
	rule, _, err := client.TargetBranchRules.Create(ctx, shop,
		serviceapi.CreateTargetBranchRuleOptions{
			Name: "dev/*", TargetBranch: "develop",
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rule.Name, rule.TargetBranch, rule.ID)
	// Output: dev/* develop gid://service/Projects::TargetBranchRule/1
}
