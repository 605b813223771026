package wiretests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPages(t *testing.T) {
	const path, whole = "/projects/acme%2Fshop/pages", "pages/settings.json"
	renamed := strings.Replace(fixture(t, whole), `"primary_domain"`, `"pages_primary_domain"`, 1)
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Body: renamed},
		exchange{Method: "GET", Path: path, Body: `{"url":"http://a.example","deployments":[],"force_https":"x"}`},
		exchange{Method: "PATCH", Path: path, JSON: `{}`, Fixture: whole},
		exchange{
			Method: "PATCH", Path: path, Fixture: whole,
			JSON: `{"pages_unique_domain_enabled":true,"pages_https_only":false,"pages_primary_domain":""}`,
		},
		exchange{Method: "DELETE", Path: path, Status: 204})
	s, ctx, shop := client.Pages, t.Context(), serviceapi.ProjectPath("acme/shop")
	wantWhole := func(settings *serviceapi.PagesSettings, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.PagesSettings{
			URL: "https://shop-1f3a.pages.example", IsUniqueDomainEnabled: true, ForceHTTPS: true,
			Deployments: []*serviceapi.PagesDeployment{
				{
					CreatedAt: *at(t, "2026-03-01T08:46:00Z"), URL: "https://shop-1f3a.pages.example/",
					RootDirectory: "public",
				},
				{
					CreatedAt: *at(t, "2026-03-02T08:46:00Z"), URL: "https://shop-1f3a.pages.example/mr3",
					PathPrefix: "mr3",
				},
			},
			PrimaryDomain: "https://shop.example",
		}, settings)
		assertFilled(t, settings)
	}
	wantWhole(s.Get(ctx, shop))
	wantWhole(s.Get(ctx, shop))
	settings, _, err := s.Get(ctx, shop)
	var wrong *serviceapi.DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(
		t,
		&serviceapi.PagesSettings{URL: "http://a.example", Deployments: []*serviceapi.PagesDeployment{}},
		settings,
	)
	wantWhole(s.Update(ctx, shop, serviceapi.UpdatePagesOptions{}))
	wantWhole(s.Update(ctx, shop, serviceapi.UpdatePagesOptions{
		PagesUniqueDomainEnabled: new(true), PagesHTTPSOnly: new(false), PagesPrimaryDomain: new(""),
	}))
	_, err = s.Unpublish(ctx, shop)
	require.NoError(t, err)
}

func TestPagesDomains(t *testing.T) {
	const path, whole = "/projects/4/pages/domains", "pages/domain.json"
	body := "[" + fixture(t, whole) + `,{"domain":"b.example","enabled_until":null,"verification_code":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/shop.example", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"domain":"shop.example"}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"domain":"shop.example","auto_ssl_enabled":true,"certificate":"cert","key":"key"}`,
		},
		exchange{
			Method: "PUT", Path: path + "/shop.example", Fixture: whole,
			JSON: `{"auto_ssl_enabled":false,"certificate":"","key":""}`,
		},
		exchange{Method: "DELETE", Path: path + "/shop.example", Status: 204})
	s, ctx, project := client.Pages, t.Context(), serviceapi.ProjectID(4)
	want := []*serviceapi.PagesDomain{{
		Domain: "shop.example", URL: "https://shop.example", Verified: true, VerificationCode: "1234567890abcdef",
		EnabledUntil: at(
			t,
			"2026-04-12T14:32:00Z",
		), AutoSSLEnabled: true, Certificate: &serviceapi.PagesDomainCertificate{
			Subject: "/O=Example, Inc./CN=Example Origin Certificate", Expired: true,
			Certificate:     "-----BEGIN CERTIFICATE-----\n … \n-----END CERTIFICATE-----",
			CertificateText: "Certificate:\n … \n",
		},
	}, {Domain: "b.example"}}
	domains, _, err := s.ListDomains(ctx, project, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, domains)
	assertFilled(t, domains[0])
	domains, err = serviceapi.Collect(s.AllDomains(ctx, project, nil))
	require.NoError(t, err)
	assert.Equal(t, want, domains)
	wantWhole := func(domain *serviceapi.PagesDomain, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want[0], domain)
	}
	wantWhole(s.GetDomain(ctx, project, "shop.example"))
	wantWhole(s.CreateDomain(ctx, project, serviceapi.CreatePagesDomainOptions{Domain: "shop.example"}))
	wantWhole(s.CreateDomain(ctx, project, serviceapi.CreatePagesDomainOptions{
		Domain: "shop.example", AutoSSLEnabled: new(true), Certificate: new("cert"), Key: serviceapi.NewSecret("key"),
	}))
	wantWhole(s.UpdateDomain(ctx, project, "shop.example", serviceapi.UpdatePagesDomainOptions{
		AutoSSLEnabled: new(false), Certificate: new(""), Key: new(serviceapi.NewSecret("")),
	}))
	_, err = s.DeleteDomain(ctx, project, "shop.example")
	require.NoError(t, err)
	assertRefused(t, "domain", errorOf(s.GetDomain(ctx, project, "")))
	assertRefused(t, "Domain", errorOf(s.CreateDomain(ctx, project, serviceapi.CreatePagesDomainOptions{})))
}

// TestPagesKeyIsSecret checks that what the service echoes of a key is hidden.
func TestPagesKeyIsSecret(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Path: "/projects/4/pages/domains", JSON: `{"domain":"a.example","certificate":"c",
			"key":"pem-of-a-key"}`,
		Status: 400, Body: `{"message":{"key":["pem-of-a-key is not a key"]}}`,
	})
	_, _, err := client.Pages.CreateDomain(t.Context(), serviceapi.ProjectID(4), serviceapi.CreatePagesDomainOptions{
		Domain: "a.example", Certificate: new("c"), Key: serviceapi.NewSecret("pem-of-a-key"),
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.NotContains(t, err.Error(), "pem-of-a-key")
}

func TestInstancePagesDomains(t *testing.T) {
	const path, whole = "/pages/domains", "pages/instance_domain.json"
	renamed := strings.Replace(fixture(t, whole), `"certificate_expiration"`, `"certificate"`, 1)
	body := "[" + fixture(t, whole) + "," + renamed + `,{"domain":"b.example","enabled_until":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "domain=shop.example&page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	s, ctx := client.Pages, t.Context()
	first := &serviceapi.InstancePagesDomain{
		Domain: "shop.example", URL: "https://shop.example", ProjectID: 4, Verified: true,
		VerificationCode: "1234567890abcdef", EnabledUntil: at(t, "2026-04-12T14:32:00Z"), AutoSSLEnabled: true,
		CertificateExpiration: &serviceapi.PagesCertificateExpiration{
			Expired:    true,
			Expiration: *at(t, "2026-04-12T14:32:00Z"),
		},
	}
	want := []*serviceapi.InstancePagesDomain{first, first, {Domain: "b.example"}}
	domains, _, err := s.ListInstanceDomains(ctx, &serviceapi.ListInstancePagesDomainsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, Domain: "shop.example",
	})
	require.NoError(t, err)
	assert.Equal(t, want, domains)
	assertFilled(t, domains[0])
	domains, err = serviceapi.Collect(s.AllInstanceDomains(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, domains)
}
