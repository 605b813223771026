package graphqldoc

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOnlyReads(t *testing.T) {
	for _, tc := range []struct {
		document, name string
		want           bool
	}{
		{"{a}", "", true},
		{"query{a}", "", true},
		{"\uFEFF # mutation {x}\r\n query Q($a: In = {b: [1, 2]}, $c: ID!) @d(e: {f: 1}) { g(h: $a) { i } }", "", true},
		{"query mutation { mutation }", "", true},
		{`query { a(b: "} mutation {\" \\") }`, "", true},
		{`query { a(b: """ " } \""" mutation { """) }`, "", true},
		{`query { a(b: "") c(d: """""") }`, "", true},
		{"fragment f on T { a } query { ...f }", "", true},
		{"query { ...f } fragment f on T @d { a }", "", true},
		{"query A {a} query B {b}", "", true},
		{"query A {a} mutation B {b}", "A", true},
		{"query A {a} mutation B {b}", "B", false},
		{"query A {a} mutation B {b}", "", false},
		{"query A {a} mutation B {b}", "C", false},
		{"query A {a} mutation A {b}", "A", false},
		{"query A {a} query A {b}", "A", false},
		{"{a}", "A", false},
		{"mutation {a}", "", false},
		{"mutation M($query: Q) {a}", "", false},
		{"subscription {a}", "", false},
		{"# query {a}\nmutation {b}", "", false},
		{"query {a} # }\nmutation {b}", "", false},
		{"fragment f on T { a }", "", false},
		{"type T { a: B }", "", false},
		{"extend query {a}", "", false},
		{"Query {a}", "", false},
		{"", "", false},
		{" # nothing", "", false},
		{"query", "", false},
		{"query {a", "", false},
		{"query {a)", "", false},
		{"query ({a}", "", false},
		{"query {a}}", "", false},
		{"query {a} \"", "", false},
		{"query {a(b: \"c)}", "", false},
		{"query {a(b: \"c\n\")}", "", false},
		{`query {a(b: """c)}`, "", false},
		{`query {a(b: "\`, "", false},
		{"1{a}", "", false},
		{"quéry {a}", "", false},
	} {
		assert.Equal(t, tc.want, OnlyReads(tc.document, tc.name), "%q, %q", tc.document, tc.name)
	}
}

func FuzzOnlyReads(f *testing.F) {
	for _, document := range []string{"query A($a: B = {c: [1]}) @d {e(f: \"g\", h: \"\"\"i\"\"\")} # j",
		"mutation {a}"} {
		f.Add(document, "A")
	}
	f.Fuzz(func(t *testing.T, document, name string) {
		if OnlyReads(document, name) {
			assert.False(t, OnlyReads(document+"\nmutation "+name+" {x}", name), "%q", document)
		}
	})
}
