package serviceapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/internal/header"
)

// TestSecretsOfBodiesAreHidden lets a service quote what it was sent.
func TestSecretsOfBodiesAreHidden(t *testing.T) {
	const password = `pass/"word" of ada`
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseMultipartForm(1 << 20)
		io.Copy(io.Discard, r.Body)
		w.Header().Set(header.RequestID, url.QueryEscape(password))
		w.WriteHeader(400)
		fmt.Fprintf(w, `{"message":{"password":[%q]},"error":%q}`, password+" is weak", password)
	})
	secret := NewSecret(password)
	type wrapped struct {
		Inner  *Secret            `json:"inner"`
		Maybe  Nullable[Secret]   `json:"maybe"`
		Map    map[string]*Secret `json:"map"`
		Any    any                `json:"any"`
		hidden *wrapped
	}
	type base struct {
		Token Secret `json:"token"`
	}
	type embedding struct{ base }
	type pointing struct{ *base }
	loop := &wrapped{}
	loop.hidden = loop
	for name, body := range map[string]any{
		"field":    secretThing{"a", secret},
		"pointer":  &wrapped{Inner: &secret},
		"nullable": wrapped{Maybe: Value(secret)},
		"map":      wrapped{Map: map[string]*Secret{"a": nil, "b": &secret}},
		"any":      wrapped{Any: []any{1, "x", secret}},
		"list":     []Secret{secret},
		"embedded": embedding{base{secret}},
		"pointed":  pointing{&base{secret}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), body, nil)
			require.Error(t, err)
			assertHidden(t, password, new(bytes.Buffer), err)
			assert.Contains(t, err.Error(), redacted)
		})
	}
	_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), loop, nil)
	require.Error(t, err, "a value that contains itself ends the search")

	_, _, err = client.SecureFiles.Create(t.Context(), ProjectID(1),
		CreateSecureFileOptions{Name: "a", File: Upload{Filename: "a", Content: strings.NewReader(password)}})
	require.Error(t, err)
}

// TestDecodedPasswordsAreHidden checks that a password is hidden even if the
// service decodes it from the credential.
func TestDecodedPasswordsAreHidden(t *testing.T) {
	const password = "the-password-of-root"
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, sent, _ := r.BasicAuth()
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"message":"%s is wrong"}`, sent)
	}))
	defer service.Close()
	catalog, err := NewRegistryCatalog(RegistryCatalogConfig{
		BaseURL: service.URL, RegistryURL: service.URL, Username: "root", Password: NewSecret(password),
	})
	require.NoError(t, err)
	_, _, err = catalog.List(t.Context(), nil)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "[redacted] is wrong")
	assertHidden(t, password, new(bytes.Buffer), err)
}

// TestSecretOfBodyFieldIsHidden has secrets in a member that the library does
// not know.
func TestSecretOfBodyFieldIsHidden(t *testing.T) {
	const token = "a-token-of-a-body-field"
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Echo", token)
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"message":"%s is taken"}`, token)
	})
	for _, value := range []any{NewSecret(token), map[string]any{"nested": []Secret{NewSecret(token)}}} {
		options := CreateDeployKeyOptions{Title: "a", Key: "b"}
		_, resp, err := client.DeployKeys.Create(t.Context(), ProjectID(1), options, WithBodyField("extra", value))
		require.ErrorIs(t, err, ErrBadRequest)
		assert.NotContains(t, err.Error(), token)
		assert.Equal(t, redacted, resp.Header.Get("X-Echo"))
	}
}

type (
	withoutSecret struct {
		Name string
		At   *time.Time
		Next *withoutSecret
	}
	withSecretField struct{ Inner []map[string]Nullable[Secret] }
)

// TestSecretResponsesAreKnownByTheirType checks that no method has to say that
// its response may hold a secret, nor a caller of [Get].
func TestSecretResponsesAreKnownByTheirType(t *testing.T) {
	var types typeFacts
	for _, holder := range []any{
		AccessToken{}, []*Variable{}, &Project{}, map[string]Group{}, struct{ Token *AccessToken }{}, withSecretField{},
		Secret{},
	} {
		assert.True(t, types.mayHoldSecret(reflect.TypeOf(holder)), "%T", holder)
	}
	for _, plain := range []any{Job{}, []*MergeRequest{}, &User{}, map[string]string{}, withoutSecret{}} {
		assert.False(t, types.mayHoldSecret(reflect.TypeOf(plain)), "%T", plain)
	}
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, `{"id":1,"token":["glpat-very-secret"]`))
	var dump strings.Builder
	_, _, err := Get[AccessToken](t.Context(), client, Route("/things"), WithDump(&dump, DumpOptions{Bodies: true}))
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Empty(t, decode.Excerpt)
	assert.NotContains(t, dump.String(), "glpat")
	_, _, err = List[struct{ Token Secret }](t.Context(), client, Route("/things"), nil,
		WithDump(&dump, DumpOptions{Bodies: true}))
	require.ErrorAs(t, err, &decode)
	assert.Empty(t, decode.Excerpt)
	assert.NotContains(t, dump.String(), "glpat")
}
