//go:build linux || darwin

// Package posix has the system calls that tests of saved files need, on the systems
// that have them.
package posix

import (
	"os/signal"
	"syscall"
)

// Supported reports whether the system has these calls.
const Supported = true

// Umask sets which permissions new files do not have, and returns what was set.
func Umask(mask int) int { return syscall.Umask(mask) }

// MakeFIFO makes a named pipe.
func MakeFIFO(name string) error { return syscall.Mkfifo(name, 0o600) }

// MakeDevice makes a character device.
func MakeDevice(name string, major, minor int) error {
	return syscall.Mknod(name, syscall.S_IFCHR|0o600, major<<8|minor)
}

// LimitFileSize makes every write of this process fail that would make a file
// longer.
func LimitFileSize(size uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size})
}
