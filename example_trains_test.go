package serviceapi_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Two merge requests are merged one after the other. One that waits for its
// own checks first is not on the train yet.
func ExampleMergeTrainsService_Add() {
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
	project := service.Project("acme/shop",
		servicetest.Setting("merge_trains_enabled", true))
	project.MergeRequest("cart")
	project.MergeRequest("search")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	for _, iid := range []int64{1, 2} {
		added, _, err := client.MergeTrains.Add(ctx, shop.MergeRequest(iid),
			serviceapi.AddToMergeTrainOptions{AutoMerge: new(true)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("waits for its checks:", added.Waits)
	}
	service.Advance(time.Hour)
	for car, err := range client.MergeTrains.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(car.MergeRequest.Title, car.Status)
	}
	// Output:
	// waits for its checks: false
	// waits for its checks: false
	// Search merged
	// Cart merged
}

// How many deployments a day were there in production?
func ExampleDORAMetricsService_All() {
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
	production := service.Project("acme/shop").Environment("production")
	production.Deployment()
	production.Deployment()

	for metric, err := range client.DORAMetrics.All(context.Background(),
		serviceapi.GroupPath("acme"), &serviceapi.ListDORAMetricsOptions{
			Metric:    serviceapi.DORAMetricTypeDeploymentFrequency,
			StartDate: serviceapi.DateOf(service.Now().AddDate(0, 0, -1)),
			EndDate:   serviceapi.DateOf(service.Now()),
		}) {
		if err != nil {
			log.Fatal(err)
		}
		if metric.Value != nil { // nil if there is nothing to measure
			fmt.Println(metric.Date, *metric.Value)
		}
	}
	// Output:
	// 2026-01-14 0
	// 2026-01-15 2
}

// The next pipelines pull their images anew.
func ExampleDependencyProxyService_PurgeCache() {
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

	resp, err := client.DependencyProxy.PurgeCache(context.Background(),
		serviceapi.GroupPath("acme"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.StatusCode)
	// Output: 202
}
