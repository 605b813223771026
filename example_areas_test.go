package serviceapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// The next call continues one that was interrupted, even in another run of the
// program.
func ExampleSaveFile() {
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
	service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Trace("one two three"))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	open := func(opts ...serviceapi.RequestOption) (
		*serviceapi.Download, *serviceapi.Response, error,
	) {
		return client.Jobs.Trace(ctx, shop, 1, opts...)
	}
	save := func() {
		n, err := serviceapi.SaveFile(filepath.Join(dir, "job.log"), open)
		fmt.Println(n, err == nil)
	}
	route := "GET /projects/:id/jobs/:job_id/trace"
	service.Fault(route, servicetest.CutBody(4), servicetest.Times(1))
	// The call cannot resume by itself.
	service.Fault(route, servicetest.Status(403, ""), servicetest.Times(1))
	save()
	service.ClearRequests()
	save()
	fmt.Println(service.Requests(route)[0].Header.Get("Range"))
	// Output:
	// 4 false
	// 13 true
	// bytes=4-
}

// An upload is streamed from any reader, such as a file.
func ExampleUpload() {
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
	keystore := bytes.NewReader([]byte("a keystore")) // or a file

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	options := serviceapi.CreateSecureFileOptions{
		Name: "release.jks",
		File: serviceapi.Upload{Filename: "release.jks", Content: keystore},
	}
	file, _, err := client.SecureFiles.Create(ctx, shop, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.ID, file.Name, file.ChecksumAlgorithm)
	// Output: 1 release.jks sha256
}

// Waiting ends when the job ends, or with the context.
func ExampleJobsService_Wait() {
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
	job := service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Running())
	go func() {
		time.Sleep(100 * time.Millisecond)
		job.Fail("script_failure")
	}()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	shop := serviceapi.ProjectPath("acme/shop")
	done, err := client.Jobs.Wait(ctx, shop, job.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Status, done.FailureReason)
	// Output: failed script_failure
}

// Open a merge request, have it reviewed by another user, and merge it.
func ExampleMergeRequestsService_Create() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	reviewer, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ada := service.User("ada")
	project := service.Project("acme/shop",
		servicetest.Member(ada, servicetest.Developer))
	project.Commit("rounding", "Round half to even",
		servicetest.Write("price.go", "package shop\n"))
	token := serviceapi.PrivateToken(service.Token(ada))
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	options := serviceapi.CreateMergeRequestOptions{
		SourceBranch: "rounding",
		TargetBranch: "main",
		Title:        "Round prices",
		Labels:       serviceapi.LabelNames{"bug", "prices"},
	}
	opened, _, err := client.MergeRequests.Create(ctx, shop, options)
	var exists *serviceapi.MergeRequestExistsError
	if errors.As(err, &exists) {
		fmt.Println("open already:", exists.MergeRequest)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	// The service computes the diff after its response.
	ready, err := client.MergeRequests.WaitUntilMergeable(ctx, opened.Ref())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ready.ChangesCount, "file changed")

	// Both name the commit that was seen.
	approval := serviceapi.ApproveOptions{SHA: &ready.SHA}
	_, _, err = reviewer.Approvals.Approve(ctx, ready.Ref(), approval)
	if err != nil {
		log.Fatal(err)
	}
	merge := serviceapi.MergeOptions{SHA: &ready.SHA}
	merged, _, err := client.MergeRequests.Merge(ctx, ready.Ref(), merge)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(merged.State, "by", merged.MergeUser.Username)
	// Output:
	// 1 file changed
	// merged by ada
}

