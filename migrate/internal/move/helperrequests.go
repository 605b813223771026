package move

import "maps"

func init() { maps.Copy(helpers, requestHelpers) }

// requestHelpers are the helpers for what client-go keeps of a request, and for content that it
// leaves in Base64.
var requestHelpers = map[string]helper{
	"rememberRequest": {imports: []string{lib, "net/http"}, text: `
// rememberRequest adds what requestOf returns to each response.
func rememberRequest(next http.RoundTripper) http.RoundTripper {
	return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if resp != nil && resp.Header != nil {
			resp.Header.Set("X-Client-Request", req.Method+" "+req.URL.String())
		}
		return resp, err
	})
}`},
	"withContext": {imports: []string{lib, "context"}, text: `
// withContext returns an option that carries the context of a call to callContext.
func withContext(ctx context.Context) serviceapi.RequestOption {
	return contextOption{RequestOption: serviceapi.WithPollObserver(nil), ctx: ctx}
}

type contextOption struct {
	serviceapi.RequestOption
	ctx context.Context
}

func (o contextOption) CallContext() context.Context { return o.ctx }

// callContext returns the context that options carry, or the one for calls without.
func callContext(ctx context.Context, options []serviceapi.RequestOption) context.Context {
	for _, option := range options {
		if carrier, ok := option.(interface{ CallContext() context.Context }); ok {
			ctx = carrier.CallContext()
		}
	}
	return ctx
}

// callOptions returns the options of a call, without those that only carry its context.
func callOptions(options []serviceapi.RequestOption) []serviceapi.RequestOption {
	var others []serviceapi.RequestOption
	for _, option := range options {
		if _, ok := option.(interface{ CallContext() context.Context }); !ok {
			others = append(others, option)
		}
	}
	return others
}`},
	"requestFunc": {imports: []string{lib, "net/http", "net/url", "strings", retryable},
		needs: []string{"withContext"}, text: `
// requestFunc returns an option for a function that sets headers and parameters of the query of a
// request. callOptions calls the function.
func requestFunc(set func(*retryablehttp.Request) error) serviceapi.RequestOption {
	return funcOption{RequestOption: serviceapi.WithPollObserver(nil), set: set}
}

type funcOption struct {
	serviceapi.RequestOption
	set func(*retryablehttp.Request) error
}

// CallOptions returns options for what the function sets.
func (o funcOption) CallOptions() []serviceapi.RequestOption {
	req := &retryablehttp.Request{Request: &http.Request{URL: &url.URL{}, Header: http.Header{}}}
	if err := o.set(req); err != nil {
		return nil
	}
	var options []serviceapi.RequestOption
	for name, values := range req.Header {
		options = append(options, serviceapi.WithHeader(name, strings.Join(values, ", ")))
	}
	for name, values := range req.URL.Query() {
		options = append(options, serviceapi.WithQuery(name, values...))
	}
	return options
}`},
	"readBody": {imports: []string{"errors"}, text: `
// A readBody is the body of a response that the call has read and closed.
type readBody struct{}

func (readBody) Read([]byte) (int, error) { return 0, errors.New("http: read on closed response body") }

func (readBody) Close() error { return nil }`},
	"withHeaders": {imports: []string{lib}, needs: []string{"withContext"}, text: `
// withHeaders returns an option for several headers. callOptions makes one of each.
func withHeaders(headers map[string]string) serviceapi.RequestOption {
	return headersOption{RequestOption: serviceapi.WithPollObserver(nil), headers: headers}
}

type headersOption struct {
	serviceapi.RequestOption
	headers map[string]string
}

// CallOptions returns an option for each header.
func (o headersOption) CallOptions() []serviceapi.RequestOption {
	var options []serviceapi.RequestOption
	for name, value := range o.headers {
		options = append(options, serviceapi.WithHeader(name, value))
	}
	return options
}`},
	"nextPage": {imports: []string{lib, "strconv"}, text: `
// nextPage returns an option that asks for the page after that of a response, and whether there is one.
func nextPage(resp *serviceapi.Response) (serviceapi.RequestOption, bool) {
	switch {
	case resp.NextPageToken != "":
		return serviceapi.WithPageToken(resp.NextPageToken), true
	case resp.NextPage != 0:
		return serviceapi.WithQuery("page", strconv.FormatInt(int64(resp.NextPage), 10)), true
	}
	return nil, false
}`},
	"requestOf": {imports: []string{lib, "net/http", "net/url", "strings"}, text: `
// requestOf returns the method and the address of the last request of a call.
func requestOf(resp *serviceapi.Response) *http.Request {
	method, address, _ := strings.Cut(resp.Header.Get("X-Client-Request"), " ")
	parsed, err := url.Parse(address)
	if err != nil {
		parsed = &url.URL{}
	}
	return &http.Request{Method: method, URL: parsed, Host: parsed.Host, Header: http.Header{}}
}`},
	"httpResponse": {imports: []string{lib, "net/http", "strconv"}, needs: []string{"requestOf"}, text: `
// httpResponse returns a response without its body, which is read already.
func httpResponse(resp *serviceapi.Response) *http.Response {
	if resp == nil {
		return nil
	}
	return &http.Response{
		Status:     strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode),
		StatusCode: resp.StatusCode,
		Header:     resp.Header,
		Body:       http.NoBody,
		Request:    requestOf(resp),
	}
}`},
	"setResolved": {imports: []string{lib, "context"}, text: `
// A resolveOptions says whether to resolve a discussion, or to open it again.
type resolveOptions struct{ Resolved *bool }

// setResolved resolves a discussion, or opens it again.
func setResolved(
	ctx context.Context, service *serviceapi.DiscussionsService, mr serviceapi.MergeRequestRef, discussion string,
	choice *resolveOptions, options ...serviceapi.RequestOption,
) (*serviceapi.Discussion, *serviceapi.Response, error) {
	if choice != nil && choice.Resolved != nil && *choice.Resolved {
		return service.Resolve(ctx, mr, discussion, options...)
	}
	return service.Reopen(ctx, mr, discussion, options...)
}`},
	"errorResponse": {imports: []string{lib, "net/http", "net/url", "strconv"}, text: `
// errorResponse returns the response of an error without its header, and without its body, which is
// read already.
func errorResponse(failure *serviceapi.Error) *http.Response {
	address, err := url.Parse(failure.URL)
	if err != nil {
		address = &url.URL{}
	}
	return &http.Response{
		Status:     strconv.Itoa(failure.StatusCode) + " " + http.StatusText(failure.StatusCode),
		StatusCode: failure.StatusCode,
		Header:     http.Header{},
		Body:       http.NoBody,
		Request:    &http.Request{Method: failure.Method, URL: address, Host: address.Host, Header: http.Header{}},
	}
}`},
	"customAttributesOf": {imports: []string{lib, "encoding/json"}, text: `
// customAttributesOf returns the custom attributes of an object in the order of the service.
func customAttributesOf(attributes *serviceapi.CustomAttributes) []*serviceapi.CustomAttribute {
	var list []*serviceapi.CustomAttribute
	if attributes == nil || json.Unmarshal(attributes.Raw, &list) != nil {
		return nil
	}
	return list
}`},
	"bothAt": {text: `
// bothAt returns what two maps have for a key, and whether the first one has it.
func bothAt[Key comparable, A, B any](first map[Key]A, second map[Key]B, key Key) (A, B, bool) {
	a, ok := first[key]
	return a, second[key], ok
}`},
	"decodedContent": {imports: []string{"encoding/base64"}, text: `
// decodedContent decodes content in Base64. Other content stays as it is.
func decodedContent(text string) []byte {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text)
	}
	return content
}`},
}
