package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"golang.org/x/oauth2"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func ExampleNewTokenSource() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/app").Pipeline("main").Job("test")
	app := service.OAuthApplication("deployer")
	grant := app.Authorize(service.Root())

	endpoint, err := serviceapi.OAuth2Endpoint(service.URL())
	if err != nil {
		log.Fatal(err)
	}
	source, err := serviceapi.NewTokenSource(
		&oauth2.Config{
			ClientID:     app.ClientID(),
			ClientSecret: app.ClientSecret(),
			Endpoint:     endpoint,
		},
		&oauth2.Token{
			AccessToken:  grant.AccessToken(),
			RefreshToken: grant.RefreshToken(),
		},
		&serviceapi.TokenSourceOptions{OnRefresh: func(*oauth2.Token) {
			fmt.Println("a new token, to be stored")
		}})
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.OAuth2(source))
	if err != nil {
		log.Fatal(err)
	}
	grant.RevokeAccessToken() // the library notices this by the 401
	job, _, err := client.Jobs.Get(context.Background(),
		serviceapi.ProjectPath("acme/app"), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Name)
	// Output:
	// a new token, to be stored
	// test
}
