package serviceapi_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// What tests contain is no secret: such findings are dismissed.
func ExampleVulnerabilitiesService_Dismiss() {
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
	pipeline := service.Project("acme/shop").Pipeline("main")
	for _, file := range []string{"config.go", "testdata/key.pem"} {
		pipeline.Finding(servicetest.Finding{
			Name: "A key", ReportType: "secret_detection", Vulnerable: true,
			Location: fmt.Sprintf(`{"file":%q,"start_line":1}`, file),
		})
	}

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for finding, err := range client.Vulnerabilities.AllFindings(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		location, err := finding.DecodeLocation()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Name, location.File)
	}
	for v, err := range client.Vulnerabilities.All(ctx, shop, nil) {
		if err != nil {
			log.Fatal(err)
		}
		if !strings.Contains(string(v.Finding), "testdata/") {
			continue
		}
		change, _, err := client.Vulnerabilities.Dismiss(ctx, v.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.ID, change.Vulnerability.State)
	}
	// Output:
	// A key config.go
	// A key testdata/key.pem
	// 2 dismissed
}

// An export is written in the background, and downloaded when it has finished.
func ExampleVulnerabilityExportsService_Wait() {
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
	service.Project("acme/shop").Pipeline("main").Finding(servicetest.Finding{
		Name: "Injection", Severity: "high", Vulnerable: true,
	})

	ctx := context.Background()
	export, _, err := client.VulnerabilityExports.Create(ctx,
		serviceapi.GroupPath("acme"), serviceapi.CreateVulnerabilityExportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	export, err = client.VulnerabilityExports.Wait(ctx, export.ID,
		serviceapi.WithPollInterval(time.Millisecond, time.Second),
		serviceapi.WithPollObserver(func(serviceapi.Poll) {
			service.Advance(time.Second)
		}))
	if err != nil {
		log.Fatal(err)
	}
	file, _, err := client.VulnerabilityExports.Download(ctx, export.ID)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteTo(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Project Name,Tool,Status,Vulnerability,Severity
	// Shop,sast,detected,Injection,high
}

// What does a pipeline ship? The list of a pipeline is a bill of materials.
func ExampleDependenciesService_WaitForExport() {
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
	shop := service.Project("acme/shop")
	shop.Dependency(servicetest.Dependency{Name: "yaml", PackageManager: "npm"})
	pipeline := serviceapi.PipelineID(shop.Pipeline("main").ID())

	ctx := context.Background()
	export, _, err := client.Dependencies.CreateExport(ctx, pipeline,
		serviceapi.CreateDependencyExportOptions{
			ExportType: serviceapi.DependencyExportTypeSBOM,
		})
	if err != nil {
		log.Fatal(err)
	}
	export, err = client.Dependencies.WaitForExport(ctx, export.ID,
		serviceapi.WithPollInterval(time.Millisecond, time.Second),
		serviceapi.WithPollObserver(func(serviceapi.Poll) {
			service.Advance(time.Second)
		}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(export.ExportType, export.Status)
	// Output: sbom finished
}

// A program reports its errors with a key of its own.
func ExampleErrorTrackingService_CreateClientKey() {
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
	_, _, err = client.ErrorTracking.Set(ctx, shop,
		serviceapi.SetErrorTrackingOptions{Active: true, Integrated: true})
	if err != nil {
		log.Fatal(err)
	}
	key, _, err := client.ErrorTracking.CreateClientKey(ctx, shop)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.HasPrefix(key.SentryDSN, "https://"+key.PublicKey+"@"))
	// Output: true
}

// An alert gets a picture of what was measured.
func ExampleMetricImagesService_Create() {
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
	iid := service.Project("acme/shop").Alert()
	alert := serviceapi.ProjectPath("acme/shop").Alert(iid)

	image, _, err := client.MetricImages.Create(context.Background(), alert,
		serviceapi.CreateMetricImageOptions{
			File: serviceapi.Upload{
				Filename: "load.png", Content: strings.NewReader("…"),
			},
			URLText: new("The first hour"),
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(image.Filename, image.URLText)
	// Output: load.png The first hour
}

// How busy is a group?
func ExampleGroupActivityService_CountIssues() {
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
	service.Project("acme/shop").Issue("Prices are wrong")

	count, _, err := client.GroupActivity.CountIssues(context.Background(),
		serviceapi.GroupPath("acme"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count.IssuesCount)
	// Output: 1
}

// Relations are files of their own, which are read when they are there.
func ExampleRelationsExportService_Download() {
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
	service.Project("acme/shop").Issue("Prices are wrong")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	_, _, err = client.Settings.Update(ctx,
		serviceapi.UpdateApplicationSettingsOptions{BulkImportEnabled: new(true)})
	if err != nil {
		log.Fatal(err)
	}

	_, err = client.RelationsExport.Schedule(ctx, shop,
		serviceapi.ScheduleRelationsExportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	service.Advance(time.Minute)
	exports, _, err := client.RelationsExport.GetStatus(ctx, shop,
		&serviceapi.GetRelationsStatusOptions{Relation: "issues"})
	if err != nil {
		log.Fatal(err)
	}
	if exports[0].Status != serviceapi.RelationExportStatusFinished {
		log.Fatal("not yet")
	}
	file, _, err := client.RelationsExport.Download(ctx, shop,
		&serviceapi.DownloadRelationOptions{Relation: "issues"})
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	lines, err := gzip.NewReader(file)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, lines); err != nil {
		log.Fatal(err)
	}
	// Output: {"title":"Prices are wrong"}
}
