package main

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
)

// An integrationKind is a kind of testdata/integrations.tsv.
type integrationKind struct {
	slug, name, title, events, note string

	settings [][]string
}

// typesOfIntegrations returns the source of the types that have the settings of a kind.
func typesOfIntegrations(root string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "testdata", "integrations.tsv"))
	if err != nil {
		return nil, err
	}
	sets, events, byFile := map[string][][]string{}, map[string]string{}, map[string][]*integrationKind{}
	var last *integrationKind
	set := ""
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case c[0] == "events":
			events[c[1]] = c[2]
		case c[0] == "set":
			set, last = c[1], nil
		case c[0] == "kind":
			last = &integrationKind{slug: c[1], name: c[2] + "Integration", title: c[3], events: c[5], note: c[6]}
			byFile[c[4]] = append(byFile[c[4]], last)
		case c[2] == "set" && last != nil:
			last.settings = append(last.settings, sets[c[1]]...)
		case c[2] == "set":
			sets[set] = append(sets[set], sets[c[1]]...)
		case last != nil:
			last.settings = append(last.settings, c)
		default:
			sets[set] = append(sets[set], c)
		}
	}
	files := map[string]string{}
	for file, kinds := range byFile {
		name := "integrations_" + file + ".go"
		var b strings.Builder
		b.WriteString("// Code generated from testdata/integrations.tsv by go generate; DO NOT EDIT.\n\n" +
			"package serviceapi\n")
		for _, kind := range kinds {
			if named, ok := events[kind.events]; ok {
				kind.events = named
			}
			kind.write(&b)
		}
		text, err := format.Source([]byte(b.String()))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = string(text)
	}
	return files, nil
}

var typesOfIntegrationSettings = map[string]string{
	"secret": "*Secret", "string": "*string", "bool": "*bool", "int": "*int", "strings": "[]string",
}

// fieldOfIntegration returns the name of the field for a setting.
func fieldOfIntegration(name string) string {
	return strings.NewReplacer("Xid", "XID").Replace(fieldOfSetting(name))
}

func (k *integrationKind) write(b *strings.Builder) {
	var required []string
	for _, s := range k.settings {
		if s[3] != "" {
			required = append(required, fieldOfIntegration(s[1]))
		}
	}
	comment := fmt.Sprintf("%s is the integration %q.", k.name, k.title)
	switch len(required) {
	case 0:
	case 1:
		comment += " " + required[0] + " is required."
	default:
		last := len(required) - 1
		comment += " " + strings.Join(required[:last], ", ") + " and " + required[last] + " are required."
	}
	if k.note != "" {
		comment += " " + k.note
	}
	fmt.Fprintf(b, "\n%stype %s struct {\n", wrapped(comment), k.name)
	for _, s := range k.settings {
		k.field(b, s)
	}
	for i, event := range strings.Fields(k.events) {
		if i == 0 {
			b.WriteString("\t// These fields say which events the integration takes.\n")
		}
		if !strings.HasSuffix(event, "_enabled") {
			event += "_events"
		}
		if event == "vulnerability_events" {
			b.WriteString("\t// VulnerabilityEvents is Premium.\n")
		}
		fmt.Fprintf(b, "\t%s *bool `json:%q`\n", fieldOfIntegration(event), event+",omitzero")
	}
	b.WriteString("\t// UseInheritedSettings is as in [IntegrationsService.Set].\n" +
		"\tUseInheritedSettings bool `json:\"use_inherited_settings\"`\n}\n")
	fmt.Fprintf(b, "\n// Slug returns %q.\nfunc (%s) Slug() string { return %q }\n", k.slug, k.name, k.slug)
}

func (k *integrationKind) field(b *strings.Builder, s []string) {
	name, typ := fieldOfIntegration(s[1]), typesOfIntegrationSettings[s[2]]
	tag := fmt.Sprintf("json:%q", s[1]+",omitzero")
	if s[3] != "" {
		typ, tag = strings.TrimPrefix(typ, "*"), fmt.Sprintf("json:%q required:\"true\"", s[1])
	}
	comment := ""
	if s[4] != "" {
		comment = name + " " + s[4] + "."
	}
	if s[2] == "secret" && !strings.Contains(s[4], "return") {
		comment = strings.TrimPrefix(comment+" "+name+" is never returned.", " ")
	}
	if comment != "" {
		b.WriteString(strings.ReplaceAll("\t"+strings.TrimSuffix(wrapped(comment), "\n"), "\n", "\n\t") + "\n")
	}
	fmt.Fprintf(b, "\t%s %s `%s`\n", name, typ, tag)
}
