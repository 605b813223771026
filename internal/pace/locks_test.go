package pace

import (
	"sync"
	"testing"
	"time"
)

// TestPausesAreShared uses the pauses of a client from many goroutines, with nothing else that
// keeps these apart. Without one of the locks, the race detector finds two of them, or the
// runtime two uses of a map.
func TestPausesAreShared(t *testing.T) {
	var p Pauses
	p.Add(job(0), "", time.Hour)
	for name, use := range map[string]func(int){
		"Left":      func(n int) { p.Left(job(n)) },
		"Add":       func(n int) { p.Add(job(n), "", time.Duration(n%3)) },
		"Succeeded": func(n int) { p.Succeeded(job(n), time.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for n := range 200 {
						use(n)
						p.Left(job(n))
						p.Add(job(n), "", time.Duration(n%2))
					}
				})
			}
			all.Wait()
		})
	}
}
