package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/serviceapi/internal/text"
	"github.com/stretchr/testify/assert"
)

// each writes every byte, or every character, of a string in the same way.
func eachByte(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

func eachRune(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range s {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

func marshal(s string) string {
	data, _ := json.Marshal(s)
	return string(data[1 : len(data)-1])
}

func unquoted(quoted string) string { return quoted[1 : len(quoted)-1] }

func eachUnit(format string) func(string) string {
	return func(s string) string {
		quoted := strconv.QuoteToASCII(s)
		if utf8.ValidString(s) && !strings.Contains(quoted, `\U`) {
			return eachRune(format)(s)
		}
		return marshal(s)
	}
}

// escapers write a string as services and encoders do.
var escapers = map[string]func(string) string{
	"as it is":             func(s string) string { return s },
	"JSON":                 marshal,
	"JSON with slashes":    func(s string) string { return strings.ReplaceAll(marshal(s), "/", `\/`) },
	"JSON in capitals":     eachUnit(`\u%04X`),
	"JSON, all":            eachUnit(`\u%04x`),
	"Go":                   func(s string) string { return unquoted(strconv.Quote(s)) },
	"Go, ASCII":            func(s string) string { return unquoted(strconv.QuoteToASCII(s)) },
	"query":                url.QueryEscape,
	"query in small":       func(s string) string { return lowerCodes(url.QueryEscape(s)) },
	"path":                 url.PathEscape,
	"percent, all":         eachByte("%%%02X"),
	"percent, all small":   eachByte("%%%02x"),
	"HTML":                 html.EscapeString,
	"HTML, decimal":        eachRune("&#%d;"),
	"HTML, hexadecimal":    eachRune("&#x%X;"),
	"HTML, named":          namedEntities,
	"JavaScript":           eachByte(`\x%02x`),
	"pointer":              strings.NewReplacer("~", "~0", "/", "~1").Replace,
	"Latin-1":              func(s string) string { return asLatin1(s) },
	"no text":              func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") },
	"JSON without escapes": func(s string) string { return unescapedHTML(s) },
}

func lowerCodes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			b.WriteString(strings.ToLower(s[i : i+3]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func namedEntities(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", "/", "&sol;",
		"+", "&plus;", "=", "&equals;", "é", "&eacute;", "\u00a0", "&nbsp;").Replace(s)
}

func asLatin1(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

func unescapedHTML(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return unquoted(strings.TrimSpace(b.String()))
}

// encoders write a string in Base64, alone or with others.
var encoders = map[string]func(string) string{
	"Base64":          func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"Base64 for URLs": func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"without padding": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"after a user":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte("u:" + s)) },
	"after oauth2":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte("oauth2:" + s)) },
	"before more":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte("abc:" + s + ":x")) },
}

// randomSecret is one of any length and any characters.
func randomSecret(r *rand.Rand) string {
	alphabet := [][]rune{
		[]rune("abcdefghijABCDEFGHIJ0123456789"), []rune(` !"#$%&'()*+,-./:;<=>?@[\]^_{|}~` + "`aZ09"),
		[]rune("aé\u00a0ß€\u2028\U0001F600\t\n\x00\x7f%\\&"), nil,
	}[r.IntN(4)]
	var b strings.Builder
	for n := 10 + r.IntN(30); b.Len() < n; {
		if alphabet == nil {
			b.WriteByte(byte(r.IntN(256)))
		} else {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
	}
	return "k3" + b.String() + "y"
}

// TestSecretsAreHiddenInAnyForm writes secrets in every form, and in any two of them one after the
// other.
func TestSecretsAreHiddenInAnyForm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		secret := randomSecret(random)
		var r Redactor
		r.Add("another-secret", secret)
		check := func(form string, how ...string) {
			for _, around := range [][2]string{
				{"", ""}, {"is <", "> ok"}, {"a=", "&b"}, {`{"a":"`, `"}`}, {"x ", "\n"},
			} {
				text := around[0] + form + around[1]
				if got := r.Hide(text); got != around[0]+Placeholder+around[1] {
					t.Errorf("%q as %q, %v: %q becomes %q", secret, form, how, text, got)
					return
				}
			}
		}
		for name, escape := range escapers {
			once := escape(secret)
			check(once, name)
			for again, escape := range escapers {
				if again != "Latin-1" && (again != "pointer" || name != "pointer") {
					check(escape(once), name, again)
				}
			}
		}
		for name, encode := range encoders {
			core := strings.Trim(encode(secret), "=")
			for again, escape := range escapers {
				got := r.Hide(" " + escape(encode(secret)) + " ")
				assert.Contains(t, got, Placeholder, "%s, %s", name, again)
				assert.NotContains(t, got, core[len(core)/2:], "%s, %s", name, again)
			}
			for _, first := range []string{"JSON", "JSON without escapes", "JSON with slashes", "query",
				"query in small", "path", "HTML"} {
				form := encode(escapers[first](secret))
				core, got := strings.Trim(form, "="), r.Hide(" "+form+" ")
				assert.Contains(t, got, Placeholder, "%s, %s of %q", first, name, secret)
				assert.NotContains(t, got, core[len(core)/2:], "%s, %s of %q", first, name, secret)
			}
		}
	}
}

