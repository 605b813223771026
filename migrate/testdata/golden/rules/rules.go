// Package rules says itself what is sent again, and when.
package rules

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// instance fails several times before it answers.
type instance struct {
	mu   sync.Mutex
	left int // failures
	log  []string
}

func (i *instance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	body := make([]byte, 64)
	n, _ := r.Body.Read(body)
	i.log = append(i.log, fmt.Sprint(r.Method, " ", r.URL.Path, " ", r.Header.Get("X-Kind"), " ", string(body[:n])))
	w.Header().Set("Content-Type", "application/json")
	if i.left > 0 {
		i.left--
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"message":"later"}`)
		return
	}
	fmt.Fprint(w, `{"id":1,"version":"18.0","revision":"a"}`)
}

type methodKey struct{}

// mark notes the method of a request, for the rule.
func mark(req *retryablehttp.Request) error {
	ctx := context.WithValue(req.Context(), methodKey{}, req.Method)
	*req = *req.WithContext(ctx)
	req.Header.Set("X-Kind", strings.ToLower(req.Method))
	return nil
}

var errRefused = errors.New("refused by the program")

func refuse(*retryablehttp.Request) error { return errRefused }

// rule repeats what fails for now, and a write only if it is a POST.
func rule(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	method, _ := ctx.Value(methodKey{}).(string)
	return err == nil && resp.StatusCode == http.StatusServiceUnavailable && method != http.MethodDelete, nil
}

func soon(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return time.Millisecond }

// options are known at run time.
func options(url string, again bool) []gitlab.ClientOptionFunc {
	options := []gitlab.ClientOptionFunc{gitlab.WithBaseURL(url),
		gitlab.WithHTTPClient(&http.Client{Timeout: time.Minute})}
	if !again {
		return append(options, gitlab.WithoutRetries())
	}
	return append(
		options,
		gitlab.WithCustomRetryMax(3),
		gitlab.WithCustomRetryWaitMinMax(time.Millisecond, 2*time.Millisecond),
		gitlab.WithCustomRetry(rule),
		gitlab.WithCustomBackoff(soon),
		gitlab.WithRequestOptions(mark, gitlab.WithHeader("X-Other", "1")),
	)
}

// literal has its options where it is made.
func literal(url string, hook func(retryablehttp.Logger, *http.Request, int)) (*gitlab.Client, error) {
	return gitlab.NewClient("token", gitlab.WithBaseURL(url), gitlab.WithRequestLogHook(hook),
		gitlab.WithRequestOptions(mark), gitlab.WithCustomBackoff(soon), gitlab.WithCustomRetry(rule),
		gitlab.WithErrorHandler(func(resp *http.Response, _ error, tries int) (*http.Response, error) {
			resp.Body.Close()
			return nil, fmt.Errorf("gave up after %d", tries)
		}))
}

// once repeats one call by a rule of its own.
func once(client *gitlab.Client) bool {
	_, _, err := client.Version.GetVersion(gitlab.WithHeader("X-Kind", "once"),
		gitlab.WithRequestRetry(func(_ context.Context, resp *http.Response, err error) (bool, error) {
			return err == nil && resp.StatusCode == http.StatusServiceUnavailable, err
		}))
	return err != nil
}

// few has no rule of its own, but a number.
func few(url string) (*gitlab.Client, error) {
	options := []gitlab.ClientOptionFunc{gitlab.WithCustomRetryMax(1)}
	options = append(options, gitlab.WithBaseURL(url), gitlab.WithCustomBackoff(soon),
		gitlab.WithCustomRetryWaitMinMax(time.Millisecond, 2*time.Millisecond))
	return gitlab.NewClient("token", options...)
}

// Run calls an instance that fails.
func Run(_, _ string) (string, error) {
	i := &instance{}
	server := httptest.NewServer(i)
	defer server.Close()
	var out strings.Builder
	hook := func(_ retryablehttp.Logger, req *http.Request, _ int) { fmt.Fprintln(&out, "hook", req.Method) }
	for _, open := range []func() (*gitlab.Client, error){
		func() (*gitlab.Client, error) { return gitlab.NewClient("token", options(server.URL, true)...) },
		func() (*gitlab.Client, error) { return gitlab.NewClient("token", options(server.URL, false)...) },
		func() (*gitlab.Client, error) { return literal(server.URL, hook) },
	} {
		client, err := open()
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, calls(i, client))
	}
	client, err := few(server.URL)
	if err != nil {
		return "", err
	}
	i.left = 2
	_, _, err = client.Version.GetVersion()
	fmt.Fprintln(&out, err != nil)
	i.left = 1
	fmt.Fprintln(&out, once(client))
	client, err = gitlab.NewClient("token", gitlab.WithBaseURL(server.URL), gitlab.WithRequestOptions(refuse))
	if err != nil {
		return "", err
	}
	_, _, err = client.Version.GetVersion()
	fmt.Fprintln(&out, err != nil && strings.Contains(err.Error(), errRefused.Error()))
	return out.String() + strings.Join(i.log, "\n"), nil
}

// calls reads, writes and deletes, and fails in the end.
func calls(i *instance, client *gitlab.Client) string {
	var failed []bool
	i.left = 2
	_, _, err := client.Version.GetVersion()
	failed = append(failed, err != nil)
	i.left = 1
	_, _, err = client.Labels.CreateLabel("acme/shop", &gitlab.CreateLabelOptions{
		Name: gitlab.Ptr("bug"), Color: gitlab.Ptr("#ff0000")})
	failed = append(failed, err != nil)
	i.left = 1
	_, err = client.Tags.DeleteTag("acme/shop", "v1")
	failed = append(failed, err != nil)
	i.left = 9
	_, _, err = client.Version.GetVersion()
	return fmt.Sprint(failed, err != nil, 9-i.left)
}
