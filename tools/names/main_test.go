package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const thing = "id name owner owner.id owner.username within within.id within.name within.owner within.owner.id " +
	"within.owner.username within.within within.within.id within.within.name within.within.owner " +
	"within.within.owner.id within.within.owner.username within.within.within within.within.within.id " +
	"within.within.within.name within.within.within.owner within.within.within.within"

// TestNames compares the lines of a description with those that a person would write.
func TestNames(t *testing.T) {
	want := strings.Join([]string{
		"GET\t/things\tquery\tlabels not[labels] secret_word job_token",
		"GET\t/things\told\tsorted",
		"GET\t/things\tmember\t" + thing,
		"POST\t/things\tbody\tname tags place place.line place.path file",
		"POST\t/things\told\tformer",
		"POST\t/things\tmember\t=GET /things",
	}, "\n") + "\n"
	got := names(t, "", "testdata/description.yaml")
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !strings.Contains(got, "GET\t/things/:id\tmember\t") || !strings.Contains(got, " details\n") {
		t.Errorf("the parts of an object are missing:\n%s", got)
	}
	if !strings.HasSuffix(got, "DELETE\t/things/:id\tnone\t\n") {
		t.Errorf("an endpoint without names is missing:\n%s", got)
	}
}

// TestEarlierList checks that the order, the paths and the kinds of an earlier list are kept, and that
// its endpoints which the description lacks are not.
func TestEarlierList(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.tsv")
	text := "# The head.\nDELETE\t/things/:thing_id\tnone\t\nGET\t/things\thidden\tsecret_word gone\n" +
		"GET\t/things\tcredential\tjob_token\nGET\t/nothing\tnone\t\n"
	if err := os.WriteFile(old, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"# The head.",
		"DELETE\t/things/:thing_id\tnone\t",
		"GET\t/things\tquery\tlabels not[labels]",
		"GET\t/things\told\tsorted",
		"GET\t/things\thidden\tsecret_word",
		"GET\t/things\tcredential\tjob_token",
		"GET\t/things\tmember\t" + thing,
		"POST\t/things\tbody\t",
	}, "\n")
	if got := names(t, old, "testdata/description.yaml"); !strings.HasPrefix(got, want) ||
		strings.Contains(got, "nothing") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestCommittedList reads the list of the repository.
func TestCommittedList(t *testing.T) {
	data, err := os.ReadFile("../../testdata/product-names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	l, err := readList(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.head) == 0 || len(l.endpoints) < 700 {
		t.Errorf("%d comments and %d endpoints", len(l.head), len(l.endpoints))
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"old.yaml": "swagger: '2.0'\npaths: {}\n", "text.yaml": "[", "list.yaml": "openapi: 3.0.1\npaths: []\n",
		"properties.yaml": "openapi: 3.0.1\npaths: {/a: {get: {responses: {'200': {content: {j: {schema: " +
			"{properties: [a]}}}}}}}}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run(new(strings.Builder), "", file); err == nil {
			t.Errorf("%s is taken", name)
		}
		if err := run(new(strings.Builder), file, "testdata/description.yaml"); err == nil {
			t.Errorf("%s is taken as a list", name)
		}
	}
	if err := run(new(strings.Builder), "", filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing description is taken")
	}
	if err := run(new(strings.Builder), filepath.Join(dir, "missing"), "testdata/description.yaml"); err == nil {
		t.Error("a missing list is taken")
	}
}

// TestEmptyParts checks that a description with empty parts is read.
func TestEmptyParts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.yaml")
	text := "openapi: 3.1.0\npaths: {/a: {parameters: [null], get: {responses: {'200': null}}, post: null, put: " +
		"{requestBody: {content: {j: {schema: null}}}}}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := names(t, "", file); got != "GET\t/a\tnone\t\nPUT\t/a\tnone\t\n" {
		t.Errorf("got %s", got)
	}
}

func names(t *testing.T, old, description string) string {
	t.Helper()
	var out strings.Builder
	if err := run(&out, old, description); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