// Merge only what was reviewed.
func ExampleMergeRequestsService_Merge() {
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
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	seen, _, err := client.MergeRequests.Get(ctx, shop.MergeRequest(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	options := serviceapi.MergeOptions{SHA: &seen.SHA, Squash: new(true)}
	merged, _, err := client.MergeRequests.Merge(ctx, shop.MergeRequest(1), options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(merged.State, merged.MergeUser.Username)
	// Output: merged root
}

// Find the issues of a whole group, and change them one by one.
func ExampleIssuesService_All() {
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
	service.Project("acme/shop").Issue("Prices are wrong",
		servicetest.Labels("bug"))
	service.Project("acme/docs").Issue("Typing errors",
		servicetest.Labels("bug"))

	ctx := context.Background()
	open := &serviceapi.ListIssuesOptions{
		State:  serviceapi.IssueStateOpened,
		Labels: serviceapi.LabelsAre("bug"),
		Sort:   serviceapi.SortAscending,
	}
	issues := client.Issues.All(ctx, serviceapi.GroupPath("acme"), open)
	for issue, err := range issues {
		if err != nil {
			log.Fatal(err)
		}
		changed, _, err := client.Issues.Update(ctx, issue.Ref(),
			serviceapi.UpdateIssueOptions{
				AddLabels:  serviceapi.LabelNames{"mended"},
				StateEvent: new(serviceapi.StateEventClose),
			})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(changed.References.Full, changed.State, len(changed.Labels))
	}
	// Output:
	// acme/shop#1 closed 2
	// acme/docs#1 closed 2
}

// Change a file only if no one else has changed it in the meantime.
func ExampleRepositoryFilesService_Update() {
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
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	const path = "README.md"
	before, _, err := client.RepositoryFiles.Metadata(ctx, shop, path,
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	if err != nil {
		log.Fatal(err)
	}
	options := serviceapi.UpdateRepositoryFileOptions{
		Branch: "main", CommitMessage: "Rename",
		Content:      []byte("# A shop\n"),
		LastCommitID: &before.LastCommitID,
	}
	project.Commit("main", "Somebody was faster",
		servicetest.Write("README.md", "# Our shop\n"))
	_, _, err = client.RepositoryFiles.Update(ctx, shop, "README.md", options)
	fmt.Println(err != nil)
	content, _ := project.File("main", "README.md")
	fmt.Print(content)
	// Output:
	// true
	// # Our shop
}

// Create a tag and its release, with a link to a package.
func ExampleReleasesService_Create() {
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

	links := []serviceapi.CreateReleaseLinkOptions{{
		Name: "shop.tar.gz", URL: "https://store.example/shop-1.0.tar.gz",
		LinkType: new(serviceapi.ReleaseLinkTypePackage),
	}}
	release, _, err := client.Releases.Create(ctx, shop,
		serviceapi.CreateReleaseOptions{
			TagName: "v1.0", Ref: new("main"), Description: new("The first."),
			Assets: &serviceapi.CreateReleaseAssets{Links: links},
		})
	if errors.Is(err, serviceapi.ErrConflict) {
		fmt.Println("there is one already")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(release.TagName, release.Assets.Links[0].Name)
	// Output: v1.0 shop.tar.gz
}

// Publish a file of a generic package, and download it. Both compare its
// checksum.
func ExamplePackagesService_PublishGeneric() {
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

	file := serviceapi.GenericPackageFile{
		PackageName: "shop", PackageVersion: "1.0.0", FileName: "shop.txt",
	}
	content := bytes.NewReader([]byte("a shop\n")) // or a file
	_, _, err = client.Packages.PublishGeneric(ctx, shop, file,
		serviceapi.PublishGenericPackageOptions{
			File: serviceapi.Upload{Content: content},
		})
	if err != nil {
		log.Fatal(err)
	}
	download, _, err := client.Packages.DownloadGeneric(ctx, shop, file)
	if err != nil {
		log.Fatal(err)
	}
	defer download.Close()
	if _, err := download.WriteTo(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output: a shop
}

// Only the response of Create contains the token, so it is stored at once.
func ExampleDeployTokensService_Create() {
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

	token, _, err := client.DeployTokens.Create(ctx, shop,
		serviceapi.CreateDeployTokenOptions{
			Name: "cluster",
			Scopes: []serviceapi.DeployTokenScope{
				serviceapi.DeployTokenScopeReadRegistry,
			},
			ExpiresAt: new(serviceapi.NewDate(2027, time.March, 1)),
		})
	if err != nil {
		log.Fatal(err)
	}
	store := func(username, password string) {
		fmt.Println("stored the token of", username)
	}
	store(token.Username, token.Token.Reveal())
	fmt.Println(token.Token, "until", token.ExpiresAt.Format(time.DateOnly))
	// Output:
	// stored the token of service+deploy-token-1
	// [redacted] until 2027-03-01
}

// A program gets an account of its own, which is a member with one role,
// instead of the token of a person.
func ExampleServiceAccountsService_CreateToken() {
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
	service.Group("acme")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	account, _, err := client.ServiceAccounts.Create(ctx, acme,
		serviceapi.CreateServiceAccountOptions{Username: new("deployer")})
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = client.Members.Add(ctx, acme, account.Ref(),
		serviceapi.AccessLevelDeveloper, serviceapi.AddMemberOptions{})
	if err != nil {
		log.Fatal(err)
	}
	token, _, err := client.ServiceAccounts.CreateToken(ctx, acme, account.Ref(),
		serviceapi.CreateServiceAccountTokenOptions{
			Name:   "pipeline",
			Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
		})
	if err != nil {
		log.Fatal(err)
	}
	deployer, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(token.Token.Reveal()))
	if err != nil {
		log.Fatal(err)
	}
	me, _, err := deployer.Users.Current(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(me.Username, "until", token.ExpiresAt)
	// Output: deployer until 2027-01-15
}

// An address counts when its user has followed the link in a mail.
func ExampleEmailsService_Create() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada := service.User("ada")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.Token(ada)))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	email, _, err := client.Emails.Create(ctx, serviceapi.Own,
		serviceapi.CreateEmailOptions{Email: "ada@home.example.com"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(email.Email, "confirmed:", email.ConfirmedAt != nil)
	ada.ConfirmEmail("ada@home.example.com")
	email, _, err = client.Emails.Get(ctx, serviceapi.Own, email.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(email.Email, "confirmed:", email.ConfirmedAt != nil)
	// Output:
	// ada@home.example.com confirmed: false
	// ada@home.example.com confirmed: true
}

// A page has a slug, which follows its title. Every change says the format.
func ExampleWikisService_Update() {
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
	service.Project("acme/shop").WikiPage("guides/Set up", "Run make.")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	page, _, err := client.Wikis.Get(ctx, shop, "guides/Set-up", nil)
	if err != nil {
		log.Fatal(err)
	}
	page, _, err = client.Wikis.Update(ctx, shop, page.Slug,
		serviceapi.UpdateWikiPageOptions{
			Format: page.Format, Title: new("Begin"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Slug, "says", page.Content)
	// Output:
	// guides/Begin says Run make.
}

// A program keeps what it knows about a project in the project.
func ExampleCustomAttributesService_Set() {
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

	_, _, err = client.CustomAttributes.Set(ctx, shop, "cost-center",
		serviceapi.SetCustomAttributeOptions{Value: "4711"})
	if err != nil {
		log.Fatal(err)
	}
	projects := client.Projects.All(ctx, serviceapi.Instance,
		&serviceapi.ListProjectsOptions{
			CustomAttributes: serviceapi.CustomAttributeFilter{
				"cost-center": "4711",
			},
		})
	for project, err := range projects {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(project.PathWithNamespace)
	}
	// Output: acme/shop
}

// The archive is there when the service has written it, which takes a while.
func ExampleGroupExportService_Download() {
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
	service.Group("acme")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	if _, err := client.GroupExport.Schedule(ctx, acme); err != nil {
		log.Fatal(err)
	}
	archive, _, err := client.GroupExport.Download(ctx, acme)
	for errors.Is(err, serviceapi.ErrNotFound) {
		service.Advance(time.Minute) // a program waits
		archive, _, err = client.GroupExport.Download(ctx, acme)
	}
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	fmt.Println(archive.Name)
	// Output:
	// 2026-01-15_09-00-05_acme_group_export.tar.gz
}

// Only the responses of Create and RenewSecret contain the secret.
func ExampleApplicationsService_Create() {
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

	wiki, _, err := client.Applications.Create(context.Background(),
		serviceapi.CreateApplicationOptions{
			Name:        "wiki",
			RedirectURI: "https://wiki.example/callback",
			Scopes:      "openid profile",
		})
	if err != nil {
		log.Fatal(err)
	}
	store := func(clientID, clientSecret string) {
		fmt.Println("stored a client ID with", len(clientID), "digits")
	}
	store(wiki.ApplicationID, wiki.Secret.Reveal())
	fmt.Println(wiki.ApplicationName, wiki.Secret)
	// Output:
	// stored a client ID with 64 digits
	// wiki [redacted]
}

// A program warns before the license of the instance expires.
func ExampleLicenseService_Current() {
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
	service.AddLicense(servicetest.License{
		Plan:      "premium",
		ExpiresAt: time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC),
	})

	license, _, err := client.License.Current(context.Background())
	switch {
	case err != nil:
		log.Fatal(err)
	case license == nil:
		fmt.Println("no license")
	case license.ExpiresAt != nil:
		fmt.Println(license.Plan, "until", license.ExpiresAt)
	}
	// Output: premium until 2027-03-01
}

// Announce maintenance on every page.
func ExampleSettingsService_UpdateAppearance() {
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
	appearance, _, err := client.Settings.UpdateAppearance(context.Background(),
		serviceapi.UpdateAppearanceOptions{
			HeaderMessage:          new("Back at noon."),
			MessageBackgroundColor: new("#AA0000"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(appearance.HeaderMessage)
	// Output: Back at noon.
}
