package wiretests

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSettingsAppearance(t *testing.T) {
	const path, whole = "/application/appearance", "settings/appearance.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "PUT", Path: path, Fixture: whole,
			JSON: `{"title":"","message_font_color":"#EEEEEE","email_header_and_footer_enabled":false}`},
		exchange{Method: "PUT", Path: path, Fixture: whole, Multipart: []string{"title=Engines",
			"favicon[f.ico;application/octet-stream]=icon", "logo[l.png;image/png]=pixels"}})
	s, ctx := client.Settings, t.Context()
	appearance, _, err := s.GetAppearance(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Appearance{
		Title: "Engines", Description: "Of all kinds",
		PWAName: "Engines app", PWAShortName: "Eng", PWADescription: "An app",
		PWAIcon:    "/uploads/-/system/appearance/pwa_icon/1/icon.png",
		Logo:       "/uploads/-/system/appearance/logo/1/logo.png",
		HeaderLogo: "/uploads/-/system/appearance/header_logo/1/header.png",
		Favicon:    "/uploads/-/system/appearance/favicon/1/favicon.ico", MemberGuidelines: "Be kind",
		NewProjectGuidelines: "Be brief", ProfileImageGuidelines: "Smile", HeaderMessage: "Hello", FooterMessage: "Bye",
		MessageBackgroundColor: "#000000", MessageFontColor: "#EEEEEE", EmailHeaderAndFooterEnabled: true,
	}, appearance)
	assertFilled(t, appearance)
	again, _, err := s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{
		Title: new(""), MessageFontColor: new("#EEEEEE"), EmailHeaderAndFooterEnabled: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, appearance, again)
	_, _, err = s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{
		Title: new("Engines"), Favicon: &serviceapi.Upload{Filename: "f.ico", Content: strings.NewReader("icon")},
		Logo: &serviceapi.Upload{Filename: "l.png", Content: strings.NewReader("pixels"), ContentType: "image/png"},
	})
	require.NoError(t, err)
	assertRefused(
		t,
		"upload",
		errorOf(s.UpdateAppearance(ctx, serviceapi.UpdateAppearanceOptions{Logo: new(serviceapi.Upload)})),
	)
}

const settingsPath = "/application/settings"

