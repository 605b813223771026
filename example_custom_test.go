package serviceapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// An endpoint that the library does not know can be called, too, with
// its credentials, retries and errors.
func ExampleClient_Do() {
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
	service.Project("acme/shop").Pipeline("main").Job("test")

	var answer struct{ Name, Stage string }
	job := serviceapi.Route("/projects/:id/jobs/:job_id",
		serviceapi.ProjectPath("acme/shop"), 1)
	_, err = client.Do(context.Background(), http.MethodGet, job, nil, &answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Name, answer.Stage)
	// Output: test test
}

// Parameters and headers that the library does not know can be sent with every
// call.
func ExampleWithQuery() {
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
func ExampleWithIfNoneMatch() {
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

// A middleware sees every attempt. Operation names it without IDs, for metrics
// and spans.
func ExampleWithMiddleware() {
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
	service.Fault("GET /projects/:id",
		servicetest.Status(503, ""), servicetest.Times(1))

	measure := func(next http.RoundTripper) http.RoundTripper {
		attempt := func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				operation := serviceapi.Operation(r.Context())
				fmt.Println(r.Method, operation, resp.StatusCode)
			}
			return resp, err
		}
		return serviceapi.RoundTripFunc(attempt)
	}
	measured, err := client.With(serviceapi.WithMiddleware(measure))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	if _, _, err := measured.Projects.Get(ctx, shop, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// GET /projects/:id 503
	// GET /projects/:id 200
}

// Logs contain no headers, bodies or queries.
func ExampleWithLogger() {
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
func ExampleWithLimiter() {
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
