package header

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNext(t *testing.T) {
	for _, tc := range []struct {
		line, target string
		found        bool
		err          error
	}{
		{"", "", false, nil}, {" , \t,", "", false, nil}, {"<a>", "", false, nil}, {"<a>;rel=prev", "", false, nil},
		{"<a>;rel=next", "a", true, nil}, {`<a>; rel="next"`, "a", true, nil}, {"<a>\t; \trel \t= \tnext\t", "a", true,
			nil},
		{" ,< a >;REL=NEXT, ", "a", true, nil}, {"<>;rel=next", "", true, nil},
		{`<a>;rel="last  next"`, "a", true, nil},
		{`<a>;rel="\n\e\x\t"`, "a", true, nil}, {"<a,b;c=d>;rel=next", "a,b;c=d", true, nil},
		{"<a>;rel=prev,<b>;rel=next", "b", true, nil}, {"<a>;rel=prev , , <b>;;rel=next;x", "b", true, nil},
		{`<a>;title="x, y; rel=next \" <b>";rel=x`, "", false, nil}, {`<a>;title="x, y; \"q\" \\";rel=next`, "a", true,
			nil},
		{"<a>;rel=x;rel=next", "", false, nil}, {"<a>;rel", "", false, nil}, {"<a>;rel=nextpage", "", false, nil},
		{"<a>;xrel=next", "", false, nil}, {"<a>;title*=UTF-8''x%20y;rel=next", "a", true, nil},
		{"<a>;rel=next,<a>;rel=next", "a", true, nil}, {"<a>;rel=next,<b>;rel=next", "", false, errTwoNext},
		{"<>;rel=next,<b>;rel=next", "", false, errTwoNext},
	} {
		target, found, err := Next([]string{tc.line})
		assert.Equal(t, tc.err, err, "%q", tc.line)
		assert.Equal(t, tc.target, target, "%q", tc.line)
		assert.Equal(t, tc.found, found, "%q", tc.line)
	}
	for _, line := range []string{
		"a", "<a", "<a>b", "<a> <b>", "a,<b>", "<a>rel=next", `<a>;rel="x`, `<a>;rel="x\`, `<a>;rel="x\"`, `<a>;rel="`,
		">", ";rel=x",
	} {
		target, found, err := Next([]string{"<ok>;rel=next", line})
		assert.Equal(t, errMalformed, err, "%q", line)
		assert.Equal(t, "", target)
		assert.False(t, found)
	}
	target, _, err := Next([]string{"<a>;rel=prev", "<b>;rel=next"})
	assert.NoError(t, err)
	assert.Equal(t, "b", target, "a header of several lines")
}

// TestNextAmongOthers writes links with any parameters, quoted or not, and any
// white space.
func TestNextAmongOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 17))
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	space := func() string { return strings.Repeat(pick(" ", "\t"), random.IntN(3)) }
	parameter := func() string {
		value := pick("x", `"x"`, `"a, b; rel=next"`, `"\""`, `"\\"`, `"<x>"`, "")
		return space() + pick("title", "anchor", "hreflang", "type") + space() + "=" + space() + value
	}
	link := func(target, rel string) string {
		parts := []string{}
		for range random.IntN(3) {
			parts = append(parts, parameter())
		}
		parts = append(parts, space()+pick("rel", "REL", "Rel")+space()+"="+space()+
			pick(rel, `"`+rel+`"`, `"x `+rel+`"`))
		for range random.IntN(3) {
			parts = append(parts, parameter())
		}
		return "<" + space() + target + space() + ">" + space() + ";" + strings.Join(parts, space()+";")
	}
	for range 2000 {
		links := []string{link("https://a/?page=2", "next")}
		for range random.IntN(4) {
			links = append(links, link("https://a/?page="+pick("1", "9"), pick("first", "last", "prev")))
		}
		random.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
		line := strings.Join(links, space()+","+space())
		target, found, err := Next([]string{line})
		if !assert.NoError(t, err, line) || !assert.True(t, found, line) ||
			!assert.Equal(t, "https://a/?page=2", target, line) {
			return
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add(`<https://a/?page=2>; rel="next", <https://a/?page=1>; rel="first"`)
	f.Add(`<a>;title="x\"`)
	f.Fuzz(func(t *testing.T, line string) {
		target, found, err := Next([]string{line})
		if err != nil && (found || target != "") || !found && target != "" {
			t.Fatalf("%q: %q %v %v", line, target, found, err)
		}
		if found && !strings.Contains(line, target) {
			t.Fatalf("%q: %q is no part of it", line, target)
		}
	})
}
