// Package buffers lends the buffers that responses are read into.
package buffers

import (
	"bytes"
	"sync"
)

// MaxKept is the capacity up to which a buffer is kept for the next response.
const MaxKept = 2 << 20

// Pool lends buffers. The zero Pool is empty.
type Pool struct{ pool sync.Pool }

// Get returns an empty buffer.
func (p *Pool) Get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

// Put takes a buffer back, unless it is huge. It must not be used any more.
func (p *Pool) Put(b *bytes.Buffer) {
	if b.Cap() <= MaxKept {
		b.Reset()
		p.pool.Put(b)
	}
}
