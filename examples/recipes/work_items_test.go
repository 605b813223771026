package recipes_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// printPlan prints a work item and everything below it: epics, issues and
// tasks alike. It reads only what it prints.
func printPlan(ctx context.Context, client *serviceapi.Client,
	item serviceapi.WorkItemRef, depth int) error {
	w, _, err := client.WorkItems.Get(ctx, item,
		&serviceapi.GetWorkItemOptions{Parts: []serviceapi.WorkItemPart{
			serviceapi.WorkItemPartHierarchy,
		}})
	if err != nil {
		return err
	}
	fmt.Printf("%s%s: %s (%s)\n", strings.Repeat("  ", depth),
		w.Type, w.Title, strings.ToLower(string(w.State)))
	if len(w.Children) == 100 { // as many as the service sends at once
		return fmt.Errorf("%s may have more children", w.Title)
	}
	for _, child := range w.Children {
		err := printPlan(ctx, client, child.Ref(), depth+1)
		if err != nil {
			return err
		}
	}
	return nil
}

// Plan a release: an epic of the group, an issue of a project, and a task.
func Example_printPlan() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	issue := service.Project("acme/shop").Issue("Prices are wrong")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	epic, _, err := client.WorkItems.Create(ctx, serviceapi.GroupPath("acme"),
		serviceapi.CreateWorkItemOptions{
			Type:  serviceapi.WorkItemTypeNameEpic,
			Title: "Spring sale",
		})
	if err != nil {
		log.Fatal(err)
	}
	// An issue is a work item with the same number.
	parent, _, err := client.WorkItems.Update(ctx, shop.WorkItem(issue.IID()),
		serviceapi.UpdateWorkItemOptions{
			ParentID: serviceapi.Value(epic.ID),
		})
	if err != nil {
		log.Fatal(err)
	}
	task, _, err := client.WorkItems.Create(ctx, shop,
		serviceapi.CreateWorkItemOptions{
			Type:     serviceapi.WorkItemTypeNameTask,
			Title:    "Ask the supplier",
			ParentID: parent.ID,
		})
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = client.WorkItems.Update(ctx, task.Ref(),
		serviceapi.UpdateWorkItemOptions{
			StateEvent: new(serviceapi.WorkItemEventClose),
		})
	if err != nil {
		log.Fatal(err)
	}
	if err := printPlan(ctx, client, epic.Ref(), 0); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Epic: Spring sale (open)
	//   Issue: Prices are wrong (open)
	//     Task: Ask the supplier (closed)
}
