package pages

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAdvances checks that a page may only lead to one with a higher number, or
// after another item.
func TestAdvances(t *testing.T) {
	for _, tc := range []struct {
		current, next string
		want          bool
	}{
		{"", "page=2", true}, {"", "page=1", false}, {"", "page=0", false}, {"page=2", "page=3", true},
		{"page=2", "page=2", false}, {"page=3", "page=2", false},
		{"page=2&x=1", "page=2&x=2", false}, {"x=1", "x=2", true}, {"page=5", "x=2", true}, {"page=5", "page=x", true},
		{"page=2", "page=99999999999999999999", true},
		{"page=1&cursor=a", "page=1&cursor=b", true}, {"page=1&cursor=a", "page=1&cursor=a", false},
		{"page=1", "page=1&cursor=a", true}, {"page=1&cursor=a", "page=1", false},
		{"page=1&id_after=1", "page=1&id_after=2", true}, {"page=1&page_token=1", "page=1&page_token=2", true},
		{"page=1&id_after=1", "page=1&id_after=1&x=2", false},
	} {
		assert.Equal(t, tc.want, Advances(tc.current, tc.next), "%q to %q", tc.current, tc.next)
	}
	for query, want := range map[string]int{"": 1, "page=": 1, "page=x": 1, "page=7": 7, "page=-3": -3, "a=2": 1} {
		n, numbered := Number(query)
		assert.Equal(t, want, n, query)
		assert.Equal(t, want != 1, numbered, query)
	}
	assert.Equal(t, "c", cursor("id_after=i&cursor=c&page_token=p"))
	assert.Equal(t, "i", cursor("id_after=i&page_token=p"))
	assert.Equal(t, "p", cursor("page_token=p&other=o"))
	assert.Empty(t, cursor("other=o"))
}

// TestNextPages checks which query the headers lead to.
func TestNextPages(t *testing.T) {
	for _, tc := range []struct {
		current string
		header  http.Header
		want    string
		bad     string
	}{
		{"a=1", http.Header{}, "", ""},
		{"a=1", http.Header{"Link": {`</x?page=2&b=3>; rel="next"`}}, "page=2&b=3", ""},
		{"a=1", http.Header{"Link": {`</x?page=2>; rel="prev"`}}, "", ""},
		{"a=1", http.Header{"Link": {`</x?page=2>; rel="prev"`}, "X-Next-Page": {"3"}}, "", ""},
		{"a=1", http.Header{"Link": {`</x?q=a;b&page=2&sudo=root>; rel="next"`}}, "q=a%3Bb&page=2", ""},
		{"a=1", http.Header{"Link": {`</x?q=a;b&page=2>; rel="next"`}}, "q=a%3Bb&page=2", ""},
		{"a=1", http.Header{"Link": {`</x>; rel="next"`}}, "", "the link to the next page has no query"},
		{"a=1", http.Header{"Link": {`<http://[::1>; rel="next"`}}, "", "the link to the next page has no query"},
		{"a=1", http.Header{"Link": {`x`}}, "", "the Link header is malformed"},
		{"a=1", http.Header{"X-Next-Page": {""}}, "", ""},
		{"a=1;2&page=4", http.Header{"X-Next-Page": {"5"}}, "a=1%3B2&page=5", ""},
		{"", http.Header{"X-Next-Page": {"1"}}, "page=1", ""},
		{"", http.Header{"X-Next-Page": {"0"}}, "", `x-next-page is "0"`},
		{"", http.Header{"X-Next-Page": {"two"}}, "", `x-next-page is "two"`},
		{"", http.Header{"X-Next-Page": {"99999999999999999999"}}, "", `x-next-page is "99999999999999999999"`},
	} {
		next, err := Next(tc.header, tc.current)
		assert.Equal(t, tc.want, next, "%v", tc.header)
		if tc.bad == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, tc.bad)
		}
	}
	for query, want := range map[string]int{"": 0, "per_page=20": 20, "a=1&per_page=20&page=2": 20, "x_per_page=20": 0,
		"per_page=100": 100, "per_page=101": 100, "per_page=-1": 0, "per_page=x": 0} {
		assert.Equal(t, want, Size(query), query)
	}
}

// TestWhatSelectsAPage checks which parameters select a page; all others select
// a list.
func TestWhatSelectsAPage(t *testing.T) {
	for _, name := range []string{"page", "per_page", "n", "last", "page_token", "cursor", "id_after", "pagination",
		"order_by", "sort"} {
		assert.True(t, Selects(name), name)
	}
	for _, name := range []string{"", "scope", "Page", "pages", "search", "id_before"} {
		assert.False(t, Selects(name), name)
	}
}

// TestGet compares get with what parses a whole query.
func TestGet(t *testing.T) {
	for _, query := range []string{
		"", "a", "a=", "a=1", "b=2&a=1", "a=1&a=2", "a=1%202", "a=1+2", "%61=1", "a=%zz", "a=%zz&a=2", "%zz=1", "a;b=1",
		"a=1;2", "aa=1", "=1", "&&a=1", "a==", "a=1=2",
	} {
		assert.Equal(t, ParseQuery(query).Get("a"), get(query, "a"), query)
	}
}
