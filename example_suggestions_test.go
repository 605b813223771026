package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Apply whatever comments on a merge request suggest.
func ExampleSuggestionsService_Apply() {
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
	shop := service.Project("acme/shop")
	shop.Commit("prices", "Add prices", servicetest.Write("a.txt", "1.0\n"))
	request := shop.MergeRequest("prices")

	ctx := context.Background()
	mr := serviceapi.ProjectPath("acme/shop").MergeRequest(request.IID())
	versions, _, err := client.MergeRequests.ListVersions(ctx, mr, nil)
	if err != nil {
		log.Fatal(err)
	}
	comment := serviceapi.CreateDiscussionOptions{
		Body: "Cents are missing:\n```suggestion\n1.00\n```",
		Position: &serviceapi.DiffPosition{
			BaseSHA:      versions[0].BaseCommitSHA,
			StartSHA:     versions[0].StartCommitSHA,
			HeadSHA:      versions[0].HeadCommitSHA,
			PositionType: serviceapi.PositionTypeText,
			NewPath:      "a.txt",
			NewLine:      new(1),
		},
	}
	_, _, err = client.Discussions.Create(ctx, mr, comment)
	if err != nil {
		log.Fatal(err)
	}

	for note, err := range client.Notes.All(ctx, mr, nil) {
		if err != nil {
			log.Fatal(err)
		}
		for _, suggestion := range note.Suggestions {
			if !suggestion.Appliable {
				continue
			}
			applied, _, err := client.Suggestions.Apply(ctx, suggestion.ID,
				serviceapi.ApplySuggestionOptions{})
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("line %d: %q\n", applied.FromLine, applied.ToContent)
		}
	}
	// Output:
	// line 1: "1.00\n"
}