// TestSettingsGet checks every field. The fixture has 1.5 as a text.
func TestSettingsGet(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: settingsPath, Fixture: "settings/settings.json"})
	settings, _, err := client.Settings.Get(t.Context())
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ApplicationSettings{
		ID:                                  1,
		CreatedAt:                           time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.UTC),
		UpdatedAt:                           time.Date(2026, 2, 3, 4, 5, 6, 789000000, time.UTC),
		SignupEnabled:                       true,
		RequireAdminApprovalAfterUserSignup: true,
		SendUserConfirmationEmail:           new(true),
		EmailConfirmationSetting:            serviceapi.EmailConfirmationSettingSoft,
		PasswordAuthenticationEnabledForWeb: true,
		PasswordAuthenticationEnabledForGit: true,
		RequireTwoFactorAuthentication:      true,
		TwoFactorGracePeriod:                21,
		AdminMode:                           true,
		UserDefaultExternal:                 true,
		UserDefaultInternalRegex:            "text 24",
		UserOAuthApplications:               true,
		UserShowAddSSHKeyMessage:            true,
		MinimumPasswordLength:               27,
		SessionExpireDelay:                  28,
		DomainAllowlist:                     []string{"item-29", "other-29"},
		DomainDenylistEnabled:               true,
		DomainDenylist:                      []string{"item-31", "other-31"},
		EmailRestrictionsEnabled:            true,
		EmailRestrictions:                   "text 33",
		DisabledOAuthSignInSources:          []string{"item-34", "other-34"},
		AfterSignOutPath:                    "text 35",
		HomePageURL:                         "text 36",
		AfterSignUpText:                     "text 37",
		SignInText:                          "text 38",
		HelpPageText:                        "text 39",
		HelpPageSupportURL:                  "text 40",
		DefaultProjectVisibility:            serviceapi.VisibilityInternal,
		DefaultGroupVisibility:              serviceapi.VisibilityPublic,
		DefaultSnippetVisibility:            serviceapi.VisibilityPrivate,
		RestrictedVisibilityLevels: []serviceapi.Visibility{
			serviceapi.VisibilityPublic,
			serviceapi.VisibilityInternal,
		},
		DefaultProjectsLimit:                             45,
		DefaultBranchProtection:                          serviceapi.BranchProtectionFull,
		DefaultProjectCreation:                           serviceapi.DefaultProjectCreationDeveloper,
		DefaultBranchName:                                "text 48",
		DefaultCIConfigPath:                              "text 49",
		DefaultArtifactsExpireIn:                         "30 days",
		GravatarEnabled:                                  true,
		CanCreateGroup:                                   new(true),
		ProjectExportEnabled:                             true,
		MirrorAvailable:                                  true,
		ImportSources:                                    []string{"item-55", "other-55"},
		FirstDayOfWeek:                                   time.Saturday,
		EnabledGitAccessProtocol:                         serviceapi.GitAccessProtocolSSH,
		RSAKeyRestriction:                                1082,
		DSAKeyRestriction:                                serviceapi.KeyRestrictionForbidden,
		ECDSAKeyRestriction:                              1084,
		Ed25519KeyRestriction:                            1085,
		ECDSASKKeyRestriction:                            1086,
		Ed25519SKKeyRestriction:                          1087,
		PersonalAccessTokenPrefix:                        "text 64",
		RequirePersonalAccessTokenExpiry:                 new(true),
		MaxPersonalAccessTokenLifetime:                   new(66),
		MaxSSHKeyLifetime:                                new(67),
		ReceiveMaxInputSize:                              new(int64(68)),
		AutoDevOpsEnabled:                                true,
		AutoDevOpsDomain:                                 "text 70",
		SharedRunnersEnabled:                             true,
		SharedRunnersText:                                "text 72",
		KeepLatestArtifact:                               true,
		ProtectedCIVariables:                             true,
		MaxArtifactsSize:                                 75,
		AllowRunnerRegistrationToken:                     new(true),
		ValidRunnerRegistrars:                            []string{"item-77", "other-77"},
		MaxAttachmentSize:                                78,
		MaxImportSize:                                    79,
		MaxExportSize:                                    80,
		MaxPagesSize:                                     81,
		SnippetSizeLimit:                                 82,
		WikiPageMaxContentBytes:                          83,
		IssuesCreateLimit:                                84,
		NotesCreateLimit:                                 85,
		RawBlobRequestLimit:                              86,
		SearchRateLimit:                                  87,
		TerminalMaxSessionTime:                           88,
		PollingIntervalMultiplier:                        1.5,
		ThrottleAuthenticatedAPIEnabled:                  true,
		ThrottleAuthenticatedAPIPeriodInSeconds:          91,
		ThrottleAuthenticatedAPIRequestsPerPeriod:        92,
		ThrottleAuthenticatedWebEnabled:                  true,
		ThrottleAuthenticatedWebPeriodInSeconds:          94,
		ThrottleAuthenticatedWebRequestsPerPeriod:        95,
		ThrottleUnauthenticatedEnabled:                   true,
		ThrottleUnauthenticatedPeriodInSeconds:           97,
		ThrottleUnauthenticatedRequestsPerPeriod:         98,
		ThrottleUnauthenticatedAPIEnabled:                true,
		ThrottleUnauthenticatedAPIPeriodInSeconds:        100,
		ThrottleUnauthenticatedAPIRequestsPerPeriod:      101,
		AllowLocalRequestsFromWebHooksAndServices:        true,
		AllowLocalRequestsFromSystemHooks:                true,
		OutboundLocalRequestsWhitelist:                   []string{"item-104", "other-104"},
		DNSRebindingProtectionEnabled:                    true,
		PlantUMLEnabled:                                  true,
		PlantUMLURL:                                      "text 107",
		KrokiEnabled:                                     true,
		KrokiURL:                                         "text 109",
		GitpodEnabled:                                    true,
		PrometheusMetricsEnabled:                         true,
		UsagePingEnabled:                                 true,
		VersionCheckEnabled:                              true,
		ContainerExpirationPoliciesEnableHistoricEntries: true,
		ContainerRegistryTokenExpireDelay:                115,
		RepositoryStoragesWeighted:                       map[string]int{"default": 70, "disk-2": 30},
		RepositoryStorages:                               []string{"item-117", "other-117"},
		EnforceTerms:                                     true,
		Terms:                                            "text 119",
		AkismetAPIKey:                                    serviceapi.NewSecret("secret-number-120"),
		SpamCheckAPIKey:                                  serviceapi.NewSecret("secret-number-121"),
		ExternalPipelineValidationServiceToken:           serviceapi.NewSecret("secret-number-122"),
		StaticObjectsExternalStorageAuthToken:            serviceapi.NewSecret("secret-number-123"),
		DeletionAdjournedPeriod:                          new(124),
		DelayedProjectDeletion:                           new(true),
		DelayedGroupDeletion:                             new(true),
		DefaultProjectDeletionProtection:                 new(true),
		MaintenanceMode:                                  new(true),
		MaintenanceModeMessage:                           "text 129",
		GeoNodeAllowedIPs:                                "text 130",
		FileTemplateProjectID:                            new(int64(131)),
		RepositorySizeLimit:                              new(int64(132)),
		SharedRunnersMinutes:                             new(133),
		Extra: map[string]json.RawMessage{
			"asset_proxy_allowlist":                            json.RawMessage(`null`),
			"default_branch_protection_defaults":               json.RawMessage(`{"allow_force_push": false}`),
			"external_authorization_service_timeout":           json.RawMessage(`0.5`),
			"password_authentication_enabled":                  json.RawMessage(`true`),
			"rate_limiting_response_text":                      json.RawMessage(`"Wait a minute"`),
			"sentry_enabled":                                   json.RawMessage(`true`),
			"signin_enabled":                                   json.RawMessage(`true`),
			"throttle_unauthenticated_web_enabled":             json.RawMessage(`true`),
			"throttle_unauthenticated_web_period_in_seconds":   json.RawMessage(`3600`),
			"throttle_unauthenticated_web_requests_per_period": json.RawMessage(`1`),
		},
	}, settings)
	assertFilled(t, settings)
}

