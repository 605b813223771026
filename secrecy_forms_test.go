package serviceapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// responseTo returns the response to a call that sent a secret.
func responseTo(t *testing.T, secret string, sent any) *outcome {
	t.Helper()
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	cl, err := newCall(t.Context(), client, http.MethodPost, Route("/things"), nil, nil)
	require.NoError(t, err)
	cl.secrets = secretsIn(nil, reflect.ValueOf(sent), 0)
	resp := &http.Response{Header: http.Header{}, Request: &http.Request{URL: cl.url()}}
	return &outcome{call: cl, auth: authorization{secret: secret}, resp: resp}
}

// TestSecretsInBodies checks that secrets, and nothing else, are found
// everywhere in a body.
func TestSecretsInBodies(t *testing.T) {
	s := func(n int) Secret { return NewSecret(fmt.Sprint("secret-", n)) }
	type inner struct {
		Text  string
		Token Secret
	}
	type outer struct {
		Plain    Secret
		Pointer  *Secret
		Nullable Nullable[Secret]
		Struct   inner
		Slice    []inner
		Array    [1]Secret
		Map      map[string]Secret
		Any      any
		hidden   inner
		Nil      *inner
		NilAny   any
		NilMap   map[string]Secret
		Number   int
	}
	value := outer{
		Plain: s(1), Pointer: new(s(2)), Nullable: Value(s(3)), Struct: inner{"not-a-secret", s(4)},
		Slice: []inner{{Token: s(5)}, {Token: s(6)}},
		Array: [1]Secret{s(7)}, Map: map[string]Secret{"a": s(8)}, Any: &inner{Token: s(9)},
		hidden: inner{Token: s(10)},
	}
	var want []string
	for n := range 9 {
		want = append(want, fmt.Sprint("secret-", n+1))
	}
	assert.Equal(t, want, withoutEmpty(secretsIn(nil, reflect.ValueOf(value), 0)))
	assert.Equal(t, want, withoutEmpty(secretsIn(nil, reflect.ValueOf(&value), 0)))
	assert.Equal(t, append([]string{"before"}, want...),
		withoutEmpty(secretsIn([]string{"before"}, reflect.ValueOf(value), 0)))
	upload := struct {
		Token   Secret
		Content io.Reader
		After   Secret
	}{s(1), strings.NewReader("x"), s(2)}
	assert.Equal(t, []string{"secret-1", "secret-2"}, secretsIn(nil, reflect.ValueOf(upload), 0),
		"beside a content that is not looked into")
	assert.Empty(t, secretsIn(nil, reflect.ValueOf(nil), 0))
	assert.Empty(t, secretsIn(nil, reflect.ValueOf(map[string]any{"a": 1, "b": "text"}), 0))
	assert.Empty(t, withoutEmpty(secretsIn(nil, reflect.ValueOf(Null[Secret]()), 0)))
}

func withoutEmpty(texts []string) (rest []string) {
	for _, text := range texts {
		if text != "" {
			rest = append(rest, text)
		}
	}
	return rest
}

// TestSecretsInDeepBodies checks that the search has a maximum depth, so that
// it ends for a value that contains itself.
func TestSecretsInDeepBodies(t *testing.T) {
	steps := map[string]func(any) any{
		"pointer": func(v any) any { return &v }, // a pointer and the interface behind it
		"slice":   func(v any) any { return []any{v} },
		"array":   func(v any) any { return [1]any{v} },
		"map":     func(v any) any { return map[string]any{"a": v} },
		"struct":  func(v any) any { return struct{ V any }{v} },
		"null":    func(v any) any { return []any{Value(v)} },
	}
	for name, step := range steps {
		depth := func(n int) any {
			var v any = NewSecret("secret")
			for range n {
				v = step(v)
			}
			return v
		}
		found := 0
		for n := range 20 {
			secrets := secretsIn(nil, reflect.ValueOf(depth(n)), 0)
			if len(secrets) == 1 {
				assert.Equal(t, found, n, "%s: none is missed before the last", name)
				found++
			}
		}
		assert.Equal(t, maxSecretDepth/2+1, found, name)
	}
	type loop struct{ Next *loop }
	l := new(loop)
	l.Next = l
	assert.Empty(t, secretsIn(nil, reflect.ValueOf(l), 0))
	type both struct {
		Before Secret
		Loop   *loop
	}
	assert.Equal(t, []string{"before"}, secretsIn(nil, reflect.ValueOf(both{NewSecret("before"), l}), 0),
		"what was found on the way stays")
	var deepest any = NewSecret("a secret at the bottom")
	for range maxSecretDepth / 2 {
		deepest = []any{deepest}
	}
	assert.Equal(t, redacted, responseTo(t, "", deepest).redaction().Hide("a secret at the bottom"))
	assert.Equal(t, 16, maxSecretDepth)
}

