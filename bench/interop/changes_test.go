package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestChanges(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Tag("v1.0.0", "main")
	for _, name := range []string{"ada", "bob"} {
		project.Commit("main", "Add "+name+"\n\nChangelog: added", servicetest.Write(name, name+"\n"),
			servicetest.CommitAuthor(e.svc.User(name)), servicetest.Signed(servicetest.PGP, "verified"))
	}
	r := e.admin.Repositories
	contributors := walk1(e, r.Contributors, any(app), nil)
	assert.Equal(t, []string{"Administrator", "Ada", "Bob"},
		each(contributors, func(c *clientgo.Contributor) string { return c.Name }))
	tree := got(r.ListTree(app, nil)).ok(e, 200)
	blob, _, err := r.RawBlobContent(app, tree[len(tree)-1].ID)
	require.NoError(t, err)
	assert.Equal(t, "bob\n", string(blob))
	changelog := got(r.GenerateChangelogData(app, clientgo.GenerateChangelogDataOptions{Version: new("1.1.0")})).ok(e,
		200)
	assert.Contains(t, changelog.Notes, "### added (2 changes)")
	signature, _, err := e.admin.Commits.GetGPGSignature(app, "main")
	require.NoError(t, err)
	assert.Equal(t, []string{"verified", "Bob"}, []string{signature.VerificationStatus, signature.KeyUserName})
}
