package ciconfig

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const runs = "\ntest: {script: make}\n"

// files reads the files of a repository.
func files(path string) (string, bool) {
	content, ok := map[string]string{
		"ci/base.yml":   ".base: {tags: [linux], variables: {A: 1}}\nstages: [one, two]\n",
		"ci/all.yml":    "include: /ci/base.yml\nlint: {stage: one, script: lint}\n",
		"ci/broken.yml": "a: [",
		"ci/list.yml":   "[1]",
		"ci/self.yml":   "include: ci/self.yml\nself: {script: x}\n",
	}[path]
	return content, ok
}

func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{" \n", "Please provide content of .service-ci.yml"},
		{"a: [", "line 1: is not closed"},
		{"text", "Invalid configuration format"},
		{"stages: [a]", "jobs config should contain at least one visible job"},
		{".hidden: {script: a}", "jobs config should contain at least one visible job"},
		{"a: b" + runs, "root config contains unknown keys: a"},
		{"test: {stage: test}", "jobs:test config should implement the script:, run:, or trigger: keyword"},
		{"test: {script: [a], stagee: x, foo: y}", "jobs:test config contains unknown keys: stagee, foo"},
		{"test: {script: {a: b}}",
			"jobs:test:script config should be a string or a nested array of strings up to 10 levels deep"},
		{"test: {script: [a, 1]}",
			"jobs:test:script config should be a string or a nested array of strings up to 10 levels deep"},
		{"test: {script: a, after_script: true}",
			"jobs:test:after_script config should be a string or a nested array of strings up to 10 levels deep"},
		{"before_script: {}" + runs,
			"before_script config should be a string or a nested array of strings up to 10 levels deep"},
		{"default: {before_script: 1, retries: 2}" + runs,
			"default config contains unknown keys: retries; " +
				"default:before_script config should be a string or a nested array of strings up to 10 levels deep"},
		{"default: 1\nworkflow: {rule: []}" + runs,
			"default config should be a hash; workflow config contains unknown keys: rule"},
		{"stages: a" + runs, "stages config should be an array of strings"},
		{"stages: [a, 1]" + runs, "stages config should be an array of strings"},
		{"variables: [a]" + runs, "variables config should be a hash of key value pairs"},
		{"variables: {A: [b]}" + runs, "variables config should be a hash of key value pairs"},
		{"test: {script: a, variables: b}", "jobs:test:variables config should be a hash of key value pairs"},
		{"test: {script: a, stage: 1}", "jobs:test:stage config should be a string"},
		{"test: {script: a, stage: ship}",
			"test job: chosen stage ship does not exist; available stages are .pre, build, test, deploy, .post"},
		{"stages: [a, .pre]\ntest: {script: a}",
			"test job: chosen stage test does not exist; available stages are .pre, a, .post"},
		{"test: {script: a, when: later}",
			"jobs:test when should be one of: on_success, on_failure, always, manual, delayed"},
		{"test: {script: a, tags: b, dependencies: c}",
			"jobs:test:dependencies config should be an array of strings; jobs:test:tags config should be an array " +
				"of strings"},
		{"test: {script: a, rules: [b]}", "jobs:test:rules config should be an array of hashes"},
		{"test: {script: a, environment: [b], parallel: [2]}",
			"jobs:test:environment config should be a hash or a string; jobs:test:parallel config should be an " +
				"integer or a hash"},
		{"test: {script: a, rules: [{if: b}], only: [c]}", "jobs:test config key may not be used with `rules`: only"},
		{"test: {script: a, needs: b}", "jobs:test:needs config can only be a Hash or an Array"},
		{"test: {script: a, needs: [b]}", "test job: undefined need: b"},
		{"test: {script: a, needs: [{job: b}], dependencies: [c]}",
			"test job: undefined dependency: c; test job: undefined need: b"},
		{"test: {script: a, needs: [ship]}\nship: {script: b, stage: deploy}",
			"test job: need ship is not defined in current or prior stages"},
		{"test: {extends: .a, script: b}", "test: unknown keys in `extends` (.a)"},
		{".a: {extends: .b}\n.b: {extends: .a}" + runs, ".a: circular dependency detected in `extends`"},
		{"include: ci/none.yml" + runs, "Local file `ci/none.yml` does not exist!"},
		{"include: ci/broken.yml" + runs, "ci/broken.yml: line 1: is not closed"},
		{"include: ci/list.yml" + runs, "Included file `ci/list.yml` does not have valid YAML syntax!"},
		{"include: 'https://x.test/a.yml'" + runs, "servicetest does not fetch includes of the type remote"},
		{"include: [{template: a}, {project: b, file: /c}]" + runs,
			"servicetest does not fetch includes of the type template; servicetest does not fetch includes of the " +
				"type file"},
		{"include: {local: ci/all.yml, rules: []}" + runs, "servicetest does not understand rules of includes"},
	} {
		result := Check(test.yaml, ".service-ci.yml", files)
		got := result.Errors
		if strings.Contains(test.want, "undefined dependency") && len(got) == 2 && strings.Contains(got[0], "need") {
			got[0], got[1] = got[1], got[0] // either order
		}
		if strings.Join(got, "; ") != test.want || len(result.Jobs) > 0 {
			t.Errorf("%q: %q, want %s", test.yaml, got, test.want)
		}
	}
	deep := ".j0: {script: a}\n"
	for i := range 13 {
		deep += fmt.Sprintf(".j%d: {extends: .j%d}\n", i+1, i)
	}
	if got := Check(deep, "f", nil).Errors; fmt.Sprint(got) != "[.j12: nesting too deep in `extends`]" {
		t.Error(got)
	}
	if got := Check("include: a.yml", "f",
		nil).Errors; fmt.Sprint(got) != "[Local file `a.yml` does not have project!]" {
		t.Error(got)
	}
}

