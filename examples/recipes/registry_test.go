package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// cleanRegistry deletes the old build images of all projects of a group. It
// keeps the five newest of each repository, and everything of the last week.
func cleanRegistry(ctx context.Context, client *serviceapi.Client,
	group serviceapi.GroupRef) error {
	rules := &serviceapi.DeleteRegistryTagsOptions{
		NameRegexDelete: "^build-.*$",
		KeepN:           5,
		OlderThan:       "7d",
	}
	var failures []error
	repositories := client.Registry.AllRepositories(ctx, group, nil)
	for repository, err := range repositories {
		if err != nil {
			return errors.Join(append(failures, err)...)
		}
		project := serviceapi.ProjectID(repository.ProjectID)
		_, err := client.Registry.DeleteTags(ctx, project, repository.ID, rules)
		if err != nil {
			// One that was cleaned within the last hour is refused.
			err = fmt.Errorf("%s: %w", repository.Path, err)
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// Clean the container registries of a group.
func Example_cleanRegistry() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	images := service.Project("acme/shop").RegistryRepository("")
	for week := range 7 {
		age := time.Duration(week) * 7 * 24 * time.Hour
		images.Push(fmt.Sprint("build-", 7-week),
			servicetest.CreatedAt(service.Now().Add(-age)))
	}
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	if err := cleanRegistry(ctx, client, acme); err != nil {
		log.Fatal(err)
	}
	service.Advance(time.Minute) // the service deletes the tags later
	fmt.Println(images.Tags())
	// Output: [build-3 build-4 build-5 build-6 build-7]
}
