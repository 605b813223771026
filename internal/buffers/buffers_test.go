package buffers

import (
	"bytes"
	"strings"
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

// TestBodiesAreReleasedOnce checks that a buffer is returned to the pool once, and
// that a released body is empty.
func TestBodiesAreReleasedOnce(t *testing.T) {
	var p Pool
	var b Body
	text := strings.Repeat("0123456789abcdef", PieceSize/8)
	truncated, err := b.Read(&p, strings.NewReader(text), -1, PieceSize*4)
	assert.NoError(t, err)
	assert.False(t, truncated)
	assert.True(t, b.IsLong())
	assert.True(t, text == string(b.Bytes()))
	b.Release()
	assert.False(t, b.IsLong())
	assert.Nil(t, b.Head())
	assert.Empty(t, b.Bytes())
	assert.NotPanics(t, b.Release)
	assert.EqualValues(t, 1<<20, PieceSize)
}
