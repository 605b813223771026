// Command generate writes every file that is derived from others. In the root of the module:
//
//	go generate ./...
//
// A test of a file that is not what it is derived from says so. Read the difference before you
// commit it: it is what users see, or what the embedded service does.
package main

//go:generate go run .

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// A step writes files: what it derives, by a command of the root, or by copying what an earlier
// step wrote.
type step struct {
	files   string
	derive  func(root string) (map[string]string, error)
	command string
	from    string
}

// steps are in the order of what they read.
var steps = []step{
	{files: "settings_types.go settings_options.go", derive: typesOfSettings},
	{files: "integrations_chat.go integrations_tools.go integrations_trackers.go", derive: typesOfIntegrations},
	{files: "api.txt webhook/api.txt", derive: apiLists},
	{files: "docs/endpoints.md", derive: pageOfEndpoints},
	{
		files:   "docs/compatibility.md README.md",
		command: "go test ./internal/conventions -run ^TestProductNames$ -update",
	},
	{files: "docs/cookbook.md docs/mocks.md", derive: pagesOfRecipes},
	{files: "*.go", derive: commentsOfServices},
	{files: "migrate/internal/stub/serviceapi.txt", from: "api.txt"},
	{files: "migrate/internal/stub/webhook.txt", from: "webhook/api.txt"},
	{files: "docs/migration.md", command: "go -C migrate run ./internal/docs"},
	{files: "servicetest/testdata/roles.txt internal/roles/least.txt servicetest/testdata/calls/*.txt",
		command: "go test ./servicetest -run ^(TestLeastRoleOfEveryEndpoint|TestRolesInErrors|TestCalls)$ -update"},
}

func main() {
	root, err := inventory.Root()
	for i := 0; i < len(steps) && err == nil; i++ {
		err = steps[i].run(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (s step) run(root string) error {
	before, err := s.texts(root)
	if err != nil {
		return err
	}
	switch {
	case s.derive != nil:
		err = s.write(root)
	case s.from != "":
		err = copyFile(filepath.Join(root, s.files), filepath.Join(root, s.from))
	default:
		words := strings.Fields(s.command)
		command := exec.Command(words[0], words[1:]...)
		command.Dir = root
		var output []byte
		if output, err = command.CombinedOutput(); err != nil {
			err = fmt.Errorf("%s: %w\n%s", s.command, err, output)
		}
	}
	if err != nil {
		return err
	}
	after, err := s.texts(root)
	for name, text := range after {
		if text != before[name] {
			fmt.Println("changed:", name)
		}
	}
	return err
}

// write writes what the step derives.
func (s step) write(root string) error {
	texts, err := s.derive(root)
	if err != nil {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the files that the step writes, as they are now.
func (s step) texts(root string) (map[string]string, error) {
	texts := map[string]string{}
	for pattern := range strings.FieldsSeq(s.files) {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return nil, err
			}
			texts[filepath.ToSlash(rel)] = string(data)
		}
	}
	return texts, nil
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
