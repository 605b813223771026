package recipes_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Start a pipeline and wait until it ends.
func Example_pipelinesWait() {
	// The clock of this service moves by half a minute with each request.
	service, err := servicetest.Start(servicetest.WithTick(30 * time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop").CI(
		servicetest.PlanJob("build", servicetest.Stage("build")),
		servicetest.PlanJob("test", servicetest.Failed("script_failure")),
	)
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	started, _, err := client.Pipelines.Create(ctx, shop,
		serviceapi.CreatePipelineOptions{
			Ref: "main",
			Variables: []serviceapi.PipelineVariable{
				{Key: "DEPLOY_KEY", Value: serviceapi.NewSecret("…")},
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	pipeline, err := client.Pipelines.Wait(ctx, shop, started.ID,
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("pipeline %d: %s after %ds\n",
		pipeline.ID, pipeline.Status, *pipeline.Duration)

	failed := &serviceapi.ListPipelineJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed},
	}
	jobs := client.Jobs.AllForPipeline(ctx, shop, pipeline.ID, failed)
	for job, err := range jobs {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.Name, job.FailureReason)
	}
	// Output:
	// pipeline 1: failed after 125s
	// test script_failure
}

// List the failed tests of a pipeline with their output.
func Example_pipelinesTestReport() {
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
	service.Project("acme/shop").Pipeline("main").Job("unit",
		servicetest.Failed("script_failure"),
		servicetest.JUnit(`<testsuite>
			<testcase name="adds"><failure>got 5</failure></testcase>
			<testcase name="divides"/>
		</testsuite>`))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	latest, _, err := client.Pipelines.Latest(ctx, shop, nil)
	if err != nil {
		log.Fatal(err)
	}
	report, _, err := client.Pipelines.TestReport(ctx, shop, latest.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.FailedCount, "of", report.TotalCount, "failed")
	for _, suite := range report.TestSuites {
		for _, test := range suite.TestCases {
			if test.Status == serviceapi.TestCaseStatusFailed {
				fmt.Printf("%s/%s: %s\n", suite.Name, test.Name, test.Output())
			}
		}
	}
	// Output:
	// 1 of 2 failed
	// unit/adds: got 5
}

// Delete merged branches, except protected ones.
func Example_branchesDelete() {
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
	project.Branch("fix-login", "main")
	project.Branch("release/1", "main")
	project.ProtectBranch("release/*")
	project.Commit("wip", "Try", servicetest.Write("try.txt", "1"))
	project.Commit("main", "Go on", servicetest.Write("shop.txt", "open"))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	// Collect first: a deletion would shift the pages that follow.
	branches, err := serviceapi.Collect(client.Branches.All(ctx, shop, nil))
	if err != nil {
		log.Fatal(err)
	}
	for _, branch := range branches {
		if !branch.Merged || branch.Default {
			continue
		}
		// Not if somebody has pushed to it meanwhile.
		_, err := client.Branches.Delete(ctx, shop, branch.Name,
			serviceapi.WithIfUnmodifiedSince(branch.Commit.CommittedDate))
		var protected *serviceapi.ProtectedRefError
		switch {
		case errors.As(err, &protected):
			fmt.Println(protected.Ref, "is protected")
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(branch.Name, "is gone")
		}
	}
	fmt.Println(project.Branches())
	// Output:
	// fix-login is gone
	// release/1 is protected
	// [main release/1 wip]
}

// Create an annotated tag for a release.
func Example_tagsCreate() {
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
	project.Commit("main", "Add a cart", servicetest.Write("cart.go", ""))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	tag, _, err := client.Tags.Create(ctx, shop, serviceapi.CreateTagOptions{
		TagName: "v1.7.0",
		Ref:     "main",
		Message: new("Carts"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tag.Name, tag.Message, "-", tag.Commit.Title)
	fmt.Println(project.Tags())
	// Output:
	// v1.7.0 Carts - Add a cart
	// [v1.7.0]
}

// Show the changes of a branch since it diverged from the default branch.
func Example_repositoryCompare() {
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
	project.Commit("cart", "Add a cart", servicetest.Write("cart.go", "x\n"))
	project.Commit("cart", "Fill it", servicetest.Write("cart.go", "y\n"))
	project.Commit("main", "Meanwhile", servicetest.Write("other.go", ""))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	changes, _, err := client.Repository.Compare(ctx, shop,
		&serviceapi.CompareOptions{From: "main", To: "cart"})
	if err != nil {
		log.Fatal(err)
	}
	for _, commit := range changes.Commits {
		fmt.Println(commit.Title)
	}
	for _, diff := range changes.Diffs {
		fmt.Printf("%s\n%s", diff.NewPath, diff.Diff)
	}
	// Output:
	// Add a cart
	// Fill it
	// cart.go
	// @@ -0,0 +1 @@
	// +y
}

// List the files of a tag without cloning the repository.
func Example_repositoryDownloadArchive() {
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
	project.Commit("main", "Begin",
		servicetest.Write("cmd/shop/main.go", "package main\n"),
		servicetest.Write("docs/index.md", "# Shop\n"))
	project.Tag("v1.7.0", "main")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	archive, _, err := client.Repository.DownloadArchive(ctx, shop,
		serviceapi.ArchiveFormatTarGz,
		&serviceapi.DownloadArchiveOptions{SHA: "v1.7.0", Path: "cmd"})
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	unpacked, err := gzip.NewReader(archive)
	if err != nil {
		log.Fatal(err)
	}
	for files := tar.NewReader(unpacked); ; {
		header, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(header.FileInfo().Name(), header.Size)
	}
	// Output: main.go 13
}

// Report the result of a check outside the service.
func Example_commitsSetStatus() {
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
	head := service.Project("acme/shop").Head("main")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	status, _, err := client.Commits.SetStatus(ctx, shop, head,
		serviceapi.SetCommitStatusOptions{
			State:       serviceapi.CommitStatusStateFailed,
			Name:        new("license-scan"),
			Description: new("2 files without a license"),
			TargetURL:   new("https://scan.example.com/runs/7"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.Name, status.Status, "on", status.Ref)
	// Output: license-scan failed on main
}

// Find out which release the instance runs.
func Example_metadataVersion() {
	service, err := servicetest.Start(servicetest.WithVersion("15.2.0"))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	instance, _, err := client.Metadata.Version(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(instance.Version)
	// Output: 15.2.0
}
