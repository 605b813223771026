// Package loglines splits a log that is read in parts, and may change while it is
// read, into lines.
package loglines

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
)

// Reader splits a log that is read in parts into lines, and remembers which
// lines it has yielded.
type Reader struct {
	yield func(line string) bool
	seed  maphash.Seed

	// pos is the number of bytes that were read, and tail the last of them.
	pos  int64
	tail []byte
	// overlap is what the log must continue with if it has not changed.
	overlap []byte
	// line is the beginning of the current line. If split, some of it was already
	// yielded, because it is very long.
	line  []byte
	split bool
	// yielded are the lines that were yielded. While the log is read again, number is
	// the number of lines that were read, and current the hash of those of them that
	// do not fill a group.
	yielded lineHashes
	number  int
	current uint64
	// rewritten is set if the log changed where it was already yielded.
	rewritten bool
}

const (
	// Overlap is how much of the known log is read again with what is new.
	Overlap = 256
	// maxLine is the maximum length of a line.
	maxLine = 1 << 20
)

var (
	// ErrChanged means that a part does not continue the log that is known. The log
	// has to be read again from its beginning.
	ErrChanged = errors.New("the log has changed")
	// ErrStopped means that yield returned false.
	ErrStopped = errors.New("the consumer stopped")
)

// New returns a Reader that passes each line to yield, without its line ending.
func New(yield func(line string) bool) *Reader {
	return &Reader{yield: yield, seed: maphash.MakeSeed(), yielded: newHashes(maxGroups)}
}

// Len is the number of bytes of the log that are known.
func (l *Reader) Len() int64 { return l.pos }

// Resume is where to read on: a little before the known end, to see whether the
// log is still the same.
func (l *Reader) Resume() int64 { return l.pos - int64(len(l.tail)) }

// Rewind starts to read the log from its beginning again.
func (l *Reader) Rewind() {
	l.pos, l.tail, l.overlap = 0, nil, nil
	l.line, l.split, l.number, l.current = nil, false, 0, 0
}

// Continue continues to read the log from a point that is not after its known end.
func (l *Reader) Continue(from int64) {
	if from == 0 {
		l.Rewind()
	}
	l.overlap = bytes.Clone(l.tail)
}

// Read reads the rest of a response with a part of the log.
func (l *Reader) Read(r io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		if err := l.add(buffer[:n]); err != nil {
			return err
		}
		switch {
		case err == io.EOF && len(l.overlap) > 0:
			return ErrChanged
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// add adds the next bytes.
func (l *Reader) add(p []byte) error {
	known := min(len(l.overlap), len(p))
	if !bytes.Equal(l.overlap[:known], p[:known]) {
		return ErrChanged
	}
	l.overlap, p = l.overlap[known:], p[known:]
	l.note(p)
	for len(p) > 0 {
		piece := p[:min(len(p), maxLine-len(l.line))]
		end := bytes.IndexByte(piece, '\n')
		if end >= 0 {
			piece = piece[:end+1]
		}
		p = p[len(piece):]
		l.line = append(l.line, piece...)
		if end < 0 && len(l.line) < maxLine {
			continue
		}
		if err := l.endLine(); err != nil {
			return err
		}
	}
	return nil
}

// note updates the known end of the log.
func (l *Reader) note(p []byte) {
	l.pos += int64(len(p))
	l.tail = append(l.tail, p[max(0, len(p)-Overlap):]...)
	l.tail = l.tail[max(0, len(l.tail)-Overlap):]
}

// endLine yields the current line, unless it was yielded before.
func (l *Reader) endLine() error {
	line, ended := bytes.CutSuffix(l.line, []byte("\n"))
	if ended {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	rest := l.split && len(line) == 0
	l.split, l.line = !ended, l.line[:0]
	if rest {
		return nil // the line was as long as its pieces
	}
	return l.emit(line)
}

// emit yields a line that was not yielded before. A line that was is compared.
func (l *Reader) emit(line []byte) error {
	hash := maphash.Bytes(l.seed, line)
	l.number++
	if l.number <= l.yielded.len() {
		l.current = l.current*multiplier + hash
		want, isEnd, full := l.yielded.at(l.number)
		switch {
		case !isEnd:
			return nil
		case l.current == want:
			if full {
				l.current = 0
			}
			return nil
		}
		l.current, l.rewritten = 0, true
		if !l.yielded.cutBefore(l.number) {
			return ErrChanged // the lines before this one in its group are needed again
		}
	}
	l.yielded.add(hash)
	if !l.yield(string(line)) {
		return ErrStopped
	}
	return nil
}

// Settle forgets lines that were yielded and are no longer in the log. It returns
// false if the log has to be read again, because it is not known which of its last
// lines were yielded.
func (l *Reader) Settle() bool {
	if l.number >= l.yielded.len() {
		return true
	}
	l.rewritten = true
	return l.yielded.cutBefore(l.number + 1)
}

// End yields the last line if it has no line ending, and reports whether lines
// that were yielded have changed or are gone.
func (l *Reader) End() (rewritten bool, err error) {
	if len(l.line) > 0 {
		err = l.emit(bytes.TrimSuffix(l.line, []byte("\r")))
	}
	return l.rewritten, err
}