func TestSettingsUpdate(t *testing.T) {
	update := exchange{Method: "PUT", Path: settingsPath, Fixture: "settings/settings.json"}
	changed, cleared, other := update, update, update
	changed.JSON = `{"signup_enabled":false,"max_artifacts_size":0,"home_page_url":"",` +
		`"akismet_api_key":"the-key-of-akismet","first_day_of_week":1,"polling_interval_multiplier":0.5,` +
		`"restricted_visibility_levels":["public"]}`
	cleared.JSON = `{"home_page_url":null,"receive_max_input_size":null,"akismet_api_key":null,"domain_denylist":[]}`
	other.JSON = `{"sentry_enabled":false,"sign_in_restrictions":{"a":[1.50]},"later":true}`
	client := onWire(t, changed, cleared, other)
	for _, options := range []serviceapi.UpdateApplicationSettingsOptions{
		{
			SignupEnabled: new(false), MaxArtifactsSize: new(int64(0)), HomePageURL: serviceapi.Value(""),
			AkismetAPIKey:              serviceapi.Value(serviceapi.NewSecret("the-key-of-akismet")),
			FirstDayOfWeek:             new(time.Monday),
			PollingIntervalMultiplier:  new(0.5),
			RestrictedVisibilityLevels: []serviceapi.Visibility{serviceapi.VisibilityPublic},
		},
		{
			HomePageURL: serviceapi.Null[string](), ReceiveMaxInputSize: serviceapi.Null[int64](),
			AkismetAPIKey:  serviceapi.Null[serviceapi.Secret](),
			DomainDenylist: []string{},
		},
		{Extra: map[string]json.RawMessage{
			"sentry_enabled": json.RawMessage("false"), "later": json.RawMessage("true"),
			"sign_in_restrictions": json.RawMessage(`{"a":[1.50]}`),
		}},
	} {
		settings, _, err := client.Settings.Update(t.Context(), options)
		require.NoError(t, err)
		assert.Equal(t, int64(1), settings.ID)
	}
}

