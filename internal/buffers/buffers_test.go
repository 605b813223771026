package buffers

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBuffersAreKept checks that buffers come back empty, and that huge ones are
// left to the garbage collector.
func TestBuffersAreKept(t *testing.T) {
	var p Pool
	assert.Zero(t, p.Get().Len())
	for size, kept := range map[int]bool{100: true, MaxKept: true, MaxKept + 1: false} {
		b := bytes.NewBuffer(make([]byte, 1, size))
		p.Put(b)
		assert.Equal(t, kept, b.Len() == 0, "one of %d bytes", size)
	}
	assert.Zero(t, p.Get().Len())
}
