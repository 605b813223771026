package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// startedAsAdmin returns an embedded service and a client of its administrator.
func startedAsAdmin(opts ...servicetest.Option) (
	*servicetest.Service, *serviceapi.Client,
) {
	service, err := servicetest.Start(opts...)
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	return service, client
}

// A move that failed is not an error: its state says so.
func ExampleStorageMovesService_Wait() {
	service, client := startedAsAdmin(servicetest.WithTick(time.Second))
	defer service.Close()
	service.Project("acme/shop")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	move, _, err := client.StorageMoves.Move(ctx, shop,
		serviceapi.MoveRepositoryOptions{DestinationStorageName: new("fast")})
	if err != nil {
		log.Fatal(err)
	}
	moved, err := client.StorageMoves.Wait(ctx, shop, move.ID,
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(move.State, moved.State, moved.DestinationStorageName)
	// Output: scheduled finished fast
}

// A group's integration is that of all projects below it, unless they have
// their own.
func ExampleIntegrationsService_Set() {
	service, client := startedAsAdmin()
	defer service.Close()
	service.Project("acme/shop")
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	_, _, err := client.Integrations.Set(ctx, acme, serviceapi.SlackIntegration{
		Webhook:             serviceapi.NewSecret("https://chat.example/hooks/1"),
		PushChannel:         new("releases"),
		NoteEvents:          new(false),
		IssuesEvents:        new(false),
		WikiPageEvents:      new(false),
		MergeRequestsEvents: new(false),
	})
	if err != nil {
		log.Fatal(err)
	}
	shop := serviceapi.ProjectPath("acme/shop")
	integration, _, err := client.Integrations.Get(ctx, shop, "slack")
	if err != nil {
		log.Fatal(err)
	}
	var slack serviceapi.SlackIntegration
	if err := integration.Settings(&slack); err != nil {
		log.Fatal(err)
	}
	fmt.Println(*integration.Inherited, *slack.PushChannel, *slack.NoteEvents)
	fmt.Println("webhook:", slack.Webhook.IsEmpty())
	// Output:
	// true releases false
	// webhook: true
}

func ExampleBroadcastMessagesService_Create() {
	service, client := startedAsAdmin()
	defer service.Close()

	message, _, err := client.BroadcastMessages.Create(context.Background(),
		serviceapi.CreateBroadcastMessageOptions{
			Message: "Upgrade on Saturday",
			Theme:   new(serviceapi.BroadcastMessageThemeGreen),
			EndsAt:  new(service.Now().Add(48 * time.Hour)),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Active, message.BroadcastType, message.Theme)
	// Output: true banner green
}

// The feature is on for one user first, then for a quarter of all actors.
func ExampleFeaturesService_Set() {
	service, client := startedAsAdmin()
	defer service.Close()
	service.User("ada")

	for _, options := range []serviceapi.SetFeatureOptions{
		{Value: "true", User: new("ada")},
		{Value: "25", Key: new(serviceapi.FeatureGateKeyPercentageOfActors)},
	} {
		feature, _, err := client.Features.Set(context.Background(),
			"ci_secure_files", options)
		if err != nil {
			log.Fatal(err)
		}
		last := feature.Gates[len(feature.Gates)-1]
		fmt.Println(feature.State, last.Key, string(last.Value))
	}
	// Output:
	// conditional actors ["User:2"]
	// conditional percentage_of_actors 25
}

// One plan gets new limits, and another one all that the first has.
func ExamplePlanLimitsService_Change() {
	service, client := startedAsAdmin()
	defer service.Close()

	ctx := context.Background()
	premium, _, err := client.PlanLimits.Change(ctx,
		serviceapi.ChangePlanLimitsOptions{
			PlanName: "premium",
			PlanLimitValues: serviceapi.PlanLimitValues{
				CIActiveJobs: new(500), CIPipelineSchedules: new(0),
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	limits, _, err := client.PlanLimits.Change(ctx,
		serviceapi.ChangePlanLimitsOptions{
			PlanName:        "ultimate",
			PlanLimitValues: premium.PlanLimitValues,
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*limits.CIActiveJobs, *limits.CIPipelineSchedules)
	// Output: 500 0
}

func ExampleSidekiqService_GetMetrics() {
	service, client := startedAsAdmin()
	defer service.Close()

	metrics, _, err := client.Sidekiq.GetMetrics(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	mailers := metrics.Queues["mailers"]
	fmt.Println(mailers.Backlog, "waiting for", mailers.Latency, "s")
	// Output: 2 waiting for 1 s
}

// An upgrade waits until no migration works in the background.
func ExampleMigrationsService_AllBatched() {
	service, client := startedAsAdmin()
	defer service.Close()

	migrations := client.Migrations.AllBatched(context.Background(), nil)
	for migration, err := range migrations {
		if err != nil {
			log.Fatal(err)
		}
		if migration.Status == serviceapi.BatchedMigrationStatusActive {
			fmt.Println(migration.JobClassName, migration.EstimatedTimeRemaining)
		}
	}
	// Output: BackfillNames 1 day
}

func ExampleUsageDataService_TrackEvents() {
	service, client := startedAsAdmin()
	defer service.Close()

	_, err := client.UsageData.TrackEvents(context.Background(),
		serviceapi.TrackEventsOptions{Events: []serviceapi.TrackEventOptions{
			{Event: "i_quickactions_page"},
			{Event: "i_quickactions_tag", ProjectID: new(int64(42))},
		}})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleGeoSitesService_AllStatuses() {
	service, client := startedAsAdmin()
	defer service.Close()
	ctx := context.Background()
	_, _, err := client.GeoSites.Create(ctx, serviceapi.CreateGeoSiteOptions{
		Name: "far", URL: "https://far.example",
	})
	if err != nil {
		log.Fatal(err)
	}

	for status, err := range client.GeoSites.AllStatuses(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		objects := status.Counts["lfs_objects"]
		fmt.Println(status.Health, *objects.Synced, "of", *objects.Count, "objects")
	}
	// Output: Healthy 0 of 0 objects
}

// Whose is a token that leaked? Then end it.
func ExampleTokenInformationService_Get() {
	service, client := startedAsAdmin()
	defer service.Close()
	leaked := serviceapi.NewSecret(service.Token(service.User("ada"),
		servicetest.Name("laptop")))
	ctx := context.Background()

	token, _, err := client.TokenInformation.Get(ctx,
		serviceapi.AnyTokenOptions{Token: leaked})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.Name, *token.UserID, *token.Active)
	_, err = client.TokenInformation.Revoke(ctx,
		serviceapi.AnyTokenOptions{Token: leaked})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(service.TokenWorks(leaked.Reveal()))
	// Output:
	// laptop 2 true
	// false
}
