package servicetest_test

import (
	"encoding/json"
	"fmt"
	"os"
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
