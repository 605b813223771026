package main

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"

	"example.com/serviceapi"
)

// instrumented returns a middleware for [serviceapi.WithMiddleware]. For every
// attempt of every call it makes a span, below the caller's own, and measures
// how long the attempt took.
//
// Spans are named by the operation, such as "GET /projects/:id/jobs", and
// measurements have it as url.template. It holds no ids, so that there are as
// few of these names as there are endpoints.
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
