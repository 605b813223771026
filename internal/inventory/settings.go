package inventory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Setting is a row of testdata/application-settings.tsv.
type Setting struct {
	Name, Kind, Values, Default, Null, Request, Response string
	Secret                                               bool
	Tier, Requires, Since, Meaning                       string
}

// A SettingGroup is a section of testdata/application-settings.tsv.
type SettingGroup struct {
	Title    string
	Settings []Setting
}

// SettingGroups reads testdata/application-settings.tsv below the root of the module.
func SettingGroups(root string) ([]SettingGroup, error) {
	const columns = 12
	table, err := os.ReadFile(filepath.Join(root, "testdata", "application-settings.tsv"))
	if err != nil {
		return nil, err
	}
	var groups []SettingGroup
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		c := strings.Split(line, "\t")
		switch title, isTitle := strings.CutPrefix(line, "## "); {
		case isTitle:
			groups = append(groups, SettingGroup{Title: title})
		case strings.HasPrefix(line, "#"):
		case len(c) != columns || len(groups) == 0:
			return nil, fmt.Errorf("not a row of a section: %s", line)
		default:
			last := &groups[len(groups)-1]
			last.Settings = append(last.Settings, Setting{
				c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7] == "yes", c[8], c[9], c[10], c[11],
			})
		}
	}
	return groups, nil
}

// InRequests reports whether some release takes the setting.
func (s Setting) InRequests() bool { return isThere(s.Request) }

// InResponses reports whether some release has the setting in its responses.
func (s Setting) InResponses() bool { return isThere(s.Response) }

func isThere(column string) bool { return column == "yes" || column == "licensed" || column == "older" }

// IsNullable reports whether the setting may be null in responses.
func (s Setting) IsNullable() bool { return strings.HasPrefix(s.Null, "yes") }

// IsPointer reports whether the setting is a pointer in results if it is a number, a boolean or
// a time: it may be null, or only some releases have it.
func (s Setting) IsPointer() bool { return s.IsNullable() || s.Null == "" }

// Needs returns the names of the settings that a switch requires, and whether the service
// checks only their values.
func (s Setting) Needs() (names []string, byValue bool) {
	list, byValue := strings.CutPrefix(s.Requires, "(by value) ")
	for name := range strings.SplitSeq(list, ";") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, byValue
}
