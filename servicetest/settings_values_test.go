package servicetest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestSettingValues compares the settings of the instance, of projects and of groups
// with testdata/settings.txt, which was written from the specification. A line has the
// name of a setting, its initial value or a dash, and then other possible values. A
// line that begins with a slash says whose settings follow. Brackets after a name hold
// the name in responses, or "premium" if lower tiers do not have the setting.
func TestSettingValues(t *testing.T) {
	text, err := os.ReadFile("testdata/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	path := ""
	var svc, free *servicetest.Service
	var start, below map[string]json.RawMessage
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for i := range fields {
			fields[i] = strings.ReplaceAll(fields[i], `\u0020`, " ")
		}
		switch {
		case len(fields) == 0, fields[0] == "#":
		case strings.HasPrefix(line, "/"):
			path = fields[0]
			svc, free = newWorld(t).svc, newWorld(t, servicetest.WithTier(servicetest.Free)).svc
			start = into[map[string]json.RawMessage](t, call(t, svc, "GET", path, ""), 200)
			below = into[map[string]json.RawMessage](t, call(t, free, "GET", path, ""), 200)
		default:
			name, note, noted := strings.Cut(fields[0], "[")
			note = strings.TrimSuffix(note, "]")
			shown := name
			if noted && note != "premium" {
				shown = note
			}
			if got := either(string(start[shown]), "-"); got != fields[1] {
				t.Errorf("%s: %s starts with %s, want %s", path, name, got, fields[1])
			}
			if _, exists := below[shown]; exists && (note == "premium" || fields[1] == "-") {
				t.Errorf("%s: the lowest tier has %s", path, name)
			}
			tryValues(t, svc, path, name, shown, fields[2:])
		}
	}
}

