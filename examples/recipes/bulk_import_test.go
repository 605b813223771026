package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// moveTree moves a group with its subgroups and projects from another
// instance to this one, into the group with the path in. It prints how far
// it is, and what is missing at the end. The client is one of this instance.
func moveTree(ctx context.Context, client *serviceapi.Client,
	from serviceapi.BulkImportSource, group, in, slug string,
	opts ...serviceapi.RequestOption) error {
	started, _, err := client.BulkImports.Start(ctx,
		serviceapi.StartBulkImportOptions{
			Configuration: from,
			Entities: []serviceapi.NewBulkImportEntity{{
				SourceType:           serviceapi.BulkImportSourceTypeGroup,
				SourceFullPath:       group,
				DestinationNamespace: in,
				DestinationSlug:      slug,
			}},
		})
	if err != nil {
		return err
	}
	last := -1
	_, failed := client.BulkImports.Wait(ctx, started.ID,
		func(p serviceapi.BulkImportProgress) {
			if ended := p.Ended(); ended != last {
				last = ended
				fmt.Println(ended, "of", len(p.Entities))
			}
		}, opts...)
	lacks := 0
	// What is missing is shown even if ctx has ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for e, err := range client.BulkImports.AllEntities(ctx, started.ID,
		&serviceapi.ListBulkImportsOptions{
			Sort: serviceapi.SortAscending,
		}) {
		if err != nil {
			return errors.Join(failed, err)
		}
		if e.Status != serviceapi.BulkImportStatusFinished {
			lacks++
			fmt.Println(e.SourceFullPath, "is", e.Status)
		}
		lacks += len(e.Failures)
		for _, f := range e.Failures {
			fmt.Printf("%s lacks one of its %s: %s\n",
				e.DestinationFullPath, f.Relation, f.ExceptionMessage)
		}
	}
	if failed == nil && lacks > 0 {
		return fmt.Errorf("%d objects of %s did not arrive", lacks, group)
	}
	return failed
}

// Move a group tree to another instance and show what failed.
func Example_moveTree() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Group("acme")
	service.RemoteGroup("old/tools", "build", "deploy")
	service.FailRemote("old/tools/deploy", servicetest.RemoteFailure{
		Relation: "labels", Message: "Title is too long",
	})
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	_, _, err = client.Settings.Update(ctx,
		serviceapi.UpdateApplicationSettingsOptions{
			BulkImportEnabled: new(true),
		})
	if err != nil {
		log.Fatal(err)
	}

	from := serviceapi.BulkImportSource{
		URL:         "https://old.example.com",
		AccessToken: serviceapi.NewSecret("a token of the old instance"),
	}
	err = moveTree(ctx, client, from, "old/tools", "acme", "tools",
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond),
		serviceapi.WithPollObserver(func(serviceapi.Poll) {
			service.Advance(3 * time.Second)
		}))
	fmt.Println(err)
	// Output:
	// 0 of 1
	// 3 of 3
	// acme/tools/deploy lacks one of its labels: Title is too long
	// 1 objects of old/tools did not arrive
}
