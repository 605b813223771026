package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceListsNamespaces(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	svc.Group("acme/team", servicetest.Member(svc.User("bob"), servicetest.Developer))
	svc.Group("guests", servicetest.Member(ada, servicetest.Guest))
	svc.Group("other")
	names := func(client *serviceapi.Client, options *serviceapi.ListNamespacesOptions) []string {
		namespaces, err := serviceapi.Collect(client.Namespaces.All(t.Context(), options))
		require.NoError(t, err)
		paths := []string{}
		for _, n := range namespaces {
			paths = append(paths, n.FullPath)
		}
		return paths
	}
	asAda := as(t, svc, ada)
	assert.Equal(t, []string{"acme", "acme/team", "ada", "guests"}, names(asAda, nil))
	assert.Equal(t, []string{"acme", "acme/team", "ada"},
		names(asAda, &serviceapi.ListNamespacesOptions{OwnedOnly: true}))
	assert.Equal(t, []string{"acme"},
		names(asAda, &serviceapi.ListNamespacesOptions{Search: "ACM", TopLevelOnly: true}))
	assert.Equal(t, []string{"acme", "acme/team", "ada", "bob", "guests", "other", "root"}, names(asRoot(t, svc), nil))

	namespaces, _, err := asAda.Namespaces.List(t.Context(), nil)
	require.NoError(t, err)
	acme, own := namespaces[0], namespaces[2]
	assert.Equal(t, []any{serviceapi.NamespaceKindGroup, new(2), "ultimate"},
		[]any{acme.Kind, acme.MembersCountWithDescendants, acme.Plan})
	assert.Equal(t, serviceapi.NamespaceKindUser, own.Kind)
	user, _, err := asRoot(t, svc).Users.Get(t.Context(), serviceapi.UserID(ada.ID()), nil)
	require.NoError(t, err)
	assert.Equal(t, user.NamespaceID, &own.ID)
}