const whole = `
include:
- local: /ci/all.yml
- ci/self.yml
default:
  before_script: prepare
  tags: [docker]
variables:
  B: {value: x, description: y}
stages: [two, three]
build:
  stage: two
  extends: .base
  script:
  - make
  - - more
  variables: {B: 2}
  needs: []
ship:
  stage: three
  extends: [.base, build]
  script: ship
  before_script: []
  after_script: [clean]
  environment: {name: live, url: https://x.test}
  when: manual
  only: [main]
  needs: [build, {job: gone, optional: true}, {project: a/b, job: c, ref: d}]
check:
  stage: .pre
  script: check
  allow_failure: {exit_codes: 3}
  environment: review
  rules:
  - if: $CI
  - when: always
.hidden: anything
`

// TestCheck checks the merged configuration, and the jobs with their defaults. Stages
// of the file replace those of an include.
func TestCheck(t *testing.T) {
	result := Check(strings.Replace(whole, "stages: [two, three]", "stages: [one, two, three, test]", 1), "f", files)
	if len(result.Errors) > 0 {
		t.Fatal(result.Errors)
	}
	if got := fmt.Sprint(result.Includes); got != "[{local /ci/all.yml} {local /ci/base.yml} {local ci/self.yml} "+
		"{local ci/self.yml}]" {
		t.Error(got)
	}
	warning := "[jobs:check may allow multiple pipelines to run for a single action due to `rules:when` clause " +
		"with no `workflow:rules`]"
	if got := fmt.Sprint(result.Warnings); got != warning {
		t.Error(got)
	}
	const merged = "build:\n  tags:\n  - linux\n  variables:\n    A: 1\n    B: 2\n  stage: two\n  extends: .base\n " +
		" script:\n  - make\n" +
		"  - - more\n  needs: []\n"
	if !strings.HasPrefix(result.Merged, "---\n.base:\n") || !strings.Contains(result.Merged, "\n"+merged) ||
		strings.Contains(result.Merged, "include:") {
		t.Error(result.Merged)
	}
	jobs, err := json.Marshal(result.Jobs)
	if err != nil {
		t.Fatal(err)
	}
	const refs = `"Only":{"refs":["branches","tags"]},"Except":null`
	want := []string{
		`{"Name":"lint","Stage":"one","Environment":"","When":"on_success","BeforeScript":["prepare"],` +
			`"Script":["lint"],` +
			`"AfterScript":[],"Tags":["docker"],"AllowFailure":false,` + refs + `,"Needs":[]}`,
		`{"Name":"self","Stage":"test","Environment":"","When":"on_success","BeforeScript":["prepare"],` +
			`"Script":["x"],` +
			`"AfterScript":[],"Tags":["docker"],"AllowFailure":false,` + refs + `,"Needs":[]}`,
		`{"Name":"build","Stage":"two","Environment":"","When":"on_success","BeforeScript":["prepare"],` +
			`"Script":["make","more"],` +
			`"AfterScript":[],"Tags":["linux"],"AllowFailure":false,` + refs + `,"Needs":[]}`,
		`{"Name":"ship","Stage":"three","Environment":"live","When":"manual","BeforeScript":[],"Script":["ship"],` +
			`"AfterScript":["clean"],"Tags":["linux"],"AllowFailure":true,"Only":{"refs":["main"]},"Except":null,` +
			`"Needs":["build"]}`,
		`{"Name":"check","Stage":".pre","Environment":"review","When":"on_success","BeforeScript":["prepare"],` +
			`"Script":["check"],` +
			`"AfterScript":[],"Tags":["docker"],"AllowFailure":true,"Only":null,"Except":null,"Needs":[]}`,
	}
	if got := string(jobs); got != "["+strings.Join(want, ",")+"]" {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, ",\n"))
	}
}

// FuzzCheck checks that no readable file makes the checker fail.
func FuzzCheck(f *testing.F) {
	f.Add(whole)
	f.Add("a: {extends: [a, b], needs: {x: y}, rules: [[]]}\nvariables: {a: {b: c}}\ninclude: [{}, []]\n")
	f.Fuzz(func(t *testing.T, content string) {
		result := Check(content, "f", files)
		if len(result.Errors) == 0 && (len(result.Jobs) == 0 || result.Merged == "") {
			t.Errorf("%q: neither errors nor jobs", content)
		}
	})
}
