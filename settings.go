package serviceapi

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SettingsService manages the settings of the instance and the appearance of its pages. All
// calls require an administrator, and return [ErrForbidden] to everybody else.
//
// Its options are [UpdateAppearanceOptions] and [UpdateApplicationSettingsOptions]. See
// the example of [SettingsService.UpdateAppearance].
type SettingsService service

// Get returns the settings of the instance.
//
//	GET /application/settings
func (s *SettingsService) Get(ctx context.Context, opts ...RequestOption) (*ApplicationSettings, *Response, error) {
	return do[ApplicationSettings](ctx, using(s), http.MethodGet, Route("/application/settings"), nil, opts)
}

// Update changes settings, and returns all of them. [ErrBadRequest] means that a value is
// refused, or that a switch is turned on without the settings that it requires, such as
// PlantUMLEnabled without PlantUMLURL: set both in one call.
//
//	PUT /application/settings
func (s *SettingsService) Update(
	ctx context.Context, options UpdateApplicationSettingsOptions, opts ...RequestOption,
) (*ApplicationSettings, *Response, error) {
	in := settingsInput{options}
	return do[ApplicationSettings](ctx, using(s), http.MethodPut, Route("/application/settings"), in, opts)
}

// GetAppearance returns the texts, colors and pictures of the instance.
//
//	GET /application/appearance
func (s *SettingsService) GetAppearance(ctx context.Context, opts ...RequestOption) (*Appearance, *Response, error) {
	return do[Appearance](ctx, using(s), http.MethodGet, Route("/application/appearance"), nil, opts)
}

// UpdateAppearance changes texts, colors and pictures, and returns all of them.
//
//	PUT /application/appearance
func (s *SettingsService) UpdateAppearance(
	ctx context.Context, options UpdateAppearanceOptions, opts ...RequestOption,
) (*Appearance, *Response, error) {
	return do[Appearance](ctx, using(s), http.MethodPut, Route("/application/appearance"), options.input(), opts)
}

// Appearance describes how the pages of the instance look. Texts are empty until they are
// set.
type Appearance struct {
	// Title and Description are shown on the sign-in page.
	Title       string `json:"title"`
	Description string `json:"description"`
	// PWAName, PWAShortName and PWADescription are the names and the description of the
	// progressive web app. Since 15.8, like PWAIcon.
	PWAName        string `json:"pwa_name"`
	PWAShortName   string `json:"pwa_short_name"`
	PWADescription string `json:"pwa_description"`
	// PWAIcon, Logo, HeaderLogo and Favicon are paths below the address of the instance, such
	// as "/uploads/-/system/appearance/logo/1/logo.png", empty if there is no such picture.
	PWAIcon    string `json:"pwa_icon"`
	Logo       string `json:"logo"`
	HeaderLogo string `json:"header_logo"`
	Favicon    string `json:"favicon"`
	// MemberGuidelines are shown on the page of members to users who can change members.
	// Since about 15.3.
	MemberGuidelines string `json:"member_guidelines"`
	// NewProjectGuidelines are shown on the page for creating projects, and
	// ProfileImageGuidelines below the picture of a user.
	NewProjectGuidelines   string `json:"new_project_guidelines"`
	ProfileImageGuidelines string `json:"profile_image_guidelines"`
	// HeaderMessage and FooterMessage are shown on every page.
	HeaderMessage string `json:"header_message"`
	FooterMessage string `json:"footer_message"`
	// MessageBackgroundColor and MessageFontColor are the colors of the two messages,
	// "#E75E40" and "#FFFFFF" by default.
	MessageBackgroundColor string `json:"message_background_color"`
	MessageFontColor       string `json:"message_font_color"`
	// EmailHeaderAndFooterEnabled reports whether emails also contain the two messages.
	EmailHeaderAndFooterEnabled bool `json:"email_header_and_footer_enabled"`
}

