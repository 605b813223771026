package recipes_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// waitForDeployment waits for the latest deployment of an environment and
// returns an error unless it succeeds. It must be one of a commit: right after
// a merge, the latest deployment is still that of the former one.
func waitForDeployment(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, environment, sha string,
	opts ...serviceapi.RequestOption) (*serviceapi.Deployment, error) {
	latest := &serviceapi.ListDeploymentsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 1},
		Environment: environment,
		OrderBy:     serviceapi.DeploymentOrderByID,
		Sort:        serviceapi.SortDescending,
	}
	list, _, err := client.Deployments.List(ctx, project, latest)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s was never deployed to", environment)
	}
	if list[0].SHA != sha {
		return nil, fmt.Errorf("%s has no deployment of %s yet",
			environment, sha)
	}
	id := list[0].ID
	deployment, err := client.Deployments.Wait(ctx, project, id, opts...)
	switch {
	case err != nil:
		return nil, err
	case deployment.Status == serviceapi.DeploymentStatusBlocked:
		return nil, fmt.Errorf("deployment %d waits for approval",
			deployment.IID)
	case deployment.Status != serviceapi.DeploymentStatusSuccess:
		return nil, fmt.Errorf("deployment %d: %s",
			deployment.IID, deployment.Status)
	}
	return deployment, nil
}

// Wait for a deployment.
func Example_waitForDeployment() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	running := service.Project("acme/shop").Environment("production").
		Deployment(servicetest.DeploymentStatus("running"))
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	deployment, err := waitForDeployment(ctx, client,
		serviceapi.ProjectPath("acme/shop"), "production", running.SHA(),
		serviceapi.WithPollInterval(10*time.Millisecond, time.Second),
		serviceapi.WithPollObserver(func(p serviceapi.Poll) {
			fmt.Println(p.Target, "is", p.State)
			running.SetStatus("success") // meanwhile, in the service
		}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(deployment.Ref, "is live")
	// Output:
	// deployment 1 is running
	// deployment 1 is success
	// main is live
}
