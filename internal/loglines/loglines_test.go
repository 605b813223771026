package loglines

import (
	"errors"
	"fmt"
	"io"
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
