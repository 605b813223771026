package wiretests

import (
	"context"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEnterpriseUsers(t *testing.T) {
	const path, one, whole = "/groups/7/enterprise_users", "/groups/7/enterprise_users/5", "users/user_admin.json"
	client := onWire(t, append(
		listExchanges(path, userQuery+"&two_factor=disabled&username=ada", "["+fixture(t, whole)+"]"),
		exchange{Method: "GET", Path: one, Fixture: whole},
		exchange{Method: "PATCH", Path: one, Fixture: whole, JSON: `{"name":"Ada","email":"a@b.test"}`},
		exchange{Method: "PATCH", Path: one, Status: 400, Body: `{"message":"Email is taken"}`, JSON: `{}`},
		exchange{Method: "DELETE", Path: one, Query: "hard_delete=true", Status: 204},
		exchange{Method: "DELETE", Path: one, Status: 409, Body: `{"message":"Can not remove a user"}`},
		exchange{Method: "PATCH", Path: one + "/disable_two_factor", Status: 204})...)
	s, ctx, ada := client.EnterpriseUsers, t.Context(), serviceapi.UserID(5)
	day := time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)
	lists := ownedList[serviceapi.GroupRef, *serviceapi.ListEnterpriseUsersOptions, *serviceapi.User]{s.List, s.All}
	lists.wants(t, someTeam, &serviceapi.ListEnterpriseUsersOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Username: "ada", Search: "love", Active: true,
		Blocked: true, CreatedAfter: day, CreatedBefore: day.AddDate(0, 1, 0),
		TwoFactor: serviceapi.TwoFactorFilterDisabled,
	}, []*serviceapi.User{adaForAdmins(t)})
	user, _, err := s.Get(ctx, someTeam, ada)
	require.NoError(t, err)
	assert.Equal(t, adaForAdmins(t), user)
	user, _, err = s.Update(ctx, someTeam, ada, serviceapi.UpdateEnterpriseUserOptions{
		Name: new("Ada"), Email: new("a@b.test"),
	})
	require.NoError(t, err)
	assert.Equal(t, adaForAdmins(t), user)
	_, _, err = s.Update(ctx, someTeam, ada, serviceapi.UpdateEnterpriseUserOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.Delete(ctx, someTeam, ada, &serviceapi.DeleteEnterpriseUserOptions{HardDelete: true})
	require.NoError(t, err)
	_, err = s.Delete(ctx, someTeam, ada, nil)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = s.DisableTwoFactor(ctx, someTeam, ada)
	require.NoError(t, err)

	name := serviceapi.Username("ada")
	lists.refuses(t, "id", nil, serviceapi.GroupID(0))
	assertRefused(t, "user", errorOf(s.Get(ctx, someTeam, name)))
	assertRefused(t, "user", errorOf(s.Update(ctx, someTeam, name, serviceapi.UpdateEnterpriseUserOptions{})))
	assertRefused(t, "user", second(s.Delete(ctx, someTeam, name, nil)))
	assertRefused(t, "user", second(s.DisableTwoFactor(ctx, someTeam, name)))
}

func TestCredentialsTokens(t *testing.T) {
	const query = "created_after=2026-01-02T03%3A04%3A05Z&expires_before=2026-04-01&page=2&per_page=5&revoked=false&" +
		"search=de&sort=created_asc&state=active"
	whole := "[" + fixture(t, "access_tokens/access_token.json") + "]"
	type lists = ownedList[serviceapi.GroupRef, *serviceapi.ListAccessTokensOptions, *serviceapi.AccessToken]
	for _, kind := range []string{"personal", "resource"} {
		path := "/groups/7/manage/" + kind + "_access_tokens"
		s := onWire(t, append(listExchanges(path, query, whole),
			exchange{Method: "DELETE", Path: path + "/58", Status: 204},
			exchange{Method: "POST", Path: path + "/58/rotate", JSON: `{"expires_at":"2026-12-31"}`,
				Fixture: "access_tokens/issued.json"},
			exchange{Method: "POST", Path: path + "/58/rotate", JSON: `{}`, Status: 403,
				Body: `{"message":"403 Forbidden - Token does not belong to bot user"}`})...).Credentials
		list := lists{s.ListPersonalTokens, s.AllPersonalTokens}
		revoke, rotate := s.RevokePersonalToken, s.RotatePersonalToken
		if kind == "resource" {
			list = lists{s.ListResourceTokens, s.AllResourceTokens}
			revoke, rotate = s.RevokeResourceToken, s.RotateResourceToken
		}
		list.wants(t, someTeam, &serviceapi.ListAccessTokensOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, State: serviceapi.AccessTokenStateActive,
			Revoked: new(false), Search: "de", CreatedAfter: time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC),
			ExpiresBefore: serviceapi.NewDate(2026, time.April, 1), Sort: serviceapi.AccessTokenSortCreatedAt,
		}, []*serviceapi.AccessToken{new(deployToken(t))})
		ctx := t.Context()
		_, err := revoke(ctx, someTeam, 58)
		require.NoError(t, err)
		token, _, err := rotate(ctx, someTeam, 58, serviceapi.RotateAccessTokenOptions{
			ExpiresAt: new(serviceapi.NewDate(2026, time.December, 31)),
		})
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
		_, _, err = rotate(ctx, someTeam, 58, serviceapi.RotateAccessTokenOptions{})
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		list.refuses(t, "id", nil, serviceapi.GroupID(0))
		assertRefused(t, "token_id", second(revoke(ctx, someTeam, 0)))
		assertRefused(t, "token_id", errorOf(rotate(ctx, someTeam, 0, serviceapi.RotateAccessTokenOptions{})))
	}
}

