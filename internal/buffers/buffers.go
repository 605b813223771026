// Package buffers reads responses into buffers that are used again.
package buffers

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
	"strconv"
	"sync"

	"example.com/serviceapi/internal/jsonx"
)

// MaxKept is the capacity up to which a buffer is kept for the next response.
const MaxKept = 2 << 20

// Pool lends buffers. Make it with NewPool.
type Pool struct{ sync.Pool }

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{sync.Pool{New: func() any { return new(bytes.Buffer) }}} }

// PieceSize is the length from which a body is kept in pieces: a buffer that grows
// costs several times its size.
const PieceSize = 1 << 20

// Body is the body of a response as it was read. The zero Body is empty.
type Body struct {
	pool *Pool
	// data is the beginning, in a buffer of the pool; more is the rest of a long
	// body.
	data *bytes.Buffer
	more [][]byte
	// cut is set if the body was longer, or broke off.
	cut bool
	// limited reads the body into data.
	limited io.LimitedReader
}

// ErrLong is the error for a body that is longer than its limit.
var ErrLong = errors.New("the body is longer than its limit")

// Read reads up to limit bytes, which is less than the largest number. The length that the
// response announced is -1 if it did not. What was read before an error is kept.
func (b *Body) Read(p *Pool, r io.Reader, announced, limit int64) error {
	b.pool, b.data = p, p.Get().(*bytes.Buffer)
	b.data.Grow(int(min(max(announced, 0), limit, PieceSize)) + bytes.MinRead)
	err := b.read(r, limit)
	b.cut = err != nil
	return err
}

func (b *Body) read(r io.Reader, limit int64) error {
	first := min(limit+1, PieceSize)
	b.limited = io.LimitedReader{R: r, N: first}
	n, err := b.data.ReadFrom(&b.limited)
	switch {
	case n > limit:
		b.data.Truncate(int(limit))
		return ErrLong
	case err != nil || n < first:
		return err
	}
	return b.readMore(r, limit-n)
}

// readMore reads the rest of a long body in pieces.
func (b *Body) readMore(r io.Reader, limit int64) error {
	for {
		piece := make([]byte, min(limit+1, PieceSize))
		n, err := io.ReadFull(r, piece)
		if int64(n) > limit {
			return ErrLong
		}
		b.more, limit = append(b.more, piece[:n]), limit-int64(n)
		switch {
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && isAtEnd(r):
			return nil
		case err != nil:
			return err
		}
	}
}

// isAtEnd distinguishes the end of a body from a body that was cut off, which
// io.ReadFull reports with the same error.
func isAtEnd(r io.Reader) bool {
	var one [1]byte
	_, err := r.Read(one[:])
	return err == io.EOF
}

// Head returns the beginning of the body, or all of it if it is not longer than a
// piece.
func (b *Body) Head() []byte {
	if b.data == nil {
		return nil
	}
	return b.data.Bytes()
}

// IsCut reports whether the body that was read is only the beginning of a longer one.
func (b *Body) IsCut() bool { return b.cut }

// IsLong reports whether the body is longer than its head.
func (b *Body) IsLong() bool { return len(b.more) > 0 }

// ExceedsObjects reports whether the body is JSON with more than so many objects.
func (b *Body) ExceedsObjects(limit int) bool {
	return b.mayHold(limit) && jsonx.ExceedsObjects(limit, b.pieces()...)
}

// ExceedsItems reports whether the body is an array with more than so many items, if these
// are objects.
func (b *Body) ExceedsItems(limit int) bool {
	return b.mayHold(limit) && jsonx.ExceedsItems(limit, b.pieces()...)
}

// mayHold reports whether the body is long enough for so many objects.
func (b *Body) mayHold(objects int) bool { return b.IsLong() || len(b.Head()) >= 2*objects }

func (b *Body) pieces() [][]byte { return append([][]byte{b.Head()}, b.more...) }

// Sum returns a short text that is another one for another body, as far as that can be told.
func (b *Body) Sum() string {
	sum := fnv.New64a()
	for _, piece := range b.pieces() {
		sum.Write(piece)
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

// Reader reads the body from its beginning.
func (b *Body) Reader() io.Reader {
	var readers []io.Reader
	for _, piece := range b.pieces() {
		readers = append(readers, bytes.NewReader(piece))
	}
	return io.MultiReader(readers...)
}

// Bytes returns the body as one slice, which is valid until the body is released.
func (b *Body) Bytes() []byte {
	if !b.IsLong() {
		return b.Head()
	}
	return bytes.Join(b.pieces(), nil)
}

// Release gives the buffer back, unless it is huge. The Body is then empty.
func (b *Body) Release() {
	if b.data == nil {
		return
	}
	if b.data.Cap() <= MaxKept {
		b.data.Reset()
		b.pool.Put(b.data)
	}
	b.data, b.more, b.cut = nil, nil, false
}
