package move

import (
	"maps"
	"strings"
)

func init() { maps.Copy(helpers, clientHelpers) }

// optionsHelper returns the helper that applies options of a client that are known at run time. It has
// only what the program sets.
func (p *program) optionsHelper() helper {
	h := helper{imports: []string{lib}, text: plainOptions}
	switch {
	case p.rules:
		h.text = ruleOptions
		h.imports = append(h.imports, "net/http", "time", retryable)
		h.needs = []string{"requestFunctions", "repeatWith"}
	case p.retries:
		h.text = retryOptions
	}
	h.text = strings.Replace(h.text, "DEFAULT", defaultBaseURL, 1)
	if p.callRules {
		h.text = strings.Replace(h.text, repeatAll, repeatOthers, 1)
	}
	return h
}

// What repeats by the rule of a client, also where some calls have rules of their own.
const (
	repeatAll = `	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		return repeatWith(client, req)
	})
`
	repeatOthers = `	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		if req.Context().Value(struct{ CallRule struct{} }{}) != nil {
			return next.RoundTrip(req) // repeatByCall repeats it
		}
		return repeatWith(client, req)
	})
`
)

// The texts that the forms of the helper below have in common: before and after the fields of the
// options, and where these are set.
const (
	optionType = `
// A clientOption is an option of newServiceClient, in all packages of the program.
type clientOption = func(*clientOptions)

type clientOptions = struct {
`
	optionMaker = `}

// newServiceClient returns a client with options that are known at run time.
func newServiceClient(cred serviceapi.Credential, options ...clientOption) (*serviceapi.Client, error) {
	o := optionsOf(options)
	return serviceapi.NewClient(o.BaseURL, cred, o.Options...)
}

`
	optionLoop = `	for _, option := range options {
		if option != nil {
			option(o)
		}
	}
`
)

const plainOptions = optionType + `	BaseURL string
	Options []serviceapi.Option
` + optionMaker + `// optionsOf returns what options set.
func optionsOf(options []clientOption) *clientOptions {
	o := &clientOptions{BaseURL: DEFAULT}
` + optionLoop + `	return o
}`

const retryOptions = optionType + `	BaseURL string
	Retry   serviceapi.RetryPolicy
	Options []serviceapi.Option
` + optionMaker + `// optionsOf returns what options set.
func optionsOf(options []clientOption) *clientOptions {
	o := &clientOptions{BaseURL: DEFAULT}
` + optionLoop + `	o.Options = append([]serviceapi.Option{serviceapi.WithRetry(o.Retry)}, o.Options...)
	return o
}`

const ruleOptions = optionType + `	BaseURL   string
	Retry     serviceapi.RetryPolicy
	Rule      retryablehttp.CheckRetry
	Backoff   retryablehttp.Backoff
	Failed    retryablehttp.ErrorHandler
	HTTP      *http.Client
	Functions []func(*retryablehttp.Request) error
	Options   []serviceapi.Option
` + optionMaker + `// optionsOf returns what options set. With a rule of the program, a middleware repeats requests, and
// the library does not.
func optionsOf(options []clientOption) *clientOptions {
	o := &clientOptions{
		BaseURL: DEFAULT,
		Failed:  retryablehttp.PassthroughErrorHandler,
		Backoff: defaultBackoff,
	}
` + optionLoop + `	var first []serviceapi.Option
	if len(o.Functions) > 0 {
		first = append(first, serviceapi.WithMiddleware(requestFunctions(o.Functions...)))
	}
	transport := o.HTTP
	if o.Rule != nil {
		retry := serviceapi.RetryPolicy{MaxAttempts: 1, NoSharedPause: true}
		byRule := func(next http.RoundTripper) http.RoundTripper { return repeatByRule(o, next) }
		first = append(first, serviceapi.WithRetry(retry), serviceapi.WithMiddleware(byRule))
		if o.HTTP != nil {
			transport = &http.Client{Transport: o.HTTP.Transport} // its timeout is one of an attempt
		}
	} else {
		first = append(first, serviceapi.WithRetry(o.Retry))
	}
	if transport != nil {
		first = append(first, serviceapi.WithHTTPClient(transport))
	}
	o.Options = append(first, o.Options...)
	return o
}

// repeatByRule sends a request by the rule of the program.
func repeatByRule(o *clientOptions, next http.RoundTripper) http.RoundTripper {
	client := &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: next, CheckRedirect: noRedirect},
		RetryMax:     5,
		RetryWaitMin: 100 * time.Millisecond,
		RetryWaitMax: 400 * time.Millisecond,
		CheckRetry:   o.Rule,
		Backoff:      o.Backoff,
		ErrorHandler: o.Failed,
	}
	if o.HTTP != nil {
		client.HTTPClient.Timeout = o.HTTP.Timeout
	}
	if o.Retry.MaxAttempts > 0 {
		client.RetryMax = o.Retry.MaxAttempts - 1
	}
	if o.Retry.MaxWait > 0 {
		client.RetryWaitMin, client.RetryWaitMax = o.Retry.MinWait, o.Retry.MaxWait
	}
	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		return repeatWith(client, req)
	})
}`

