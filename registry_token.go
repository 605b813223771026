package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
)

// registryCredential is the token of a registry, which the service gives.
type registryCredential struct {
	instance *Client
	// turn holds one element while somebody uses token: one asks the service,
	// however many wait.
	turn  chan struct{}
	token Secret
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
// GET {base_url}/jwt/auth
func (c *registryCredential) ask(ctx context.Context) (Secret, error) {
	answer, _, err := doSecret[registryToken](ctx, c.instance, http.MethodGet, instanceRoute("/jwt/auth"), queryOf(catalogScope), nil)
	if err != nil {
		return Secret{}, err
	}
	if token := answer.Token.Reveal(); token == "" || !validHeaderValue(token) {
		return Secret{}, errors.New("the service gave no registry token that can be sent")
	}
	return answer.Token, nil
}

// current returns the token at hand, or a new one if there is none or it is the
// stale one.
func (c *registryCredential) current(ctx context.Context, stale string) (string, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if !c.token.IsZero() && c.token.Reveal() != stale {
		return c.token.Reveal(), nil
	}
	token, err := c.ask(ctx)
	if err != nil {
		return "", err
	}
	c.token = token
	return token.Reveal(), nil
}

func (c *registryCredential) authorize(ctx context.Context, h http.Header) (string, error) {
	token, err := c.current(ctx, "")
	if err != nil {
		return "", err
	}
	h["Authorization"] = []string{"Bearer " + token}
	return token, nil
}

func (c *registryCredential) refresh(ctx context.Context, stale string) (bool, error) {
	token, err := c.current(ctx, stale)
	return err == nil && token != stale, err
}

// Format writes a placeholder, for every verb.
func (c *registryCredential) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "RegistryToken(%s)", redacted)
}

// LogValue returns a placeholder.
func (c *registryCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }
