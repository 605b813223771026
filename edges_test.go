package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/internal/redact"
)

// TestWaitersNameWhatTheyWaitFor lets every method that waits tell an observer what it waits for:
// the number that it was given, in full.
func TestWaitersNameWhatTheyWaitFor(t *testing.T) {
	const number = 1234567
	client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id":1234567,"iid":1}`) })
	services := reflect.ValueOf(client).Elem()
	observed := 0
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		if !strings.Contains(method.Name, "Wait") {
			return
		}
		name := service.Name + "." + method.Name
		in, err := arguments(t, method.Type)
		require.NoError(t, err, name)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in[0] = reflect.ValueOf(ctx)
		takesNumber := false
		for i, arg := range in {
			if arg.Type() == reflect.TypeFor[int64]() {
				in[i], takesNumber = reflect.ValueOf(int64(number)), true
			}
		}
		var target string
		in = append(in, reflect.ValueOf(WithPollObserver(func(p Poll) {
			target = p.Target
			cancel()
		})))
		method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...))
		observed++
		assert.NotEmpty(t, target, name)
		if takesNumber {
			assert.Contains(t, target, "1234567", name)
		}
	})
	assert.Greater(t, observed, 5)
}

// TestRebaseIsAskedFor checks that the poll asks for the member that says whether a rebase is in
// progress: without it, every rebase would seem to have ended.
func TestRebaseIsAskedFor(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, `{"id":7,"iid":2}`)
	})
	_, err := client.MergeRequests.WaitForRebase(t.Context(), ProjectID(4).MergeRequest(2))
	require.NoError(t, err)
	assert.Equal(t, "include_rebase_in_progress=true", query)
}

// TestErrorsWithAndWithoutANumber checks that 0 is no number of a merge request.
func TestErrorsWithAndWithoutANumber(t *testing.T) {
	refusal := &Error{StatusCode: 409, Message: "it exists"}
	for mergeRequest, want := range map[MergeRequestRef]string{
		{}: "(an open merge request has these branches)", ProjectID(7).MergeRequest(1): "(merge request 7!1 is open)",
		ProjectPath("acme/app").MergeRequest(23): "(merge request acme/app!23 is open)",
	} {
		err := &MergeRequestExistsError{Err: refusal, MergeRequest: mergeRequest}
		assert.Equal(t, refusal.Error()+" "+want, err.Error())
	}
}

// TestEmptyPagesOfACatalog checks that pages without items are not taken for a registry that
// sends the same page forever.
func TestEmptyPagesOfACatalog(t *testing.T) {
	sent := 0
	p := newCatalogPair(t, func(w http.ResponseWriter, _ *http.Request) {
		if sent++; sent <= 3 {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d&n=1>; rel="next"`, sent))
			fmt.Fprint(w, `{"repositories":[]}`)
			return
		}
		fmt.Fprint(w, `{"repositories":["a"]}`)
	})
	names, err := Collect(p.catalog().All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)
	assert.Equal(t, 4, sent)
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
	file := &RepositoryFile{Encoding: ContentEncodingBase64, Content: []byte("Hello\n"),
		FileMetadata: FileMetadata{Size: 6, ContentSHA256: sum}}
	require.NoError(t, file.verify())
	file.ContentSHA256 = strings.Repeat("0", 64)
	var wrong *ChecksumError
	require.ErrorAs(t, file.verify(), &wrong)
	assert.Equal(t, &ChecksumError{ChecksumAlgorithmSHA256, strings.Repeat("0", 64), sum}, wrong)
}

// TestLongNamesInErrors checks that a name from the caller is cut where an error quotes it.
func TestLongNamesInErrors(t *testing.T) {
	name := strings.Repeat("n", 70)
	client, _ := scriptedClient(t, RetryPolicy{})
	for _, err := range []error{
		UpdateApplicationSettingsOptions{Extra: map[string]json.RawMessage{name: []byte("{")}}.check(),
		bodyFieldProblem(name, "is bad"),
		func() error { _, err := getJob(t.Context(), client, WithHeader(name+" ", "x")); return err }(),
	} {
		require.Error(t, err)
		assert.Contains(t, err.Error(), name[:60]+"…")
		assert.NotContains(t, err.Error(), name[:61])
	}
}

// TestEveryDay reads and writes all days of a leap year, and the first one of all.
func TestEveryDay(t *testing.T) {
	days := []string{"0000-01-01", "9999-12-31"}
	for day := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2028; day = day.AddDate(0, 0, 1) {
		days = append(days, day.Format(time.DateOnly))
	}
	require.Len(t, days, 368)
	for _, text := range days {
		var day Date
		var either DateOrTime
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &day), text)
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &either), text)
		assert.Equal(t, text, day.String())
		assert.Equal(t, text, either.String())
		assert.Equal(t, text, day.Format(time.DateOnly))
	}
}

// TestDumpKeepsOnlyWhatItShows checks that a dump keeps no more of a long body than the part that
// it shows, and what a secret at its cut may need.
func TestDumpKeepsOnlyWhatItShows(t *testing.T) {
	content := strings.NewReader(strings.Repeat("x", 1<<20))
	d := &dumper{w: io.Discard, options: DumpOptions{MaxBody: 10}}
	b := &dumpedBody{ReadCloser: io.NopCloser(content), dumper: d, mask: &mask{}}
	n, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	assert.EqualValues(t, 1<<20, n)
	assert.Len(t, b.kept, 10+redact.Margin)
}

// TestDumpOfABodyThatEndsLikeASecret checks that nothing is left out at the end of a body that is
// dumped whole: only at a cut may there be the beginning of a secret.
func TestDumpOfABodyThatEndsLikeASecret(t *testing.T) {
	var dump strings.Builder
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(400, "a bad "+testSecret[:6]))
	_, err := getJob(t.Context(), client, WithCredential(PrivateToken(testSecret)),
		WithDump(&dump, DumpOptions{Bodies: true}))
	require.ErrorIs(t, err, ErrBadRequest)
	assert.Contains(t, dump.String(), "\na bad "+testSecret[:6]+"\n")
}

// TestDumpOfAMalformedLocation checks that its query is hidden from the first character on.
func TestDumpOfAMalformedLocation(t *testing.T) {
	for location, want := range map[string]string{
		"/%zz?signed": "/%zz?[redacted]", "/%zz#signed": "/%zz#[redacted]", "/%zz?": "/%zz?[redacted]", "/%zz": "/%zz",
		"#%zzsigned": "#[redacted]",
	} {
		var dump strings.Builder
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(400, "", "Location", location, "Content-Location", location))
		_, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
		require.Error(t, err)
		assert.Contains(t, dump.String(), "< Location: "+want+"\n")
		assert.Contains(t, dump.String(), "< Content-Location: "+want+"\n")
	}
}

// TestSecretsInPointersAreHidden checks that a secret does not get into an error as the name of a
// member, in which a pointer escapes two characters.
func TestSecretsInPointersAreHidden(t *testing.T) {
	for _, secret := range []string{testSecret, "s3cr3t/~token+1", `s3cr3t"token/1`} {
		body, err := json.Marshal(map[string]any{secret: "no number"})
		require.NoError(t, err)
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, string(body)))
		_, _, err = client.Projects.GetLanguages(t.Context(), ProjectID(4), WithCredential(PrivateToken(secret)))
		var wrong *DecodeError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "/[redacted]", wrong.Pointer)
	}
}

