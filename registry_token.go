package serviceapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"golang.org/x/oauth2"
)

// registryCredential is the token of a registry, which the service issues.
type registryCredential struct {
	instance *Client
	tokenCache
}

func newRegistryCredential(instance *Client) *registryCredential {
	c := &registryCredential{instance: instance}
	c.tokenCache.ask = c.ask
	return c
}

type registryTokenQuery struct {
	Service string `url:"service"`
	Scope   string `url:"scope"`
}

var catalogScope = registryTokenQuery{Service: "container_registry", Scope: "registry:catalog:*"}

// registryToken is the response of the token endpoint.
type registryToken struct {
	Token Secret `json:"token"`
}

// ask gets a token from the service.
//
//	GET {base_url}/jwt/auth
func (c *registryCredential) ask(ctx context.Context, _ string) (*oauth2.Token, error) {
	answer, _, err := doSecret[registryToken](ctx, c.instance, http.MethodGet,
		instanceRoute("/jwt/auth"), queryOf(catalogScope), nil)
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: answer.Token.Reveal()}, nil
}

// Format writes a placeholder, for every verb.
func (c *registryCredential) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "RegistryToken(%s)", redacted)
}

// LogValue returns a placeholder.
func (c *registryCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }
