package serviceapi

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/inventory"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// codec is a package that encodes and decodes JSON. Callers may use either.
type codec struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}

var codecs = map[string]codec{
	"encoding/json": {stdjson.Marshal, stdjson.Unmarshal},
	"json/v2": {
		func(v any) ([]byte, error) { return json.Marshal(v) },
		func(data []byte, v any) error { return json.Unmarshal(data, v) },
	},
}

// selfDecoding are all types that decode themselves, with the forms in which
// the service sends them.
var selfDecoding = map[reflect.Type][]string{
	reflect.TypeFor[AccessLevel](): {`40`, `0`, `25`},
	reflect.TypeFor[ApplicationSettings](): {
		`{"id":1,"signup_enabled":false,"terms":null,"home_page_url":"","domain_denylist":null,` +
			`"max_ssh_key_lifetime":null,"akismet_api_key":"[redacted]","spam_check_api_key":null,` +
			`"polling_interval_multiplier":1.5,"later":{"a":[1.50]}}`, `{}`,
	},
	reflect.TypeFor[AuditEventDetails](): {
		`{"change":"visibility","from":20,"ip_address":null,"author_name":"","target_type":null,"as":["x",1]}`, `{}`,
	},
	reflect.TypeFor[AuditValue]():       {`"a"`, `7`, `null`, `{"a":[true]}`},
	reflect.TypeFor[ChangesCount]():     {`"17"`, `"1000+"`},
	reflect.TypeFor[Coverage]():         {`"87.25"`, `"0"`},
	reflect.TypeFor[CustomAttributes](): {`[{"key":"a","value":"b"}]`, `{"a":"b"}`, `[[1]]`},
	reflect.TypeFor[FeatureFlagParameters](): {
		`{"groupId":"g","rollout":"10","stickiness":"random","later":{"a":[1.50]}}`, `{}`,
	},
	reflect.TypeFor[Date]():               {`"2026-03-31"`},
	reflect.TypeFor[DateOrTime]():         {`"2026-03-31"`, `"2026-03-31T10:20:30Z"`, `"2026-03-31T00:00:00.5+02:00"`},
	reflect.TypeFor[ElasticsearchCount](): {`5`, `{"service-production":5}`, `{}`},
	reflect.TypeFor[GraphQLPath]():        {`["project","jobs",0,"status"]`, `[]`},
	reflect.TypeFor[OAuthScopes]():        {`"api read_user"`, `""`},
	reflect.TypeFor[InstancePagesDomain](): {
		`{"domain":"a.test","url":"http://a.test","project_id":1,"verified":true,"verification_code":"",` +
			`"enabled_until":null,` +
			`"auto_ssl_enabled":false,"certificate_expiration":{"expired":false,"expiration":"2026-03-01T10:20:30Z"}}`,
	},
	reflect.TypeFor[ApplicationStatistics](): {
		`{"forks":1,"issues":12345,"merge_requests":3,"notes":4,"snippets":5,"ssh_keys":6,"milestones":7,"users":8,` +
			`"groups":9,"projects":10,"active_users":11}`,
	},
	reflect.TypeFor[GeoSiteStatus](): {
		`{"geo_node_id":2,"healthy":true,"health":"Healthy","health_status":"Healthy!",` +
			`"missing_oauth_application":true,"projects_count":31,` +
			`"container_repositories_replication_enabled":true,"repositories_count":32,` +
			`"repositories_checked_count":33,"repositories_checked_failed_count":34,` +
			`"repositories_checked_in_percentage":"35.00%","git_fetch_event_count_weekly":36,` +
			`"git_push_event_count_weekly":37,"proxy_remote_requests_event_count_weekly":38,` +
			`"proxy_local_requests_event_count_weekly":39,"replication_slots_count":40,` +
			`"replication_slots_used_count":41,"replication_slots_used_in_percentage":"42.00%",` +
			`"replication_slots_max_retained_wal_bytes":43,"db_replication_lag_seconds":44,"last_event_id":45,` +
			`"last_event_timestamp":46,"cursor_last_event_id":47,"cursor_last_event_timestamp":48,` +
			`"last_successful_status_check_timestamp":49,"version":"18.9.0","revision":"abc1234",` +
			`"selective_sync_type":"namespaces","namespaces":[{"id":7,"name":"Acme","path":"acme","kind":"group",` +
			`"full_path":"acme","parent_id":3,"avatar_url":"https://a.example/a.png",` +
			`"web_url":"https://a.example/acme"}],"updated_at":"2026-01-14T09:00:00Z",` +
			`"storage_shards":[{"name":"default"}],"storage_shards_match":true,` +
			`"_links":{"self":"https://a.example/status","site":"https://a.example/site"},"lfs_objects_count":1,` +
			`"lfs_objects_checksum_total_count":2,"lfs_objects_checksummed_count":3,` +
			`"lfs_objects_checksum_failed_count":4,"lfs_objects_registry_count":5,"lfs_objects_synced_count":6,` +
			`"lfs_objects_failed_count":7,"lfs_objects_verification_total_count":8,"lfs_objects_verified_count":9,` +
			`"lfs_objects_verification_failed_count":10,"lfs_objects_synced_in_percentage":"50.00%",` +
			`"lfs_objects_verified_in_percentage":"60.00%","uploads_count":null,"later":"yes",` +
			`"uploads_checksum_total_count":null,"uploads_checksummed_count":null,` +
			`"uploads_checksum_failed_count":null,"uploads_registry_count":null,"uploads_synced_count":null,` +
			`"uploads_failed_count":null,"uploads_verification_total_count":null,"uploads_verified_count":null,` +
			`"uploads_verification_failed_count":null,"uploads_synced_in_percentage":"",` +
			`"uploads_verified_in_percentage":""}`,
	},
	reflect.TypeFor[IntegrationProperties](): {`{"app_store_private_key":"[redacted]","username":"bot","n":null}`},
	reflect.TypeFor[TokenInformation](): {
		`{"id":1,"user_id":null,"name":"a","scopes":["b"],"revoked":true,"active":null,"expires_at":"2026-02-01",` +
			`"token":"[redacted]","later":{"a":1}}`,
	},
	reflect.TypeFor[UsageData](): {
		`{"recorded_at":"2026-03-01T10:20:30Z","version":"1","license":{},"counts":{"a":1,"b":"SELECT"},"later":[2]}`,
		`{"recorded_at":null,"version":"","counts":{}}`,
	},
	reflect.TypeFor[IssueID](): {`7`, `"PROJECT-123"`},
	reflect.TypeFor[LabelSummary](): {`"bug"`,
		`{"name":"bug","color":"#fff","text_color":"#000","description":"d","description_html":""}`},
	reflect.TypeFor[MemberRole](): {`{"id":12,"name":"Auditor","base_access_level":10,"read_code":true,` +
		`"admin_merge_request":false}`, `{"id":12,"name":"","base_access_level":10,"read_code":null,"later":{"a":1}}`},
	reflect.TypeFor[PagesSettings](): {
		`{"url":"http://a.test","is_unique_domain_enabled":false,"force_https":true,"deployments":[],` +
			`"primary_domain":""}`,
	},
	reflect.TypeFor[ProtectedBranch](): {
		`{"id":1,"name":"main","push_access_levels":[],"merge_access_levels":[],"unprotect_access_levels":[],` +
			`"allow_force_push":true,"code_owner_approval_required":true,"inherited":null,"project_id":null,` +
			`"created_at":null,"updated_at":null}`,
	},
	reflect.TypeFor[SCIMGroupID]():  {`9`, `"acme"`},
	reflect.TypeFor[Secret]():       {`"[redacted]"`}, // the exception: it encodes only the placeholder
	reflect.TypeFor[SerialNumber](): {`7`, `"bc:01"`, `278969561018901340486471282831158785578`},
	reflect.TypeFor[time.Time]():    {`"2026-03-01T10:20:30.123+02:00"`, `"2026-03-01T10:20:30Z"`},
	reflect.TypeFor[UserMembership](): {
		`{"source_id":3,"source_name":"Shop","source_type":"Project","access_level":30}`,
	},
	reflect.TypeFor[stdjson.RawMessage](): {
		`{"a":[1.50,null]}`, `"a"`, `null`,
	},
}

// TestEveryTypeEncodesAsItCame checks that results of methods have the same
// names and values when they are encoded again, for programs that store them or
// pass them on.
func TestEveryTypeEncodesAsItCame(t *testing.T) {
	types := resultTypes()
	require.Greater(t, len(types), 40)
	for _, typ := range types {
		for variant := range noValues + 1 {
			data := sampleMaker{tb: t, variant: variant, count: new(int)}.sample(typ)
			for name, c := range codecs {
				if variant == noValues && name == "json/v2" {
					continue // which encodes nil lists as empty ones
				}
				assertAsItCame(t, typ, data, name, c)
			}
		}
	}
}

// TestEveryFormEncodesAsItCame checks the types that decode themselves.
func TestEveryFormEncodesAsItCame(t *testing.T) {
	for typ, forms := range selfDecoding {
		for _, form := range forms {
			for name, c := range codecs {
				assertAsItCame(t, typ, form, name, c)
			}
		}
	}
}

// assertAsItCame decodes a value, encodes it and decodes it again.
func assertAsItCame(t *testing.T, typ reflect.Type, data, name string, c codec) {
	t.Helper()
	v, again := reflect.New(typ), reflect.New(typ)
	if !assert.NoError(t, c.unmarshal([]byte(data), v.Interface()), "%v of %s", typ, data) {
		return
	}
	encoded, err := c.marshal(v.Elem().Interface())
	if assert.NoError(t, err, typ) && assert.JSONEq(t, data, string(encoded), "%v with %s", typ, name) {
		assert.NoError(t, c.unmarshal(encoded, again.Interface()), typ)
		assert.Equal(t, v.Interface(), again.Interface(), "%v with %s", typ, name)
	}
}

