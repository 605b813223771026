package conventions

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// sentOnce are the methods whose PUT or DELETE is not repeated although the caller
// allows it for idempotent requests, and why.
var sentOnce = map[string]string{
	"Labels.Promote":              "a second promotion finds no label of the project",
	"Labels.Update":               "a second renaming finds no label with the old name",
	"MergeRequests.Merge":         "a second merge is refused after a success",
	"MergeRequests.Rebase":        "a second rebase begins anew",
	"MergeRequests.RebaseAndWait": "a second rebase begins anew",
	"Packages.PublishGeneric":     "a second file of the name is added",
	"Packages.UploadModel":        "a second file of the name is added",
	"RepositoryFiles.Delete":      "a second commit fails, because the file is gone",
	"Repository.UpdateSubmodule":  "a second commit fails, because nothing changes",
	"RepositoryFiles.Update":      "a second commit fails, because nothing changes",
	"TerraformStates.Unlock":      "a second one finds no lock",
	"Wikis.Update":                "a page that was renamed is not found again",
}

// queries are the methods whose first POST only reads, such as a GraphQL query.
var queries = []string{
	"OAuth.Introspect",
	"AccessTokens.GetPermissions",
	"TargetBranchRules.All", "TargetBranchRules.Create", "TargetBranchRules.List", "TerraformStates.All",
	"TerraformStates.Get", "TerraformStates.List", "WorkItems.All", "WorkItems.AllTypes", "WorkItems.Get",
	"WorkItems.List", "WorkItems.ListTypes",
}

// forbiddenBy401 are the methods for which the status 401 says that the caller may
// not do it, although the credential is good.
var forbiddenBy401 = []string{
	"ProjectImport.FromBitbucket", "ProjectImport.FromBitbucketServer", "ProjectImport.GistsFromGitHub",
	"Approvals.Approve", "Approvals.Reset", "DORAMetrics.All", "DORAMetrics.List", "MergeTrains.Add",
	"MergeRequests.CancelMergeWhenPipelineSucceeds", "MergeRequests.Merge",
	"Mirrors.All", "Mirrors.Create", "Mirrors.Delete", "Mirrors.Get", "Mirrors.GetPublicKey", "Mirrors.List",
	"Mirrors.Sync", "Mirrors.Update",
	"Projects.CreateForkRelation",
	"SAMLLinks.All", "SAMLLinks.Create", "SAMLLinks.Delete", "SAMLLinks.Get", "SAMLLinks.List",
	"SecuritySettings.Get", "SecuritySettings.Update", "SecuritySettings.UpdateBelow",
	"StatusChecks.All", "StatusChecks.AllForMergeRequest", "StatusChecks.Create", "StatusChecks.Delete",
	"StatusChecks.List", "StatusChecks.ListForMergeRequest", "StatusChecks.Retry", "StatusChecks.SetStatus",
	"StatusChecks.Update",
}

// TestWhatIsRepeated makes every call to a service that always fails, for a caller who
// allows that idempotent requests are repeated.
func TestWhatIsRepeated(t *testing.T) {
	for name, exchanges := range everyCall(t, http.StatusBadGateway, "application/json") {
		want := 2
		switch exchanges.method {
		case http.MethodPost, http.MethodPatch:
			if want = 1; slices.Contains(queries, name) {
				want = 2
			}
		case http.MethodPut, http.MethodDelete:
			if sentOnce[name] != "" {
				want = 1
			}
		}
		assert.Equal(t, want, exchanges.count, "%s: a %s that fails with 502", name, exchanges.method)
	}
}

// ofApplications are the calls that are signed by their body, and not by the credential of
// the client: another one would not help.
var ofApplications = []string{"OAuth.AuthorizeDevice", "OAuth.Introspect", "OAuth.Revoke"}

// TestWhatIsForbiddenBy401 makes every call to a service that always responds with
// 401, with a credential that could be replaced: it is, and the call made once more,
// unless the status speaks of the caller and not of the credential.
func TestWhatIsForbiddenBy401(t *testing.T) {
	for name, exchanges := range everyCall(t, http.StatusUnauthorized, "application/json") {
		want := 2
		if slices.Contains(forbiddenBy401, name) || slices.Contains(ofApplications, name) {
			want = 1
		}
		assert.Equal(t, want, exchanges.count, name)
		assert.ErrorIs(t, exchanges.err, serviceapi.ErrUnauthorized, name)
	}
}

// maybePages are the downloads whose content may be a web page, and why.
var maybePages = map[string]string{
	"JobArtifacts.DownloadFile":       "a file that a job made",
	"JobArtifacts.DownloadLatestFile": "a file that a job made",
	"Repository.DownloadBlob":         "a file of the repository",
	"RepositoryFiles.Raw":             "a file of the repository",
	"Releases.DownloadFile":           "whatever a link leads to",
	"Snippets.Download":               "a file that a user wrote",
	"Snippets.DownloadFile":           "a file that a user wrote",
	"Uploads.Download":                "a file that a user added",
	"Uploads.DownloadFile":            "a file that a user added",
}

// TestWhatIsNeverAWebPage begins every download from a service that always responds with
// a web page, as a proxy does that wants users to sign in: it is refused, unless the
// content may be a page.
func TestWhatIsNeverAWebPage(t *testing.T) {
	calls := everyCall(t, http.StatusOK, "text/html; charset=utf-8")
	taken := 0
	for service, method := range inventory.Methods(clientType) {
		name := service.Name + "." + method.Name
		switch {
		case !isDownload(method.Type):
		case maybePages[name] != "":
			taken++
			assert.NoError(t, calls[name].err, name)
		default:
			assert.ErrorContains(t, calls[name].err, "it is a web page", name)
		}
	}
	assert.Len(t, maybePages, taken, "a name that is no download")
}

// exchanges are what a call sent to the endpoint that it called first.
type exchanges struct {
	method, path string
	count        int
	err          error
}

// everyCall makes each call to a service that always responds with a status and an empty
// object, or whatever the type of the content says.
func everyCall(t *testing.T, status int, contentType string) map[string]*exchanges {
	t.Helper()
	var current *exchanges
	transport := transportFunc(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		if current.count == 0 {
			current.method, current.path = r.Method, r.URL.Path
		}
		if current.path == r.URL.Path && current.method == r.Method {
			current.count++
		}
		return &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(strings.NewReader(`{}`)),
		}, nil
	})
	tokens := 0
	source := tokenFunc(func() (*oauth2.Token, error) {
		tokens++
		return &oauth2.Token{AccessToken: fmt.Sprint("not-a-real-token-", tokens)}, nil
	})
	calls := map[string]*exchanges{}
	for service, method := range inventory.Methods(clientType) {
		// A client of its own, because clients repeat only so much in all.
		client, err := serviceapi.NewClient("https://service.test", serviceapi.OAuth2(source),
			serviceapi.WithHTTPClient(&http.Client{Transport: transport}),
			serviceapi.WithPollInterval(time.Millisecond, time.Millisecond),
			serviceapi.WithRetry(serviceapi.RetryPolicy{
				MaxAttempts: 2, MinWait: time.Nanosecond, MaxWait: time.Nanosecond, RetryIdempotent: true,
			}))
		require.NoError(t, err)
		current = &exchanges{}
		calls[service.Name+"."+method.Name] = current
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		current.err = callMethod(t, t.Context(), receiver, method, func() bool { return current.count > 0 })
		assert.Positive(t, current.count, "%s.%s: %v", service.Name, method.Name, current.err)
	}
	return calls
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }
