//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package savefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openLocked opens a file, creates it if necessary, and locks it. Whoever had the
// lock before may have removed the file after it was opened: then there is
// another file to lock.
func openLocked(name string) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			f.Close()
			return nil, err
		}
		there, err := os.Lstat(name)
		if ours, statErr := f.Stat(); err == nil && statErr == nil && os.SameFile(ours, there) {
			return f, nil
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

func flock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return nil
	case err == syscall.EWOULDBLOCK:
		return ErrInUse
	case errors.Is(err, errors.ErrUnsupported), err == syscall.ENOLCK, err == syscall.EINVAL:
		os.Remove(f.Name())
		return errCannotLock
	}
	return os.NewSyscallError("flock", err)
}

// removeLocked removes a file while it is locked, and then closes it.
func removeLocked(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}
