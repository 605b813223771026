package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestApplications(t *testing.T) {
	e := start(t)
	a := e.admin.Applications
	made := got(a.CreateApplication(&clientgo.CreateApplicationOptions{
		Name: new("wiki"), RedirectURI: new("https://wiki.example"), Scopes: new("openid"), Confidential: new(false),
	})).ok(e, 201)
	assert.Equal(t, []any{"wiki", "https://wiki.example", false},
		[]any{made.ApplicationName, made.CallbackURL, made.Confidential})
	renewed := got(a.RenewApplicationSecret(made.ID)).ok(e, 201)
	assert.NotEqual(t, made.Secret, renewed.Secret)
	listed := got(a.ListApplications(&clientgo.ListApplicationsOptions{})).ok(e, 200)
	assert.Equal(t, made.ID, listed[0].ID)
	done(a.DeleteApplication(made.ID)).ok(e, 204)
	done(a.DeleteApplication(made.ID)).refused(e, 404)
}

func TestLicense(t *testing.T) {
	e := start(t)
	l := e.admin.License
	made := got(l.AddLicense(&clientgo.AddLicenseOptions{
		License: new(servicetest.License{Plan: "premium", UserLimit: 5, Company: "Engines"}.Text()),
	})).ok(e, 201)
	assert.Equal(t, []any{"premium", int64(5), "Engines"}, []any{made.Plan, made.UserLimit, made.Licensee.Company})
	assert.Equal(t, made.ID, got(l.GetLicense()).ok(e, 200).ID)
	done(l.DeleteLicense(made.ID)).ok(e, 204)
}
