package serviceapi

import (
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/internal/pages"
)

// FuzzListAnswer checks that the items of a list are complete, whatever the
// response is, and that there is an error if items are missing.
func FuzzListAnswer(f *testing.F) {
	for _, seed := range []string{
		`[{"id":1,"created_at":"2026-03-01T10:00:00Z","user":{"id":2}},{"id":"x"}]`, `[null]`, `[{"id":1},null,{"tag_list":[1,"a"]}]`, `null`, `{}`, `[{"id":1}`, `[[]]`, ``, `<html>`,
		`[{"id":1e400,"duration":"\ud800","pipeline":[]}]`, `[{"id":1,"id":2}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var requests int
		client := fuzzClient(t, &requests, body)
		jobs, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		checkFuzzError(t, err)
		for _, job := range jobs {
			if job == nil {
				t.Fatal("a nil job")
			}
		}
		if err == nil && (jobs == nil || resp == nil) {
			t.Fatal("neither jobs nor an error")
		}
		if err != nil && len(jobs) > 0 && !isPartial(err) {
			t.Fatalf("jobs beside %v", err)
		}
		job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 1)
		checkFuzzError(t, err)
		if (job == nil) != (err != nil && !isPartial(err)) {
			t.Fatalf("%v beside %v", job, err)
		}
	})
}

// FuzzPageToken checks that only tokens of a list are accepted for it, and that
// none of them sets more than the list has, whoever made it.
func FuzzPageToken(f *testing.F) {
	client, err := NewClient("https://service.test", Anonymous())
	if err != nil {
		f.Fatal(err)
	}
	list, err := newCall(f.Context(), client, http.MethodGet, Route("/things"), nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"page=2", "", "a=b&page=3&scope[]=x", "PRIVATE_token=x&page=2", "%zz", "a;sudo=b", "[sudo]=x"} {
		f.Add(seed, list.tokenOf(seed))
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, query, token string) {
		for _, token := range []string{forgedToken(list, query), token} {
			again := list.at(t.Context(), "")
			if again.continueAt(token, "") != nil {
				continue
			}
			for name := range pages.ParseQuery(again.query) {
				if !pages.Selects(name) {
					t.Fatalf("%q sets %q", token, name)
				}
			}
		}
		if next := list.tokenOf(query); next != "" && !strings.ContainsAny(query, ";%") {
			again := list.at(t.Context(), "")
			if err := again.continueAt(next, ""); err == nil && pages.ParseQuery(again.query).Get("page") != pages.ParseQuery(query).Get("page") {
				t.Fatalf("%q came back as %q", query, again.query)
			}
		}
	})
}
