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
	svc, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer svc.Close()
	app := svc.Project("acme/app")
	app.Pipeline("main").Job("test")
	app.Pipeline("dev").Job("test", servicetest.Failed("script_failure"))

	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(svc.AdminToken()))
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
	pipelines := serviceapi.GraphQLAll(context.Background(), client, serviceapi.GraphQLRequest{
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
	}, func(p *page) *serviceapi.GraphQLConnection[pipeline] { return p.Project.Pipelines })
	for p, err := range pipelines {
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
	svc, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer svc.Close()
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(svc.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	svc.FailGraphQLField("Query.projects", "timed out")
	var data struct {
		CurrentUser struct {
			Username string `json:"username"`
		} `json:"currentUser"`
	}
	_, err = client.GraphQL.Query(context.Background(), serviceapi.GraphQLRequest{
		Query: `{ currentUser { username } projects { count } }`,
	}, &data)
	var refused *serviceapi.GraphQLError
	if errors.As(err, &refused) {
		fmt.Println(refused.Errors[0].Path, refused.Errors[0].Message)
	}
	fmt.Println(data.CurrentUser.Username)
	// Output:
	// projects timed out
	// root
}
