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
	for size, kept := range map[int]bool{100: true, MaxKept: true, MaxKept + 1: false} {
		data := bytes.NewBuffer(make([]byte, 1, size))
		b := Body{pool: NewPool(), data: data}
		b.Release()
		assert.Equal(t, kept, data.Len() == 0, "one of %d bytes", size)
		assert.Nil(t, b.data)
	}
}

// TestBodiesAreReleasedOnce checks that a buffer is returned to the pool once, and
// that a released body is empty.
func TestBodiesAreReleasedOnce(t *testing.T) {
	p := NewPool()
	var b Body
	text := strings.Repeat("0123456789abcdef", PieceSize/8)
	assert.NoError(t, b.Read(p, strings.NewReader(text), -1, PieceSize*4))
	assert.True(t, b.IsLong())
	assert.True(t, text == string(b.Bytes()))
	b.Release()
	assert.False(t, b.IsLong())
	assert.Nil(t, b.Head())
	assert.Empty(t, b.Bytes())
	assert.NotPanics(t, b.Release)
	assert.EqualValues(t, 1<<20, PieceSize)
}
