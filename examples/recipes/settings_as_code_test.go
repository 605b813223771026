package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A labelChange is a step from the labels that there are to those that a file
// in a repository wants.
type labelChange struct {
	what string
	make func(context.Context) error
}

// planLabels compares the labels of a project with those that are wanted. If
// nothing differs, there are no changes: a second run does nothing, as long as
// the file has colors as #rrggbb: the service converts the name of a color.
// Labels that nobody wants are deleted only if prune is set. A label of a
// parent group is there already. Only the group can change it: if it differs,
// an error says so, beside the changes.
func planLabels(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, wanted []serviceapi.CreateLabelOptions,
	prune bool) (changes []labelChange, err error) {
	if prune && len(wanted) == 0 {
		return nil, errors.New("an empty file would delete all labels")
	}
	there := map[string]*serviceapi.Label{}
	for label, err := range client.Labels.All(ctx, project, nil) {
		if err != nil {
			return nil, err
		}
		if there[label.Name] == nil || isOwn(label) {
			there[label.Name] = label
		}
	}
	var problems []error
	for _, want := range wanted {
		label := there[want.Name]
		delete(there, want.Name)
		switch {
		case label == nil:
			changes = append(changes, labelChange{"create " + want.Name,
				func(ctx context.Context) error {
					_, _, err := client.Labels.Create(ctx, project, want)
					return err
				}})
		case !differs(label, want):
		case !isOwn(label):
			problems = append(problems, fmt.Errorf(
				"label %q differs: change it in the parent group", want.Name))
		default:
			changes = append(changes, labelChange{"change " + want.Name,
				func(ctx context.Context) error {
					change := serviceapi.UpdateLabelOptions{
						Color: &want.Color, Description: want.Description,
					}
					if want.Priority != nil {
						change.Priority = serviceapi.Value(*want.Priority)
					}
					_, _, err := client.Labels.Update(ctx, project,
						label.Ref(), change)
					return err
				}})
		}
	}
	for name, label := range there {
		if prune && isOwn(label) {
			changes = append(changes, labelChange{"delete " + name,
				func(ctx context.Context) error {
					_, err := client.Labels.Delete(ctx, project, label.Ref())
					return err
				}})
		}
	}
	slices.SortFunc(changes, func(a, b labelChange) int {
		return strings.Compare(a.what, b.what)
	})
	return changes, errors.Join(problems...)
}

// isOwn reports whether a label belongs to the project itself, and not to a
// parent group.
func isOwn(label *serviceapi.Label) bool {
	return label.IsProjectLabel == nil || *label.IsProjectLabel
}

// differs reports whether a label is not as it is wanted.
func differs(label *serviceapi.Label,
	want serviceapi.CreateLabelOptions) bool {
	return !strings.EqualFold(label.Color, want.Color) ||
		want.Description != nil && label.Description != *want.Description ||
		want.Priority != nil && (label.Priority == nil ||
			*label.Priority != *want.Priority)
}

// Bring the labels of a project to what a file says: show the plan, apply it,
// and see that a second plan is empty.
func Example_planLabels() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	shop := service.Project("acme/shop")
	shop.Label("bug", "#ff0000", "")
	shop.Label("old", "#000000", "")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, project := context.Background(), serviceapi.ProjectPath("acme/shop")
	wanted := []serviceapi.CreateLabelOptions{
		{Name: "bug", Color: "#d9534f", Description: new("It is broken")},
		{Name: "idea", Color: "#00ff00"},
	}

	for range 2 {
		changes, err := planLabels(ctx, client, project, wanted, true)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(changes), "changes")
		for _, change := range changes {
			fmt.Println(" ", change.what)
			if err := change.make(ctx); err != nil {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// 3 changes
	//   change bug
	//   create idea
	//   delete old
	// 0 changes
}
