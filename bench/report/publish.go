package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/serviceapi/bench"
)

// What a record is written to, seen from the directory of the module.
const (
	recordFile = "figures/figures.json"
	newestFile = "figures/newest.json" // what was measured in memory with the newest Go
	ratiosFile = "figures/ratios.svg"
	pagesFile  = "figures/pages.svg"
	tablePage  = "README.md"
	frontPage  = "../README.md"
)

// Between these lines of a page is what publish writes.
const (
	blockStart = "<!-- Written by bench/report: begin -->\n"
	blockEnd   = "<!-- Written by bench/report: end -->\n"
)

// publish writes everything that depends on the figures: the record itself, what is drawn
// of it, and the blocks in the pages.
func (r record) publish(dir string) error {
	if r.Quick || len(r.Failed) > 0 {
		return errors.New("a quick run, or one in which something failed, is not published")
	}
	files, err := r.files(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(recordFile)), 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return r.write(filepath.Join(dir, recordFile))
}

// files returns what the files that depend on the record should contain.
func (r record) files(dir string) (files map[string][]byte, err error) {
	files = map[string][]byte{}
	newest, err := readRecord(filepath.Join(dir, newestFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f := &facts{record: r, newest: newest}
	for name, draw := range map[string]func() ([]byte, error){
		ratiosFile: r.drawRatios, pagesFile: r.drawPages,
		tablePage: func() ([]byte, error) { return replaced(filepath.Join(dir, tablePage), f.tableBlock) },
		frontPage: func() ([]byte, error) { return replaced(filepath.Join(dir, frontPage), f.frontBlock) },
	} {
		if files[name], err = draw(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// replaced returns a page with another block.
func replaced(path string, write func() (string, error)) ([]byte, error) {
	block, err := write()
	if err != nil {
		return nil, err
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	before, rest, found := strings.Cut(string(page), blockStart)
	_, after, ended := strings.Cut(rest, blockEnd)
	if !found || !ended {
		return nil, errors.New("the page has no block for the figures")
	}
	return []byte(before + blockStart + block + blockEnd + after), nil
}

// tableBlock is what the page of the figures says.
func (f *facts) tableBlock() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "The figures were taken on %s. client-go is %s.\n\n", f.Taken, f.Peer)
	fmt.Fprintf(&b, "![%s](%s)\n\n![%s](%s)\n\n", f.ratiosText(), ratiosFile, f.pagesText(), pagesFile)
	f.writeTable(&b)
	if f.newest.Go != "" {
		fmt.Fprintf(&b, "\n### With %s\n\nWhat is measured in memory, on %s.\n\n", f.newest.Go, f.newest.Taken)
		f.newest.writeTable(&b)
	}
	return b.String(), f.err
}

// frontBlock is what the front page says.
func (f *facts) frontBlock() (string, error) {
	const (
		merge, job       = "list of 100 merge requests, in memory", "GET one job, in memory"
		download, upload = "256 MiB download", "256 MiB multipart upload"
		crowd            = "5 × 1000 concurrent GETs (net/http as it comes)"
		burst, atOnce    = "40 GETs begun within 200ms", "1024 GETs at once, all refused"
		pages            = "100 pages of 100, 20ms latency, as it comes"
		ours, peer       = bench.Ours, bench.Peer
	)
	var b strings.Builder
	line := func(text string, args ...any) { fmt.Fprintf(&b, text, args...) }
	line("![%s](bench/%s)\n\n", f.ratiosText(), ratiosFile)
	line("- With %s, a list of 100 merge requests takes %s of client-go's CPU time, and one job %s.\n",
		f.Go, f.result(merge, cpuSeconds), f.result(job, cpuSeconds))
	if f.newest.Go != "" {
		newest := &facts{record: f.newest}
		line("  With %s, whose encoding/json decodes faster, they take %s and %s.\n",
			newest.Go, newest.result(merge, cpuSeconds), newest.result(job, cpuSeconds))
		f.err = errors.Join(f.err, newest.err)
	}
	line("- 100 pages over a network with 20 ms latency take %s of client-go's time.\n", f.result(pages, seconds))
	line("- Over a link of 80 ms that loses 1%% of all packets, 20 pages take %s one page ahead, %s with 8 at once,\n"+
		"  and %s with 8 at once over HTTP/1.1: see [long lists](docs/pagination.md).\n",
		f.value(walksWithLoss, walkOver(overHTTP2, 1), ours), f.value(walksWithLoss, walkOver(overHTTP2, 8), ours),
		f.value(walksWithLoss, walkOver(overHTTP1, 8), ours))
	line("- A 256 MiB download adds %s of memory, and an upload %s; client-go adds %s and %s.\n",
		f.value(download, memoryOver, ours), f.value(upload, memoryOver, ours),
		f.value(download, memoryOver, peer), f.value(upload, memoryOver, peer))
	line("- 1,000 calls at once share %s connections. Under a 429, 40 calls that begin within 200 ms send\n"+
		"  %s requests. 1,024 that begin at once send %s: each that is on its way is refused, too, but only once.\n",
		f.value(crowd, connections, ours), f.value(burst, requests, ours), f.value(atOnce, requests, ours))
	const long = "a response of 65 MiB"
	line("- A response above the limit of 64 MiB costs %s of memory; client-go needs %s.\n",
		f.value(long, memoryOver, ours), f.value(long, memoryOver, peer))
	return b.String(), f.err
}

// facts are formatted figures of a record. The first one that is missing is the error.
type facts struct {
	record
	newest record // without a version of Go if there is none
	err    error
}

func (f *facts) row(work string, m metric) row {
	line, err := f.find(work, m)
	f.err = errors.Join(f.err, err)
	return line
}

func (f *facts) value(work string, m metric, who bench.Contender) string {
	return format(m, f.row(work, m).Values[who])
}

func (f *facts) result(work string, m metric) string { return f.row(work, m).Shown }

// ratiosText describes the figure of ratios to somebody who does not see it.
func (f *facts) ratiosText() string {
	text := "A plot of what kinds of work take with this library, as a share of what they take otherwise"
	for _, s := range series {
		var least, most compared
		var from, to float64
		for _, c := range f.ratios() {
			for _, who := range s.who {
				d, ok := c.dots[who]
				if ok && (from == 0 || d.ratio < from) {
					least, from = c, d.ratio
				}
				if ok && d.ratio > to {
					most, to = c, d.ratio
				}
			}
		}
		text += fmt.Sprintf("; from %.2f (%s) to %.2f (%s) %s", from, least.name, to, most.name, s.name)
	}
	return text
}

// pagesText describes the figure of pages at once.
func (f *facts) pagesText() string {
	text := fmt.Sprintf("A plot of the time of %d pages over a link of %d ms, by the number of pages at once",
		linePages, lineRoundTrip.Milliseconds())
	most := linePagesAtOnce[len(linePagesAtOnce)-1]
	for _, l := range linePlots {
		first, last := walkOver(l.protocol, 1), walkOver(l.protocol, most)
		text += fmt.Sprintf("; %s: from %s one page ahead to %s with %d at once", l.name,
			f.value(l.work, first, bench.Ours), f.value(l.work, last, bench.Ours), most)
	}
	return text
}
