package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A new project gets a license, with its owner's name and the year.
func ExampleTemplatesService_GetLicense() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(), serviceapi.Anonymous())
	if err != nil {
		log.Fatal(err)
	}

	license, _, err := client.Templates.GetLicense(context.Background(),
		serviceapi.Instance, "mit",
		&serviceapi.GetLicenseTemplateOptions{Fullname: "Ada Lovelace"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(license.Content)
	// Output:
	// MIT License
	//
	// Copyright (c) 2026 Ada Lovelace
}

func ExampleMarkdownService_Render() {
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

	text, _, err := client.Markdown.Render(context.Background(),
		serviceapi.RenderMarkdownOptions{
			Text: "Ready *soon*", GFM: new(true),
			Project: serviceapi.ProjectPath("acme/shop"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.HTML)
	// Output: <p dir="auto">Ready <em>soon</em></p>
}
