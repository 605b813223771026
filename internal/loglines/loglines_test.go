package loglines

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDisk = errors.New("disk full")

// TestLines checks lines of every form.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for name, tc := range map[string]struct {
		log  string
		want []string
	}{
		"endings":         {"one\r\ntwo\n\nthree\r\n", []string{"one", "two", "", "three"}},
		"carriage return": {"section\r\x1b[0Kone\n", []string{"section\r\x1b[0Kone"}},
		"empty lines":     {"\n\n", []string{"", ""}},
		"no ending":       {"one\ntwo\r", []string{"one", "two"}},
		"long":            {long + "yz\nend\n", []string{long, "yz", "end"}},
		"as long":         {long + "\nend\n", []string{long, "end"}},
		"longer":          {long + long + "\n\nend\n", []string{long, long, "", "end"}},
		"long, no ending": {long, []string{long}},
		"bytes":           {"\xff\x00\n", []string{"\xff\x00"}},
		"one byte":        {"x", []string{"x"}},
		"one byte more":   {long + "\nx", []string{long, "x"}},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			if len(tc.log) > maxLine && size == 1 {
				continue
			}
			var got []string
			l := New(func(line string) bool { got = append(got, line); return true })
			for rest := tc.log; rest != ""; rest = rest[min(size, len(rest)):] {
				require.NoError(t, l.add([]byte(rest[:min(size, len(rest))])))
			}
			rewritten, err := l.End()
			require.NoError(t, err)
			assert.False(t, rewritten)
			assert.True(t, fmt.Sprint(tc.want) == fmt.Sprint(got), "%s in pieces of %d: %d lines", name, size, len(got))
			assert.Len(t, got, len(tc.want), name)
		}
	}
}

// TestOverlapComesInPieces: what is known is compared as it comes, and its end
// says whether the log is the same one.
func TestOverlapComesInPieces(t *testing.T) {
	for _, tc := range []struct {
		rest io.Reader
		want error
		got  []string
	}{
		{strings.NewReader("two\nthree\n"), nil, []string{"one", "two", "three"}},
		{strings.NewReader("two\n"), nil, []string{"one", "two"}},
		{strings.NewReader("two"), ErrChanged, []string{"one", "two"}},
		{strings.NewReader("tw"), ErrChanged, []string{"one", "two"}},
		{strings.NewReader("tWo\n"), ErrChanged, []string{"one", "two"}},
		{io.MultiReader(strings.NewReader("tw"), iotest.ErrReader(errDisk)), errDisk, []string{"one", "two"}},
	} {
		var got []string
		l := New(func(line string) bool { got = append(got, line); return true })
		require.NoError(t, l.add([]byte("one\ntwo\n")))
		l.tail = []byte("two\n")
		l.Continue(4)
		assert.Equal(t, tc.want, l.Read(iotest.OneByteReader(tc.rest)))
		assert.Equal(t, tc.got, got)
	}
}

// TestChangedLogs compares what is yielded of logs that grow and change with the
// logs: all lines from the first change on, and a few before it at most.
func TestChangedLogs(t *testing.T) {
	for _, limit := range []int{2, 4, 16, maxGroups} {
		random := rand.New(rand.NewPCG(1, uint64(limit)))
		for range 300 {
			var got []string
			l := New(func(line string) bool { got = append(got, line); return true })
			l.yielded = newHashes(limit)
			var log []string
			changed := false
			for range 8 {
				old := slices.Clone(log)
				switch random.IntN(3) {
				case 0: // shorter
					log = log[:random.IntN(len(log)+1)]
				case 1: // different
					if len(log) > 0 {
						log[random.IntN(len(log))] = fmt.Sprint("changed ", random.IntN(1000))
					}
				}
				for range random.IntN(40) {
					log = append(log, fmt.Sprint("line ", random.IntN(4)))
				}
				common := 0
				for common < min(len(log), len(old)) && log[common] == old[common] {
					common++
				}
				changed = changed || common < len(old)
				got = nil
				readAll(t, l, log)
				begin := len(log) - len(got)
				require.GreaterOrEqual(t, begin, 0)
				require.True(t, slices.Equal(log[begin:], got))
				require.LessOrEqual(t, begin, common, "no line is lost")
				if limit == maxGroups || common == len(old) {
					require.Equal(t, common, begin, "no line is repeated")
				}
				require.LessOrEqual(t, len(l.yielded.groups), limit)
			}
			rewritten, err := l.End()
			require.NoError(t, err)
			require.Equal(t, changed, rewritten)
		}
	}
}

// readAll reads a log from its beginning, as often as it takes.
func readAll(t *testing.T, l *Reader, log []string) {
	t.Helper()
	text := ""
	if len(log) > 0 {
		text = strings.Join(log, "\n") + "\n"
	}
	for attempt := 1; ; attempt++ {
		require.LessOrEqual(t, attempt, 3)
		l.Rewind()
		err := l.Read(strings.NewReader(text))
		if err == ErrChanged {
			continue
		}
		require.NoError(t, err)
		if l.Settle() {
			return
		}
	}
}

// TestHashesOfAnEndlessLog checks that their number is limited.
func TestHashesOfAnEndlessLog(t *testing.T) {
	h := newHashes(maxGroups)
	for i := range uint64(5 * maxGroups) {
		h.add(i)
	}
	assert.Equal(t, 5*maxGroups, h.len())
	assert.LessOrEqual(t, cap(h.groups), 2*maxGroups)
	assert.Less(t, len(h.groups), maxGroups)
}
