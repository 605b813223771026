package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyTitles returns the titles of a list of deploy keys.
func keyTitles(t *testing.T) func([]*serviceapi.DeployKey, *serviceapi.Response, error) []string {
	return func(keys []*serviceapi.DeployKey, _ *serviceapi.Response, err error) []string {
		t.Helper()
		require.NoError(t, err)
		titles := []string{}
		for _, key := range keys {
			titles = append(titles, key.Title)
		}
		return titles
	}
}

// A real key with the fingerprints that ssh-keygen shows for it.
const (
	knownKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK " +
		"build@example.com"
	knownKeyMD5    = "b1:45:0d:15:db:9c:2c:c6:97:b7:07:86:ed:eb:ae:7a"
	knownKeySHA256 = "SHA256:NOVFendTkvWydxc5D1saoSPEB/womVpOo/j3k42KJ80"
)

func TestServiceDeployKeys(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer))
	lib := svc.Project("acme/lib", servicetest.Member(ada, servicetest.Maintainer))
	s, ref := as(t, svc, ada).DeployKeys, serviceapi.ProjectPath("acme/app")
	ctx := t.Context()

	made, resp, err := s.Create(ctx, ref, serviceapi.CreateDeployKeyOptions{Title: "build", Key: knownKey,
		CanPush: new(true)})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.DeployKey{ID: 1, Title: "build", Key: knownKey, CanPush: new(true),
		CreatedAt: servicetest.Epoch}, made)
	got, _, err := s.Get(ctx, ref, made.ID)
	require.NoError(t, err)
	assert.Equal(t, knownKeyMD5, got.Fingerprint)
	assert.Equal(t, knownKeySHA256, got.FingerprintSHA256)

	same, _, err := s.Create(ctx, serviceapi.ProjectID(lib.ID()), serviceapi.CreateDeployKeyOptions{Title: "other",
		Key: knownKey})
	require.NoError(t, err)
	assert.Equal(t, made.ID, same.ID, "the key is joined, not made again")
	assert.Equal(t, "build", same.Title)
	assert.Equal(t, new(false), same.CanPush)

	changed, _, err := s.Update(ctx, ref, made.ID, serviceapi.UpdateDeployKeyOptions{Title: new("builder"),
		CanPush: new(false)})
	require.NoError(t, err)
	assert.Equal(t, "builder", changed.Title)
	assert.Equal(t, new(false), changed.CanPush)

	_, err = s.Delete(ctx, ref, made.ID)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, ref, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Equal(t, []string{"builder"}, keyTitles(t)(s.List(ctx, serviceapi.ProjectPath("acme/lib"), nil)))
	_, _, err = s.Enable(ctx, ref, made.ID)
	require.NoError(t, err, "ada maintains a project that has it")
	assert.Equal(t, []string{"builder"}, keyTitles(t)(s.List(ctx, ref, nil)))
	for _, p := range []*servicetest.Project{app, lib} {
		_, err = s.Delete(ctx, serviceapi.ProjectID(p.ID()), made.ID)
		require.NoError(t, err)
	}
	_, _, err = s.Enable(ctx, ref, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "a key that no project has is deleted")
}

func TestServiceDeployKeyRefusals(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer))
	foreign := svc.Project("secret/lib").DeployKey("foreign", servicetest.KeyText(knownKey))
	s, ref := as(t, svc, ada).DeployKeys, serviceapi.ProjectPath("acme/app")
	ctx := t.Context()

	_, _, err := s.Create(ctx, ref, serviceapi.CreateDeployKeyOptions{Title: "mine", Key: knownKey})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	var answer *serviceapi.Error
	require.ErrorAs(t, err, &answer)
	assert.Equal(t, map[string][]string{"fingerprint_sha256": {"has already been taken"}}, answer.Fields)
	_, _, err = s.Enable(ctx, ref, foreign.ID())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	for _, text := range []string{"ssh-ed25519", "ssh-ed25519 AAAA", "ssh-rsa " + knownKey[len("ssh-ed25519 "):]} {
		_, _, err = s.Create(ctx, ref, serviceapi.CreateDeployKeyOptions{Title: "bad", Key: text})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, text)
	}
	_, _, err = as(t, svc, bob).DeployKeys.List(ctx, ref, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = s.List(ctx, serviceapi.Instance, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = s.List(ctx, serviceapi.Username("nobody"), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceListsAllDeployKeys(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Guest))
	lib := svc.Project("acme/lib", servicetest.Member(ada, servicetest.Maintainer))
	own := app.DeployKey("own", servicetest.WritesTo(lib), servicetest.KeyExpiresAt(hour(24)))
	lib.DeployKey("of the library")
	open := svc.DeployKey("open", servicetest.Public(), servicetest.ID(40))
	svc.EnableFIPS()
	ctx := t.Context()

	admin := asRoot(t, svc).DeployKeys
	assert.Equal(t, []string{"own", "of the library", "open"}, keyTitles(t)(admin.List(ctx, serviceapi.Instance, nil)))
	assert.Equal(t, []string{"open"},
		keyTitles(t)(admin.List(ctx, serviceapi.Instance, &serviceapi.ListDeployKeysOptions{Public: true})))
	keys, err := serviceapi.Collect(admin.All(ctx, serviceapi.Instance,
		&serviceapi.ListDeployKeysOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}}))
	require.NoError(t, err)
	require.Len(t, keys, 3)
	assert.Empty(t, keys[0].Fingerprint)
	assert.NotEmpty(t, keys[0].FingerprintSHA256)
	require.Len(t, keys[0].ProjectsWithWriteAccess, 1)
	assert.Equal(t, "acme/lib", keys[0].ProjectsWithWriteAccess[0].PathWithNamespace)
	assert.Equal(t, []*serviceapi.ProjectSummary{}, keys[1].ProjectsWithWriteAccess)

	ofAda := as(t, svc, ada).DeployKeys
	shared, _, err := ofAda.List(ctx, serviceapi.Username("bob"), nil)
	require.NoError(t, err)
	require.Len(t, shared, 1, "bob is not in the library")
	assert.Equal(t, hour(24), *shared[0].ExpiresAt)
	assert.Equal(t, []string{"own", "of the library"}, keyTitles(t)(ofAda.List(ctx, serviceapi.UserID(ada.ID()), nil)))

	_, _, err = ofAda.Enable(ctx, serviceapi.ProjectPath("acme/app"), open.ID())
	require.NoError(t, err, "anybody may enable a public key")
	assert.True(t, open.EnabledIn(app))
	assert.False(t, open.CanPush(app))
	assert.True(t, own.CanPush(lib))
	_, err = ofAda.Delete(ctx, serviceapi.ProjectPath("acme/app"), own.ID())
	require.NoError(t, err)
	assert.True(t, own.Exists(), "the library still has it")
	assert.Equal(t, "own", own.Title())
}
