package serviceapi

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// A page token is the query of a page, prefixed with a marker of its list, so
// that a token that was damaged or is of another list is detected before it is
// used.

// markerSize is the length of the marker in bytes.
const markerSize = 8

// pageToken returns the token of a page of this list, "" for none.
func (cl *call) tokenOf(query string) string {
	if query == "" {
		return ""
	}
	token := binary.BigEndian.AppendUint64(nil, cl.pageMarker(query))
	return base64.RawURLEncoding.EncodeToString(append(token, query...))
}

// pageMarker identifies a page of this list.
func (cl *call) pageMarker(query string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(cl.endpoint.path + "?" + query))
	return h.Sum64()
}

// continueAt makes the call ask for the page of the token.
func (cl *call) continueAt(token string) error {
	refused := func(problem string) error { return &ArgumentError{Argument: "page token", Problem: problem} }
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(data) <= markerSize {
		return refused("is not from a Response")
	}
	query := string(data[markerSize:])
	if binary.BigEndian.Uint64(data) != cl.pageMarker(query) {
		return refused("is from another list, or was changed")
	}
	page := parseQuery(query)
	for name, values := range parseQuery(cl.query) {
		if !selectsPage(name) && !slices.Equal(page[name], values) {
			return refused("is from a list with other options: " + printable(name, 40) + " differs")
		}
	}
	cl.query = query
	return nil
}

// selectsPage reports whether a parameter selects a page of a list rather than
// the list.
func selectsPage(name string) bool {
	switch name {
	case "page", "per_page", "n", "last", "page_token", "cursor", "id_after", "pagination", "order_by", "sort":
		return true
	}
	return false
}

// withoutSecrets removes credentials and sudo from a query that the service
// sent.
func withoutSecrets(raw string) string {
	values := parseQuery(raw)
	dropped := false
	for name := range values {
		if isSecretParam(name) {
			delete(values, name)
			dropped = true
		}
	}
	if !dropped {
		return raw
	}
	return values.Encode()
}