// UpdateAppearanceOptions changes the appearance of the instance. Nil fields are left
// unchanged, and an empty string removes the old text. See [Appearance] for what they mean.
// With a picture, the call is sent as multipart/form-data instead of JSON. To remove a
// picture, use WithBodyField("logo", "").
type UpdateAppearanceOptions struct {
	Title          *string `json:"title,omitzero"`
	Description    *string `json:"description,omitzero"`
	PWAName        *string `json:"pwa_name,omitzero"`
	PWAShortName   *string `json:"pwa_short_name,omitzero"`
	PWADescription *string `json:"pwa_description,omitzero"`
	// PWAIcon, Logo, HeaderLogo and Favicon are pictures. Favicon is a PNG or ICO file.
	PWAIcon                *Upload `json:"-" url:"pwa_icon"`
	Logo                   *Upload `json:"-" url:"logo"`
	HeaderLogo             *Upload `json:"-" url:"header_logo"`
	Favicon                *Upload `json:"-" url:"favicon"`
	MemberGuidelines       *string `json:"member_guidelines,omitzero"`
	NewProjectGuidelines   *string `json:"new_project_guidelines,omitzero"`
	ProfileImageGuidelines *string `json:"profile_image_guidelines,omitzero"`
	HeaderMessage          *string `json:"header_message,omitzero"`
	FooterMessage          *string `json:"footer_message,omitzero"`
	// MessageBackgroundColor and MessageFontColor are colors such as "#E75E40".
	MessageBackgroundColor      *string `json:"message_background_color,omitzero"`
	MessageFontColor            *string `json:"message_font_color,omitzero"`
	EmailHeaderAndFooterEnabled *bool   `json:"email_header_and_footer_enabled,omitzero"`
}

// input sends a form if there are pictures.
func (o UpdateAppearanceOptions) input() input {
	files := make(map[string]Upload)
	for name, file := range map[string]*Upload{
		"pwa_icon": o.PWAIcon, "logo": o.Logo, "header_logo": o.HeaderLogo, "favicon": o.Favicon,
	} {
		if file != nil {
			files[name] = *file
		}
	}
	if len(files) == 0 {
		return jsonOf(o)
	}
	return Multipart{Fields: o, Files: files}
}

// check refuses what Extra must not contain.
func (o UpdateApplicationSettingsOptions) check() error {
	for _, name := range slices.Sorted(maps.Keys(o.Extra)) {
		problem := ""
		switch {
		case redact.IsParam(name):
			problem = "cannot be set here: use WithCredential or WithSudo"
		case name == "" || text.HasControl(name) || !utf8.ValidString(name):
			problem = "is empty, or contains a control character or invalid UTF-8"
		case settingField(name) != "":
			problem = "has a field: use " + settingField(name)
		case !jsontext.Value(o.Extra[name]).IsValid():
			problem = "is not JSON"
		default:
			continue
		}
		return badArgument("Extra["+text.Printable(name, 60)+"]", problem)
	}
	return nil
}

// settingField returns the name of the option of a setting, or "" if it has none.
func settingField(name string) string {
	place, ok := settingOptions()[name]
	if !ok {
		return ""
	}
	return reflect.TypeFor[UpdateApplicationSettingsOptions]().Field(place).Name
}

// settingOptions returns the places of the options, by the names of their settings.
var settingOptions = sync.OnceValue(func() map[string]int {
	return placesOf(reflect.TypeFor[UpdateApplicationSettingsOptions]())
})

// settingMembers returns the places of the fields that have a member, by its name.
var settingMembers = sync.OnceValue(func() map[string]int {
	return placesOf(reflect.TypeFor[ApplicationSettings]())
})

// placesOf returns the places of the fields that have a name in JSON, by that name.
func placesOf(typ reflect.Type) map[string]int {
	places := make(map[string]int)
	for place := range typ.NumField() {
		if name, _, _ := strings.Cut(typ.Field(place).Tag.Get("json"), ","); name != "" && name != "-" {
			places[name] = place
		}
	}
	return places
}

