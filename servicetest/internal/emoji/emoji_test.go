package emoji

import (
	"regexp"
	"strings"
	"testing"
)

func TestMainName(t *testing.T) {
	for name, want := range map[string]string{
		"thumbsup": "thumbsup", "+1": "thumbsup", "-1": "thumbsdown", "tada": "tada", "100": "100", "8ball": "8ball",
		"otter": "otter", "us": "flag_us", "+1_tone3": "thumbsup_tone3", "wave_tone5": "wave_tone5",
		"white_check_mark": "white_check_mark",
	} {
		if got, known := Main(name); !known || got != want {
			t.Errorf("%s is %q, %v", name, got, known)
		}
	}
	for _, name := range []string{"", "Tada", "tadaa", ":tada:", "tada=", "wave_tone6", "_tone1", "not one", "🎉"} {
		if got, known := Main(name); known {
			t.Errorf("%q is known, as %s", name, got)
		}
	}
}

// TestNames checks that no name stands for two emojis, and that all look like names.
func TestNames(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z0-9_+-]+$`)
	seen := make(map[string]bool)
	for _, name := range strings.Fields(strings.ReplaceAll(list, "=", " ")) {
		if seen[name] || !valid.MatchString(name) {
			t.Errorf("%q is listed twice, or is no name", name)
		}
		seen[name] = true
	}
	if len(seen) < 2500 {
		t.Errorf("only %d names", len(seen))
	}
}
