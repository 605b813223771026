package redact

import (
	"net/url"
	"strings"
	"testing"

	"example.com/serviceapi/internal/text"
	"github.com/stretchr/testify/assert"
)

// TestSecretForms checks that a secret is searched as it was sent and as JSON
// and URLs encode it, and that a short string is not a secret.
func TestSecretForms(t *testing.T) {
	for secret, want := range map[string][]string{
		"":              nil,
		"1234567":       nil,
		"12345678":      {"12345678"},
		"token-abc_d.e": {"token-abc_d.e"},
		"pass word+1":   {"pass word+1", "pass+word%2B1", "pass%20word+1"},
		`quote"d-token`: {`quote"d-token`, `quote\"d-token`, "quote%22d-token"},
		"slash/slash":   {"slash/slash", "slash%2Fslash"},
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
		word := text.IsWordByte(byte(c)) || strings.IndexByte("-_.", byte(c)) >= 0
		assert.Equal(t, word, strings.IndexByte(plain, byte(c)) >= 0, "%q", rune(c))
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
