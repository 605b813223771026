package markdown

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/racing"
)

// TestRender compares sources with what CommonMark makes of them, and the service with its
// dir="auto", which the table leaves out.
func TestRender(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"", ""},
		{" \n\t\n", ""},
		{"An app.", "<p>An app.</p>"},
		{"One\ntwo\n\n\nThree\r\n\r\nFour", "<p>One\ntwo</p>\n<p>Three</p>\n<p>Four</p>"},
		{"a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>"},
		{"a\\", `<p>a\</p>`},
		{"<b onclick=\"x()\">A</b> & 'b' &amp; c",
			"<p>&lt;b onclick=&#34;x()&#34;&gt;A&lt;/b&gt; &amp; &#39;b&#39; &amp;amp; c</p>"},

		{"# One\n## Two ##\n###### Six\n####### Seven\n#8", "<h1>One</h1>\n<h2>Two</h2>\n<h6>Six</h6>\n" +
			"<p>####### Seven\n#8</p>"},
		{"One *a*\n===\nTwo\n---\n", "<h1>One <em>a</em></h1>\n<h2>Two</h2>"},
		{"Text\n# Heading\ntext", "<p>Text</p>\n<h1>Heading</h1>\n<p>text</p>"},
		{"a\n\n---\n* * *\nb", "<p>a</p>\n<hr>\n<hr>\n<p>b</p>"},

		{"```go\nif a < b {\n\n\treturn *a*\n```\nend",
			"<pre><code class=\"language-go\">if a &lt; b {\n\n\treturn *a*\n</code></pre>\n<p>end</p>"},
		{"~~~~\n~~~\n```", "<pre><code>~~~\n```\n</code></pre>"},
		{"  ```\n  a\n    b\nc\n  ```", "<pre><code>a\n  b\nc\n</code></pre>"},
		{"a\n```\nb\n```", "<p>a</p>\n<pre><code>b\n</code></pre>"},
		{"```\"><script>\nx", "<pre><code class=\"language-&#34;&gt;&lt;script&gt;\">x\n</code></pre>"},

		{"> a\nb\n> # c\n\nd", "<blockquote>\n<p>a\nb</p>\n<h1>c</h1>\n</blockquote>\n<p>d</p>"},
		{">> a\n> - b", "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>"},

		{"- a\n- b\n* c", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ul>\n<li>c</li>\n</ul>"},
		{"a:\n- b\nc\n\nd", "<p>a:</p>\n<ul>\n<li>b\nc</li>\n</ul>\n<p>d</p>"},
		{"1. a\n2. b\n\n07) c", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<ol start=\"7\">\n<li>c</li>\n</ol>"},
		{"0. a", "<ol start=\"0\">\n<li>a</li>\n</ol>"},
		{"It was in\n2025. A good year.", "<p>It was in\n2025. A good year.</p>"},
		{"- a\n  - b\n\t- c\n- d",
			"<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul></li>\n<li>d</li>\n</ul>"},
		{"- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>"},
		{"1. a\n\n   b\n2. c", "<ol>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>"},
		{"- a\n  ```\n  b\n\n  c\n  ```\n- d", "<ul>\n<li>a\n<pre><code>b\n\nc\n</code></pre></li>\n<li>d</li>\n</ul>"},
		{"-\n- a\n-b", "<ul>\n<li></li>\n<li>a\n-b</li>\n</ul>"},
		{"- a\n\n\nb", "<ul>\n<li>a</li>\n</ul>\n<p>b</p>"},

		{"*a* _b_ **c** __d__ ***e***", "<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> " +
			"<em><strong>e</strong></em></p>"},
		{"a*b*c a_b_c 2 * 3 * 4 snake_case_name", "<p>a<em>b</em>c a_b_c 2 * 3 * 4 snake_case_name</p>"},
		{"**a *b* c** *a **b** c*", "<p><strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em></p>"},
		{"**a *b** c*", "<p><em><em>a <em>b</em></em> c</em></p>"},
		{"*a **b*", "<p>*a *<em>b</em></p>"},
		{"*a**b*", "<p><em>a**b</em></p>"},
		{"****a****", "<p><strong><strong>a</strong></strong></p>"},
		{`\*a\* \a \\`, `<p>*a* \a \</p>`},
		{"*a `*` b*", "<p><em>a <code>*</code> b</em></p>"},

		{"`a` ``b ` c`` ` d `` `` e ``", "<p><code>a</code> <code>b ` c</code> ` d <code> </code> e ``</p>"},
		{"`<b>\n&`", "<p><code>&lt;b&gt; &amp;</code></p>"},
		{"` ` `` ` ``", "<p><code> </code> <code>`</code></p>"},

		{"[a *b*](https://x.test/?a=1&b=2 \"it's\") c", "<p><a href=\"https://x.test/?a=1&amp;b=2\" " +
			"title=\"it&#39;s\">a <em>b</em></a> c</p>"},
		{"[a](/b(c)) [a](<b c>) [](#d) [a](b 'c')",
			`<p><a href="/b(c)">a</a> <a href="b%20c">a</a> <a href="#d"></a> <a href="b" title="c">a</a></p>`},
		{"[m](mailto:ada@x.test) [a](HTTP://x.test)",
			`<p><a href="mailto:ada@x.test">m</a> <a href="HTTP://x.test">a</a></p>`},
		{"[a](javascript:x) [a](JavaScript:x) [a](data:text/html,x) [a](< javascript:x>)", "<p>[a](javascript:x) " +
			"[a](JavaScript:x) [a](data:text/html,x) [a](&lt; javascript:x&gt;)</p>"},
		{"[a](java\tscript:x) [a](java\\script:x) [a](\x01javascript:x)",
			"<p>[a](java\tscript:x) [a](java\\script:x) [a](\x01javascript:x)</p>"},
		{"[a] [b](c d) [e](", "<p>[a] [b](c d) [e](</p>"},
		{"[a [b](c) d](e)", `<p>[a <a href="c">b</a> d](e)</p>`},
		{"*[a*](b)", `<p>*<a href="b">a*</a></p>`},
		{`\[a](b) a\](c)`, "<p>[a](b) a](c)</p>"},
		{"![a *b* `<`](/u/x.png \"t\") ![a](javascript:x)!", `<p><img src="/u/x.png" alt="a b &lt;" title="t"> ` +
			"![a](javascript:x)!</p>"},
		{"[![a](b)](c)", `<p><a href="c"><img src="b" alt="a"></a></p>`},
		{"https://x.test <https://x.test> | a | :tada: @ada #1",
			"<p>https://x.test &lt;https://x.test&gt; | a | :tada: @ada #1</p>"},
	} {
		if got := strings.ReplaceAll(Render(test.source), ` dir="auto"`, ""); got != test.want {
			t.Errorf("%q is\n%s\nwant\n%s", test.source, got, test.want)
		}
	}
}

