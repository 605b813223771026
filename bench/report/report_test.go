package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/bench"
	"example.com/serviceapi/bench/line"
)

// startLab returns a lab whose service is in this process.
func startLab(t *testing.T) *lab {
	t.Helper()
	stdin, closeStdin := io.Pipe()
	stdout, output := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serveUntilClosed(stdin, output) }()
	l := &lab{quick: true}
	if err := l.readAddresses(stdout); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closeStdin.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l
}

func runOnce(t *testing.T, ways map[bench.Contender]way) map[bench.Contender]sample {
	t.Helper()
	samples := map[bench.Contender]sample{}
	for who, do := range ways {
		s, err := do(t.Context())
		if err != nil {
			t.Errorf("%s: %v", who, err)
		}
		samples[who] = s
	}
	return samples
}

func TestWalks(t *testing.T) {
	w := walk{base: startLab(t).base, project: listProject(3, pageLatency), pages: 3}
	for _, ways := range []map[bench.Contender]way{w.oneByOne(func() {}), w.sideBySide()} {
		for who, s := range runOnce(t, ways) {
			if s[seconds] < pageLatency.Seconds() {
				t.Errorf("%s needed %v s only", who, s[seconds])
			}
		}
	}
	w.project, w.pages = listProject(2, 0), 2
	calls := 0
	if err := w.consume(w.ours(t.Context()), func() { calls++ }); err != nil || calls != 2 {
		t.Errorf("work was done for %d pages, error %v", calls, err)
	}
}

