package serviceapi

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// SaveFile writes the stream to a file, which appears under its name only when
// it is complete. Until then, the bytes are in a temporary file in the same
// directory, which is removed on error. SaveFile returns the number of bytes,
// and closes the stream. The bytes are on disk when it returns, as far as the
// file system can tell.
//
// An existing file is replaced, and its permissions are kept. A new file has
// the permissions 0666 before umask, or 0600 if it is a secure file. A symbolic
// link is followed. A device or a named pipe is written to directly.
//
// On Windows, the only permission is the read-only attribute. A file that has
// it, or that is open in a program, cannot be replaced, and SaveFile returns an
// error after the transfer. Names that Windows treats in a special way, such as
// NUL, are not refused; see [Download.Name].
//
// To continue a file that an earlier run of the program left unfinished, use
// the function [SaveFile].
func (d *Download) SaveFile(name string) (n int64, err error) {
	defer d.Close()
	t, err := targetOf(name)
	if err != nil {
		return 0, err
	}
	if t.special {
		return d.saveInto(t)
	}
	f, err := t.temporary(d)
	if err != nil {
		return 0, err
	}
	if n, err = d.WriteTo(f); err == nil {
		err = t.complete(f)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
	}
	return n, err
}

// saveInto writes the stream to something that is not a regular file.
func (d *Download) saveInto(t target) (int64, error) {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	n, err := d.WriteTo(f)
	return n, cmp.Or(err, f.Close())
}

// target is the place where a file will appear.
type target struct {
	// path is the path of the file, with symbolic links resolved.
	path string
	// exists is set if there is a file, and mode has its permissions.
	exists bool
	mode   fs.FileMode
	// special is set for a file that can be written to but not replaced.
	special bool
}

var errIsDirectory = errors.New("is a directory")

func targetOf(name string) (t target, err error) {
	if name == "" {
		return t, &ArgumentError{Argument: "file name", Problem: "is empty"}
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.path, err = followLinks(name)
		return t, err
	case err != nil:
		return t, err
	case info.IsDir():
		return t, &fs.PathError{Op: "save", Path: name, Err: errIsDirectory}
	case !info.Mode().IsRegular():
		return target{path: name, special: true}, nil
	}
	t = target{exists: true, mode: info.Mode().Perm()}
	t.path, err = filepath.EvalSymlinks(name)
	return t, err
}

// followLinks returns the target of symbolic links whose last target does not
// exist.
func followLinks(name string) (string, error) {
	const most = 40
	for range most {
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

// create creates a temporary file in the directory of the target.
func (t target) create(name string, d *Download) (*os.File, error) {
	mode := fs.FileMode(0o666)
	switch {
	case t.exists:
		mode = t.mode | 0o600 // its owner may have to continue it
	case d.private:
		mode = 0o600
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
}

// temporary creates a file with a short name, because the target's name may
// already have the maximum length.
func (t target) temporary(d *Download) (*os.File, error) {
	const most = 100
	for attempt := 1; ; attempt++ {
		name := filepath.Join(filepath.Dir(t.path), fmt.Sprintf(".%016x.part", rand.Uint64()))
		f, err := t.create(name, d)
		if attempt == most || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// complete gives the temporary file its permissions and its name. The content
// reaches the disk first, so that a power failure does not leave an empty file
// under the name.
func (t target) complete(f *os.File) error {
	if err := t.setMode(f); err != nil {
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

// setMode gives a file the permissions of the one that it replaces.
func (t target) setMode(f *os.File) error {
	if !t.exists {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == t.mode {
		return err
	}
	return f.Chmod(t.mode)
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
