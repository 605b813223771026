package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// keptProject is what a program keeps of a project between two reads.
type keptProject struct {
	*serviceapi.Project
	etag string
}

// refresh reads the project again, and reports whether it has changed. The
// service sends nothing of a project that has not.
func (k *keptProject) refresh(ctx context.Context, client *serviceapi.Client,
	ref serviceapi.ProjectRef) (changed bool, err error) {
	var opts []serviceapi.RequestOption
	if k.etag != "" {
		opts = append(opts, serviceapi.WithIfNoneMatch(k.etag))
	}
	project, resp, err := client.Projects.Get(ctx, ref, nil, opts...)
	if errors.Is(err, serviceapi.ErrNotModified) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	k.Project, k.etag = project, resp.Header.Get("ETag")
	return true, nil
}

// Read an object again only if it has changed.
func Example_conditionalRequest() {
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
	shop := serviceapi.ProjectPath("acme/shop")

	ctx, kept := context.Background(), new(keptProject)
	for _, description := range []string{"Sells", "Sells", "Sells and buys"} {
		service.Project("acme/shop", servicetest.Description(description))
		changed, err := kept.refresh(ctx, client, shop)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(changed, kept.Description)
	}
	// Output:
	// true Sells
	// false Sells
	// true Sells and buys
}
