package redact

import (
	"strings"
	"testing"

	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
)

func hideURLs(s string) string {
	return HideURLs(s, func(scheme, host string) bool {
		return (scheme == "" || scheme == "https") &&
			host == "own.test"
	})
}

func TestURLs(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "no URL? a=b": "no URL? a=b", "/x?page=2": "/x?page=2",
		"https://own.test/x?page=2#y": "https://own.test/x?page=2#y",
		"https://own.test":            "https://own.test", "https://other.test": "https://other.test",
		"https://other.test/a%20b":              "https://other.test/a%20b",
		"https://other.test?a":                  "https://other.test?[redacted]",
		"https://other.test/x#a":                "https://other.test/x#[redacted]",
		"http://own.test/x?a":                   "http://own.test/x?[redacted]",
		"HTTPS://own.test/x?a":                  "HTTPS://own.test/x?a",
		"see //other.test/x?a b":                "see //other.test/x?[redacted] b",
		"//own.test/x?a":                        "//own.test/x?a",
		"https://own.test/a//b?page=2":          "https://own.test/a//b?page=2",
		"a//b?c":                                "a//b?c",
		"<https://other.test/x?a>; rel=next":    "<https://other.test/x?[redacted]>; rel=next",
		"'https://other.test/x?a' `y`":          "'https://other.test/x?[redacted]' `y`",
		`"https:\/\/other.test\/x?a\/b\u0026c"`: `"https:\/\/other.test\/x?[redacted]"`,
		`"\"https://other.test/x?a\" then"`:     `"\"https://other.test/x?[redacted]\" then"`,
		`"https://other.test/x?a\nb"`:           `"https://other.test/x?[redacted]\nb"`,
		`https:\u002F\u002Fother.test\u003fa=b`: `https:\u002F\u002Fother.test\u003f[redacted]`,
		`\u003dhttps://own.test/x?a`:            `\u003dhttps://own.test/x?a`,
		"to=https%3A%2F%2Fother.test%3Fa&b=c":   "to=https%3A%2F%2Fother.test%3F[redacted]&b=c",
		"%3Dhttps%3A%2F%2Fown.test%3Fa":         "%3Dhttps%3A%2F%2Fown.test%3Fa",
		"https://user:pass@own.test/x?a":        "https://[redacted]@own.test/x?a",
		"https://user:p@ss@other.test/x":        "https://[redacted]@other.test/x",
		"x?X-Amz-Signature=a&b=c":               "x?X-Amz-Signature=[redacted]&b=c",
		"x%3FX-Amz-Credential%3Da%26b%3Dc":      "x%3FX-Amz-Credential%3D[redacted]%26b%3Dc",
		`x\u003fsig\u003da\u0026b`:              `x\u003fsig\u003d[redacted]\u0026b`,
		"x?Signature=a%2Fb+c==&Policy=d":        "x?Signature=[redacted]&Policy=[redacted]",
		"private_token=a":                       "private_token=[redacted]",
		"…sig=a":                                "…sig=[redacted]",
		"x?sig=":                                "x?sig=",
		"x?design=a&page=2":                     "x?design=a&page=2",
		"https://other.test/x?a https://own.test/y?b https://other.test/z?c": "https://other.test/x?[redacted] " +
			"https://own.test/y?b https://other.test/z?[redacted]",
		"https://": "https://", "//": "//", "=": "=", "https://\xff?a": "https://\xff?[redacted]",
	} {
		assert.Equal(t, want, hideURLs(s), s)
	}
}

// TestLongTextIsHiddenInTime checks that no text makes the search slow.
func TestLongTextIsHiddenInTime(t *testing.T) {
	for _, piece := range []string{"//", "(//", "https://", "https://own.test/", "sig=a&", "=", "sig=",
		"https://other.test?", `\/\/`, "%2f%2f", "@"} {
		s := strings.Repeat(piece, 1<<20/len(piece))
		assert.NotEmpty(t, hideURLs(s), piece)
	}
}

func FuzzURLs(f *testing.F) {
	f.Add("https://other.test/x", "a=b")
	f.Add(`"https:\/\/other.test\/x`, `a\u0026b`)
	f.Fuzz(func(t *testing.T, before, query string) {
		const secret = "s3cr3t-s3cr3t"
		if strings.Contains(before, secret) || reach(query, nil) < len(query) {
			return
		}
		if hidden := hideURLs(before + " https://other.test/x?" + query + secret); strings.Contains(hidden, secret) {
			t.Fatalf("%q", hidden)
		}
	})
}

func TestStartsAreHidden(t *testing.T) {
	const secret = "abcabcab-token"
	var r Redactor
	r.Add(secret)
	for s, want := range map[string]string{
		"": "", "x": "x", "x abc": "x ", "x abcabcab-toke": "x ", "x " + secret: "x [redacted]", secret +
			" abca": "[redacted] ", "x ab c": "x ab c",
	} {
		assert.Equal(t, want, r.HideStart(s), s)
	}
	long := strings.Repeat("k3y", 500)
	r.Add(long)
	step := 1
	if racing.Enabled { // a byte takes ten times as long, and no goroutine is involved
		step = 7 // which also begins a cut at each of the three bytes
	}
	for n := 0; n < 2000; n += step {
		body := []byte(strings.Repeat("x", n) + strings.Repeat(long+" ", 30))
		assert.NotContains(t, r.Excerpt(body, 3000, false), "k3y", n)
	}
}
