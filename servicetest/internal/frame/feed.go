package frame

import (
	"slices"
	"sync"
)

// maxWaiting is how much a feed keeps for a subscriber that is slow.
const maxWaiting = 1000

// Feeds are told of what happens. Nobody who tells them waits for a subscriber.
type Feeds struct {
	mu    sync.Mutex
	feeds []*Feed
}

// A Feed is what one subscriber has not taken yet: pointers, so that the subscriber
// sees each thing as it is when it takes it, and once if it changes before that.
type Feed struct {
	of   *Feeds
	wake chan struct{}

	// These are guarded by Feeds.mu.
	past    []any // from before the subscription
	waiting []any
	missed  int // before what waits
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

// Push tells all feeds of something.
func (fs *Feeds) Push(what any) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.feeds {
		f.push(what)
	}
}

// push keeps what happened. If too much waits, the oldest is given up.
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
	default: // it will look anyway
	}
}

// Drop gives up something that waits, because the subscriber has it already as it is now.
func (f *Feed) Drop(what any) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	if at := slices.Index(f.waiting, what); at >= 0 {
		f.waiting = slices.Delete(f.waiting, at, at+1)
	}
}

// Remove ends the feed, which is told of nothing more.
func (f *Feed) Remove() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.of.feeds = slices.DeleteFunc(f.of.feeds, func(other *Feed) bool { return other == f })
	f.past, f.waiting = nil, nil
}

// Next waits for the next thing, and returns it with the number of those that were
// missed before it. It reports false when one of the channels is closed.
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

// take returns what comes next, if there is something.
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

// Precede adds something to the past.
func (f *Feed) Precede(what any) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.past = append(f.past, what)
}
