package main

import (
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSteps checks that every step names files that exist, and that one which copies a file
// comes after the step that writes it.
func TestSteps(t *testing.T) {
	root, err := inventory.Root()
	require.NoError(t, err)
	written := map[string]bool{}
	for _, s := range steps {
		assert.Equal(t, s.command == "", s.from != "", s.files)
		for pattern := range strings.FieldsSeq(s.files) {
			texts, err := step{files: pattern}.texts(root)
			require.NoError(t, err)
			assert.NotEmpty(t, texts, pattern)
			written[pattern] = true
		}
		assert.True(t, s.from == "" || written[s.from], s.from)
	}
}

func TestFailingStep(t *testing.T) {
	err := step{files: "go.mod", command: "go no-such-command"}.run(".")
	assert.ErrorContains(t, err, "go no-such-command: exit status 2\n")
	assert.Error(t, step{files: "copy", from: "missing"}.run(t.TempDir()))
}
