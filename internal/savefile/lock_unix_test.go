//go:build darwin || linux

package savefile

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lockedVariable names the file that another process keeps locked.
const lockedVariable = "SAVEFILE_TEST_LOCKED"

// TestOneProgramAtATime checks that the lock of another program counts, and that
// it ends with the program, however that ends.
func TestOneProgramAtATime(t *testing.T) {
	if name := os.Getenv(lockedVariable); name != "" {
		open(t, name)
		os.Stdout.WriteString("locked\n")
		select {}
	}
	name := filepath.Join(t.TempDir(), "file")
	other := exec.Command(os.Args[0], "-test.run=^TestOneProgramAtATime$")
	other.Env = append(os.Environ(), lockedVariable+"="+name, "GOCOVERDIR="+t.TempDir())
	output, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	_, err = bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	target, err := At(name)
	require.NoError(t, err)
	_, err = Open(target)
	assert.ErrorIs(t, err, ErrInUse)
	require.NoError(t, other.Process.Kill())
	other.Wait()
	open(t, name)
}

// TestLocksUnderPressure checks that there is never more than one owner, although
// each removes the file.
func TestLocksUnderPressure(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file.part.lock")
	var owners, locked atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				unlock, err := lock(name)
				if err != nil {
					assert.ErrorIs(t, err, ErrInUse)
					continue
				}
				assert.EqualValues(t, 1, owners.Add(1))
				locked.Add(1)
				owners.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	assert.NotZero(t, locked.Load())
}

func modeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	return info.Mode()
}

// TestModes checks the permissions of a part and of its file.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	const none fs.FileMode = 0
	for _, tc := range []struct {
		old        fs.FileMode
		private    bool
		part, file fs.FileMode
	}{
		{none, false, 0o644, 0o644}, {none, true, 0o600, 0o600},
		{0o644, false, 0o644, 0o644}, {0o644, true, 0o600, 0o600},
		{0o666, false, 0o644, 0o666}, {0o777, true, 0o600, 0o600},
		{0o440, false, 0o640, 0o440}, {0o440, true, 0o600, 0o400},
	} {
		name := filepath.Join(t.TempDir(), "file")
		if tc.old != none {
			require.NoError(t, os.WriteFile(name, nil, 0o600))
			require.NoError(t, os.Chmod(name, tc.old))
		}
		p := open(t, name)
		c := cut("begin")
		c.Private = tc.private
		_, err := p.Save(c)
		require.Equal(t, errBroken, err)
		assert.Equal(t, tc.part, modeOf(t, p.name), "%+v", tc)
		assert.Equal(t, tc.part&^0o600 != 0, p.IsShared(), "%+v", tc)
		c = contentOf("ning")
		c.Offset, c.Private = 5, tc.private
		_, err = p.Save(c)
		require.NoError(t, err)
		assert.Equal(t, tc.file, modeOf(t, name), "%+v", tc)
		_, err = p.Target.Save(c)
		require.NoError(t, err)
		assert.Equal(t, tc.file, modeOf(t, name), "%+v", tc)
		assert.False(t, p.IsShared(), "there is none")
	}
}

// TestFlockErrors checks a file that cannot be locked.
func TestFlockErrors(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	assert.True(t, errors.Is(flock(f), syscall.EBADF))
}
