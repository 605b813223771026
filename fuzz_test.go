package serviceapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/internal/pages"
	"example.com/serviceapi/internal/text"
	"golang.org/x/oauth2"
)

// repeating returns a client that gets the same response to every request.
func repeating(requests *int, status int, body []byte) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		*requests++
		return &http.Response{
			StatusCode: status, Header: http.Header{}, Request: r,
			Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	})}
}

func fuzzClient(t *testing.T, requests *int, body []byte) *Client {
	client, err := NewClient("https://service.test", PrivateToken(testSecret), WithRetry(RetryPolicy{MaxAttempts: 1}),
		WithHTTPClient(repeating(requests, http.StatusOK, body)))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// checkFuzzError checks that an error can be printed on a terminal.
func checkFuzzError(t *testing.T, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, inner := range joined.Unwrap() {
			checkFuzzError(t, inner)
		}
		return
	}
	if message := err.Error(); text.HasControl(message) {
		t.Fatalf("control characters in %q", message)
	}
}

func FuzzGraphQLResponse(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"items":{"nodes":[{"id":"1"},null],"pageInfo":{"hasNextPage":true,"endCursor":"b"}}}}`,
		`{"data":null,"errors":[{"message":"\u0007","path":["a",0],"locations":[{"line":1,"column":2}],` +
			`"extensions":{"code":"X"}}]}`,
		`{"errors":[null]}`, `{"errors":"x","data":{}}`, `{"data":{"items":7}}`, `{"data":{},"errors":[{"path":[{}]}]}`,
		`null`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var requests int
		client := fuzzClient(t, &requests, body)
		var out pagesData
		_, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{ x }"}, &out)
		checkFuzzError(t, err)
		if err == nil {
			var reply struct{ Data, Errors json.RawMessage }
			if json.Unmarshal(body, &reply) != nil {
				t.Fatalf("%q is no JSON, but was taken", body)
			}
		}
		var refused *GraphQLError
		if errors.As(err, &refused) && len(refused.Errors) == 0 {
			t.Fatal("an error of no errors")
		}
		// It is always the same page. The walk ends, and with an error if the page says
		// that there is another one.
		_, err = Collect(GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery}, itemsOf))
		checkFuzzError(t, err)
		if requests > 3 {
			t.Fatalf("%d requests", requests)
		}
	})
}

func FuzzSCIMResponse(f *testing.F) {
	for _, seed := range []string{
		`{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":1,"startIndex":1,"Resources":[{"id":"a",` +
			`"emails":[{"value":"x"}],"active":true,"meta":{"created":"2026-03-01T10:00:00Z"}}]}`,
		`{"totalResults":1000000000,"Resources":[{}]}`, `{"totalResults":3,"startIndex":1,"Resources":[null,null]}`,
		`{"totalResults":-1,"Resources":[{"id":1}]}`,
		`{"totalResults":9,"startIndex":"x","Resources":[{"id":"\u0007"}]}`, `{}`, `[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var requests int
		client := fuzzClient(t, &requests, body)
		users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil))
		checkFuzzError(t, err)
		for _, user := range users {
			if user == nil {
				t.Fatal("a nil user")
			}
		}
		if requests > 2 {
			t.Fatalf("%d requests for the same page", requests)
		}
		user, _, err := client.SCIM.Get(t.Context(), scimGroup, "1")
		checkFuzzError(t, err)
		if err == nil && user == nil {
			t.Fatal("neither user nor error")
		}
	})
}

// FuzzTokenResponse checks that a source returns a token or an error for every
// response of a token endpoint, and that no error contains the refresh token.
func FuzzTokenResponse(f *testing.F) {
	for _, seed := range []string{
		`{"access_token":"a","refresh_token":"b","expires_in":7200}`, `{"access_token":"","error":"x"}`,
		`{"error":"` + firstRefreshToken + `"}`,
		`{"access_token":"a","expires_in":"` + firstRefreshToken + `"}`, `{"expires_in":-1,"access_token":"x\n"}`,
		`<html>`, ``, `null`, `[`,
	} {
		f.Add(200, []byte(seed))
		f.Add(400, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 {
			return
		}
		var requests int
		source, err := NewTokenSource(
			&oauth2.Config{Endpoint: oauth2.Endpoint{TokenURL: "https://service.test/oauth/token"}},
			&oauth2.Token{RefreshToken: firstRefreshToken},
			&TokenSourceOptions{HTTPClient: repeating(&requests, status, body)})
		if err != nil {
			t.Fatal(err)
		}
		token, err := source.Token()
		checkFuzzError(t, err)
		switch {
		// An escaped carriage return is no letter of the token.
		case err != nil && strings.Contains(strings.ReplaceAll(err.Error(), `\r`, "\r"), firstRefreshToken):
			t.Fatalf("the refresh token stands in %q", err)
		case err == nil && (token.AccessToken == "" || token.RefreshToken == ""):
			t.Fatalf("the tokens are not whole, and nobody said so: %q", body)
		case requests != 1:
			t.Fatalf("%d requests", requests)
		}
	})
}

// FuzzListResponse checks that the items of a list are complete, whatever the
// response is, and that there is an error if items are missing.
func FuzzListResponse(f *testing.F) {
	for _, seed := range []string{
		`[{"id":1,"created_at":"2026-03-01T10:00:00Z","user":{"id":2}},{"id":"x"}]`, `[null]`,
		`[{"id":1},null,{"tag_list":[1,"a"]}]`, `null`, `{}`, `[{"id":1}`, `[[]]`, ``, `<html>`,
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
	for _, seed := range []string{"page=2", "", "a=b&page=3&scope[]=x", "PRIVATE_token=x&page=2", "%zz", "a;sudo=b",
		"[sudo]=x"} {
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
			if err := again.continueAt(next, ""); err == nil &&
				pages.ParseQuery(again.query).Get("page") != pages.ParseQuery(query).Get("page") {
				t.Fatalf("%q came back as %q", query, again.query)
			}
		}
	})
}
