package servicetests

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// certified returns a certificate that ends at a time, and its key.
func certified(t *testing.T, until time.Time) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "shop.example"}, NotBefore: until.Add(-time.Hour),
		NotAfter: until,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	of, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	inPEM := func(kind string, data []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
	}
	return inPEM("CERTIFICATE", der), inPEM("PRIVATE KEY", of)
}

func TestServicePublishesPages(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	app.PagesDomain("app.example")
	s, root, ctx := as(t, svc, ada).Pages, asRoot(t, svc).Pages, t.Context()
	settings, _, err := s.Get(ctx, acmeApp)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.PagesSettings{
		URL: "http://acme.pages.example/app", Deployments: []*serviceapi.PagesDeployment{},
	}, settings)
	app.PublishPages("")
	app.PublishPages("mr1")
	_, _, err = s.Update(ctx, acmeApp, serviceapi.UpdatePagesOptions{PagesHTTPSOnly: new(true)})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	settings, _, err = root.Update(ctx, acmeApp, serviceapi.UpdatePagesOptions{
		PagesHTTPSOnly: new(true), PagesUniqueDomainEnabled: new(true), PagesPrimaryDomain: new("http://app.example"),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{true, true, "http://app.example", "https://app-1.pages.example"}, []any{
		settings.ForceHTTPS, settings.IsUniqueDomainEnabled, settings.PrimaryDomain, settings.URL,
	})
	require.Len(t, settings.Deployments, 2)
	assert.Equal(t, &serviceapi.PagesDeployment{
		CreatedAt: svc.Now(), URL: "https://app-1.pages.example/mr1", PathPrefix: "mr1", RootDirectory: "public",
	}, settings.Deployments[1])
	_, _, err = root.Update(ctx, acmeApp, serviceapi.UpdatePagesOptions{PagesPrimaryDomain: new("http://b.example")})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.Unpublish(ctx, acmeApp)
	require.NoError(t, err)
	settings, _, err = s.Get(ctx, acmeApp)
	require.NoError(t, err)
	assert.Empty(t, settings.Deployments)
	domains, err := serviceapi.Collect(s.AllDomains(ctx, acmeApp, nil))
	require.NoError(t, err)
	assert.Len(t, domains, 1, "domains stay")
	app.Set("pages_access_level", "disabled")
	_, _, err = s.Get(ctx, acmeApp)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceHasPagesDomains(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	app.PagesDomain("z.example")
	s, root, ctx := as(t, svc, ada).Pages, asRoot(t, svc).Pages, t.Context()
	certificate, key := certified(t, svc.Now().Add(time.Hour))
	domain, _, err := s.CreateDomain(ctx, acmeApp, serviceapi.CreatePagesDomainOptions{
		Domain: "shop.example", Certificate: &certificate, Key: serviceapi.NewSecret(key), AutoSSLEnabled: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"https://shop.example", false, true, "CN=shop.example", false, certificate}, []any{
		domain.URL, domain.Verified, domain.AutoSSLEnabled, domain.Certificate.Subject, domain.Certificate.Expired,
		domain.Certificate.Certificate,
	})
	all, err := serviceapi.Collect(root.AllInstanceDomains(ctx, nil))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, &serviceapi.PagesCertificateExpiration{Expiration: svc.Now().Add(time.Hour)},
		all[0].CertificateExpiration)
	assert.Equal(t, []any{app.ID(), true, svc.Now().Add(7 * 24 * time.Hour)},
		[]any{all[1].ProjectID, all[1].Verified, *all[1].EnabledUntil})
	one, _, err := root.ListInstanceDomains(ctx, &serviceapi.ListInstancePagesDomainsOptions{Domain: "Z.example"})
	require.NoError(t, err)
	assert.Equal(t, all[1:], one)
	_, _, err = s.ListInstanceDomains(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	svc.Advance(2 * time.Hour)
	got, _, err := s.GetDomain(ctx, acmeApp, "shop.example")
	require.NoError(t, err)
	assert.True(t, got.Certificate.Expired)
	changed, _, err := s.UpdateDomain(ctx, acmeApp, "shop.example", serviceapi.UpdatePagesDomainOptions{
		Certificate: new(""), Key: new(serviceapi.NewSecret("")), AutoSSLEnabled: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"http://shop.example", (*serviceapi.PagesDomainCertificate)(nil), false},
		[]any{changed.URL, changed.Certificate, changed.AutoSSLEnabled})

	_, other := certified(t, svc.Now())
	for name, options := range map[string]serviceapi.CreatePagesDomainOptions{
		"taken":              {Domain: "SHOP.example"},
		"no name":            {Domain: "shop"},
		"no key":             {Domain: "a.example", Certificate: &certificate},
		"no certificate":     {Domain: "a.example", Key: serviceapi.NewSecret(key)},
		"not a certificate":  {Domain: "a.example", Certificate: new("x"), Key: serviceapi.NewSecret(key)},
		"the key of another": {Domain: "a.example", Certificate: &certificate, Key: serviceapi.NewSecret(other)},
	} {
		_, _, err = s.CreateDomain(ctx, acmeApp, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	_, err = s.DeleteDomain(ctx, acmeApp, "shop.example")
	require.NoError(t, err)
	_, err = s.DeleteDomain(ctx, acmeApp, "shop.example")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "404 PagesDomain Not Found")
}
