package move

import (
	"go/ast"
	"go/types"
	"maps"
	"strings"
)

// The kinds of tokens of client-go are constants. Here, each kind of credential has a function. A program
// that keeps such a constant gets constants of the helpers.

// tokenKinds are the constants of client-go, with those of the helpers.
var tokenKinds = map[string]string{"BasicAuth": "tokenKindBasic", "JobToken": "tokenKindJob",
	"OAuthToken": "tokenKindOAuth", "PrivateToken": "tokenKindPrivate"}

// tokenKind rewrites a constant for a kind of token.
func (r *mover) tokenKind(obj types.Object) (string, bool) {
	name := tokenKinds[obj.Name()]
	if name == "" || oldName(obj.Type()) != "AuthType" {
		return "", false
	}
	r.help("tokenKind")
	return r.free(name), true
}

// withToken rewrites an option with a token of a call's own.
func (r *mover) withToken(n *ast.CallExpr) (string, bool) {
	if len(n.Args) != 2 {
		return r.block(n, "call", "the arguments are the results of another call")
	}
	obj := r.oldObject(n.Args[0])
	if obj == nil {
		return r.help("withToken") + "(" + r.render(n.Args[0]) + ", " + r.render(n.Args[1]) + ")", true
	}
	maker := map[string]string{"JobToken": "JobToken", "OAuthToken": "BearerToken",
		"PrivateToken": "PrivateToken"}[obj.Name()]
	if maker == "" {
		return r.block(n, "credential", "write serviceapi.WithCredential with the credential")
	}
	return r.use("serviceapi.WithCredential(") + r.credentialText(maker, n.Args[1]) + ")", true
}

func init() { maps.Copy(helpers, tokenHelpers) }

// tokenHelpers are the helpers for kinds of tokens.
var tokenHelpers = map[string]helper{
	"tokenKind": {text: `
// A tokenKind says what a token is.
type tokenKind int

const (
	tokenKindBasic tokenKind = iota
	tokenKindJob
	tokenKindOAuth
	tokenKindPrivate
)`},
	"withToken": {imports: []string{lib}, needs: []string{"tokenKind", "credentialOf"}, text: `
// withToken returns an option with a token of a kind. With another kind, a call has the credential of
// its client.
func withToken(kind tokenKind, token string) serviceapi.RequestOption {
	switch kind {
	case tokenKindJob:
		return serviceapi.WithCredential(credentialOf(serviceapi.JobToken, token))
	case tokenKindOAuth:
		return serviceapi.WithCredential(credentialOf(serviceapi.BearerToken, token))
	case tokenKindPrivate:
		return serviceapi.WithCredential(credentialOf(serviceapi.PrivateToken, token))
	}
	return serviceapi.WithPollObserver(nil)
}`},
	"packagePath": {imports: []string{"fmt", "net/url", "strings"}, text: `
// packagePath returns the path of a file of a generic package, below the address of the API.
func packagePath(project any, name, version, file string) (string, error) {
	switch project.(type) {
	case int, int64, string:
	default:
		return "", fmt.Errorf("invalid ID type %T", project)
	}
	path := "projects"
	for _, part := range []string{fmt.Sprint(project), "packages", "generic", name, version, file} {
		path += "/" + strings.ReplaceAll(url.PathEscape(part), ".", "%2E")
	}
	return path, nil
}`},
}

// packagePath renders GenericPackages.FormatPackageURL, which sends nothing.
func (r *mover) packagePath(n *ast.CallExpr) (string, bool) {
	if len(n.Args) != 4 {
		return r.block(n, "call", "the arguments are the results of another call")
	}
	var args []string
	for _, arg := range n.Args {
		args = append(args, r.render(arg))
	}
	return r.help("packagePath") + "(" + strings.Join(args, ", ") + ")", true
}
