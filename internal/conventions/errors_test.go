package conventions

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notSent are codes of the specification that the embedded service has no occasion
// to send. A client meets them with other services of OAuth2 and while users sign in.
var notSent = []string{"invalid_scope", "unauthorized_client", "invalid_token"}

// sent are the places where the embedded service sends a code or a reason.
var sent = regexp.MustCompile(`(?s)(?:oauthRefusal|scimRefusal)\([\w.]+, "(\w+)"|Problem\{(?:Kind: )?"(\w+)"|` +
	`"error":\s+"(insufficient_scope)"|changesetRefusal\("[^"]+", "(\w+)"`)

// TestErrorCodesSayWhatToDo checks that each code and each reason has a comment that
// says what it means and then what to do, and that there is one for all that the
// embedded service sends.
func TestErrorCodesSayWhatToDo(t *testing.T) {
	known := map[string]bool{}
	for _, decl := range parsePackage(t).Files["errors.go"].Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST || !strings.HasSuffix(group.Doc.Text(), "s of an [*Error].\n") {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			name, comment := value.Names[0].Name, strings.Join(strings.Fields(value.Doc.Text()), " ")
			assert.Regexp(t, `^`+name+`: \S.+[.,] [A-Z]?\w+.*\.$`, comment, "what it means, then what to do")
			assert.GreaterOrEqual(t, strings.Count(comment, ". ")+strings.Count(comment, ", so "), 1, name)
			text, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			assert.False(t, known[text], text)
			known[text] = true
		}
	}
	served := map[string]bool{}
	for _, pattern := range []string{"servicetest/*.go", "servicetest/internal/scim/*.go"} {
		for _, name := range glob(t, pattern) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, match := range sent.FindAllStringSubmatch(readFile(t, name), -1) {
				code := strings.Join(match[1:], "")
				served[code] = true
				assert.True(t, known[code], "%s sends %q, which has no constant", name, code)
			}
		}
	}
	for _, code := range notSent {
		assert.False(t, served[code], "%s is sent", code)
		served[code] = true
	}
	for code := range known {
		assert.True(t, served[code], "nothing sends %q", code)
	}
}
