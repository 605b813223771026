package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	"example.com/serviceapi/bench/line"
)

const (
	linePages     = 20
	lineRoundTrip = 80 * time.Millisecond
	lineLoss      = 0.01
)

// linePagesAtOnce are the numbers of pages in progress that are compared. With one, the
// library is still one page ahead.
var linePagesAtOnce = []int{1, 2, 4, 8, 16}

const overHTTP1, overHTTP2 = "HTTP/1.1", "HTTP/2"

// walkOver is the time of a walk over a protocol with this many pages in progress.
func walkOver(protocol string, pages int) metric {
	if pages == 1 {
		return metric(fmt.Sprintf("time over %s, one page ahead", protocol))
	}
	return metric(fmt.Sprintf("time over %s, %d pages at once", protocol, pages))
}

// unzippedWalk is a walk whose pages are not compressed.
const unzippedWalk metric = "time over HTTP/1.1, 8 pages at once, not compressed"

// lines measures walks over a long line, as it is between continents, that loses
// segments or does not.
func (l *lab) lines() []experiment {
	describe := func(loss string) string {
		return fmt.Sprintf("%d pages of %d over a link of %v %s", linePages, perPage, lineRoundTrip, loss)
	}
	var goals []goal
	for _, n := range linePagesAtOnce {
		first, second := walkOver(overHTTP1, n), walkOver(overHTTP2, n)
		switch n {
		case 1: // as client-go walks, too
			goals = append(goals, beside(first, bench.Peer), beside(second, bench.Peer))
		case concurrentPages: // as it can be made to walk
			goals = append(goals, beside(first, bench.Peer), against(first, second), beside(second, bench.Peer))
		default:
			goals = append(goals, shown(first), shown(second))
		}
	}
	clean := &lineWalks{lab: l, line: line.Line{RoundTrip: lineRoundTrip}}
	lossy := &lineWalks{lab: l, line: line.Line{RoundTrip: lineRoundTrip, Loss: lineLoss}}
	return []experiment{
		{name: describe("without loss"), rounds: l.rounds(3, 1), ways: clean.ways(), goals: goals, close: clean.close},
		{
			name: describe(fmt.Sprintf("with %.0f%% loss", 100*lineLoss)), rounds: l.rounds(9, 1), ways: lossy.ways(),
			goals: append(slices.Clip(goals), against(unzippedWalk, walkOver(overHTTP1, concurrentPages))),
			close: lossy.close,
		},
	}
}

// lineWalks are walks over a link, of which each round has new ones: what is lost is
// different in each round, and the same for all contenders.
type lineWalks struct {
	lab     *lab
	line    line.Line
	rounds  map[bench.Contender]uint64
	proxies []*line.Proxy
}

// ways returns the work of the contenders. Of a round of one of them, all walks are made
// at the same time, each over a link of its own: they wait, and hardly compute.
func (w *lineWalks) ways() map[bench.Contender]way {
	w.rounds = map[bench.Contender]uint64{}
	ours := map[metric]func(context.Context, walk) error{}
	for _, protocol := range []string{overHTTP1, overHTTP2} {
		for _, n := range linePagesAtOnce {
			ours[walkOver(protocol, n)] = func(ctx context.Context, over walk) error {
				return over.consume(over.ours(ctx, serviceapi.WithConcurrentPages(n)), func() {})
			}
		}
	}
	ours[unzippedWalk] = func(ctx context.Context, over walk) error {
		over.project %= zippedProjects
		return over.consume(over.ours(ctx, serviceapi.WithConcurrentPages(concurrentPages)), func() {})
	}
	peer := map[metric]func(context.Context, walk) error{}
	for _, protocol := range []string{overHTTP1, overHTTP2} {
		peer[walkOver(protocol, 1)] = func(ctx context.Context, over walk) error {
			return over.consume(over.peer(ctx), func() {})
		}
		peer[walkOver(protocol, concurrentPages)] = func(ctx context.Context, over walk) error {
			return over.peerWindow(ctx)
		}
	}
	return map[bench.Contender]way{
		bench.Ours: w.atTheSameTime(bench.Ours, ours),
		bench.Peer: w.atTheSameTime(bench.Peer, peer),
	}
}

func (w *lineWalks) atTheSameTime(who bench.Contender, walks map[metric]func(context.Context, walk) error) way {
	return func(ctx context.Context) (sample, error) {
		w.rounds[who]++
		over := w.line
		over.Seed = w.rounds[who]
		var mu sync.Mutex
		s := sample{}
		errs := make(chan error, len(walks))
		for _, m := range slices.Sorted(maps.Keys(walks)) {
			path, err := w.path(over, m)
			if err != nil {
				return nil, err
			}
			go func() {
				start := time.Now()
				err := walks[m](ctx, path)
				mu.Lock()
				defer mu.Unlock()
				s[m] = time.Since(start).Seconds()
				errs <- err
			}()
		}
		err := joined(errs, len(walks))
		return s, errors.Join(err, w.close())
	}
}

// path is the way to the service over a link of its own.
func (w *lineWalks) path(over line.Line, m metric) (walk, error) {
	client := onlyHTTP1
	if strings.Contains(string(m), overHTTP2) {
		client = bench.Trusting
	}
	proxy, err := over.Start(strings.TrimPrefix(w.lab.http2, "https://"))
	if err != nil {
		return walk{}, err
	}
	w.proxies = append(w.proxies, proxy)
	return walk{
		base: "https://" + proxy.Addr(), project: zippedProjects + listProject(linePages, 0), pages: linePages,
		client: client,
	}, nil
}

// onlyHTTP1 returns a client that does without HTTP/2, as docs/pagination.md says.
func onlyHTTP1() *http.Client {
	client := bench.Trusting()
	transport := client.Transport.(*http.Transport)
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP1(true)
	return client
}

func (w *lineWalks) close() error {
	var errs []error
	for _, p := range w.proxies {
		errs = append(errs, p.Close())
	}
	w.proxies = nil
	return errors.Join(errs...)
}