// resultTypes are the structs of this package that methods of services return,
// in order of their names.
func resultTypes() []reflect.Type {
	return inventory.Results(reflect.TypeFor[Client](), reflect.TypeFor[GraphQLErrorDetail]())
}

// These are the variants of a sample: every member has a value; lists and
// objects are empty; everything is null, or absent, that a field can distinguish from zero.
const (
	allValues = iota
	emptyValues
	noValues
)

// sampleMaker writes JSON that fills every field of a type with a different
// value.
type sampleMaker struct {
	tb      testing.TB
	variant int
	count   *int
	within  []reflect.Type
	// random draws values that are different each time. If nil, the values are
	// those of the variant.
	random *rand.Rand
}

func (m sampleMaker) sample(t reflect.Type) string {
	if m.variant == noValues && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
		return "null"
	}
	if t == reflect.TypeFor[[]byte]() {
		return `"SGVsbG8K"`
	}
	if forms := selfDecoding[t]; forms != nil {
		if m.random != nil {
			return forms[m.random.IntN(len(forms))]
		}
		return forms[0]
	}
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[stdjson.Unmarshaler]()) {
		m.tb.Fatalf("%v decodes itself: add its forms to selfDecoding", t)
	}
	*m.count++
	if m.random != nil {
		if value, ok := m.drawn(t); ok {
			return value
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		if slices.Contains(m.within, t.Elem()) {
			return "null"
		}
		return m.sample(t.Elem())
	case reflect.Slice:
		if m.variant == emptyValues || slices.Contains(m.within, t.Elem()) || t.Elem().Kind() == reflect.Pointer &&
			slices.Contains(m.within, t.Elem().Elem()) {
			return "[]"
		}
		return "[" + m.sample(t.Elem()) + "," + m.sample(t.Elem()) + "]"
	case reflect.Map:
		if m.variant == emptyValues {
			return "{}"
		}
		return `{"key":` + m.sample(t.Elem()) + `}`
	case reflect.Struct:
		m.within = append(slices.Clone(m.within), t)
		return "{" + strings.Join(m.members(t), ",") + "}"
	case reflect.String:
		return fmt.Sprintf(`"text %d"`, *m.count)
	case reflect.Bool:
		return "true"
	case reflect.Float64:
		return fmt.Sprintf("%d.5", *m.count)
	case reflect.Interface:
		return `{"any":"thing"}`
	}
	return fmt.Sprint(*m.count)
}

