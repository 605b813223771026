package interop

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
	"golang.org/x/oauth2"
)

// TestOAuth refreshes a token that has expired, with the library that the
// client uses for it.
func TestOAuth(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	application := e.svc.OAuthApplication("reports")
	grant := application.Authorize(ada)
	config := oauth2.Config{
		ClientID: application.ClientID(), ClientSecret: application.ClientSecret(),
		Endpoint: oauth2.Endpoint{TokenURL: e.svc.URL() + "/oauth/token"},
	}
	expired := &oauth2.Token{AccessToken: "old", RefreshToken: grant.RefreshToken(), Expiry: time.Now().Add(-time.Hour)}
	c, err := clientgo.NewAuthSourceClient(clientgo.OAuthTokenSource{TokenSource: config.TokenSource(t.Context(),
		expired)}, e.options()...)
	require.NoError(t, err)
	assert.Equal(t, ada.ID(), got(c.Users.CurrentUser()).ok(e, 200).ID)
	assert.Equal(t, 1, grant.Refreshes())
}

// TestOAuthOnDevices signs a user in with golang.org/x/oauth2, and makes the calls that neither
// it nor the client has, as forms.
func TestOAuthOnDevices(t *testing.T) {
	e := start(t)
	ada, application := e.svc.User("ada"), e.svc.OAuthApplication("terminal")
	config := oauth2.Config{
		ClientID: application.ClientID(), ClientSecret: application.ClientSecret(), Scopes: []string{"api"},
		Endpoint: oauth2.Endpoint{
			TokenURL: e.svc.URL() + "/oauth/token", DeviceAuthURL: e.svc.URL() + "/oauth/authorize_device",
		},
	}
	device, err := config.DeviceAuth(t.Context())
	require.NoError(t, err)
	device.Interval = 1
	e.svc.ApproveDevice(device.UserCode, ada)
	token, err := config.DeviceAccessToken(t.Context(), device)
	require.NoError(t, err)
	ask := func(method, path string, form url.Values) map[string]any {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, e.svc.URL()+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		if form != nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		} else {
			token.SetAuthHeader(req)
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		said := map[string]any{"status": resp.StatusCode}
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&said))
		return said
	}
	assert.Equal(t, map[string]any{"uid": "terminal"}, ask("GET", "/oauth/token/info", nil)["application"])
	assert.Equal(t, "insufficient_scope", ask("GET", "/oauth/userinfo", nil)["error"])
	first := token.AccessToken
	token.AccessToken = application.Authorize(ada, servicetest.Scopes("openid")).AccessToken()
	assert.Equal(t, "ada", ask("GET", "/oauth/userinfo", nil)["nickname"])
	form := url.Values{
		"token": {first}, "client_id": {config.ClientID}, "client_secret": {config.ClientSecret},
	}
	assert.Equal(t, true, ask("POST", "/oauth/introspect", form)["active"])
	assert.Equal(t, 200, ask("POST", "/oauth/revoke", form)["status"])
	assert.Equal(t, false, ask("POST", "/oauth/introspect", form)["active"])
}

func TestRefusals(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	e.svc.Project(app)
	got(e.client("wrong").Users.CurrentUser()).refused(e, 401)
	got(e.as(ada).Projects.GetProject(app, nil)).refused(e, 404)
	got(e.as(ada).Users.CreateUser(&clientgo.CreateUserOptions{Email: new("x@example.com")})).refused(e, 403)
	user, resp, err := e.as(ada).Users.CurrentUser(clientgo.WithSudo("root"))
	got(user, resp, err).refused(e, 403)
	got(e.admin.Environments.CreateEnvironment(app, nil)).refused(e, 400)
}

// instance makes a call to a path of the instance, not of the REST API.
func instance(path string) clientgo.RequestOptionFunc {
	return func(req *retryablehttp.Request) error {
		req.URL.Path, req.URL.RawPath = path, ""
		return nil
	}
}

// TestSCIM makes the calls of RFC 7644, which the client has no methods for.
func TestSCIM(t *testing.T) {
	e := start(t)
	group := e.svc.Group(acme)
	for _, name := range []string{"ada", "bob", "cid"} {
		group.ProvisionSCIM(e.svc.User(name), name+"-1")
	}
	type user struct {
		ID         string `json:"id,omitempty"`
		ExternalID string `json:"externalId"`
		UserName   string `json:"userName"`
		Active     bool   `json:"active"`
	}
	type page struct {
		TotalResults int    `json:"totalResults"`
		Resources    []user `json:"Resources"`
	}
	type window struct {
		StartIndex int `url:"startIndex"`
		Count      int `url:"count"`
	}
	const users = "/api/scim/v2/groups/acme/Users"
	var names []string
	for start := 1; start <= 3; start += 2 {
		p := request[page](e.admin, "GET", "", window{start, 2}, instance(users))
		require.NoError(t, p.err)
		assert.Equal(t, 3, p.value.TotalResults)
		names = append(names, each(p.value.Resources, func(u user) string { return u.UserName })...)
	}
	assert.Equal(t, []string{"ada", "bob", "cid"}, names)

	made := request[user](e.admin, "POST", "", map[string]any{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:User"}, "externalId": "dan-1", "userName": "dan",
		"active": true,
		"name":   map[string]string{"givenName": "Dan", "familyName": "Doe"},
		"emails": []map[string]any{{"value": "dan@example.com", "primary": true}},
	}, instance(users))
	require.NoError(t, made.err)
	one := request[user](e.admin, "GET", "", nil, instance(users+"/"+made.value.ID))
	assert.Equal(t, user{made.value.ID, "dan-1", "dan", true}, one.value)
	patched := request[any](e.admin, "PATCH", "", map[string]any{
		"schemas":    []string{"urn:ietf:params:scim:api:messages:2.0:PatchOp"},
		"Operations": []map[string]any{{"op": "replace", "path": "active", "value": false}},
	}, instance(users+"/"+made.value.ID))
	assert.Equal(t, 204, patched.resp.StatusCode)
	assert.False(t, group.SCIMUsers()[3].Active())
	deleted := request[any](e.admin, "DELETE", "", nil, instance(users+"/"+made.value.ID))
	assert.Equal(t, 204, deleted.resp.StatusCode)
	assert.Len(t, group.SCIMUsers(), 3)
}

func TestGraphQL(t *testing.T) {
	e := start(t)
	e.svc.Project(app, servicetest.Description("Does it"))
	var data struct {
		Data struct {
			Project struct{ Name, Description string }
		}
	}
	resp, err := e.admin.GraphQL.Do(clientgo.GraphQLQuery{
		Query:     `query($path: ID!) { project(fullPath: $path) { name description } }`,
		Variables: map[string]any{"path": app},
	}, &data, clientgo.WithContext(context.WithoutCancel(t.Context())))
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "Does it", data.Data.Project.Description)
}
