package servicetest_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

func TestRegistryCatalogTakesItsOwnTokenAlone(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").RegistryRepository("")
	const denied = `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`
	catalog := svc.RegistryURL() + "/v2/_catalog"
	refused(t, request(t, "GET", catalog, ""), 401, denied)
	refused(t, request(t, "GET", catalog, "", "PRIVATE-TOKEN", svc.AdminToken()), 401, denied)
	a := request(t, "GET", catalog, "", "Authorization", "Bearer "+svc.AdminToken())
	refused(t, a, 401, denied)
	if got := a.Header.Get("Www-Authenticate"); !strings.HasPrefix(got, `Bearer realm="`+svc.URL()+`/jwt/auth"`) {
		t.Errorf("challenge %s", got)
	}
	refused(t, call(t, svc, "GET", "/projects", "", "PRIVATE-TOKEN", "registry-1"), 401, `{"message":"401 Unauthorized"}`)

	refused(t, request(t, "GET", svc.URL()+"/jwt/auth?service=container_registry&scope=registry:catalog:*", "", "Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk"), 200, `{"token":"registry-1"}`)
	refused(t, request(t, "GET", catalog, "", "Authorization", "Bearer registry-1"), 200, `{"repositories":["acme/app"]}`)
	svc.Advance(servicetest.RegistryTokenLifetime)
	refused(t, request(t, "GET", catalog, "", "Authorization", "Bearer registry-1"), 401, denied)
}

func TestRegistryTokenParameters(t *testing.T) {
	svc := servicetest.New(t)
	basic := []string{"Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk"}
	for query, answer := range map[string]string{
		"":                           `{"error":"service is missing, scope is missing"}`,
		"service=mail&scope=x":       `{"error":"service does not have a valid value, scope does not have a valid value"}`,
		"service=container_registry": `{"error":"scope is missing"}`,
	} {
		refused(t, request(t, "GET", svc.URL()+"/jwt/auth?"+query, "", basic...), 400, answer)
	}
	refused(t, request(t, "GET", svc.URL()+"/jwt/auth", "", "PRIVATE-TOKEN", svc.AdminToken()), 401, `{"message":"401 Unauthorized"}`)
}

func TestRegistryBulkNeedsAnExpression(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").RegistryRepository("")
	const path = "/projects/1/registry/repositories/1/tags"
	refused(t, call(t, svc, "DELETE", path, ""), 400, `{"error":"name_regex_delete is missing"}`)
	refused(t, call(t, svc, "DELETE", path, `{"name_regex_delete":"x","keep_n":2}`), 202, "")
}

// TestRegistrySpans: a tag made just before the span began goes, one made just
// within it stays.
func TestRegistrySpans(t *testing.T) {
	const day = 24 * time.Hour
	for text, span := range map[string]time.Duration{
		"1h": time.Hour, "1d": day, "1month": 30 * day, "7d": 7 * day, "90 days": 90 * day, "2 weeks": 14 * day,
		"1 Hour": time.Hour, "1h30m": 90 * time.Minute, "1 day, 2 hours": 26 * time.Hour, "1y": 365 * day, "45s": 45 * time.Second,
	} {
		svc := servicetest.New(t)
		images := svc.Project("acme/app").RegistryRepository("").
			Push("older", servicetest.CreatedAt(svc.Now().Add(-span-time.Second))).
			Push("within", servicetest.CreatedAt(svc.Now().Add(-span)))
		path := "/projects/1/registry/repositories/1/tags?name_regex_delete=.*&older_than=" + url.QueryEscape(text)
		refused(t, call(t, svc, "DELETE", path, ""), 202, "")
		svc.Advance(servicetest.RegistryDeletionDelay)
		if got := strings.Join(images.Tags(), " "); got != "within" {
			t.Errorf("older_than=%s leaves %q", text, got)
		}
	}
	svc := servicetest.New(t)
	svc.Project("acme/app").RegistryRepository("")
	for _, text := range []string{"1", "h", "1 fortnight", "-1h", "0d", "1h!", "1.5h", "999999999y", strings.Repeat("99y", 9)} {
		path := "/projects/1/registry/repositories/1/tags?name_regex_delete=.*&older_than=" + url.QueryEscape(text)
		refused(t, call(t, svc, "DELETE", path, ""), 400, `{"error":"older_than is invalid"}`)
	}
}
