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

// A refused approval has its own error type. An expired token does not.
func Example_approvalsApprove() {
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
	ada := servicetest.By(service.User("ada"))
	service.Project("acme/shop").MergeRequest("rounding", ada)

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for range 2 {
		approvals, _, err := client.Approvals.Approve(ctx, shop.MergeRequest(1),
			serviceapi.ApproveOptions{})
		var refused *serviceapi.ApprovalError
		switch {
		case errors.As(err, &refused):
			fmt.Println("refused:", refused.Err.StatusCode)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(approvals.ApprovedBy[0].User.Username, "approved")
		}
	}
	// Output:
	// root approved
	// refused: 401
}

// Comment on a line of the diff, and resolve the discussion later.
func Example_discussionsCreate() {
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
	project := service.Project("acme/shop")
	project.Commit("rounding", "Round",
		servicetest.Write("price.go", "package shop\n\nconst cent = 0.01\n"))
	project.MergeRequest("rounding")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	mergeRequest, _, err := client.MergeRequests.Get(ctx, shop.MergeRequest(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	owner := shop.MergeRequest(1)
	thread, _, err := client.Discussions.Create(ctx, owner,
		serviceapi.CreateDiscussionOptions{
			Body: "Use integers for money.",
			Position: &serviceapi.DiffPosition{
				BaseSHA:      mergeRequest.DiffRefs.BaseSHA,
				StartSHA:     mergeRequest.DiffRefs.StartSHA,
				HeadSHA:      mergeRequest.DiffRefs.HeadSHA,
				PositionType: serviceapi.PositionTypeText,
				OldPath:      "price.go",
				NewPath:      "price.go",
				NewLine:      new(3), // a line that was added
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	reply := serviceapi.ReplyOptions{Body: "Done."}
	_, _, err = client.Discussions.Reply(ctx, owner, thread.ID, reply)
	if err != nil {
		log.Fatal(err)
	}
	resolved, _, err := client.Discussions.Resolve(ctx, owner, thread.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, note := range resolved.Notes {
		fmt.Println(note.Position.NewPath, *note.Position.NewLine,
			note.Resolved, note.Body)
	}
	// Output:
	// price.go 3 true Use integers for money.
	// price.go 3 true Done.
}

// The ID of a milestone assigns an issue to it; its title finds the issue.
func Example_milestonesAll() {
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
	service.Group("acme").Milestone("v2.0")
	service.Project("acme/shop").Issue("Round prices")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	options := &serviceapi.ListMilestonesOptions{
		Title:            "v2.0",
		IncludeAncestors: true,
	}
	for milestone, err := range client.Milestones.All(ctx, shop, options) {
		if err != nil {
			log.Fatal(err)
		}
		_, _, err = client.Issues.Update(ctx, shop.Issue(1),
			serviceapi.UpdateIssueOptions{MilestoneID: &milestone.ID})
		if err != nil {
			log.Fatal(err)
		}
	}
	planned := &serviceapi.ListIssuesOptions{
		Milestone: serviceapi.MilestoneIs("v2.0"),
	}
	issues, _, err := client.Issues.List(ctx, shop, planned)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(issues), issues[0].Title)
	// Output: 1 Round prices
}

// Count the issues of each label.
func Example_labelsAll() {
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
	shop.Label("bug", "#d9534f", "Something is wrong")
	shop.Issue("Prices are wrong", servicetest.Labels("bug"))
	service.Group("acme").Label("urgent", "#f0ad4e", "")

	options := &serviceapi.ListLabelsOptions{WithCounts: true}
	labels := client.Labels.All(context.Background(),
		serviceapi.ProjectPath("acme/shop"), options)
	for label, err := range labels {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(label.Name, label.Color, *label.OpenIssuesCount)
	}
	// Output:
	// bug #d9534f 1
	// urgent #f0ad4e 0
}

// A snippet may have several files.
func Example_snippetsCreate() {
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

	snippet, _, err := client.Snippets.Create(context.Background(),
		serviceapi.ProjectPath("acme/shop"), serviceapi.CreateSnippetOptions{
			Title: "Run it",
			Files: []serviceapi.SnippetFileOptions{
				{FilePath: "run.sh", Content: "make && ./shop\n"},
				{FilePath: "README.md", Content: "Run run.sh.\n"},
			},
			Visibility: new(serviceapi.VisibilityInternal),
		})
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range snippet.Files {
		fmt.Println(snippet.Visibility, file.Path)
	}
	// Output:
	// internal run.sh
	// internal README.md
}

// Find an epic by its number in the group, and comment on it by its ID.
func Example_epicsGet() {
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
	service.Group("other").Epic("Something else")
	service.Group("acme").Epic("Sell abroad")

	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	epic, _, err := client.Epics.Get(ctx, acme.Epic(1))
	if err != nil {
		log.Fatal(err)
	}
	note := serviceapi.CreateEpicNoteOptions{Body: "Begin with Norway."}
	created, _, err := client.Notes.CreateForEpic(ctx, epic.Ref(), note)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(epic.IID, epic.ID, epic.Title)
	fmt.Println(created.Note.NoteableType, created.Note.Body)
	// Output:
	// 1 2 Sell abroad
	// Epic Begin with Norway.
}

// Say who has to approve merge requests into protected branches, and list what
// else judges them.
func Example_approvalsCreateRule() {
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
	project := service.Project("acme/shop")
	project.ProtectBranch("main")
	project.StatusCheck("Licenses", "https://check.example")
	service.User("ada")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	options := serviceapi.CreateApprovalRuleOptions{
		Name:                          "Security",
		ApprovalsRequired:             1,
		Usernames:                     []string{"ada"},
		AppliesToAllProtectedBranches: new(true),
	}
	_, _, err = client.Approvals.CreateRule(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	for rule, err := range client.Approvals.AllRules(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rule.Name, "needs", rule.ApprovalsRequired)
	}
	for check, err := range client.StatusChecks.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("asks", check.Name)
	}
	// Output:
	// Security needs 1
	// asks Licenses
}

// React to a comment, and see who else has.
func Example_awardEmojiCreate() {
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
	issue := service.Project("acme/shop").Issue("Prices are wrong")
	note := issue.Note("They are.",
		servicetest.Reaction(service.User("ada"), "eyes"))

	ctx := context.Background()
	shop := serviceapi.ProjectPath("acme/shop")
	comment := shop.Issue(1).Note(note.ID())
	_, _, err = client.AwardEmoji.Create(ctx, comment,
		serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
	if err != nil {
		log.Fatal(err)
	}
	for reaction, err := range client.AwardEmoji.All(ctx, comment, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(reaction.Name, reaction.User.Username)
	}
	// Output:
	// eyes ada
	// thumbsup root
}

// See who closed an issue, and when.
func Example_resourceEventsAll() {
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
	service.Project("acme/shop").Issue("Prices are wrong").Close()

	ctx := context.Background()
	issue := serviceapi.ProjectPath("acme/shop").Issue(1)
	events := client.ResourceEvents.AllStateEvents(ctx, issue, nil)
	for event, err := range events {
		if err != nil {
			log.Fatal(err)
		}
		day := event.CreatedAt.Format(time.DateOnly)
		fmt.Println(day, event.User.Username, event.State)
	}
	// Output: 2026-01-15 root closed
}
