package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Change several files in one commit.
func Example_commitsCreate() {
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
	options := serviceapi.CreateCommitOptions{
		Branch:        "release-2",
		StartBranch:   new("main"),
		CommitMessage: "Prepare 2.0",
		Actions: []serviceapi.CommitAction{
			serviceapi.CreateFileAction("VERSION", []byte("2.0\n")),
			serviceapi.UpdateFileAction("README.md", []byte("# The shop, 2.0\n")),
		},
	}
	commit, _, err := client.Commits.Create(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(commit.Title, commit.Stats.Additions, commit.Stats.Deletions)
	// Output: Prepare 2.0 2 1
}

// Read a file on a branch.
func Example_repositoryFilesGet() {
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
	service.Project("acme/shop").Commit("main", "Say hello",
		servicetest.Write("docs/hello.txt", "Hello\n"))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	const path = "docs/hello.txt"
	file, _, err := client.RepositoryFiles.Get(ctx, shop, path,
		&serviceapi.GetRepositoryFileOptions{Ref: "main"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d bytes: %q\n", file.FileName, file.Size, file.Content)
	// Output: hello.txt, 6 bytes: "Hello\n"
}

// List the merge requests that wait for a user's review.
func Example_mergeRequestsAll() {
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
	service.Project("acme/shop").MergeRequest("rounding",
		servicetest.ReviewedBy(ada), servicetest.Title("Round totals"))
	service.Project("acme/site").MergeRequest("colors")

	options := &serviceapi.ListMergeRequestsOptions{
		Scope:            serviceapi.MergeRequestScopeAll,
		State:            serviceapi.MergeRequestStateOpened,
		ReviewerUsername: "ada",
	}
	ctx := context.Background()
	found := client.MergeRequests.All(ctx, serviceapi.Instance, options)
	for mergeRequest, err := range found {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(mergeRequest.References.Full, mergeRequest.Title)
	}
	// Output: acme/shop!1 Round totals
}

// The owner of notes is a value, so reading is the same everywhere.
func Example_notesCreateForMergeRequest() {
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
	service.Project("acme/shop").MergeRequest("rounding")
	ctx := context.Background()
	shop := serviceapi.ProjectPath("acme/shop")
	mergeRequest := shop.MergeRequest(1)

	note := serviceapi.CreateMergeRequestNoteOptions{Body: "Coverage: 87%"}
	_, _, err = client.Notes.CreateForMergeRequest(ctx, mergeRequest, note)
	if err != nil {
		log.Fatal(err)
	}
	for note, err := range client.Notes.All(ctx, mergeRequest, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", note.Author.Username, note.Body)
	}
	// Output: root: Coverage: 87%
}

// Refuse commits whose message names no issue.
func Example_pushRulesCreate() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	rules, _, err := client.PushRules.Get(ctx, shop)
	if err != nil {
		log.Fatal(err)
	}
	if rules == nil { // there are none yet
		_, _, err = client.PushRules.Create(ctx, shop,
			serviceapi.CreatePushRuleOptions{CommitMessageRegex: new(`#\d+`)})
	} else {
		_, _, err = client.PushRules.Update(ctx, shop,
			serviceapi.UpdatePushRuleOptions{CommitMessageRegex: new(`#\d+`)})
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, message := range []string{"Add a cart", "Add a cart (#12)"} {
		_, _, err := client.RepositoryFiles.Create(ctx, shop, "cart.txt",
			serviceapi.CreateRepositoryFileOptions{
				Branch: "main", CommitMessage: message, Content: []byte("1\n"),
			})
		fmt.Println(message, errors.Is(err, serviceapi.ErrBadRequest))
	}
	// Output:
	// Add a cart true
	// Add a cart (#12) false
}

// Create a key for a deployment tool.
func Example_deployKeysCreate() {
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
	options := serviceapi.CreateDeployKeyOptions{
		Title: "deployer",
		Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFZDJTxi5FfXXCkXkhIzG" +
			"/4yk2L0xTj2Plnp9MC2SXcG deployer",
		CanPush: new(false),
	}
	key, _, err := client.DeployKeys.Create(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.ID, key.Title)
	// Output: 1 deployer
}

// Push a project to another host. The URL is a Secret, because it has a
// password.
func Example_mirrorsCreate() {
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

	address := "https://ada:password@mirror.example/shop.git"
	options := serviceapi.CreateRemoteMirrorOptions{
		URL:     serviceapi.NewSecret(address),
		Enabled: new(true),
	}
	mirror, _, err := client.Mirrors.Create(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mirror.URL, mirror.UpdateStatus)
	// Output:
	// https://*****:*****@mirror.example/shop.git none
}