func TestServiceKeepsSSHKeys(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	theirs := bob.SSHKey("bob's")
	machine := svc.DeployKey("machine")
	s, ctx := as(t, svc, ada).SSHKeys, t.Context()
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK"

	made, resp, err := s.Create(ctx, serviceapi.Own, serviceapi.CreateSSHKeyOptions{
		Title: "laptop", Key: key + " ada", ExpiresAt: new(serviceapi.NewDate(2026, time.June, 1)),
		UsageType: new(serviceapi.SSHKeyUsageSigning),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"laptop", serviceapi.SSHKeyUsageSigning, "2026-06-01T00:00:00Z"},
		[]any{made.Title, made.UsageType, made.ExpiresAt.Format(time.RFC3339)})
	for name, options := range map[string]serviceapi.CreateSSHKeyOptions{
		"used": {Title: "again", Key: key}, "a deploy key": {Title: "x", Key: machine.Key()},
		"no key": {Title: "x", Key: "ssh-rsa x"},
		"expired": {Title: "x",
			Key:       "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGL",
			ExpiresAt: new(serviceapi.NewDate(2020, time.January, 1))},
	} {
		_, _, err = s.Create(ctx, serviceapi.Own, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	keys, err := serviceapi.Collect(s.All(ctx, serviceapi.Own, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SSHKey{made}, keys)
	_, err = s.Delete(ctx, serviceapi.Own, theirs)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = s.Delete(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err)
	assert.Empty(t, ada.SSHKeys())
	assert.Equal(t, []string{"bob's"}, bob.SSHKeys())
}

// TestServiceFindsSSHKeys reads keys of other users, which an administrator also adds and
// finds by fingerprint.
func TestServiceFindsSSHKeys(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	machine := svc.Project("acme/app").DeployKey("machine")
	root, ctx, user := asRoot(t, svc).SSHKeys, t.Context(), serviceapi.UserID(ada.ID())
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK"
	made, _, err := root.Create(ctx, user, serviceapi.CreateSSHKeyOptions{Title: "laptop", Key: key + " ada@home"})
	require.NoError(t, err)
	assert.Equal(t, key+" Ada (127.0.0.1)", made.Key)
	nobody, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous())
	require.NoError(t, err)
	for _, owner := range []serviceapi.SSHKeyOwner{user, serviceapi.Username("ada")} {
		keys, err := serviceapi.Collect(nobody.SSHKeys.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.SSHKey{made}, keys)
	}
	for _, owner := range []serviceapi.SingleSSHKeyOwner{user, serviceapi.Own} {
		got, _, err := as(t, svc, ada).SSHKeys.Get(ctx, owner, made.ID)
		require.NoError(t, err)
		assert.Equal(t, made, got)
	}
	got, _, err := root.Get(ctx, serviceapi.Instance, made.ID)
	require.NoError(t, err)
	assert.Equal(t, "ada", got.User.Username)
	const ofSHA256 = "SHA256:c/NZ3aGZkl/BZNRDJaCqtjlnMwz8dwyiGYdzTC3ntLA"
	_, _, err = root.Find(ctx, &serviceapi.FindSSHKeyOptions{Fingerprint: ofSHA256})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	deploy, _, err := asRoot(t, svc).DeployKeys.Get(ctx, app, machine.ID())
	require.NoError(t, err)
	for _, fingerprint := range []string{deploy.Fingerprint, deploy.FingerprintSHA256} {
		found, _, err := root.Find(ctx, &serviceapi.FindSSHKeyOptions{Fingerprint: fingerprint})
		require.NoError(t, err)
		assert.Equal(t, []any{"machine", "root", deploy.FingerprintSHA256},
			[]any{found.Title, found.User.Username, found.FingerprintSHA256})
		require.Len(t, found.DeployKeysProjects, 1)
		assert.Equal(t, []any{machine.ID(), false},
			[]any{found.DeployKeysProjects[0].DeployKeyID, found.DeployKeysProjects[0].CanPush})
	}
	_, _, err = root.Find(ctx, &serviceapi.FindSSHKeyOptions{Fingerprint: "none"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = as(t, svc, svc.User("bob")).SSHKeys.Delete(ctx, user, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.Delete(ctx, user, made.ID)
	require.NoError(t, err)
	assert.Empty(t, ada.SSHKeys())
}

func TestServiceKeepsEmails(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	own, root, ctx, user := as(t, svc, ada).Emails, asRoot(t, svc), t.Context(), serviceapi.UserID(ada.ID())
	made, resp, err := own.Create(ctx, serviceapi.Own, serviceapi.CreateEmailOptions{Email: "ada@home.example"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Nil(t, made.ConfirmedAt)
	shown := serviceapi.UpdateUserOptions{PublicEmail: new("ada@home.example")}
	_, _, err = root.Users.Update(ctx, user, shown)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is not confirmed")
	ada.ConfirmEmail("ada@home.example")
	made, _, err = own.Get(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err)
	assert.Equal(t, svc.Now(), *made.ConfirmedAt)
	_, _, err = root.Users.Update(ctx, user, shown)
	require.NoError(t, err)

	options := serviceapi.CreateEmailOptions{Email: "ada@work.example", SkipConfirmation: new(true)}
	work, _, err := root.Emails.Create(ctx, user, options)
	require.NoError(t, err)
	assert.NotNil(t, work.ConfirmedAt)
	_, _, err = as(t, svc, svc.User("bob")).Emails.Create(ctx, serviceapi.Own,
		serviceapi.CreateEmailOptions{Email: "ada@work.example"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is hers")
	for _, client := range []struct {
		emails *serviceapi.EmailsService
		owner  serviceapi.EmailOwner
	}{{own, serviceapi.Own}, {root.Emails, user}} {
		all, err := serviceapi.Collect(client.emails.All(ctx, client.owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Email{made, work}, all)
	}
	_, err = own.Delete(ctx, user, work.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "administrators only")
	_, err = root.Emails.Delete(ctx, user, made.ID)
	require.NoError(t, err)
	_, err = own.Delete(ctx, serviceapi.Own, work.ID)
	require.NoError(t, err)
	got, _, err := root.Users.Get(ctx, user, nil)
	require.NoError(t, err)
	assert.Empty(t, got.PublicEmail, "nobody sees what is gone")
}
