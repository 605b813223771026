package servicetest_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestOAuthEndpoints makes the calls of RFC 7009, 7662 and 8628 in the forms that programs send.
func TestOAuthEndpoints(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.OAuthApplication("app")
	post := func(path, form string, headers ...string) answer {
		t.Helper()
		a := request(t, "POST", svc.URL()+path, form,
			append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
		if got := a.Header.Get("Cache-Control"); a.StatusCode != 401 && got != "no-store" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
		return a
	}
	says := func(a answer, status int, reason string) {
		t.Helper()
		if a.StatusCode != status || !strings.Contains(a.body, `"error":"`+reason+`"`) {
			t.Errorf("answer %d %s, want %d %s", a.StatusCode, a.body, status, reason)
		}
	}
	says(post("/oauth/authorize_device", "scope=api"), 400, "invalid_request")
	says(post("/oauth/authorize_device", "client_id=app"), 400, "invalid_scope")
	says(post("/oauth/authorize_device", "client_id=other&scope=api"), 401, "invalid_client")
	const begun = `{"device_code":"device-1-app","user_code":"CODE0001","verification_uri":"%s/oauth/device",` +
		`"verification_uri_complete":"%[1]s/oauth/device?user_code=CODE0001","expires_in":300,"interval":5}`
	refused(t, post("/oauth/authorize_device", "client_id=app&scope=api"), 200, fmt.Sprintf(begun, svc.URL()))

	first, second := app.Authorize(ada), app.Authorize(ada)
	basic := []string{"Authorization", "Basic YXBwOnNlY3JldC1vZi1hcHA="}
	bearer := func(token string) []string { return []string{"Authorization", "Bearer " + token} }
	ask := func(headers ...string) answer {
		t.Helper()
		return post("/oauth/introspect", "token="+first.AccessToken(), headers...)
	}
	issued := svc.Now().Unix()
	active := fmt.Sprintf(`{"active":true,"scope":"api","client_id":"app","token_type":"Bearer","exp":%d,"iat":%d}`,
		issued+7200, issued)
	refused(t, ask(basic...), 200, active)
	refused(t, ask(bearer(second.AccessToken())...), 200, active)
	says(ask(bearer(first.AccessToken())...), 401, "invalid_token")
	says(ask(bearer("unknown")...), 401, "invalid_token")
	says(ask(bearer(svc.OAuthApplication("other").Authorize(ada).AccessToken())...), 401, "invalid_token")
	says(ask(), 400, "invalid_request")
	second.RevokeAccessToken()
	says(ask(bearer(second.AccessToken())...), 401, "invalid_token")

	info := fmt.Sprintf(`{"resource_owner_id":%d,"scope":["api"],"scopes":["api"],"expires_in":7200,`+
		`"expires_in_seconds":7200,"application":{"uid":"app"},"created_at":%d}`, ada.ID(), issued)
	refused(t, request(t, "GET", svc.URL()+"/oauth/token/info?access_token="+first.AccessToken(), ""), 200, info)
	plain := svc.OAuthToken(ada)
	refused(t, request(t, "GET", svc.URL()+"/oauth/token/info", "", bearer(plain)...), 200,
		fmt.Sprintf(`{"resource_owner_id":%d,"scope":["api"],"scopes":["api"],"expires_in":null,`+
			`"expires_in_seconds":null,"application":{"uid":null},"created_at":%d}`, ada.ID(), issued))
	refused(t, post("/oauth/revoke", "token="+plain, basic...), 200, `{}`)
	refused(t, request(t, "GET", svc.URL()+"/oauth/token/info", "", bearer(plain)...), 401,
		`{"error":"invalid_token","error_description":"The access token was revoked","state":"unauthorized"}`)
	svc.Advance(servicetest.OAuthTokenLifetime)
	refused(t, request(t, "GET", svc.URL()+"/oauth/token/info", "", bearer(first.AccessToken())...), 401,
		`{"error":"invalid_token","error_description":"The access token expired","state":"unauthorized"}`)
}