// tryValues sets a setting to each of its values.
func tryValues(t *testing.T, svc *servicetest.Service, path, name, shown string, values []string) {
	t.Helper()
	for _, value := range values {
		body := fmt.Sprintf(`{%q:%s}`, name, value)
		a := call(t, svc, "PUT", path, body)
		if value, refused := strings.CutPrefix(value, "!"); refused {
			if a = call(t, svc, "PUT", path, fmt.Sprintf(`{%q:%s}`, name, value)); a.StatusCode != 400 {
				t.Errorf("%s: %s takes %s: %d", path, name, value, a.StatusCode)
			}
			continue
		}
		if a.StatusCode != 200 {
			t.Errorf("%s: %s is refused: %s", path, body, a.body)
			continue
		}
		if got := string(into[map[string]json.RawMessage](t, a, 200)[shown]); got != value {
			t.Errorf("%s: %s is %s, want %s", path, name, got, value)
		}
	}
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// A settingRow is a row of the list of settings that the client is made from, which was not
// written from the table of this package.
type settingRow struct {
	name, kind, values, initial, null, request, response, requires string
}

func readSettingRows(t *testing.T) []settingRow {
	t.Helper()
	text, err := os.ReadFile("../testdata/application-settings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []settingRow
	for line := range strings.Lines(string(text)) {
		if c := strings.Split(line, "\t"); !strings.HasPrefix(line, "#") && !ownMembers[c[0]] {
			rows = append(rows, settingRow{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[9]})
		}
	}
	if len(rows) < 600 {
		t.Fatalf("only %d settings", len(rows))
	}
	return rows
}

// ownMembers are members of a response that are no settings.
var ownMembers = map[string]bool{"id": true, "created_at": true, "updated_at": true}

// settingSamples are two values of settings whose kind does not say what they can be.
var settingSamples = map[string][2]string{
	"default_branch_protection_defaults": {`{"allow_force_push":true}`, `{"allowed_to_push":[{"access_level":30}]}`},
	"default_project_creation":           {"0", "4"},
	"duo_namespace_access_rules":         {`[{"features":["a"],"through_namespace":{"id":1}}]`, `[]`},
	"elasticsearch_replicas":             {"2", `{"a":3}`},
	"elasticsearch_shards":               {`{"a":3}`, "2"},
	"first_day_of_week":                  {"1", "6"},
	"foundational_agents_statuses":       {`[{"enabled":true,"reference":"a"}]`, `[]`},
	"kroki_formats":                      {`{"bpmn":true}`, `{"mermaid":false}`},
	"repository_storages_weighted":       {`{"a":1}`, `{"default":7}`},
	"resource_usage_limits":              {`{"a":[1]}`, `{}`},
	"restricted_visibility_levels":       {`["public"]`, `["private","internal"]`},
	"sign_in_restrictions": {`{"session_expire_from_init":true}`,
		`{"require_minimum_email_based_otp_for_users_with_passwords":true}`},
	"valid_runner_registrars":      {`["project"]`, `["group"]`},
	"vscode_extension_marketplace": {`{"enabled":true}`, `{"preset":"open_vsx"}`},
}

var (
	limitsOfSetting  = regexp.MustCompile(`(-?[\d.]+) to ([\d.]+)`)
	mostOfSetting    = regexp.MustCompile(`at most (\d+)`)
	leastOfSetting   = regexp.MustCompile(`at least (\d+)`)
	kindsOfSetting   = map[string]string{"bool": "true false", "list of int": "[1,2] []", "decimal": `"1.5" "0.5"`}
	wrongOfSetting   = map[string]string{"bool": `"perhaps"`, "enum": `"x"`, "object": `"x"`, "list of object": `"x"`}
	ignoredSettings  = []string{"hashed_storage_enabled", "housekeeping_full_repack_period", "housekeeping_gc_period"}
	settingsOfGroups = []string{"performance_bar_allowed_group_id", "performance_bar_allowed_group_path"}
)

// samples returns two values that the setting takes.
func (r settingRow) samples() [2]string {
	if known, ok := settingSamples[r.name]; ok {
		return known
	}
	if words := strings.Fields(kindsOfSetting[r.kind]); len(words) == 2 {
		return [2]string(words)
	}
	least, most := "3", "7"
	if m := limitsOfSetting.FindStringSubmatch(r.values); m != nil {
		least, most = m[1], m[2]
	} else if m := mostOfSetting.FindStringSubmatch(r.values); m != nil {
		most = m[1]
	} else if m := leastOfSetting.FindStringSubmatch(r.values); m != nil {
		least, most = m[1], m[1]+"0"
	}
	switch r.kind {
	case "int", "float":
		return [2]string{most, least}
	case "enum":
		words := regexp.MustCompile(`\w+`).FindAllString(r.values, 2)
		return [2]string{quote(words[1]), quote(words[0])}
	case "list of string":
		return [2]string{`["a","b"]`, `["c"]`}
	}
	return [2]string{`"a"`, `"b"`}
}

func quote(text string) string { return `"` + text + `"` }

// needs returns the settings that the switch needs, and whether only their values count.
func (r settingRow) needs() (names []string, byValue bool) {
	list, byValue := strings.CutPrefix(r.requires, "(by value) ")
	for name := range strings.SplitSeq(list, ";") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, byValue
}

// TestEverySettingStartsAndIsSet checks every setting of the list: what it starts with, that it
// is set and returned, and that other kinds and null are refused.
func TestEverySettingStartsAndIsSet(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Ultimate))
	svc.Group("acme")
	rows := readSettingRows(t)
	start := settingsOf(t, svc)
	for _, row := range rows {
		isShown := row.response == "yes" || row.response == "licensed"
		if _, has := start[row.name]; has != isShown {
			t.Errorf("%s is shown at first: %v", row.name, has)
		}
		row.checkStart(t, string(start[row.name]))
		delete(start, row.name)
		if isTaken := row.request == "yes" || row.request == "licensed" || row.request == "older"; !isTaken ||
			slices.Contains(ignoredSettings, row.name) || slices.Contains(settingsOfGroups, row.name) {
			continue
		}
		row.checkSet(t, svc)
		row.checkRefusals(t, svc)
	}
	for name := range start {
		if !ownMembers[name] {
			t.Errorf("%s is no setting of the list", name)
		}
	}
}

func settingsOf(t *testing.T, svc *servicetest.Service) map[string]json.RawMessage {
	t.Helper()
	return into[map[string]json.RawMessage](t, call(t, svc, "GET", "/application/settings", ""), 200)
}

func (r settingRow) checkStart(t *testing.T, got string) {
	t.Helper()
	want := r.initial
	switch isNumber := regexp.MustCompile(`^-?[\d.]+$`).MatchString(want); {
	case got == "", strings.Contains(want, "configuration"), strings.Contains(want, "product"), want == "":
		return
	case r.kind == "decimal", r.kind == "float":
		want = strings.TrimSuffix(want, ".0")
		got = strings.TrimSuffix(strings.Trim(got, `"`), ".0")
	case r.kind == "bool", want == "null", isNumber && r.kind == "int":
	case r.kind == "string", r.kind == "duration text", r.kind == "enum":
		want = quote(want)
	default:
		return
	}
	if got != want && r.name != "dsa_key_restriction" && !strings.HasSuffix(r.name, "_raw") {
		t.Errorf("%s starts with %s, want %s", r.name, got, want)
	}
}

// put sets a setting together with what it needs.
func (r settingRow) put(t *testing.T, svc *servicetest.Service, value string) answer {
	t.Helper()
	body := fmt.Sprintf(`{%q:%s`, r.name, value)
	names, _ := r.needs()
	for _, name := range names {
		needed := `"https://x.test"`
		if strings.Contains(name, "period") || strings.Contains(name, "_time_window") {
			needed = "60"
		}
		body += fmt.Sprintf(`,%q:%s`, name, needed)
	}
	return call(t, svc, "PUT", "/application/settings", body+"}")
}

