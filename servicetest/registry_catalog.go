package servicetest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// RegistryTokenLifetime is how long a token of the registry is valid, by the
// service's clock.
const RegistryTokenLifetime = 5 * time.Minute

const (
	defaultCatalogPage = 100
	maxCatalogPage     = 1000
)

// registryLogin returns the user that basic authentication names. The password
// is that of the user, or a personal access token; with a token, the username
// does not matter.
func (c *call) registryLogin() *User {
	username, password, given := c.Request.BasicAuth()
	if !given || username == "" || password == "" {
		return nil
	}
	user := c.svc.findUser(username)
	if tok := c.svc.tokenOf(password, personal); tok != nil {
		if !c.usable(tok) || !slices.Contains(tok.scopes, "api") && !slices.Contains(tok.scopes, "read_registry") {
			return nil
		}
		user = tok.user
	} else if user == nil || user.password != password {
		return nil
	}
	if user.barred() != "" {
		return nil
	}
	return user
}

// issueRegistryToken issues a token for the catalog to an administrator who
// uses basic authentication: registry-1, registry-2 and so on.
func issueRegistryToken(c *call) *reply {
	user := c.registryLogin()
	if user == nil {
		return frame.Unauthorized().Set("Www-Authenticate", `Basic realm="service"`)
	}
	if !user.admin {
		return frame.Forbidden("")
	}
	c.Require("service", "scope")
	c.OneOf("service", "container_registry")
	c.OneOf("scope", "registry:catalog:*")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	registry := state[registryState](c.svc)
	if registry.tokens == nil {
		registry.tokens = make(map[string]time.Time)
	}
	token := fmt.Sprintf("registry-%d", len(registry.tokens)+1)
	registry.tokens[token] = c.now().Add(RegistryTokenLifetime)
	return c.OK(object{"token": token})
}

// listRegistryCatalog responds as the distribution API does, which has its own
// error bodies and pages.
func listRegistryCatalog(c *call) *reply {
	secret, _ := strings.CutPrefix(c.Request.Header.Get("Authorization"), "Bearer ")
	if !c.now().Before(state[registryState](c.svc).tokens[secret]) {
		return registryError(http.StatusUnauthorized, "UNAUTHORIZED", "authentication required").
			Set("Www-Authenticate", fmt.Sprintf(`Bearer realm="%s/jwt/auth",service="container_registry",scope="registry:catalog:*"`, c.svc.URL()))
	}
	n := defaultCatalogPage
	if text := c.Query.Get("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > maxCatalogPage {
			return registryError(http.StatusBadRequest, "PAGINATION_NUMBER_INVALID", "invalid number of results requested")
		}
	}
	names := c.svc.registryCatalog()
	start, found := slices.BinarySearch(names, c.Query.Get("last"))
	if found {
		start++
	}
	names = names[start:]
	if len(names) <= n {
		return c.OK(object{"repositories": append([]string{}, names...)})
	}
	names = names[:n]
	next := url.Values{"last": {names[n-1]}, "n": {strconv.Itoa(n)}}
	return c.OK(object{"repositories": names}).Set("Link", "<"+c.Request.URL.EscapedPath()+"?"+next.Encode()+`>; rel="next"`)
}

func registryError(status int, code, text string) *reply {
	return frame.JSONReply(status, object{"errors": []object{{"code": code, "message": text}}})
}
