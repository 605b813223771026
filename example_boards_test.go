package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// What is next in an epic? The most urgent issue moves to the top.
func ExampleEpicsService_MoveIssue() {
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
	checkout := shop.Group().Epic("Checkout")
	shop.Issue("Ask for a name", servicetest.InEpic(checkout))
	urgent := shop.Issue("Prices are wrong")

	ctx := context.Background()
	epic := serviceapi.GroupPath("acme").Epic(checkout.IID())
	issues, _, err := client.Epics.ListIssues(ctx, epic, nil)
	if err != nil {
		log.Fatal(err)
	}
	added, _, err := client.Epics.AddIssue(ctx, epic, urgent.ID())
	if err != nil {
		log.Fatal(err)
	}
	issues, _, err = client.Epics.MoveIssue(ctx, epic, added.ID,
		serviceapi.MoveEpicIssueOptions{MoveAfterID: &issues[0].EpicIssueID})
	if err != nil {
		log.Fatal(err)
	}
	for _, issue := range issues {
		fmt.Println(issue.References.Full, issue.Title)
	}
	// Output:
	// acme/shop#2 Prices are wrong
	// acme/shop#1 Ask for a name
}

// What is being done? A board has a list for each state of the work.
func ExampleBoardsService_CreateList() {
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
	board, _, err := client.Boards.Create(ctx, shop,
		serviceapi.CreateBoardOptions{Name: "Work"})
	if err != nil {
		log.Fatal(err)
	}
	for _, state := range []string{"doing", "review"} {
		label, _, err := client.Labels.Create(ctx, shop,
			serviceapi.CreateLabelOptions{Name: state, Color: "#6699cc"})
		if err != nil {
			log.Fatal(err)
		}
		_, _, err = client.Boards.CreateList(ctx, shop, board.ID,
			serviceapi.CreateBoardListOptions{LabelID: &label.ID})
		if err != nil {
			log.Fatal(err)
		}
	}
	for list, err := range client.Boards.AllLists(ctx, shop, board.ID, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(list.Position, list.Type(), list.Label.Name)
	}
	// Output:
	// 0 label doing
	// 1 label review
}

// Which lists does a board of epics have?
func ExampleEpicBoardsService_Get() {
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
	roadmap := service.Group("acme").EpicBoard(servicetest.EpicBoard{
		Name: "Roadmap", Labels: []string{"next"},
	})

	board, _, err := client.EpicBoards.Get(context.Background(),
		serviceapi.GroupPath("acme"), roadmap.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, list := range board.Lists {
		switch list.ListType {
		case serviceapi.BoardListTypeLabel:
			fmt.Println(list.Label.Name)
		default:
			fmt.Println(list.ListType)
		}
	}
	// Output:
	// backlog
	// next
	// closed
}
