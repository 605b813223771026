package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func Example_graphqlQuery() {
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
