package wiretests

import (
	"encoding/json"
	"io"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAttestations(t *testing.T) {
	const digest = "7ae8b47cd3b8fda4fd2d4fa8a5a9f01ae7f5b9c2a1f6e5d4c3b2a19087f6e5d4"
	const path = "/projects/acme%2Fapp/attestations/"
	body := "[" + fixture(t, "attestations/attestation.json") + `,{"id":6,"build_id":null,"status":"error"}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path + digest, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path + digest, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "2/download", Body: `{"mediaType":"x"}`},
		exchange{Method: "GET", Path: path + "3/download", Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.Attestations, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.Attestation{{
		ID: 5, IID: 2, ProjectID: 4, BuildID: new(int64(8)), Status: serviceapi.AttestationStatusSuccess,
		PredicateKind: serviceapi.AttestationPredicateKindProvenance, PredicateType: "https://slsa.dev/provenance/v1",
		SubjectDigest: digest, CreatedAt: *at(t, "2026-03-01T08:46:00Z"), UpdatedAt: *at(t, "2026-03-02T08:46:00Z"),
		ExpireAt:    at(t, "2027-03-01T08:46:00Z"),
		DownloadURL: "https://service.example/api/v4/projects/4/attestations/2/download",
	}, {ID: 6, Status: serviceapi.AttestationStatusError}}
	assertFilled(t, want[0])
	found, _, err := s.List(ctx, app, digest, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, err = serviceapi.Collect(s.All(ctx, app, digest, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
	bundle, _, err := s.Download(ctx, app, 2)
	require.NoError(t, err)
	defer bundle.Close()
	text, err := io.ReadAll(bundle)
	require.NoError(t, err)
	assert.Equal(t, `{"mediaType":"x"}`, string(text))
	assert.ErrorIs(t, errorOf(s.Download(ctx, app, 3)), serviceapi.ErrNotFound)
}

func TestCatalogPublish(t *testing.T) {
	const path = "/projects/4/catalog/publish"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "catalog/version.json", JSON: `{"version":"1.0.0",
			"metadata":{"components":[{"name":"build","component_type":"template","spec":{"inputs":{}}}]}}`},
		exchange{Method: "POST", Path: path, Status: 422, JSON: `{"version":"1.0.0","metadata":{}}`,
			Body: `{"message":"Project must have a README, Project must have a description"}`})
	s, ctx, app := client.Catalog, t.Context(), serviceapi.ProjectID(4)
	version, _, err := s.Publish(ctx, app, serviceapi.PublishCatalogVersionOptions{
		Version: "1.0.0", Metadata: serviceapi.CatalogMetadata{Components: []serviceapi.CatalogComponent{{
			Name: "build", ComponentType: serviceapi.CatalogComponentTypeTemplate,
			Spec: json.RawMessage(`{"inputs":{}}`),
		}}},
	})
	require.NoError(t, err)
	want := &serviceapi.CatalogVersion{CatalogURL: "https://service.example/explore/catalog/acme/app"}
	assert.Equal(t, want, version)
	assertFilled(t, want)
	_, _, err = s.Publish(ctx, app, serviceapi.PublishCatalogVersionOptions{Version: "1.0.0"})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Project must have a README, Project must have a description")
	assertRefused(t, "Version", errorOf(s.Publish(ctx, app, serviceapi.PublishCatalogVersionOptions{})))
	assertRefused(t, "Metadata.Components[0].Name", errorOf(s.Publish(ctx, app, serviceapi.PublishCatalogVersionOptions{
		Version: "1", Metadata: serviceapi.CatalogMetadata{Components: []serviceapi.CatalogComponent{{}}},
	})))
}
