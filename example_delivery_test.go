package serviceapi_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Only the response of CreateToken contains the token, so it goes to the
// agent at once.
func ExampleClusterAgentsService_CreateToken() {
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

	agent, _, err := client.ClusterAgents.Create(ctx, shop,
		serviceapi.CreateClusterAgentOptions{Name: "eu-1"})
	if err != nil {
		log.Fatal(err)
	}
	token, _, err := client.ClusterAgents.CreateToken(ctx, shop, agent.ID,
		serviceapi.CreateClusterAgentTokenOptions{Name: "first"})
	if err != nil {
		log.Fatal(err)
	}
	install := func(agent, token string) { fmt.Println("installed", agent) }
	install(agent.Name, token.Token.Reveal())
	fmt.Println(token.Token)
	// Output:
	// installed eu-1
	// [redacted]
}

// Nobody should deploy from Friday evening to Monday morning.
func ExampleFreezePeriodsService_Create() {
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

	_, _, err = client.FreezePeriods.Create(context.Background(),
		serviceapi.ProjectPath("acme/shop"), serviceapi.CreateFreezePeriodOptions{
			FreezeStart: "0 18 * * fri", FreezeEnd: "0 7 * * mon",
			CronTimezone: new("Europe/Berlin"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(service.Now().Weekday(), shop.Frozen())
	service.Advance(2 * 24 * time.Hour)
	fmt.Println(service.Now().Weekday(), shop.Frozen())
	// Output:
	// Thursday false
	// Saturday true
}

// Two jobs that deploy do not run at once: the second one waits.
func ExampleResourceGroupsService_CurrentJob() {
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
	service.Project("acme/shop").Pipeline("main").Job("deploy",
		servicetest.Running(), servicetest.InResourceGroup("production"))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	for job, err := range client.Jobs.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		holder, _, err := client.ResourceGroups.CurrentJob(ctx, shop, "production")
		if err != nil {
			log.Fatal(err)
		}
		if holder != nil { // nil if no job has the group
			fmt.Println(job.Name, holder.ID == job.ID)
		}
	}
	// Output: deploy true
}

// The old token stops working at once: give the new one to the controller.
func ExampleRunnerControllersService_RotateToken() {
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
	ctx, controllers := context.Background(), client.RunnerControllers
	controller, _, err := controllers.Create(ctx,
		serviceapi.CreateRunnerControllerOptions{Description: new("Signed only")})
	if err != nil {
		log.Fatal(err)
	}
	old, _, err := controllers.CreateToken(ctx, controller.ID,
		serviceapi.CreateRunnerControllerTokenOptions{Description: new("east")})
	if err != nil {
		log.Fatal(err)
	}
	token, _, err := controllers.RotateToken(ctx, controller.ID, old.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.ID != old.ID, token.Description, token.Token)
	// Output: true east [redacted]
}

// A state that is locked is told from other errors by its type.
func ExampleTerraformStatesService_Lock() {
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
	service.Project("acme/infra").TerraformState("production")
	ctx, infra := context.Background(), serviceapi.ProjectPath("acme/infra")

	for _, id := range []string{"first", "second"} {
		_, _, err := client.TerraformStates.Lock(ctx, infra, "production",
			serviceapi.LockTerraformStateOptions{ID: id})
		if held, ok := errors.AsType[*serviceapi.TerraformLockError](err); ok {
			fmt.Println(held.Lock.Who, "holds the lock", held.Lock.ID)
		} else if err != nil {
			log.Fatal(err)
		}
	}
	// Output: root holds the lock first
}

func ExampleTerraformStatesService_Upload() {
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
	service.Project("acme/infra").TerraformState("production", `{"serial":1}`)
	ctx, infra := context.Background(), serviceapi.ProjectPath("acme/infra")

	// Move a state to another name, unless somebody is working with it.
	lock := serviceapi.LockTerraformStateOptions{ID: "move-1"}
	_, _, err = client.TerraformStates.Lock(ctx, infra, "production", lock)
	if err != nil {
		log.Fatal(err)
	}
	state, _, err := client.TerraformStates.Download(ctx, infra, "production")
	if err != nil {
		log.Fatal(err)
	}
	defer state.Close()
	_, err = client.TerraformStates.Upload(ctx, infra, "eu/production",
		serviceapi.UploadTerraformStateOptions{
			State: serviceapi.Upload{Content: state},
		})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.TerraformStates.Unlock(ctx, infra, "production",
		&serviceapi.UnlockTerraformStateOptions{ID: lock.ID})
	if err != nil {
		log.Fatal(err)
	}

	version, _, err := client.TerraformStates.DownloadVersion(ctx, infra,
		"eu/production", 1)
	if err != nil {
		log.Fatal(err)
	}
	defer version.Close()
	if _, err := io.Copy(os.Stdout, version); err != nil {
		log.Fatal(err)
	}
	// Output: {"serial":1}
}

func ExampleAttestationsService_Download() {
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
	artifact := []byte("the app")
	digest := fmt.Sprintf("%x", sha256.Sum256(artifact))
	service.Project("acme/app").Attestation(digest, `{"mediaType":"bundle"}`, nil)
	ctx, app := context.Background(), serviceapi.ProjectPath("acme/app")

	for attestation, err := range client.Attestations.All(ctx, app, digest, nil) {
		if err != nil {
			log.Fatal(err)
		}
		if attestation.Status != serviceapi.AttestationStatusSuccess {
			continue
		}
		bundle, _, err := client.Attestations.Download(ctx, app, attestation.IID)
		if err != nil {
			log.Fatal(err)
		}
		_, err = io.Copy(os.Stdout, bundle)
		bundle.Close()
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output: {"mediaType":"bundle"}
}

// A job publishes the release that it has made.
func ExampleCatalogService_Publish() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	project := service.Project("acme/components",
		servicetest.Description("Components for builds"))
	project.Commit("main", "Begin",
		servicetest.Write("README.md", "# Components\n"),
		servicetest.Write("templates/build.yml", "spec:\n"))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	components := serviceapi.ProjectPath("acme/components")

	_, _, err = client.Releases.Create(ctx, components,
		serviceapi.CreateReleaseOptions{TagName: "1.0.0", Ref: new("main")})
	if err != nil {
		log.Fatal(err)
	}
	version, _, err := client.Catalog.Publish(ctx, components,
		serviceapi.PublishCatalogVersionOptions{Version: "1.0.0"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimPrefix(version.CatalogURL, service.URL()))
	// Output: /explore/catalog/acme/components
}
