package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// AttestationsService reads the attestations of projects: signed statements of how an
// artifact was built. Everyone who can read the project may call it. Ultimate. Since 18.5,
// an experiment: where it is not enabled, calls return [ErrNotFound].
//
// Its options are [ListOptions]. See the example of [AttestationsService.Download].
type AttestationsService service

// List returns one page of the attestations of an artifact. Its digest is the SHA-256
// checksum, as 64 hexadecimal digits; for an unknown one, the list is empty, and for anything
// else, the call returns [ErrNotFound]. Ultimate.
//
//	GET /projects/:id/attestations/:subject_digest
func (s *AttestationsService) List(
	ctx context.Context, project ProjectRef, subjectDigest string, options *ListOptions, opts ...RequestOption,
) ([]*Attestation, *Response, error) {
	return list[*Attestation](ctx, using(s),
		Route("/projects/:id/attestations/:subject_digest", project, subjectDigest), queryOf(options), opts)
}

// All returns every attestation of an artifact. See [AttestationsService.List]. Ultimate.
//
//	GET /projects/:id/attestations/:subject_digest
func (s *AttestationsService) All(
	ctx context.Context, project ProjectRef, subjectDigest string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Attestation, error] {
	return all[*Attestation](ctx, using(s),
		Route("/projects/:id/attestations/:subject_digest", project, subjectDigest), queryOf(options), opts)
}

// Download returns the signed bundle of an attestation as a stream of JSON, which other
// programs verify. The call returns [ErrNotFound] for an attestation with an error, which has
// none. Ultimate. Since 18.7.
//
//	GET /projects/:id/attestations/:attestation_iid/download
func (s *AttestationsService) Download(
	ctx context.Context, project ProjectRef, attestationIID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/attestations/:attestation_iid/download", project, attestationIID).withoutHTML(), nil, opts)
}

// AttestationStatus says whether an attestation was made.
type AttestationStatus string

// Statuses of attestations.
const (
	AttestationStatusSuccess AttestationStatus = "success"
	AttestationStatusError   AttestationStatus = "error"
)

// AttestationPredicateKind is what an attestation is about.
type AttestationPredicateKind string

// Kinds of predicates.
const (
	AttestationPredicateKindProvenance AttestationPredicateKind = "provenance"
	AttestationPredicateKindSBOM       AttestationPredicateKind = "sbom"
)

// Attestation is a signed statement about an artifact.
type Attestation struct {
	ID        int64 `json:"id"`
	IID       int64 `json:"iid"`
	ProjectID int64 `json:"project_id"`
	// BuildID is the ID of the job that built the artifact, or nil if it is gone.
	BuildID       *int64                   `json:"build_id"`
	Status        AttestationStatus        `json:"status"`
	PredicateKind AttestationPredicateKind `json:"predicate_kind"`
	// PredicateType is a URI.
	PredicateType string `json:"predicate_type"`
	// SubjectDigest is the SHA-256 checksum of the artifact, as hexadecimal digits.
	SubjectDigest string    `json:"subject_digest"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
	// ExpireAt is nil if the attestation does not expire.
	ExpireAt *time.Time `json:"expire_at"`
	// DownloadURL is the address that [AttestationsService.Download] calls.
	DownloadURL string `json:"download_url"`
}

// CatalogService publishes versions of CI components in the catalog of the instance.
//
// Its options are [PublishCatalogVersionOptions]. See the example of [CatalogService.Publish].
type CatalogService service

// PublishCatalogVersionOptions says which release to publish.
type PublishCatalogVersionOptions struct {
	// Version is the tag of a release of the project. It is required.
	Version string `json:"version" required:"true"`
	// Metadata describes the components. Without any, the service reads their files itself.
	Metadata CatalogMetadata `json:"metadata"`
}

// CatalogMetadata describes the components of a version.
type CatalogMetadata struct {
	Components []CatalogComponent `json:"components,omitzero"`
}

// CatalogComponent describes a CI component.
type CatalogComponent struct {
	// Name is required.
	Name string `json:"name" required:"true"`
	// ComponentType may be empty.
	ComponentType CatalogComponentType `json:"component_type,omitzero"`
	// Spec is the spec of the component's file as a JSON object.
	Spec json.RawMessage `json:"spec,omitzero"`
}

// CatalogComponentType is the kind of a CI component.
type CatalogComponentType string

// CatalogComponentTypeTemplate is the only kind so far.
const CatalogComponentTypeTemplate CatalogComponentType = "template"

// CatalogVersion is a version in the catalog.
type CatalogVersion struct {
	// CatalogURL is the address of a page.
	CatalogURL string `json:"catalog_url"`
}

// Publish publishes a release of a project that is marked as a resource of the catalog, which
// the web interface and GraphQL do. It requires the Developer role, and only the author of
// the release may do it, also with a job token. The call returns [ErrNotFound] without such a
// release, and [ErrUnprocessable] with all reasons if it is published already, or if the
// project has no README, no description or no components. Only in later releases.
//
//	POST /projects/:id/catalog/publish
func (s *CatalogService) Publish(
	ctx context.Context, project ProjectRef, options PublishCatalogVersionOptions, opts ...RequestOption,
) (*CatalogVersion, *Response, error) {
	return do[CatalogVersion](ctx, using(s), http.MethodPost,
		Route("/projects/:id/catalog/publish", project), jsonOf(options), opts)
}
