package interop

import (
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestAttestations(t *testing.T) {
	e := start(t)
	project, digest := e.svc.Project(app), strings.Repeat("ab", 32)
	job := project.Pipeline("main").Job("build")
	for range 3 {
		project.Attestation(digest, `{"mediaType":"x"}`, job)
	}
	found := walk(e, func(opts ...clientgo.RequestOptionFunc) (
		[]*clientgo.Attestation, *clientgo.Response, error,
	) {
		return e.admin.Attestations.ListAttestations(app, digest, opts...)
	})
	assert.Equal(t, []int64{1, 2, 3}, each(found, func(a *clientgo.Attestation) int64 { return a.IID }))
	assert.Equal(t, job.ID(), found[0].BuildID)
	text, _, err := e.admin.Attestations.DownloadAttestation(app, 2)
	require.NoError(t, err)
	assert.Equal(t, `{"mediaType":"x"}`, string(text))
}

func TestCatalog(t *testing.T) {
	e := start(t)
	e.svc.Project(app, servicetest.Description("Components")).Commit("main", "Begin",
		servicetest.Write("README.md", "# App"), servicetest.Write("templates/build.yml", "spec:"))
	got(e.admin.Releases.CreateRelease(app, &clientgo.CreateReleaseOptions{
		TagName: new("1.0.0"), Ref: new("main"),
	})).ok(e, 201)
	version := request[map[string]string](e.admin, "POST", "projects/acme%2Fapp/catalog/publish",
		map[string]any{"version": "1.0.0", "metadata": map[string]any{}}).ok(e, 201)
	assert.Contains(t, version["catalog_url"], "/explore/catalog/acme/app")
}