// TestSecretsOfABody checks that the secrets of a value are known however deep they are, and
// although it could not be encoded: the error may quote it.
func TestSecretsOfABody(t *testing.T) {
	v := reflect.ValueOf(NewSecret(testSecret))
	for range maxSecretDepth {
		list := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
		list.Index(0).Set(v)
		v = list
	}
	data, secrets, err := encodeJSON(v.Interface(), false)
	require.NoError(t, err)
	assert.Contains(t, string(data), testSecret)
	assert.Equal(t, []string{testSecret}, secrets)
	_, secrets, err = encodeJSON(struct {
		Password Secret
		Bad      chan int
	}{Password: NewSecret(testSecret)}, false)
	require.Error(t, err)
	assert.Equal(t, []string{testSecret}, secrets)
}

// TestLongBodyThatIsWrong checks a body that is kept in pieces: what is wrong in it is an error,
// as in a short one.
func TestLongBodyThatIsWrong(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for body, partial := range map[string]bool{
		`{"name":"` + long + `","id":"seven","ref":"main"}`: true, `{"id":7,"ref":"main","name":"` + long: false,
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, err := getJob(t.Context(), client)
		var wrong *DecodeError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, partial, wrong.Partial)
		if partial {
			assert.Equal(t, "/id", wrong.Pointer)
			assert.Equal(t, "main", job.Ref)
		}
	}
}

// TestTooManyDialsAreNamed checks the error of an attempt that opens one connection after the
// other.
func TestTooManyDialsAreNamed(t *testing.T) {
	ctx := context.WithValue(t.Context(), infoKey{}, &requestInfo{dials: maxDials})
	_, err := limitDials(func(context.Context, string, string) (net.Conn, error) {
		t.Error("one more")
		return nil, io.EOF
	})(ctx, "tcp", "service.test:443")
	assert.Equal(t, &net.OpError{Op: "dial", Net: "tcp", Err: errManyDials}, err)

	ctx = context.WithValue(t.Context(), infoKey{}, &requestInfo{dials: maxDials - 1})
	_, err = limitDials(func(context.Context, string, string) (net.Conn, error) {
		return nil, io.EOF
	})(ctx, "tcp", "service.test:443")
	assert.Equal(t, io.EOF, err, "the last one that is allowed")
}

// TestSecretAsAnEncoding checks that a secret is hidden before it is quoted, which may change how
// it looks.
func TestSecretAsAnEncoding(t *testing.T) {
	const secret = "s3cr3t-\u202e-token-of-the-call"
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "x", "Content-Encoding", secret))
	_, err := getJob(t.Context(), client, WithCredential(PrivateToken(secret)))
	assert.ErrorContains(t, err, `content encoding "[redacted]" was not requested`)
}

// TestTokenThatWasAcceptedIsReplacedAgain checks that any success shows that a token is good, and
// not only that of the call that replaced it: the next refusal is one of the token.
func TestTokenThatWasAcceptedIsReplacedAgain(t *testing.T) {
	replies := []func(*http.Request) (*http.Response, error){
		unauthorizedResponse, status(500, ""), okJob, unauthorizedResponse, okJob,
	}
	s := &authService{api: func(*http.Request, string) func(*http.Request) (*http.Response, error) {
		reply := replies[0]
		replies = replies[1:]
		return reply
	}}
	client := s.client(t, time.Hour)
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	for range 2 {
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{
		"access-token-0", "access-token-1", "access-token-1", "access-token-1", "access-token-2",
	}, s.tokens)
}
