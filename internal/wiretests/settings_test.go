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

// TestSettingsGet checks that every field has the value of its member. The fixture has 1.5 as a
// text.
func TestSettingsGet(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: settingsPath, Fixture: "settings/settings.json"})
	settings, _, err := client.Settings.Get(t.Context())
	require.NoError(t, err)
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(fixture(t, "settings/settings.json")), &members))
	members["polling_interval_multiplier"] = json.RawMessage("1.5")
	for name, field := range inventory.JSONFields(reflect.TypeFor[serviceapi.ApplicationSettings]()) {
		value := reflect.ValueOf(settings).Elem().FieldByIndex(field.Index).Interface()
		if secret, isSecret := value.(serviceapi.Secret); isSecret {
			value = secret.Reveal()
		}
		got, err := json.Marshal(value)
		require.NoError(t, err)
		assert.JSONEq(t, string(members[name]), string(got), name)
		delete(members, name)
	}
	assert.Empty(t, members)
	assert.Nil(t, settings.Extra)
	settings.Extra = map[string]json.RawMessage{"later": nil}
	assertFilled(t, settings)
}

// TestSettingsGetKinds checks a field of each type.
func TestSettingsGetKinds(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: settingsPath, Fixture: "settings/settings.json"})
	s, _, err := client.Settings.Get(t.Context())
	require.NoError(t, err)
	assert.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.UTC), s.CreatedAt)
	assert.Equal(t, int64(1), s.ID)
	assert.Equal(t, 1.5, s.PollingIntervalMultiplier)
	assert.Equal(t, serviceapi.KeyRestrictionForbidden, s.DSAKeyRestriction)
	assert.Equal(t, time.Saturday, s.FirstDayOfWeek)
	assert.Equal(t, serviceapi.DefaultProjectCreationDeveloper, s.DefaultProjectCreation)
	assert.Equal(t, serviceapi.BranchProtectionFull, s.DefaultBranchProtection)
	assert.Equal(t, serviceapi.GitAccessProtocolSSH, s.EnabledGitAccessProtocol)
	assert.Equal(t, []serviceapi.Visibility{serviceapi.VisibilityPublic, serviceapi.VisibilityInternal},
		s.RestrictedVisibilityLevels)
	assert.Equal(t, serviceapi.EmailConfirmationSettingSoft, s.EmailConfirmationSetting)
	assert.Equal(t, serviceapi.DuoAvailabilityDefaultOff, s.DuoAvailability)
	assert.Equal(t, serviceapi.DuoChatExpirationColumnCreatedAt, s.DuoChatExpirationColumn)
	assert.Equal(t, serviceapi.ElasticsearchClientAdapterNetHTTP, s.ElasticsearchClientAdapter)
	assert.Equal(t, serviceapi.ProductUsageDataSourceDatabase, s.ServiceProductUsageDataSource)
	assert.Equal(t, serviceapi.SidekiqJobLimiterModeTrack, s.SidekiqJobLimiterMode)
	assert.Equal(t, serviceapi.WhatsNewVariantCurrentTier, s.WhatsNewVariant)
	assert.Equal(t, map[string]int{"default": 70, "disk-2": 30}, s.RepositoryStoragesWeighted)
	assert.Equal(t, map[string]bool{"blockdiag": true, "bpmn": false, "excalidraw": false, "mermaid": true},
		s.KrokiFormats)
	assert.Equal(t, &serviceapi.ElasticsearchCount{All: 2}, s.ElasticsearchReplicas)
	assert.Equal(t, &serviceapi.ElasticsearchCount{ByIndex: map[string]int{
		"service-production": 5, "service-production-notes": 3,
	}}, s.ElasticsearchShards)
	assert.Equal(t, []*serviceapi.ElasticsearchIndexSettings{
		{AliasName: "service-production", NumberOfShards: 5, NumberOfReplicas: 1},
	}, s.ElasticsearchIndexSettings)
	assert.Equal(t, []*serviceapi.FoundationalAgentStatus{{Reference: "security_analyst", Enabled: true}},
		s.FoundationalAgentsStatuses)
	assert.Equal(t, []*serviceapi.DuoNamespaceAccessRule{{
		ThroughNamespace: &serviceapi.DuoAccessNamespace{ID: 7, Name: "Acme", FullPath: "acme"},
		Features:         []string{"duo_classic"},
	}}, s.DuoNamespaceAccessRules)
	assert.Equal(t, &serviceapi.SignInRestrictions{
		DisablePasswordAuthenticationForUsersWithSSOIdentities: new(true),
		RootMovedPermanentlyRedirection:                        new(false), SessionExpireFromInit: new(true),
		RequireMinimumEmailBasedOTPForUsersWithPasswords: new(true),
	}, s.SignInRestrictions)
	assert.Equal(t, &serviceapi.VSCodeExtensionMarketplace{
		Enabled: new(true), Preset: serviceapi.VSCodeExtensionPresetCustom,
		CustomValues: &serviceapi.VSCodeExtensionGallery{
			ServiceURL: "https://gallery.example/api", ItemURL: "https://gallery.example/item",
			ResourceURLTemplate: "https://gallery.example/{publisher}/{name}",
		},
		ExtensionHostDomain: "editor.example",
	}, s.VSCodeExtensionMarketplace)
	assert.Equal(t, &serviceapi.BranchProtectionDefaults{
		AllowedToPush:  []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelDeveloper}},
		AllowedToMerge: []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelMaintainer}},
		AllowForcePush: true, CodeOwnerApprovalRequired: true,
	}, s.DefaultBranchProtectionDefaults)
}

