//go:build !linux && !darwin

package posix

import "errors"

// Supported reports whether the system has these calls.
const Supported = false

// Umask does nothing.
func Umask(int) int { return 0 }

// MakeFIFO fails.
func MakeFIFO(string) error { return errors.ErrUnsupported }

// MakeDevice fails.
func MakeDevice(string, int, int) error { return errors.ErrUnsupported }

// LimitFileSize fails.
func LimitFileSize(uint64) error { return errors.ErrUnsupported }
