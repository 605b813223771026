package redact

import (
	"net/url"
	"slices"
	"strings"
)

// IsParam reports whether a parameter of a query, a form or an object is a
// credential, or sudo. It reads names as servers do: in any case, with the
// brackets of a list or an object, and with white space around them.
func IsParam(name string) bool {
	name = strings.TrimLeft(name, "[] \t\r\n\v\f\x00")
	if end := strings.IndexAny(name, "[]\x00"); end >= 0 {
		name = name[:end]
	}
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_") {
	case "private_token", "access_token", "job_token", "sudo":
		return true
	}
	return false
}

// WithoutParams returns a query without credentials and sudo, and otherwise
// unchanged, except that a semicolon is escaped: some servers take it for the end
// of a parameter.
func WithoutParams(query string) string {
	return FilterQuery(strings.ReplaceAll(query, ";", "%3B"), func(name string) bool { return !IsParam(name) })
}

// FilterQuery returns the parameters of a query that are kept, unchanged and in
// their order.
func FilterQuery(query string, keep func(name string) bool) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		return !keep(name)
	})
	return strings.Join(pairs, "&")
}
