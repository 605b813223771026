package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeLicense is testdata/license/license.json.
func wholeLicense(t *testing.T) *serviceapi.License {
	return &serviceapi.License{
		ID: 7, Plan: "ultimate", CreatedAt: *at(t, "2026-02-27T23:21:58.674Z"),
		StartsAt: serviceapi.NewDate(
			2026,
			time.January,
			27,
		), ExpiresAt: new(serviceapi.NewDate(2027, time.January, 27)), Expired: true,
		UserLimit: 100, ActiveUsers: new(300), HistoricalMax: 310, MaximumUserCount: 320, Overage: 200,
		Licensee: &serviceapi.LicenseLicensee{Name: "Ada Lovelace", Email: "ada@example.com", Company: "Engines"},
		AddOns:   map[string]int{"Service_FileLocks": 1, "Service_Geo": 2},
	}
}

func TestLicenseLists(t *testing.T) {
	whole := "[" + fixture(t, "license/license.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/licenses", Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: "/licenses", Query: "per_page=100", Body: whole})
	licenses, _, err := client.License.List(t.Context(), &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.License{wholeLicense(t)}, licenses)
	licenses, err = serviceapi.Collect(client.License.All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.License{wholeLicense(t)}, licenses)
}

func TestLicenseLifeCycle(t *testing.T) {
	const whole = "license/license.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/license", Fixture: whole},
		exchange{Method: "GET", Path: "/license/7", Fixture: whole},
		exchange{Method: "POST", Path: "/license", JSON: `{"license":"license-s3cr3t"}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: "/license", JSON: `{"license":"license-s3cr3t"}`, Status: 400,
			Body: `{"message":"The license license-s3cr3t has expired."}`},
		exchange{Method: "DELETE", Path: "/license/7", Status: 204})
	s, ctx := client.License, t.Context()
	wantWhole := func(license *serviceapi.License, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeLicense(t), license)
		assertFilled(t, license)
	}
	wantWhole(s.Current(ctx))
	wantWhole(s.Get(ctx, 7))
	options := serviceapi.CreateLicenseOptions{License: serviceapi.NewSecret("license-s3cr3t")}
	wantWhole(s.Create(ctx, options))
	_, _, err := s.Create(ctx, options)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.NotContains(t, err.Error(), "license-s3cr3t")
	resp, err := s.Delete(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestLicenseCurrentMayBeNone(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/license", Body: "null"}, exchange{Method: "GET", Path: "/license", Body: "{}"})
	for range 2 {
		license, resp, err := client.License.Current(t.Context())
		require.NoError(t, err)
		assert.Nil(t, license)
		assert.Equal(t, 200, resp.StatusCode)
	}
}

func TestLicenseArguments(t *testing.T) {
	s, ctx := onWire(t).License, t.Context()
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "License", errorOf(s.Create(ctx, serviceapi.CreateLicenseOptions{})))
	_, err := s.Delete(ctx, 0)
	assertRefused(t, "id", err)
}