// TestSecretsInMixedForms writes every character of a secret in another way.
func TestSecretsInMixedForms(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	ways := []string{"as it is", "JSON", "JSON in capitals", "query",
		"percent, all", "HTML", "HTML, decimal", "pointer"}
	for range 300 {
		secret := randomSecret(random)
		if !utf8.ValidString(secret) {
			continue
		}
		var r Redactor
		r.Add(secret)
		var b strings.Builder
		for _, c := range secret {
			b.WriteString(escapers[ways[random.IntN(len(ways))]](string(c)))
		}
		assert.Equal(t, "a "+Placeholder+" b", r.Hide("a "+b.String()+" b"), "%q", secret)
	}
}

// TestBeginningsOfSecretsAreHidden cuts a text at every place of a secret in any form.
func TestBeginningsOfSecretsAreHidden(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		secret := randomSecret(random)
		var r Redactor
		r.Add(secret)
		for name, escape := range escapers {
			form := escape(secret)
			for n := range len(form) {
				got := r.HideStart("is " + form[:n])
				assert.Equal(t, "is ", got, "%q, %s: %q", secret, name, form[:n])
				assert.Equal(t, "is ", string(r.Uncut([]byte("is "+form[:n]))), "%q", secret)
			}
		}
		for name, encode := range encoders {
			form := strings.TrimRight(encode(secret), "=")
			for n := 16; n < len(form); n++ {
				assert.NotContains(t, r.HideStart("is "+form[:n]), form[12:16], "%q, %s", secret, name)
			}
		}
	}
}

// TestSecretsInURLs checks that a URL is secret, and so is what may make it so.
func TestSecretsInURLs(t *testing.T) {
	var r Redactor
	const whole = "https://ada:p%40ss-w0rd-1@store.test/bucket/a?X-Amz-Credential=AKIA%2F2026&short=1&" +
		"X-Amz-Signature=0123abcd45"
	r.Add(whole)
	for s, want := range map[string]string{
		whole:           "",
		"p%40ss-w0rd-1": "", "p@ss-w0rd-1": "", "0123abcd45": "", "AKIA/2026": "", "AKIA%2F2026": "",
		"store.test/bucket/a": "store.test/bucket/a",
	} {
		if want == "" {
			want = Placeholder
		}
		assert.Equal(t, want, r.Hide(s), s)
	}
	r.Add("https://[bad")
	assert.Equal(t, Placeholder, r.Hide("https://[bad"))
}

// TestShortSecrets checks that a secret of up to 15 characters that may be a word or a number is
// hidden only if it is a separate one, and that a shorter one than 8 characters is none.
func TestShortSecrets(t *testing.T) {
	const word, mixed, longWord = "password", "passw0rd", "passwordpassword"
	for _, tc := range []struct{ s, secret, want string }{
		{"", word, ""}, {"nothing", word, "nothing"}, {"password", word, "[redacted]"},
		{"the password is password", word, "the [redacted] is [redacted]"},
		{"passwords", word, "passwords"}, {"xpassword", word, "xpassword"},
		{"password1 password", word, "password1 [redacted]"},
		{"Apassword Zpassword 0password 9password passwordA passwordz", word,
			"Apassword Zpassword 0password 9password passwordA passwordz"},
		{"/password:password@password[password`password{password_password-", word,
			"/[redacted]:[redacted]@[redacted][[redacted]`[redacted]{[redacted]_[redacted]-"},
		{`a%2Fpassword a%252Fpassword a\npassword a\u0026password a\x26password a&lt;password`, word,
			`a%2F[redacted] a%252F[redacted] a\n[redacted] a\u0026[redacted] a\x26[redacted] a&lt;[redacted]`},
		{"50%password 12345678password", word, "50%[redacted] 12345678password"},
		{"id 123456789, 12345678", "12345678", "id 123456789, [redacted]"},
		{"xpassw0rdy", mixed, "x[redacted]y"}, {"x" + longWord + "y", longWord, "x[redacted]y"},
		{"1234567", "1234567", "1234567"}, {"\n password ", "\tpassword\n", "\n [redacted] "},
		{mixed + mixed, mixed, "[redacted][redacted]"}, {"tes%74", "test", "tes%74"},
	} {
		var r Redactor
		r.Add(tc.secret)
		assert.Equal(t, tc.want, r.Hide(tc.s), "%q of %q", tc.secret, tc.s)
		assert.Equal(t, tc.want, string(r.HideBytes([]byte(tc.s))))
	}
	var none Redactor
	assert.Equal(t, "x", none.Hide("x"))
	assert.Equal(t, "x", none.HideStart("x"))
}

