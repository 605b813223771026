package savefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Values that package syscall does not have.
const (
	fileFlagDeleteOnClose               = 0x04000000
	accessDelete                        = 0x00010000
	errorSharingViolation syscall.Errno = 32
)

// openLocked opens a file so that nobody else can open it, and creates it if
// necessary. The system removes it when it is closed.
func openLocked(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|accessDelete, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|fileFlagDeleteOnClose, 0)
	switch {
	case errors.Is(err, errorSharingViolation):
		return nil, ErrInUse
	case err != nil:
		return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}

func removeLocked(f *os.File) { f.Close() }