func TestSettingsRefusals(t *testing.T) {
	client := onWire(t)
	update := func(extra map[string]json.RawMessage, opts ...serviceapi.RequestOption) error {
		return errorOf(
			client.Settings.Update(t.Context(), serviceapi.UpdateApplicationSettingsOptions{Extra: extra}, opts...),
		)
	}
	assertRefused(t, "options", update(nil))
	assertRefused(t, "options", update(map[string]json.RawMessage{}))
	for name, problem := range map[string]string{
		"signup_enabled": "has a field: use SignupEnabled", "akismet_api_key": "use AkismetAPIKey",
		"sudo": "WithSudo", "": "is empty", "a\nb": "control character",
	} {
		assert.ErrorContains(t, update(map[string]json.RawMessage{name: json.RawMessage("true")}), problem, name)
	}
	for _, value := range []string{"", "secret-text", `{"a":}`, "1 2"} {
		err := update(map[string]json.RawMessage{"sentry_dsn": json.RawMessage(value)})
		assertRefused(t, "Extra[sentry_dsn]", err)
		assert.NotContains(t, err.Error(), "secret-text")
	}
	twice := update(map[string]json.RawMessage{"later": json.RawMessage("1")}, serviceapi.WithBodyField("later", 2))
	assertRefused(t, "body field later", twice)
}

// TestSettingsTakeBodyFields checks that a parameter of the caller's is a setting, too.
func TestSettingsTakeBodyFields(t *testing.T) {
	client := onWire(t, exchange{Method: "PUT", Path: settingsPath, JSON: `{"later":1}`, Body: `{"id":1}`})
	_, _, err := client.Settings.Update(
		t.Context(),
		serviceapi.UpdateApplicationSettingsOptions{},
		serviceapi.WithBodyField("later", 1),
	)
	require.NoError(t, err)
}

// TestSettingsWriteBack checks that what is written back is what was read, without what only
// the service sets.
func TestSettingsWriteBack(t *testing.T) {
	whole := fixture(t, "settings/settings.json")
	back := whole
	for _, own := range []string{"id", "created_at", "updated_at", "signin_enabled", "password_authentication_enabled",
		"throttle_unauthenticated_web_enabled", "throttle_unauthenticated_web_period_in_seconds",
		"throttle_unauthenticated_web_requests_per_period"} {
		back = withoutMember(t, back, own)
	}
	for sent, want := range map[string]string{
		string(whole): strings.Replace(back, `"1.5"`, `1.5`, 1),
		`{"id":1,"home_page_url":null,"terms":"","restricted_visibility_levels":null,"domain_denylist":[],` +
			`"max_ssh_key_lifetime":null,"signup_enabled":false,"can_create_group":null,"akismet_api_key":null,` +
			`"maintenance_mode":false,"later":null}`: `{"home_page_url":null,"terms":"",` +
			`"restricted_visibility_levels":[],"domain_denylist":[],"max_ssh_key_lifetime":null,` +
			`"signup_enabled":false,"akismet_api_key":null,"maintenance_mode":false,"later":null}`,
	} {
		client := onWire(t, exchange{Method: "GET", Path: settingsPath, Body: sent},
			exchange{Method: "PUT", Path: settingsPath, JSON: want, Body: sent})
		read, _, err := client.Settings.Get(t.Context())
		require.NoError(t, err)
		written, _, err := client.Settings.Update(t.Context(), read.UpdateOptions())
		require.NoError(t, err)
		assert.Equal(t, read, written)
	}
}

// withoutMember returns an object without one of its members.
func withoutMember(t *testing.T, object, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(object), &members))
	require.Contains(t, members, name)
	delete(members, name)
	data, err := json.Marshal(members)
	require.NoError(t, err)
	return string(data)
}