// TestOverlappingSecrets checks that nothing is left of secrets which share a part.
func TestOverlappingSecrets(t *testing.T) {
	var r Redactor
	r.Add("abcd-efgh-1", "efgh-1-ijkl-mnop", "fgh-1-ij")
	assert.Equal(t, "x[redacted]y", r.Hide("xabcd-efgh-1-ijkl-mnopy"))
	assert.Equal(t, "x[redacted]", r.HideStart("xabcd-efgh-1-ijkl"))
	assert.Equal(t, "x[redacted]", r.Hide(string(r.Uncut([]byte("xabcd-efgh-1-ijkl")))))
}

// TestOddEscapes checks text that is no escape, or no valid one.
func TestOddEscapes(t *testing.T) {
	var r Redactor
	r.Add(`k3y-\u00zz-%zz-&amp-%4`)
	for _, s := range []string{
		`\`, `%`, `&`, `%4`, `%zz`, `\u`, `\u12`, `\u{`, `\u{}`, `\u{zz}`, `\u{1234567}`, `\ud83d`,
		`\ud83d\u`, `\ud83dx`,
		`\ud83d\n0041`,
		`\x`, `\x4`, `\q`, `\é`, `&;`, `&#;`, `&#x;`, `&#9999999999;`, `&nosuch;`, `&#xffffff;`, `&ngE;`,
		"&" + strings.Repeat("a", 50) + ";", `\U0001`, `\Uffffffff`, "\xff\\\xff",
	} {
		assert.Equal(t, s, r.Hide(s))
		assert.Equal(t, "x"+s+"y", r.Hide("x"+s+"y"))
		assert.LessOrEqual(t, len(r.HideStart(s)), len(s))
	}
	assert.Equal(t, Placeholder, r.Hide(`k3y-\u00zz-%zz-&amp-%4`))
	assert.Equal(t, Placeholder, r.Hide(`k3y-\\u00zz-%25zz-&amp;amp-%4`))
}

// TestHidingIsFast checks that long texts of any kind take time in proportion to their length.
func TestHidingIsFast(t *testing.T) {
	var r Redactor
	for n := range 20 {
		r.Add(fmt.Sprintf("secret-of-the-call-%d", n))
	}
	r.Add(strings.Repeat("\uFFFD", 20)+"x", strings.Repeat(`\`, 20)+"x", strings.Repeat("\xff", 20)+"x")
	for _, piece := range []string{
		"x", "secret-", `\`, "%25", "&amp;", "&", "\uFFFD", "é", `\ud83d`, "c2Vj", "%", `\u005c`,
	} {
		s := strings.Repeat(piece, 1<<13/len(piece))
		assert.NotEmpty(t, r.Hide(s+" "), piece)
		if piece == `\` {
			assert.Equal(t, Placeholder, r.Hide(s), "it is hidden as a whole if that takes too long")
		}
	}
}

// FuzzHide checks that no form of a secret is left in a text, and that printed strings have no
// control characters.
func FuzzHide(f *testing.F) {
	for _, seed := range [][2]string{{"token-S3cr3t-S3cr3t", "x y"}, {`quote"d/secret+of 20`, "a\nb"}, {"short", "sh"},
		{"exactly8", "an exactly8 exactly89"}, {"\u202e\u2028\x00\xff0123456789ab", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, secret, around string) {
		if len(secret) > 1<<10 || len(around) > 1<<10 {
			return
		}
		var r Redactor
		r.Add(secret)
		trimmed := strings.TrimSpace(secret)
		if (len(r.secrets) == 0) != (len(trimmed) < shortest) {
			t.Fatalf("%q has %d forms", secret, len(r.secrets))
		}
		whole := around + " " + secret + " " + url.QueryEscape(secret) + "/" + marshal(secret) + around
		hidden := r.Hide(whole)
		if len(trimmed) >= long && !strings.Contains(Placeholder, trimmed) &&
			strings.Contains(strings.ReplaceAll(hidden, Placeholder, "\x00"), trimmed) {
			t.Fatalf("%q is left in %q", secret, hidden)
		}
		if printed := r.Quote(whole, 100); printed != text.Printable(hidden, 100) || text.HasControl(printed) {
			t.Fatalf("%q", printed)
		}
		if cut := r.Excerpt([]byte(whole), 20, false); len(cut) > 20 || !strings.HasPrefix(hidden, cut) {
			t.Fatalf("%q", cut)
		}
	})
}