// settingsInput sends settings as JSON.
type settingsInput struct {
	options UpdateApplicationSettingsOptions
}

func (in settingsInput) encode(p *payload) error {
	if err := jsonOf(in.options).encode(p); err != nil {
		return err
	}
	if string(p.data) == "{}" {
		return badArgument("options", "have no setting: at least one is required")
	}
	for _, value := range in.options.Extra {
		p.secrets = textsIn(p.secrets, value)
	}
	return nil
}

// textsIn appends the texts in a value, without the names of members.
func textsIn(found []string, value []byte) []string {
	switch jsontext.Value(value).Kind() {
	case '"':
		return append(found, jsonx.Text(value))
	case '[':
		var items []jsontext.Value
		_ = jsonv2.Unmarshal(value, &items, jsonx.Lenient) // the value was encoded
		for _, item := range items {
			found = textsIn(found, item)
		}
	case '{':
		var members map[string]jsontext.Value
		_ = jsonv2.Unmarshal(value, &members, jsonx.Lenient)
		for _, member := range members {
			found = textsIn(found, member)
		}
	}
	return found
}

// UpdateOptions returns the options that write the settings in s, including changes that
// were made to s. Use it to save and restore the settings of an instance, or to copy them
// to another instance. A setting that the service left out is left out, and one that was
// null is sent as null, or as an empty list. The options lack what only the service sets,
// and the secrets that no response contains: if EKSIntegrationEnabled is set, the service
// needs EKSSecretAccessKey. Of several names for a setting, the options have one, such as
// DomainDenylist but not DomainDenylistRaw; they have no PerformanceBarAllowedGroupID, which
// is an ID in results and a path in options. They share lists, maps and objects with s.
//
// To change one setting, send only that setting: with UpdateOptions, all others would be
// set back to what they were when they were read.
func (s *ApplicationSettings) UpdateOptions() UpdateApplicationSettingsOptions {
	o := UpdateApplicationSettingsOptions{Extra: maps.Clone(s.Extra)}
	from, to := reflect.ValueOf(s).Elem(), reflect.ValueOf(&o).Elem()
	for name, place := range settingMembers() {
		at, hasOption := settingOptions()[name]
		value := from.Field(place)
		leftOut, null := s.blanks.of(place)
		isZero := value.IsZero() // otherwise it was set since
		switch {
		case !hasOption, leftOut && isZero, s.repeats(name):
		case null && isZero, isNilValue(value):
			clearSetting(to.Field(at))
		default:
			setSetting(to.Field(at), reflect.Indirect(value))
		}
	}
	return o
}

// settingAliases are the settings that repeat another one, and the name of that one, which is
// written back in their place.
var settingAliases = map[string]string{
	"allow_local_requests_from_hooks_and_services": "allow_local_requests_from_web_hooks_and_services",
	"asset_proxy_whitelist":                        "asset_proxy_allowlist",
	"ci_cd_catalog_projects_allowlist_raw":         "ci_cd_catalog_projects_allowlist",
	"domain_allowlist_raw":                         "domain_allowlist",
	"domain_denylist_raw":                          "domain_denylist",
	"duo_availability":                             "duo_features_enabled",
	"duo_foundational_flows_availability":          "duo_foundational_flows_enabled",
	"duo_remote_flows_availability":                "duo_remote_flows_enabled",
	"housekeeping_full_repack_period":              "housekeeping_optimize_repository_period",
	"housekeeping_gc_period":                       "housekeeping_optimize_repository_period",
	"housekeeping_incremental_repack_period":       "housekeeping_optimize_repository_period",
	"iframe_rendering_allowlist_raw":               "iframe_rendering_allowlist",
	"outbound_local_requests_whitelist":            "outbound_local_requests_allowlist_raw",
	"password_authentication_enabled":              "password_authentication_enabled_for_web",
	"signin_enabled":                               "password_authentication_enabled_for_web",
	"throttle_unauthenticated_enabled":             "throttle_unauthenticated_web_enabled",
	"throttle_unauthenticated_period_in_seconds":   "throttle_unauthenticated_web_period_in_seconds",
	"throttle_unauthenticated_requests_per_period": "throttle_unauthenticated_web_requests_per_period",
}