// TestDirection: the blocks that have text say that its direction is found out.
func TestDirection(t *testing.T) {
	const want = "<h1 dir=\"auto\">a</h1>\n<p dir=\"auto\">b</p>\n<ul dir=\"auto\">\n<li>c</li>\n</ul>\n" +
		"<ol start=\"2\" dir=\"auto\">\n<li>d</li>\n</ol>"
	if got := Render("# a\nb\n- c\n\n2. d"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

var tag = regexp.MustCompile(`<(/?)([a-z0-9]+)(?: [a-z]+="[^"<>]*")*>|[<>]`)

// TestAnythingIsWellFormed renders texts that nobody would write. Every element ends, within
// the one that it began in, and no character of the source is HTML.
func TestAnythingIsWellFormed(t *testing.T) {
	parts := []string{"*", "**", "_", "`", "``", "```", "[", "](", "](a)", ")", "![", "<b>", "\"", "\\", "\n", "\n\n",
		" ",
		"  ", "    ", "\t", "- ", "1. ", "> ", "#", "# ", "===", "---", "a",
		"ä", "b.", "(", "javascript:", "'", "&"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var source strings.Builder
		for range random.IntN(30) {
			source.WriteString(parts[random.IntN(len(parts))])
		}
		var open []string
		rendered := Render(source.String())
		for _, m := range tag.FindAllStringSubmatch(rendered, -1) {
			switch name := m[2]; {
			case slices.Contains([]string{"br", "hr", "img"}, name):
			case m[1] == "" && name != "" && name != "b":
				open = append(open, name)
			case len(open) > 0 && open[len(open)-1] == name:
				open = open[:len(open)-1]
			default:
				t.Fatalf("%q has %s: %s", source.String(), m[0], rendered)
			}
		}
		if len(open) > 0 {
			t.Fatalf("%q does not end %v: %s", source.String(), open, rendered)
		}
	}
}

// TestLongTexts: what is repeated many times takes no more than a moment.
func TestLongTexts(t *testing.T) {
	times := 20_000
	if racing.Enabled { // a byte takes ten times as long, and no goroutine is involved
		times = 2_000
	}
	for _, part := range []string{"*a ", "**a", "a*_", "*a_ ", "[", "![", "[a](", "[a](b",
		"![a](b)", "[a](b \"", "](a)", "`a``",
		"> ", "- ", "-\n", "- a\n", "1. a\n\n", "  - a\n", "#", "\\", "a\n===\n", "```\n", "a  \n", "(((", "![a"} {
		start := time.Now()
		for _, end := range []string{"", strings.Repeat("](b)", times)} {
			if got := Render(strings.Repeat(part, times) + end); got == "" {
				t.Errorf("%q becomes nothing", part)
			}
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%q takes %v", part, took)
		}
	}
}
