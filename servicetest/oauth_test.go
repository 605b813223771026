package servicetest_test

import (
	"maps"
	"net/url"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

type tokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	TokenType    string `json:"token_type"`
	Scope        string `json:"scope"`
	ExpiresIn    int    `json:"expires_in"`
}

func exchange(t *testing.T, svc *servicetest.Service, form url.Values, headers ...string) answer {
	t.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	return request(t, "POST", svc.URL()+"/oauth/token", form.Encode(), headers...)
}

func TestOAuthRefresh(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(ada, servicetest.Scopes("read_api"))
	user := func(token string) int {
		return request(t, "GET", svc.URL()+"/api/v4/user", "", "Authorization", "Bearer "+token).StatusCode
	}
	first, firstRefresh := grant.AccessToken(), grant.RefreshToken()
	if status := user(first); status != 200 {
		t.Fatalf("status %d with a new token", status)
	}
	svc.Advance(servicetest.OAuthTokenLifetime)
	if status := user(first); status != 401 {
		t.Errorf("status %d with an expired token", status)
	}

	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {firstRefresh}, "client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
	got := into[tokens](t, exchange(t, svc, form), 200)
	want := tokens{grant.AccessToken(), grant.RefreshToken(), "Bearer", "read_api", 7200}
	if got != want || got.AccessToken == first || got.RefreshToken == firstRefresh || grant.Refreshes() != 1 {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
	if status := user(got.AccessToken); status != 200 {
		t.Errorf("status %d with the refreshed token", status)
	}
	refused(t, exchange(t, svc, form), 400,
		`{"error":"invalid_grant","error_description":"The refresh token is not valid, was used before or was revoked."}`)

	grant.RevokeAccessToken()
	if status := user(got.AccessToken); status != 401 {
		t.Errorf("status %d with a revoked token", status)
	}
	form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.RefreshToken}}
	basic := []string{"Authorization", "Basic ZGVwbG95ZXI6c2VjcmV0LW9mLWRlcGxveWVy"} // deployer:secret-of-deployer
	got = into[tokens](t, exchange(t, svc, form, basic...), 200)
	grant.Revoke()
	if status := user(got.AccessToken); status != 401 {
		t.Errorf("status %d with a token of a revoked grant", status)
	}
	form.Set("refresh_token", got.RefreshToken)
	if a := exchange(t, svc, form, basic...); a.StatusCode != 400 {
		t.Errorf("status %d for a revoked grant", a.StatusCode)
	}
}

func TestOAuthRefusals(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.OAuthApplication("deployer")
	svc.OAuthApplication("other")
	ada := svc.User("ada")
	grant := app.Authorize(ada, servicetest.ExpiresAt(svc.Now().Add(time.Minute)))
	for _, tc := range []struct {
		change url.Values
		status int
		code   string
	}{
		{url.Values{"grant_type": {""}}, 400, "invalid_request"},
		{url.Values{"grant_type": {"password"}}, 400, "unsupported_grant_type"},
		{url.Values{"client_secret": {"wrong"}}, 401, "invalid_client"},
		{url.Values{"client_id": {"nobody"}}, 401, "invalid_client"},
		{url.Values{"client_id": {"other"}, "client_secret": {"secret-of-other"}}, 400, "invalid_grant"},
		{url.Values{"refresh_token": {"unknown"}}, 400, "invalid_grant"},
	} {
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {grant.RefreshToken()}, "client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
		maps.Copy(form, tc.change)
		if got := into[map[string]string](t, exchange(t, svc, form), tc.status); got["error"] != tc.code {
			t.Errorf("%v: error %q, want %q", tc.change, got["error"], tc.code)
		}
	}
	ada.Block()
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {grant.RefreshToken()}, "client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
	if a := exchange(t, svc, form); a.StatusCode != 400 {
		t.Errorf("status %d for a blocked user", a.StatusCode)
	}
	if grant.Refreshes() != 0 {
		t.Errorf("%d refreshes", grant.Refreshes())
	}
}

// TestOAuthRefreshReplacesBoth: neither token works any more once they were
// exchanged.
func TestOAuthRefreshReplacesBoth(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(svc.User("ada"))
	access, refresh := grant.AccessToken(), grant.RefreshToken()
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}, "client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
	for range 2 {
		exchange(t, svc, form)
	}
	if svc.TokenWorks(access) || !svc.TokenWorks(grant.AccessToken()) || grant.Refreshes() != 1 {
		t.Errorf("old token works: %v, new token works: %v, %d refreshes", svc.TokenWorks(access), svc.TokenWorks(grant.AccessToken()), grant.Refreshes())
	}
}
