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

// List who did what in a group since yesterday.
func Example_auditEventsAll() {
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
	ada := service.User("ada")
	service.Group("acme").AuditEvent(ada, servicetest.AuditDetails{
		"change": "visibility",
		"from":   "Private",
		"to":     "Public",
	})

	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	options := &serviceapi.ListAuditEventsOptions{
		CreatedAfter: service.Now().Add(-24 * time.Hour),
	}
	for event, err := range client.AuditEvents.All(ctx, acme, options) {
		if err != nil {
			log.Fatal(err)
		}
		d := event.Details
		fmt.Printf("%s changed %v from %v to %v\n",
			d.AuthorName, d.Change, d.From, d.To)
	}
	// Output: Ada changed visibility from Private to Public
}

// Add a member until the end of the quarter.
func Example_membersAdd() {
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
	ada := service.User("ada")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	member, _, err := client.Members.Add(ctx, shop, serviceapi.UserID(ada.ID()),
		serviceapi.AccessLevelDeveloper, serviceapi.AddMemberOptions{
			ExpiresAt: new(serviceapi.NewDate(2026, time.March, 31)),
		})
	if errors.Is(err, serviceapi.ErrConflict) {
		fmt.Println("already a member")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(member.Username, member.AccessLevel, member.ExpiresAt)
	// Output: ada Developer 2026-03-31
}

// Find a user by name.
func Example_usersFind() {
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
	service.User("ada", servicetest.Email("ada@example.com"))

	user, _, err := client.Users.Find(context.Background(),
		serviceapi.Username("ada"))
	if errors.Is(err, serviceapi.ErrNotFound) {
		fmt.Println("there is no ada")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.ID, user.Name, user.Email, user.State)
	// Output: 2 Ada ada@example.com active
}

// List every group that the caller may see.
func Example_groupsAll() {
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
	service.Group("acme/platform")

	ctx := context.Background()
	for group, err := range client.Groups.All(ctx, serviceapi.Instance, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(group.FullPath)
	}
	// Output:
	// acme
	// acme/platform
}

// Get a project by its path.
func Example_projectsGet() {
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
	service.Project("acme/shop", servicetest.Archived())

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	project, _, err := client.Projects.Get(ctx, shop, nil)
	if errors.Is(err, serviceapi.ErrNotFound) {
		fmt.Println("no such project, or none for us to see")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(project.ID, project.PathWithNamespace, project.Archived)
	// Output: 1 acme/shop true
}

// Export a project, wait for the archive, and download it.
func Example_projectExportDownload() {
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

	passTime := serviceapi.WithPollObserver(func(serviceapi.Poll) {
		service.Advance(time.Minute) // the service takes its time
	})
	_, err = client.ProjectExport.ScheduleAndWait(ctx, shop,
		serviceapi.ScheduleExportOptions{}, passTime)
	if err != nil {
		log.Fatal(err)
	}
	archive, _, err := client.ProjectExport.Download(ctx, shop)
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	fmt.Println(archive.Name, archive.ContentType) // or archive.SaveFile
	// Output: 2026-01-15_09-00-05_acme_shop_export.tar.gz application/gzip
}

// Import a project from an archive that the service fetches from a URL.
func Example_projectImportFromURL() {
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
	service.Group("new")
	exported := service.Project("acme/shop").ExportedArchive()
	service.RemoteFile("https://store.example.com/shop.tar.gz", exported)
	ctx := context.Background()

	const signed = "https://store.example.com/shop.tar.gz?signature=…"
	options := serviceapi.ImportFromURLOptions{
		URL:       serviceapi.NewSecret(signed),
		Path:      "shop",
		Namespace: serviceapi.NamespacePath("new"),
	}
	started, _, err := client.ProjectImport.FromURL(ctx, options)
	if err != nil {
		log.Fatal(err)
	}
	service.Advance(time.Minute) // the service takes its time
	imported := serviceapi.ProjectID(started.ID)
	status, err := client.ProjectImport.Wait(ctx, imported)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(started.ImportStatus)
	fmt.Println(status.ImportStatus, status.PathWithNamespace)
	// Output:
	// scheduled
	// finished new/shop
}

// Empty a storage. Projects that are still there afterwards were not moved.
func Example_storageMovesMoveAll() {
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
	service.Project("acme/shop", servicetest.RepositoryStorage("old"))
	service.Project("acme/attic", servicetest.RepositoryStorage("old"),
		servicetest.Archived())
	ctx := context.Background()

	options := serviceapi.ScheduleStorageMovesOptions{
		SourceStorageName:      "old",
		DestinationStorageName: new("new"),
	}
	_, err = client.StorageMoves.MoveAll(ctx,
		serviceapi.StorageMoveKindProjects, options)
	if err != nil {
		log.Fatal(err)
	}
	service.Advance(time.Hour) // the service takes its time
	left := &serviceapi.ListProjectsOptions{RepositoryStorage: "old"}
	for project, err := range client.Projects.All(ctx, serviceapi.Instance, left) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(project.PathWithNamespace, "archived:", project.Archived)
	}
	// Output: acme/attic archived: true
}
