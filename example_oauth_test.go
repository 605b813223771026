package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"golang.org/x/oauth2"
)

// Sign a user in on a terminal, and keep the token in a file that other
// programs share.
func ExampleSignInOnDevice() {
	ctx := context.Background()
	const baseURL, clientID = "https://service.example.com", "the-application-id"
	anonymous, err := serviceapi.NewClient(baseURL, serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}
	token, err := serviceapi.SignInOnDevice(ctx, anonymous,
		serviceapi.SignInOnDeviceOptions{
			ClientID: clientID, Scope: serviceapi.OAuthScopes{"read_api"},
		},
		func(d *serviceapi.DeviceAuthorization) error {
			_, err := fmt.Printf("Open %s and enter %s\n",
				d.VerificationURI, d.UserCode)
			return err
		})
	if err != nil {
		log.Fatal(err)
	}

	store := serviceapi.NewTokenFile("token.json")
	if err := store.Save(ctx, token); err != nil {
		log.Fatal(err)
	}
	endpoint, err := serviceapi.OAuth2Endpoint(baseURL)
	if err != nil {
		log.Fatal(err)
	}
	source, err := serviceapi.NewTokenSource(
		&oauth2.Config{ClientID: clientID, Endpoint: endpoint},
		nil, // the token is in the store
		&serviceapi.TokenSourceOptions{Store: store})
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(baseURL, serviceapi.OAuth2(source))
	if err != nil {
		log.Fatal(err)
	}
	user, _, err := client.Users.Current(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("signed in as", user.Username)
}

// Sign the program out: neither its access token nor its refresh token works
// afterwards.
func ExampleOAuthService_Revoke() {
	client, err := serviceapi.NewClient("https://service.example.com",
		serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}
	stored, err := serviceapi.NewTokenFile("token.json").Load(context.Background())
	if err != nil || stored == nil {
		log.Fatal("not signed in: ", err)
	}
	_, err = client.OAuth.Revoke(context.Background(),
		serviceapi.OAuthTokenOptions{
			ClientID: "the-application-id",
			Token:    serviceapi.NewSecret(stored.RefreshToken),
		})
	if err != nil {
		log.Fatal(err)
	}
}
