package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// leastPermissions finds out what a bot needs in one project. It runs the bot
// with a token that can do almost nothing, adds what a refusal says is missing,
// and runs it again. The bot must be able to begin anew.
func leastPermissions(ctx context.Context, admin *serviceapi.Client,
	bot serviceapi.UserRef, projectID int64, run func(*serviceapi.Client) error,
) ([]serviceapi.GranularPermission, error) {
	needed := []serviceapi.GranularPermission{"read_project"}
	for {
		err := withPermissions(ctx, admin, bot, projectID, needed, run)
		var refused *serviceapi.InsufficientGranularScopeError
		if !errors.As(err, &refused) {
			return needed, err
		}
		before := len(needed)
		for _, permission := range refused.Permissions {
			if !slices.Contains(needed, permission) {
				needed = append(needed, permission)
			}
		}
		if len(needed) == before { // no permission covers the call yet
			return needed, err
		}
	}
}

// withPermissions runs a bot with a token that has only these permissions, in
// one project, and revokes the token again.
func withPermissions(ctx context.Context, admin *serviceapi.Client,
	bot serviceapi.UserRef, projectID int64,
	permissions []serviceapi.GranularPermission,
	run func(*serviceapi.Client) error) error {
	tomorrow := serviceapi.DateOf(time.Now().UTC().AddDate(0, 0, 1))
	token, _, err := admin.AccessTokens.Create(ctx, bot,
		serviceapi.CreateAccessTokenOptions{
			Name: "trial", ExpiresAt: &tomorrow,
			GranularScopes: []serviceapi.GranularScopeOptions{{
				Access:      serviceapi.GranularAccessSelectedMemberships,
				Permissions: permissions, ProjectIDs: []int64{projectID},
			}},
		})
	if err != nil {
		return err
	}
	client, err := admin.With(serviceapi.WithCredential(
		serviceapi.PrivateToken(token.Token.Reveal())))
	if err == nil {
		err = run(client)
	}
	_, revokeErr := admin.AccessTokens.Revoke(
		context.WithoutCancel(ctx), bot, token.ID)
	if revokeErr != nil { // no further trial
		return fmt.Errorf("token %d was not revoked: %w", token.ID, revokeErr)
	}
	return err
}

// A bot asks for the failed jobs of a project, and opens an issue about them.
func Example_leastPermissions() {
	service, err := servicetest.Start(servicetest.WithClock(time.Now))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	robot := service.User("robot")
	project := service.Project("acme/shop",
		servicetest.Member(robot, servicetest.Reporter))
	project.Pipeline("main").Job("test", servicetest.Failed("script_failure"))
	admin, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	report := func(client *serviceapi.Client) error {
		jobs, _, err := client.Jobs.List(ctx, shop, nil)
		if err != nil {
			return err
		}
		title := fmt.Sprint(len(jobs), " jobs failed")
		_, _, err = client.Issues.Create(ctx, shop,
			serviceapi.CreateIssueOptions{Title: title})
		return err
	}
	needed, err := leastPermissions(ctx, admin, serviceapi.UserID(robot.ID()),
		project.ID(), report)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(needed)
	// Output: [read_project read_job create_work_item]
}
