package ciconfig

import (
	"encoding/json"
	"strings"
	"testing"
)

// plainJSON returns a value as JSON. Strings without quotes are in angle brackets.
func plainJSON(n *Node) any {
	switch {
	case n.isNull():
		return nil
	case n.isMap():
		members := map[string]any{}
		for key, value := range n.values {
			members[key] = plainJSON(value)
		}
		return members
	case n.isList:
		items := []any{}
		for _, item := range n.items {
			items = append(items, plainJSON(item))
		}
		return items
	case n.quoted:
		return n.text
	}
	return "<" + n.text + ">"
}

func asJSON(t *testing.T, n *Node) string {
	t.Helper()
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(plainJSON(n)); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// same returns a value as JSON, in the same form for strings with and without quotes.
func same(t *testing.T, n *Node) string {
	t.Helper()
	out, err := json.Marshal(plain(n))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"", "null"},
		{"# nothing\n\n", "null"},
		{"---\na: 1\n", `{"a":"<1>"}`},
		{"# first\n---\na: 1\n", `{"a":"<1>"}`},
		{"text", `"<text>"`},
		{"a: ~\nb: null\nc:\nd: ''", `{"a":null,"b":null,"c":null,"d":""}`},
		{"a: x # why\nb: x#y\n'c': \"# \"", `{"a":"<x>","b":"<x#y>","c":"# "}`},
		{"a:\n  b:\n    c: 1\n  d: 2\ne: 3", `{"a":{"b":{"c":"<1>"},"d":"<2>"},"e":"<3>"}`},
		{"a:\n- 1\n- 2\nb:\n  - 3", `{"a":["<1>","<2>"],"b":["<3>"]}`},
		{"- a: 1\n  b: 2\n-   c: 3\n    d:\n    - 4\n- - 5\n  - 6\n-\n- \n  e: 7",
			`[{"a":"<1>","b":"<2>"},{"c":"<3>","d":["<4>"]},["<5>","<6>"],null,{"e":"<7>"}]`},
		{"a: first\n  second\n\n  third # why\nb: 1", `{"a":"<first second third>","b":"<1>"}`},
		{"- echo one\n  two\n- three", `["<echo one two>","<three>"]`},
		{"a: it's # why\nb: http://x:1/y", `{"a":"<it's>","b":"<http://x:1/y>"}`},
		{"a: 'it''s'\nb: \"\\ttab \\u00e9 \\x41 \\\"\"", `{"a":"it's","b":"\ttab é A \""}`},
		{"a: 'one\n  two'\nb: \"three\n  four\"", `{"a":"one two","b":"three four"}`},
		{"a: [1, 'x, y', [b], {c: d, \"e\": }, ]\nb: {}\nc: [ ]",
			`{"a":["<1>","x, y",["<b>"],{"c":"<d>","e":null}],"b":{},"c":[]}`},
		{"a: [1, # one\n  2,\n  3]\nb: {x: 1,\n  y: 2}", `{"a":["<1>","<2>","<3>"],"b":{"x":"<1>","y":"<2>"}}`},
		{"a: [http://x, b:c]", `{"a":["<http://x>","<b:c>"]}`},
		{"a: |\n  one\n    two\n\n  # three\nb: 1", `{"a":"one\n  two\n\n# three\n","b":"<1>"}`},
		{"a: |-\n  one\n\nb: |+\n  two\n\nc: |", `{"a":"one","b":"two\n\n","c":""}`},
		{"a: >\n  one\n  two\n\n  three\n    four\n  five\n", `{"a":"one two\nthree\n  four\nfive\n"}`},
		{"- |\n one\n- >-\n two\n three", `["one\n","two three"]`},
		{"a: |2\n   one\n  two", `{"a":" one\ntwo\n"}`},
		{"a: &x\n  b: 1\nc: *x\nd: &y [1]\ne: [*y, 2]",
			`{"a":{"b":"<1>"},"c":{"b":"<1>"},"d":["<1>"],"e":[["<1>"],"<2>"]}`},
		{".a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\ne:\n  <<: [*x, {f: 4}]",
			`{".a":{"b":"<1>","c":"<2>"},"d":{"b":"<1>","c":"<3>"},"e":{"b":"<1>","c":"<2>","f":"<4>"}}`},
		{"a: 1\na: 2", `{"a":"<2>"}`},
		{"a:\r\n  - b\r\n", `{"a":["<b>"]}`},
		{"\ufeffa: 1", `{"a":"<1>"}`},
	} {
		n, err := Parse(test.yaml)
		if err != nil {
			t.Errorf("%q: %v", test.yaml, err)
			continue
		}
		if got := asJSON(t, n); got != test.want {
			t.Errorf("%q:\n%s\nwant\n%s", test.yaml, got, test.want)
		}
		again, err := Parse(Print(n))
		if err != nil || same(t, again) != same(t, n) {
			t.Errorf("%q is printed as %q: %v", test.yaml, Print(n), err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	bomb := "a: &a [1,2,3,4,5,6,7,8,9]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 9),
			", ") + "]\n"
	}
	for yaml, want := range map[string]string{
		"a: 1\n\tb: 2":         "line 2: a tab cannot be part of the indentation",
		"a: 1\n  b: 2":         "line 2: a key is not expected here",
		"a: b: c":              "line 1: a key is not expected here",
		"a:\n    b: 1\n  c: 2": "line 3: the indentation fits nothing before",
		"  a: 1\nb: 2":         "line 2: the indentation fits nothing before",
		"- a\n b: 1":           "line 2: a key is not expected here",
		"- 1\nb: 2":            "line 2: the indentation fits nothing before",
		"a: 1\ntext":           "line 2: a key with a colon is expected",
		"a: 1\n- 2":            "line 2: a key with a colon is expected",
		"a: [1, 2":             "line 1: is not closed",
		"a: {b: 1\nc: 2":       "line 1: is not closed",
		"a: [1] 2":             `line 1: "2" is not expected here`,
		"a: [1 [2]]":           `line 1: "[2]]" is not expected here`,
		"a: {b}":               "line 1: a key with a colon is expected",
		"a: [b: c]": "line 1: servicetest does not understand an entry of a map in a list in " +
			"brackets",
		"a: \"x":                         "line 1: is not closed",
		"a: 'x' y":                       `line 1: "y" is not expected here`,
		`a: "\q"`:                        `line 1: \q is no escape`,
		"a: *x":                          "line 1: the alias *x is not defined",
		"a: [*x]":                        "line 1: the alias *x is not defined",
		"a: 1\n<<: 2":                    "line 2: << needs a map",
		"a: 1\nb: !reference [a, b]":     "line 2: servicetest does not understand tags such as !reference",
		"a: [!x 1]":                      "line 1: servicetest does not understand tags and anchors in brackets",
		"? a\n: b":                       "line 1: servicetest does not understand complex keys",
		"%YAML 1.1\n---\na: 1":           "line 1: servicetest does not understand directives",
		"spec:\n  inputs:\n---\na: 1":    "line 3: servicetest does not understand several documents",
		"a: @b":                          "line 1: a text cannot start with @",
		"a: " + strings.Repeat("[", 200): "line 1: too many levels",
		bomb:                             "line 6: the aliases stand for too much",
	} {
		if n, err := Parse(yaml); err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", yaml, err, want)
			if err == nil {
				t.Log(asJSON(t, n))
			}
		}
	}
	deep := ""
	for i := range 200 {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	if _, err := Parse(deep); err == nil || !strings.Contains(err.Error(), "too many levels") {
		t.Error(err)
	}
}

func TestPrint(t *testing.T) {
	const yaml = "a: {b: [1, {c: x}], 'd e': 'true', f: [], g: {}}\nh: |\n  one\n  two\ni: [[1, 2], [], 'x: " +
		"y']\nj:\nk: ' '\nl: \"a\\nb\""
	const want = `---
a:
  b:
  - 1
  - c: x
  d e: "true"
  f: []
  g: {}
h: |
  one
  two
i:
- - 1
  - 2
- []
- "x: y"
j:
k: " "
l: |-
  a
  b
`
	n, err := Parse(yaml)
	if err != nil {
		t.Fatal(err)
	}
	if got := Print(n); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// FuzzParse checks that everything readable can be printed, and then read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: [b, {c: d}]\n", "- |\n  x\n- >+\n  y\n\n", "a: &x 'b'\nc: *x", "\"a\\nb\": ' '\n",
		"a:\n- - 1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		n, err := Parse(content)
		if err != nil {
			return
		}
		again, err := Parse(Print(n))
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", content, Print(n), err)
		}
		if got, want := same(t, again), same(t, n); got != want {
			t.Fatalf("%q is printed as %q: %s, want %s", content, Print(n), got, want)
		}
	})
}
