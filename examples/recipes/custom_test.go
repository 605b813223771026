package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Parameters and headers that the library does not know can be sent with every
// call.
func Example_withQuery() {
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
	_, _, err = client.Projects.Get(ctx, shop, nil,
		serviceapi.WithQuery("statistics", "true"),
		serviceapi.WithHeader("X-Purpose", "audit"))
	if err != nil {
		log.Fatal(err)
	}
	sent := service.Requests()[0]
	fmt.Println(sent.Query, sent.Header.Get("X-Purpose"))
	// Output: map[statistics:[true]] audit
}

// An object that has not changed is not sent again.
func Example_withIfNoneMatch() {
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

	project, resp, err := client.Projects.Get(ctx, shop, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = client.Projects.Get(ctx, shop, nil,
		serviceapi.WithIfNoneMatch(resp.Header.Get("ETag")))
	if errors.Is(err, serviceapi.ErrNotModified) {
		fmt.Println(project.Name, "is as it was")
	}
	// Output: Shop is as it was
}

// Logs contain no headers, bodies or queries.
func Example_withLogger() {
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

	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case slog.TimeKey, "duration", "url", "request_id", slog.LevelKey:
				return slog.Attr{} // so that the output is the same on each run
			}
			return a
		},
	})
	logged, err := client.With(serviceapi.WithLogger(slog.New(handler)))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	if _, _, err := logged.Projects.Get(ctx, shop, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// msg=request method=GET operation=/projects/:id attempt=1 status=200
}

// pace allows an attempt at each tick.
type pace struct{ tick <-chan time.Time }

func (p pace) Wait(ctx context.Context) error {
	select {
	case <-p.tick:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A limiter paces a client. Package golang.org/x/time/rate has one.
func Example_withLimiter() {
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

	slow, err := client.With(
		serviceapi.WithLimiter(pace{time.Tick(20 * time.Millisecond)}))
	if err != nil {
		log.Fatal(err)
	}
	began := time.Now()
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	for range 5 {
		if _, _, err := slow.Projects.Get(ctx, shop, nil); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(time.Since(began) >= 80*time.Millisecond)
	// Output: true
}
