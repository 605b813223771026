package serviceapi_test

import (
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
)

type (
	withSecret struct {
		Name  string            `json:"name"`
		Token serviceapi.Secret `json:"token"`
	}
	// encodesItself has a typical MarshalJSON method, which encodes a copy without
	// the method.
	encodesItself withSecret
	// encodesText is a key or a value with a secret inside.
	encodesText struct{ Token serviceapi.Secret }
	// embedsSecret has the methods of its field.
	embedsSecret struct {
		serviceapi.Secret

		Name string
	}
	revealsItself   withSecret
	optionalSecrets struct {
		Plain   serviceapi.Secret  `json:"plain,omitzero"`
		Pointer *serviceapi.Secret `json:"pointer,omitzero"`
	}
	quoted string
)

func (e encodesItself) MarshalJSON() ([]byte, error) { return json.Marshal(withSecret(e)) }
func (e encodesText) MarshalText() ([]byte, error)   { return []byte("Bearer " + e.Token.String()), nil }
func (q quoted) MarshalJSON() ([]byte, error)        { return json.Marshal("> " + string(q)) }
func (r revealsItself) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"name": r.Name, "token": r.Token.Reveal()})
}

// readBack returns a struct as a program finds it that has stored it as JSON.
func readBack(t *testing.T, stored withSecret) (restored withSecret) {
	t.Helper()
	data, err := json.Marshal(stored)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &restored))
	return restored
}

// TestSecretsAreSentOrRefused checks that no request has the placeholder of a
// Secret.
func TestSecretsAreSentOrRefused(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		sent = append(sent, string(body))
	}))
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	secret := serviceapi.NewSecret("s3cret")
	type object = map[string]any
	const placeholder = "[redacted]"
	for name, test := range map[string]struct {
		body any
		sent string // "" if it is refused
	}{
		"plain":              {object{"a": secret}, `{"a":"s3cret"}`},
		"value":              {object{"a": serviceapi.Value(secret)}, `{"a":"s3cret"}`},
		"pointer to a value": {object{"a": new(serviceapi.Value(&secret))}, `{"a":"s3cret"}`},
		"value of a struct": {object{"a": serviceapi.Value(withSecret{"n", secret})},
			`{"a":{"name":"n","token":"s3cret"}}`},
		"value of a list":  {object{"a": serviceapi.Value([]serviceapi.Secret{secret})}, `{"a":["s3cret"]}`},
		"value of a value": {object{"a": serviceapi.Value(serviceapi.Value(secret))}, `{"a":"s3cret"}`},
		"empty, left out":  {optionalSecrets{}, `{}`},
		"empty, to clear":  {optionalSecrets{Pointer: new(serviceapi.NewSecret(""))}, `{"pointer":""}`},
		"null": {object{"a": serviceapi.Null[serviceapi.Secret](),
			"b": serviceapi.Null[withSecret]()}, `{"a":null,"b":null}`},
		"placeholder as secret": {object{"a": serviceapi.NewSecret(placeholder)}, ""},
		"read back from JSON":   {readBack(t, withSecret{"n", secret}), ""},
		"placeholder as text": {object{"a": "it was [redacted]", "b": secret},
			`{"a":"it was [redacted]","b":"s3cret"}`},
		"placeholder as JSON":      {json.RawMessage(`{"a":"[redacted]"}`), `{"a":"[redacted]"}`},
		"placeholder in a string":  {object{"a": quoted(placeholder)}, `{"a":"> [redacted]"}`},
		"encodes itself":           {encodesItself{"n", secret}, ""},
		"encodes itself, nested":   {object{"a": []any{serviceapi.Value(&encodesItself{"n", secret})}}, ""},
		"encodes itself as text":   {object{"a": encodesText{secret}}, ""},
		"encodes itself as a name": {map[*encodesText]int{{secret}: 1}, ""},
		"embeds a secret":          {embedsSecret{secret, "n"}, ""},
		"beside a placeholder":     {[]any{revealsItself{"n", secret}, "it was [redacted]"}, ""},
		// which is which is not known
		"after one that may": {[]any{revealsItself{"n", secret}, quoted(placeholder), encodesItself{"n", secret}},
			""},
		"reveals itself": {revealsItself{"n", secret}, `{"name":"n","token":"s3cret"}`},
	} {
		t.Run(name, func(t *testing.T) {
			sent = nil
			_, err := client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), test.body, nil)
			if test.sent != "" {
				require.NoError(t, err)
				require.Len(t, sent, 1)
				assert.JSONEq(t, test.sent, sent[0])
				return
			}
			var argument *serviceapi.ArgumentError
			require.ErrorAs(t, err, &argument)
			assert.ErrorContains(t, err, "Secret.Reveal")
			assert.NotContains(t, err.Error(), "s3cret")
			assert.Empty(t, sent)
		})
	}
}

