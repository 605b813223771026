package serviceapi

import (
	"maps"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHeaderProblemsAreNamed(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"", "x", "serviceapi: header name is not one: "},
		{"X\nY", "x", `serviceapi: header name is not one: X\nY`},
		{strings.Repeat("é", 61), "x", "serviceapi: header name is not one: " + strings.Repeat("é", 60) + "…"},
		{"X-Trace", "a\nb", "serviceapi: header X-Trace contains a control character"},
		{"authorization", "x", "serviceapi: header authorization cannot be set here: use WithCredential"},
	} {
		err := checkHeader(tc.name, tc.value)
		assert.EqualError(t, err, tc.want)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	}
	assert.NoError(t, checkHeader("X-Trace", "a\tb"))
}

// TestReservedHeaders checks that headers that the library sets cannot be set
// in another way.
func TestReservedHeaders(t *testing.T) {
	reasons := map[string][]string{
		"use WithCredential":                   {"Authorization", "Private-Token", "Job-Token", "Cookie"},
		"use WithSudo":                         {"Sudo"},
		"it follows from the base URL":         {"Host"},
		"it follows from the body":             {"Content-Length", "Content-Type", "Transfer-Encoding"},
		"it belongs to the transport":          {"Connection"},
		"the library decodes what it asks for": {"Accept-Encoding"},
		"use WithDownloadOffset":               {"Range", "If-Range"},
	}
	count := 0
	for reason, names := range reasons {
		for _, name := range names {
			count++
			for _, spelling := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
				assert.EqualError(t, checkHeader(spelling, "x"),
					"serviceapi: header "+spelling+" cannot be set here: "+reason)
			}
		}
	}
	assert.Len(t, reservedHeaders, count)
}

// TestHeadersOfRequests checks the headers of a call other than those for its
// body and credential.
func TestHeadersOfRequests(t *testing.T) {
	var got http.Header
	client, err := NewClient("https://service.test", Anonymous(),
		WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r.Header.Clone()
			return okJob(r)
		})}))
	require.NoError(t, err)
	named, err := client.With(WithUserAgent("deployer/1.2"))
	require.NoError(t, err)

	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	assert.Equal(t, http.Header{"Accept": {"application/json"}, "User-Agent": {"serviceapi-go/" + Version}}, got)

	_, err = getJob(t.Context(), named, WithHeader("x-trace", "7"), WithSudo(UserID(42)))
	require.NoError(t, err)
	assert.Equal(t, http.Header{
		"Accept": {"application/json"}, "User-Agent": {"deployer/1.2 serviceapi-go/" + Version}, "X-Trace": {"7"},
		"Sudo": {"42"},
	}, got)

	_, err = client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), map[string]int{"a": 1}, nil)
	require.NoError(t, err)
	assert.Equal(t, http.Header{
		"Accept": {"application/json"}, "User-Agent": {"serviceapi-go/" + Version},
		"Content-Type": {"application/json"},
	}, got)

	_, err = client.Do(t.Context(), http.MethodGet, EscapedPath("/file"), nil, new(strings.Builder))
	require.NoError(t, err)
	assert.Equal(t,
		http.Header{"Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "User-Agent": {"serviceapi-go/" + Version}},
		got)

	_, err = getJob(t.Context(), client, WithHeader("Accept", "application/vnd.x+json"),
		WithHeader("User-Agent", "own"))
	require.NoError(t, err)
	assert.Equal(t, http.Header{"Accept": {"application/vnd.x+json"}, "User-Agent": {"own"}}, got)
}

// TestHeaderOfOneRequestIsItsOwn checks that a header that a middleware changes
// is unchanged in the next attempt.
func TestHeaderOfOneRequestIsItsOwn(t *testing.T) {
	var seen []string
	spoil := func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Header.Get("X-Trace")+" "+r.Header.Get("Accept"))
			for name := range r.Header {
				r.Header[name] = append(r.Header[name][:0], "spoiled")
			}
			return next.RoundTrip(r)
		})
	}
	client, _ := scriptedClient(t, RetryPolicy{}, okJob)
	client, err := client.With(WithMiddleware(spoil), WithHeader("X-Trace", "7"))
	require.NoError(t, err)
	for range 2 {
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"7 application/json", "7 application/json"}, seen)
}

func TestUserAgentsThatCannotBeSent(t *testing.T) {
	for _, product := range []string{"", "a\nb"} {
		_, err := NewClient("https://service.test", Anonymous(), WithUserAgent(product))
		assert.EqualError(t, err, "serviceapi: user agent is empty or contains a control character")
	}
}

