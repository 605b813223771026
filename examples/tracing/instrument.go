package main

import (
	"context"
	"net/http"
	"net/url"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"

	"example.com/serviceapi"
)

// fullURL is the key of the URL of a request in its context.
type fullURL struct{}

// instrumented returns a middleware for [serviceapi.WithMiddleware]. For every
// attempt of every call, it makes a child span of the caller's span, and
// measures the duration of the attempt.
//
// Spans are named after the operation, such as "GET /projects/:id/jobs", and
// measurements have it as url.template. It contains no IDs, so there are only
// as many names as endpoints. Spans have no query: that of an address to which
// a download is redirected is a credential.
func instrumented(options ...otelhttp.Option) serviceapi.Middleware {
	options = append(options,
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string {
			return r.Method + " " + serviceapi.Operation(r.Context())
		}),
		otelhttp.WithMetricAttributesFn(func(r *http.Request) []attribute.KeyValue {
			return []attribute.KeyValue{attribute.String("url.template", serviceapi.Operation(r.Context()))}
		}),
	)
	return func(next http.RoundTripper) http.RoundTripper {
		traced := otelhttp.NewTransport(serviceapi.RoundTripFunc(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.URL = r.Context().Value(fullURL{}).(*url.URL)
			return next.RoundTrip(r)
		}), options...)
		return serviceapi.RoundTripFunc(func(r *http.Request) (*http.Response, error) {
			bare := r.Clone(context.WithValue(r.Context(), fullURL{}, r.URL))
			bare.URL.RawQuery = ""
			return traced.RoundTrip(bare)
		})
	}
}
