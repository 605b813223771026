package conventions

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSettingsHaveFields compares the two types of application settings with
// testdata/application-settings.tsv in both directions: every setting of a request has an option
// and every one of a response has a field, with the same name and of the kind of the setting.
func TestSettingsHaveFields(t *testing.T) {
	groups, err := inventory.SettingGroups(".")
	require.NoError(t, err)
	results := fieldsByName(reflect.TypeFor[serviceapi.ApplicationSettings]())
	options := fieldsByName(reflect.TypeFor[serviceapi.UpdateApplicationSettingsOptions]())
	delete(options, "Extra")
	inResults, inOptions := 0, 0
	seen := map[string]bool{}
	for _, group := range groups {
		last := ""
		for _, s := range group.Settings {
			assert.Less(t, last, s.Name, "%s: settings are sorted", group.Title)
			assert.False(t, seen[s.Name], s.Name)
			seen[s.Name], last = true, s.Name
			result, hasResult := results[s.Name]
			option, hasOption := options[s.Name]
			assert.Equal(t, s.InResponses(), hasResult, "%s has a field", s.Name)
			assert.Equal(t, s.InRequests(), hasOption, "%s has an option", s.Name)
			if hasResult {
				inResults++
				assert.Contains(t, kindsOfSettings[s.Kind], kindOfSetting(result.Type, s.Secret), s.Name)
			}
			if hasOption {
				inOptions++
				isNullable := strings.HasPrefix(option.Type.Name(), "Nullable[")
				isList := option.Type.Kind() == reflect.Slice || option.Type.Kind() == reflect.Map
				assert.Equal(t, s.IsNullable() && !isList, isNullable, "%s can be null", s.Name)
			}
			if hasResult && hasOption {
				assert.Equal(t, result.Name, option.Name)
			}
		}
	}
	assert.Len(t, results, inResults, "every field has a setting")
	assert.Len(t, options, inOptions, "every option has a setting")
	for _, group := range groups {
		for _, s := range group.Settings {
			needed, _ := s.Needs()
			for _, name := range needed {
				assert.Contains(t, options, name, "%s requires it", s.Name)
			}
		}
	}
}

// kindsOfSettings are the kinds of the list, and what a field of the kind may hold.
var kindsOfSettings = map[string][]string{
	"bool": {"bool"}, "decimal": {"number"}, "duration text": {"text"}, "enum": {"text"}, "float": {"number"},
	"int": {"number"}, "int or object": {"object"}, "int, request string": {"number"}, "list of int": {"numbers"},
	"list of object": {"objects"}, "list of string": {"texts"}, "object": {"object", "map", "JSON"},
	"string": {"text", "secret"}, "time": {"time"},
}

// kindOfSetting returns what a field holds. That a secret is a Secret is checked here, too.
func kindOfSetting(typ reflect.Type, isSecret bool) string {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case (typ == reflect.TypeFor[serviceapi.Secret]()) != isSecret:
		return "a secret elsewhere"
	case isSecret:
		return "secret"
	case typ == reflect.TypeFor[time.Time]():
		return "time"
	case typ == reflect.TypeFor[json.RawMessage](): // which has another name with GOEXPERIMENT=jsonv2
		return "JSON"
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "text"
	case reflect.Struct:
		return "object"
	case reflect.Map:
		return "map"
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Pointer {
			return "objects"
		}
		return kindOfSetting(typ.Elem(), false) + "s"
	}
	return "number"
}

// TestTerraformFindsItsSettings checks that whatever Terraform manages can be set here: a program
// that exports an instance to it, or moves from it, finds every name.
func TestTerraformFindsItsSettings(t *testing.T) {
	options := fieldsByName(reflect.TypeFor[serviceapi.UpdateApplicationSettingsOptions]())
	for name := range strings.Lines(readFile(t, "testdata/terraform-settings.txt")) {
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "#") {
			assert.Contains(t, options, name)
		}
	}
}

func fieldsByName(typ reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for name, field := range inventory.JSONFields(typ) {
		fields[name] = field
	}
	return fields
}