func TestTransfers(t *testing.T) {
	l := startLab(t)
	for _, who := range []bench.Contender{bench.Ours, bench.Peer, bench.Bare} {
		transfer, err := newTransfer(who, l.base)
		if err != nil {
			t.Fatal(err)
		}
		for name, do := range map[string]func(context.Context, int64) error{"download": transfer.toFile,
			"upload": transfer.upload} {
			if err := do(t.Context(), 1); err != nil {
				t.Errorf("%s by %s: %v", name, who, err)
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	l := startLab(t)
	get := l.oursGet()
	seen, err := l.counted(t.Context(), func() error {
		return errors.Join(get(t.Context(), 1, 8), get(t.Context(), 1, 8))
	})
	if want := (statistics{Connections: 1, Requests: 2}); err != nil || seen != want {
		t.Errorf("saw %+v, want %+v, error %v", seen, want, err)
	}
}

func TestServiceRefuses(t *testing.T) {
	l := startLab(t)
	resp, err := bench.NewPlain(l.base, nil).Send(t.Context(), http.MethodGet, "/projects/429000/jobs/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "1" {
		t.Errorf("got %s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
}

// fixed is an experiment with a known outcome.
func fixed(name string, values map[bench.Contender][]float64, goals ...goal) experiment {
	e := experiment{name: name, rounds: 3, ways: map[bench.Contender]way{}, goals: goals}
	for who, all := range values {
		turn := 0
		e.ways[who] = func(context.Context) (sample, error) {
			turn++
			return sample{seconds: all[turn-1]}, nil
		}
	}
	return e
}

func TestTable(t *testing.T) {
	values := map[bench.Contender][]float64{bench.Ours: {0.001, 0.003, 0.002}, bench.Peer: {0.002, 2, 0.003}}
	broken := experiment{name: "broken", rounds: 1, ways: map[bench.Contender]way{
		bench.Ours: func(context.Context) (sample, error) { return nil, errors.New("no luck") },
	}}
	rows, failed := runAll(t.Context(), []experiment{
		fixed("met", values, ratio(seconds, bench.Peer, 0.5), beside(seconds, bench.Peer)),
		broken,
		fixed("missed", values, ratio(seconds, bench.Peer, 0.49), limit(seconds, 0.002)),
		fixed("over", values, over(seconds, bench.Peer, 0)),
		fixed("shown", values, shown(seconds)),
	})
	var text bytes.Buffer
	if err := newRecord(rows, failed, true).writeReport(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| met: time | 2 ms | 3 ms | – | – | – | 0.50; 0.50 of client-go | ≤ 0.50 of client-go | met |",
		"| missed: time | 2 ms | 3 ms | – | – | – | 0.50; 2 ms | ≤ 0.49 of client-go; ≤ 2 ms | **miss** |",
		"| over: time | 2 ms | 3 ms | – | – | – | -1 ms | ≤ 0 µs over client-go | met |",
		"| shown: time | 2 ms | 3 ms | – | – | – |  |  |  |",
		"Failed: broken by serviceapi: no luck",
		"A quick run",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, text.String())
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		metric metric
		value  float64
		want   string
	}{
		{seconds, 3.14159, "3.14 s"}, {seconds, 0.0205, "20.5 ms"}, {seconds, 2.5e-5, "25 µs"},
		{allocations, 67, "67"}, {allocations, 1234567, "1,234,567"}, {allocations, 999, "999"},
		{memory, 12 << 20, "12.0 MiB"}, {binarySize, 8.536e6, "8.54 MB"}, {idleHeap, 20 << 10, "20.0 KiB"},
		{sentPerByte, 4.0213, "4.02"}, {initTime, 5e-5, "50 µs"}, {excess, 0.0042, "4.2 ms"},
		{walkOver(overHTTP2, 8), 1.5, "1.50 s"}, {perItem(10), 2.5e-5, "25 µs"}, {cpuUsual, 0.002, "2 ms"},
	} {
		if got := format(c.metric, c.value); got != c.want {
			t.Errorf("%v of %s is %q, want %q", c.value, c.metric, got, c.want)
		}
	}
}

// TestInMemoryExperiments checks that the names of the goals match the cases.
func TestInMemoryExperiments(t *testing.T) {
	l := &lab{quick: true}
	for _, e := range append(l.inMemory(), l.pairs()...) {
		if e.name == "" || len(e.goals) == 0 {
			t.Errorf("an experiment has the name %q and %d goals", e.name, len(e.goals))
		}
	}
}

// TestQuickRowsHaveNamesOfTheirOwn checks that the rows of a quick run have
// different names, so that it is not compared with a full run.
func TestQuickRowsHaveNamesOfTheirOwn(t *testing.T) {
	names := map[string]bool{}
	for _, e := range (&lab{base: "http://service.test"}).experiments() {
		if names[e.name] {
			t.Errorf("two experiments are called %q", e.name)
		}
		names[e.name] = true
	}
	for _, e := range (&lab{base: "http://service.test", quick: true}).experiments() {
		if names[e.name] {
			t.Errorf("a quick run also has %q", e.name)
		}
	}
}

func TestScale(t *testing.T) {
	l := startLab(t)
	for who, s := range runOnce(t, l.lengths(1, 2)) {
		if s[perItem(1)] <= 0 || s[perItem(2)] <= 0 {
			t.Errorf("%s needed %v", who, s)
		}
	}
	w := walk{base: l.base, project: listProject(3, 0), pages: 3}
	runOnce(t, w.atOnce(2))
	for who, s := range runOnce(t, map[bench.Contender]way{bench.Ours: l.heapOf(derived),
		bench.Peer: l.heapOf(l.made)}) {
		if s[heap] < derivedClients {
			t.Errorf("the clients of %s take %v bytes", who, s[heap])
		}
	}
}

func TestProtocols(t *testing.T) {
	l := startLab(t)
	for _, base := range []string{l.base, l.tls, l.http2} {
		for who, s := range runOnce(t, l.protocol(base, 64)) {
			if s[connections] < 1 {
				t.Errorf("%s made %v connections to %s", who, s[connections], base)
			}
		}
	}
	for want, client := range map[int]*http.Client{1: onlyHTTP1(), 2: bench.Trusting()} {
		resp, err := client.Get(l.http2)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.ProtoMajor != want {
			t.Errorf("the service speaks %s, want HTTP/%d", resp.Proto, want)
		}
	}
}

// TestFailing checks the rows about failing services, which do not depend on
// the machine.
func TestFailing(t *testing.T) {
	l := startLab(t)
	s, err := l.failed(l.oursGet)(t.Context())
	if err != nil || s[failures] != 0 || s[requests] != 2*failingCalls {
		t.Errorf("%v calls failed, with %v requests, error %v", s[failures], s[requests], err)
	}
	for who, client := range map[bench.Contender]transfer{
		bench.Ours: ourTransfer(bench.NewOurs(l.base, nil)), bench.Bare: plainTransfer(bench.NewPlain(l.base, nil)),
	} {
		if err := client.hostile(t.Context()); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
}

// TestBursts checks that a burst counts what was sent and what failed.
func TestBursts(t *testing.T) {
	l := startLab(t)
	s, err := l.burst(l.oursGet, 40, 0)(t.Context())
	if err != nil || s[failures] != 0 || s[requests] < 41 || s[requests] > 80 {
		t.Errorf("%v calls failed, with %v requests, error %v", s[failures], s[requests], err)
	}
}

// TestHeld checks that each idle connection is counted, and holds something.
func TestHeld(t *testing.T) {
	for who, s := range runOnce(t, startLab(t).held()[0].ways) {
		if s[idleHeap] < 1<<10 || s[idleHeap] > 1<<20 {
			t.Errorf("a connection of %s holds %v bytes", who, s[idleHeap])
		}
	}
}

// TestFollow checks that fewer bytes are sent with ranges, and that reading by hand needs
// the most.
func TestFollow(t *testing.T) {
	samples := runOnce(t, (&lab{quick: true}).follow()[0].ways)
	ours, peer := samples[bench.Ours], samples[bench.Peer]
	if ours[sentPerByte] < 1 || ours[sentPerByte] >= ours[sentWhole] || ours[sentWhole] > peer[sentWhole]*1.1 {
		t.Errorf("this library needs %v, client-go %v", ours, peer)
	}
}

// TestLines checks that all walks over a link come to their end, and need what the line
// takes at least: a handshake, a second one for TLS, and a round trip for each page.
func TestLines(t *testing.T) {
	l := startLab(t)
	w := &lineWalks{lab: l, line: line.Line{RoundTrip: 5 * time.Millisecond, Loss: 0.002}}
	for who, s := range runOnce(t, w.ways()) {
		if want := map[bench.Contender]int{bench.Ours: 2*len(linePagesAtOnce) + 1, bench.Peer: 4}[who]; len(s) != want {
			t.Errorf("%s made %d walks, want %d", who, len(s), want)
		}
		for m, took := range s {
			if least := 5e-3 * (2 + 3); took < least {
				t.Errorf("%s: %s took %v s", who, m, took)
			}
		}
		if one := s[walkOver(overHTTP1, 1)]; one < 5e-3*(2+linePages) {
			t.Errorf("%s read %d pages, one by one, within %v s", who, linePages, one)
		}
	}
}

func TestStart(t *testing.T) {
	const trace = "init internal/godebug @0.24 ms, 0.0090 ms clock, 312 bytes, 7 allocs\n" +
		"init example.com/serviceapi/internal/redact @19 ms, 0 ms clock, 192 bytes, 2 allocs\n" +
		"init example.com/serviceapitoo @19 ms, 7 ms clock, 192 bytes, 90 allocs\n" +
		"init example.com/serviceapi @21 ms, 0.021 ms clock, 1792 bytes, 23 allocs\n2026/11/24 no user\n"
	spent, allocs, err := initOf(trace, "example.com/serviceapi")
	if err != nil || spent != 21*time.Microsecond || allocs != 25 {
		t.Errorf("%v, %v allocations, error %v", spent, allocs, err)
	}
	if _, _, err := initOf(trace, "example.com/other"); err == nil {
		t.Error("a module that was not traced has a start")
	}
}