// TestCredentialsRotateOnce checks that a rotation that may have happened is not repeated: the
// new token would be lost.
func TestCredentialsRotateOnce(t *testing.T) {
	for name, rotate := range map[string]func(*serviceapi.CredentialsService, context.Context, serviceapi.GroupRef,
		int64, serviceapi.RotateAccessTokenOptions, ...serviceapi.RequestOption) (*serviceapi.AccessToken,
		*serviceapi.Response, error){
		"personal": (*serviceapi.CredentialsService).RotatePersonalToken,
		"resource": (*serviceapi.CredentialsService).RotateResourceToken,
	} {
		quick := serviceapi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Millisecond}
		client, script := scriptedClient(t, quick, status(502, ""), okJob)
		_, _, err := rotate(client.Credentials, t.Context(), someTeam, 1, serviceapi.RotateAccessTokenOptions{})
		require.Error(t, err, name)
		assert.Len(t, script.Methods, 1, name)
	}
}

func TestCredentialsSSHKeys(t *testing.T) {
	const path = "/groups/7/manage/ssh_keys"
	s := onWire(t, append(listExchanges(path, "created_after=2026-01-02T03%3A04%3A05Z&"+
		"created_before=2026-02-02T03%3A04%3A05Z&expires_after=2026-03-02T03%3A04%3A05Z&"+
		"expires_before=2026-04-02T03%3A04%3A05Z&page=2&per_page=5", "["+fixture(t, "credentials/ssh_key.json")+"]"),
		exchange{Method: "DELETE", Path: path + "/7", Status: 204})...).Credentials
	lists := ownedList[serviceapi.GroupRef, *serviceapi.ListCredentialSSHKeysOptions, *serviceapi.CredentialSSHKey]{
		s.ListSSHKeys, s.AllSSHKeys,
	}
	day := time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)
	want := &serviceapi.CredentialSSHKey{
		ID: 7, Title: "laptop", CreatedAt: *at(t, "2026-01-05T08:30:00Z"), ExpiresAt: at(t, "2026-12-31T00:00:00Z"),
		LastUsedAt: at(t, "2026-02-05T08:30:00Z"), UsageType: serviceapi.SSHKeyUsageAuthAndSigning, UserID: 31,
	}
	assertFilled(t, want)
	lists.wants(t, someTeam, &serviceapi.ListCredentialSSHKeysOptions{
		ListOptions:  serviceapi.ListOptions{Page: 2, PerPage: 5},
		CreatedAfter: day, CreatedBefore: day.AddDate(0, 1, 0),
		ExpiresAfter: day.AddDate(0, 2, 0), ExpiresBefore: day.AddDate(0, 3, 0),
	}, []*serviceapi.CredentialSSHKey{want})
	_, err := s.DeleteSSHKey(t.Context(), someTeam, 7)
	require.NoError(t, err)
	lists.refuses(t, "id", nil, serviceapi.GroupID(0))
	assertRefused(t, "key_id", second(s.DeleteSSHKey(t.Context(), someTeam, 0)))
}

