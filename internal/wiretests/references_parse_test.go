package wiretests

import (
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refParser is a function that parses references, alone and for a client.
type refParser struct {
	alone func(string) (fmt.Stringer, error)
	at    func(*serviceapi.Client, string) (fmt.Stringer, error)
}

func parserOf[R fmt.Stringer](alone func(string) (R, error), at func(*serviceapi.Client, string) (R, error)) refParser {
	return refParser{
		func(s string) (fmt.Stringer, error) { return alone(s) },
		func(c *serviceapi.Client, s string) (fmt.Stringer, error) { return at(c, s) },
	}
}

var refParsers = map[string]refParser{
	"merge request": parserOf(serviceapi.ParseMergeRequestRef, (*serviceapi.Client).ParseMergeRequestRef),
	"issue":         parserOf(serviceapi.ParseIssueRef, (*serviceapi.Client).ParseIssueRef),
	"snippet":       parserOf(serviceapi.ParseSnippetRef, (*serviceapi.Client).ParseSnippetRef),
	"commit":        parserOf(serviceapi.ParseCommitRef, (*serviceapi.Client).ParseCommitRef),
	"epic":          parserOf(serviceapi.ParseEpicRef, (*serviceapi.Client).ParseEpicRef),
}

func parsingClient(tb testing.TB, base string) *serviceapi.Client {
	client, err := serviceapi.NewClient(base, serviceapi.Anonymous())
	require.NoError(tb, err)
	return client
}

// TestParseReferencesWithin checks what people write, which a client reads as well.
func TestParseReferencesWithin(t *testing.T) {
	client := parsingClient(t, "https://service.test")
	for kind, texts := range map[string][]string{
		"merge request": {"acme/shop!7", "42!7", "acme/a/b!7"}, "issue": {"acme/shop#3", "42#3"},
		"snippet": {"acme/shop$3", "42$3"}, "commit": {"acme/shop@1f3a", "42@1f3a", "acme/shop@v1.0", "42@feature/a@b"},
		"epic": {"acme&5", "7&5", "acme/platform&5"},
	} {
		for _, s := range texts {
			ref, err := refParsers[kind].alone(s)
			require.NoError(t, err, s)
			assert.Equal(t, s, ref.String())
			again, err := refParsers[kind].at(client, s)
			require.NoError(t, err, s)
			assert.Equal(t, ref, again)
		}
	}
	ref, err := serviceapi.ParseMergeRequestRef("42!7")
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ProjectID(42).MergeRequest(7), ref)
	for _, tc := range []struct{ kind, text, argument, problem string }{
		{"merge request", "", "merge request", "is not written like acme/shop!7: "},
		{"merge request", "acme/shop#7", "merge request", "is not written like acme/shop!7: acme/shop#7"},
		{"merge request", "acme/shop!", "merge request", "is not written like"},
		{"merge request", "acme/shop!0", "merge request", "is not written like"},
		{"merge request", "acme/shop!+7", "merge request", "is not written like"},
		{"merge request", "acme/shop!7!8", "merge request", "is not written like"},
		{"merge request", "acme/shop!99999999999999999999", "merge request", "is not written like"},
		{"merge request", "shop!7", "project", "has no slash"}, {"issue", "#3", "project", "is empty"},
		{"issue", "0#3", "project", "must be a positive number"}, {"epic", "/acme&5", "group", "begins or ends"},
		{"commit", "acme/shop@..", "commit", "is not written like acme/shop@1f3a"},
		{"commit", "acme/shop@", "commit", "is not written like"},
	} {
		ref, err := refParsers[tc.kind].alone(tc.text)
		assertRefused(t, tc.argument, err)
		assert.ErrorContains(t, err, tc.problem, tc.text)
		assert.Empty(t, ref.String())
	}
}

