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

// All projects of a group show the state of their pipelines.
func ExampleBadgesService_Create() {
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
	ctx := context.Background()

	_, _, err = client.Badges.Create(ctx, serviceapi.GroupPath("acme"),
		serviceapi.CreateBadgeOptions{
			Name:     new("Pipelines"),
			LinkURL:  "https://ci.example.com/%{project_path}",
			ImageURL: "https://ci.example.com/%{project_path}/%{group_name}.svg",
		})
	if err != nil {
		log.Fatal(err)
	}
	shop := serviceapi.ProjectPath("acme/shop")
	for badge, err := range client.Badges.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(badge.Kind, badge.RenderedImageURL)
	}
	// Output: group https://ci.example.com/acme/shop/Acme.svg
}

// Two words for the same become one.
func ExampleTopicsService_Merge() {
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
	service.Project("acme/shop", servicetest.Topics("go"))
	service.Project("acme/site", servicetest.Topics("golang"))
	ctx, ids := context.Background(), map[string]int64{}
	for topic, err := range client.Topics.All(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		ids[topic.Name] = topic.ID
	}

	topic, _, err := client.Topics.Merge(ctx, serviceapi.MergeTopicsOptions{
		SourceTopicID: ids["golang"], TargetTopicID: ids["go"],
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(topic.Name, topic.TotalProjectsCount)
	// Output: go 2
}
