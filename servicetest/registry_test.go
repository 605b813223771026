package servicetest_test

import (
	"encoding/base64"
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
	refused(t, call(t, svc, "GET", "/projects", "", "PRIVATE-TOKEN", "registry-1"), 401,
		`{"message":"401 Unauthorized"}`)

	refused(t,
		request(t, "GET", svc.URL()+"/jwt/auth?service=container_registry&scope=registry:catalog:*", "",
			"Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk"), 200, `{"token":"registry-1"}`)
	refused(t, request(t, "GET", catalog, "", "Authorization", "Bearer registry-1"), 200,
		`{"repositories":["acme/app"]}`)
	svc.Advance(servicetest.RegistryTokenLifetime)
	refused(t, request(t, "GET", catalog, "", "Authorization", "Bearer registry-1"), 401, denied)
}

func TestRegistryTokenParameters(t *testing.T) {
	svc := servicetest.New(t)
	basic := []string{"Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk"}
	for query, answer := range map[string]string{
		"": `{"error":"service is missing, scope is missing"}`,
		"service=mail&scope=x": `{"error":"service does not have a valid value, scope does not have a valid ` +
			`value"}`,
		"service=container_registry": `{"error":"scope is missing"}`,
	} {
		refused(t, request(t, "GET", svc.URL()+"/jwt/auth?"+query, "", basic...), 400, answer)
	}
	refused(t, request(t, "GET", svc.URL()+"/jwt/auth", "", "PRIVATE-TOKEN", svc.AdminToken()), 401,
		`{"message":"401 Unauthorized"}`)
}

// TestRegistryLogin checks logins with a password, and with a personal access
// token and any username.
func TestRegistryLogin(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.Password("correct horse"))
	svc.User("blank", servicetest.Admin(), servicetest.Password(""))
	boss := svc.User("boss", servicetest.Admin(), servicetest.Blocked())
	const path = "/jwt/auth?service=container_registry&scope=registry:catalog:*"
	for _, test := range []struct {
		name, username, password string
		status                   int
	}{
		{"password", "root", "root-password", 200},
		{"wrong password", "root", "x", 401},
		{"no password", "root", "", 401},
		{"no password, of a user without one", "blank", "", 401},
		{"nobody", "", svc.AdminToken(), 401},
		{"token", "root", svc.AdminToken(), 200},
		{"token and any name", "ci", svc.AdminToken(), 200},
		{"token of the registry", "ci", svc.Token(svc.Root(), servicetest.Scopes("read_registry")), 200},
		{"token of another scope", "ci", svc.Token(svc.Root(), servicetest.Scopes("read_user")), 401},
		{"token that expired", "ci", svc.Token(svc.Root(), servicetest.ExpiresAt(servicetest.Epoch)), 401},
		{"token of a blocked user", "boss", svc.Token(boss), 401},
		{"session", "root", svc.SessionCookie(svc.Root()), 401},
		{"no administrator", "ada", svc.Token(ada), 403},
		{"nor by password", "ada", "correct horse", 403},
	} {
		login := "Basic " + base64.StdEncoding.EncodeToString([]byte(test.username+":"+test.password))
		if a := request(t, "GET", svc.URL()+path, "", "Authorization", login); a.StatusCode != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, a.StatusCode, a.body, test.status)
		} else if test.status == 403 {
			refused(t, a, 403, `{"message":"403 Forbidden"}`)
		}
	}
}

func TestRegistryBulkNeedsAnExpression(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").RegistryRepository("")
	const path = "/projects/1/registry/repositories/1/tags"
	refused(t, call(t, svc, "DELETE", path, ""), 400, `{"error":"name_regex_delete is missing"}`)
	refused(t, call(t, svc, "DELETE", path, `{"name_regex_delete":"x","keep_n":2}`), 202, "")
}