// repeats reports whether a setting is written back under another name. The service refuses
// some requests with both names, and takes only one of them from the others.
func (s *ApplicationSettings) repeats(name string) bool {
	if name == "performance_bar_allowed_group_id" {
		return true // results have an ID, but requests a path
	}
	place, ok := settingMembers()[settingAliases[name]]
	leftOut, _ := s.blanks.of(place)
	return ok && !leftOut
}

// clearSetting makes a field of the options null, or an empty list. Other fields cannot be
// cleared.
func clearSetting(field reflect.Value) {
	if content, ok := field.Addr().Interface().(settable); ok {
		content.set(nil)
	} else if field.Kind() == reflect.Slice && field.Type() != reflect.TypeFor[json.RawMessage]() {
		field.Set(reflect.MakeSlice(field.Type(), 0, 0))
	}
}

// setSetting makes a field of the options send a value.
func setSetting(field, value reflect.Value) {
	if content, ok := field.Addr().Interface().(settable); ok {
		content.set(value.Interface())
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(value.Type()))
		field = field.Elem()
	}
	field.Set(value)
}

// settingBlanks are the members with a field that the service left out, and those that it sent
// as null, by the places of their fields.
type settingBlanks struct{ leftOut, null []int16 }

// of returns how the service sent the member at a place: left out, or as null.
func (b settingBlanks) of(place int) (leftOut, null bool) {
	_, leftOut = slices.BinarySearch(b.leftOut, int16(place))
	_, null = slices.BinarySearch(b.null, int16(place))
	return leftOut, null
}

// EmailConfirmationSetting says whether new users have to confirm their addresses.
type EmailConfirmationSetting string

// Kinds of confirmation. With EmailConfirmationSettingSoft, users can sign in for a few days
// without it; with EmailConfirmationSettingHard, they cannot.
const (
	EmailConfirmationSettingOff  EmailConfirmationSetting = "off"
	EmailConfirmationSettingSoft EmailConfirmationSetting = "soft"
	EmailConfirmationSettingHard EmailConfirmationSetting = "hard"
)

// DuoChatExpirationColumn says from when the age of a chat with an AI agent is counted.
type DuoChatExpirationColumn string

// From the last message, or from the beginning.
const (
	DuoChatExpirationColumnLastUpdatedAt DuoChatExpirationColumn = "last_updated_at"
	DuoChatExpirationColumnCreatedAt     DuoChatExpirationColumn = "created_at"
)

// ElasticsearchClientAdapter is the HTTP library that calls the cluster of advanced search.
type ElasticsearchClientAdapter string

// Libraries of the service.
const (
	ElasticsearchClientAdapterNetHTTP  ElasticsearchClientAdapter = "net_http"
	ElasticsearchClientAdapterTyphoeus ElasticsearchClientAdapter = "typhoeus"
)

// ProductUsageDataSource says where it is set whether usage events are sent.
type ProductUsageDataSource string

// In the environment of the service, or in its settings.
const (
	ProductUsageDataSourceEnvironment ProductUsageDataSource = "environment"
	ProductUsageDataSourceDatabase    ProductUsageDataSource = "database"
)

// SidekiqJobLimiterMode says what happens to background jobs that are too large.
type SidekiqJobLimiterMode string

// With SidekiqJobLimiterModeTrack, they are only logged. With SidekiqJobLimiterModeCompress,
// they are compressed, and refused if they are still too large.
const (
	SidekiqJobLimiterModeTrack    SidekiqJobLimiterMode = "track"
	SidekiqJobLimiterModeCompress SidekiqJobLimiterMode = "compress"
)

