package servicetest

import (
	"strings"
	"sync"
)

const maxUnknown = 20 // requests that are listed

// An unknownRoutes is a list of the first requests that no route matched.
type unknownRoutes struct {
	mu    sync.Mutex
	lines []string
}

func (u *unknownRoutes) add(method, path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.lines) < maxUnknown {
		u.lines = append(u.lines, method+" "+path)
	}
}

// list returns the requests, one on each line, or "" if there were none.
func (u *unknownRoutes) list() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return strings.Join(u.lines, "\n")
}
