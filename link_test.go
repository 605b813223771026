package serviceapi

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinkForms checks what RFC 8288 allows, and what it does not allow.
func TestLinkForms(t *testing.T) {
	one := func(target string, rels ...string) []link { return []link{{target, rels}} }
	for _, tc := range []struct {
		lines []string
		want  []link
	}{
		{nil, nil}, {[]string{""}, nil}, {[]string{" , \t,"}, nil},
		{[]string{"<a>"}, one("a")}, {[]string{"<>"}, one("")}, {[]string{"< a >"}, one("a")}, {[]string{" <a> "}, one("a")}, {[]string{",<a>,"}, one("a")},
		{[]string{"<a>;rel=next"}, one("a", "next")}, {[]string{`<a>;rel="next"`}, one("a", "next")}, {[]string{"<a>\t; \trel \t= \tnext\t"}, one("a", "next")},
		{[]string{`<a>;REL="first  next"`}, one("a", "first", "next")}, {[]string{"<a>;rel=x;rel=y"}, one("a", "x")}, {[]string{`<a>;rel=x;rel="y"`}, one("a", "x")},
		{[]string{"<a>;rel"}, one("a")}, {[]string{"<a>;rel="}, one("a")}, {[]string{"<a>;"}, one("a")}, {[]string{"<a>;;rel=x"}, one("a", "x")},
		{[]string{"<a>;crossorigin;rel=x"}, one("a", "x")}, {[]string{"<a>;title*=UTF-8''x%20y;rel=x"}, one("a", "x")},
		{[]string{`<a>;title="x, y; z=\"q\" \\ <b>";rel=x`}, one("a", "x")}, {[]string{`<a>;rel="\n\e\x\t"`}, one("a", "next")},
		{[]string{"<a,b;c=d>;rel=x"}, one("a,b;c=d", "x")},
		{[]string{"<a>;rel=x,<b>;rel=y"}, []link{{"a", []string{"x"}}, {"b", []string{"y"}}}},
		{[]string{"<a>,<b>"}, []link{{"a", nil}, {"b", nil}}},
		{[]string{"<a>;rel=x", "<b>;rel=y"}, []link{{"a", []string{"x"}}, {"b", []string{"y"}}}},
		{[]string{"<a>;rel=x , , <b>"}, []link{{"a", []string{"x"}}, {"b", nil}}},
	} {
		links, err := parseLinks(tc.lines)
		require.NoError(t, err, "%q", tc.lines)
		require.Len(t, links, len(tc.want), "%q", tc.lines)
		for i, want := range tc.want {
			assert.Equal(t, want.target, links[i].target, "%q", tc.lines)
			assert.ElementsMatch(t, want.rels, links[i].rels, "%q", tc.lines)
		}
	}
	for _, line := range []string{"a", "<a", "<a>b", "<a> <b>", "a,<b>", "<a>rel=x", `<a>;rel="x`, `<a>;rel="x\`, `<a>;rel="x\"`, `<a>;rel="`, `<a>;rel=",`, `<a>;rel=";x`, `<a>;rel="\`, `<a>;rel="x"y`, "<a>;rel=x y", "<a>;rel=x,b", ">", ";rel=x"} {
		links, err := parseLinks([]string{"<ok>", line})
		assert.Equal(t, errBadLink, err, "%q", line)
		assert.Nil(t, links)
	}
	assert.EqualError(t, errBadLink, "the Link header is malformed")
}

func TestNextLinks(t *testing.T) {
	for _, tc := range []struct {
		line, target string
		found        bool
		problem      string
	}{
		{"<a>;rel=prev", "", false, ""}, {"<a>;rel=next", "a", true, ""}, {"<a>;rel=prev,<b>;rel=NEXT", "b", true, ""}, {`<a>;rel="last next"`, "a", true, ""},
		{"<>;rel=next", "", true, ""}, {"<a>;rel=next,<a>;rel=next", "a", true, ""}, {`<a>;rel="next next"`, "a", true, ""},
		{"<a>;rel=next,<b>;rel=next", "", false, "the Link header has two next pages"}, {"<>;rel=next,<b>;rel=next", "", false, "the Link header has two next pages"},
		{"<a>;rel=nextpage", "", false, ""}, {"a", "", false, "the Link header is malformed"},
	} {
		target, found, err := nextLink([]string{tc.line})
		assert.Equal(t, tc.target, target, tc.line)
		assert.Equal(t, tc.found, found, tc.line)
		if tc.problem == "" {
			assert.NoError(t, err, tc.line)
		} else {
			assert.EqualError(t, err, tc.problem, tc.line)
		}
	}
}

// TestLinksAreReadAsTheyWereWritten checks links with any parameters, quoted or
// not, and any white space.
func TestLinksAreReadAsTheyWereWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 17))
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	space := func() string { return strings.Repeat(pick(" ", "\t"), random.IntN(3)) }
	quoted := func(text string) string {
		var b strings.Builder
		for _, c := range []byte(text) {
			if c == '"' || c == '\\' || random.IntN(5) == 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		return `"` + b.String() + `"`
	}
	noise := func() string {
		value := pick("", "x", "text/html", "a,b", `say "so"`, `back\slash`, "semi;colon", "<angle>", "a=b", " ")
		if isPlain(value) && random.IntN(2) == 0 {
			return space() + ";" + space() + pick("title", "type", "hreflang", "anchor") + space() + "=" + space() + value
		}
		return space() + ";" + space() + pick("title", "type", "title*") + space() + "=" + space() + quoted(value)
	}
	for range 3000 {
		var want []link
		var parts []string
		for range random.IntN(4) {
			l := link{target: pick("/x?page=2", "https://a.test/b,c;d?e=f", "?q=%3E", "relative"), rels: nil}
			text := "<" + space() + l.target + space() + ">"
			for range random.IntN(3) {
				text += noise()
			}
			if random.IntN(4) > 0 {
				for range 1 + random.IntN(3) {
					l.rels = append(l.rels, pick("next", "prev", "first", "last"))
				}
				value := quoted(strings.Join(l.rels, " "))
				if len(l.rels) == 1 && random.IntN(2) == 0 {
					value = l.rels[0]
				}
				text += space() + ";" + space() + pick("rel", "REL", "Rel") + space() + "=" + space() + value
			}
			for range random.IntN(3) {
				text += noise()
			}
			parts, want = append(parts, text), append(want, l)
		}
		line := strings.Join(parts, space()+","+space())
		links, err := parseLinks([]string{line})
		require.NoError(t, err, "%s", line)
		require.Equal(t, want, links, "%s", line)
	}
}

// TestEveryLineOfLinkIsRead checks lists whose response has several Link
// headers.
func TestEveryLineOfLinkIsRead(t *testing.T) {
	h := http.Header{}
	h.Add("Link", "<?page=1>; rel=prev")
	h.Add("Link", "<?page=3>; rel=next")
	next, err := nextPage(h, "page=2")
	require.NoError(t, err)
	assert.Equal(t, "page=3", next)
}
