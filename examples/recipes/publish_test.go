package recipes_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// publishBuild uploads a file and makes a release of a tag, which must exist,
// with a link to it. After a crash it can be called again: it does what was not
// done yet.
func publishBuild(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, tag string,
	file serviceapi.GenericPackageFile, content []byte) error {
	done, err := isPublished(ctx, client, project, file, content)
	if err != nil {
		return err
	}
	if !done {
		options := serviceapi.PublishGenericPackageOptions{
			File: serviceapi.Upload{Content: bytes.NewReader(content)},
		}
		_, _, err := client.Packages.PublishGeneric(ctx, project, file, options)
		if err != nil {
			return err
		}
	}
	address, err := client.URL(serviceapi.Route(
		"/projects/:id/packages/generic/:name/:version/:file",
		project, file.PackageName, file.PackageVersion, file.FileName))
	if err != nil {
		return err
	}
	link := serviceapi.CreateReleaseLinkOptions{
		Name: file.FileName, URL: address,
		LinkType: new(serviceapi.ReleaseLinkTypePackage),
	}
	_, _, err = client.Releases.Create(ctx, project,
		serviceapi.CreateReleaseOptions{
			TagName: tag, // without Ref: the tag must exist
			Assets: &serviceapi.CreateReleaseAssets{
				Links: []serviceapi.CreateReleaseLinkOptions{link},
			},
		})
	if !errors.Is(err, serviceapi.ErrConflict) {
		return err
	}
	// There is a release already, made by an earlier run or by somebody else.
	links := client.Releases.AllLinks(ctx, project, tag, nil)
	for other, err := range links {
		if err != nil {
			return err
		}
		if other.URL == link.URL {
			return nil
		}
	}
	_, _, err = client.Releases.CreateLink(ctx, project, tag, link)
	return err
}

// isPublished reports whether a generic package has a file with this content.
func isPublished(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, file serviceapi.GenericPackageFile,
	content []byte) (bool, error) {
	sum := sha256.Sum256(content)
	options := &serviceapi.ListPackagesOptions{
		PackageType: serviceapi.PackageTypeGeneric,
		PackageName: file.PackageName,
	}
	for pkg, err := range client.Packages.All(ctx, project, options) {
		if err != nil {
			return false, err
		}
		if pkg.Name != file.PackageName || pkg.Version != file.PackageVersion {
			continue // the name is only similar
		}
		files := client.Packages.AllFiles(ctx, project, pkg.ID, nil)
		for stored, err := range files {
			if err != nil {
				return false, err
			}
			if stored.FileName == file.FileName &&
				stored.FileSHA256 == hex.EncodeToString(sum[:]) {
				return true, nil
			}
		}
	}
	return false, nil
}

// deleteOldPackages deletes the generic packages that are older than a time,
// except for the newest ones.
func deleteOldPackages(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, before time.Time, keep int) error {
	options := &serviceapi.ListPackagesOptions{
		PackageType: serviceapi.PackageTypeGeneric,
		Sort:        serviceapi.SortDescending, // by the time of creation
	}
	// Collect first: a deletion would shift the pages that follow.
	packages, err := serviceapi.Collect(
		client.Packages.All(ctx, project, options))
	if err != nil {
		return err
	}
	var failures []error
	seen := map[string]int{} // versions by name
	for _, pkg := range packages {
		seen[pkg.Name]++
		if seen[pkg.Name] <= keep || pkg.CreatedAt.IsZero() ||
			!pkg.CreatedAt.Before(before) {
			continue
		}
		_, err := client.Packages.Delete(ctx, project, pkg.ID)
		if err != nil && !errors.Is(err, serviceapi.ErrNotFound) {
			failures = append(failures, err) // such as one that is protected
		}
	}
	return errors.Join(failures...)
}

