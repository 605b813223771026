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
	assert.Equal(t, []string{"acme", "acme/team", "ada"}, names(asAda, &serviceapi.ListNamespacesOptions{OwnedOnly: true}))
	assert.Equal(t, []string{"acme"}, names(asAda, &serviceapi.ListNamespacesOptions{Search: "ACM", TopLevelOnly: true}))
	assert.Equal(t, []string{"acme", "acme/team", "ada", "bob", "guests", "other", "root"}, names(asRoot(t, svc), nil))

	namespaces, _, err := asAda.Namespaces.List(t.Context(), nil)
	require.NoError(t, err)
	acme, own := namespaces[0], namespaces[2]
	assert.Equal(t, []any{serviceapi.NamespaceKindGroup, new(2), "ultimate"}, []any{acme.Kind, acme.MembersCountWithDescendants, acme.Plan})
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
		Title: "laptop", Key: key + " ada", ExpiresAt: new(serviceapi.NewDate(2026, time.June, 1)), UsageType: new(serviceapi.SSHKeyUsageSigning),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"laptop", serviceapi.SSHKeyUsageSigning, "2026-06-01T00:00:00Z"}, []any{made.Title, made.UsageType, made.ExpiresAt.Format(time.RFC3339)})
	for name, options := range map[string]serviceapi.CreateSSHKeyOptions{
		"used": {Title: "again", Key: key}, "a deploy key": {Title: "x", Key: machine.Key()}, "no key": {Title: "x", Key: "ssh-rsa x"},
		"nothing": {}, "expired": {Title: "x", Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGL", ExpiresAt: new(serviceapi.NewDate(2020, time.January, 1))},
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
