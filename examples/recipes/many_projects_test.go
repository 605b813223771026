package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"sync"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// eachProject calls visit for every project of a group and of the groups below,
// at most limit of them at the same time, but not for projects elsewhere that
// are shared with the group. A project that fails does not stop the others: the
// error has the errors of all of them, with the names of the projects. Once ctx
// ends, or a limiter says that it will end before the next call may be sent, no
// other visit begins; those that have begun should heed ctx.
func eachProject(ctx context.Context, client *serviceapi.Client,
	group serviceapi.GroupRef, limit int,
	visit func(context.Context, *serviceapi.Project) error) error {
	var (
		running sync.WaitGroup
		mu      sync.Mutex
		failed  []error
	)
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = append(failed, err)
	}
	// Collect first: what visit changes would shift the pages that follow.
	projects, err := serviceapi.Collect(client.Projects.All(ctx, group,
		&serviceapi.ListProjectsOptions{
			IncludeSubgroups: true, WithShared: new(false),
			OrderBy: serviceapi.ProjectOrderByID,
			Sort:    serviceapi.SortAscending,
		}))
	if err != nil {
		fail(fmt.Errorf("list the projects: %w", err))
	}
	begin, stop := context.WithCancelCause(ctx) // only ends what has not begun
	defer stop(nil)
	places := make(chan struct{}, max(limit, 1))
	for i, project := range projects {
		select {
		case places <- struct{}{}:
		case <-begin.Done():
		}
		if begin.Err() != nil { // select may take a place all the same
			fail(fmt.Errorf("%d projects were not visited: %w",
				len(projects)-i, context.Cause(begin)))
			break
		}
		running.Go(func() {
			defer func() { <-places }()
			err := visit(ctx, project)
			if errors.Is(err, serviceapi.ErrLimiterRefused) {
				stop(err) // it would refuse all that follow
			}
			if err != nil {
				fail(fmt.Errorf("%s: %w", project.PathWithNamespace, err))
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

// atMost returns a middleware that lets n requests of a client be in progress
// at a time, until their responses begin.
func atMost(n int) serviceapi.Middleware {
	places := make(chan struct{}, max(n, 1))
	return func(next http.RoundTripper) http.RoundTripper {
		return &gate{places, next}
	}
}

// A gate is a transport that waits for one of its places.
type gate struct {
	places chan struct{}
	next   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case g.places <- struct{}{}:
		defer func() { <-g.places }()
		return g.next.RoundTrip(r)
	case <-r.Context().Done():
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, r.Context().Err()
	}
}

// Protect the tags of all projects of a group, eight projects at a time. One of
// them cannot be changed, and is named in the end.
func Example_eachProject() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	for n := range 20 {
		service.Project(fmt.Sprintf("acme/team-%d/app", n))
	}
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithMiddleware(atMost(4)))
	if err != nil {
		log.Fatal(err)
	}
	ctx, acme := context.Background(), serviceapi.GroupPath("acme")
	service.Fault("POST /projects/:id/protected_tags",
		servicetest.Status(http.StatusForbidden, ""), servicetest.Times(1))

	err = eachProject(ctx, client, acme, 8,
		func(ctx context.Context, p *serviceapi.Project) error {
			_, _, err := client.ProtectedTags.Create(ctx, p.Ref(),
				serviceapi.CreateProtectedTagOptions{Name: "v*"})
			return err
		})
	fmt.Println("failed:", errors.Is(err, serviceapi.ErrForbidden))

	tags := 0
	err = eachProject(ctx, client, acme, 1,
		func(ctx context.Context, p *serviceapi.Project) error {
			protected, _, err := client.ProtectedTags.List(ctx, p.Ref(), nil)
			tags += len(protected)
			return err
		})
	fmt.Println(tags, "projects have protected tags:", err)
	// Output:
	// failed: true
	// 19 projects have protected tags: <nil>
}
