package webhook

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	hookToken    = "a token of a hook"
	signingToken = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	newerSigning = "whsec_HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="
)

var someBody = []byte(`{"object_kind":"push","ref":"refs/heads/main"}`)

// request returns a request that the options accept, after changes.
func request(t testing.TB, opts []Option, changes ...func(*http.Request)) *http.Request {
	t.Helper()
	r, err := NewRequest("/hook", KindPush, someBody, opts...)
	require.NoError(t, err)
	for _, change := range changes {
		change(r)
	}
	return r
}

func set(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func add(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Add(name, value) }
}

func drop(name string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Del(name) }
}

func body(text string) func(*http.Request) {
	return func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), -1 }
}

func TestTokens(t *testing.T) {
	opts := []Option{Token(hookToken, "the next one")}
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   error
	}{
		"right":     {func(*http.Request) {}, nil},
		"the other": {set("X-Service-Token", "the next one"), nil},
		"missing":   {drop("X-Service-Token"), ErrTokenMissing},
		"empty":     {set("X-Service-Token", ""), ErrTokenMissing},
		"wrong":     {set("X-Service-Token", "a token of a hooK"), ErrTokenWrong},
		"longer":    {set("X-Service-Token", hookToken+" "), ErrTokenWrong},
		"beginning": {set("X-Service-Token", hookToken[:5]), ErrTokenWrong},
		"twice":     {add("X-Service-Token", hookToken), ErrTokenWrong},
		"other prefix": {func(r *http.Request) { drop("X-Service-Token")(r); set("X-Acme-Token", hookToken)(r) },
			ErrTokenMissing},
		"not POST":        {func(r *http.Request) { r.Method = http.MethodGet }, ErrMethod},
		"no event":        {drop("X-Service-Event"), ErrNoEventHeader},
		"empty event":     {set("X-Service-Event", ""), ErrNoEventHeader},
		"two events":      {add("X-Service-Event", "Tag Push Hook"), ErrAmbiguousHeaders},
		"two prefixes":    {set("X-Acme-Event", "Push Hook"), ErrAmbiguousHeaders},
		"form":            {set("Content-Type", "application/x-www-form-urlencoded"), ErrContentType},
		"no content type": {drop("Content-Type"), ErrContentType},
		"charset":         {set("Content-Type", "application/json; charset=utf-8"), nil},
		"empty body":      {body(""), ErrNotJSON},
		"array":           {body("[{}]"), ErrNotJSON},
		"text":            {body("push"), ErrNotJSON},
		"half":            {body(`{"object_kind":`), ErrNotJSON},
		"two objects":     {body(`{}{}`), ErrNotJSON},
		"names twice":     {body(`{"a":1,"a":2}`), ErrNotJSON},
		"deep": {body(`{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"),
			ErrNotJSON},
		"no body":     {func(r *http.Request) { r.Body = nil }, ErrNotJSON},
		"broken body": {func(r *http.Request) { r.Body = io.NopCloser(brokenReader{}) }, ErrBody},
	} {
		event, err := Parse(request(t, opts, c.change), opts...)
		if c.want != nil {
			assert.ErrorIs(t, err, c.want, name)
			assert.NotContains(t, err.Error(), hookToken, name)
			assert.Nil(t, event, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, "main", event.(*PushEvent).Branch(), name)
		assert.Equal(t, VerificationToken, event.Info().Verified, name)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestBodyIsNotReadWithoutToken checks that a stranger cannot make a program read.
func TestBodyIsNotReadWithoutToken(t *testing.T) {
	r := request(t, []Option{Token(hookToken)}, set("X-Service-Token", "guessed"))
	r.Body = io.NopCloser(unreadable{t})
	_, err := Parse(r, Token(hookToken))
	assert.ErrorIs(t, err, ErrTokenWrong)
}

type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

func TestVendorsPrefix(t *testing.T) {
	opts := []Option{Token(hookToken), HeaderPrefix("x-acme-")}
	r := request(t, opts)
	assert.Equal(t, "Push Hook", r.Header.Get("X-Acme-Event"))
	for _, parseOpts := range [][]Option{opts, {Token(hookToken)}} { // the prefix is found, too
		event, err := Parse(request(t, opts, set("X-Acme-Instance", "https://acme.test")), parseOpts...)
		require.NoError(t, err)
		info := event.Info()
		assert.Equal(t, "https://acme.test", info.Instance)
		assert.NotEmpty(t, info.EventUUID)
		assert.NotEmpty(t, info.WebhookUUID)
		assert.Equal(t, info.IdempotencyKey, info.ID())
	}
	_, err := Parse(request(t, []Option{Token(hookToken)}), opts...)
	assert.ErrorIs(t, err, ErrNoEventHeader, "another prefix than the one that is set")
	_, err = Parse(request(t, opts, set("X-Mine-Event", "x")), opts...)
	assert.NoError(t, err, "a custom header of the hook")
}

func TestSignatures(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	clock := Clock(func() time.Time { return now })
	opts := []Option{SigningToken(signingToken), clock}
	at := func(d time.Duration) []Option {
		return []Option{SigningToken(signingToken), Clock(func() time.Time { return now.Add(d) })}
	}
	forged := "v1," + strings.Repeat("A", 43) + "="
	prepend := func(more string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(headerSignature, more+r.Header.Get(headerSignature)) }
	}
	for name, c := range map[string]struct {
		sent   []Option
		change func(*http.Request)
		want   error
	}{
		"right":   {opts, func(*http.Request) {}, nil},
		"several": {opts, prepend("v2,abc v1a,xyz " + forged + " "), nil},
		"in two headers": {opts, func(r *http.Request) {
			r.Header[headerSignature] = append([]string{forged}, r.Header[headerSignature]...)
		}, nil},
		"almost too old":   {at(-5 * time.Minute), func(*http.Request) {}, nil},
		"too old":          {at(-5*time.Minute - time.Second), func(*http.Request) {}, ErrTimestampOld},
		"almost too early": {at(5 * time.Minute), func(*http.Request) {}, nil},
		"too early":        {at(5*time.Minute + time.Second), func(*http.Request) {}, ErrTimestampFuture},
		"other body":       {opts, body(`{"object_kind":"tag_push"}`), ErrSignatureWrong},
		"other id":         {opts, set(headerID, "another"), ErrSignatureWrong},
		"other time":       {opts, set(headerTimestamp, strconv.FormatInt(now.Unix()+1, 10)), ErrSignatureWrong},
		"forged":           {opts, set(headerSignature, forged), ErrSignatureWrong},
		"no version": {opts, func(r *http.Request) { set(headerSignature, r.Header.Get(headerSignature)[3:])(r) },
			ErrSignatureWrong},
		"other version": {opts,
			func(r *http.Request) { set(headerSignature, "v2"+r.Header.Get(headerSignature)[2:])(r) },
			ErrSignatureWrong},
		"no time":       {opts, drop(headerTimestamp), ErrSignatureMissing},
		"no id":         {opts, drop(headerID), ErrSignatureMissing},
		"no signature":  {opts, drop(headerSignature), ErrSignatureMissing},
		"odd time":      {opts, set(headerTimestamp, "+1700000000"), ErrSignatureWrong},
		"endless time":  {opts, set(headerTimestamp, "99999999999999999999"), ErrSignatureWrong},
		"two times":     {opts, add(headerTimestamp, "1"), ErrSignatureWrong},
		"other key":     {[]Option{SigningToken(newerSigning), clock}, func(*http.Request) {}, ErrSignatureWrong},
		"token instead": {[]Option{Token(signingToken), clock}, func(*http.Request) {}, ErrSignatureMissing},
	} {
		event, err := Parse(request(t, c.sent, c.change), opts...)
		assert.ErrorIs(t, err, c.want, name)
		if c.want == nil && assert.NotNil(t, event, name) {
			assert.Equal(t, VerificationSignature, event.Info().Verified, name)
			assert.Equal(t, event.Info().MessageID, event.Info().ID())
			assert.WithinDuration(t, now, event.Info().SentAt, 6*time.Minute)
		}
	}
	rotated := []Option{SigningToken(newerSigning, strings.TrimPrefix(signingToken, "whsec_")), clock}
	_, err := Parse(request(t, opts), rotated...)
	assert.NoError(t, err)
	_, err = Parse(request(t, at(-time.Hour)), append(opts, Tolerance(2*time.Hour))...)
	assert.NoError(t, err)
}

// TestKnownSignature checks a signature that another program computed.
func TestKnownSignature(t *testing.T) {
	// printf 'msg_1.1700000000.{}' | openssl dgst -sha256 -mac hmac -macopt hexkey:000102…1f -binary | base64
	signature, err := Sign(signingToken, Message{ID: "msg_1", SentAt: time.Unix(1_700_000_000, 0), Body: []byte("{}")})
	require.NoError(t, err)
	assert.Equal(t, "v1,fhksJF5ElKjlPoT/jtefCO5XjQPvhf7Dhf/8R1ad9yU=", signature)
	_, err = Sign("whsec_short", Message{})
	assert.Error(t, err)
}

// TestBothSecrets checks that a token never stands in for a signature that is wrong.
func TestBothSecrets(t *testing.T) {
	both := []Option{Token(hookToken), SigningToken(signingToken)}
	either := append(both, TokenSuffices())
	for name, c := range map[string]struct {
		opts   []Option
		change func(*http.Request)
		want   error
	}{
		"both":                {both, func(*http.Request) {}, nil},
		"only signature":      {both, drop("X-Service-Token"), nil},
		"only token":          {both, dropSignature, ErrSignatureMissing},
		"only token, allowed": {either, dropSignature, nil},
		"wrong token, allowed": {either, func(r *http.Request) { dropSignature(r); set("X-Service-Token", "x")(r) },
			ErrTokenWrong},
		"wrong signature":  {either, set(headerSignature, "v1,AAAA"), ErrSignatureWrong},
		"half a signature": {either, drop(headerSignature), ErrSignatureMissing},
	} {
		_, err := Parse(request(t, both, c.change), c.opts...)
		assert.ErrorIs(t, err, c.want, name)
	}
	_, err := Parse(request(t, both), Token(hookToken))
	assert.NoError(t, err, "a signature that nobody can check")
}

func dropSignature(r *http.Request) {
	for _, name := range []string{headerID, headerTimestamp, headerSignature} {
		r.Header.Del(name)
	}
}

func TestNewVerifierRefuses(t *testing.T) {
	for name, opts := range map[string][]Option{
		"no secret":        {},
		"empty token":      {Token("")},
		"one empty token":  {Token(hookToken, "")},
		"token of a file":  {Token(hookToken + "\n")},
		"blank before":     {Token(" " + hookToken)},
		"blank after":      {Token(hookToken + "\t")},
		"blanks":           {Token("  ")},
		"token in lines":   {Token("a\r\nb")},
		"control":          {Token("a\x00b")},
		"no tokens":        {Token()},
		"secret and none":  {Token(hookToken), AcceptUnverified()},
		"short key":        {SigningToken("whsec_AAAA")},
		"no base64":        {SigningToken("whsec_" + strings.Repeat("!", 44))},
		"key with a break": {SigningToken(signingToken[:20] + "\n" + signingToken[20:])},
		"empty key":        {SigningToken("")},
		"only one secret":  {Token(hookToken), TokenSuffices()},
		"limit":            {Token(hookToken), Limit(0)},
		"tolerance":        {Token(hookToken), Tolerance(-1)},
		"clock":            {Token(hookToken), Clock(nil)},
	} {
		v, err := NewVerifier(opts...)
		require.Error(t, err, name)
		assert.Nil(t, v, name)
		assert.NotContains(t, err.Error(), signingToken[6:16], name)
		_, err = Parse(request(t, []Option{Token(hookToken)}), opts...)
		assert.Error(t, err, name)
		_, err = NewRequest("/", KindPush, nil, opts...)
		assert.Error(t, err, name)
	}
	var zero Verifier
	_, err := zero.Parse(request(t, []Option{Token(hookToken)}))
	assert.Error(t, err)
	_, err = zero.ParseBody(nil, nil)
	assert.Error(t, err)
	_, err = NewRequest(":", KindPush, nil, Token(hookToken))
	assert.Error(t, err)
}

func TestAcceptUnverified(t *testing.T) {
	event, err := Parse(request(t, []Option{AcceptUnverified()}), AcceptUnverified())
	require.NoError(t, err)
	assert.Equal(t, VerificationNone, event.Info().Verified)
	assert.NotEmpty(t, event.Info().IdempotencyKey)
}

func TestLimit(t *testing.T) {
	opts := []Option{Token(hookToken), Limit(int64(len(someBody)))}
	_, err := Parse(request(t, opts), opts...)
	assert.NoError(t, err)
	_, err = Parse(request(t, opts, body(string(someBody)+" ")), opts...)
	assert.ErrorIs(t, err, ErrTooLarge, "of unknown length")
	_, err = Parse(request(t, opts,
		func(r *http.Request) { r.ContentLength = 1 << 40; r.Body = io.NopCloser(unreadable{t}) }), opts...)
	assert.ErrorIs(t, err, ErrTooLarge, "of a declared length")
}

// TestParseBody checks the way for servers without net/http.
func TestParseBody(t *testing.T) {
	opts := []Option{SigningToken(signingToken), Limit(100)}
	v, err := NewVerifier(opts...)
	require.NoError(t, err)
	r := request(t, opts)
	event, err := v.ParseBody(r.Header, someBody)
	require.NoError(t, err)
	assert.IsType(t, &PushEvent{}, event)
	_, err = v.ParseBody(r.Header, []byte(strings.Repeat(" ", 101)))
	assert.ErrorIs(t, err, ErrTooLarge)
	_, err = v.ParseBody(http.Header{}, someBody)
	assert.ErrorIs(t, err, ErrContentType)
}

func TestVerifierPrintsNoSecret(t *testing.T) {
	v, err := NewVerifier(Token(hookToken), SigningToken(signingToken))
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, value := range []any{v, *v, struct{ V *Verifier }{v}, struct{ v Verifier }{*v}} {
			text := fmt.Sprintf(verb, value)
			assert.NotContains(t, text, hookToken)
			assert.NotContains(t, text, "0x1e, 0x1f") // an address may have one of them
			assert.NotContains(t, text, "30 31")
		}
	}
	assert.Equal(t, "webhook.Verifier with 1 tokens and 1 signing tokens", v.String())
	assert.Equal(t, "webhook.Verifier without secrets", new(Verifier).String())
}

func TestStatusCode(t *testing.T) {
	assert.Equal(t, 200, StatusCode(nil))
	assert.Equal(t, 500, StatusCode(io.EOF))
	assert.Equal(t, 401, StatusCode(fmt.Errorf("hook: %w", ErrTokenWrong)))
	assert.Equal(t, 413, StatusCode(ErrTooLarge))
}

// TestNewRequest checks that a request can be served and sent.
func TestNewRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := Parse(r, Token(hookToken))
		w.WriteHeader(StatusCode(err))
	}))
	defer server.Close()
	r, err := NewRequest(server.URL, KindPush, someBody, Token(hookToken))
	require.NoError(t, err)
	resp, err := server.Client().Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, 200, resp.StatusCode)
}
