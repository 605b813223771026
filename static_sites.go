package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// PagesService manages the static site of a project and its domains. Most calls require
// the Maintainer role, and return [ErrNotFound] if the project has no pages.
//
// Its options are [CreatePagesDomainOptions], [ListInstancePagesDomainsOptions],
// [ListOptions], [UpdatePagesDomainOptions] and [UpdatePagesOptions]. See the example
// PagesCreateDomain in structure_test.go of [example.com/serviceapi/examples/recipes].
type PagesService service

// PagesSettings is the static site of a project.
type PagesSettings struct {
	URL string `json:"url"`
	// IsUniqueDomainEnabled reports whether the site has a host of its own, and
	// ForceHTTPS whether it redirects to HTTPS.
	IsUniqueDomainEnabled bool `json:"is_unique_domain_enabled"`
	ForceHTTPS            bool `json:"force_https"`
	// Deployments are the published versions of the site.
	Deployments []*PagesDeployment `json:"deployments"`
	// PrimaryDomain is the domain that the others redirect to, empty if there is none.
	// Since 17.8.
	PrimaryDomain string `json:"primary_domain"`
}

// UnmarshalJSON decodes the object, in which some releases call the member with the primary
// domain "pages_primary_domain".
func (s *PagesSettings) UnmarshalJSON(data []byte) error {
	type plain PagesSettings
	object := struct {
		plain
		Other string `json:"pages_primary_domain"`
	}{}
	err := unmarshalMembers(data, &object)
	if *s = PagesSettings(object.plain); s.PrimaryDomain == "" {
		s.PrimaryDomain = object.Other
	}
	return err
}

// PagesDeployment is a published version of a static site.
type PagesDeployment struct {
	CreatedAt time.Time `json:"created_at"`
	URL       string    `json:"url"`
	// PathPrefix is empty for the main version.
	PathPrefix string `json:"path_prefix"`
	// RootDirectory is the directory of the artifact that is published.
	RootDirectory string `json:"root_directory"`
}

// PagesDomain is a domain of the static site of a project. No response contains the key
// of its certificate.
type PagesDomain struct {
	Domain string `json:"domain"`
	// URL begins with https:// if there is a certificate.
	URL string `json:"url"`
	// Verified reports whether the service has verified that the owner controls the domain,
	// by a TXT record with VerificationCode.
	Verified         bool   `json:"verified"`
	VerificationCode string `json:"verification_code"`
	// EnabledUntil is when the domain stops working unless it is verified, nil if it has
	// never worked.
	EnabledUntil *time.Time `json:"enabled_until"`
	// AutoSSLEnabled reports whether the service obtains the certificate itself.
	AutoSSLEnabled bool `json:"auto_ssl_enabled"`
	// Certificate is nil if there is none.
	Certificate *PagesDomainCertificate `json:"certificate"`
}

// PagesDomainCertificate is the certificate of a domain.
type PagesDomainCertificate struct {
	Subject string `json:"subject"`
	Expired bool   `json:"expired"`
	// Certificate is in PEM format, and CertificateText is a readable description of it.
	Certificate     string `json:"certificate"`
	CertificateText string `json:"certificate_text"`
}

// InstancePagesDomain is a domain in the list of the whole instance.
type InstancePagesDomain struct {
	Domain string `json:"domain"`
	// URL and the following fields are as in [PagesDomain].
	URL              string     `json:"url"`
	ProjectID        int64      `json:"project_id"`
	Verified         bool       `json:"verified"`
	VerificationCode string     `json:"verification_code"`
	EnabledUntil     *time.Time `json:"enabled_until"` // nil if it has never worked
	AutoSSLEnabled   bool       `json:"auto_ssl_enabled"`
	// CertificateExpiration is nil if there is no certificate.
	CertificateExpiration *PagesCertificateExpiration `json:"certificate_expiration"`
}

// UnmarshalJSON decodes the object, in which some releases call the member with the
// expiration "certificate".
func (d *InstancePagesDomain) UnmarshalJSON(data []byte) error {
	type plain InstancePagesDomain
	object := struct {
		plain
		Other *PagesCertificateExpiration `json:"certificate"`
	}{}
	err := unmarshalMembers(data, &object)
	if *d = InstancePagesDomain(object.plain); d.CertificateExpiration == nil {
		d.CertificateExpiration = object.Other
	}
	return err
}

// PagesCertificateExpiration says when the certificate of a domain expires.
type PagesCertificateExpiration struct {
	Expired    bool      `json:"expired"`
	Expiration time.Time `json:"expiration"`
}

// UpdatePagesOptions changes the static site of a project. Nil fields are left
// unchanged.
type UpdatePagesOptions struct {
	// PagesUniqueDomainEnabled gives the site a host of its own.
	PagesUniqueDomainEnabled *bool `json:"pages_unique_domain_enabled,omitzero"`
	// PagesHTTPSOnly redirects to HTTPS.
	PagesHTTPSOnly *bool `json:"pages_https_only,omitzero"`
	// PagesPrimaryDomain is one of the project's domains, to which the others redirect.
	// Since 17.8.
	PagesPrimaryDomain *string `json:"pages_primary_domain,omitzero"`
}

// ListInstancePagesDomainsOptions filters the domains of the instance.
type ListInstancePagesDomainsOptions struct {
	ListOptions

	// Domain selects the domain with this name. Only in later releases.
	Domain string `url:"domain,omitempty"`
}

