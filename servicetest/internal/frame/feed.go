package frame

import (
	"slices"
	"sync"
)

// maxWaiting is how much a feed keeps for a slow subscriber.
const maxWaiting = 1000

// Feeds pass on what happens. Push never waits for a subscriber.
type Feeds struct {
	mu    sync.Mutex
	feeds []*Feed
}

// A Feed is what one subscriber has not taken yet. It holds pointers, so that a
// subscriber sees each thing in its current state, and only once if it changes before
// that.
type Feed struct {
	of   *Feeds
	wake chan struct{}

	// Guarded by Feeds.mu.
	past    []any // from before the subscription
	waiting []any
	missed  int // number missed before waiting
}

// Add adds a feed that begins with the past.
func (fs *Feeds) Add(past []any) *Feed {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := &Feed{of: fs, wake: make(chan struct{}, 1), past: past}
	fs.feeds = append(fs.feeds, f)
	return f
}

// Len returns the number of feeds.
func (fs *Feeds) Len() int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.feeds)
}

// Push adds something to all feeds.
func (fs *Feeds) Push(what any) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.feeds {
		f.push(what)
	}
}

// push keeps what happened. If too much is waiting, it gives up the oldest.
func (f *Feed) push(what any) {
	if slices.Contains(f.waiting, what) {
		return
	}
	if len(f.waiting) == maxWaiting {
		f.waiting[0] = nil // so that it can be freed
		f.waiting = f.waiting[1:]
		f.missed++
	}
	f.waiting = append(f.waiting, what)
	select {
	case f.wake <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// Drop removes something that waits, because the subscriber already has its current
// state.
func (f *Feed) Drop(what any) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	if at := slices.Index(f.waiting, what); at >= 0 {
		f.waiting = slices.Delete(f.waiting, at, at+1)
	}
}

// Remove ends the feed. It gets nothing more.
func (f *Feed) Remove() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.of.feeds = slices.DeleteFunc(f.of.feeds, func(other *Feed) bool { return other == f })
	f.past, f.waiting = nil, nil
}

// Next waits for the next thing. It returns the thing and how many were missed before
// it. It reports false when one of the channels is closed.
func (f *Feed) Next(done, closed <-chan struct{}) (what any, missed int, ok bool) {
	for {
		select {
		case <-done:
			return nil, 0, false
		default:
		}
		if what, missed, ok = f.take(); ok {
			return what, missed, true
		}
		select {
		case <-f.wake:
		case <-done:
			return nil, 0, false
		case <-closed:
			return nil, 0, false
		}
	}
}

// take returns the next thing, if there is one.
func (f *Feed) take() (what any, missed int, ok bool) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	if len(f.past) > 0 {
		what, f.past = f.past[0], f.past[1:]
		return what, 0, true
	}
	if len(f.waiting) == 0 {
		return nil, 0, false
	}
	what, missed = f.waiting[0], f.missed
	f.waiting[0] = nil
	f.waiting, f.missed = f.waiting[1:], 0
	return what, missed, true
}

// Precede adds something to the past of the feed.
func (f *Feed) Precede(what any) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.past = append(f.past, what)
}
