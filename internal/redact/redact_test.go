package redact

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/internal/text"
)

// TestSecretForms checks that a secret is searched as it was sent and as JSON,
// JSON pointers and URLs encode it, and that a short string is not a secret.
func TestSecretForms(t *testing.T) {
	for secret, want := range map[string][]string{
		"":              nil,
		"1234567":       nil,
		"12345678":      {"12345678"},
		"token-abc_d.e": {"token-abc_d.e"},
		"pass word+1":   {"pass word+1", "pass+word%2B1", "pass%20word+1"},
		`quote"d-token`: {`quote"d-token`, `quote\"d-token`, "quote%22d-token"},
		"slash/slash":   {"slash/slash", "slash~1slash", "slash%2Fslash"},
		"wave~wave/":    {"wave~wave/", "wave~0wave~1", "wave~wave%2F"},
		"<tag>token":    {"<tag>token", "%3Ctag%3Etoken"},
	} {
		assert.Equal(t, want, formsOf(secret), "%q", secret)
	}
	var r Redactor
	r.Add("12345678", "1234567", "87654321")
	assert.Equal(t, []string{"12345678", "87654321"}, r.forms)
}

// TestHideSecret checks that a long secret is hidden everywhere, and one of up
// to 15 characters only if it is a separate word.
func TestHideSecret(t *testing.T) {
	const short, long = "password", "0123456789abcdef"
	for _, tc := range []struct{ s, secret, want string }{
		{"", short, ""},
		{"nothing", short, "nothing"},
		{"password", short, "[redacted]"},
		{"the password is password", short, "the [redacted] is [redacted]"},
		{"passwords", short, "passwords"},
		{"xpassword", short, "xpassword"},
		{"password1 password", short, "password1 [redacted]"},
		{"Apassword Zpassword apassword zpassword 0password 9password", short,
			"Apassword Zpassword apassword zpassword 0password 9password"},
		{"passwordA passwordZ passworda passwordz password0 password9", short,
			"passwordA passwordZ passworda passwordz password0 password9"},
		{"/password:password@password[password`password{password_password-", short,
			"/[redacted]:[redacted]@[redacted][[redacted]`[redacted]{[redacted]_[redacted]-"},
		{"\"password\"", short, "\"[redacted]\""},
		{"x" + long + "y" + long, long, "x[redacted]y[redacted]"},
		{"x" + long[:15] + "y " + long[:15], long[:15], "x" + long[:15] + "y [redacted]"},
	} {
		assert.Equal(t, tc.want, hide(tc.s, tc.secret), "%q of %q", tc.secret, tc.s)
	}
}

// formsOf returns in what forms a secret is looked for.
func formsOf(secret string) []string {
	var r Redactor
	r.Add(secret)
	return r.forms
}

func TestJSONForm(t *testing.T) {
	assert.Equal(t, `a\"b\\c\n`, jsonForm("a\"b\\c\n"))
	assert.Equal(t, "plain", jsonForm("plain"))
	assert.Empty(t, jsonForm(""))
	for c := range 256 {
		s := string([]byte{'a', byte(c), 'b'})
		escaped := jsonForm(s) != s || url.QueryEscape(s) != s || url.PathEscape(s) != s
		escaped = escaped || c == '~' // in a JSON pointer
		assert.Equal(t, !escaped, isPlain(s), "%q", s)
	}
}

// FuzzHide checks that no form of a long secret is left in a string, and that
// printed strings have no control characters.
func FuzzHide(f *testing.F) {
	for _, seed := range [][2]string{{"token-S3cr3t-S3cr3t", "x y"}, {`quote"d/secret+of 20`, "a\nb"}, {"short", "sh"},
		{"exactly8", "an exactly8 exactly89"}, {"\u202e\u2028\x00\xff0123456789ab", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, secret, around string) {
		if len(secret) > 1<<12 || len(around) > 1<<12 {
			return
		}
		forms := formsOf(secret)
		if (len(forms) == 0) != (len(secret) < shortest) {
			t.Fatalf("%q has %d forms", secret, len(forms))
		}
		whole := around + " " + secret + " " + url.QueryEscape(secret) + "/" + jsonForm(secret) + around
		hidden := whole
		for _, form := range forms {
			hidden = hide(hidden, form)
		}
		if len(secret) >= long && !strings.Contains(Placeholder, secret) &&
			strings.Contains(strings.ReplaceAll(hidden, Placeholder, "\x00"), secret) {
			t.Fatalf("%q is left in %q", secret, hidden)
		}
		var r Redactor
		r.Add(secret)
		if printed := r.Quote(whole, 100); printed != text.Printable(hidden, 100) || text.HasControl(printed) {
			t.Fatalf("%q", printed)
		}
		if cut := r.Excerpt([]byte(whole), 20); len(cut) > 20 || !strings.HasPrefix(hidden, cut) {
			t.Fatalf("%q", cut)
		}
	})
}

func TestParams(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "page=2": "page=2", "b=1&a=2": "b=1&a=2", "private_token=x": "", "b=1&private_token=x&a=2": "b=1&a=2",
		"sudo=root&page=2": "page=2", "access_token=x&job_token=y&page=3": "page=3", "Sudo=x": "",
		"PRIVATE_TOKEN=x&p=1": "p=1",
		"Private-Token=x":     "", "sudo[]=x": "", "[sudo]=x": "", "[][sudo=x": "", "%73UDO=x": "", "+sudo=x": "",
		"sudo%20=x": "", "sudo%00a=x": "", "sudo": "",
		"pseudo=x&sudoer=y&my_private_token=z": "pseudo=x&sudoer=y&my_private_token=z", "sudo=%zz&a=%zz": "a=%zz",
		"a=1;sudo=2": "a=1%3Bsudo=2",
		"%zz=1":      "%zz=1", "=sudo": "=sudo", "&&": "&&",
	} {
		assert.Equal(t, want, WithoutParams(raw), raw)
	}
}

// TestWithoutURL checks that the address goes, however often it was quoted.
func TestWithoutURL(t *testing.T) {
	quoted := fmt.Errorf("again: %w", &url.Error{Op: "Get", URL: "https://service.test?a=b", Err: io.EOF})
	assert.Equal(t, io.EOF, WithoutURL(quoted))
	assert.Equal(t, io.EOF, WithoutURL(&url.Error{Err: quoted}))
	assert.Equal(t, io.EOF, WithoutURL(io.EOF))
	assert.NoError(t, WithoutURL(nil))
}

func TestWithoutQuery(t *testing.T) {
	u, err := url.Parse("https://user:password@service.test:8443/a%2Fb?token=c#d")
	require.NoError(t, err)
	assert.Equal(t, "https://service.test:8443/a%2Fb", WithoutQuery(u))
	assert.Empty(t, WithoutQuery(nil))
}
