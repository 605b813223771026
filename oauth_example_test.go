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
	svc, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer svc.Close()
	svc.Project("acme/app").Pipeline("main").Job("test")
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(svc.Root())

	endpoint, err := serviceapi.OAuth2Endpoint(svc.URL())
	if err != nil {
		log.Fatal(err)
	}
	source, err := serviceapi.NewTokenSource(
		&oauth2.Config{ClientID: app.ClientID(), ClientSecret: app.ClientSecret(), Endpoint: endpoint},
		&oauth2.Token{AccessToken: grant.AccessToken(), RefreshToken: grant.RefreshToken()},
		&serviceapi.TokenSourceOptions{OnRefresh: func(*oauth2.Token) {
			fmt.Println("a new token, to be stored")
		}})
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.OAuth2(source))
	if err != nil {
		log.Fatal(err)
	}
	grant.RevokeAccessToken() // the library notices by the answer 401
	job, _, err := client.Jobs.Get(context.Background(), serviceapi.ProjectPath("acme/app"), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Name)
	// Output:
	// a new token, to be stored
	// test
}
