package recipes_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// keptToken is what a program stores of an access token, in a file or a vault.
type keptToken struct {
	ID    int64
	Token serviceapi.Secret
}

// rotateToken replaces the token in a store. The service revokes the old token
// at once and shows the new one only once. If a program stops before it has
// stored the new token, nobody knows that token. The next run finds it by its
// name, which a rotation keeps, and rotates it.
//
// The client uses another credential, which may manage the project's tokens.
// Only one active token may have the name.
func rotateToken(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, name string, days int,
	store func(keptToken) error) error {
	options := &serviceapi.ListAccessTokensOptions{
		State:  serviceapi.AccessTokenStateActive,
		Search: name,
	}
	var found []*serviceapi.AccessToken
	for token, err := range client.AccessTokens.All(ctx, project, options) {
		if err != nil {
			return err
		}
		if token.Name == name && token.Active {
			found = append(found, token)
		}
	}
	if len(found) != 1 {
		return fmt.Errorf("%d active tokens %q", len(found), name)
	}
	// Without a day, the new token works for a week only.
	until := serviceapi.DateOf(time.Now().UTC().AddDate(0, 0, days))
	issued, _, err := client.AccessTokens.Rotate(ctx, project, found[0].ID,
		serviceapi.RotateAccessTokenOptions{ExpiresAt: &until})
	if err != nil {
		return err
	}
	return store(keptToken{issued.ID, issued.Token})
}

// Rotate a token so that a crash before storing it does no harm.
func Example_accessTokensRotate() {
	service, err := servicetest.Start(servicetest.WithClock(time.Now))
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
	shop.AccessToken(servicetest.Developer, servicetest.Name("deploy"))
	ctx, project := context.Background(), serviceapi.ProjectID(shop.ID())

	// The first run stops before it has stored the token.
	var lost keptToken
	crash := func(t keptToken) error {
		lost = t
		return fmt.Errorf("the disk is full")
	}
	err = rotateToken(ctx, client, project, "deploy", 90, crash)
	fmt.Println("first run:", err)

	// The second run works as if nothing had happened.
	var kept keptToken
	store := func(t keptToken) error {
		kept = t
		return nil
	}
	err = rotateToken(ctx, client, project, "deploy", 90, store)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("lost token works:", service.TokenWorks(lost.Token.Reveal()))
	fmt.Println("kept token works:", service.TokenWorks(kept.Token.Reveal()))
	fmt.Println("printed:", kept.Token)
	// Output:
	// first run: the disk is full
	// lost token works: false
	// kept token works: true
	// printed: [redacted]
}