// VSCodeExtensionPreset says which gallery of extensions the web editor uses.
type VSCodeExtensionPreset string

// The public gallery Open VSX, or the one at the addresses of
// [VSCodeExtensionMarketplace].CustomValues.
const (
	VSCodeExtensionPresetOpenVSX VSCodeExtensionPreset = "open_vsx"
	VSCodeExtensionPresetCustom  VSCodeExtensionPreset = "custom"
)

// WhatsNewVariant says who sees the news about releases in the help menu.
type WhatsNewVariant string

// The news of all tiers, those of the tier of the instance, or none.
const (
	WhatsNewVariantAllTiers    WhatsNewVariant = "all_tiers"
	WhatsNewVariantCurrentTier WhatsNewVariant = "current_tier"
	WhatsNewVariantDisabled    WhatsNewVariant = "disabled"
)

// SignInRestrictions are settings about signing in. What is nil was left out.
type SignInRestrictions struct {
	// DisablePasswordAuthenticationForUsersWithSSOIdentities, RootMovedPermanentlyRedirection
	// and SessionExpireFromInit are also fields of [ApplicationSettings].
	DisablePasswordAuthenticationForUsersWithSSOIdentities *bool `json:"disable_password_authentication_for_users_with_sso_identities,omitzero"`
	RootMovedPermanentlyRedirection                        *bool `json:"root_moved_permanently_redirection,omitzero"`
	SessionExpireFromInit                                  *bool `json:"session_expire_from_init,omitzero"`
	// RequireMinimumEmailBasedOTPForUsersWithPasswords makes users with a password also enter
	// a code that is sent to their address.
	RequireMinimumEmailBasedOTPForUsersWithPasswords *bool `json:"require_minimum_email_based_otp_for_users_with_passwords,omitzero"`
}

// VSCodeExtensionMarketplace says where the web editor finds extensions. What is empty or nil
// was left out.
type VSCodeExtensionMarketplace struct {
	// Enabled lets the editor use extensions.
	Enabled *bool `json:"enabled,omitzero"`
	// Preset is the gallery of extensions.
	Preset VSCodeExtensionPreset `json:"preset,omitzero"`
	// CustomValues are the addresses of the gallery if Preset is
	// [VSCodeExtensionPresetCustom].
	CustomValues *VSCodeExtensionGallery `json:"custom_values,omitzero"`
	// ExtensionHostDomain is the host that the editor loads extensions from.
	ExtensionHostDomain string `json:"extension_host_domain,omitzero"`
}

// VSCodeExtensionGallery has the addresses of a gallery of extensions.
type VSCodeExtensionGallery struct {
	// ServiceURL is the address of its API, and ItemURL that of the page of an extension.
	ServiceURL string `json:"service_url,omitzero"`
	ItemURL    string `json:"item_url,omitzero"`
	// ResourceURLTemplate is the address of a file, with the parts of its name in braces.
	ResourceURLTemplate string `json:"resource_url_template,omitzero"`
}

// ElasticsearchIndexSettings are the numbers of shards and replicas of an index.
type ElasticsearchIndexSettings struct {
	AliasName        string `json:"alias_name"` // the name of the index
	NumberOfShards   int    `json:"number_of_shards"`
	NumberOfReplicas int    `json:"number_of_replicas"`
}

// ElasticsearchCount is a number of shards or replicas: one for all indices, or one for each.
type ElasticsearchCount struct {
	// All is the number for all indices. It counts if ByIndex is nil.
	All int
	// ByIndex has the numbers by the names of the indices.
	ByIndex map[string]int
}

// MarshalJSON encodes a number, or an object with the names of the indices.
func (c ElasticsearchCount) MarshalJSON() ([]byte, error) {
	if c.ByIndex != nil {
		return jsonv2.Marshal(c.ByIndex, jsonv2.Deterministic(true))
	}
	return strconv.AppendInt(nil, int64(c.All), 10), nil
}

