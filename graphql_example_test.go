package serviceapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func ExampleGraphQLAll() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	app := service.Project("acme/app")
	app.Pipeline("main").Job("test")
	app.Pipeline("dev").Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	type pipeline struct {
		Ref    string `json:"ref"`
		Status string `json:"status"`
	}
	type page struct {
		Project struct {
			Pipelines *serviceapi.GraphQLConnection[pipeline] `json:"pipelines"`
		} `json:"project"`
	}
	request := serviceapi.GraphQLRequest{
		Query: `query ($path: ID!, $after: String) {
			project(fullPath: $path) {
				pipelines(first: 1, after: $after) {
					nodes { ref status }
					pageInfo { hasNextPage endCursor }
				}
			}
		}`,
		Variables:  map[string]any{"path": "acme/app"},
		Repeatable: true, // it is a query
	}
	inPage := func(p *page) *serviceapi.GraphQLConnection[pipeline] {
		return p.Project.Pipelines
	}
	ctx := context.Background()
	for p, err := range serviceapi.GraphQLAll(ctx, client, request, inPage) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Ref, p.Status)
	}
	// Output:
	// dev FAILED
	// main SUCCESS
}

func ExampleGraphQLService_Query() {
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
	service.FailGraphQLField("Query.projects", "timed out")
	var data struct {
		CurrentUser struct {
			Username string `json:"username"`
		} `json:"currentUser"`
	}
	request := serviceapi.GraphQLRequest{
		Query: `{ currentUser { username } projects { count } }`,
	}
	_, err = client.GraphQL.Query(context.Background(), request, &data)
	var refused *serviceapi.GraphQLError
	if errors.As(err, &refused) {
		fmt.Println(refused.Errors[0].Path, refused.Errors[0].Message)
	}
	fmt.Println(data.CurrentUser.Username)
	// Output:
	// projects timed out
	// root
}
