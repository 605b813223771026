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
func startedAsAdmin(opts ...servicetest.Option) (*servicetest.Service, *serviceapi.Client) {
	service, err := servicetest.Start(opts...)
	if err != nil {
		log.Fatal(err)
	}
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
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
