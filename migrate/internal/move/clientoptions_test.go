package move

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noteTexts returns the notes of a kind.
func noteTexts(result *Result, kind string) (texts []string) {
	for _, note := range result.Report.Notes {
		if note.Reason == kind {
			texts = append(texts, note.Text)
		}
	}
	return texts
}

// Every option of a client has an answer, and none holds a client back.
func TestOptionsOfClients(t *testing.T) {
	result := moveText(t, `package lines

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func soon(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 }

func literal(jar http.CookieJar) (*gitlab.Client, error) {
	return gitlab.NewClient("x", gitlab.WithCookieJar(jar), gitlab.WithURLWarningLogger(slog.Default()),
		gitlab.WithErrorHandler(retryablehttp.PassthroughErrorHandler), gitlab.WithCustomBackoff(soon),
		gitlab.WithCustomRetryMax(2), gitlab.WithRequestOptions(gitlab.WithHeader("X-A", "1"), gitlab.WithSudo(7)))
}

func listed(source gitlab.AuthSource) (*gitlab.Client, error) {
	options := []gitlab.ClientOptionFunc{gitlab.WithCustomBackoff(soon), gitlab.WithCustomRetryMax(2)}
	return gitlab.NewAuthSourceClient(source, options...)
}

func always(all map[string]string) (*gitlab.Client, error) {
	return gitlab.NewClient("x", gitlab.WithRequestOptions(gitlab.WithHeaders(all)))
}

func headers(client *gitlab.Client, all map[string]string) {
	client.Tags.ListTags("acme/shop", nil, gitlab.WithHeaders(all))
	client.Tags.ListTags("acme/shop", nil, gitlab.WithHeaders(map[string]string{"Job-Token": "x"}))
}
`)
	for _, item := range result.Report.Items {
		assert.Empty(t, item.Reason, "%s", item)
	}
	text := ""
	for _, f := range result.Files {
		text += string(f.New)
	}
	for _, line := range []string{
		`serviceapi.WithMiddleware(cookieJar(jar)), serviceapi.WithHeader("X-A", "1"), ` +
			`serviceapi.WithSudo(serviceapi.UserID(7)), serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 3}))`,
		"options := []clientOption{withOption(), withMaxRetries(2)}",
		"serviceapi.WithMiddleware(requestFunctions(setHeaders(all))))",
		"return newSourceServiceClient(source, options...)",
		"callOptions([]serviceapi.RequestOption{withHeaders(all)})...)",
		`serviceapi.WithCredential(serviceapi.JobToken("x"))`,
		"o.Options = append([]serviceapi.Option{serviceapi.WithRetry(o.Retry)}, o.Options...)",
	} {
		assert.Contains(t, text, line)
	}
	assert.Equal(t, []string{
		"WithCustomBackoff is dropped: see serviceapi.RetryPolicy for the waits",
		"WithCustomBackoff is dropped: see serviceapi.RetryPolicy for the waits",
		"WithErrorHandler is dropped: the call returns the error of the last attempt",
	}, slices.Sorted(slices.Values(noteTexts(result, "retries"))))
}

// A call with a rule of its own is not repeated by the rule of its client, too.
func TestRulesOfCallsAndClients(t *testing.T) {
	result := moveText(t, `package lines

import (
	"github.com/hashicorp/go-retryablehttp"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func Version(rule retryablehttp.CheckRetry) error {
	client, err := gitlab.NewClient("x", gitlab.WithCustomRetry(rule))
	if err != nil {
		return err
	}
	_, _, err = client.Version.GetVersion(gitlab.WithRequestRetry(rule))
	return err
}
`)
	require.Len(t, result.Files, 2)
	assert.Contains(t, string(result.Files[0].New), "client.Metadata.Version(withCallRule(context.TODO(), rule), ")
	assert.Contains(t, string(result.Files[1].New), "return next.RoundTrip(req) // repeatByCall repeats it")
	assert.Len(t, noteTexts(result, "retries"), 1)
}

// Options of clients have one type in all packages of a program.
func TestOptionsInTwoPackages(t *testing.T) {
	files := map[string]string{"a/a.go": "package a\n\n" + importOld + `
type Maker interface {
	Make(token string, options ...gitlab.ClientOptionFunc) (*gitlab.Client, error)
}

type plain struct{}

func (plain) Make(token string, options ...gitlab.ClientOptionFunc) (*gitlab.Client, error) {
	return gitlab.NewClient(token, options...)
}

func New() Maker { return plain{} }
`, "b/b.go": "package b\n\nimport (\n\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n\n\t\"" + goldenPath + `/a"
)

type other struct{ a.Maker }

func (o other) Make(token string, options ...gitlab.ClientOptionFunc) (*gitlab.Client, error) {
	return o.Maker.Make(token, append(options, gitlab.WithUserAgent("b"))...)
}

func name(url string) (string, error) {
	var maker a.Maker = other{a.New()}
	client, err := maker.Make("t", gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	user, _, err := client.Users.CurrentUser()
	if err != nil {
		return "", err
	}
	return user.Username, nil
}
`}
	for _, rule := range []string{"", ", gitlab.WithoutRetries()", ", gitlab.WithCustomRetry(nil)"} {
		text := files["b/b.go"]
		files["b/b.go"] = strings.Replace(text, "WithBaseURL(url)", "WithBaseURL(url)"+rule, 1)
		result, _ := moveFiles(t, writeModule(t, files), "./...")
		assert.Equal(t, result.Report.Sites, result.Report.Moved, "%v", result.Report.Items)
		files["b/b.go"] = text
	}
}

// What a published file is selected by is in no option here, wherever the program keeps it.
func TestSelectedFiles(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\nimport (\n\t\"io\"\n\n" +
		"\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n" + `
func publish(client *gitlab.Client, file io.Reader) error {
	selected := gitlab.SelectPackageFile
	_, _, err := client.GenericPackages.PublishPackageFile(1, "shop", "1.0", "a.zip", file,
		&gitlab.PublishPackageFileOptions{Select: &selected})
	return err
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "client.Packages.PublishGeneric(")
	assert.NotContains(t, changed["a.go"], "gitlab.")
}