// clientHelpers are the helpers for options of clients.
var clientHelpers = map[string]helper{
	"withBaseURL": {needs: []string{"clientOption"}, text: `
// withBaseURL sets the address of the instance.
func withBaseURL(baseURL string) clientOption {
	return func(o *clientOptions) { o.BaseURL = baseURL }
}`},
	"withOption": {imports: []string{lib}, needs: []string{"clientOption"}, text: `
// withOption adds options of the library.
func withOption(options ...serviceapi.Option) clientOption {
	return func(o *clientOptions) { o.Options = append(o.Options, options...) }
}`},
	"withOptions": {needs: []string{"clientOption"}, text: `
// withOptions applies several options.
func withOptions(options ...clientOption) clientOption {
	return func(o *clientOptions) {
		for _, option := range options {
			option(o)
		}
	}
}`},
	"withMaxRetries": {needs: []string{"clientOption"}, text: `
// withMaxRetries sets how often a request is sent again.
func withMaxRetries(n int) clientOption {
	return func(o *clientOptions) { o.Retry.MaxAttempts = n + 1 }
}`},
	"withRetryWaits": {imports: []string{"time"}, needs: []string{"clientOption"}, text: `
// withRetryWaits sets the shortest and the longest wait before a request is sent again.
func withRetryWaits(least, most time.Duration) clientOption {
	return func(o *clientOptions) { o.Retry.MinWait, o.Retry.MaxWait = least, most }
}`},
	"withRetryRule": {imports: []string{retryable}, needs: []string{"clientOption"}, text: `
// withRetryRule sets the rule that says whether a request is sent again.
func withRetryRule(rule retryablehttp.CheckRetry) clientOption {
	return func(o *clientOptions) { o.Rule = rule }
}`},
	"withBackoff": {imports: []string{retryable}, needs: []string{"clientOption"}, text: `
// withBackoff sets how long to wait before a request is sent again, where the program has a rule for
// that.
func withBackoff(backoff retryablehttp.Backoff) clientOption {
	return func(o *clientOptions) { o.Backoff = backoff }
}`},
	"withErrorHandler": {imports: []string{retryable}, needs: []string{"clientOption"}, text: `
// withErrorHandler sets what is called after the last attempt, where the program has a rule for
// retries.
func withErrorHandler(handler retryablehttp.ErrorHandler) clientOption {
	return func(o *clientOptions) { o.Failed = handler }
}`},
	"withHTTPClient": {imports: []string{"net/http"}, needs: []string{"clientOption"}, text: `
// withHTTPClient sets the transport and the timeout of each attempt.
func withHTTPClient(client *http.Client) clientOption {
	return func(o *clientOptions) { o.HTTP = client }
}`},
	"withRequestFunctions": {imports: []string{retryable}, needs: []string{"clientOption"}, text: `
// withRequestFunctions adds functions that requestFunctions calls.
func withRequestFunctions(functions ...func(*retryablehttp.Request) error) clientOption {
	return func(o *clientOptions) { o.Functions = append(o.Functions, functions...) }
}`},
	"repeatWith": {imports: []string{"errors", "math/rand", "net/http", "net/url", "strconv", "time",
		retryable}, text: `
// repeatWith sends a request until a rule of the program ends that.
func repeatWith(client *retryablehttp.Client, req *http.Request) (*http.Response, error) {
	repeated, err := retryablehttp.FromRequest(req)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(repeated)
	if err == nil {
		return resp, nil
	}
	if resp != nil {
		resp.Body.Close()
	}
	if failure, ok := errors.AsType[*url.Error](err); ok {
		err = failure.Err
	}
	return nil, err
}

// noRedirect leaves redirects to the library.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// defaultBackoff waits as long as the service says after a 429, and for about a second after another
// failure.
func defaultBackoff(least, most time.Duration, attempt int, resp *http.Response) time.Duration {
	if resp == nil || resp.StatusCode != http.StatusTooManyRequests {
		return retryablehttp.LinearJitterBackoff(700*time.Millisecond, 900*time.Millisecond, attempt, resp)
	}
	wait := least << attempt
	if reset, err := strconv.ParseInt(resp.Header.Get("Ratelimit-Reset"), 10, 64); err == nil {
		wait = max(least, time.Until(time.Unix(reset, 0)))
	}
	return wait + time.Duration(rand.Float64()*float64(most-least))
}`},
	"withCallRule": {imports: []string{lib, "context", "net/http", "time", retryable},
		needs: []string{"repeatWith"}, text: `
// A callRule is the key of a rule for the retries of one call, in all packages of the program.
type callRule = struct{ CallRule struct{} }

// withCallRule returns a context with a rule for the retries of a call. repeatByCall keeps to it.
func withCallRule(ctx context.Context, rule retryablehttp.CheckRetry) context.Context {
	return context.WithValue(ctx, callRule{}, rule)
}

// repeatByCall sends a request by the rule of its call, if it has one. The library does not repeat such
// a call.
func repeatByCall(next http.RoundTripper) http.RoundTripper {
	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		rule, ok := req.Context().Value(callRule{}).(retryablehttp.CheckRetry)
		if !ok {
			return next.RoundTrip(req)
		}
		return repeatWith(&retryablehttp.Client{
			HTTPClient:   &http.Client{Transport: next, CheckRedirect: noRedirect},
			RetryMax:     5,
			RetryWaitMin: 100 * time.Millisecond,
			RetryWaitMax: 400 * time.Millisecond,
			CheckRetry:   rule,
			Backoff:      defaultBackoff,
			ErrorHandler: retryablehttp.PassthroughErrorHandler,
		}, req)
	})
}`},
	"requestFunctions": {imports: []string{lib, "net/http", retryable}, text: `
// requestFunctions calls functions of the program for each request of a call, before it is sent. A
// request that follows a redirect is left alone.
func requestFunctions(functions ...func(*retryablehttp.Request) error) serviceapi.Middleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			if req.Response != nil {
				return next.RoundTrip(req)
			}
			request := &retryablehttp.Request{Request: req.Clone(req.Context())}
			for _, function := range functions {
				if err := function(request); err != nil {
					if req.Body != nil {
						req.Body.Close()
					}
					// After an error of another type, the call would be tried again.
					return nil, &serviceapi.ArgumentError{Argument: "request option", Problem: err.Error()}
				}
			}
			return next.RoundTrip(request.Request)
		})
	}
}`},
	"setHeaders": {imports: []string{retryable}, text: `
// setHeaders returns a function that sets headers of a request.
func setHeaders(headers map[string]string) func(*retryablehttp.Request) error {
	return func(req *retryablehttp.Request) error {
		for name, value := range headers {
			req.Header.Set(name, value)
		}
		return nil
	}
}`},
	"cookieJar": {imports: []string{lib, "net/http"}, text: `
// cookieJar sends the cookies of a jar, and keeps those that the service sets.
func cookieJar(jar http.CookieJar) serviceapi.Middleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			req = req.Clone(req.Context())
			for _, cookie := range jar.Cookies(req.URL) {
				req.AddCookie(cookie)
			}
			resp, err := next.RoundTrip(req)
			if err == nil && len(resp.Cookies()) > 0 {
				jar.SetCookies(req.URL, resp.Cookies())
			}
			return resp, err
		})
	}
}`},
	"newPasswordServiceClient": {imports: []string{lib},
		needs: []string{"clientOption", "newPasswordClient"}, text: `
// newPasswordServiceClient is newPasswordClient with options that are known at run time.
func newPasswordServiceClient(username, password string, options ...clientOption) (*serviceapi.Client, error) {
	o := optionsOf(options)
	return newPasswordClient(o.BaseURL, username, password, o.Options...)
}`},
	"newSourceServiceClient": {imports: []string{lib}, needs: []string{"clientOption", "authSource"}, text: `
// newSourceServiceClient is newSourceClient with options that are known at run time.
func newSourceServiceClient(source authSource, options ...clientOption) (*serviceapi.Client, error) {
	o := optionsOf(options)
	return newSourceClient(o.BaseURL, source, o.Options...)
}`},
}
