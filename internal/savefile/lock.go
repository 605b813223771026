package savefile

import (
	"errors"
	"io/fs"
	"os"
)

// ErrInUse means that another call is saving to the same name.
var ErrInUse = errors.New("the part is in use")

// errCannotLock means that the system or the file system has no locks.
var errCannotLock = errors.New("files cannot be locked")

// lock takes the lock that a file stands for. The system releases the lock of a
// program that ends, so that a file that was left behind locks nothing.
func lock(name string) (unlock func(), err error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: ErrNotRegular}
	}
	f, err := openLocked(name)
	switch {
	case errors.Is(err, errCannotLock):
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	return func() { removeLocked(f) }, nil
}