// TestStoredPlaceholderIsNoCredential checks that a token that was stored as JSON
// is refused when a client is made with it.
func TestStoredPlaceholderIsNoCredential(t *testing.T) {
	stored := readBack(t, withSecret{"n", serviceapi.NewSecret("s3cret")})
	_, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken(stored.Token.Reveal()))
	var argument *serviceapi.ArgumentError
	require.ErrorAs(t, err, &argument)
	assert.ErrorContains(t, err, "Secret.Reveal")
}

// TestSecretsAreCompared checks comparisons of secrets, and of structs that
// contain one.
func TestSecretsAreCompared(t *testing.T) {
	one, same := serviceapi.NewSecret("s3cret"), serviceapi.NewSecret("s3cret")
	assert.True(t, one.Equal(same))
	assert.False(t, one.Equal(serviceapi.NewSecret("secret")))
	assert.False(t, one.Equal(serviceapi.Secret{}))
	assert.Equal(t, serviceapi.Secret{}, serviceapi.NewSecret(""))
	assert.True(t, serviceapi.NewSecret("").IsEmpty())
	assert.False(t, one.IsEmpty())
	assert.True(t, reflect.DeepEqual(&serviceapi.Variable{Value: one}, &serviceapi.Variable{Value: same}))
}

// TestSecretsByThemselves checks how other encoders encode a Secret, and what
// is not one.
func TestSecretsByThemselves(t *testing.T) {
	secret := serviceapi.NewSecret("s3cret")
	text, err := secret.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", string(text))
	require.NoError(t, json.Unmarshal([]byte(`null`), &secret))
	assert.Empty(t, secret.Reveal(), "null is the zero Secret")
	require.NoError(t, secret.UnmarshalJSON([]byte(`"other"`)))
	assert.Equal(t, "other", secret.Reveal())
	require.NoError(t, secret.UnmarshalJSON([]byte(`null`)))
	assert.Empty(t, secret.Reveal())

	client, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	_, err = client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"),
		map[string]any{"a": serviceapi.NewSecret("s3cret\xff")}, nil)
	var argument *serviceapi.ArgumentError
	require.ErrorAs(t, err, &argument, "JSON has no such string")
	assert.NotContains(t, err.Error(), "s3cret")
}

// TestSecretsOfTypesThatRevealThemselves are hidden if the service echoes them,
// although no placeholder shows that there is one.
func TestSecretsOfTypesThatRevealThemselves(t *testing.T) {
	const text = "a-s3cret-of-some-length"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Contains(t, string(body), text)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(body)
	}))
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	body := revealsItself{"n", serviceapi.NewSecret(text)}
	for _, body := range []any{body, &body, []any{body}, map[string]any{"a": body}} {
		_, err = client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), body, nil)
		var e *serviceapi.Error
		require.ErrorAs(t, err, &e)
		assert.NotContains(t, err.Error()+string(e.Body), text)
	}
}

// TestEmptySecretsStayEmpty checks that a result stored as JSON has no secret where it had none.
func TestEmptySecretsStayEmpty(t *testing.T) {
	for _, secret := range []serviceapi.Secret{{}, serviceapi.NewSecret("")} {
		for _, value := range []any{secret, &secret, struct{ Token serviceapi.Secret }{secret},
			map[string]serviceapi.Secret{"a": secret}} {
			data, err := json.Marshal(value)
			require.NoError(t, err)
			assert.NotContains(t, string(data), "redacted")
			assert.Contains(t, string(data), `""`)
		}
		data, err := json.Marshal(secret)
		require.NoError(t, err)
		var read serviceapi.Secret
		require.NoError(t, json.Unmarshal(data, &read))
		assert.True(t, read.IsEmpty())
		assert.True(t, read.Equal(secret))
	}
	data, err := json.Marshal(serviceapi.NewSecret("s3cret"))
	require.NoError(t, err)
	assert.Equal(t, `"[redacted]"`, string(data))
}

// TestSecretFromText checks that a Secret can be a flag, which never shows its value.
func TestSecretFromText(t *testing.T) {
	var token serviceapi.Secret
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	var usage strings.Builder
	flags.SetOutput(&usage)
	flags.TextVar(&token, "token", serviceapi.NewSecret("default-token"), "a credential")
	require.NoError(t, flags.Parse([]string{"-token", "hush-hush"}))
	assert.Equal(t, "hush-hush", token.Reveal())
	flags.PrintDefaults()
	assert.NotContains(t, usage.String(), "default-token")
	require.NoError(t, flags.Parse([]string{"-token", ""}))
	assert.True(t, token.IsEmpty())
	assert.EqualError(t, json.Unmarshal([]byte("5"), &token), "serviceapi: a secret is not a string")
}
