// Package savefile writes files that appear under their name only when they are
// complete, and keeps the beginning of one that was interrupted, so that a later
// run can continue it.
package savefile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// Target is the place where a file will appear.
type Target struct {
	// path is the path of the file, with symbolic links resolved.
	path string
	// exists is set if there is a file, and mode has its permissions.
	exists bool
	mode   fs.FileMode
	// special is set for a file that can be written to but not replaced.
	special bool
}

// Errors of a name that cannot be used. They are wrapped in a [*fs.PathError].
var (
	ErrIsDirectory = errors.New("is a directory")
	ErrNotRegular  = errors.New("is not a regular file")
)

// At finds out what there is under a name.
func At(name string) (t Target, err error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.path, err = followLinks(name)
		return t, err
	case err != nil:
		return t, err
	case info.IsDir():
		return t, &fs.PathError{Op: "save", Path: name, Err: ErrIsDirectory}
	case !info.Mode().IsRegular():
		return Target{path: name, special: true}, nil
	}
	t = Target{exists: true, mode: info.Mode().Perm()}
	t.path, err = filepath.EvalSymlinks(name)
	return t, err
}

// followLinks returns the target of symbolic links whose last target does not
// exist.
func followLinks(name string) (string, error) {
	const maxLinks = 40
	for range maxLinks {
		link, err := os.Readlink(name)
		if err != nil {
			return name, nil // not a link
		}
		if !filepath.IsAbs(link) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return "", err
			}
			link = filepath.Join(dir, link)
		}
		name = link
	}
	return "", &fs.PathError{Op: "save", Path: name, Err: errors.New("too many symbolic links")}
}

// Content is what a file will contain.
type Content struct {
	// WriteTo writes the content, from Offset on.
	WriteTo func(io.Writer) (int64, error)
	// Private is set if only the owner of the file may read the content.
	Private bool

	// The other fields are used only by [Part.Save].

	// Offset is where the content begins: 0, or the length of the part.
	Offset int64
	// ETag identifies the version of the content. It is "" if the content cannot be
	// continued later.
	ETag string
	// Sum gets the part that the content continues, if it is not nil.
	Sum io.Writer
}

// Save writes the content to a temporary file in the same directory, and gives it
// its name when it is complete. On error, the temporary file is removed.
func (t Target) Save(c Content) (n int64, err error) {
	if t.special {
		return t.saveInto(c)
	}
	f, err := t.temporary(c.Private)
	if err != nil {
		return 0, err
	}
	if n, err = c.WriteTo(f); err == nil {
		err = t.complete(f, c.Private)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
	}
	return n, err
}

// saveInto writes the content to something that is not a regular file.
func (t Target) saveInto(c Content) (int64, error) {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	n, err := c.WriteTo(f)
	return n, cmp.Or(err, f.Close())
}

// ownerOnly are the permissions of private content.
const ownerOnly fs.FileMode = 0o600

// create creates a file in the directory of the target. It is not readable for
// more people than the target will be.
func (t Target) create(name string, private bool) (*os.File, error) {
	mode := fs.FileMode(0o666)
	switch {
	case private:
		mode = ownerOnly
	case t.exists:
		mode = t.mode | ownerOnly // its owner may have to continue it
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
}

// temporary creates a file with a short name, because the target's name may
// already have the maximum length.
func (t Target) temporary(private bool) (*os.File, error) {
	const attempts = 100
	for attempt := 1; ; attempt++ {
		name := filepath.Join(filepath.Dir(t.path), fmt.Sprintf(".%016x.part", rand.Uint64()))
		f, err := t.create(name, private)
		if attempt == attempts || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// complete gives the temporary file its permissions and its name. The content
// reaches the disk first, so that a power failure does not leave an empty file
// under the name.
func (t Target) complete(f *os.File, private bool) error {
	if err := t.setMode(f, private); err != nil {
		return err
	}
	if err := f.Sync(); err != nil && !cannotSync(err) {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), t.path); err != nil {
		return err
	}
	syncDirectory(filepath.Dir(t.path))
	return nil
}

// setMode gives a file the permissions of the one that it replaces. Private
// content is for its owner alone, whoever could read the old file.
func (t Target) setMode(f *os.File, private bool) error {
	if !t.exists {
		return nil
	}
	mode := t.mode
	if private {
		mode &= ownerOnly
	}
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// cannotSync reports whether an error means that the file system does not
// support syncing.
func cannotSync(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// syncDirectory makes a new name survive a power failure, if the system
// supports that. The file is complete either way.
func syncDirectory(name string) {
	dir, err := os.Open(name)
	if err != nil {
		return
	}
	defer dir.Close()
	_ = dir.Sync()
}