// TestExpectContinue checks that only large bodies of known size are sent with
// Expect: 100-continue.
func TestExpectContinue(t *testing.T) {
	var got http.Header
	client, err := NewClient("https://service.test", PrivateToken(testSecret),
		WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r.Header.Clone()
			r.Body.Close()
			return okJob(r)
		})}))
	require.NoError(t, err)
	for size, want := range map[int]string{
		expectContinueFrom - 1: "", expectContinueFrom: "100-continue", expectContinueFrom + 1: "100-continue",
	} {
		body := `"` + strings.Repeat("x", size-2) + `"`
		_, err := client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), body[1:len(body)-1], nil)
		require.NoError(t, err)
		assert.Equal(t, want, got.Get("Expect"), "%d bytes", size)
	}
	assert.Equal(t, 1<<20, expectContinueFrom)
}

// TestFileHeaders checks the limits of what describes a file: a size that is no int64, and two
// vendors that describe it equally well.
func TestFileHeaders(t *testing.T) {
	h := http.Header{"X-Service-Blob-Id": {"1"}, "X-Service-Size": {"9223372036854775807"}}
	meta, err := readFileMetadata(h)
	require.NoError(t, err)
	assert.Equal(t, int64(math.MaxInt64), meta.Size)
	h.Set("X-Service-Size", "9223372036854775808")
	meta, err = readFileMetadata(h)
	assert.ErrorContains(t, err, "Size")
	assert.Zero(t, meta.Size)
	tied := http.Header{"X-B-Blob-Id": {"1"}, "X-A-Blob-Id": {"1"}, "X-C-Blob-Id": {"1"}}
	for range 20 { // the order of a map differs
		assert.Equal(t, "X-A-", vendorPrefix(tied))
	}
}

// TestVendorWithMoreHeaders checks that each header that describes a file counts.
func TestVendorWithMoreHeaders(t *testing.T) {
	for _, name := range []string{"Size", "File-Path", "File-Name", "Ref", "Commit-Id"} {
		h := http.Header{"X-A-Blob-Id": {"1"}, "X-B-Blob-Id": {"1"}, "X-B-" + name: {"1"}, "X-C-Blob-Id": {"1"}}
		assert.Equal(t, "X-B-", vendorPrefix(h), name)
	}
}

// TestFileThatIsNotWhatItClaims checks what the error says about content with another checksum.
func TestFileThatIsNotWhatItClaims(t *testing.T) {
	const sum = "66a045b452102c59d840ec097d59d9467e13a3f34f6494e539ffd32c1bb35f18"
	file := &RepositoryFile{Content: []byte("Hello\n"),
		FileMetadata: FileMetadata{Encoding: ContentEncodingBase64, Size: 6, ContentSHA256: sum}}
	require.NoError(t, file.verify())
	file.ContentSHA256 = strings.Repeat("0", 64)
	var wrong *ChecksumError
	require.ErrorAs(t, file.verify(), &wrong)
	assert.Equal(t, &ChecksumError{ChecksumAlgorithmSHA256, strings.Repeat("0", 64), sum}, wrong)
}

// TestVendorPrefix checks which headers describe a file: those of a product have X-
// before their name.
func TestVendorPrefix(t *testing.T) {
	whole := func(prefix string) http.Header {
		h := http.Header{}
		for _, name := range []string{"Blob-Id", "Size", "File-Path", "File-Name", "Ref", "Commit-Id"} {
			h.Set(prefix+name, "1")
		}
		return h
	}
	both := whole("X-Forge-")
	maps.Copy(both, http.Header{"X-Cache-Blob-Id": {"2"}, "Service-Blob-Id": {"3"}})
	for want, h := range map[string]http.Header{
		"": whole("Service-"), "X-Service-": whole("X-Service-"), "X-Forge-": both,
	} {
		assert.Equal(t, want, vendorPrefix(h))
	}
	_, err := readFileMetadata(whole("Service-"))
	assert.Error(t, err)
}

// TestVendorPrefixOfFewHeaders checks that the hash of the file is enough to find the
// others.
func TestVendorPrefixOfFewHeaders(t *testing.T) {
	assert.Equal(t, "X-Acme-", vendorPrefix(http.Header{"X-Acme-Blob-Id": {"1"}}))
	assert.Empty(t, vendorPrefix(http.Header{"X-Acme-Size": {"1"}}))
}
