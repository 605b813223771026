// Package requests passes options of calls as functions, in variables, in fields and in lists, some
// with a context.
package requests

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type key struct{}

// A recorder notes what options add to requests.
type recorder struct{ out strings.Builder }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	fmt.Fprint(&r.out, req.URL.Path, " ", req.Context().Value(key{}))
	for _, name := range []string{"Sudo", "X-Trace", "X-Always", "X-Named", "X-Twice", "Cache-Control"} {
		if values := req.Header.Values(name); len(values) > 0 {
			fmt.Fprint(&r.out, " ", name, "=", strings.Join(values, ", "))
		}
	}
	fmt.Fprintln(&r.out)
	return http.DefaultTransport.RoundTrip(req)
}

type store struct {
	client *gitlab.Client
	common []gitlab.RequestOptionFunc
	first  gitlab.RequestOptionFunc
	age    int
}

// trace returns an option that client-go makes.
func trace(id string) gitlab.RequestOptionFunc { return gitlab.WithHeader("X-Trace", id) }

// simple returns a function that sets a parameter.
func simple(name string) gitlab.RequestOptionFunc {
	return func(req *retryablehttp.Request) error {
		if name == "" {
			return nil
		}
		query := req.URL.Query()
		query.Set("simple", name)
		req.URL.RawQuery = query.Encode()
		return nil
	}
}

// cached asks for an answer that is not too old.
func (s *store) cached() gitlab.RequestOptionFunc {
	return func(req *retryablehttp.Request) error {
		if s.age > 0 {
			req.Header.Set("Cache-Control", fmt.Sprintf("max-age=%d", s.age))
		}
		return nil
	}
}

func named(req *retryablehttp.Request) error {
	req.Header.Set("X-Named", "yes")
	return nil
}

func version(client *gitlab.Client, options ...gitlab.RequestOptionFunc) error {
	_, _, err := client.Version.GetVersion(options...)
	return err
}

// with adds a context before what every call has.
func (s *store) with(ctx context.Context) []gitlab.RequestOptionFunc {
	return append([]gitlab.RequestOptionFunc{gitlab.WithContext(ctx)}, s.common...)
}

func (s *store) project(ctx context.Context, path string) error {
	_, _, err := s.client.Projects.GetProject(path, nil, s.with(ctx)...)
	return err
}

// branch has two contexts, and sends the outer one.
func (s *store) branch(outer context.Context) error {
	ctx := context.WithValue(outer, key{}, "inner")
	_, _, err := s.client.Branches.GetBranch("acme/shop", "main", append(s.common, gitlab.WithContext(outer))...)
	if err != nil {
		return err
	}
	options := []gitlab.RequestOptionFunc{gitlab.WithContext(outer), trace("branch")}
	if s.age > 0 {
		options = append(options, gitlab.WithSudo("root"))
	}
	if _, _, err = s.client.Branches.GetBranch("acme/shop", "main", options...); err != nil {
		return err
	}
	_, _, err = s.client.Branches.GetBranch("acme/shop", "main",
		gitlab.WithContext(outer), s.first, gitlab.WithContext(ctx))
	return err
}

// sometimes has a context only if it is asked for one.
func (s *store) sometimes(ctx context.Context, asked bool) error {
	var options []gitlab.RequestOptionFunc
	if asked {
		options = append(options, gitlab.WithContext(ctx))
	}
	return version(s.client, options...)
}

func (s *store) single() error {
	if _, _, err := s.client.Branches.GetBranch("acme/shop", "main", s.first, nil, trace("single")); err != nil {
		return err
	}
	_, _, err := s.client.Projects.GetProject("acme/shop", nil, simple("true"), named, s.cached())
	return err
}

func (s *store) literal(value string) error {
	_, _, err := s.client.Projects.GetProject("acme/shop", nil, func(req *retryablehttp.Request) error {
		req.Header.Add("X-Twice", value)
		req.Header.Add("X-Twice", "again")
		return nil
	})
	return err
}

var always = []gitlab.RequestOptionFunc{gitlab.WithHeader("X-Always", "1")}

var users = map[string]gitlab.RequestOptionFunc{"root": gitlab.WithSudo("root")}

// Run calls with options of every kind.
func Run(url, token string) (string, error) {
	r := &recorder{}
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithHTTPClient(&http.Client{Transport: r}))
	if err != nil {
		return "", err
	}
	ctx := context.WithValue(context.Background(), key{}, "outer")
	s := &store{client: client, common: always, first: gitlab.WithContext(ctx), age: 5}
	options := []gitlab.RequestOptionFunc{gitlab.RequestOptionFunc(named), gitlab.WithContext(ctx)}
	if token != "" {
		options = append(options, users["root"], nil)
	}
	for _, call := range []func() error{
		func() error { return version(client, options...) },
		func() error { return version(client, gitlab.WithContext(ctx), trace("x")) },
		func() error { return version(client) },
		func() error { return s.project(ctx, "acme/shop") },
		func() error { return s.branch(ctx) },
		func() error { return s.sometimes(ctx, true) },
		func() error { return s.sometimes(ctx, false) },
		s.single,
		func() error { return s.literal("once") },
	} {
		if err := call(); err != nil {
			return "", err
		}
	}
	return r.out.String(), nil
}
