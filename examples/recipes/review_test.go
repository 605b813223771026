package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// remark is a comment of a bot on a new line of a file.
type remark struct {
	line int
	text string
}

// review comments on the lines of a merge request that find has remarks on,
// and publishes them at once, with one email for all.
func review(
	ctx context.Context, client *serviceapi.Client,
	mergeRequest serviceapi.MergeRequestRef,
	find func(*serviceapi.CommitDiff) []remark,
) error {
	// A merge request that was just opened has no changes yet.
	seen, err := client.MergeRequests.WaitUntilPrepared(ctx, mergeRequest)
	if err != nil {
		return err
	}
	if seen.DiffRefs == nil {
		return errors.New("the merge request has no changes to review")
	}
	diffs := client.MergeRequests.AllDiffs(ctx, mergeRequest, nil)
	for diff, err := range diffs {
		if err != nil {
			return err
		}
		for _, remark := range find(diff) {
			draft := serviceapi.CreateDraftNoteOptions{
				Note: remark.text,
				Position: &serviceapi.DiffPosition{
					BaseSHA:      seen.DiffRefs.BaseSHA,
					StartSHA:     seen.DiffRefs.StartSHA,
					HeadSHA:      seen.DiffRefs.HeadSHA,
					PositionType: serviceapi.PositionTypeText,
					OldPath:      diff.OldPath,
					NewPath:      diff.NewPath,
					NewLine:      &remark.line,
				},
			}
			_, _, err := client.DraftNotes.Create(ctx, mergeRequest, draft)
			if err != nil {
				return err
			}
		}
	}
	_, err = client.DraftNotes.PublishAll(ctx, mergeRequest,
		serviceapi.PublishDraftNotesOptions{})
	return err
}

// Review a merge request line by line without a mail for each line.
func Example_reviewOnce() {
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
	app := service.Project("acme/shop")
	app.Branch("prices", "main")
	app.Commit("prices", "Raise prices",
		servicetest.Write("prices.txt", "tea 3\nmilk 1\nsugar 2\n"))
	request := app.MergeRequest("prices")

	err = review(context.Background(), client,
		serviceapi.ProjectPath("acme/shop").MergeRequest(request.IID()),
		func(diff *serviceapi.CommitDiff) []remark {
			if !strings.HasSuffix(diff.NewPath, ".txt") {
				return nil
			}
			return []remark{{1, "Why?"}, {3, "And this?"}}
		})
	if err != nil {
		log.Fatal(err)
	}
	for _, note := range request.Notes() {
		path, line := note.Line()
		fmt.Println(path, line, note.Body())
	}
	// Output:
	// prices.txt 1 Why?
	// prices.txt 3 And this?
}
