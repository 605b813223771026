package main

import "io"

// content is a file of any length that takes no memory.
func content(size int64) *io.SectionReader { return io.NewSectionReader(pattern{}, 0, size) }

// block is what every file consists of.
var block = func() []byte {
	b := make([]byte, 64<<10)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}()

// pattern repeats the block without end.
type pattern struct{}

func (pattern) ReadAt(p []byte, offset int64) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], block[(offset+int64(n))%int64(len(block)):])
	}
	return len(p), nil
}
