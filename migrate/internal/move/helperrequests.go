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
