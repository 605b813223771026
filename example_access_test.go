package serviceapi_test

import (
	"context"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Of an important project, the caller wants to know when its pipelines fail.
func ExampleNotificationSettingsService_Update() {
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
	level := serviceapi.NotificationLevelCustom
	settings, _, err := client.NotificationSettings.Update(ctx, shop,
		serviceapi.UpdateNotificationSettingsOptions{
			Level: &level, FailedPipeline: new(true),
		})
	if err != nil {
		log.Fatal(err)
	}
	events := settings.Events
	fmt.Println(settings.Level, *events.FailedPipeline, events.NewNote == nil)
	// Output: custom true true
}

// A guest who reads code has a role with one more permission.
func ExampleMemberRolesService_Create() {
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
	ada := service.User("ada")
	service.Group("acme")

	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	role, _, err := client.MemberRoles.Create(ctx, serviceapi.Instance,
		serviceapi.CreateMemberRoleOptions{
			BaseAccessLevel: serviceapi.AccessLevelGuest, Name: new("Reader"),
			Permissions: map[serviceapi.MemberPermission]bool{
				serviceapi.MemberPermissionReadCode: true,
			},
		})
	if err != nil {
		log.Fatal(err)
	}
	member, _, err := client.Members.Add(ctx, acme, serviceapi.UserID(ada.ID()),
		role.BaseAccessLevel, serviceapi.AddMemberOptions{MemberRoleID: &role.ID})
	if err != nil {
		log.Fatal(err)
	}
	for permission, granted := range member.MemberRole.Permissions {
		if granted {
			fmt.Println(member.Username, member.MemberRole.Name, permission)
		}
	}
	// Output: ada Reader read_code
}

// Which tokens of a company's people never expire?
func ExampleCredentialsService_AllPersonalTokens() {
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
	acme := service.Group("acme")
	ada := service.User("ada", servicetest.ProvisionedBy(acme))
	service.Token(ada, servicetest.Name("laptop"))

	ctx := context.Background()
	for token, err := range client.Credentials.AllPersonalTokens(ctx,
		serviceapi.GroupPath("acme"), nil) {
		if err != nil {
			log.Fatal(err)
		}
		if token.ExpiresAt == nil {
			fmt.Println(token.Name, token.UserID == ada.ID())
		}
	}
	// Output: laptop true
}

// Who has no second factor?
func ExampleEnterpriseUsersService_All() {
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
	acme := service.Group("acme")
	service.User("ada", servicetest.ProvisionedBy(acme), servicetest.TwoFactor())
	service.User("bob", servicetest.ProvisionedBy(acme))

	options := &serviceapi.ListEnterpriseUsersOptions{
		TwoFactor: serviceapi.TwoFactorFilterDisabled,
	}
	for user, err := range client.EnterpriseUsers.All(context.Background(),
		serviceapi.GroupPath("acme"), options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(user.Username, user.Email)
	}
	// Output: bob bob@example.com
}

// A group accepts the certificates that an authority signs.
func ExampleSSHCertificatesService_Create() {
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

	key := "ssh-ed25519 " +
		"AAAAC3NzaC1lZDI1NTE5AAAAIHm0S1rdKKMGMtH2Xt3S4PvxH2uM3P0qQ3jJHJ6mXcLq"
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	certificate, _, err := client.SSHCertificates.Create(ctx, acme,
		serviceapi.CreateSSHCertificateOptions{Title: "Our authority", Key: key})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(certificate.Title)
	// Output: Our authority
}

// Git finds the project under its old name, too.
func ExampleProjectAliasesService_Create() {
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

	alias, _, err := client.ProjectAliases.Create(context.Background(),
		serviceapi.CreateProjectAliasOptions{
			Project: serviceapi.ProjectPath("acme/shop"), Name: "shop",
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alias.Name)
	// Output: shop
}

// Ada follows Bob. Doing it again changes nothing, and is no error.
func ExampleUsersService_Follow() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada, bob := service.User("ada"), service.User("bob")
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.Token(ada)))
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		change, _, err := client.Users.Follow(context.Background(),
			serviceapi.UserID(bob.ID()))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(change.Unchanged)
	}
	// Output:
	// false
	// true
}
