package main

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// pageWork is what a consumer does with a page.
const pageWork = 15 * time.Millisecond

// concurrentPages is the number of pages that are fetched concurrently, if
// several are.
const concurrentPages = 8

// pages measures walks of a long list of a slow service.
func (l *lab) pages() []experiment {
	pages := l.rounds(pageCount, 20)
	name := func(detail string) string {
		return fmt.Sprintf("%d pages of %d, %v latency, %s", pages, perPage, pageLatency, detail)
	}
	w := walk{base: l.base, project: listProject(pages, pageLatency), pages: pages}
	idle := func() {}
	busy := func() { time.Sleep(pageWork) }
	return []experiment{
		{
			name: name("as it comes"), short: "100 pages, 20 ms latency",
			rounds: l.rounds(5, 2), ways: w.oneByOne(idle),
			goals: []goal{ratio(seconds, bench.Peer, 0.72)},
		},
		{
			name: name(fmt.Sprintf("%v of work for each", pageWork)), short: "100 pages, 15 ms of work for each",
			rounds: l.rounds(5, 2), ways: w.oneByOne(busy),
			goals: []goal{ratio(seconds, bench.Peer, 0.45)},
		},
		{
			name:   name(fmt.Sprintf("%d at once in order (others: a window by hand)", concurrentPages)),
			short:  "100 pages, 8 at once",
			rounds: l.rounds(9, 3), ways: w.sideBySide(),
			goals: []goal{ratio(seconds, bench.Bare, 1.4), beside(seconds, bench.Peer)},
		},
	}
}

// walk is a walk of all merge requests of a project, with this many pages.
type walk struct {
	base           string
	project, pages int
	// client is what the clients use, nil for their own.
	client func() *http.Client
}

func (w walk) httpClient() *http.Client {
	if w.client == nil {
		return nil
	}
	return w.client()
}

// oneByOne fetches page after page, and calls work at the end of each.
func (w walk) oneByOne(work func()) map[bench.Contender]way {
	return map[bench.Contender]way{
		bench.Ours: timed(func(ctx context.Context) error {
			return w.consume(w.ours(ctx), work)
		}),
		bench.Peer: timed(func(ctx context.Context) error {
			return w.consume(w.peer(ctx), work)
		}),
		bench.Decoding: timed(func(ctx context.Context) error {
			return w.plainly(ctx, bench.NewPlain(w.base, nil), work,
				bench.PlainMergeRequests)
		}),
		bench.Bare: timed(func(ctx context.Context) error {
			return w.plainly(ctx, bench.NewPlain(w.base, nil), work, func() any { return nil })
		}),
	}
}

// timed measures how long something takes.
func timed(do bench.Way) way {
	return func(ctx context.Context) (sample, error) {
		start := time.Now()
		err := do(ctx)
		return sample{seconds: time.Since(start).Seconds()}, err
	}
}

// consume counts the items, works at the end of each page, and checks that no
// item is missing. The IDs repeat when the pages of the service repeat.
func (w walk) consume(items iter.Seq2[int64, error], work func()) error {
	n := 0
	for id, err := range items {
		n++
		switch {
		case err != nil:
			return err
		case id != int64((n-1)%(pageCount*perPage)+1):
			return fmt.Errorf("item %d is %d", n, id)
		case n%perPage == 0:
			work()
		}
	}
	if n != w.pages*perPage {
		return fmt.Errorf("%d items came", n)
	}
	return nil
}

func (w walk) ours(ctx context.Context, opts ...serviceapi.RequestOption) iter.Seq2[int64, error] {
	client := bench.NewOurs(w.base, w.httpClient())
	all := client.MergeRequests.All(ctx, serviceapi.ProjectID(int64(w.project)), nil, opts...)
	return func(yield func(int64, error) bool) {
		for item, err := range all {
			if err != nil || !yield(item.ID, nil) {
				yieldError(yield, err)
				return
			}
		}
	}
}

func (w walk) peer(ctx context.Context) iter.Seq2[int64, error] {
	client := bench.NewPeer(w.base, w.httpClient())
	type items = []*clientgo.BasicMergeRequest
	all := clientgo.Scan2(func(page clientgo.PaginationOptionFunc) (items, *clientgo.Response, error) {
		options := &clientgo.ListProjectMergeRequestsOptions{ListOptions: clientgo.ListOptions{PerPage: perPage}}
		return client.MergeRequests.ListProjectMergeRequests(w.project, options, page, clientgo.WithContext(ctx))
	})
	return func(yield func(int64, error) bool) {
		for item, err := range all {
			if err != nil || !yield(item.ID, nil) {
				yieldError(yield, err)
				return
			}
		}
	}
}

func yieldError(yield func(int64, error) bool, err error) {
	if err != nil {
		yield(0, err)
	}
}

// plainly walks with only net/http.
func (w walk) plainly(ctx context.Context, client bench.Plain, work func(), out func() any) error {
	for page := range w.pages {
		if err := client.Call(ctx, http.MethodGet, w.path(page), nil, out()); err != nil {
			return err
		}
		work()
	}
	return nil
}

func (w walk) path(page int) string {
	return fmt.Sprintf("/projects/%d/merge_requests?per_page=%d&page=%d", w.project, perPage, page+1)
}

// sideBySide fetches several pages concurrently, and consumes them in order.
// The other contenders have a handwritten window.
func (w walk) sideBySide() map[bench.Contender]way {
	return map[bench.Contender]way{
		bench.Ours: timed(func(ctx context.Context) error {
			return w.consume(w.ours(ctx, serviceapi.WithConcurrentPages(concurrentPages)), func() {})
		}),
		bench.Peer: timed(w.peerWindow),
		bench.Decoding: timed(func(ctx context.Context) error {
			client := bench.NewPlain(w.base, nil)
			return w.window(concurrentPages, func(page int) error {
				return client.Call(ctx, http.MethodGet, w.path(page), nil, bench.PlainMergeRequests())
			})
		}),
		bench.Bare: timed(func(ctx context.Context) error {
			client := bench.NewPlain(w.base, nil)
			return w.window(concurrentPages, func(page int) error {
				return client.Call(ctx, http.MethodGet, w.path(page), nil, nil)
			})
		}),
	}
}

// peerWindow walks with several pages in progress, which client-go leaves to the program.
func (w walk) peerWindow(ctx context.Context) error {
	client := bench.NewPeer(w.base, w.httpClient())
	return w.window(concurrentPages, func(page int) error {
		options := &clientgo.ListProjectMergeRequestsOptions{
			ListOptions: clientgo.ListOptions{PerPage: perPage, Page: int64(page + 1)},
		}
		_, _, err := client.MergeRequests.ListProjectMergeRequests(w.project, options, clientgo.WithContext(ctx))
		return err
	})
}

// window is what a program would write: this many pages are fetched
// concurrently, and waited for in order.
func (w walk) window(size int, fetch func(page int) error) error {
	var window []chan error
	for page := range w.pages {
		if len(window) == size {
			if err := <-window[0]; err != nil {
				return err
			}
			window = window[1:]
		}
		done := make(chan error, 1)
		window = append(window, done)
		go func() { done <- fetch(page) }()
	}
	for _, done := range window {
		if err := <-done; err != nil {
			return err
		}
	}
	return nil
}
