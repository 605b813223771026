package savefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contentOf is content with an entity tag.
func contentOf(text string) Content {
	return Content{ETag: `"v1"`, WriteTo: func(w io.Writer) (int64, error) {
		n, err := io.WriteString(w, text)
		return int64(n), err
	}}
}

var errBroken = errors.New("broken")

// cut is content that breaks off.
func cut(text string) Content {
	c := contentOf(text)
	whole := c.WriteTo
	c.WriteTo = func(w io.Writer) (int64, error) {
		n, _ := whole(w)
		return n, errBroken
	}
	return c
}

func open(t *testing.T, name string) *Part {
	t.Helper()
	target, err := At(name)
	require.NoError(t, err)
	p, err := Open(target)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestPartIsContinued checks what a part says of itself, and that its beginning is
// added to a checksum.
func TestPartIsContinued(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	p := open(t, name)
	size, etag := p.Leftover()
	assert.Zero(t, size)
	assert.Empty(t, etag)
	n, err := p.Save(cut("begin"))
	assert.Equal(t, errBroken, err)
	assert.EqualValues(t, 5, n)
	p.Close()

	p = open(t, name)
	size, etag = p.Leftover()
	assert.EqualValues(t, 5, size)
	assert.Equal(t, `"v1"`, etag)
	var sum strings.Builder
	c := contentOf("ning")
	c.Offset, c.Sum = size, &sum
	n, err = p.Save(c)
	require.NoError(t, err)
	assert.EqualValues(t, 9, n)
	assert.Equal(t, "begin", sum.String())
	p.Close()
	assert.Equal(t, "beginning", read(t, name))
	assert.Equal(t, []string{"file"}, names(t, dir))
}

// TestDamagedTagIsNone checks entity tags that no request may be made of.
func TestDamagedTagIsNone(t *testing.T) {
	for name, damage := range map[string]func(tag string) error{
		"long": func(tag string) error {
			return os.WriteFile(tag, []byte(`"`+strings.Repeat("x", maxTag)+`"`), 0o666)
		},
		"gone":      os.Remove,
		"directory": func(tag string) error { os.Remove(tag); return os.Mkdir(tag, 0o777) },
	} {
		p := open(t, filepath.Join(t.TempDir(), "file"))
		_, err := p.Save(cut("begin"))
		require.Equal(t, errBroken, err)
		require.NoError(t, damage(p.tag), name)
		size, etag := p.Leftover()
		assert.Zero(t, size, name)
		assert.Empty(t, etag, name)
	}
}

// TestLongTagIsNotKept checks content whose version could not be requested again.
func TestLongTagIsNotKept(t *testing.T) {
	for length, kept := range map[int]bool{maxTag: true, maxTag + 1: false} {
		dir := t.TempDir()
		p := open(t, filepath.Join(dir, "file"))
		c := cut("begin")
		c.ETag = `"` + strings.Repeat("x", length-2) + `"`
		_, err := p.Save(c)
		require.Equal(t, errBroken, err)
		size, _ := p.Leftover()
		assert.Equal(t, kept, size > 0, length)
		p.Close()
		assert.Equal(t, kept, len(names(t, dir)) > 0, length)
	}
}

// TestOnePartAtATime checks that the lock ends with Close, and that a file which
// a killed program has left locks nothing.
func TestOnePartAtATime(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(name+".part.lock", nil, 0o666))
	p := open(t, name)
	target, err := At(name)
	require.NoError(t, err)
	_, err = Open(target)
	assert.Equal(t, ErrInUse, err)
	p.Close()
	assert.Empty(t, names(t, dir))
	p = open(t, name)
	open(t, filepath.Join(dir, "other"))
	p.Close()
}

// TestLockThatIsNoFile checks that nothing else is locked or removed.
func TestLockThatIsNoFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.Mkdir(name+".part.lock", 0o777))
	target, err := At(name)
	require.NoError(t, err)
	_, err = Open(target)
	assert.Equal(t, &fs.PathError{Op: "lock", Path: name + ".part.lock", Err: ErrNotRegular}, err)
	assert.DirExists(t, name+".part.lock")
}

// TestCannotSync distinguishes a file system that cannot sync from a disk that
// fails.
func TestCannotSync(t *testing.T) {
	assert.True(t, cannotSync(&fs.PathError{Op: "sync", Err: syscall.EINVAL}))
	assert.True(t, cannotSync(&fs.PathError{Op: "sync", Err: errors.ErrUnsupported}))
	assert.False(t, cannotSync(&fs.PathError{Op: "sync", Err: syscall.EIO}))
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "part"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	assert.ErrorIs(t, Target{path: filepath.Join(dir, "file")}.complete(f, false), os.ErrClosed)
	assert.ErrorIs(t, Target{exists: true, mode: 0o600}.setMode(f, false), os.ErrClosed)
	assert.Equal(t, []string{"part"}, names(t, dir))
}

// TestFileThatCannotBeRemoved is an error.
func TestFileThatCannotBeRemoved(t *testing.T) {
	const name = "/proc/self/comm" // not even by root
	if _, err := os.Stat(name); err != nil {
		t.Skip("no such file here")
	}
	assert.Error(t, removeFile(name))
}

// TestFileSystemThatCannotSync checks that a complete file is not an error.
func TestFileSystemThatCannotSync(t *testing.T) {
	reader, writer, err := os.Pipe() // cannot sync either, and cannot be renamed
	require.NoError(t, err)
	defer reader.Close()
	err = Target{path: filepath.Join(t.TempDir(), "file")}.complete(writer, false)
	assert.ErrorAs(t, err, new(*os.LinkError))
	assert.Error(t, writer.Close(), "it was closed")
}

// TestLoopOfLinks is an error, too.
func TestLoopOfLinks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(name, name); err != nil {
		t.Skip("no symbolic links here")
	}
	_, err := followLinks(name)
	assert.EqualError(t, err, "save "+name+": too many symbolic links")
}