// drawn writes a random value of a type. It reports false if the value consists
// of its fields.
func (m sampleMaker) drawn(t reflect.Type) (string, bool) {
	several := func(open, shut string, one func() string) (string, bool) {
		items := make([]string, m.random.IntN(4))
		for i := range items {
			items[i] = one()
		}
		return open + strings.Join(items, ",") + shut, true
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "null", m.random.IntN(4) == 0
	case reflect.Slice:
		if slices.Contains(m.within, t.Elem()) || t.Elem().Kind() == reflect.Pointer &&
			slices.Contains(m.within, t.Elem().Elem()) {
			return "[]", true
		}
		return several("[", "]", func() string { return m.sample(t.Elem()) })
	case reflect.Map:
		return several("{", "}", func() string {
			*m.count++
			return fmt.Sprintf(`"key-%d":%s`, *m.count, m.sample(t.Elem()))
		})
	case reflect.String:
		text, err := stdjson.Marshal(randomText(m.random))
		return string(text), err == nil
	case reflect.Bool:
		return fmt.Sprint(m.random.IntN(2) == 0), true
	case reflect.Int64:
		return fmt.Sprint(m.random.Int64() >> m.random.IntN(64) * (1 - 2*m.random.Int64N(2))), true
	case reflect.Int, reflect.Int32:
		return fmt.Sprint(m.random.Int32() >> m.random.IntN(32)), true
	case reflect.Float64:
		return fmt.Sprint(m.random.NormFloat64() * 1e6), true
	}
	return "", false
}

