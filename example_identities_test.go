package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A new member of a team brings along the key that commits are signed with.
func ExampleGPGKeysService_Create() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.Token(service.User("ada"))))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	armored, err := os.ReadFile("testdata/gpg_keys/ada.asc")
	if err != nil {
		log.Fatal(err)
	}

	key, _, err := client.GPGKeys.Create(ctx, serviceapi.Own,
		serviceapi.CreateGPGKeyOptions{Key: string(armored)})
	if err != nil {
		log.Fatal(err)
	}
	first, _, _ := strings.Cut(key.Key, "\n")
	fmt.Println(key.ID, first)
	// Output: 1 -----BEGIN PGP PUBLIC KEY BLOCK-----
}

// Link a group of the directory, and read its members at once.
func ExampleLDAPLinksService_Sync() {
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
	service.Group("acme")
	service.LDAPGroup("ldapmain", "developers")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	developers := serviceapi.CreateLDAPLinkOptions{
		CN: "developers", Provider: "ldapmain",
		GroupAccess: serviceapi.AccessLevelDeveloper,
	}
	link, _, err := client.LDAPLinks.Create(ctx, acme, developers)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := client.LDAPLinks.Sync(ctx, acme)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(link.CN, link.GroupAccess, resp.StatusCode)
	// Output: developers Developer 202
}

// Everybody in a group of the identity provider becomes a reporter.
func ExampleSAMLLinksService_Create() {
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
	service.Group("acme")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	_, _, err = client.SAMLLinks.Create(ctx, acme, serviceapi.CreateSAMLLinkOptions{
		SAMLGroupName: "Engineering/EU",
		AccessLevel:   serviceapi.AccessLevelReporter,
	})
	if err != nil {
		log.Fatal(err)
	}
	link, _, err := client.SAMLLinks.Get(ctx, acme, "Engineering/EU", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(link.Name, link.AccessLevel)
	// Output: Engineering/EU Reporter
}

// An identity provider has given a user another ID.
func ExampleIdentitiesService_Update() {
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
	service.Group("acme").ProvisionSCIM(service.User("ada"), "ada@old.example")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	identity, _, err := client.Identities.Update(ctx, acme,
		serviceapi.IdentityKindSCIM, "ada@old.example",
		serviceapi.UpdateIdentityOptions{ExternUID: "ada@new.example"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(identity.ExternUID, *identity.Active)
	// Output: ada@new.example true
}