// TestHide checks that all secrets of a call are hidden, in each of their
// forms.
func TestHide(t *testing.T) {
	type body struct{ A, B Secret }
	a := responseTo(t, "token/1234567890", &body{NewSecret("first secret"), NewSecret("tiny")})
	assert.Empty(t, a.redaction().Hide(""))
	assert.Equal(t, "a [redacted] b [redacted] c [redacted] d [redacted] tiny",
		a.redaction().Hide("a token/1234567890 b token%2F1234567890 c first secret d first+secret tiny"))
	assert.Equal(t, `[redacted]\n!`, a.redaction().Quote("token/1234567890\n!", 100))
	assert.Equal(t, "[redac…", a.redaction().Quote("token/1234567890", 6), "hidden, then cut")

	quoted := errors.New("it says first secret")
	hidden := a.redaction().HideErr(quoted)
	assert.EqualError(t, hidden, "it says [redacted]")
	assert.ErrorIs(t, hidden, quoted)
	assert.NotErrorIs(t, hidden, io.EOF)
	assert.Same(t, io.EOF, a.redaction().HideErr(io.EOF), "an error without a secret is left as it is")
}

// TestExcerptsHoldNoPartOfASecret checks secrets at every position near the
// cut.
func TestExcerptsHoldNoPartOfASecret(t *testing.T) {
	secret := strings.Repeat("s3cr3t-/", 3)
	a := responseTo(t, secret, nil)
	for before := maxExcerpt - 2*len(secret); before <= maxExcerpt+1; before++ {
		text := a.redaction().Excerpt([]byte(strings.Repeat("x", before)+" "+secret+" more"), maxExcerpt, false)
		assert.NotContains(t, text, "s3cr3t", before)
		assert.LessOrEqual(t, len(text), 512)
	}
	assert.Len(t, a.redaction().Excerpt([]byte(strings.Repeat("x", 2000)), maxExcerpt, false), 512)
	assert.Equal(t, "short", a.redaction().Excerpt([]byte("short"), maxExcerpt, false))
	long := strings.Repeat("k", 16<<10)
	a = responseTo(t, long, nil)
	assert.NotContains(t, a.redaction().Excerpt([]byte(strings.Repeat(".", 511)+long), maxExcerpt, false), "k",
		"as long as a header may be")
}

// TestErrorsAreRedacted checks every field of an Error that the service wrote.
func TestErrorsAreRedacted(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	a := responseTo(t, secret, nil)
	e := a.responseError([]byte(`{"a":"`+secret+`","b":"`+secret+`"}`), errbody.Body{
		Message: "m " + secret, Reason: "r " + secret, Description: "d " + secret, Code: "c " + secret, Scope: "s " +
			secret,
		Fields: map[string][]string{"f": {secret, "plain"}, "name " + secret: {"x " + secret}},
	}, "")
	assert.Equal(t, &Error{
		Message: "m [redacted]", Reason: "r [redacted]", Description: "d [redacted]", Code: "c [redacted]",
		Scope:  "s [redacted]",
		Body:   []byte(`{"a":"[redacted]","b":"[redacted]"}`),
		Fields: map[string][]string{"f": {"[redacted]", "plain"}, "name [redacted]": {"x [redacted]"}},
	}, &Error{
		Message: e.Message, Reason: e.Reason, Description: e.Description, Code: e.Code, Scope: e.Scope, Body: e.Body,
		Fields: e.Fields,
	})
	redirect := &RedirectError{CallInfo: CallInfo{URL: "https://a.test/" + secret}, Location: "https://b.test/" +
		secret}
	a.redactRedirect(redirect)
	assert.Equal(t, &RedirectError{CallInfo: CallInfo{URL: "https://a.test/[redacted]"},
		Location: "https://b.test/[redacted]"}, redirect)
}

