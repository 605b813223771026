package recipes_test

import (
	"context"
	"flag"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Take a project from the command line, by ID or by path. For the address of
// a page as well, take a string, and pass it to client.ParseProjectRef.
func Example_parseProjectRef() {
	var project serviceapi.ProjectRef
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.TextVar(&project, "project", serviceapi.ProjectRef{}, "ID or path")
	for _, arg := range []string{"42", "acme/shop"} {
		if err := flags.Parse([]string{"-project", arg}); err != nil {
			log.Fatal(err)
		}
		fmt.Println(project, project == serviceapi.ProjectID(42))
	}
	// Output:
	// 42 true
	// acme/shop false
}

// Count the variables of a project or a group with one function.
func Example_projectOrGroup() {
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
	service.Project("acme/shop")

	count := func(owner serviceapi.ProjectOrGroup) {
		variables, err := serviceapi.Collect(
			client.Variables.All(context.Background(), owner, nil))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(owner, len(variables))
	}
	count(serviceapi.GroupPath("acme"))
	count(serviceapi.ProjectPath("acme/shop"))
	// Output:
	// acme 0
	// acme/shop 0
}
