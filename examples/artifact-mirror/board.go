package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/serviceapi"
)

// A board shows the progress of all downloads together on one line.
type board struct {
	mu    sync.Mutex
	notes io.Writer
	shown time.Time

	archives, saves, olds, losses, failures int
	done, total                             int64 // bytes
}

func newBoard(notes io.Writer, archives []archive) *board {
	b := &board{notes: notes, archives: len(archives)}
	for _, a := range archives {
		b.total += a.size
	}
	return b
}

// progress returns the function to which one download reports its progress.
func (b *board) progress() func(serviceapi.Progress) {
	var before int64
	return func(p serviceapi.Progress) {
		b.change(func() { b.done += p.Done - before })
		before = p.Done
	}
}

func (b *board) saved()         { b.change(func() { b.saves++ }) }
func (b *board) failed()        { b.change(func() { b.failures++ }) }
func (b *board) had(a archive)  { b.change(func() { b.olds++; b.done += a.size }) }
func (b *board) gone(a archive) { b.change(func() { b.losses++; b.total -= a.size }) }

// change records a change, and shows it unless it has just shown one.
func (b *board) change(note func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	note()
	if time.Since(b.shown) > 100*time.Millisecond {
		b.show()
	}
}

func (b *board) show() {
	b.shown = time.Now()
	fraction := 1.0
	if b.total > 0 {
		fraction = float64(b.done) / float64(b.total)
	}
	fmt.Fprintf(b.notes, "\r%3.0f%%  %d of %d archives, %.1f of %.1f MB ",
		100*fraction, b.saves+b.olds+b.losses, b.archives, float64(b.done)/1e6, float64(b.total)/1e6)
}

// finish shows the end.
func (b *board) finish(out io.Writer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.show()
	fmt.Fprintln(b.notes)
	fmt.Fprintf(out, "%d archives: %d saved, %d were here already, %d have expired, %d failed.\n",
		b.archives, b.saves, b.olds, b.losses, b.failures)
}