func TestSSHCertificates(t *testing.T) {
	const path, whole = "/groups/7/ssh_certificates", "ssh_certificates/ssh_certificate.json"
	s := onWire(t, append(listExchanges(path, "page=2&per_page=5", "["+fixture(t, whole)+"]"),
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"title":"CA","key":"ssh-ed25519 AAAAC3 ca"}`},
		exchange{Method: "DELETE", Path: path + "/3", Status: 204})...).SSHCertificates
	ctx := t.Context()
	want := &serviceapi.SSHCertificate{
		ID: 3, Title: "CA", Key: "ssh-ed25519 AAAAC3 ca", CreatedAt: *at(t, "2026-01-05T08:30:00Z"),
	}
	lists := ownedList[serviceapi.GroupRef, *serviceapi.ListOptions, *serviceapi.SSHCertificate]{s.List, s.All}
	lists.wants(t, someTeam, &serviceapi.ListOptions{Page: 2, PerPage: 5}, []*serviceapi.SSHCertificate{want})
	made, _, err := s.Create(ctx, someTeam, serviceapi.CreateSSHCertificateOptions{Title: "CA", Key: want.Key})
	require.NoError(t, err)
	assert.Equal(t, want, made)
	_, err = s.Delete(ctx, someTeam, 3)
	require.NoError(t, err)
	lists.refuses(t, "id", nil, serviceapi.GroupID(0))
	assertRefused(t, "Title", errorOf(s.Create(ctx, someTeam, serviceapi.CreateSSHCertificateOptions{Key: "k"})))
	assertRefused(t, "Key", errorOf(s.Create(ctx, someTeam, serviceapi.CreateSSHCertificateOptions{Title: "t"})))
	assertRefused(t, "ssh_certificate_id", second(s.Delete(ctx, someTeam, 0)))
}

func TestSecuritySettingsBelow(t *testing.T) {
	const path = "/groups/acme%2Fteam/security_settings"
	s := onWire(t,
		exchange{Method: "PUT", Path: path, Fixture: "security_settings/group_security_settings.json",
			JSON: `{"secret_push_protection_enabled":true,"projects_to_exclude":[3,4]}`},
		exchange{Method: "PUT", Path: path, JSON: `{"secret_push_protection_enabled":false}`,
			Body: `{"secret_push_protection_enabled":false,"errors":[]}`},
		exchange{Method: "PUT", Path: path, JSON: `{"secret_push_protection_enabled":false}`, Status: 401,
			Body: `{"message":"401 Unauthorized"}`}).SecuritySettings
	ctx, team := t.Context(), serviceapi.GroupPath("acme/team")
	settings, _, err := s.UpdateBelow(ctx, team, serviceapi.UpdateSecuritySettingsBelowOptions{
		SecretPushProtectionEnabled: true, ProjectsToExclude: []int64{3, 4},
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupSecuritySettings{
		SecretPushProtectionEnabled: true, Errors: []string{"Project 7 is archived"},
	}, settings)
	settings, _, err = s.UpdateBelow(ctx, team, serviceapi.UpdateSecuritySettingsBelowOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupSecuritySettings{Errors: []string{}}, settings)
	_, _, err = s.UpdateBelow(ctx, team, serviceapi.UpdateSecuritySettingsBelowOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized, "the role is too low")
	assertRefused(t, "id",
		errorOf(s.UpdateBelow(ctx, serviceapi.GroupID(0), serviceapi.UpdateSecuritySettingsBelowOptions{})))
}

func TestCompliancePolicy(t *testing.T) {
	const path, whole = "/admin/security/compliance_policy_settings", "security_settings/compliance_policy.json"
	s := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Body: `{"csp_namespace_id":null}`},
		exchange{Method: "PUT", Path: path, Fixture: whole, JSON: `{"csp_namespace_id":12}`},
		exchange{Method: "PUT", Path: path, Body: `{"csp_namespace_id":null}`, JSON: `{"csp_namespace_id":null}`},
	).SecuritySettings
	ctx, want := t.Context(), &serviceapi.CompliancePolicySettings{CSPNamespaceID: new(int64(12))}
	got, _, err := s.GetCompliancePolicy(ctx)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.GetCompliancePolicy(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CompliancePolicySettings{}, got)
	got, _, err = s.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{
		CSPNamespaceID: serviceapi.Value(int64(12)),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{
		CSPNamespaceID: serviceapi.Null[int64](),
	})
	require.NoError(t, err)
	assert.Nil(t, got.CSPNamespaceID)
	assertRefused(t, "CSPNamespaceID",
		errorOf(s.UpdateCompliancePolicy(ctx, serviceapi.UpdateCompliancePolicyOptions{})))
}