// TestParseAddresses checks addresses of pages of an instance, at the root and below a path.
func TestParseAddresses(t *testing.T) {
	for _, base := range []string{"https://service.test", "https://service.test/sub/path"} {
		client := parsingClient(t, base)
		for _, tc := range []struct{ kind, path, want string }{
			{"merge request", "/acme/shop/-/merge_requests/7", "acme/shop!7"},
			{"merge request", "/acme/shop/-/merge_requests/7/", "acme/shop!7"},
			{"merge request", "/acme/a/shop/merge_requests/7/diffs?view=inline#note_12", "acme/a/shop!7"},
			{"merge request", "/acme/merge_requests/-/merge_requests/7", "acme/merge_requests!7"},
			{"issue", "/acme/shop/-/issues/3#note_12", "acme/shop#3"},
			{"issue", "/acme/shop/-/work_items/3", "acme/shop#3"},
			{"snippet", "/acme/shop/-/snippets/3", "acme/shop$3"},
			{"commit", "/acme/shop/-/commit/1f3a/pipelines", "acme/shop@1f3a"},
			{"epic", "/groups/acme/-/epics/5", "acme&5"},
			{"epic", "/groups/acme/platform/-/work_items/5?x", "acme/platform&5"},
		} {
			ref, err := refParsers[tc.kind].at(client, base+tc.path)
			require.NoError(t, err, tc.path)
			assert.Equal(t, tc.want, ref.String())
			ref, err = refParsers[tc.kind].at(client, strings.Replace(base, "://", "://ada@", 1)+tc.path)
			require.NoError(t, err, "with the name of a user: %s", tc.path)
			assert.Equal(t, tc.want, ref.String())
			_, err = refParsers[tc.kind].alone(base + tc.path)
			assert.Error(t, err, "only a client knows its instance")
		}
		const other = "is an address of another instance; this client talks to "
		const noPage = "is not the address of the page of such an object"
		for address, problem := range map[string]string{
			"https://other.test/acme/shop/-/merge_requests/7":        other + base,
			"http://service.test/acme/shop/-/merge_requests/7":       other + base,
			"https://service.test:8443/acme/shop/-/merge_requests/7": other + base,
			"https://service.test":                                   other + base,
			base + "/acme/shop/-/issues/7":                           noPage,
			base + "/acme/shop/-/merge_requests":                     noPage,
			base + "/acme/shop/-/merge_requests/new":                 noPage,
			base + "/acme/shop/-/x/merge_requests/7":                 noPage,
			base + "/shop/-/merge_requests/7":                        "has no slash",
			base + "/acme%2Fshop/-/merge_requests/7":                 noPage,
			base + "/":                                               noPage,
			"https://ada:hunter2@service.test/a/merge_requests/":     "is an address with a password; write it without",
			base + "/groups/acme/-/merge_requests/7":                 noPage,
			"://":                                                    "is not the address of a page",
			"service.test/merge_requests/":                           "is not written like acme/shop!7",
		} {
			if address == "https://service.test" && base == address {
				continue
			}
			_, err := client.ParseMergeRequestRef(address)
			var refused *serviceapi.ArgumentError
			if assert.ErrorAs(t, err, &refused, address) {
				assert.Contains(t, refused.Problem, problem, address)
			}
		}
		_, err := client.ParseEpicRef(base + "/groups/7/-/epics/5")
		assertRefused(t, "epic", err)
		_, err = client.ParseIssueRef(base + "/groups/acme/-/work_items/5") // of an epic
		assertRefused(t, "issue", err)
		_, err = client.ParseSnippetRef(base + "/-/snippets/3")
		assertRefused(t, "snippet", err)
	}
	for _, client := range []*serviceapi.Client{nil, new(serviceapi.Client)} {
		for _, parsers := range []map[string]refParser{refParsers, placeParsers} {
			for _, parser := range parsers {
				_, err := parser.at(client, "acme/shop!7")
				assertRefused(t, "client", err)
			}
		}
	}
}

// FuzzParseReferencesWithin checks that what can be parsed prints as something that stands for
// the same object.
func FuzzParseReferencesWithin(f *testing.F) {
	for _, seed := range []string{"acme/shop!7", "42#3", "acme&5", "a/b@c", "a/b$007", "://", "%",
		"https://service.test/acme/shop/-/merge_requests/7", "https://service.test/groups/a/-/epics/5",
		"https://service.test/a/b/-/commit/%41", "https://service.test//-/issues/1"} {
		f.Add(seed)
	}
	client := parsingClient(f, "https://service.test")
	f.Fuzz(func(t *testing.T, s string) {
		for kind, parser := range refParsers {
			ref, err := parser.at(client, s)
			if err != nil {
				continue
			}
			again, err := parser.alone(ref.String())
			if err != nil || again != ref {
				t.Fatalf("%s %q: %v became %v: %v", kind, s, ref, again, err)
			}
		}
	})
}
