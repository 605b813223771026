package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck checks that an error is found on the platform that has it, in a package and in
// its tests.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.com/sample\n\ngo 1.26\n",
		"sample.go":         "package sample\n\nimport \"syscall\"\n\nfunc pid() int { return syscall.Getpid() }\n",
		"sample_windows.go": "package sample\n\nfunc id() int { return syscall.Getuid() }\n",
		"sample_js_test.go": "package sample\n\nvar text string = pid()\n",
		"sample_linux.go":   "package sample\n\nfunc id() int { return pid() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for platform, want := range map[string]string{
		"linux/amd64": "", "darwin/arm64": "", "windows/amd64": "undefined: syscall", "js/wasm": "cannot use pid()",
	} {
		found, err := check(dir, platform, []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && len(found) != 0 || want != "" && (len(found) != 1 || !strings.Contains(found[0], want)) {
			t.Errorf("%s: found %q, want %q", platform, found, want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	if _, err := check(".", "windows", []string{"."}); err == nil {
		t.Error("no processor is refused")
	}
	if _, err := check(t.TempDir(), "windows/amd64", []string{"."}); err == nil {
		t.Error("no module is refused")
	}
}
