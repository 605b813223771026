package conventions

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// servesEncoding are the names of methods that other packages call, and programs do not.
var servesEncoding = regexp.MustCompile(`\) (?:EncodeValues|(?:Unm|M)arshal(?:JSON|Text)|Unwrap|Format|LogValue)\(`)

// TestPageIsAboutTheAPI checks that at most one in eight methods on the package page only
// serves encoding and printing, which readers of the page have to skip.
func TestPageIsAboutTheAPI(t *testing.T) {
	methods, serving := 0, 0
	for line := range strings.Lines(readFile(t, "api.txt")) {
		if !strings.HasPrefix(line, "func (") {
			continue
		}
		methods++
		if servesEncoding.MatchString(line) {
			serving++
		}
	}
	assert.Positive(t, serving)
	assert.LessOrEqual(t, 8*serving, methods, "%d of %d methods only serve encoding", serving, methods)
}
