package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// List all jobs of a project.
func Example_jobsAll() {
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
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("lint", servicetest.Stage("check"))
	pipeline.Job("test", servicetest.Took(90*time.Second))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for job, err := range client.Jobs.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %s %s %s %.0fs\n",
			job.ID, job.Stage, job.Name, job.Status, *job.Duration)
	}
	// Output:
	// 2 test test success 90s
	// 1 check lint success 62s
}

// Download one file from the archive of the latest successful pipeline.
func Example_jobArtifactsDownloadLatestFile() {
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
	files := map[string]string{"dist/VERSION": "1.7.0", "dist/shop": "…"}
	service.Project("acme/shop").Pipeline("main").
		Job("build", servicetest.Archive(files))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	file, _, err := client.JobArtifacts.DownloadLatestFile(ctx, shop,
		"dist/VERSION",
		&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "build"})
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	version, err := io.ReadAll(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", version)
	// Output: 1.7.0
}

// List the runners that are offline.
func Example_runnersAll() {
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
	service.Runner("build-01")
	service.Runner("build-02", servicetest.RunnerStatus("offline"))

	options := &serviceapi.ListRunnersOptions{
		Status: serviceapi.RunnerStatusOffline,
	}
	ctx := context.Background()
	for runner, err := range client.Runners.All(ctx, serviceapi.Instance, options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(runner.ID, runner.Description, runner.RunnerType)
	}
	// Output: 2 build-02 instance_type
}

// Delete old build images, except the newest.
func Example_registryDeleteTags() {
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
	images := service.Project("acme/shop").RegistryRepository("")
	for n := range 4 {
		weeks := time.Duration(n) * 7 * 24 * time.Hour
		images.Push(fmt.Sprint("build-", 4-n),
			servicetest.CreatedAt(service.Now().Add(-weeks)))
	}
	images.Push("v1.0")

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, err = client.Registry.DeleteTags(ctx, shop, images.ID(),
		&serviceapi.DeleteRegistryTagsOptions{
			NameRegexDelete: "^build-.*$",
			KeepN:           1,
			OlderThan:       "10d",
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(images.Tags())
	service.Advance(time.Minute) // the service takes its time
	fmt.Println(images.Tags())
	// Output:
	// [build-1 build-2 build-3 build-4 v1.0]
	// [build-3 build-4 v1.0]
}

// The registry has its own catalog, with its own credentials.
func Example_registryCatalogAll() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.User("admin", servicetest.Admin(),
		servicetest.Password("a password"))
	service.Project("acme/shop").RegistryRepository("")
	service.Project("acme/site").RegistryRepository("pages")

	config := serviceapi.RegistryCatalogConfig{
		BaseURL:     service.URL(),
		RegistryURL: service.RegistryURL(),
		Username:    "admin",
		Password:    serviceapi.NewSecret("a password"),
	}
	catalog, err := serviceapi.NewRegistryCatalog(config)
	if err != nil {
		log.Fatal(err)
	}
	for path, err := range catalog.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(path)
	}
	// Output:
	// acme/shop
	// acme/site/pages
}

// Stop and delete the environment of a branch that no longer exists.
func Example_environmentsStopAndWait() {
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
	review := service.Project("acme/shop").Environment("review/7")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	stopped, err := client.Environments.StopAndWait(ctx, shop, review.ID(),
		serviceapi.StopEnvironmentOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stopped.Name, stopped.State)
	if _, err := client.Environments.Delete(ctx, shop, stopped.ID); err != nil {
		log.Fatal(err)
	}
	// Output: review/7 stopped
}

// Find the latest deployment to production.
func Example_deploymentsList() {
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
	production := shop.Environment("production")
	production.Deployment()
	shop.Tag("v1.1", "main")
	production.Deployment(servicetest.DeployedRef("v1.1"))

	ctx, project := context.Background(), serviceapi.ProjectPath("acme/shop")
	latest := &serviceapi.ListDeploymentsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 1},
		Environment: "production",
		Status:      serviceapi.DeploymentStatusSuccess,
		Sort:        serviceapi.SortDescending,
	}
	deployments, _, err := client.Deployments.List(ctx, project, latest)
	if err != nil {
		log.Fatal(err)
	}
	for _, deployment := range deployments {
		fmt.Println(deployment.IID, deployment.Ref, deployment.Status)
	}
	// Output: 2 v1.1 success
}

// Let only the release team deploy, after the approval of a maintainer.
func Example_protectedEnvironmentsCreate() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	team := service.Group("acme/release")
	service.Project("acme/shop").ShareWith(team, servicetest.Developer)
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	protected, _, err := client.ProtectedEnvironments.Create(ctx, shop,
		serviceapi.CreateProtectedEnvironmentOptions{
			Name: "production",
			DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{
				{GroupID: team.ID()},
			},
			ApprovalRules: []serviceapi.NewEnvironmentApprovalRule{
				{AccessLevel: new(serviceapi.AccessLevelMaintainer)},
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	for _, level := range protected.DeployAccessLevels {
		fmt.Println("may deploy:", level.AccessLevelDescription)
	}
	for _, rule := range protected.ApprovalRules {
		fmt.Println("approval of:", rule.AccessLevelDescription)
	}
	// Output:
	// may deploy: Release
	// approval of: Maintainers
}

// Fetch a keystore for a build without keeping it in the repository.
func Example_secureFilesAll() {
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
	service.Project("acme/shop").SecureFile("release.jks", "a keystore")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	for file, err := range client.SecureFiles.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		download, _, err := client.SecureFiles.Download(ctx, shop, file.ID)
		if err != nil {
			log.Fatal(err)
		}
		if err := file.Verify(download); err != nil {
			log.Fatal(err)
		}
		content, err := io.ReadAll(download)
		if err := errors.Join(err, download.Close()); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", file.Name, content)
	}
	// Output: release.jks: a keystore
}
