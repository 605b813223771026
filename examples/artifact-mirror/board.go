package main

import (
	"fmt"
	"io"
	"sync"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

// A board shows the progress of all downloads together on one line.
type board struct {
	mu   sync.Mutex
	line *demo.Line

	archives, saves, olds, losses, failures int
	done, total                             int64 // bytes
}

func newBoard(notes io.Writer, archives []archive) *board {
	b := &board{line: demo.NewLine(notes), archives: len(archives)}
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

// change records a change, and shows it.
func (b *board) change(note func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	note()
	b.line.Show("%s", b)
}

func (b *board) String() string {
	fraction := 1.0
	if b.total > 0 {
		fraction = float64(b.done) / float64(b.total)
	}
	return fmt.Sprintf("%3.0f%%  %d of %d archives, %s of %s",
		100*fraction, b.saves+b.olds+b.losses, b.archives, demo.Bytes(b.done), demo.Bytes(b.total))
}

// finish shows the end.
func (b *board) finish(out io.Writer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.line.End("%s", b)
	fmt.Fprintf(out, "%d archives: %d saved, %d were here already, %d have expired, %d failed.\n",
		b.archives, b.saves, b.olds, b.losses, b.failures)
}
