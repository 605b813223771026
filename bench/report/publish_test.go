package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi/bench"
)

// madeUp is a record with every row of a whole run, in which all that was measured is 2,
// and nothing was measured.
func madeUp() record {
	var rows []row
	for _, e := range (&lab{base: "http://service.test"}).experiments() {
		s := sample{cpuUsual: 2}
		for _, g := range e.goals {
			s[g.metric] = 2
		}
		taken := results{}
		for who := range e.ways {
			taken[who] = []sample{s}
		}
		for _, g := range e.goals {
			rows = append(rows, g.row(e, taken))
		}
	}
	return newRecord(rows, nil, false)
}

// TestPublish checks that everything that depends on the figures is written: that each
// figure which the pages name is there, and that nothing around the blocks changes.
func TestPublish(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{tablePage, frontPage} {
		text := "before\n" + blockStart + "old\n" + blockEnd + "after\n"
		if err := os.WriteFile(filepath.Join(dir, page), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := madeUp()
	newest := r
	newest.Go, newest.Taken = "go9.9", "a later day"
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "figures"), 0o755),
		newest.write(filepath.Join(dir, newestFile)), r.publish(dir)); err != nil {
		t.Fatal(err)
	}
	for page, wants := range map[string][]string{
		tablePage: {
			"](figures/ratios.svg)", "](figures/pages.svg)", "HTTP/2, 1% loss: from 2.00 s one page ahead",
			"before\n", "\nafter\n",
			"| GET one job, in memory: CPU time | 2.00 s | 2.00 s | 2.00 s | 2.00 s | 2.00 s | " +
				"1.00; 1.00 | ≤ 0.46 of client-go; ≤ 1.15 of net/http, same JSON | **miss** |",
			"### With go9.9\n\nWhat is measured in memory, on a later day.\n\n| work |",
		},
		frontPage: {"before\n", "\nafter\n", "takes 1.00 of client-go's CPU time",
			"With go9.9, whose encoding/json decodes faster, they take 1.00 and 1.00.\n",
			"](bench/figures/ratios.svg)",
		},
	} {
		text := read(t, filepath.Join(dir, page))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", page, want)
			}
		}
		if strings.Contains(text, "old\n") || strings.Contains(text, root) {
			t.Errorf("%s has what should not be there", page)
		}
	}
	again, err := readRecord(filepath.Join(dir, recordFile))
	if err != nil {
		t.Fatal(err)
	}
	files, err := again.files(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if read(t, filepath.Join(dir, name)) != string(content) {
			t.Errorf("%s differs if it is made of the record again", name)
		}
	}
}

// TestPublishRefuses checks that what is not a whole run is not published.
func TestPublishRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []record{
		{Quick: true}, newRecord(nil, []error{errors.New("no luck")}, false), {Rows: madeUp().Rows[1:]},
	} {
		if err := r.publish(dir); err == nil {
			t.Errorf("a record was published: %+v", r)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files were written, error %v", len(left), err)
	}
}

// TestPublished checks that what is in the repository was written of one record.
func TestPublished(t *testing.T) {
	dir := ".."
	if _, err := os.Stat(filepath.Join(dir, recordFile)); errors.Is(err, os.ErrNotExist) {
		t.Skip("no record is in the repository")
	}
	r, err := readRecord(filepath.Join(dir, recordFile))
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.files(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if read(t, filepath.Join(dir, name)) != string(content) {
			t.Errorf("%s does not fit the record; run: go run ./report -draw", name)
		}
	}
}

// TestFigures checks that figures are well-formed, small, and say what they show.
func TestFigures(t *testing.T) {
	r := madeUp()
	for name, draw := range map[string]func() ([]byte, error){"ratios": r.drawRatios, "pages": r.drawPages} {
		svg, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		if len(svg) > 60<<10 {
			t.Errorf("%s has %d bytes", name, len(svg))
		}
		for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, want := range []string{"<title>", "prefers-color-scheme", "sans-serif"} {
			if !bytes.Contains(svg, []byte(want)) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	svg, err := r.drawRatios()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.ratios() {
		if !bytes.Contains(svg, []byte(">"+c.name+"<")) || len(c.dots) == 0 {
			t.Errorf("%q is not in the figure, or has no dots: %v", c.name, c.dots)
		}
	}
	if d := r.ratios()[0].dots; d[bench.Peer] != (dot{1, 0.46}) || d[bench.Floor] != (dot{1, 1.15}) {
		t.Errorf("the dots of the first row are %v", d)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
