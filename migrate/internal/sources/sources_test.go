package sources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlain(t *testing.T) {
	for path, want := range map[string]string{
		"projects/%s/jobs/%d":                        "/projects/:/jobs/:",
		"/projects/:id/jobs/:job_id":                 "/projects/:/jobs/:",
		"/projects/:id/jobs/:job_id/artifacts/*path": "/projects/:/jobs/:/artifacts/:",
		"groups/%s/-/search":                         "/groups/:/search",
		"projects/%s/repository/archive?sha=%s":      "/projects/:/repository/archive",
	} {
		assert.Equal(t, want, plain(path), path)
	}
	assert.True(t, Same("GET /projects/:/:/:/notes", "GET /projects/:/issues/:/notes"))
	assert.False(t, Same("GET /projects/:/issues/:/notes", "GET /projects/:/:/:/notes"))
	assert.False(t, Same("GET /projects/:", "PUT /projects/:"))
}

// TestNoSources checks that a folder without a library is an error.
func TestNoSources(t *testing.T) {
	_, err := OldDir("testdata", "v99")
	assert.Error(t, err)
	_, err = Old(t.TempDir(), NewImports())
	assert.Error(t, err)
	_, _, err = New(t.TempDir(), NewImports())
	assert.Error(t, err)
}
