package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMetadata(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/version", Body: `{"version":"15.2.0","revision":"1c26b8f"}`},
		exchange{Method: "GET", Path: "/version", Fixture: "metadata/metadata.json"},
		exchange{Method: "GET", Path: "/metadata", Fixture: "metadata/metadata.json"},
		exchange{Method: "GET", Path: "/metadata",
			Body: `{"version":"15.2.0","revision":"1c26b8f","kas":{"enabled":false,"externalUrl":null,
				"version":null}}`},
	)
	whole := &serviceapi.Metadata{
		Version: "17.6.1-pre", Revision: "63f9d6d", Enterprise: true,
		KAS: &serviceapi.KASMetadata{
			Enabled: true, ExternalURL: "wss://kas.service.test", Version: "v17.6.0",
			ExternalK8sProxyURL: "https://kas.service.test/k8s-proxy",
		},
	}
	want := func(want *serviceapi.Metadata) func(*serviceapi.Metadata, *serviceapi.Response, error) {
		return func(got *serviceapi.Metadata, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	}
	want(&serviceapi.Metadata{Version: "15.2.0", Revision: "1c26b8f"})(client.Metadata.Version(t.Context()))
	want(whole)(client.Metadata.Version(t.Context()))
	want(whole)(client.Metadata.Get(t.Context()))
	want(
		&serviceapi.Metadata{Version: "15.2.0", Revision: "1c26b8f", KAS: &serviceapi.KASMetadata{}},
	)(
		client.Metadata.Get(t.Context()),
	)
}