func (r settingRow) checkSet(t *testing.T, svc *servicetest.Service) {
	t.Helper()
	for _, value := range r.samples() {
		a := r.put(t, svc, value)
		if a.StatusCode != 200 {
			t.Errorf("%s is not set to %s: %s", r.name, value, a.body)
			return
		}
		got, shown := settingsOf(t, svc)[r.name]
		if want := r.response != "no"; shown != want || shown && string(got) != value {
			t.Errorf("%s is %s, shown %v, after it was set to %s", r.name, got, shown, value)
		}
	}
}

// checkRefusals checks values of other kinds, and null.
func (r settingRow) checkRefusals(t *testing.T, svc *servicetest.Service) {
	t.Helper()
	wrong := wrongOfSetting[r.kind]
	switch {
	case r.kind == "int", r.kind == "float", r.kind == "decimal":
		wrong = `"many"`
	case wrong == "":
		wrong = `{"a":["x"]}`
	}
	if a := r.put(t, svc, wrong); a.StatusCode != 400 {
		t.Errorf("%s is set to %s: %d", r.name, wrong, a.StatusCode)
	}
	a := call(t, svc, "PUT", "/application/settings", fmt.Sprintf(`{%q:null}`, r.name))
	isList := strings.HasPrefix(r.kind, "list of ") && r.kind != "list of object"
	takesNull := isList || strings.HasPrefix(r.null, "yes") || strings.HasSuffix(r.name, "_raw")
	switch {
	case strings.HasSuffix(r.name, "_raw"): // a list as text, or a text
	case takesNull != (a.StatusCode == 200):
		t.Errorf("%s is set to null: %d %s", r.name, a.StatusCode, a.body)
	case isList && r.response == "yes" && string(settingsOf(t, svc)[r.name]) != "[]":
		t.Errorf("%s is %s after it was set to null", r.name, settingsOf(t, svc)[r.name])
	}
}

// TestSettingsOfATier checks that without the license, what needs it is ignored and left out.
func TestSettingsOfATier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	licensed := 0
	for _, row := range readSettingRows(t) {
		if row.request == "licensed" {
			licensed++
			before := string(settingsOf(t, svc)[row.name])
			if a := row.put(t, svc, row.samples()[0]); a.StatusCode != 200 {
				t.Errorf("%s: %d %s", row.name, a.StatusCode, a.body)
			}
			if after := string(settingsOf(t, svc)[row.name]); after != before {
				t.Errorf("%s is set without the license: %s, then %s", row.name, before, after)
			}
		}
		if _, shown := settingsOf(t, svc)[row.name]; shown && row.response == "licensed" {
			t.Errorf("%s is shown without the license", row.name)
		}
	}
	if licensed < 30 {
		t.Errorf("only %d settings need a license", licensed)
	}
}

// TestSwitchesNeedSettings checks every switch alone, with what it needs, and with that empty.
func TestSwitchesNeedSettings(t *testing.T) {
	switches := 0
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Ultimate))
	for _, row := range readSettingRows(t) {
		names, byValue := row.needs()
		if len(names) == 0 || row.name == "throttle_unauthenticated_enabled" { // another name of a switch
			continue
		}
		switches++
		fields := map[string][]string{}
		body := fmt.Sprintf(`{%q:true`, row.name)
		for _, name := range names {
			fields[name] = []string{"can't be blank"}
			body += fmt.Sprintf(`,%q:null`, name)
		}
		blank, err := json.Marshal(map[string]any{"message": fields})
		if err != nil {
			t.Fatal(err)
		}
		if a := call(t, svc, "PUT", "/application/settings", body+"}"); row.name != "shared_runners_enabled" {
			refused(t, a, 400, string(blank))
		} else if a.StatusCode != 200 { // the text may be empty
			t.Errorf("%s: %d %s", row.name, a.StatusCode, a.body)
		}
		if a := row.put(t, svc, "true"); a.StatusCode != 200 {
			t.Errorf("%s: %d %s", row.name, a.StatusCode, a.body)
		}
		a := call(t, svc, "PUT", "/application/settings", fmt.Sprintf(`{%q:true}`, row.name))
		if byValue {
			if a.StatusCode != 200 {
				t.Errorf("%s, which has what it needs: %s", row.name, a.body)
			}
			continue
		}
		refused(t, a, 400, fmt.Sprintf(`{"error":"%s is missing"}`, strings.Join(names, " is missing, ")))
	}
	if switches < 35 {
		t.Errorf("only %d switches", switches)
	}
}
