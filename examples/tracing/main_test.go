package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// attributeOf returns an attribute as a string, or "" if there is none.
func attributeOf(attributes []attribute.KeyValue, key string) string {
	for _, a := range attributes {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	return ""
}

func TestSpansAndMetrics(t *testing.T) {
	service := servicetest.New(t)
	seed(service)
	spans, metrics := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithMiddleware(instrumented(
			otelhttp.WithTracerProvider(provider),
			otelhttp.WithPropagators(propagation.TraceContext{}),
			otelhttp.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(metrics))),
		)))
	require.NoError(t, err)
	require.NoError(t, report(t.Context(), client, provider.Tracer("report")))

	// There is one span for each attempt, named without IDs, as a child of the
	// caller's span.
	ended := spans.GetSpans()
	require.Len(t, ended, 6)
	var got []string
	for _, span := range ended[:5] {
		got = append(got, span.Name+" "+attributeOf(span.Attributes, "http.response.status_code"))
		assert.Equal(t, trace.SpanKindClient, span.SpanKind)
		assert.Equal(t, ended[5].SpanContext.SpanID(), span.Parent.SpanID())
		assert.False(t, strings.ContainsAny(span.Name, "0123456789"), span.Name)
	}
	assert.ElementsMatch(t, []string{
		"GET /projects/:id/jobs 503", "GET /projects/:id/jobs 200", "GET /projects/:id/jobs 200",
		"GET /projects/:id/jobs/:job_id/artifacts 200", "GET /projects/:id/jobs/:job_id 404",
	}, got)
	assert.Equal(t, "report", ended[5].Name)

	// The service received the trace, and no span or metric has the token.
	for _, request := range service.Requests() {
		assert.Contains(t, request.Header.Get("Traceparent"), ended[5].SpanContext.TraceID().String())
	}
	for _, span := range ended {
		for _, a := range span.Attributes {
			assert.NotContains(t, a.Value.String(), service.AdminToken())
		}
	}

	// There are as many measurements, by operation and status.
	var collected metricdata.ResourceMetrics
	require.NoError(t, metrics.Collect(t.Context(), &collected))
	assert.Equal(t, map[string]uint64{
		"/projects/:id/jobs 503": 1, "/projects/:id/jobs 200": 2,
		"/projects/:id/jobs/:job_id/artifacts 200": 1, "/projects/:id/jobs/:job_id 404": 1,
	}, durations(collected))
}

// durations counts the measured requests by operation and status.
func durations(collected metricdata.ResourceMetrics) map[string]uint64 {
	counts := map[string]uint64{}
	for _, scope := range collected.ScopeMetrics {
		for _, metric := range scope.Metrics {
			histogram, ok := metric.Data.(metricdata.Histogram[float64])
			if !ok || metric.Name != "http.client.request.duration" {
				continue
			}
			for _, point := range histogram.DataPoints {
				operation, _ := point.Attributes.Value("url.template")
				status, _ := point.Attributes.Value("http.response.status_code")
				counts[operation.AsString()+" "+strconv.FormatInt(status.AsInt64(), 10)] += point.Count
			}
		}
	}
	return counts
}

// TestSpansHaveNoQueries checks the address of a store, whose query is a credential.
func TestSpansHaveNoQueries(t *testing.T) {
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "signature", r.URL.Query().Get("X-Amz-Signature"))
		io.WriteString(w, "log")
	}))
	defer store.Close()
	api := httptest.NewServer(http.RedirectHandler(store.URL+"/file?X-Amz-Signature=signature", http.StatusFound))
	defer api.Close()
	spans := tracetest.NewInMemoryExporter()
	client, err := serviceapi.NewClient(api.URL, serviceapi.PrivateToken("token"), serviceapi.WithMiddleware(
		instrumented(otelhttp.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))))))
	require.NoError(t, err)
	download, _, err := client.JobArtifacts.Download(t.Context(), serviceapi.ProjectID(1), 2)
	require.NoError(t, err)
	content, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, "log", string(content))
	for _, span := range spans.GetSpans() {
		for _, attribute := range span.Attributes {
			assert.NotContains(t, attribute.Value.String(), "signature", string(attribute.Key))
		}
	}
}

func TestProgram(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 6)
	assert.Regexp(t, `s  GET /projects/:id/jobs +503`, lines[0])
	assert.Regexp(t, `s  report +$`, lines[5])
}

func TestErrors(t *testing.T) {
	service := servicetest.New(t)
	seed(service)
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	require.NoError(t, err)
	for route, want := range map[string]error{
		"GET /projects/:id/jobs":                   serviceapi.ErrForbidden,
		"GET /projects/:id/jobs/:job_id/artifacts": serviceapi.ErrForbidden,
		"GET /projects/:id/jobs/:job_id":           serviceapi.ErrForbidden,
	} {
		service.ClearFaults()
		service.Fault(route, servicetest.Status(403, ""))
		assert.ErrorIs(t, report(t.Context(), client, sdktrace.NewTracerProvider().Tracer("report")), want, route)
	}
}
