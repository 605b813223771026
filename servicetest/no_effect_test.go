package servicetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSettingsWithoutEffectAreListed compares the list at the top of doc.go with
// the settings that no code but the tables of settings names.
func TestSettingsWithoutEffectAreListed(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "// # What has no effect")
	list, _, _ = strings.Cut(list, "// #")
	list, _, _ = strings.Cut(list, "//\n// The default branch")
	listed := regexp.MustCompile(`\w+`).FindAllString(list, -1)
	code := codeWithoutSettings(t)
	for _, p := range slices.Concat(projectPreferences, groupPreferences) {
		name := p.name
		part, isPart := strings.CutSuffix(p.name, "_access_level")
		if isPart {
			name = part
		}
		hasEffect := strings.Contains(code, `"`+name+`"`) && !otherMeanings[p.name]
		if isListed := slices.Contains(listed, name); isListed == hasEffect {
			t.Errorf("%s has an effect: %v, and is listed: %v", p.name, hasEffect, isListed)
		}
	}
}

// otherMeanings are settings whose names the code has for something else: a
// parameter of a fork, and members of users.
var otherMeanings = map[string]bool{
	"mr_default_target_self": true, "shared_runners_minutes_limit": true, "extra_shared_runners_minutes_limit": true,
}

// codeWithoutSettings returns the code of the package without tests, comments
// and the tables of settings.
func codeWithoutSettings(t *testing.T) string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_preferences.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				code.WriteString(line)
			}
		}
	}
	return code.String()
}
