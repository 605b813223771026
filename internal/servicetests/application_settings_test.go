package servicetests

import (
	"encoding/json"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// changedSettings has settings of every kind.
var changedSettings = serviceapi.UpdateApplicationSettingsOptions{
	SignupEnabled: new(false), MaxArtifactsSize: new(int64(0)), FirstDayOfWeek: new(time.Saturday),
	EmailConfirmationSetting:   new(serviceapi.EmailConfirmationSettingHard),
	RSAKeyRestriction:          new(serviceapi.KeyRestriction(3072)),
	DSAKeyRestriction:          new(serviceapi.KeyRestrictionForbidden),
	DefaultProjectCreation:     new(serviceapi.DefaultProjectCreationNone),
	EnabledGitAccessProtocol:   serviceapi.Value(serviceapi.GitAccessProtocolSSH),
	RestrictedVisibilityLevels: []serviceapi.Visibility{serviceapi.VisibilityPublic, serviceapi.VisibilityInternal},
	DomainDenylist:             []string{"a.example", "b.example"},
	RepositoryStoragesWeighted: map[string]int{"default": 60, "disk-2": 40},
	PollingIntervalMultiplier:  new(1.25),
	HomePageURL:                serviceapi.Value("https://home.example"),
	MaxSSHKeyLifetime:          serviceapi.Value(30),
	KrokiEnabled:               new(true), KrokiURL: serviceapi.Value("https://kroki.example"),
	CanCreateGroup: new(false),
	AkismetAPIKey:  serviceapi.Value(serviceapi.NewSecret("the-key-of-akismet")),
	SentryEnabled:  new(true), DuoAvailability: new(serviceapi.DuoAvailabilityNeverOn),
	SignInRestrictions: &serviceapi.SignInRestrictions{
		RequireMinimumEmailBasedOTPForUsersWithPasswords: new(true), SessionExpireFromInit: new(true),
	},
	ElasticsearchShards: serviceapi.Value(serviceapi.ElasticsearchCount{ByIndex: map[string]int{"a": 2}}),
	Extra:               map[string]json.RawMessage{"no_such_setting": json.RawMessage("1")},
}

// TestServiceApplicationSettings changes settings, writes them back, and copies them to
// another instance.
func TestServiceApplicationSettings(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := asRoot(t, svc).Settings, t.Context()
	before, _, err := s.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, []any{true, "", 1.0, time.Sunday, []serviceapi.Visibility{}}, []any{
		before.SignupEnabled, before.HomePageURL, before.PollingIntervalMultiplier, before.FirstDayOfWeek,
		before.RestrictedVisibilityLevels,
	})
	svc.Advance(time.Hour)
	same, _, err := s.Update(ctx, before.UpdateOptions())
	require.NoError(t, err)
	assert.Equal(t, before, same, "what was read changes nothing")

	changed, _, err := s.Update(ctx, changedSettings)
	require.NoError(t, err)
	assert.Equal(t, svc.Now(), changed.UpdatedAt)
	assert.Equal(t, []any{false, int64(0), time.Saturday, serviceapi.KeyRestriction(3072), 1.25}, []any{
		changed.SignupEnabled, changed.MaxArtifactsSize, changed.FirstDayOfWeek, changed.RSAKeyRestriction,
		changed.PollingIntervalMultiplier,
	})
	assert.Equal(t, serviceapi.GitAccessProtocolSSH, changed.EnabledGitAccessProtocol)
	assert.Equal(t, map[string]int{"default": 60, "disk-2": 40}, changed.RepositoryStoragesWeighted)
	assert.Equal(t, "the-key-of-akismet", changed.AkismetAPIKey.Reveal())
	assert.True(t, changed.SessionExpireFromInit)
	assert.Equal(t, []bool{false, true}, []bool{changed.DuoFeaturesEnabled, changed.LockDuoFeaturesEnabled})
	assert.Equal(t, map[string]int{"a": 2}, changed.ElasticsearchShards.ByIndex)
	assert.Empty(t, changed.Extra)
	after, _, err := s.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, changed, after)

	copied, _, err := asRoot(t, servicetest.New(t)).Settings.Update(ctx, after.UpdateOptions())
	require.NoError(t, err)
	copied.CreatedAt, copied.UpdatedAt = after.CreatedAt, after.UpdatedAt
	assert.Equal(t, after, copied)

	restored, _, err := s.Update(ctx, before.UpdateOptions())
	require.NoError(t, err)
	assert.Equal(t, before.HomePageURL, restored.HomePageURL)
	assert.Equal(t, before.RestrictedVisibilityLevels, restored.RestrictedVisibilityLevels)
	assert.Nil(t, restored.MaxSSHKeyLifetime)
	assert.True(t, restored.SignupEnabled)
}

