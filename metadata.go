package serviceapi

import (
	"context"
	"net/http"
)

// MetadataService reads the version of the instance.
//
// See the example MetadataVersion in pipelines_test.go of
// [example.com/serviceapi/examples/recipes].
type MetadataService service

// Metadata describes the instance.
type Metadata struct {
	// Version is the release, such as "15.2.0" or "15.2.0-pre".
	Version string `json:"version"`
	// Revision is the short hash of the commit that the release was built from.
	Revision string `json:"revision"`
	// KAS describes the server for Kubernetes agents, nil if the service does not
	// say.
	KAS *KASMetadata `json:"kas"`
	// Enterprise reports whether the instance runs the edition that has premium
	// features. Since 15.6.
	Enterprise bool `json:"enterprise"`
}

// KASMetadata describes the server for Kubernetes agents.
type KASMetadata struct {
	Enabled bool `json:"enabled"`
	// ExternalURL is the address for agents, empty if the server is not enabled.
	ExternalURL string `json:"externalUrl"`
	// Version is empty if the server is not enabled.
	Version string `json:"version"`
	// ExternalK8sProxyURL is the address of the proxy to the Kubernetes API,
	// empty if the server is not enabled. Since 17.6.
	ExternalK8sProxyURL string `json:"externalK8sProxyUrl"`
}

// Version returns the version of the instance. It requires a credential. Only
// Version and Revision are set before 15.5; later releases return the same as
// [MetadataService.Get].
//
//	GET /version
func (s *MetadataService) Version(ctx context.Context, opts ...RequestOption) (*Metadata, *Response, error) {
	return do[Metadata](ctx, using(s), http.MethodGet, Route("/version"), nil, opts)
}

// Get returns the version of the instance and information about its components.
// It requires a credential. Since 15.2.
//
//	GET /metadata
func (s *MetadataService) Get(ctx context.Context, opts ...RequestOption) (*Metadata, *Response, error) {
	return do[Metadata](ctx, using(s), http.MethodGet, Route("/metadata"), nil, opts)
}