// TestHeadersAreRedacted checks that cookies never reach the caller, that the header
// of an error holds no echoed secret, and that a Response does not print its
// header.
func TestHeadersAreRedacted(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	echo := []string{"Set-Cookie", "session=x", "X-Echo", "you sent " + secret + ", twice " + secret, "X-Plain", "y"}
	for _, code := range []int{200, 403} {
		client, _ := scriptedClient(t, RetryPolicy{}, status(code, `{"id":8}`, echo...))
		_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8, WithCredential(PrivateToken(secret)))
		assert.NotContains(t, resp.Header, "Set-Cookie")
		assert.Equal(t, "y", resp.Header.Get("X-Plain"))
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s", resp, resp, resp, resp.LogValue()), secret)
		assert.Equal(t, fmt.Sprintf("status %d (attempt 1)", code), fmt.Sprint(resp))
		if code == 403 {
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "you sent [redacted], twice [redacted]", e.Header("X-Echo"))
			assert.Equal(t, e.Header("X-Echo"), resp.Header.Get("X-Echo"))
		}
	}
	assert.Equal(t, "no response", fmt.Sprint((*Response)(nil)))
}

// TestExcerptOfSecretResponses checks that the excerpt is empty only if the
// response contains a secret.
func TestExcerptOfSecretResponses(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, `{"token":["glrt-very-secret"`))
	_, _, err := client.Runners.Register(t.Context(), RegisterRunnerOptions{Token: NewSecret("registration-token")})
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Empty(t, decode.Excerpt)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, *decode), "glrt")
	_, err = getJob(t.Context(), client)
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, `{"token":["glrt-very-secret"`, decode.Excerpt)
	_, _, err = client.Jobs.List(t.Context(), ProjectID(1), nil)
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, `{"token":["glrt-very-secret"`, decode.Excerpt)
}

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

// TestSecretsInPointersAreHidden checks that a secret does not get into an error as the name of a
// member, in which a pointer escapes two characters.
func TestSecretsInPointersAreHidden(t *testing.T) {
	for _, secret := range []string{testSecret, "s3cr3t/~token+1", `s3cr3t"token/1`} {
		body, err := json.Marshal(map[string]any{secret: "no number"})
		require.NoError(t, err)
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, string(body)))
		_, _, err = client.Projects.GetLanguages(t.Context(), ProjectID(4), WithCredential(PrivateToken(secret)))
		var wrong *DecodeError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "/[redacted]", wrong.Pointer)
	}
}

// TestSecretsOfABody checks that the secrets of a value are known however deep they are, and
// although it could not be encoded: the error may quote it.
func TestSecretsOfABody(t *testing.T) {
	v := reflect.ValueOf(NewSecret(testSecret))
	for range maxSecretDepth {
		list := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
		list.Index(0).Set(v)
		v = list
	}
	data, secrets, err := encodeJSON(v.Interface(), false)
	require.NoError(t, err)
	assert.Contains(t, string(data), testSecret)
	assert.Equal(t, []string{testSecret}, secrets)
	_, secrets, err = encodeJSON(struct {
		Password Secret
		Bad      chan int
	}{Password: NewSecret(testSecret)}, false)
	require.Error(t, err)
	assert.Equal(t, []string{testSecret}, secrets)
}

// TestSecretAsAnEncoding checks that a secret is hidden before it is quoted, which may change how
// it looks.
func TestSecretAsAnEncoding(t *testing.T) {
	const secret = "s3cr3t-\u202e-token-of-the-call"
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "x", "Content-Encoding", secret))
	_, err := getJob(t.Context(), client, WithCredential(PrivateToken(secret)))
	assert.ErrorContains(t, err, `content encoding "[redacted]" was not requested`)
}