// CreatePagesDomainOptions describes a new domain. Domain is required. Certificate and
// Key are set together.
type CreatePagesDomainOptions struct {
	// Domain must be unique in the instance, regardless of case.
	Domain string `json:"domain" required:"true"`
	// AutoSSLEnabled makes the service obtain a certificate itself. Nil means false.
	AutoSSLEnabled *bool `json:"auto_ssl_enabled,omitzero"`
	// Certificate and Key are in PEM format. Certificate includes the intermediate
	// certificates that it needs to be trusted.
	Certificate *string `json:"certificate,omitzero"`
	Key         Secret  `json:"key,omitzero"`
}

// UpdatePagesDomainOptions changes a domain. Nil fields are left unchanged.
type UpdatePagesDomainOptions struct {
	AutoSSLEnabled *bool `json:"auto_ssl_enabled,omitzero"`
	// Certificate and Key are set together, as in [CreatePagesDomainOptions]. Empty
	// values remove the certificate.
	Certificate *string `json:"certificate,omitzero"`
	Key         *Secret `json:"key,omitzero"`
}

const (
	pagesOfProject = "/projects/:id/pages"
	pagesDomains   = "/projects/:id/pages/domains"
	onePagesDomain = "/projects/:id/pages/domains/:domain"
)

// Get returns the static site of a project, even while nothing is published. It requires
// the Maintainer role. Since 16.8.
//
//	GET /projects/:id/pages
func (s *PagesService) Get(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*PagesSettings, *Response, error) {
	return do[PagesSettings](ctx, using(s), http.MethodGet, Route(pagesOfProject, project), nil, opts)
}

// Update changes the static site of a project. It requires an administrator. The call
// returns [ErrBadRequest] for a primary domain that the project does not have. Since 17.0.
//
//	PATCH /projects/:id/pages
func (s *PagesService) Update(
	ctx context.Context, project ProjectRef, options UpdatePagesOptions, opts ...RequestOption,
) (*PagesSettings, *Response, error) {
	return do[PagesSettings](ctx, using(s), http.MethodPatch, Route(pagesOfProject, project), jsonOf(options), opts)
}

// Unpublish removes everything that is published. The domains stay. It requires an
// administrator or, in later releases, only the Maintainer role.
//
//	DELETE /projects/:id/pages
func (s *PagesService) Unpublish(ctx context.Context, project ProjectRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(pagesOfProject, project), nil, opts)
}

// ListInstanceDomains returns one page of the domains of the whole instance. It requires an
// administrator.
//
//	GET /pages/domains
func (s *PagesService) ListInstanceDomains(
	ctx context.Context, options *ListInstancePagesDomainsOptions, opts ...RequestOption,
) ([]*InstancePagesDomain, *Response, error) {
	return list[*InstancePagesDomain](ctx, using(s), Route("/pages/domains"), queryOf(options), opts)
}

// AllInstanceDomains returns every domain of the whole instance. It requires an
// administrator.
//
//	GET /pages/domains
func (s *PagesService) AllInstanceDomains(
	ctx context.Context, options *ListInstancePagesDomainsOptions, opts ...RequestOption,
) iter.Seq2[*InstancePagesDomain, error] {
	return all[*InstancePagesDomain](ctx, using(s), Route("/pages/domains"), queryOf(options), opts)
}

// ListDomains returns one page of the domains of a project, ordered by name. It requires
// the Maintainer role.
//
//	GET /projects/:id/pages/domains
func (s *PagesService) ListDomains(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*PagesDomain, *Response, error) {
	return list[*PagesDomain](ctx, using(s), Route(pagesDomains, project), queryOf(options), opts)
}

// AllDomains returns every domain of a project, ordered by name. It requires the Maintainer
// role.
//
//	GET /projects/:id/pages/domains
func (s *PagesService) AllDomains(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PagesDomain, error] {
	return all[*PagesDomain](ctx, using(s), Route(pagesDomains, project), queryOf(options), opts)
}

// GetDomain returns a domain of a project. It requires the Maintainer role.
//
//	GET /projects/:id/pages/domains/:domain
func (s *PagesService) GetDomain(
	ctx context.Context, project ProjectRef, domain string, opts ...RequestOption,
) (*PagesDomain, *Response, error) {
	return do[PagesDomain](ctx, using(s), http.MethodGet, Route(onePagesDomain, project, domain), nil, opts)
}

// CreateDomain adds a domain to a project. The domain is not verified yet. The call returns
// [ErrBadRequest] with the reasons in [Error.Fields] for a domain that a project already
// has, and for a certificate without its key. It requires the Maintainer role.
//
//	POST /projects/:id/pages/domains
func (s *PagesService) CreateDomain(
	ctx context.Context, project ProjectRef, options CreatePagesDomainOptions, opts ...RequestOption,
) (*PagesDomain, *Response, error) {
	return do[PagesDomain](ctx, using(s), http.MethodPost, Route(pagesDomains, project), jsonOf(options), opts)
}

// UpdateDomain changes a domain of a project. It requires the Maintainer role.
//
//	PUT /projects/:id/pages/domains/:domain
func (s *PagesService) UpdateDomain(
	ctx context.Context, project ProjectRef, domain string, options UpdatePagesDomainOptions, opts ...RequestOption,
) (*PagesDomain, *Response, error) {
	return do[PagesDomain](ctx, using(s), http.MethodPut,
		Route(onePagesDomain, project, domain), jsonOf(options), opts)
}

// DeleteDomain removes a domain from a project. It requires the Maintainer role.
//
//	DELETE /projects/:id/pages/domains/:domain
func (s *PagesService) DeleteDomain(
	ctx context.Context, project ProjectRef, domain string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(onePagesDomain, project, domain), nil, opts)
}
