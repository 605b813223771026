// Command release checks that a version may be tagged, and tags it.
//
//	cd tools && go run ./release v0.2.0        # checks only
//	cd tools && go run ./release -tag v0.2.0   # also makes the tag, which it does not push
//	cd tools && go run ./release -sbom FILE    # lists what the program FILE is made of, as CycloneDX
//
// It refuses a version with which programs could stop compiling although its number promises
// that they do not: see docs/releasing.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	tag := flag.Bool("tag", false, "make the tag if nothing speaks against it")
	sbom := flag.String("sbom", "", "write the bill of materials of the program in this `file`, and nothing else")
	flag.Parse()
	var err error
	switch {
	case *sbom != "":
		err = writeSBOM(os.Stdout, *sbom)
	case flag.NArg() != 1:
		err = errors.New("name one version, such as v0.2.0")
	default:
		err = release{dir: "..", version: flag.Arg(0), out: os.Stdout}.run(*tag)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is a version of the module in a directory.
type release struct {
	dir, version string
	out          io.Writer
}

func (r release) run(tag bool) error {
	number, err := parse(r.version)
	if err != nil {
		return err
	}
	if left, err := r.git("status", "--porcelain"); err != nil || left != "" {
		return errors.Join(err, fmt.Errorf("there is work that is not committed:\n%s", left))
	}
	last, err := r.last()
	if err != nil {
		return err
	}
	if err := r.check(number, last); err != nil {
		return err
	}
	if !tag {
		fmt.Fprintf(r.out, "%s may be tagged\n", r.version)
		return nil
	}
	_, err = r.git("tag", "-a", r.version, "-m", r.version)
	return err
}

// check refuses a version that does not follow from the last one, which is "" if there is none.
func (r release) check(number version, last string) error {
	if err := r.checkChangelog(); err != nil {
		return err
	}
	if last == "" {
		return nil
	}
	before, err := parse(last)
	if err != nil {
		return err
	}
	if !before.less(number) {
		return fmt.Errorf("%s does not come after %s", r.version, last)
	}
	gone, err := r.gone(last)
	if err != nil || len(gone) == 0 || number.mayBreak(before) {
		return err
	}
	return fmt.Errorf("programs that compile with %s may not compile with %s, which needs %s: gone are\n%s",
		last, r.version, before.breaking(), strings.Join(gone, "\n"))
}

func (r release) checkChangelog() error {
	text, err := os.ReadFile(filepath.Join(r.dir, "CHANGELOG.md"))
	if err == nil && !regexp.MustCompile(`(?m)^## `+regexp.QuoteMeta(r.version)+`\b`).Match(text) {
		err = fmt.Errorf("CHANGELOG.md has no heading %q", "## "+r.version)
	}
	return err
}

// last returns the last tag of a version before HEAD, "" if there is none.
func (r release) last() (string, error) {
	tags, err := r.git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname")
	tag, _, _ := strings.Cut(tags, "\n")
	return tag, err
}

// apis are the files with the exported declarations of the packages, a line each.
var apis = []string{"api.txt", "webhook/api.txt"}

// gone returns the declarations that the packages had at a tag and no longer have.
func (r release) gone(tag string) (gone []string, err error) {
	for _, api := range apis {
		before, err := r.git("show", tag+":"+api)
		if err != nil {
			return nil, err
		}
		after, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(api)))
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for line := range strings.Lines(string(after)) {
			has[strings.TrimSpace(line)] = true
		}
		for line := range strings.Lines(before) {
			if line = strings.TrimSpace(line); !has[line] {
				gone = append(gone, api+": "+line)
			}
		}
	}
	return gone, nil
}

func (r release) git(args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Dir = r.dir
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(output)), nil
}

// A version is a number of the form v1.2.3.
type version [3]int

var form = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)

func parse(s string) (v version, err error) {
	match := form.FindStringSubmatch(s)
	if match == nil {
		return v, fmt.Errorf("%q is no version of the form v1.2.3", s)
	}
	for i := range v {
		if v[i], err = strconv.Atoi(match[i+1]); err != nil {
			return v, err
		}
	}
	return v, nil
}

func (v version) String() string { return fmt.Sprintf("v%d.%d.%d", v[0], v[1], v[2]) }

func (v version) less(other version) bool {
	for i := range v {
		if v[i] != other[i] {
			return v[i] < other[i]
		}
	}
	return false
}

// mayBreak reports whether programs that compile with the version before may not compile with
// this one: with another major version, and before v1 with another minor one.
func (v version) mayBreak(before version) bool { return !v.less(before.breaking()) }

// breaking is the first version that may break programs of this one.
func (v version) breaking() version {
	if v[0] == 0 {
		return version{0, v[1] + 1, 0}
	}
	return version{v[0] + 1, 0, 0}
}
