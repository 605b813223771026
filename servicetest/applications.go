package servicetest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// applicationScopes are what applications may ask for.
var applicationScopes = append([]string{"openid", "profile", "email"}, tokenScopes...)

// applicationJSON is an application, without its secret in lists.
type applicationJSON struct {
	ID              int64    `json:"id"`
	ApplicationID   string   `json:"application_id"`
	ApplicationName string   `json:"application_name"`
	CallbackURL     string   `json:"callback_url"`
	Confidential    bool     `json:"confidential"`
	Secret          string   `json:"secret,omitempty"`
	Scopes          []string `json:"scopes"`
}

func (a *OAuthApplication) form(withSecret bool) applicationJSON {
	form := applicationJSON{
		ID: a.id, ApplicationID: a.clientID, ApplicationName: a.name, CallbackURL: a.callback,
		Confidential: a.confidential, Scopes: append([]string{}, a.scopes...),
	}
	if withSecret {
		form.Secret = a.clientSecret
	}
	return form
}

// listApplications returns all applications at once.
func listApplications(c *call) *reply {
	apps := c.svc.oauth().byID.all(nil)
	return c.OK(mapped(apps, func(app *OAuthApplication) applicationJSON { return app.form(false) }))
}

func createApplication(c *call) *reply {
	made := &OAuthApplication{
		svc: c.svc, name: c.RequiredString("name"), callback: c.RequiredString("redirect_uri"),
		scopes: strings.Fields(c.RequiredString("scopes")), confidential: c.BoolOr("confidential", true),
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for line := range strings.Lines(made.callback) {
		u, err := url.Parse(strings.TrimSpace(line))
		switch {
		case err != nil || u.Scheme == "" || u.Fragment != "":
			return frame.FieldErrors("redirect_uri", "must be a valid URI.")
		case u.Scheme == "javascript" || u.Scheme == "data" || u.Scheme == "vbscript":
			return frame.FieldErrors("redirect_uri", "is forbidden by the server.")
		}
	}
	for _, scope := range made.scopes {
		if !slices.Contains(applicationScopes, scope) {
			return frame.FieldErrors("scopes", "doesn't match configured on the server.")
		}
	}
	made.file()
	return c.Created(made.form(true))
}

// file stores an application that was created through the API, with its client ID and
// secret.
func (a *OAuthApplication) file() {
	all := a.svc.oauth()
	a.id, _ = all.byID.add(0, a)
	a.clientID = frame.SHA256Hex("application", fmt.Sprint(a.id))
	a.renewSecret()
	all.apps[a.clientID] = a
}

func (a *OAuthApplication) renewSecret() {
	a.secrets++
	a.clientSecret = fmt.Sprintf("application-%d-secret-%d", a.id, a.secrets)
}

// pathApplication returns the application of the path.
func (c *call) pathApplication() (*OAuthApplication, *reply) {
	app, ok := c.svc.oauth().byID.get(c.PathInt64("id"))
	if !ok {
		return nil, frame.NotFound("Application")
	}
	return app, nil
}

func renewApplicationSecret(c *call, app *OAuthApplication) *reply {
	app.renewSecret()
	return c.Created(app.form(true))
}

// deleteApplication deletes an application and ends its tokens.
func deleteApplication(c *call, app *OAuthApplication) *reply {
	all := c.svc.oauth()
	for _, grant := range all.grants {
		if grant.app == app {
			grant.access.revoked, grant.revoked = true, true
		}
	}
	delete(all.apps, app.clientID)
	all.byID.remove(app.id)
	return c.NoContent()
}
