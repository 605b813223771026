package demo

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLine(t *testing.T) {
	for terminal, want := range map[bool]string{
		false: "done\n", true: "\r  0 % of everything\r 50 %              \rdone \n",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			l := NewLine(&out)
			assert.False(t, l.terminal, "a string is no terminal")
			l.terminal = terminal
			l.Show("%3d %% of everything", 0)
			l.Show("too soon")
			time.Sleep(100 * time.Millisecond)
			l.Show("%3d %%", 50)
			l.End("done")
			assert.Equal(t, want, out.String())
		})
	}
}

func TestIsTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, isTerminal(file), "a file")
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer device.Close()
	assert.True(t, isTerminal(device), "a character device, as a terminal is")
	t.Setenv("TERM", "dumb")
	assert.False(t, isTerminal(device))
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 300_545: "300.5 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		18_000_000: "18.0 MB", 7e9: "7.0 GB", 1<<63 - 1: "9.2 EB",
	} {
		assert.Equal(t, want, Bytes(n))
	}
}

func TestCount(t *testing.T) {
	assert.Equal(t, "0 jobs, 1 job, 2 jobs", Count(0, "job")+", "+Count(1, "job")+", "+Count(2, "job"))
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short", "exactly 10": "exactly 10", "a name that is long": "a nam…long",
		"\x1b[0;31mred\x1b[0m": "red",
		"a\tb\r\a\u202ec":      "a bc", "ÄÖÜäöüßÄÖÜäö": "ÄÖÜäö…ÜÄÖÜäö"[:len("ÄÖÜäö…")] + "ÖÜäö",
	} {
		assert.Equal(t, want, Clip(text, 10), "%q", text)
	}
}

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "main": "main", "a=b": "a=b", "=1+1": "'=1+1", "+1": "'+1", "-x": "'-x", "@sum": "'@sum", "\tx": "'\tx",
	} {
		assert.Equal(t, want, Cell(text))
	}
}
