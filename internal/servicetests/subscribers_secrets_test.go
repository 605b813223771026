package servicetests

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSubscribersSeeNoSecrets sends whatever is a Secret of the client to the embedded
// service, which knows credentials by their names: its subscribers do not see them.
func TestSubscribersSeeNoSecrets(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nsecret-of-the-test\n-----END PRIVATE KEY-----"
	asURL := map[string]bool{"url": true, "import_url": true}
	svc := servicetest.New(t)
	svc.Handle("POST /things", func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	next, stop := iter.Pull(svc.Subscribe(t.Context(), 0))
	defer stop()
	names := secretMembers()
	require.Contains(t, names, "token")
	for name := range names {
		value := any("secret-of-the-test")
		switch {
		case asURL[name]:
			value = "https://bot:secret-of-the-test@code.example/app.git?signature=secret-of-the-test"
		case name == "key":
			value = key // and not that of a variable
		case name == "variables":
			value = map[string]string{"KEY": "secret-of-the-test"}
		}
		body, err := json.Marshal(map[string]any{name: value, "title": "A"})
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodPost, "/api/v4/things", strings.NewReader(string(body)))
		svc.ServeHTTP(httptest.NewRecorder(), r)
		exchange, ok := next()
		require.True(t, ok)
		body = exchange.Request.Body
		assert.NotContains(t, string(body), "secret-of-the-test")
		assert.Contains(t, string(body), "[redacted]")
		assert.Contains(t, string(body), `"title":"A"`)
	}
}

// secretMembers returns the names of the members of options and results that are a Secret.
func secretMembers() map[string]bool {
	client := reflect.TypeFor[serviceapi.Client]()
	var types []reflect.Type
	for _, method := range inventory.Methods(client) {
		for in := range method.Type.Ins() {
			types = append(types, in)
		}
		types = append(types, method.Type.Out(0))
	}
	for _, kind := range kindsOfIntegrations {
		types = append(types, reflect.TypeOf(kind))
	}
	names := map[string]bool{}
	for _, typ := range inventory.Within(client.PkgPath(), types) {
		for name, field := range inventory.JSONFields(typ) {
			inner := field.Type
			for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
				inner = inner.Elem()
			}
			if inner == reflect.TypeFor[serviceapi.Secret]() {
				names[name] = true
			}
		}
	}
	return names
}
