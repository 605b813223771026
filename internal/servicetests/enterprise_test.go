package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceEnterpriseUsers(t *testing.T) {
	svc := servicetest.New(t)
	owner := svc.User("owner")
	acme := svc.Group("acme", servicetest.Member(owner, servicetest.Owner))
	ada := svc.User("ada", servicetest.ProvisionedBy(acme), servicetest.TwoFactor())
	bob := svc.User("bob", servicetest.ProvisionedBy(svc.Group("acme/team")))
	svc.Group("hers", servicetest.Member(ada, servicetest.Owner))
	s, ctx, team, id := as(t, svc, owner).EnterpriseUsers, t.Context(), serviceapi.GroupPath("acme"),
		serviceapi.UserID(ada.ID())
	users, err := serviceapi.Collect(s.All(ctx, team, nil))
	require.NoError(t, err)
	require.Len(t, users, 2, "one of a subgroup, too")
	assert.Equal(t, []any{bob.ID(), ada.ID(), "ada@example.com", true, (*bool)(nil)}, []any{users[0].ID, users[1].ID,
		users[1].Email, *users[1].TwoFactorEnabled, users[1].IsAdmin}, "the newest first")
	users, _, err = s.List(ctx, team,
		&serviceapi.ListEnterpriseUsersOptions{TwoFactor: serviceapi.TwoFactorFilterDisabled})
	require.NoError(t, err)
	require.Len(t, users, 1)
	assert.Equal(t, bob.ID(), users[0].ID)
	_, err = s.DisableTwoFactor(ctx, team, id)
	require.NoError(t, err)
	_, err = s.DisableTwoFactor(ctx, team, id)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	user, _, err := s.Update(ctx, team, id, serviceapi.UpdateEnterpriseUserOptions{Name: new("Ada L.")})
	require.NoError(t, err)
	assert.Equal(t, []any{"Ada L.", "ada@example.com"}, []any{user.Name, user.Email})
	user, _, err = s.Update(ctx, team, id, serviceapi.UpdateEnterpriseUserOptions{Email: new("ada@acme.test")})
	require.NoError(t, err)
	got, _, err := s.Get(ctx, team, id)
	require.NoError(t, err)
	assert.Equal(t, user, got)
	assert.Equal(t, []any{"Ada L.", "ada@acme.test", false}, []any{got.Name, got.Email, *got.TwoFactorEnabled})
	for _, address := range []string{"bob@example.com", "nobody"} {
		_, _, err = s.Update(ctx, team, id, serviceapi.UpdateEnterpriseUserOptions{Email: new(address)})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, address)
	}
	_, _, err = s.Get(ctx, team, serviceapi.UserID(owner.ID()))
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "not an account of the group")
	_, err = s.Delete(ctx, team, id, nil)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.ErrorContains(t, err, "Can not remove a user who is the sole owner of a group.")
	_, err = s.Delete(ctx, team, id, &serviceapi.DeleteEnterpriseUserOptions{HardDelete: true})
	require.NoError(t, err)
	assert.False(t, ada.Exists())
}

func TestServiceCredentials(t *testing.T) {
	svc := servicetest.New(t)
	owner := svc.User("owner")
	acme := svc.Group("acme", servicetest.Member(owner, servicetest.Owner))
	app := svc.Project("acme/app")
	ada := svc.User("ada", servicetest.ProvisionedBy(acme))
	robot, tool := svc.User("robot", servicetest.ServiceAccountOf(app)),
		svc.User("tool", servicetest.ServiceAccountOf(svc.Group("acme/team")))
	secret := svc.Token(ada, servicetest.Name("laptop"))
	svc.Token(robot, servicetest.Name("robot's"))
	svc.Token(tool, servicetest.Name("tool's"))
	svc.Token(svc.User("eve"), servicetest.Name("eve's"))
	app.AccessToken(servicetest.Reporter)
	s, ctx, team := as(t, svc, owner).Credentials, t.Context(), serviceapi.GroupPath("acme")
	tokens, err := serviceapi.Collect(s.AllPersonalTokens(ctx, team, nil))
	require.NoError(t, err)
	names := []string{}
	for _, token := range tokens {
		names = append(names, token.Name)
		assert.Empty(t, token.Token.Reveal())
	}
	assert.Equal(t, []string{"laptop", "robot's", "tool's"}, names)
	rotated, _, err := s.RotatePersonalToken(ctx, team, tokens[0].ID, serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{"laptop", serviceapi.DateOf(svc.Now().AddDate(0, 0, 7))},
		[]any{rotated.Name, *rotated.ExpiresAt})
	_, _, err = withToken(t, svc, secret).Users.Current(ctx)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, _, err = withToken(t, svc, rotated.Token.Reveal()).Users.Current(ctx)
	require.NoError(t, err)
	_, err = s.RevokePersonalToken(ctx, team, rotated.ID)
	require.NoError(t, err)
	_, err = s.RevokePersonalToken(ctx, team, rotated.ID)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)

	tokens, err = serviceapi.Collect(s.AllResourceTokens(ctx, team, nil))
	require.NoError(t, err)
	require.Len(t, tokens, 1)
	assert.Equal(t, []any{serviceapi.AccessTokenResourceProject, app.ID(), serviceapi.AccessLevelReporter},
		[]any{tokens[0].ResourceType, *tokens[0].ResourceID, tokens[0].AccessLevel})
	_, err = s.RevokePersonalToken(ctx, team, tokens[0].ID)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = s.RevokeResourceToken(ctx, team, rotated.ID)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.ErrorContains(t, err, "Token does not belong to bot user")
	replaced, _, err := s.RotateResourceToken(ctx, team, tokens[0].ID, serviceapi.RotateAccessTokenOptions{})
	require.NoError(t, err)
	assert.NotEmpty(t, replaced.Token.Reveal())
	_, err = s.RevokeResourceToken(ctx, team, replaced.ID)
	require.NoError(t, err)
}

