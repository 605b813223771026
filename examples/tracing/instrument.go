package main

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"

	"example.com/serviceapi"
)

// instrumented returns a middleware for [serviceapi.WithMiddleware]. For every
// attempt of every call, it makes a child span of the caller's span, and
// measures the duration of the attempt.
//
// Spans are named after the operation, such as "GET /projects/:id/jobs", and
// measurements have it as url.template. It contains no IDs, so there are only
// as many names as endpoints.
func instrumented(options ...otelhttp.Option) serviceapi.Middleware {
	options = append(options,
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string {
			return r.Method + " " + serviceapi.Operation(r.Context())
		}),
		otelhttp.WithMetricAttributesFn(func(r *http.Request) []attribute.KeyValue {
			return []attribute.KeyValue{attribute.String("url.template", serviceapi.Operation(r.Context()))}
		}),
	)
	return func(next http.RoundTripper) http.RoundTripper { return otelhttp.NewTransport(next, options...) }
}
