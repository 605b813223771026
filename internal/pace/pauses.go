package pace

import (
	"sync"
	"sync/atomic"
	"time"
)

// Call identifies the calls that a refusal may apply to. Without a Path it is an
// endpoint, and without an Operation everything that a credential does.
type Call struct {
	Credential, Sudo, Method, Operation, Path string
}

// scopes returns what a refusal of the call may apply to, the narrowest first.
func (c Call) scopes() [3]Call {
	endpoint := c
	endpoint.Path = ""
	return [3]Call{c, endpoint, {Credential: c.Credential, Sudo: c.Sudo}}
}

// Pauses keep calls from being refused one after the other. A refusal that asks to
// wait applies to calls of the same URL. The service does not say what its limit
// counts, so that is learned: if several URLs of an endpoint are refused in a row,
// all of the endpoint have to wait, and if several endpoints are, all calls of the
// credential. The zero Pauses have none.
type Pauses struct {
	count atomic.Int64 // of entries, so that a look costs nothing while there are none
	mu    sync.Mutex
	until map[Call]time.Time
	rows  map[Call]row
}

// row is a number of scopes that were refused one after the other within a wider
// one, with no success in between.
type row struct {
	last   Call
	limit  string
	length int
	until  time.Time
}

// The number of refusals in a row from which a pause applies to the wider scope. If
// the service names the limit, a second one leaves little doubt.
const (
	wideningRow      = 3
	wideningNamedRow = 2
)

// None reports whether there are no pauses.
func (p *Pauses) None() bool { return p.count.Load() == 0 }

// Len is the number of pauses that are known, including some that are over.
func (p *Pauses) Len() int { return int(p.count.Load()) }

// Left returns how long a call has to wait.
func (p *Pauses) Left(c Call) (left time.Duration) {
	if p.None() {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.forget(now)
	for _, scope := range c.scopes() {
		left = max(left, p.until[scope].Sub(now))
	}
	return left
}

// Add makes calls wait after one was refused, unless they have to wait longer
// already. The limit is its name, "" if the service does not say.
func (p *Pauses) Add(c Call, limit string, wait time.Duration) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(now)
	if p.until == nil {
		p.until, p.rows = make(map[Call]time.Time), make(map[Call]row)
	}
	until := now.Add(wait)
	scopes := c.scopes()
	for i, scope := range scopes {
		if until.After(p.until[scope]) {
			p.until[scope] = until
		}
		if i+1 == len(scopes) || !p.refused(scopes[i+1], row{scope, limit, 1, until}) {
			break
		}
	}
	p.count.Store(int64(len(p.until)))
}

// refused notes a refusal within a scope, and reports whether it applies to all of
// it.
func (p *Pauses) refused(wider Call, r row) bool {
	if before, ok := p.rows[wider]; ok && before.limit == r.limit {
		r.length = before.length
		if before.last != r.last {
			r.length++
		}
	}
	p.rows[wider] = r
	return r.length >= wideningRow || r.limit != "" && r.length >= wideningNamedRow
}

// Succeeded notes that a call was not refused, so that the limits of others like it
// are their own.
func (p *Pauses) Succeeded(c Call) {
	if p.None() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, scope := range c.scopes() {
		delete(p.rows, scope)
	}
}

// forget removes what is over.
func (p *Pauses) forget(now time.Time) {
	for scope, until := range p.until {
		if !until.After(now) {
			delete(p.until, scope)
		}
	}
	for scope, r := range p.rows {
		if !r.until.After(now) {
			delete(p.rows, scope)
		}
	}
	p.count.Store(int64(len(p.until)))
}
