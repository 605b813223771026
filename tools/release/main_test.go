package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a repository with a changelog and an API, and returns a function that
// commits other contents of a file.
func repository(t *testing.T) (dir string, write func(name, content string)) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b",
			"-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"}, args...)...)
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, output)
		}
	}
	git("init", "-q")
	git("config", "user.name", "a")
	git("config", "user.email", "a@b")
	return dir, func(name, content string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", "change "+name)
	}
}

// TestRelease makes the first tags of a module, and tries those that are refused.
func TestRelease(t *testing.T) {
	dir, write := repository(t)
	try := func(version, refusal string) {
		t.Helper()
		err := release{dir: dir, version: version, out: io.Discard}.run(true)
		if refusal == "" && err != nil || refusal != "" && (err == nil || !strings.Contains(err.Error(), refusal)) {
			t.Errorf("%s: got error %v, want %q", version, err, refusal)
		}
	}
	write("api.txt", "func A()\nfunc B()\n")
	write("webhook/api.txt", "func W()\n")
	write("CHANGELOG.md", "# Changelog\n\n## v0.1.0\n")
	try("0.1.0", "is no version")
	try("v0.2.0", `no heading "## v0.2.0"`)
	try("v0.1.0", "")
	write("CHANGELOG.md", "## v0.2.0\n\n## v0.1.1\n\n## v0.1.0\n\n## v1.0.0\n\n## v1.1.0\n\n## v1.1.1\n\n## v2.0.0\n")
	try("v0.1.0", "does not come after v0.1.0")
	write("api.txt", "func A()\nfunc C()\n")
	try("v0.1.1", "needs v0.2.0: gone are\napi.txt: func B()")
	try("v0.2.0", "")
	try("v1.0.0", "")
	write("api.txt", "func A()\nfunc C()\nfunc D()\n")
	try("v1.1.0", "")
	write("webhook/api.txt", "func W(int)\n")
	try("v1.1.1", "needs v2.0.0: gone are\nwebhook/api.txt: func W()")
	if err := os.WriteFile(filepath.Join(dir, "more"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	try("v2.0.0", "not committed")
}

// TestChecksOnly checks that no tag is made unless it is asked for.
func TestChecksOnly(t *testing.T) {
	dir, write := repository(t)
	write("CHANGELOG.md", "## v0.1.0\n")
	var out bytes.Buffer
	r := release{dir: dir, version: "v0.1.0", out: &out}
	if err := r.run(false); err != nil || out.String() != "v0.1.0 may be tagged\n" {
		t.Errorf("got %q, error %v", &out, err)
	}
	if last, err := r.last(); err != nil || last != "" {
		t.Errorf("there is a tag %q, error %v", last, err)
	}
}

// TestSBOM lists what this test is made of.
func TestSBOM(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := writeSBOM(&out, program); err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Name != "example.com/serviceapi/tools" {
		t.Errorf("got %s", &out)
	}
	std := b.Components[len(b.Components)-1]
	if std.Name != "std" || !strings.HasPrefix(std.PURL, "pkg:golang/std@go1.") {
		t.Errorf("the last component is %+v", std)
	}
	if err := writeSBOM(&out, "main.go"); err == nil {
		t.Error("a file that is no program was taken for one")
	}
}