// UnmarshalJSON decodes what MarshalJSON encodes.
func (c *ElasticsearchCount) UnmarshalJSON(data []byte) error {
	*c = ElasticsearchCount{}
	if jsontext.Value(data).Kind() == '{' {
		return unmarshal(data, &c.ByIndex)
	}
	return unmarshal(data, &c.All)
}

// DefaultProjectCreation says who may create projects in new groups.
type DefaultProjectCreation int

// Roles that may create projects: nobody, or everybody with at least this role.
// DefaultProjectCreationAdministrator and DefaultProjectCreationOwner exist in later
// releases.
const (
	DefaultProjectCreationNone          DefaultProjectCreation = 0
	DefaultProjectCreationMaintainer    DefaultProjectCreation = 1
	DefaultProjectCreationDeveloper     DefaultProjectCreation = 2
	DefaultProjectCreationAdministrator DefaultProjectCreation = 3
	DefaultProjectCreationOwner         DefaultProjectCreation = 4
)

// KeyRestriction says which SSH keys of one kind users may have. A positive number is the
// minimum length in bits.
type KeyRestriction int

// Restrictions without a length.
const (
	KeyRestrictionNone      KeyRestriction = 0  // keys of any length
	KeyRestrictionForbidden KeyRestriction = -1 // no keys
)

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (s *ApplicationSettings) UnmarshalJSON(data []byte) error {
	type plain ApplicationSettings
	var p struct {
		plain
		// PollingIntervalMultiplier is a number, or a string that contains one.
		PollingIntervalMultiplier Coverage `json:"polling_interval_multiplier"`
	}
	err := decodeWithExtra(data, &p, &p.Extra)
	*s = ApplicationSettings(p.plain)
	s.PollingIntervalMultiplier = float64(p.PollingIntervalMultiplier)
	s.noteBlanks(data, err != nil)
	return err
}

// noteBlanks notes the members without a value: what is written back must not have them. If
// some could not be decoded, they count as left out.
func (s *ApplicationSettings) noteBlanks(data []byte, partly bool) {
	members, v := settingMembers(), reflect.ValueOf(s).Elem()
	present := make([]bool, v.NumField())
	for name, raw := range jsonx.Members(data) {
		place, known := members[string(name)]
		switch {
		case !known:
		case jsonx.IsNull(raw):
			present[place] = true
			switch value := v.Field(place); {
			case value.Type() == reflect.TypeFor[json.RawMessage]():
				value.SetZero()
			case !isNilValue(value):
				s.blanks.null = append(s.blanks.null, int16(place))
			}
		default:
			value := v.Field(place)
			present[place] = !partly || !value.IsZero() ||
				unmarshal(raw, reflect.New(value.Type()).Interface()) == nil
		}
	}
	slices.Sort(s.blanks.null)
	for _, place := range members {
		if !present[place] {
			s.blanks.leftOut = append(s.blanks.leftOut, int16(place))
		}
	}
	slices.Sort(s.blanks.leftOut)
}

// MarshalJSON encodes the members that were received, and those that were set since.
func (s ApplicationSettings) MarshalJSON() ([]byte, error) {
	type plain ApplicationSettings
	object, err := encodeWithExtra(plain(s), s.Extra)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := jsonv2.Unmarshal(object, &all, decodeOptions); err != nil {
		return nil, err
	}
	v := reflect.ValueOf(s)
	for name, place := range settingMembers() {
		leftOut, null := s.blanks.of(place)
		switch {
		case !v.Field(place).IsZero(): // it was set since
		case null, !leftOut && isNilValue(v.Field(place)):
			all[name] = json.RawMessage("null")
		case leftOut:
			delete(all, name)
		}
	}
	return jsonv2.Marshal(all, jsonv2.Deterministic(true))
}
