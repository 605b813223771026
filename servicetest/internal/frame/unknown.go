package frame

import (
	"strings"
	"sync"
)

const maxUnknown = 20 // requests that are listed

// An Unknown lists the first requests that no route matched.
type Unknown struct {
	mu    sync.Mutex
	lines []string
}

// Add adds a request, unless the list is full.
func (u *Unknown) Add(method, path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.lines) < maxUnknown {
		u.lines = append(u.lines, method+" "+path)
	}
}

// List returns the requests, one on each line, or "" if there were none.
func (u *Unknown) List() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return strings.Join(u.lines, "\n")
}
