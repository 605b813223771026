package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// openAndMerge opens a merge request, or finds the one that is open, and merges
// it as soon as nothing blocks it. Give it a context with a deadline: a
// pipeline can take long.
func openAndMerge(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, branch, title string,
) (*serviceapi.MergeRequestDetails, error) {
	var mergeRequest serviceapi.MergeRequestRef
	opened, _, err := client.MergeRequests.Create(ctx, project,
		serviceapi.CreateMergeRequestOptions{
			SourceBranch:       branch,
			TargetBranch:       "main",
			Title:              title,
			RemoveSourceBranch: new(true),
		})
	exists, found := errors.AsType[*serviceapi.MergeRequestExistsError](err)
	switch {
	case err == nil:
		mergeRequest = opened.Ref()
	case found && !exists.MergeRequest.IsZero():
		mergeRequest = exists.MergeRequest
	default:
		return nil, err
	}

	ready, err := client.MergeRequests.WaitUntilMergeable(ctx, mergeRequest)
	if err != nil {
		return nil, err // a NotMergeableError says what blocks it
	}
	// The SHA makes sure that only what was checked is merged.
	merge := serviceapi.MergeOptions{SHA: &ready.SHA}
	merged, _, err := client.MergeRequests.Merge(ctx, mergeRequest, merge)
	return merged, err
}

// Open a merge request and merge it.
func Example_openAndMerge() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	project := service.Project("acme/shop")
	project.Commit("rounding", "Round half to even",
		servicetest.Write("price.go", "package shop\n"))
	project.Commit("unfinished", "Try something",
		servicetest.Write("README.md", "# Another shop\n"))
	project.Commit("main", "Change the title",
		servicetest.Write("README.md", "# Our shop\n"))
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for _, branch := range []string{"rounding", "unfinished"} {
		merged, err := openAndMerge(ctx, client, shop, branch, "Merge "+branch)
		var blocked *serviceapi.NotMergeableError
		switch {
		case errors.As(err, &blocked):
			fmt.Println(branch, "is blocked:", blocked.Status)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(branch, "is", merged.State)
		}
	}
	// Output:
	// rounding is merged
	// unfinished is blocked: conflict
}
