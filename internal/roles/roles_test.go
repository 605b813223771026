package roles

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOf(t *testing.T) {
	for call, want := range map[[2]string]string{
		{"POST", "/projects/:id/variables"}:     "maintainer",
		{"DELETE", "/groups/:id"}:               "owner",
		{"POST", "/projects/:id/pipeline"}:      "developer",
		{"POST", "/users"}:                      "administrator",
		{"GET", "/projects/:id"}:                "",
		{"GET", "/things"}:                      "",
		{"", ""}:                                "",
		{"##", "owner"}:                         "",
		{"POST", "/projects/:id/issues"}:        "guest",
		{"PUT", "/groups/:id/labels/:label_id"}: "reporter",
	} {
		assert.Equal(t, want, Of(call[0], call[1]), call)
	}
}
