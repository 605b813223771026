package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// neededMinor is the version of Go that this library needs: 1.26.
const neededMinor = 26

// A goMod is what a go.mod says of the language and of the runtime.
type goMod struct {
	Go      string
	Godebug []struct{ Key, Value string }
}

// keptSettings returns the setting that keeps what the runtime and the standard library do by the
// version of Go in a go.mod, such as "default=go1.19". The version becomes 1.26 with this library,
// and with it, for example, a pattern of a ServeMux would match other paths. It returns "" if
// nothing changes, or if the module says by itself what it wants.
func (m goMod) keptSettings() string {
	if slices.ContainsFunc(m.Godebug, func(s struct{ Key, Value string }) bool { return s.Key == "default" }) {
		return ""
	}
	version := m.Go
	if version == "" {
		version = "1.16" // of a module that does not say one
	}
	rest, ok := strings.CutPrefix(version, "1.")
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || '9' < r })
	if end >= 0 {
		rest = rest[:end]
	}
	if minor, err := strconv.Atoi(rest); err != nil || minor >= neededMinor {
		return ""
	}
	return "default=go1." + rest
}

// readGoMod reads a go.mod.
func readGoMod(name string) (goMod, error) {
	var m goMod
	command := exec.Command("go", "mod", "edit", "-json", name)
	command.Dir = filepath.Dir(name)
	text, err := command.Output()
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

// settingsOf returns what keptSettings says of the module of a folder, and "" outside of a module.
func settingsOf(dir string) string {
	command := exec.Command("go", "env", "GOMOD")
	command.Dir = dir
	name, err := command.Output()
	if err != nil {
		return ""
	}
	path := strings.TrimSpace(string(name))
	if path == "" || path == os.DevNull {
		return ""
	}
	m, err := readGoMod(path)
	if err != nil {
		return ""
	}
	return m.keptSettings()
}
