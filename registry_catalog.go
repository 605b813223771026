package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/internal/pages"
	"example.com/serviceapi/internal/tokencache"
	"golang.org/x/oauth2"
)

// RegistryCatalog lists the repositories of a whole container registry, across
// all projects. It is a separate client, because the registry has its own
// address and does not accept the tokens of the API: the service issues a token
// for the registry in exchange for an administrator's username and password.
// The username and password are sent only to the service, and the registry's
// token only to the registry.
//
// The token is requested with the first call, reused, and requested again when
// the registry no longer accepts it.
//
// A RegistryCatalog is immutable and safe for concurrent use.
type RegistryCatalog struct {
	registry *Client
}

// RegistryCatalogConfig describes a registry and the account that reads its
// catalog.
type RegistryCatalogConfig struct {
	// BaseURL is the address of the instance, as for [NewClient].
	BaseURL string
	// RegistryURL is the address of the registry, such as
	// "https://registry.example.com".
	RegistryURL string
	// Username and Password are those of an administrator.
	Username string
	Password Secret
}

// NewRegistryCatalog returns a client for a registry's catalog. The options are those of
// [NewClient] except for [WithCredential] and [WithSudo], which have no meaning here.
// NewRegistryCatalog does no I/O. It returns an [*ArgumentError] if one of the addresses is
// invalid, or if the username or the password is missing.
func NewRegistryCatalog(config RegistryCatalogConfig, opts ...Option) (*RegistryCatalog, error) {
	if config.Username == "" || strings.ContainsRune(config.Username, ':') {
		return nil, badArgument("user name", "is empty or contains a colon")
	}
	if config.Password.IsEmpty() {
		return nil, badArgument("password", "is empty")
	}
	password := basicCredential(config.Username, config.Password.Reveal())
	instance, err := NewClient(config.BaseURL, password, opts...)
	if err != nil {
		return nil, err
	}
	if options := &instance.config.options; options.credential != password || !options.sudo.IsZero() {
		return nil, errForeignCredential
	}
	registry, err := registryClient(instance, config.RegistryURL)
	if err != nil {
		return nil, err
	}
	return &RegistryCatalog{registry}, nil
}

var errForeignCredential = &ArgumentError{
	Argument: "option",
	Problem:  "would send another credential to the registry: WithCredential and WithSudo cannot be used here",
}

// registryClient derives the client of a registry, which gets its tokens from
// the instance. Both share transport, options and retry budget.
func registryClient(instance *Client, registryURL string) (*Client, error) {
	base, err := parseBaseURL(registryURL)
	var argument *ArgumentError
	if errors.As(err, &argument) {
		argument.Argument = "registry URL"
	}
	if err != nil {
		return nil, err
	}
	config := instance.config
	config.base = base
	config.options.credential = newRegistryCredential(instance)
	return newClient(config, nil)
}

// ListRegistryCatalogOptions selects a page of a registry's catalog.
type ListRegistryCatalogOptions struct {
	// PerPage is the number of names on a page. If it is 0, the registry decides.
	// The registry refuses more than its own limit.
	PerPage int `url:"n,omitempty"`
	// Last is the name after which the page begins. There need not be a repository
	// with this name.
	Last string `url:"last,omitempty"`
	// PageToken continues where an earlier call ended: it is the
	// [Response.NextPageToken] of that call. It includes all other options, which
	// are then ignored.
	PageToken string `url:"-"`
}

func (o ListRegistryCatalogOptions) listOptions() ListOptions {
	return ListOptions{PerPage: o.PerPage, PageToken: o.PageToken}
}

// catalogPage is a page of a catalog.
type catalogPage struct {
	Repositories Nullable[[]string] `json:"repositories"`
}

// List returns the paths of the repositories on one page of the catalog. The
// request options do not apply to the request for a token.
//
//	GET {registry_url}/v2/_catalog
//	GET {base_url}/jwt/auth
func (c *RegistryCatalog) List(
	ctx context.Context, options *ListRegistryCatalogOptions, opts ...RequestOption,
) ([]string, *Response, error) {
	cl, err := c.newCall(ctx, options, opts)
	if err != nil {
		return nil, nil, err
	}
	page, err := fetchCatalog(cl)
	return page.items, page.resp, err
}