// Publish a build, and delete those that are older than a month.
func Example_publishBuild() {
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
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	project := service.Project("acme/shop")
	project.Tag("v1.0", "main")
	for months := range 3 {
		created := service.Now().AddDate(0, -months, 0)
		project.Package("shop", fmt.Sprintf("0.%d", 9-months),
			servicetest.CreatedAt(created))
	}
	file := serviceapi.GenericPackageFile{
		PackageName: "shop", PackageVersion: "1.0", FileName: "shop.zip",
	}
	err = publishBuild(ctx, client, shop, "v1.0", file, []byte("a shop"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(project.Releases()[0].TagName())
	month := service.Now().AddDate(0, -1, 0).Add(time.Hour)
	err = deleteOldPackages(ctx, client, shop, month, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, pkg := range project.Packages() {
		fmt.Println(pkg.Name(), pkg.Version())
	}
	// Output:
	// v1.0
	// shop 0.9
	// shop 1.0
}

// shopZip is the file that the tests publish.
var shopZip = serviceapi.GenericPackageFile{
	PackageName: "shop", PackageVersion: "1.0", FileName: "shop.zip",
}

var errCrash = errors.New("the program has crashed")

// crashAt ends a program at one of its requests, before or after the service
// has executed it.
func crashAt(at int, executed bool) serviceapi.Option {
	requests := 0
	return serviceapi.WithMiddleware(func(
		next http.RoundTripper,
	) http.RoundTripper {
		return serviceapi.RoundTripFunc(func(
			r *http.Request,
		) (*http.Response, error) {
			if requests++; requests < at {
				return next.RoundTrip(r)
			}
			if requests == at && executed {
				resp, err := next.RoundTrip(r)
				if err != nil {
					return nil, err
				}
				resp.Body.Close()
			}
			return nil, errCrash
		})
	})
}

// publishShop is a run of the program.
func publishShop(t *testing.T, service *servicetest.Service,
	opts ...serviceapi.Option) error {
	t.Helper()
	opts = append(opts, serviceapi.WithRetry(
		serviceapi.RetryPolicy{MaxAttempts: 1}))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()), opts...)
	require.NoError(t, err)
	return publishBuild(t.Context(), client,
		serviceapi.ProjectPath("acme/shop"), "v1.0", shopZip, []byte("a shop"))
}

// TestPublishBuildAfterCrashes ends a first run at each of its requests, and
// checks what a second and a third run make of it.
func TestPublishBuildAfterCrashes(t *testing.T) {
	crashes := 0
	for _, executed := range []bool{false, true} {
		for at := 1; ; at++ {
			service := servicetest.New(t)
			project := service.Project("acme/shop")
			project.Tag("v1.0", "main")
			project.Package("shop-tools", "1.0")
			err := publishShop(t, service, crashAt(at, executed))
			require.NoError(t, publishShop(t, service), "request %d", at)
			require.NoError(t, publishShop(t, service))
			checkPublished(t, service, project)
			if err == nil {
				break // the run has fewer requests
			}
			require.ErrorIs(t, err, errCrash)
			crashes++
		}
	}
	assert.Equal(t, 6, crashes, "two runs with three requests")
}

// checkPublished checks that everything was done once.
func checkPublished(t *testing.T, service *servicetest.Service,
	project *servicetest.Project) {
	t.Helper()
	uploads := 0
	for _, r := range service.Requests() {
		if strings.HasPrefix(r.Route, "PUT ") && r.Status == http.StatusOK {
			uploads++
		}
	}
	assert.Equal(t, 1, uploads)
	packages := project.Packages()
	require.Len(t, packages, 2)
	assert.Equal(t, map[string]string{"shop.zip": "a shop"},
		packages[1].Files())
	require.Len(t, project.Releases(), 1)
	assert.Equal(t, map[string]string{
		"shop.zip": service.URL() + "/api/v4/projects/acme%2Fshop" +
			"/packages/generic/shop/1.0/shop.zip",
	}, project.Releases()[0].Links())
}

// TestPublishBuildNeedsTheTag checks that no tag is made of whatever is newest.
func TestPublishBuildNeedsTheTag(t *testing.T) {
	service := servicetest.New(t)
	project := service.Project("acme/shop")
	assert.Error(t, publishShop(t, service))
	assert.Empty(t, project.Releases())
}

// TestPublishBuildOfOthers checks that a release that somebody else has made
// gets the link.
func TestPublishBuildOfOthers(t *testing.T) {
	service := servicetest.New(t)
	release := service.Project("acme/shop").Release("v1.0", "By hand.")
	for range 2 {
		require.NoError(t, publishShop(t, service))
	}
	assert.Len(t, release.Links(), 1)
}