// TestRegistrySpans checks that a tag made just before the span is deleted, and
// one made just within it is kept.
func TestRegistrySpans(t *testing.T) {
	const day = 24 * time.Hour
	for text, span := range map[string]time.Duration{
		"1h": time.Hour, "1d": day, "1month": 30 * day, "7d": 7 * day, "90 days": 90 * day, "2 weeks": 14 * day,
		"1 Hour": time.Hour, "1h30m": 90 * time.Minute, "1 day, 2 hours": 26 * time.Hour, "1y": 365 * day,
		"45s":  45 * time.Second,
		"1sec": time.Second, "2 seconds": 2 * time.Second, "1m": time.Minute, "3min": 3 * time.Minute,
		"1 minute": time.Minute, "1hr": time.Hour, "1w": 7 * day,
		"1mo": 30 * day, "2mon": 60 * day, "2 months": 60 * day, "1yr": 365 * day, "2years": 730 * day,
		"100y": 100 * 365 * day,
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
	for _, text := range []string{"1", "h", "1 fortnight", "-1h", "0d", "1h!", "1.5h", "999999999y",
		strings.Repeat("99y", 9)} {
		path := "/projects/1/registry/repositories/1/tags?name_regex_delete=.*&older_than=" + url.QueryEscape(text)
		refused(t, call(t, svc, "DELETE", path, ""), 400, `{"error":"older_than is invalid"}`)
	}
}

// TestTagsOfImages: a bulk deletion selects tags by name, number and age, oldest first.
func TestTagsOfImages(t *testing.T) {
	for query, left := range map[string]string{
		"name_regex_delete=v.*":                          "[dev latest]",
		"name_regex_delete=v1":                           "[dev latest v2 v3 v4]",
		"name_regex_delete=.*":                           "[latest]",
		"name_regex=v[12]":                               "[dev latest v3 v4]",
		"name_regex=v1&name_regex_delete=v2":             "[dev latest v1 v3 v4]",
		"name_regex_delete=v.*&name_regex_keep=v[34]":    "[dev latest v3 v4]",
		"name_regex_delete=v.*&keep_n=1":                 "[dev latest v4]",
		"name_regex_delete=v.*&keep_n=3":                 "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&older_than=2d":            "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&older_than=3d":            "[dev latest v1 v2 v3 v4]",
		"name_regex_delete=v.*&keep_n=3&older_than=1d":   "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&keep_n=0&older_than=1d1h": "[dev latest v3 v4]",
		"limit": "[dev latest v3 v4]",
	} {
		svc := servicetest.New(t)
		images := svc.Project("acme/app").RegistryRepository("web")
		for i, name := range []string{"v4", "v3", "v2", "v1"} {
			images.Push(name, servicetest.CreatedAt(svc.Now().Add(-time.Duration(i)*24*time.Hour)))
		}
		images.Push("dev").Push("latest")
		if query == "limit" {
			query = "name_regex_delete=v.*"
			svc.SetMaxBulkTagDeletion(2)
		}
		path := "/projects/1/registry/repositories/1/tags?" + query
		same(t, asked(t, svc, "DELETE "+path), "202")
		same(t, spaced(images.Tags()), "[dev latest v1 v2 v3 v4]")
		svc.Advance(servicetest.RegistryDeletionDelay)
		if got := spaced(images.Tags()); got != left {
			t.Errorf("%s leaves %s, want %s", query, got, left)
		}
		same(t, asked(t, svc, "DELETE "+path), "400")
		svc.Advance(time.Hour)
		same(t, asked(t, svc, "DELETE "+path), "202")
	}
	svc := servicetest.New(t)
	images := svc.Project("acme/app").RegistryRepository("web").Push("a")
	svc.SetMaxBulkTagDeletion(2)
	same(t, asked(t, svc, "DELETE /projects/1/registry/repositories/1/tags?name_regex_delete=a"), "202")
	svc.Advance(servicetest.RegistryDeletionDelay)
	same(t, spaced(images.Tags()), "[]")
}

// TestRepositoriesOfImages checks the handle of a repository, and the ways to delete
// it.
func TestRepositoriesOfImages(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.RegistryAccess("disabled"))
	images := app.RegistryRepository("web", servicetest.RegistrySize(5)).Push("b").Push("a", servicetest.ImageSize(7))
	same(t, spaced(images.Path(), images.Tags(), images.Exists(), app.RegistryAccess()),
		"acme/app/web [a b] true disabled")
	same(t, asked(t, svc, "GET /projects/1/registry/repositories"), "403")
	same(t, asked(t, svc, `PUT /projects/1 {"container_registry_access_level":"enabled"}`), "200")
	size := into[struct{ Size int }](t, call(t, svc, "GET", "/registry/repositories/1?size=true", ""), 200)
	same(t, spaced(size.Size), "5")
	tag := into[struct {
		Size int `json:"total_size"`
	}](t, call(t, svc, "GET", "/projects/1/registry/repositories/1/tags/a", ""), 200)
	same(t, spaced(tag.Size), "7")
	same(t, asked(t, svc, "DELETE /projects/1/registry/repositories/1"), "202")
	same(t, spaced(images.Exists()), "true")
	svc.Advance(servicetest.RegistryDeletionDelay)
	same(t, spaced(images.Exists()), "false")
	same(t, asked(t, svc, "GET /registry/repositories/1"), "404")
}

// TestCatalogPages: each page of the registry's catalog says where the next one begins.
func TestCatalogPages(t *testing.T) {
	svc := servicetest.New(t)
	for _, name := range []string{"c", "a", "b"} {
		svc.Project("acme/" + name).RegistryRepository("")
	}
	request(t, "GET", svc.URL()+"/jwt/auth?service=container_registry&scope=registry:catalog:*", "",
		"Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk")
	for query, want := range map[string]string{
		"": `["acme/a","acme/b","acme/c"] `, "?n=3": `["acme/a","acme/b","acme/c"] `,
		"?n=2":             `["acme/a","acme/b"] </v2/_catalog?last=acme%2Fb&n=2>; rel="next"`,
		"?n=1&last=acme/a": `["acme/b"] </v2/_catalog?last=acme%2Fb&n=1>; rel="next"`,
		"?last=acme/aa":    `["acme/b","acme/c"] `, "?last=acme/c": "[] ", "?n=1000&last=z": "[] ",
	} {
		a := request(t, "GET", svc.RegistryURL()+"/v2/_catalog"+query, "", "Authorization", "Bearer registry-1")
		same(t, a.body+" "+a.Header.Get("Link"), strings.Replace(`{"repositories":`+want, "] ", "]} ", 1))
	}
	for _, n := range []string{"0", "1001", "x", "-1"} {
		a := request(t, "GET", svc.RegistryURL()+"/v2/_catalog?n="+n, "", "Authorization", "Bearer registry-1")
		refused(t, a, 400,
			`{"errors":[{"code":"PAGINATION_NUMBER_INVALID","message":"invalid number of results requested"}]}`)
	}
}
