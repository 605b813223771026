package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// protect protects a branch as wanted, on any release of the service. It is
// safe to run again. Only newer releases can change a protection, so this
// replaces it. Between the two calls, the branch is not protected.
func protect(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef,
	wanted serviceapi.CreateProtectedBranchOptions) error {
	_, _, err := client.ProtectedBranches.Create(ctx, project, wanted)
	if !errors.Is(err, serviceapi.ErrConflict) {
		return err
	}
	_, err = client.ProtectedBranches.Delete(ctx, project, wanted.Name)
	if err != nil && !errors.Is(err, serviceapi.ErrNotFound) {
		return err
	}
	// From here on, the branch must not stay open, even if ctx ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	_, _, err = client.ProtectedBranches.Create(ctx, project, wanted)
	if err == nil {
		return nil
	}
	_, _, closed := client.ProtectedBranches.Create(ctx, project,
		serviceapi.CreateProtectedBranchOptions{ // for maintainers
			Name: wanted.Name,
		})
	return errors.Join(err, closed)
}

// Protect all release branches, and the tags of releases.
func Example_protect() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	bot := service.User("release-bot")
	project := service.Project("acme/shop",
		servicetest.Member(bot, servicetest.Developer))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	project.ProtectBranch("release/*") // as it was before

	err = protect(ctx, client, shop, serviceapi.CreateProtectedBranchOptions{
		Name:             "release/*",
		MergeAccessLevel: new(serviceapi.AccessLevelDeveloper),
		AllowedToPush:    []serviceapi.NewProtectionLevel{{UserID: bot.ID()}},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = client.ProtectedTags.Create(ctx, shop,
		serviceapi.CreateProtectedTagOptions{
			Name:              "v*",
			CreateAccessLevel: new(serviceapi.AccessLevelMaintainer),
		})
	if err != nil {
		log.Fatal(err)
	}

	branches := client.ProtectedBranches.All(ctx, shop, nil)
	for branch, err := range branches {
		if err != nil {
			log.Fatal(err)
		}
		for _, level := range branch.PushAccessLevels {
			fmt.Println(branch.Name, "push:", level.AccessLevelDescription)
		}
		for _, level := range branch.MergeAccessLevels {
			fmt.Println(branch.Name, "merge:", level.AccessLevelDescription)
		}
	}
	// Output:
	// release/* push: Release Bot
	// release/* merge: Developers + Maintainers
}

// Let only maintainers publish the packages of an app, and only owners delete
// the images of its releases.
func Example_protectPackages() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	dev := service.User("dev")
	service.Project("acme/shop", servicetest.Member(dev, servicetest.Developer))
	admin, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	maintainers := serviceapi.ProtectionRuleLevelMaintainer
	_, _, err = admin.ProtectionRules.CreatePackageRule(ctx, shop,
		serviceapi.CreatePackageProtectionRuleOptions{
			PackageNamePattern:        "shop*",
			PackageType:               serviceapi.PackageTypeGeneric,
			MinimumAccessLevelForPush: &maintainers,
		})
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = admin.ProtectionRules.CreateTagRule(ctx, shop,
		serviceapi.CreateRegistryTagProtectionRuleOptions{
			TagNamePattern:              `^v\d`,
			MinimumAccessLevelForPush:   maintainers,
			MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelOwner,
		})
	if err != nil {
		log.Fatal(err)
	}

	client, err := admin.With(serviceapi.WithCredential(
		serviceapi.PrivateToken(service.Token(dev))))
	if err != nil {
		log.Fatal(err)
	}
	file := serviceapi.GenericPackageFile{
		PackageName: "shop", PackageVersion: "1.0.0", FileName: "shop.zip",
	}
	_, _, err = client.Packages.PublishGeneric(ctx, shop, file,
		serviceapi.PublishGenericPackageOptions{
			File: serviceapi.Upload{Content: strings.NewReader("the shop")},
		})
	if e, ok := errors.AsType[*serviceapi.Error](err); ok {
		fmt.Println(e.Message)
	}
	// Output: 403 Forbidden - Package protected.
}
