package serviceapi

import (
	"net/url"
	"strings"

	"example.com/serviceapi/internal/segment"
)

// baseURL is a parsed and checked base URL.
type baseURL struct {
	scheme, host string
	// path is escaped, without a trailing slash.
	path string
}

func parseBaseURL(raw string) (baseURL, error) {
	bad := func(problem string) (baseURL, error) {
		return baseURL{}, &ArgumentError{Argument: "base URL", Problem: problem}
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return bad("cannot be parsed; it must look like https://service.example.com")
	case u.User != nil:
		return bad("contains a user name or password; pass a Credential instead")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return bad("contains a query or a fragment")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("must start with https:// or http://")
	case u.Hostname() == "":
		return bad("has no host")
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	path = strings.TrimRight(strings.TrimSuffix(path, apiPrefix), "/")
	if i := strings.LastIndex(path, "/api"); i >= 0 && isAPISuffix(path[i:]) {
		return bad("must be that of the instance, without " + path[i:] + "; the library adds " + apiPrefix)
	}
	if path != "" {
		if problem := segment.Problem(strings.TrimPrefix(path, "/")); problem != "" {
			return bad(problem)
		}
	}
	return baseURL{scheme: u.Scheme, host: u.Host, path: path}, nil
}

const apiPrefix = "/api/v4"

// isAPISuffix reports whether the end of a path is that of some version of the
// API.
func isAPISuffix(suffix string) bool {
	version, ok := strings.CutPrefix(suffix, "/api/v")
	return suffix == "/api" || ok && version != "" && strings.Trim(version, "0123456789") == ""
}

func (b baseURL) at(path string) string { return b.scheme + "://" + b.host + b.path + path }

func (b baseURL) String() string { return b.at("") }

// sameOrigin reports whether a URL has the scheme, host and port of the base
// URL. A missing port is the default port.
func (b baseURL) sameOrigin(u *url.URL) bool {
	return u.Scheme == b.scheme && originHost(u.Scheme, u.Host) == originHost(b.scheme, b.host)
}

func originHost(scheme, host string) string {
	host = strings.ToLower(host)
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}