// TestSettingsWriteBackChanges checks that a change of what was read is sent, whatever the
// value was before.
func TestSettingsWriteBackChanges(t *testing.T) {
	var s serviceapi.ApplicationSettings
	require.NoError(t, json.Unmarshal([]byte(`{"signup_enabled":true,"terms":"t","help_page_text":null,`+
		`"max_ssh_key_lifetime":7,"receive_max_input_size":null,"domain_denylist":["a"],`+
		`"maintenance_mode":true,"first_day_of_week":1}`), &s))
	s.SignupEnabled, s.FirstDayOfWeek, s.Terms, s.HelpPageText = false, time.Sunday, "", "Help"
	s.MaxSSHKeyLifetime, s.ReceiveMaxInputSize, s.DomainDenylist = nil, new(int64(5)), nil
	*s.MaintenanceMode = false
	s.KrokiEnabled = true // it was not there
	want := `{"signup_enabled":false,"terms":"","help_page_text":"Help","max_ssh_key_lifetime":null,` +
		`"receive_max_input_size":5,"domain_denylist":[],"maintenance_mode":false,"first_day_of_week":0,` +
		`"kroki_enabled":true}`
	sent, err := jsonv2.Marshal(s.UpdateOptions())
	require.NoError(t, err)
	assert.JSONEq(t, want, string(sent))
	encoded, err := json.Marshal(s)
	require.NoError(t, err)
	assert.JSONEq(t, strings.Replace(want, `"domain_denylist":[]`, `"domain_denylist":null`, 1), string(encoded))
}

// TestSettingsOfTheWrongKind checks that a value that cannot be read is neither kept nor
// written back, and that no error quotes it.
func TestSettingsOfTheWrongKind(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: settingsPath,
		Body: `{"signup_enabled":"perhaps","max_artifacts_size":{"a":1},"can_create_group":7,` +
			`"akismet_api_key":["the-key"],"kroki_url":"k"}`})
	s, _, err := client.Settings.Get(t.Context())
	wrong := new(serviceapi.DecodeError)
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/signup_enabled", wrong.Pointer)
	assert.Empty(t, wrong.Excerpt)
	assert.NotContains(t, err.Error(), "the-key")
	assert.Equal(t, serviceapi.UpdateApplicationSettingsOptions{KrokiURL: serviceapi.Value("k")}, s.UpdateOptions())
}

// TestSettingsSecretsAreHidden checks that errors show neither the secrets that were sent nor
// the texts of settings without a field.
func TestSettingsSecretsAreHidden(t *testing.T) {
	const typed, free, nested = "the-key-of-akismet", "the-dsn-of-sentry", "the-nested-secret"
	body := `{"message":{"a":["` + typed + ` and ` + free + ` and ` + nested + ` are bad"]}}`
	client := onWire(t, exchange{Method: "PUT", Path: settingsPath, Status: 400, Body: body,
		JSON: `{"akismet_api_key":"` + typed + `","sentry_dsn":"` + free + `",` +
			`"list":[{"a":["` + nested + `",1,null]}]}`})
	var dump strings.Builder
	_, _, err := client.Settings.Update(t.Context(), serviceapi.UpdateApplicationSettingsOptions{
		AkismetAPIKey: serviceapi.Value(serviceapi.NewSecret(typed)),
		Extra: map[string]json.RawMessage{
			"sentry_dsn": json.RawMessage(`"` + free + `"`),
			"list":       json.RawMessage(`[{"a":["` + nested + `",1,null]}]`),
		},
	}, serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
	e := new(serviceapi.Error)
	require.ErrorAs(t, err, &e)
	for _, secret := range []string{typed, free, nested} {
		assert.NotContains(t, err.Error()+e.Message+strings.Join(e.Fields["a"], "")+dump.String(), secret)
	}
	assert.Contains(t, dump.String(), `"sentry_dsn":"[redacted]"`)
	assert.Contains(t, err.Error(), "are bad")
}

// TestSettingsHaveOptions checks that every setting can be sent, under the name that it is
// read by.
func TestSettingsHaveOptions(t *testing.T) {
	options := map[string]string{}
	for name, field := range inventory.JSONFields(reflect.TypeFor[serviceapi.UpdateApplicationSettingsOptions]()) {
		options[name] = field.Name
	}
	for name, field := range inventory.JSONFields(reflect.TypeFor[serviceapi.ApplicationSettings]()) {
		if name != "id" && name != "created_at" && name != "updated_at" {
			assert.Equal(t, field.Name, options[name], name)
		}
		delete(options, name)
	}
	delete(options, "Extra")
	assert.Equal(t, map[string]string{
		"asset_proxy_secret_key": "AssetProxySecretKey", "eks_secret_access_key": "EKSSecretAccessKey",
	}, options, "only in requests")
}