func TestServiceCredentialsSSHKeys(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	ada := svc.User("ada", servicetest.ProvisionedBy(acme))
	first := ada.SSHKey("laptop")
	svc.Advance(time.Hour)
	second := ada.SSHKey("desktop")
	svc.User("eve").SSHKey("hers")
	s, ctx, team := asRoot(t, svc).Credentials, t.Context(), serviceapi.GroupPath("acme")
	keys, err := serviceapi.Collect(s.AllSSHKeys(ctx, team, nil))
	require.NoError(t, err)
	require.Len(t, keys, 2)
	assert.Equal(t, &serviceapi.CredentialSSHKey{
		ID: first, Title: "laptop", CreatedAt: svc.Now().Add(-time.Hour),
		UsageType: serviceapi.SSHKeyUsageAuthAndSigning, UserID: ada.ID(),
	}, keys[0])
	keys, _, err = s.ListSSHKeys(ctx, team, &serviceapi.ListCredentialSSHKeysOptions{CreatedAfter: svc.Now()})
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.Equal(t, second, keys[0].ID)
	keys, _, err = s.ListSSHKeys(ctx, team, &serviceapi.ListCredentialSSHKeysOptions{ExpiresAfter: svc.Now()})
	require.NoError(t, err)
	assert.Empty(t, keys)
	_, err = s.DeleteSSHKey(ctx, team, first)
	require.NoError(t, err)
	assert.Equal(t, []string{"desktop"}, ada.SSHKeys())
	_, err = s.DeleteSSHKey(ctx, team, first)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceSSHCertificates(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme")
	svc.Group("other")
	key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHm0S1rdKKMGMtH2Xt3S4PvxH2uM3P0qQ3jJHJ6mXcLq"
	s, ctx, team := asRoot(t, svc).SSHCertificates, t.Context(), serviceapi.GroupPath("acme")
	made, _, err := s.Create(ctx, team, serviceapi.CreateSSHCertificateOptions{Title: "CA", Key: key})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.SSHCertificate{ID: made.ID, Title: "CA", Key: key, CreatedAt: svc.Now()}, made)
	for _, options := range []serviceapi.CreateSSHCertificateOptions{
		{Title: "CA", Key: key}, {Title: "CA", Key: "no key"}, {Title: string(make([]byte, 256)), Key: key},
		{Title: "CA", Key: string(make([]byte, 5001))},
	} {
		_, _, err = s.Create(ctx, serviceapi.GroupPath("other"), options)
		require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	}
	all, err := serviceapi.Collect(s.All(ctx, team, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SSHCertificate{made}, all)
	_, err = s.Delete(ctx, team, made.ID)
	require.NoError(t, err)
	_, err = s.Delete(ctx, team, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceSecuritySettingsBelow(t *testing.T) {
	svc := servicetest.New(t)
	bob := svc.User("bob")
	svc.Group("acme", servicetest.Member(bob, servicetest.Maintainer))
	app, tool := svc.Project("acme/app"), svc.Project("acme/team/tool")
	s, ctx := as(t, svc, bob).SecuritySettings, t.Context()
	changed, _, err := s.UpdateBelow(ctx, serviceapi.GroupPath("acme"), serviceapi.UpdateSecuritySettingsBelowOptions{
		SecretPushProtectionEnabled: true, ProjectsToExclude: []int64{app.ID()},
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupSecuritySettings{SecretPushProtectionEnabled: true, Errors: []string{}}, changed)
	settings, _, err := s.Get(ctx, serviceapi.ProjectID(tool.ID()))
	require.NoError(t, err)
	assert.True(t, settings.SecretPushProtectionEnabled)
	settings, _, err = s.Get(ctx, serviceapi.ProjectID(app.ID()))
	require.NoError(t, err)
	assert.Nil(t, settings)
	root := asRoot(t, svc).SecuritySettings
	policy, _, err := root.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{
		CSPNamespaceID: serviceapi.Value(svc.Group("acme").ID()),
	})
	require.NoError(t, err)
	got, _, err := root.GetCompliancePolicy(ctx)
	require.NoError(t, err)
	assert.Equal(t, policy, got)
	assert.Equal(t, svc.Group("acme").ID(), *got.CSPNamespaceID)
	_, _, err = root.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{
		CSPNamespaceID: serviceapi.Value(svc.Group("acme/team").ID()),
	})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	got, _, err = root.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{
		CSPNamespaceID: serviceapi.Null[int64](),
	})
	require.NoError(t, err)
	assert.Nil(t, got.CSPNamespaceID)
}