// randomText returns a string with characters that encoders treat specially.
func randomText(random *rand.Rand) string {
	alphabet := []rune("abc XYZ 019_-./:;,=" +
		"&?#%+<>\"'\\{}[]()\x00\a\n\r\t\x7fäß\u0085\u200b\u2028\u2029\u202e\ufeff\ufffd世界👍\U0010ffff")
	text := make([]rune, random.IntN(12))
	for i := range text {
		text[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(text)
}

// TestEveryTypeEncodesAsItCameAtRandom checks random strings and numbers,
// mixtures of null and values, and lists of any length.
func TestEveryTypeEncodesAsItCameAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, typ := range resultTypes() {
		for range 5 {
			data := sampleMaker{tb: t, count: new(int), random: random}.sample(typ)
			for name, c := range codecs {
				if typ.Name() == "PipelineVariable" || leavesOut(typ, map[reflect.Type]bool{}) {
					assertComesBack(t, typ, data, name,
						c) // the type, or a part of it, leaves out what is empty or secret
					continue
				}
				assertAsItCame(t, typ, data, name, c)
			}
		}
	}
}

// leavesOut reports whether a type, or one inside it, leaves out what is empty
// when it is encoded.
func leavesOut(t reflect.Type, seen map[reflect.Type]bool) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return leavesOut(t.Elem(), seen)
	case reflect.Struct:
		if seen[t] {
			return false
		}
		seen[t] = true
		for i := range t.NumField() {
			if f := t.Field(i); strings.Contains(f.Tag.Get("json"), ",omit") || leavesOut(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

// assertComesBack is like assertAsItCame, for types that are also sent, and
// then leave out empty fields.
func assertComesBack(t *testing.T, typ reflect.Type, data, name string, c codec) {
	t.Helper()
	v, again := reflect.New(typ), reflect.New(typ)
	require.NoError(t, c.unmarshal([]byte(data), v.Interface()), "%v of %s", typ, data)
	encoded, err := c.marshal(v.Elem().Interface())
	require.NoError(t, err, typ)
	require.NoError(t, c.unmarshal(encoded, again.Interface()), typ)
	twice, err := c.marshal(again.Elem().Interface())
	require.NoError(t, err, typ)
	assert.JSONEq(t, string(encoded), string(twice), "%v with %s", typ, name)
}

// members returns the members of a struct, including those of embedded structs.
func (m sampleMaker) members(t reflect.Type) []string {
	var members []string
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			embedded := field.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			members = append(members, m.members(embedded)...)
		case name == "-" || !field.IsExported():
		case name == "":
			m.tb.Errorf("%v.%s has no name in JSON", t, field.Name)
		default:
			value := m.sample(field.Type)
			if m.variant == noValues && value == "null" && strings.Contains(field.Tag.Get("json"), ",omitzero") {
				continue // nil means that it is absent
			}
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return members
}

// TestAbsentJSONStaysAbsent checks that JSON that is handed out as it came is
// left out again if it did not come: nil would be encoded as null.
func TestAbsentJSONStaysAbsent(t *testing.T) {
	found := 0
	for _, typ := range inventory.Within(reflect.TypeFor[Client]().PkgPath(), resultTypes()) {
		for i := range typ.NumField() {
			field := typ.Field(i)
			if field.Type == reflect.TypeFor[stdjson.RawMessage]() && field.Tag.Get("json") != "-" &&
				field.Tag.Get("json") != "" {
				found++
				assert.Contains(t, field.Tag.Get("json"), ",omitzero", "%v.%s", typ, field.Name)
			}
		}
	}
	assert.Positive(t, found)
}

// absent are the types whose zero value is not that of null, and why.
var absent = map[reflect.Type]string{
	reflect.TypeFor[AuditValue](): "without a name, what is absent can only be encoded as null, which it keeps",
}

// storedValues are values of the types that no program fills field by field.
func storedValues(attributes string) []any {
	var custom CustomAttributes
	var audit AuditValue
	if json.Unmarshal([]byte(attributes), &custom) != nil || json.Unmarshal([]byte(`"a"`), &audit) != nil {
		panic("they decode any JSON")
	}
	return []any{
		custom, audit, time.Date(2026, 3, 1, 10, 20, 30, 5e6, time.UTC), NewDate(2026, 3, 31),
		IssueID{Number: 7},         // which has either a number or a key
		ElasticsearchCount{All: 3}, // which has either one number or several
		NewSecret(redacted),        // which is all that is encoded of any other
		map[string]stdjson.RawMessage{"other": stdjson.RawMessage(`{"a":1}`)}, // which no field has
	}
}

// TestEveryTypeIsStored checks that a result that is stored as JSON and read again is equal, with
// values in all fields, with empty lists and objects, and with none.
func TestEveryTypeIsStored(t *testing.T) {
	null := json.JoinOptions(json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true))
	ways := map[string]codec{
		"encoding/json": codecs["encoding/json"],
		"json/v2":       {func(v any) ([]byte, error) { return json.Marshal(v, null) }, codecs["json/v2"].unmarshal},
	}
	types := inventory.Within(reflect.TypeFor[Client]().PkgPath(), resultTypes())
	require.Greater(t, len(types), 200)
	for _, typ := range types {
		filled, empty, zero := reflect.New(typ), reflect.New(typ), reflect.New(typ)
		inventory.FillAll(filled.Elem(), storedValues(`{"a":"b"}`))
		inventory.EmptyAll(empty.Elem(), storedValues("[]"))
		values := map[string]reflect.Value{"filled": filled, "empty": empty, "zero": zero}
		if absent[typ] != "" {
			delete(values, "zero")
		}
		for name, v := range values {
			for rules, c := range ways {
				again := reflect.New(typ)
				data, err := c.marshal(v.Interface())
				if assert.NoError(t, err, "%v, %s, %s", typ, name, rules) &&
					assert.NoError(t, c.unmarshal(data, again.Interface()), "%v, %s, %s: %s", typ, name, rules, data) {
					assert.Equal(t, v.Interface(), again.Interface(), "%v, %s, %s: %s", typ, name, rules, data)
				}
			}
		}
	}
}
