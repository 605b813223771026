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

// Create a project in a group, with the settings that all projects of a company
// have.
func Example_projectsCreate() {
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
	ctx := context.Background()

	group, _, err := client.Groups.Get(ctx, serviceapi.GroupPath("acme"),
		&serviceapi.GetGroupOptions{WithProjects: new(false)})
	if err != nil {
		log.Fatal(err)
	}
	project, _, err := client.Projects.Create(ctx, serviceapi.CreateProjectOptions{
		Name:                             "The Shop",
		Path:                             "shop",
		Namespace:                        serviceapi.NamespaceID(group.ID),
		InitializeWithReadme:             new(true),
		MergeMethod:                      new(serviceapi.MergeMethodFastForward),
		OnlyAllowMergeIfPipelineSucceeds: new(true),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(project.PathWithNamespace, project.DefaultBranch)
	fmt.Println(project.MergeMethod, *project.OnlyAllowMergeIfPipelineSucceeds)
	// Output:
	// acme/shop main
	// ff true
}

// A fork is filled in the background.
func Example_projectsFork() {
	// The clock of the service moves by a second with each request.
	service, err := servicetest.Start(servicetest.WithTick(time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop", servicetest.Public())
	ada := service.Token(service.User("ada"))
	credential := serviceapi.PrivateToken(ada)
	client, err := serviceapi.NewClient(service.URL(), credential)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	fork, _, err := client.Projects.Fork(ctx, serviceapi.ProjectPath("acme/shop"),
		serviceapi.ForkProjectOptions{})
	if errors.Is(err, serviceapi.ErrConflict) {
		fmt.Println("there is a project with that name")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	status, err := client.ProjectImport.Wait(ctx, fork.Ref(),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fork.PathWithNamespace, status.ImportStatus)
	// Output: ada/shop finished
}

// List the groups below a group, with their projects.
func Example_projectsAllOfGroup() {
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
	service.Project("acme/platform/api")
	service.Project("acme/shop/web")
	ctx := context.Background()

	acme := serviceapi.GroupPath("acme")
	for group, err := range client.Groups.All(ctx, acme, nil) {
		if err != nil {
			log.Fatal(err)
		}
		projects := client.Projects.All(ctx, group.Ref(), nil)
		for project, err := range projects {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(group.Name, project.Name)
		}
	}
	// Output:
	// Platform Api
	// Shop Web
}

// List the namespaces in which the caller may create projects.
func Example_namespacesAll() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada := service.User("ada")
	service.Group("acme", servicetest.Member(ada, servicetest.Maintainer))
	credential := serviceapi.PrivateToken(service.Token(ada))
	client, err := serviceapi.NewClient(service.URL(), credential)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	for namespace, err := range client.Namespaces.All(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(namespace.Kind, namespace.FullPath)
	}
	// Output:
	// group acme
	// user ada
}

// Create a variable for the jobs that deploy to production, and one for all
// others.
func Example_variablesCreate() {
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
	service.Project("acme/shop").Variable("API_TOKEN", "token-for-tests")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	options := serviceapi.CreateVariableOptions{
		Key:              "API_TOKEN",
		Value:            serviceapi.NewSecret("token-for-production"),
		EnvironmentScope: new("production"),
		Protected:        new(true),
		Masked:           new(true),
	}
	_, _, err = client.Variables.Create(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	for variable, err := range client.Variables.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(variable.Key, variable.EnvironmentScope, variable.Value)
	}
	_, _, err = client.Variables.Get(ctx, shop, "API_TOKEN", nil)
	fmt.Println("one of two:", errors.Is(err, serviceapi.ErrConflict))
	// Output:
	// API_TOKEN * [redacted]
	// API_TOKEN production [redacted]
	// one of two: true
}

// Create a key for the next month.
func Example_sshKeysCreate() {
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
	ctx := context.Background()
	// In a program: os.ReadFile of the file id_ed25519.pub.
	const public = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkB" +
		"B4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK ada"

	options := serviceapi.CreateSSHKeyOptions{
		Title:     "laptop",
		Key:       public,
		ExpiresAt: new(serviceapi.NewDate(2026, time.February, 15)),
	}
	_, _, err = client.SSHKeys.Create(ctx, serviceapi.Own, options)
	if err != nil {
		log.Fatal(err)
	}
	for key, err := range client.SSHKeys.All(ctx, serviceapi.Own, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(key.Title, key.ExpiresAt.Format(time.DateOnly))
	}
	// Output: laptop 2026-02-15
}

// Give a site a domain, and say which record proves that it is yours.
func Example_pagesCreateDomain() {
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
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	options := serviceapi.CreatePagesDomainOptions{
		Domain:         "shop.example",
		AutoSSLEnabled: new(true),
	}
	domain, _, err := client.Pages.CreateDomain(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(domain.Domain, "is verified:", domain.Verified)
	fmt.Println("TXT with", len(domain.VerificationCode), "characters")
	// Output:
	// shop.example is verified: false
	// TXT with 32 characters
}
