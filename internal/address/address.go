// Package address has the base URL of an instance, and distinguishes its URLs from those of
// others.
package address

import (
	"net/url"
	"strings"

	"example.com/serviceapi/internal/segment"
)

// APIPrefix begins the paths of the API, below the base URL.
const APIPrefix = "/api/v4"

// Base is a base URL.
type Base struct {
	Scheme, Host string
	// Path is escaped, without a trailing slash.
	Path string
}

// Parse reads a base URL, which may end in the prefix of the API. If it is not one,
// problem says why.
func Parse(raw string) (b Base, problem string) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return Base{}, "cannot be parsed; it must look like https://service.example.com"
	case u.User != nil:
		return Base{}, "contains a user name or password; pass a Credential instead"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return Base{}, "contains a query or a fragment"
	case u.Scheme != "http" && u.Scheme != "https":
		return Base{}, "must start with https:// or http://"
	case u.Hostname() == "":
		return Base{}, "has no host"
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	path = strings.TrimRight(strings.TrimSuffix(path, APIPrefix), "/")
	if i := strings.LastIndex(path, "/api"); i >= 0 && isAPISuffix(path[i:]) {
		return Base{}, "must be that of the instance, without " + path[i:] + "; the library adds " + APIPrefix
	}
	if path != "" {
		if problem := segment.PathProblem(strings.TrimPrefix(path, "/")); problem != "" {
			return Base{}, problem
		}
	}
	return Base{Scheme: u.Scheme, Host: u.Host, Path: path}, ""
}

// isAPISuffix reports whether the end of a path is that of some version of the
// API.
func isAPISuffix(suffix string) bool {
	version, ok := strings.CutPrefix(suffix, "/api/v")
	return suffix == "/api" || ok && version != "" && strings.Trim(version, "0123456789") == ""
}

// At returns the URL of a path of the instance.
func (b Base) At(path string) string { return b.Scheme + "://" + b.Host + b.Path + path }

// String returns the URL, without a trailing slash.
func (b Base) String() string { return b.At("") }

// Has reports whether a URL has the scheme, host and port of the base URL. A missing
// port is the default port.
func (b Base) Has(u *url.URL) bool {
	return u.Scheme == b.Scheme && withoutPort(u.Scheme, u.Host) == withoutPort(b.Scheme, b.Host)
}

// HasHost reports whether a URL has the host of the base URL, on whatever port.
func (b Base) HasHost(u *url.URL) bool {
	base := url.URL{Host: b.Host}
	return strings.EqualFold(u.Hostname(), base.Hostname())
}

// withoutPort removes the default port.
func withoutPort(scheme, host string) string {
	host = strings.ToLower(host)
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}
