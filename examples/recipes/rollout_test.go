package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strconv"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// rollOut turns a feature on in production for a part of the users. It makes
// the flag, or changes the rollout that it has. Other strategies, such as one
// for testers, stay as they are.
func rollOut(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, name string, percent int) error {
	const rollout = serviceapi.FeatureFlagStrategyNameFlexibleRollout
	part := serviceapi.FeatureFlagParameters{
		GroupID:    "default",
		Rollout:    strconv.Itoa(percent),
		Stickiness: serviceapi.FeatureFlagStickinessDefault,
	}
	flag, _, err := client.FeatureFlags.Get(ctx, project, name)
	if errors.Is(err, serviceapi.ErrNotFound) {
		production := []serviceapi.NewFeatureFlagScope{
			{EnvironmentScope: "production"},
		}
		_, _, err = client.FeatureFlags.Create(ctx, project,
			serviceapi.CreateFeatureFlagOptions{
				Name: name,
				Strategies: []serviceapi.NewFeatureFlagStrategy{
					{Name: rollout, Parameters: part, Scopes: production},
				},
			})
		return err
	}
	if err != nil {
		return err
	}
	rollsOut := func(s *serviceapi.FeatureFlagStrategy) bool {
		return s.Name == rollout && s.Parameters != nil && len(s.Scopes) == 1 &&
			s.Scopes[0].EnvironmentScope == "production"
	}
	at := slices.IndexFunc(flag.Strategies, rollsOut)
	if at < 0 || !flag.Active {
		return fmt.Errorf("%s is off, or not rolled out in production", name)
	}
	// With another group, other users would have the feature.
	part = *flag.Strategies[at].Parameters
	part.Rollout = strconv.Itoa(percent)
	_, _, err = client.FeatureFlags.Update(ctx, project, name,
		serviceapi.UpdateFeatureFlagOptions{
			Strategies: []serviceapi.FeatureFlagStrategyChange{
				{ID: flag.Strategies[at].ID, Parameters: &part},
			},
		})
	return err
}

// Roll a feature out to 10 %, then to all.
func Example_rollOut() {
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

	for _, percent := range []int{10, 100} {
		if err := rollOut(ctx, client, shop, "dark-mode", percent); err != nil {
			log.Fatal(err)
		}
		flag, _, err := client.FeatureFlags.Get(ctx, shop, "dark-mode")
		if err != nil {
			log.Fatal(err)
		}
		strategy := flag.Strategies[0]
		fmt.Println(strategy.Scopes[0].EnvironmentScope,
			strategy.Parameters.Rollout, len(flag.Strategies))
	}
	// Output:
	// production 10 1
	// production 100 1
}