// TestServiceSettingsInObjects sets settings that are objects, with all of their members, and
// settings of older releases, which are there once they were set.
func TestServiceSettingsInObjects(t *testing.T) {
	s, ctx := asRoot(t, servicetest.New(t)).Settings, t.Context()
	options := serviceapi.UpdateApplicationSettingsOptions{
		SignInRestrictions: &serviceapi.SignInRestrictions{
			DisablePasswordAuthenticationForUsersWithSSOIdentities: new(true),
			RootMovedPermanentlyRedirection:                        new(true), SessionExpireFromInit: new(false),
			RequireMinimumEmailBasedOTPForUsersWithPasswords: new(true),
		},
		VSCodeExtensionMarketplace: &serviceapi.VSCodeExtensionMarketplace{
			Enabled: new(true), Preset: serviceapi.VSCodeExtensionPresetCustom, ExtensionHostDomain: "editor.example",
			CustomValues: &serviceapi.VSCodeExtensionGallery{
				ServiceURL: "https://a.example", ItemURL: "https://b.example",
				ResourceURLTemplate: "https://{name}.example",
			},
		},
		DuoNamespaceAccessRules: []*serviceapi.DuoNamespaceAccessRule{{
			ThroughNamespace: &serviceapi.DuoAccessNamespace{ID: 1, Name: "Acme", FullPath: "acme"},
			Features:         []string{"duo_classic"},
		}},
		FoundationalAgentsStatuses: []*serviceapi.FoundationalAgentStatus{{Reference: "planner", Enabled: true}},
		DelayedGroupDeletion:       new(true), DelayedProjectDeletion: new(false), EnforcePATExpiration: new(true),
		EnforceSSHKeyExpiration: new(true), InProductMarketingEmailsEnabled: new(true), PseudonymizerEnabled: new(true),
		SendUserConfirmationEmail: new(true), WebIDEClientsidePreviewEnabled: new(true), UserEmailLookupLimit: new(7),
		HelpText: serviceapi.Value("Help"), SignInText: serviceapi.Value("Hello"), RepositoryStorages: []string{"fast"},
		OutboundLocalRequestsWhitelist: []string{"10.0.0.1"},
	}
	changed, _, err := s.Update(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, options.SignInRestrictions, changed.SignInRestrictions)
	assert.Equal(t, []bool{true, true, false}, []bool{
		changed.DisablePasswordAuthenticationForUsersWithSSOIdentities, changed.RootMovedPermanentlyRedirection,
		changed.SessionExpireFromInit,
	})
	assert.Equal(t, options.VSCodeExtensionMarketplace, changed.VSCodeExtensionMarketplace)
	assert.Equal(t, "editor.example", changed.VSCodeExtensionMarketplaceExtensionHostDomain)
	assert.Equal(t, options.DuoNamespaceAccessRules, changed.DuoNamespaceAccessRules)
	assert.Equal(t, options.FoundationalAgentsStatuses, changed.FoundationalAgentsStatuses)
	assert.Equal(t, []*bool{new(true), new(false), new(true)},
		[]*bool{changed.DelayedGroupDeletion, changed.DelayedProjectDeletion, changed.PseudonymizerEnabled})
	assert.Equal(t, []string{"10.0.0.1"}, changed.OutboundLocalRequestsWhitelist)
	again, _, err := s.Update(ctx, changed.UpdateOptions())
	require.NoError(t, err)
	assert.Equal(t, changed, again)
}

// TestServiceApplicationSettingsRefusals checks who may not do what, and what is refused.
func TestServiceApplicationSettingsRefusals(t *testing.T) {
	svc := servicetest.New(t)
	root, ada, ctx := asRoot(t, svc), as(t, svc, svc.User("ada")), t.Context()
	_, _, err := ada.Settings.Get(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = ada.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{SignupEnabled: new(false)})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, _, err = root.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{PlantUMLEnabled: new(true)})
	assert.ErrorContains(t, err, "plantuml_url is missing")
	needed := new(serviceapi.Error)
	_, _, err = root.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{EnforceTerms: new(true)})
	require.ErrorAs(t, err, &needed)
	assert.Equal(t, []string{"can't be blank"}, needed.Fields["terms"])
	_, _, err = root.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{
		Extra: map[string]json.RawMessage{"no_such_setting": json.RawMessage("1")},
	})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "a name that is no setting, alone")
	_, _, err = root.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{MaxPagesSize: new(int64(-1))})
	refused := new(serviceapi.Error)
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, []string{"must be greater than or equal to 0"}, refused.Fields["max_pages_size"])

	_, _, err = root.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{
		RestrictedVisibilityLevels: []serviceapi.Visibility{serviceapi.VisibilityPublic},
	})
	require.NoError(t, err)
	open := serviceapi.CreateProjectOptions{Name: "open", Visibility: new(serviceapi.VisibilityPublic)}
	_, _, err = ada.Projects.Create(ctx, open)
	require.ErrorAs(t, err, &refused)
	assert.Len(t, refused.Fields["visibility_level"], 1)
	_, _, err = root.Projects.Create(ctx, open)
	assert.NoError(t, err)
}
