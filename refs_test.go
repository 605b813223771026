package serviceapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReferencesInside checks how references to things in a project or a group
// print, and that the zero value of each prints nothing.
func TestReferencesInside(t *testing.T) {
	shop, acme := ProjectPath("acme/shop"), GroupPath("acme")
	for _, tc := range []struct {
		ref  fmt.Stringer
		want string
	}{
		{IssueIn(shop, 12), "acme/shop#12"}, {IssueIn(ProjectID(42), 12), "42#12"}, {IssueRef{}, ""},
		{MergeRequestIn(shop, 7), "acme/shop!7"}, {MergeRequestRef{}, ""},
		{SnippetIn(shop, 3), "acme/shop$3"}, {SnippetRef{}, ""},
		{EpicIn(acme, 5), "acme&5"}, {EpicRef{}, ""},
		{CommitIn(shop, "1f3a"), "acme/shop@1f3a"}, {CommitRef{}, ""},
	} {
		assert.Equal(t, tc.want, tc.ref.String())
		assert.Equal(t, tc.want, fmt.Sprint(tc.ref))
	}
	assert.Equal(t, IssueIn(shop, 12), IssueIn(ProjectPath("acme/shop"), 12), "they can be compared, and be keys of a map")
}