func TestSettingsUpdate(t *testing.T) {
	update := exchange{Method: "PUT", Path: settingsPath, Fixture: "settings/settings.json"}
	changed, cleared, other := update, update, update
	changed.JSON = `{"signup_enabled":false,"max_artifacts_size":0,"home_page_url":"",` +
		`"akismet_api_key":"the-key-of-akismet","first_day_of_week":1,"polling_interval_multiplier":0.5,` +
		`"restricted_visibility_levels":["public"]}`
	cleared.JSON = `{"home_page_url":null,"receive_max_input_size":null,"akismet_api_key":null,"domain_denylist":[]}`
	other.JSON = `{"sentry_enabled":false,"newer_rules":{"a":[1.50]},"later":true,"elasticsearch_shards":{"a":2},` +
		`"elasticsearch_replicas":3,"performance_bar_allowed_group_id":"acme",` +
		`"vscode_extension_marketplace":{"preset":"open_vsx"},"resource_usage_limits":{"rules":[]}}`
	client := onWire(t, changed, cleared, other)
	shards := serviceapi.ElasticsearchCount{ByIndex: map[string]int{"a": 2}}
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
		{
			SentryEnabled:                new(false),
			ElasticsearchReplicas:        serviceapi.Value(serviceapi.ElasticsearchCount{All: 3}),
			ElasticsearchShards:          serviceapi.Value(shards),
			PerformanceBarAllowedGroupID: serviceapi.Value("acme"),
			VSCodeExtensionMarketplace: &serviceapi.VSCodeExtensionMarketplace{
				Preset: serviceapi.VSCodeExtensionPresetOpenVSX,
			},
			ResourceUsageLimits: json.RawMessage(`{"rules":[]}`),
			Extra: map[string]json.RawMessage{
				"later": json.RawMessage("true"), "newer_rules": json.RawMessage(`{"a":[1.50]}`),
			},
		},
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
		err := update(map[string]json.RawMessage{"newer_dsn": json.RawMessage(value)})
		assertRefused(t, "Extra[newer_dsn]", err)
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

// notWrittenBack are the members of the fixture that only the service sets, and those that repeat
// another one.
var notWrittenBack = strings.Fields("id created_at updated_at container_registry_import_created_before " +
	"container_registry_import_max_retries container_registry_import_max_step_duration " +
	"container_registry_import_max_tags_count container_registry_import_start_max_retries " +
	"container_registry_import_target_plan container_registry_import_timeout " +
	"container_registry_pre_import_tags_rate container_registry_pre_import_timeout elasticsearch_index_settings " +
	"hashed_storage_enabled housekeeping_bitmaps_enabled pre_receive_secret_detection_enabled " +
	"service_product_usage_data_source " +
	"allow_local_requests_from_hooks_and_services asset_proxy_whitelist ci_cd_catalog_projects_allowlist_raw " +
	"domain_allowlist_raw domain_denylist_raw duo_availability duo_foundational_flows_availability " +
	"duo_remote_flows_availability housekeeping_full_repack_period housekeeping_gc_period " +
	"housekeeping_incremental_repack_period iframe_rendering_allowlist_raw outbound_local_requests_whitelist " +
	"password_authentication_enabled performance_bar_allowed_group_id signin_enabled " +
	"throttle_unauthenticated_enabled throttle_unauthenticated_period_in_seconds " +
	"throttle_unauthenticated_requests_per_period")

// TestSettingsWriteBack checks that what is written back is what was read, without what only
// the service sets.
func TestSettingsWriteBack(t *testing.T) {
	whole := fixture(t, "settings/settings.json")
	back := whole
	for _, own := range notWrittenBack {
		back = withoutMember(t, back, own)
	}
	for sent, want := range map[string]string{
		whole: strings.Replace(back, `"1.5"`, `1.5`, 1),
		`{"id":1,"home_page_url":null,"terms":"","restricted_visibility_levels":null,"domain_denylist":[],` +
			`"max_ssh_key_lifetime":null,"signup_enabled":false,"can_create_group":null,"akismet_api_key":null,` +
			`"maintenance_mode":false,"elasticsearch_shards":null,"sign_in_restrictions":{},` +
			`"repository_storages_weighted":{},"later":null}`: `{"home_page_url":null,"terms":"",` +
			`"restricted_visibility_levels":[],"domain_denylist":[],"max_ssh_key_lifetime":null,` +
			`"signup_enabled":false,"akismet_api_key":null,"maintenance_mode":false,"elasticsearch_shards":null,` +
			`"sign_in_restrictions":{},"repository_storages_weighted":{},"later":null}`,
		// Only the old names are there.
		`{"throttle_unauthenticated_enabled":true,"throttle_unauthenticated_period_in_seconds":0,` +
			`"asset_proxy_whitelist":["a"],"outbound_local_requests_whitelist":null,"signin_enabled":false,` +
			`"domain_denylist_raw":"a","performance_bar_allowed_group_id":7}`: `{` +
			`"throttle_unauthenticated_enabled":true,"throttle_unauthenticated_period_in_seconds":0,` +
			`"asset_proxy_whitelist":["a"],"outbound_local_requests_whitelist":[],"signin_enabled":false,` +
			`"domain_denylist_raw":"a"}`,
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
	s.MaintenanceMode = false
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
		JSON: `{"akismet_api_key":"` + typed + `","newer_dsn":"` + free + `",` +
			`"list":[{"a":["` + nested + `",1,null]}]}`})
	var dump strings.Builder
	_, _, err := client.Settings.Update(t.Context(), serviceapi.UpdateApplicationSettingsOptions{
		AkismetAPIKey: serviceapi.Value(serviceapi.NewSecret(typed)),
		Extra: map[string]json.RawMessage{
			"newer_dsn": json.RawMessage(`"` + free + `"`),
			"list":      json.RawMessage(`[{"a":["` + nested + `",1,null]}]`),
		},
	}, serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
	e := new(serviceapi.Error)
	require.ErrorAs(t, err, &e)
	for _, secret := range []string{typed, free, nested} {
		assert.NotContains(t, err.Error()+e.Message+strings.Join(e.Fields["a"], "")+dump.String(), secret)
	}
	assert.Contains(t, dump.String(), `"newer_dsn":"[redacted]"`)
	assert.Contains(t, err.Error(), "are bad")
}
