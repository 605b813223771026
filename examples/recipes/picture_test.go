package recipes_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// reportWithPicture opens an issue whose description shows a picture.
func reportWithPicture(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, title, name string, picture io.Reader,
) (*serviceapi.Issue, error) {
	uploaded, _, err := client.Uploads.Create(ctx, project,
		serviceapi.CreateUploadOptions{
			File: serviceapi.Upload{Filename: name, Content: picture},
		})
	if err != nil {
		return nil, err
	}
	issue, _, err := client.Issues.Create(ctx, project,
		serviceapi.CreateIssueOptions{
			Title:       title,
			Description: new("This is what I saw:\n\n" + uploaded.Markdown),
		})
	return issue, err
}

// Open an issue that shows a picture, and find it by its title.
func Example_reportWithPicture() {
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
	_, err = reportWithPicture(ctx, client, shop, "The shelf is empty",
		"shelf.png", strings.NewReader("pixels"))
	if err != nil {
		log.Fatal(err)
	}
	found := client.Search.AllIssues(ctx, shop,
		&serviceapi.SearchIssuesOptions{Search: "shelf"})
	for issue, err := range found {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(issue.Title)
		_, picture, _ := strings.Cut(issue.Description, "![")
		fmt.Println("![" + picture)
	}
	// Output:
	// The shelf is empty
	// ![shelf](/uploads/6c8a7c829969aeade2aeaedc068f149a/shelf.png)
}
