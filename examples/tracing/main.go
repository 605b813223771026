// Tracing shows an OpenTelemetry span for every request that the library sends,
// for a report on an embedded service that sometimes fails. It is a separate
// module, so that users of the library do not depend on OpenTelemetry. Programs
// need only the file instrument.go.
//
//	cd examples/tracing && go run .
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tracing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	service, err := servicetest.Start()
	if err != nil {
		return err
	}
	defer service.Close()
	seed(service)

	// A real program would use an exporter that sends batches of spans to a
	// collector.
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(printer{out}))
	defer provider.Shutdown(ctx)
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithMiddleware(instrumented(otelhttp.WithTracerProvider(provider))))
	if err != nil {
		return err
	}
	return report(ctx, client, provider.Tracer("report"))
}

// seed makes jobs that fill two pages, and makes the service fail once.
func seed(service *servicetest.Service) {
	pipeline := service.Project("acme/shop").Pipeline("main")
	for n := range 120 {
		pipeline.Job(fmt.Sprint("test-", n), servicetest.Failed("script_failure"))
	}
	pipeline.Job("build", servicetest.Archive(map[string]string{"report.txt": "all well"}))
	service.Fault("GET /projects/:id/jobs", servicetest.Status(503, ""), servicetest.Times(1))
}

// report is the actual program: it lists jobs, downloads a file, and requests
// something that does not exist.
func report(ctx context.Context, client *serviceapi.Client, tracer trace.Tracer) error {
	ctx, span := tracer.Start(ctx, "report")
	defer span.End()
	jobs, err := serviceapi.Collect(client.Jobs.All(ctx, serviceapi.ProjectPath("acme/shop"), nil))
	if err != nil {
		return err
	}
	archive, _, err := client.JobArtifacts.Download(ctx, serviceapi.ProjectPath("acme/shop"), jobs[0].ID)
	if err != nil {
		return err
	}
	defer archive.Close()
	if _, err := io.Copy(io.Discard, archive); err != nil {
		return err
	}
	_, _, err = client.Jobs.Get(ctx, serviceapi.ProjectPath("acme/shop"), 4711)
	if errors.Is(err, serviceapi.ErrNotFound) {
		return nil
	}
	return err
}

// printer prints spans as they end.
type printer struct{ out io.Writer }

func (p printer) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, span := range spans {
		status := ""
		for _, a := range span.Attributes() {
			if a.Key == "http.response.status_code" {
				status = a.Value.Emit()
			}
		}
		fmt.Fprintf(p.out, "%8v  %-45s %s\n", span.EndTime().Sub(span.StartTime()).Round(10*time.Microsecond),
			span.Name(), status)
	}
	return nil
}

func (p printer) Shutdown(context.Context) error { return nil }
