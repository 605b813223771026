package serviceapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// An address that the service refused is an error, although all others are
// invited.
func ExampleInvitationsService_Create() {
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
	service.Group("acme", servicetest.Member(
		service.User("linus"), servicetest.Developer))
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")

	result, _, err := client.Invitations.Create(ctx, acme,
		serviceapi.CreateInvitationOptions{
			AccessLevel: serviceapi.AccessLevelDeveloper,
			Emails:      []string{"grace@example.org", "linus@example.com"},
		})
	refused, isRefused := errors.AsType[*serviceapi.InvitationError](err)
	if err != nil && !isRefused {
		log.Fatal(err)
	}
	fmt.Println("invited:", result.Accepted)
	if isRefused {
		for address, reason := range refused.Refused {
			fmt.Println(address+":", reason)
		}
	}
	// Output:
	// invited: [grace@example.org]
	// linus@example.com: User already exists in source
}

// Who asks for access gets the role that the options name, by default that of
// a developer.
func ExampleAccessRequestsService_Approve() {
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
	service.Project("acme/shop", servicetest.Public())
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	grace, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.Token(service.User("grace"))))
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := grace.AccessRequests.Create(ctx, shop); err != nil {
		log.Fatal(err)
	}

	for request, err := range client.AccessRequests.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		member, _, err := client.AccessRequests.Approve(ctx, shop,
			serviceapi.UserID(request.ID),
			serviceapi.ApproveAccessRequestOptions{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(member.Username, "is now a", member.AccessLevel)
	}
	// Output: grace is now a Developer
}

// Once access is limited, the jobs of other projects reach the project only if
// they, or a group above them, are allowed.
func ExampleJobTokenScopeService_AddProject() {
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
	deploy := service.Project("acme/deploy")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	if _, _, err := client.JobTokenScope.AddProject(ctx, shop,
		serviceapi.AddAllowedProjectOptions{
			TargetProjectID: deploy.ID(),
		}); err != nil {
		log.Fatal(err)
	}
	if _, err := client.JobTokenScope.Update(ctx, shop,
		serviceapi.UpdateJobTokenScopeOptions{Enabled: true}); err != nil {
		log.Fatal(err)
	}
	for project, err := range client.JobTokenScope.AllProjects(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("allowed:", project.PathWithNamespace)
	}
	// Output: allowed: acme/deploy
}

// A project that was never changed has no settings yet.
func ExampleSecuritySettingsService_Get() {
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

	settings, _, err := client.SecuritySettings.Get(ctx, shop)
	if err != nil {
		log.Fatal(err)
	}
	if settings == nil || !settings.SecretPushProtectionEnabled {
		settings, _, err = client.SecuritySettings.Update(ctx, shop,
			serviceapi.UpdateSecuritySettingsOptions{
				SecretPushProtectionEnabled: true,
			})
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("protected:", settings.SecretPushProtectionEnabled)
	// Output: protected: true
}

// Change two settings of the instance, and put back what was there before.
func ExampleApplicationSettings_UpdateOptions() {
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
	ctx := context.Background()
	before, _, err := client.Settings.Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, options := range []serviceapi.UpdateApplicationSettingsOptions{
		{
			RestrictedVisibilityLevels: []serviceapi.Visibility{
				serviceapi.VisibilityPublic,
			},
			SentryEnabled: new(true),
		},
		before.UpdateOptions(),
	} {
		settings, _, err := client.Settings.Update(ctx, options)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(settings.RestrictedVisibilityLevels, settings.SentryEnabled)
	}
	// Output:
	// [public] true
	// [] false
}