// All returns the path of every repository in the registry. Pages are fetched
// as they are consumed, with 100 names each if PerPage is 0.
//
//	GET {registry_url}/v2/_catalog
//	GET {base_url}/jwt/auth
func (c *RegistryCatalog) All(
	ctx context.Context, options *ListRegistryCatalogOptions, opts ...RequestOption,
) iter.Seq2[string, error] {
	var o ListRegistryCatalogOptions
	if options != nil {
		o = *options
	}
	if o.PerPage == 0 {
		o.PerPage = pages.MaxSize
	}
	first, err := c.newCall(ctx, &o, opts)
	if err != nil {
		return failed[string](err)
	}
	return func(yield func(string, error) bool) {
		g := newGuard(first)
		var previous []string
		walkPages(g, first.query, func(query string) (pageOf[string], error) {
			page, err := fetchCatalog(first.at(first.ctx, query))
			if err == nil && len(page.items) > 0 && page.next != "" && slices.Equal(page.items, previous) {
				err = g.problem("the registry sent the same page again")
			}
			previous = page.items
			return page, err
		}, yield)
	}
}

func (c *RegistryCatalog) newCall(
	ctx context.Context, options *ListRegistryCatalogOptions, opts []RequestOption,
) (*call, error) {
	if c == nil {
		return nil, badArgument("catalog", "was not made by NewRegistryCatalog")
	}
	cl, err := newCall(ctx, c.registry, http.MethodGet, instanceRoute("/v2/_catalog"), queryOf(options), opts)
	if err != nil {
		return nil, err
	}
	if cl.options.credential != c.registry.config.options.credential || !cl.options.sudo.IsZero() {
		return nil, errForeignCredential
	}
	return cl, nil
}

// fetchCatalog reads one page of a catalog.
func fetchCatalog(cl *call) (pageOf[string], error) {
	var result pageOf[string]
	_, resp, err := fetch(cl, func(sent *outcome, page *catalogPage) error {
		names, listed := page.Repositories.Get()
		if !listed && !page.Repositories.IsNull() {
			return sent.decodeError(errors.New("it has no repositories"))
		}
		if slices.Contains(names, "") {
			return sent.decodeError(errNullItem)
		}
		result.items = names
		next, err := pages.Next(sent.resp.Header, cl.query)
		if err != nil {
			return cl.paginationError(sent.redaction().Hide(err.Error()))
		}
		result.next = next
		return nil
	})
	if result.resp = resp; resp != nil {
		resp.NextPageToken = cl.tokenOf(result.next)
	}
	return result, err
}

// CloseIdleConnections closes the connections that no call is using.
func (c *RegistryCatalog) CloseIdleConnections() {
	if c != nil {
		c.registry.CloseIdleConnections()
	}
}

// Format writes the address of the registry, for every verb.
func (c *RegistryCatalog) Format(f fmt.State, _ rune) {
	if c == nil || c.registry == nil {
		fmt.Fprint(f, "serviceapi.RegistryCatalog(none)")
		return
	}
	fmt.Fprintf(f, "serviceapi.RegistryCatalog(%s)", c.registry.BaseURL())
}

// LogValue returns the address of the registry.
func (c *RegistryCatalog) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }

// registryCredential is the token of a registry, which the service issues.
type registryCredential struct {
	instance *Client
	tokenCredential
}

func newRegistryCredential(instance *Client) *registryCredential {
	c := &registryCredential{instance: instance}
	c.tokens = tokencache.New(tokencache.Source{Request: c.request, IsRefusal: isTokenRefusal}, nil)
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

// request gets a token from the service.
//
//	GET {base_url}/jwt/auth
func (c *registryCredential) request(ctx context.Context, _ string) (*oauth2.Token, error) {
	token, _, err := do[registryToken](ctx, c.instance, http.MethodGet,
		instanceRoute("/jwt/auth"), queryOf(catalogScope), nil)
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: token.Token.Reveal()}, nil
}

// Format writes a placeholder, for every verb.
func (c *registryCredential) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "RegistryToken(%s)", redacted)
}

// LogValue returns a placeholder.
func (c *registryCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }
